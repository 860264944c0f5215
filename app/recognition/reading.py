"""Reads a board: which way up it lies, and the most likely clues that the rules allow."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from app.recognition.kinds.killer_board import KillerLook, KillerReader, decode_killer
from app.recognition.kinds.puzzle_kind import PLAIN, BoardTraits, TellRules, tell_rules
from app.recognition.search_budget import Patience
from app.recognition.second_look import (
    SecondLook,
    is_doubtful_claim,
    is_worth_another_look,
    look_again,
)
from app.recognition.timing import StageClock
from models.reader import Reader
from solver.decoding.decode import (
    HANDWRITTEN,
    DecodeLimits,
    DecodeOutcome,
    Decoding,
    rank_decodings,
    withdraw_claim,
)
from solver.decoding.handwriting import Basis, FilledDecoding, decode_filled
from solver.grid import Grid
from solver.rules import Kind, Rules, box_rules
from vision.board import cut_cells, cut_middles, rectify, turn_cells, turn_lattice
from vision.digit_size import choose_zoom
from vision.kinds.board_view import BoardView
from vision.kinds.cage_lines import blank_cages
from vision.kinds.drawn_diagonals import erase_diagonals, has_drawn_diagonals
from vision.kinds.line_weights import is_dark

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]
Float32 = npt.NDArray[np.float32]

Fuse = Callable[[Float32], Float32]
"""Joins the probabilities of one look at a board, (n², 19), with those of earlier ones."""

_TURNS: Final = 4

_CLASSIC_SIDE: Final = 9
"""Of boards that need not show their boxes."""

_SAMPLE: Final = 12
"""Cells that vote on the quarter turn.

On 259 real boards turned at random, 12 cells with most contrast put the right turn first always,
8 did so in all but 2.
"""

_FLOOR: Final = 1e-3
"""Least likelihood of a cell in the vote, so that no single cell decides it."""

_CLEAR_LEAD: Final = 0.12
"""Lead of the best turn, in mean log likelihood a cell, from which a sure decoding is taken."""

_SAFE_LEAD: Final = 0.3
"""Lead from which the other turns are not read at all: more than half of those boards have it,
and no wrong turn ever led at all."""

_SURE: Final = 0.9
"""Confidence of a decoding from which the other turns are not read."""


_FAR_BEHIND: Final = 12.0
"""Nats by which a turn's likelihood may lag behind the likeliest turn's and still be decoded.

Of 231 real boards the right turn led by 9.6 at least and 20 in the median, so a turn that lags so
far behind is no reading of the board, and must not be shown even if the rules could solve it.
"""


@dataclass(frozen=True, eq=False)
class BoardReading:
    """What the network saw on a board, and what the rules made of it.

    Attributes:
        lattice: (n + 1, n + 1, 2) float32, turned so that [0, 0] is the puzzle's own top left.
        board: (S, S) uint8 grey, the rectified board, upright.
        cells: (n², 32, 32) uint8, as the reader saw them; of a killer, with cages and
            sums.
        probabilities: (n², 19) float32, as `DigitReader.read` returns them.
        decoding: the most likely clues that the rules allow.
        entries: (n, n) uint8, handwritten digits that were left out of the clues.
        basis: whether the clues are the print alone.
        is_final: whether all looks were taken that there are.
        traits: what it shows besides its digits.
    """

    lattice: Points
    board: Image8
    cells: Image8
    probabilities: Float32
    decoding: Decoding
    entries: Grid
    basis: Basis
    is_final: bool = False
    traits: BoardTraits = PLAIN

    @property
    def is_told(self) -> bool:
        """Whether it is known what puzzle it is."""
        return self.traits.rules is not None or len(self.lattice) - 1 == _CLASSIC_SIDE


class _Cut(NamedTuple):
    """A board as it lies in the photo, its cells, and these with their digits in a usual size."""

    zoom: float
    board: Image8
    flat: Image8
    cells: Image8


class _Look(NamedTuple):
    """A board seen in one quarter turn, before the rules are asked."""

    turn: int
    zoom: float
    board: Image8
    cells: Image8
    probabilities: Float32


class BoardReader:
    """Reads boards with networks that are loaded once."""

    def __init__(
        self,
        reader: Reader,
        limits: DecodeLimits,
        *,
        looks_again: bool = True,
        is_patient: bool = True,
        small_print: Reader | None = None,
        tell_rules: TellRules = tell_rules,
        killers: KillerReader | None = None,
    ) -> None:
        """Take a reader into use.

        Args:
            reader: of the cells.
            limits: of the decoder.
            looks_again: read a board that is not solved once more, with the lattice moved.
            is_patient: do so even where the first search was not brought to its end.
            small_print: a second opinion on the digits, asked for only then.
            tell_rules: says by which rules a board is printed.
            killers: reads these; without it none is told.
        """
        self._tell_rules = tell_rules
        self._killers = killers
        self._reader = reader
        self._limits = limits
        self._looks_again = looks_again
        self._is_patient = is_patient
        self._readers = reader, small_print

    def read(self, image: Image8, lattice: Points, clock: StageClock) -> BoardReading:
        """Read a board, whichever way it is turned, and look again where that may help.

        Args:
            image: (H, W, 3) BGR uint8.
            lattice: (n + 1, n + 1, 2) float32 in pixels of `image`, turned any way.
            clock: where the stages' seconds are added.
        """
        patience = Patience(self._limits)
        reading = self.glance(image, lattice, clock, patience)
        return self.look_closer(image, reading, clock, patience)

    def glance(
        self, image: Image8, lattice: Points, clock: StageClock, patience: Patience
    ) -> BoardReading:
        """Read a board as it shows at first sight, whichever way it is turned.

        Reading all four turns would cost four times as much, so a sample of cells votes first,
        and the other turns are read only where the winner is not sure.

        Args:
            image: (H, W, 3) BGR uint8.
            lattice: (n + 1, n + 1, 2) float32 in pixels of `image`, turned any way.
            clock: where the stages' seconds are added.
            patience: of the photo.
        """
        finish = partial(
            self._finish,
            image,
            lattice,
            clock=clock,
            patience=patience,
            is_first_look=self._looks_again,
        )
        with clock.stage("read"):
            cut = _cut(image, lattice)
            killer = self._see_killer(image, lattice, cut)
        if killer is not None:
            return self._finish_killer(lattice, cut, killer, clock, patience)
        with clock.stage("read"):
            turns, lead = self._order_turns(cut.cells)
            first = self._look(cut, turns[0])
        readings = [finish(first)]
        is_sure = readings[0].decoding.confidence >= _SURE
        if lead < _SAFE_LEAD and not (is_sure and lead >= _CLEAR_LEAD):
            with clock.stage("read"):
                looks = [self._look(cut, turn) for turn in turns[1:]]
            likeliest = max(_bound_likelihood(look) for look in (first, *looks))
            for look in sorted(looks, key=_bound_likelihood, reverse=True):
                is_far_behind = _bound_likelihood(look) < likeliest - _FAR_BEHIND
                if is_far_behind or not _can_win(look, readings):
                    break
                readings.append(finish(look))
        best = readings[rank_decodings([reading.decoding for reading in readings])[0]]
        if not self._looks_again or not is_doubtful_claim(best.probabilities, best.decoding):
            return best
        return self._confirm(image, best, clock, patience)

    def preview(self, image: Image8, lattice: Points, clock: StageClock) -> Float32:
        """Return what the cells of a board look like in its likeliest turn, without decoding them.

        Args:
            image: (H, W, 3) BGR uint8.
            lattice: (n + 1, n + 1, 2) float32 in pixels of `image`, turned any way.
            clock: where the stages' seconds are added.

        Returns:
            (n², 19) float32, as `DigitReader.read` returns them.
        """
        with clock.stage("read"):
            cut = _cut(image, lattice)
            turns, lead = self._order_turns(cut.cells)
            turns = turns if lead < _SAFE_LEAD else turns[:1]
            looks = [self._look(cut, turn) for turn in turns]
        return max(looks, key=_bound_likelihood).probabilities

    def shows_killer(self, image: Image8, lattice: Points, clock: StageClock) -> bool:
        """Tell whether a board is a killer, which has few digits or none.

        Args:
            image: (H, W, 3) BGR uint8.
            lattice: (10, 10, 2) float32 in pixels of `image`, turned any way.
            clock: where the stages' seconds are added.
        """
        with clock.stage("read"):
            return self._see_killer(image, lattice, _cut(image, lattice)) is not None

    def look_closer(
        self, image: Image8, reading: BoardReading, clock: StageClock, patience: Patience
    ) -> BoardReading:
        """Return what more looks make of a board, or the same reading where they are of no use.

        Args:
            image: (H, W, 3) BGR uint8.
            reading: what `glance` made of it.
            clock: where the stages' seconds are added.
            patience: of the photo.
        """
        is_spent = reading.decoding.nodes >= patience.choose_limits(is_first_look=True).nodes
        if (
            not self._looks_again
            or reading.is_final
            or not reading.is_told
            or not patience.allows_closer_look
            or (is_spent and not self._is_patient)
            or not is_worth_another_look(reading.probabilities, reading.decoding)
        ):
            return reading
        second = look_again(self._readers, image, reading.lattice, patience, clock, reading.traits)
        patience.note_closer_look(is_solved=second.is_solved)
        return _replace_look(reading, second) if second.is_solved else reading

    def _confirm(
        self, image: Image8, reading: BoardReading, clock: StageClock, patience: Patience
    ) -> BoardReading:
        """Return what more looks make of a claim: they must bear it out."""
        second = look_again(self._readers, image, reading.lattice, patience, clock, reading.traits)
        if not second.bears_out(reading.decoding):
            return replace(reading, decoding=withdraw_claim(reading.decoding), is_final=True)
        return _replace_look(reading, second) if second.is_solved else reading

    def read_upright(
        self, image: Image8, lattice: Points, fuse: Fuse, clock: StageClock
    ) -> BoardReading:
        """Read a board that is known to lie upright, together with what was seen of it before.

        Args:
            image: (H, W, 3) BGR uint8.
            lattice: (n + 1, n + 1, 2) float32 in pixels of `image`, [0, 0] the puzzle's own top
                left.
            fuse: takes what is seen now, (n², 19) float32, and returns what is to be decoded.
            clock: where the stages' seconds are added.
        """
        with clock.stage("read"):
            cut = _cut(image, lattice)
            killer = self._see_killer(image, lattice, cut)
        if killer is not None:
            return self._finish_killer(lattice, cut, killer, clock, Patience(self._limits))
        with clock.stage("read"):
            look = self._look(cut, 0)
        patience = Patience(self._limits)
        return self._finish(image, lattice, look, clock=clock, patience=patience, fuse=fuse)

    def _see_killer(self, image: Image8, lattice: Points, cut: _Cut) -> KillerLook | None:
        return None if self._killers is None else self._killers.read(image, lattice, cut.flat)

    def _finish_killer(
        self,
        lattice: Points,
        cut: _Cut,
        killer: KillerLook,
        clock: StageClock,
        patience: Patience,
    ) -> BoardReading:
        with clock.stage("read"):
            board = np.ascontiguousarray(np.rot90(cut.board, killer.turn))
            cells = turn_cells(cut.flat, killer.turn)
            seen = self._reader.read(blank_cages(cells, killer.has_sum))
            look = _Look(killer.turn, 1.0, board, cells, seen)
        with clock.stage("decode"):
            filled = decode_killer(killer, look.probabilities, patience.choose_limits())
            patience.note(filled)
        traits = BoardTraits(killer.rules, cages=killer.cages)
        return _as_reading(turn_lattice(lattice, killer.turn), look, filled, traits, is_final=True)

    def _look(self, cut: _Cut, turn: int) -> _Look:
        upright = np.ascontiguousarray(np.rot90(cut.board, turn))
        cells = turn_cells(cut.cells, turn)
        return _Look(turn, cut.zoom, upright, cells, self._reader.read(cells))

    def _finish(
        self,
        image: Image8,
        lattice: Points,
        look: _Look,
        *,
        clock: StageClock,
        patience: Patience,
        is_first_look: bool = False,
        fuse: Fuse | None = None,
    ) -> BoardReading:
        upright = turn_lattice(lattice, look.turn)
        with clock.stage("read"):
            traits = self._tell_traits(image, upright, look)
            cells, probabilities = look.cells, look.probabilities
            if traits.is_crossed:
                cells = erase_diagonals(cells, is_dark=traits.is_dark)
                probabilities = self._reader.read(cells)
            if fuse is not None:
                probabilities = fuse(probabilities)
        with clock.stage("decode"):
            limits = patience.choose_limits(is_first_look=is_first_look)
            filled = _decode(probabilities, limits, traits.rules)
            patience.note(filled)
        seen = look._replace(cells=cells, probabilities=probabilities)
        return _as_reading(upright, seen, filled, traits)

    def _tell_traits(self, image: Image8, upright: Points, look: _Look) -> BoardTraits:
        rules = self._tell_rules(BoardView(look.board, image, upright))
        if rules is None or rules.kind is not Kind.DIAGONAL or not has_drawn_diagonals(look.board):
            return BoardTraits(rules, look.zoom)
        return BoardTraits(rules, look.zoom, is_crossed=True, is_dark=is_dark(look.board))

    def _order_turns(self, cells: Image8) -> tuple[list[int], float]:
        """Order the quarter turns by a vote of the cells with most contrast.

        They nearly always hold digits, and a digit that lies on its side looks like none.

        Returns:
            The turns, likeliest first, and by how much the first leads the second in mean
            log likelihood a cell.
        """
        contrast = cells[:, 6:-6, 6:-6].reshape(len(cells), -1).std(axis=1)
        sample = cells[np.argsort(-contrast)[:_SAMPLE]]
        turned = np.concatenate([np.rot90(sample, turn, axes=(1, 2)) for turn in range(_TURNS)])
        probabilities = self._reader.read(np.ascontiguousarray(turned))
        digit = (probabilities[:, 1:10] + probabilities[:, 10:]).max(axis=1)
        # Dirt that is surely empty in every turn must not vote.
        likelihood = np.log(np.maximum(digit, probabilities[:, 0]) + _FLOOR)
        means = likelihood.reshape(_TURNS, -1).mean(axis=1)
        order = np.argsort(-means, kind="stable").tolist()
        return order, float(means[order[0]] - means[order[1]])


def _cut(image: Image8, lattice: Points) -> _Cut:
    board = rectify(image, lattice)
    cells = cut_cells(board)
    zoom = choose_zoom(cells)
    large = cells if zoom == 1 else cut_middles(image, lattice, zoom)
    return _Cut(zoom, board, cells, large)


def _as_reading(
    upright: Points,
    look: _Look,
    filled: FilledDecoding,
    traits: BoardTraits,
    *,
    is_final: bool = False,
) -> BoardReading:
    return BoardReading(
        lattice=upright,
        board=look.board,
        cells=look.cells,
        probabilities=look.probabilities,
        decoding=filled.decoding,
        entries=filled.entries,
        basis=filled.basis,
        is_final=is_final,
        traits=traits,
    )


def _decode(probabilities: Float32, limits: DecodeLimits, rules: Rules | None) -> FilledDecoding:
    side = math.isqrt(len(probabilities))
    if rules is not None or side == _CLASSIC_SIDE:
        return decode_filled(probabilities, limits, rules)
    # Boxes that are not seen are not assumed: it may be no Sudoku.
    filled = decode_filled(probabilities, limits, box_rules(side))
    return replace(filled, decoding=withdraw_claim(filled.decoding))


def _replace_look(reading: BoardReading, second: SecondLook) -> BoardReading:
    return replace(
        reading,
        probabilities=second.probabilities,
        decoding=second.filled.decoding,
        entries=second.filled.entries,
        basis=second.filled.basis,
        is_final=True,
    )


def _bound_likelihood(look: _Look) -> float:
    """Return the most log likelihood that a decoding of this look can have, handwriting or not."""
    probabilities = look.probabilities
    of_digits = (probabilities[:, 1:10] + probabilities[:, HANDWRITTEN]).max(axis=1)
    without_hand = probabilities[:, 0] + probabilities[:, HANDWRITTEN].sum(axis=1)
    return float(np.log(np.maximum(of_digits, without_hand)).sum())


def _can_win(look: _Look, readings: Sequence[BoardReading]) -> bool:
    """Tell whether a look, once decoded, could come before the solved readings so far.

    Decoding is fast where it succeeds and slow where it fails, as it does on most wrong turns.
    """
    solved = [
        reading.decoding.log_likelihood
        for reading in readings
        if reading.decoding.outcome is DecodeOutcome.SOLVED
    ]
    return not solved or _bound_likelihood(look) > max(solved)
