"""Reads a board: which way up it lies, and the most likely clues that the rules allow."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from app.timing import StageClock
from models.board_templates import match_templates
from models.reader import Reader
from solver.decode import (
    HANDWRITTEN,
    DecodeLimits,
    DecodeOutcome,
    Decoding,
    expect_misreadings,
    join_hands,
    rank_decodings,
)
from solver.grid import Grid
from solver.handwriting import Basis, FilledDecoding, decode_filled
from vision.board import cut_cells, move_lattice, rectify, turn_lattice

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]
Float32 = npt.NDArray[np.float32]

Fuse = Callable[[Float32], Float32]
"""Joins the probabilities of one look at a board, (81, 19), with those of earlier ones."""

_TURNS: Final = 4

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


_NUDGE: Final = 0.05
"""Cells by which a lattice is moved for another look: what is unsure by chance changes with it."""

_NUDGES: Final = ((0.0, 0.0), (_NUDGE, 0.0), (-_NUDGE, 0.0), (0.0, _NUDGE), (0.0, -_NUDGE))
"""Right and down."""

_LOOKS_WEIGHT: Final = 1.45
"""How much more ten looks say than one of them.

They are partly independent, so that the mean of their logarithms is too cautious. On 180 rendered
photos of level 5 the mean of −log(probability of the true content) is 0.084 by one look, 0.078 by
the mean of ten, and 0.060 with a weight of 1.45 to 1.6. Of the 32 boards that one look does not
settle, ten looks then settle 14 rightly and none wrongly.
"""

_MAX_CONTRADICTED: Final = 0.25
"""Share of the entries that may contradict what is claimed after another look.

Of photos so bad, right solutions had up to 0.15 of them against them (entries misread, most of
them), and the two wrong ones that were met in trials 0.37 and 0.49.
"""

_MAX_DOUBT_AGAIN: Final = 14.0
"""Expected number of misread cells above which looking again is in vain."""

_LEAST_PROBABILITY: Final = 1e-6
"""Of a class in one look, before the looks are multiplied."""


@dataclass(frozen=True, eq=False)
class BoardReading:
    """What the network saw on a board, and what the rules made of it.

    Attributes:
        lattice: (10, 10, 2) float32, turned so that [0, 0] is the puzzle's own top left.
        board: (256, 256) uint8 grey, the rectified board, upright.
        cells: (81, 32, 32) uint8, cut from it.
        probabilities: (81, 19) float32, as `DigitReader.read` returns them.
        decoding: the most likely clues that the rules allow.
        entries: (9, 9) uint8, handwritten digits that were left out of the clues.
        basis: whether the clues are the print alone.
    """

    lattice: Points
    board: Image8
    cells: Image8
    probabilities: Float32
    decoding: Decoding
    entries: Grid
    basis: Basis


class _Look(NamedTuple):
    """A board seen in one quarter turn, before the rules are asked."""

    turn: int
    board: Image8
    cells: Image8
    probabilities: Float32


class BoardReader:
    """Reads boards with one network, loaded once."""

    def __init__(self, reader: Reader, limits: DecodeLimits, *, looks_again: bool = True) -> None:
        """Take a reader into use.

        Args:
            reader: of the cells.
            limits: of the decoder.
            looks_again: read a board that is not solved once more, with the lattice moved.
        """
        self._reader = reader
        self._limits = limits
        self._looks_again = looks_again

    def read(self, image: Image8, lattice: Points, clock: StageClock) -> BoardReading:
        """Read a board, whichever way it is turned.

        Reading all four turns would cost four times as much, so a sample of cells votes first,
        and the other turns are read only where the winner is not sure.

        Args:
            image: (H, W, 3) BGR uint8.
            lattice: (10, 10, 2) float32 in pixels of `image`, turned any way.
            clock: where the stages' seconds are added.
        """
        with clock.stage("read"):
            board = rectify(image, lattice)
            turns, lead = self._order_turns(cut_cells(board))
            first = self._look(board, turns[0])
        readings = [self._finish(lattice, first, clock)]
        is_sure = readings[0].decoding.confidence >= _SURE
        if lead < _SAFE_LEAD and not (is_sure and lead >= _CLEAR_LEAD):
            with clock.stage("read"):
                looks = [self._look(board, turn) for turn in turns[1:]]
            likeliest = max(_bound_likelihood(look) for look in (first, *looks))
            for look in sorted(looks, key=_bound_likelihood, reverse=True):
                is_far_behind = _bound_likelihood(look) < likeliest - _FAR_BEHIND
                if is_far_behind or not _can_win(look, readings):
                    break
                readings.append(self._finish(lattice, look, clock))
        best = readings[rank_decodings([reading.decoding for reading in readings])[0]]
        is_worth_it = (
            self._looks_again
            and best.decoding.outcome is DecodeOutcome.UNREADABLE
            and best.decoding.nodes < self._limits.nodes
            and expect_misreadings(join_hands(best.probabilities)) <= _MAX_DOUBT_AGAIN
        )
        return self._look_again(image, best, clock) if is_worth_it else best

    def _look_again(self, image: Image8, first: BoardReading, clock: StageClock) -> BoardReading:
        """Return what several looks at an unsure board say together, if that solves it.

        The lattice is moved a little, and each look taken with and without the noise of single
        pixels. Looks are multiplied, so that what one of them rules out stays out. What they leave
        unsure is compared with the print that they are sure of.
        """
        with clock.stage("read"):
            moved = [move_lattice(first.lattice, *nudge) for nudge in _NUDGES]
            boards = [
                rectify(image, lattice, is_denoised=is_denoised)
                for is_denoised in (False, True)
                for lattice in moved
            ]
            cells = np.stack([cut_cells(board) for board in boards])
            seen = self._reader.read(cells.reshape(-1, *cells.shape[2:]))
            looks = seen.reshape(len(boards), 81, -1)
            logs = np.log(np.maximum(looks, _LEAST_PROBABILITY)).mean(axis=0)
            joined = np.exp(_LOOKS_WEIGHT * logs)
            joined = (joined / joined.sum(axis=1, keepdims=True)).astype(np.float32)
        again = self._decode_again(first, joined, clock)
        if again is None:
            with clock.stage("read"):
                unmoved = cells[:: len(_NUDGES)]
                matched = match_templates(unmoved, joined)
            again = self._decode_again(first, matched, clock)
        return again or first

    def _decode_again(
        self, first: BoardReading, probabilities: Float32, clock: StageClock
    ) -> BoardReading | None:
        """Return the reading with other probabilities, None where they solve nothing surely."""
        with clock.stage("decode"):
            filled = decode_filled(probabilities, self._limits)
        if filled.decoding.outcome is not DecodeOutcome.SOLVED or _is_contradicted(filled):
            return None
        return replace(
            first,
            probabilities=probabilities,
            decoding=filled.decoding,
            entries=filled.entries,
            basis=filled.basis,
        )

    def read_upright(
        self, image: Image8, lattice: Points, fuse: Fuse, clock: StageClock
    ) -> BoardReading:
        """Read a board that is known to lie upright, together with what was seen of it before.

        Args:
            image: (H, W, 3) BGR uint8.
            lattice: (10, 10, 2) float32 in pixels of `image`, [0, 0] the puzzle's own top left.
            fuse: takes what is seen now, (81, 19) float32, and returns what is to be decoded.
            clock: where the stages' seconds are added.
        """
        with clock.stage("read"):
            look = self._look(rectify(image, lattice), 0)
            fused = look._replace(probabilities=fuse(look.probabilities))
        return self._finish(lattice, fused, clock)

    def _look(self, board: Image8, turn: int) -> _Look:
        upright = np.ascontiguousarray(np.rot90(board, turn))
        cells = cut_cells(upright)
        return _Look(turn, upright, cells, self._reader.read(cells))

    def _finish(self, lattice: Points, look: _Look, clock: StageClock) -> BoardReading:
        with clock.stage("decode"):
            filled = decode_filled(look.probabilities, self._limits)
        return BoardReading(
            lattice=turn_lattice(lattice, look.turn),
            board=look.board,
            cells=look.cells,
            probabilities=look.probabilities,
            decoding=filled.decoding,
            entries=filled.entries,
            basis=filled.basis,
        )

    def _order_turns(self, cells: Image8) -> tuple[list[int], float]:
        """Order the quarter turns by a vote of the cells with most contrast.

        They nearly always hold digits, and a digit that lies on its side looks like none.

        Returns:
            The turns, likeliest first, and by how much the first leads the second in mean
            log likelihood a cell.
        """
        contrast = cells[:, 6:-6, 6:-6].reshape(81, -1).std(axis=1)
        sample = cells[np.argsort(-contrast)[:_SAMPLE]]
        turned = np.concatenate([np.rot90(sample, turn, axes=(1, 2)) for turn in range(_TURNS)])
        probabilities = self._reader.read(np.ascontiguousarray(turned))
        digit = (probabilities[:, 1:10] + probabilities[:, 10:]).max(axis=1)
        # Dirt that is surely empty in every turn must not vote.
        likelihood = np.log(np.maximum(digit, probabilities[:, 0]) + _FLOOR)
        means = likelihood.reshape(_TURNS, -1).mean(axis=1)
        order = np.argsort(-means, kind="stable").tolist()
        return order, float(means[order[0]] - means[order[1]])


def _is_contradicted(filled: FilledDecoding) -> bool:
    """Tell whether too many of the entries contradict the solution of a board."""
    is_entry = filled.entries > 0
    is_against = is_entry & (filled.entries != filled.decoding.solution)
    return bool(is_against.sum() > _MAX_CONTRADICTED * is_entry.sum())


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
