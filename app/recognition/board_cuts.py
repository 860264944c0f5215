"""A board as it lies in the photo: cut out, turned each way, and shown to the readers."""

from typing import Final, NamedTuple

import numpy as np

from app.recognition.kinds.killer_board import KillerLook, KillerReader
from app.recognition.kinds.puzzle_kind import BoardTraits, BoardView, TellRules
from app.recognition.readers import CellReaders, Seen
from solver.decoding.print_and_hand import HANDWRITTEN, distinguishes_hands
from solver.rules import Kind, Rules, box_rules
from vision.board import CLASSIC_SIDE, cut_cells, rectify, turn_cells, turn_lattice
from vision.digit_size import PLACED, Placement, cut_digits, find_digits
from vision.geometry import Float32, Image8, Points
from vision.kinds.drawn_lines import blank_cages, has_drawn_diagonals
from vision.kinds.line_weights import is_dark

_SAMPLE: Final = 12
"""Cells that vote on the quarter turn.

On 259 real boards turned at random, 12 cells with most contrast put the right turn first always,
8 did so in all but 2.
"""


class BoardCut(NamedTuple):
    """A board as it lies in the photo, whichever way it is turned.

    Attributes:
        placed: where digits stand in their cells, and how large.
        board: (S, S) uint8 grey, rectified.
        flat: (n², 32, 32) uint8, its cells.
        cells: the same with their digits in a usual size.
        n_values: that a cell can have; of a samurai fewer than places in a row.
        killer: its cages, if it has any.
    """

    placed: Placement
    board: Image8
    flat: Image8
    cells: Image8
    n_values: int
    killer: KillerLook | None


class TurnedLook(NamedTuple):
    """A board seen in one quarter turn, before the rules are asked.

    Attributes:
        turn: quarter turns that make it upright, if this look is the right one.
        placed: as `BoardCut` has it, turned.
        board: (S, S) uint8 grey, turned.
        cells: (n², 32, 32) uint8, as the readers saw them.
        seen: what they saw.
    """

    turn: int
    placed: Placement
    board: Image8
    cells: Image8
    seen: Seen

    @property
    def probabilities(self) -> Float32:
        """As `Seen` has them."""
        return self.seen.probabilities


class BoardCutter:
    """Cuts boards out of photos, and shows their cells to the readers.

    An `image` is (H, W, 3) BGR uint8; a `lattice` is (n + 1, n + 1, 2) float32 in its pixels.
    """

    def __init__(
        self, readers: CellReaders, tell_rules: TellRules, killers: KillerReader | None
    ) -> None:
        """Take readers into use; without one of killers none is told."""
        self._readers = readers
        self._tell_rules = tell_rules
        self._killers = killers

    def cut(self, image: Image8, lattice: Points) -> BoardCut:
        """Return a board cut out of its photo, with its cages if it is a killer."""
        board = rectify(image, lattice)
        cells = cut_cells(board)
        placed = find_digits(cells)
        large = cells if placed.is_usual else cut_digits(image, lattice, placed)
        rules = None
        if len(lattice) - 1 > CLASSIC_SIDE:
            rules = self._tell_rules(BoardView(board, image, lattice))
        killer = None if self._killers is None else self._killers.read(image, lattice)
        if killer is not None and killer.side != CLASSIC_SIDE:
            upright = turn_lattice(lattice, killer.turn)
            shown = self._tell_rules(BoardView(_turn_board(board, killer.turn), image, upright))
            # Without its boxes it may be another puzzle of cages.
            if shown is None or shown.units != box_rules(killer.side).units:
                killer = None
        return BoardCut(placed, board, cells, large, count_values(lattice, rules), killer)

    def look(self, cut: BoardCut, turn: int) -> TurnedLook:
        """Return what the readers see on a board after so many quarter turns."""
        upright = _turn_board(cut.board, turn)
        cells = turn_cells(cut.cells, turn)
        seen = self._readers.see(cells, cut.n_values)
        return TurnedLook(turn, cut.placed.turn(turn), upright, cells, seen)

    def look_at_killer(self, cut: BoardCut, killer: KillerLook) -> TurnedLook:
        """Return a killer's digits, seen without its cages and sums."""
        cells = turn_cells(cut.flat, killer.turn)
        blank = blank_cages(cells, killer.is_caged, killer.has_sum)
        # Its sums were read, so that digits of no other script stand beside them.
        seen = self._readers.see_usual(blank)
        return TurnedLook(killer.turn, PLACED, _turn_board(cut.board, killer.turn), cells, seen)

    def tell_traits(self, image: Image8, upright: Points, look: TurnedLook) -> BoardTraits:
        """Return what a board shows besides its digits; `upright` is its lattice, turned."""
        rules = self._tell_rules(BoardView(look.board, image, upright))
        if rules is None or rules.kind is not Kind.DIAGONAL or not has_drawn_diagonals(look.board):
            return BoardTraits(rules, look.placed)
        return BoardTraits(rules, look.placed, is_crossed=True, is_dark=is_dark(look.board))

    def order_turns(self, cut: BoardCut) -> tuple[list[int], float]:
        """Order the quarter turns by a vote of the cells with most contrast.

        They nearly always hold digits, and a digit that lies on its side looks like none.

        Returns:
            The turns, likeliest first, and by how much the first leads the second in mean
            log likelihood a cell.
        """
        cells = cut.cells
        contrast = cells[:, 6:-6, 6:-6].reshape(len(cells), -1).std(axis=1)
        sample = cells[np.argsort(-contrast)[:_SAMPLE]]
        turned = np.stack([np.rot90(sample, turn, axes=(1, 2)) for turn in range(4)])
        means = self._readers.weigh_upright(turned, cut.n_values).mean(axis=1)
        order = np.argsort(-means, kind="stable").tolist()
        return order, float(means[order[0]] - means[order[1]])


def _turn_board(board: Image8, quarter_turns: int) -> Image8:
    return np.ascontiguousarray(np.rot90(board, quarter_turns))


def count_values(lattice: Points, rules: Rules | None) -> int:
    """Return how many values the cells of a board can have; a samurai's have nine."""
    return len(lattice) - 1 if rules is None else rules.side


def bound_likelihood(look: TurnedLook) -> float:
    """Return the most log likelihood that a decoding of this look can have, handwriting or not."""
    probabilities = look.probabilities
    if not distinguishes_hands(probabilities):
        return float(np.log(probabilities.max(axis=1)).sum())
    of_digits = (probabilities[:, 1:10] + probabilities[:, HANDWRITTEN]).max(axis=1)
    without_hand = probabilities[:, 0] + probabilities[:, HANDWRITTEN].sum(axis=1)
    return float(np.log(np.maximum(of_digits, without_hand)).sum())
