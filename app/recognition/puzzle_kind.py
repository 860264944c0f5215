"""Which rules a board is printed with: regions, diagonals and windows, as far as they are shown.

The kind comes from the picture alone, never from what could then be solved.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.decoding.regions import decode_regions
from solver.rules import Kind, Rules, box_rules, jigsaw_rules
from vision.kinds.line_weights import weigh_lines
from vision.kinds.markings import has_drawn_diagonals, is_tinted

_SIDE: Final = 9


class BoardTraits(NamedTuple):
    """What a board shows besides its digits.

    Attributes:
        rules: that it is printed with; None for the classic ones.
        zoom: by which the middles of its cells are enlarged, as its digits are small.
    """

    rules: Rules | None = None
    zoom: float = 1.0


PLAIN: Final = BoardTraits()


def tell_rules(board: npt.NDArray[np.uint8]) -> Rules | None:
    """Return the rules that a board shows, or None for the classic ones.

    Args:
        board: (256, 256) uint8 as `vision.board.rectify` returns it, upright or on its side.
    """
    regions = decode_regions(*weigh_lines(board))
    if regions is not None and set(regions) != set(_with_marks(Kind.CLASSIC).regions):
        return jigsaw_rules(regions)
    if has_drawn_diagonals(board):
        return _with_marks(Kind.DIAGONAL)
    for kind in (Kind.DIAGONAL, Kind.WINDOKU):
        if is_tinted(board, _mark_cells(kind)):
            return _with_marks(kind)
    return None


@cache
def _with_marks(kind: Kind) -> Rules:
    return box_rules(_SIDE, kind)


@cache
def _mark_cells(kind: Kind) -> npt.NDArray[np.bool_]:
    """Return the cells of the units that a kind has beside rows, columns and boxes, (9, 9)."""
    marked = np.zeros(_SIDE * _SIDE, np.bool_)
    for unit in _with_marks(kind).units[3 * _SIDE :]:
        marked[list(unit)] = True
    return marked.reshape(_SIDE, _SIDE)
