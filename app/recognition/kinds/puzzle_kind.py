"""Which rules a board is printed with: regions, diagonals and windows, as far as they are shown.

The kind comes from the picture alone, never from what could then be solved.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from models.symbol_reader import Alphabet
from solver.decoding.cages import CageDecoding
from solver.decoding.regions import (
    decode_boxes,
    decode_colours,
    decode_regions,
)
from solver.exact.bitmask import search
from solver.grid import Grid
from solver.layout import Layout
from solver.rules import Kind, Rules, box_rules, jigsaw_rules, usual_boxes
from vision.board import MARGIN_PX, show_board
from vision.digit_size import PLACED, Placement
from vision.geometry import Image8, Points
from vision.kinds.drawn_lines import has_drawn_diagonals
from vision.kinds.line_weights import is_dark, weigh_lines
from vision.kinds.markings import (
    CELL_PX,
    PaperSteps,
    is_outlined,
    is_tinted,
    may_be_tinted,
    measure_steps,
)

_SIDE: Final = 9

_MOST_NODES: Final = 500
"""Positions of a search for further kinds; clues that leave it open say nothing."""


class BoardTraits(NamedTuple):
    """What a board shows besides its digits.

    Attributes:
        rules: that it is printed with; None for the classic ones.
        placed: how its digits stand in their cells.
        is_crossed: both diagonals are drawn as lines, through the digits there.
        is_dark: the paper is darker than what is printed on it.
        cages: of a killer, also where they are not told for sure; None of other kinds.
        alphabet: that its values are printed in; None up to side 9, where they are digits.
    """

    rules: Rules | None = None
    placed: Placement = PLACED
    is_crossed: bool = False
    is_dark: bool = False
    cages: CageDecoding | None = None
    alphabet: Alphabet | None = None


PLAIN: Final = BoardTraits()


@dataclass(frozen=True, eq=False)
class BoardView:
    """A board that lies upright, or on its side, as it is looked at for its kind.

    Attributes:
        grey: (S, S) uint8 as `vision.board.rectify` returns it.
        photo: (H, W, 3) BGR uint8.
        lattice: (n + 1, n + 1, 2) float32 in pixels of the photo, turned as `grey` is.
    """

    grey: Image8
    photo: Image8
    lattice: Points

    @property
    def side(self) -> int:
        """The number of cells in a row, n."""
        return len(self.lattice) - 1

    def show_colour(self, cell_px: int) -> Image8:
        """Return the board in colour, (n · cell_px, n · cell_px, 3) BGR uint8."""
        return show_board(self.photo, self.lattice, cell_px)


TellRules = Callable[[BoardView], Rules | None]
"""Returns the rules of a board, None for the classic ones."""


def choose_rules(kind: str) -> TellRules:
    """Return what tells the rules of boards whose kind is known.

    Args:
        kind: "auto" for what the picture shows, or a kind that has one set of rules.
    """
    if kind == "auto":
        return tell_rules
    known = None if Kind(kind) is Kind.CLASSIC else _with_marks(Kind(kind))
    return lambda view: known


def find_hidden_kinds(clues: Grid) -> tuple[Kind, ...]:
    """Return the kinds whose marks, were they there, would leave exactly one solution.

    Args:
        clues: (9, 9) uint8 of a puzzle with several solutions by the classic rules.
    """
    digits = clues.ravel().tolist()
    found = []
    for kind in (Kind.DIAGONAL, Kind.WINDOKU):
        ways = search(digits, 2, lambda nodes: nodes < _MOST_NODES, keep=0, rules=_with_marks(kind))
        if ways.found == 1 and ways.is_exhaustive:
            found.append(kind)
    return tuple(found)


def tell_rules(view: BoardView) -> Rules | None:
    """Return the rules that a board shows, or None for the classic ones.

    None for a board of another side than 9 if it does not show its boxes or regions: then it may
    be no Sudoku.
    """
    show_steps = cache(partial(_measure_colours, view))
    if view.side != _SIDE:
        return _tell_other_rules(view, show_steps)
    lines = weigh_lines(view.grey)
    regions = decode_regions(*lines) or decode_colours(*show_steps())
    if regions is not None and set(regions) != set(_with_marks(Kind.CLASSIC).regions):
        return jigsaw_rules(regions)
    if has_drawn_diagonals(view.grey):
        return _with_marks(Kind.DIAGONAL)
    marked = _find_shaded(view, show_steps, (Kind.DIAGONAL, Kind.WINDOKU))
    if marked is None and is_outlined(lines, _mark_cells(Kind.WINDOKU, _SIDE), _number_boxes()):
        marked = Kind.WINDOKU
    return None if marked is None else _with_marks(marked)


def _find_shaded(
    view: BoardView, show_steps: Callable[[], PaperSteps], kinds: Sequence[Kind]
) -> Kind | None:
    """Return which of some kinds has its cells on another paper than the rest."""
    grey = view.grey[MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX, None]
    in_grey = measure_steps(grey, is_dark=is_dark(view.grey))
    for kind in kinds:
        marked = _mark_cells(kind, view.side)
        if may_be_tinted(in_grey, marked) and is_tinted(show_steps(), marked):
            return kind
    return None


def _tell_other_rules(view: BoardView, show_steps: Callable[[], PaperSteps]) -> Rules | None:
    """Return the rules of a board of another side than 9 that shows its boxes or regions."""
    usual = usual_boxes(view.side)
    layouts = (usual, Layout(usual.box_columns, usual.box_rows))
    shapes = {box_rules(view.side, boxes=boxes).regions: boxes for boxes in layouts}
    weights = weigh_lines(view.grey)
    told = decode_boxes(*weights)
    if told not in shapes:
        told = decode_regions(*weights) or decode_colours(*show_steps())
    if told is None:
        told = decode_boxes(*weigh_lines(view.grey, may_part=True))
        told = told if told in shapes else None
    if told is None:
        return None
    if told not in shapes:
        return jigsaw_rules(told)
    if has_drawn_diagonals(view.grey):
        kind = Kind.DIAGONAL
    else:
        kind = _find_shaded(view, show_steps, (Kind.DIAGONAL,)) or Kind.CLASSIC
    return box_rules(view.side, kind, shapes[told])


def _measure_colours(view: BoardView) -> PaperSteps:
    return measure_steps(view.show_colour(CELL_PX), is_dark=is_dark(view.grey))


@cache
def _with_marks(kind: Kind, side: int = _SIDE) -> Rules:
    return box_rules(side, kind)


@cache
def _number_boxes() -> npt.NDArray[np.intp]:
    """Return the number of each cell's box on a board of side 9, (9, 9)."""
    return usual_boxes(_SIDE).units_of_cell[:, 2].reshape(_SIDE, _SIDE)


@cache
def _mark_cells(kind: Kind, side: int) -> npt.NDArray[np.bool_]:
    """Return the cells of the units that a kind has beside rows, columns and boxes, (n, n)."""
    marked = np.zeros(side * side, np.bool_)
    for unit in _with_marks(kind, side).added_units:
        marked[list(unit)] = True
    return marked.reshape(side, side)
