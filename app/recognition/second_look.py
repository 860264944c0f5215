"""Looks again, and harder, at a board that one look leaves unsure.

Several looks of two networks are joined, and what they leave open is compared with the print that
they are sure of. It takes some twenty times as long as a first look, so that only doubtful boards
get it.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from app.recognition.kinds.puzzle_kind import PLAIN, BoardTraits
from app.recognition.search_budget import Patience
from app.recognition.timing import StageClock
from models.board_templates import match_templates
from models.digits import merge_kinds
from models.reader import Reader
from solver.decoding.decode import (
    DecodeLimits,
    DecodeOutcome,
    Decoding,
    expect_misreadings,
    join_hands,
    remove_handwriting,
    solves_alike,
)
from solver.decoding.handwriting import FilledDecoding, decode_filled, find_handwritten, is_hopeless
from solver.rules import Rules
from vision.board import cut_cells, cut_middles, move_lattice, rectify
from vision.kinds.drawn_diagonals import erase_diagonals

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]
Float32 = npt.NDArray[np.float32]

_NUDGE: Final = 0.05
"""Cells by which a lattice is moved for another look: what is unsure by chance changes with it."""

_NUDGES: Final = ((0.0, 0.0), (_NUDGE, 0.0), (-_NUDGE, 0.0), (0.0, _NUDGE), (0.0, -_NUDGE))
"""Right and down."""

_LOOKS_WEIGHT: Final = 1.4
"""How much more ten looks of two networks say than one of them.

They are partly independent, so that the mean of their logarithms is too cautious; but they share
the noise of one picture. On 205 rendered photos, half of them of level 5 and half in noise, blur,
near-dark or 260 pixels, the mean of −log(probability of the true content) is 0.143 by one look,
0.149 with a weight of 1, and 0.125 with 1.4 and 1.6; on those of level 5 0.070, 0.064, 0.046 and
0.045.
"""

_DIGIT_OF_CLASS: Final = np.array([*range(10), *range(1, 10)])
"""Of the nineteen classes: empty, printed 1–9, handwritten 1–9."""

_MAX_CONTRADICTED: Final = 0.25
"""Share of the entries that may contradict what is claimed after another look.

Of photos so bad, right solutions had up to 0.15 of them against them (entries misread, most of
them), and the two wrong ones that were met in trials 0.37 and 0.49.
"""

_FEW_CONTRADICTED: Final = 2
"""As many may in any case: on a board that nobody wrote on, dirt that is taken for an entry is all
that there is of them."""

_MAX_DOUBT: Final = 14.0
"""Expected number of misread cells above which looking again is in vain."""

_LEGIBLE: Final = 1.0
_MANY_NODES: Final = 200
"""Cells expected to be misread up to which templates have nothing left to tell, if so long a search
says that the digits contradict each other."""

_LEAST_PROBABILITY: Final = 1e-6
"""Of a class in one look, before the looks are multiplied."""


class SecondLook(NamedTuple):
    """What came of looking again.

    Attributes:
        probabilities: (n², 19) float32, of all looks together.
        filled: the most likely clues that the rules allow.
    """

    probabilities: Float32
    filled: FilledDecoding

    @property
    def is_solved(self) -> bool:
        """Tell whether the board is solved, and few of its entries say otherwise."""
        is_solved = self.filled.decoding.outcome is DecodeOutcome.SOLVED
        return is_solved and not _is_contradicted(self.filled)

    def bears_out(self, claim: Decoding) -> bool:
        """Tell whether the looks come to the solution of a claim, or leave it open at least.

        They do not if they come to another, if they are illegible, if another content of one of
        its clues is likelier, or if they show surely print that its solution contradicts.
        """
        if self.is_solved:
            return solves_alike(self.filled.decoding, claim)
        if claim.solution is None or is_illegible(self.probabilities):
            return False
        clues, solution = claim.clues.ravel(), claim.solution.ravel()
        of_values = join_hands(self.probabilities)
        seen = of_values.argmax(axis=1)
        is_sure_print = of_values.max(axis=1) >= DecodeLimits.sure
        is_sure_print &= (seen > 0) & ~find_handwritten(self.probabilities)
        differs = np.where(clues > 0, seen != clues, is_sure_print & (seen != solution))
        return not differs.any()


def is_worth_another_look(probabilities: Float32, decoding: Decoding) -> bool:
    """Tell whether a board that was read once may be solved by looking again.

    Illegible handwriting is no hindrance, as the print may do without it.

    Args:
        probabilities: (n², 19) float32 of the first look.
        decoding: what came of it.
    """
    if decoding.outcome is not DecodeOutcome.UNREADABLE:
        return False
    return not is_illegible(probabilities)


def is_doubtful_claim(probabilities: Float32, decoding: Decoding) -> bool:
    """Tell whether a claim from one look rests on a cell that it did not show for sure.

    Such a look may be wrong in more than that, and nine others are asked. An illegible entry is
    no such cell: that it is none of the print is sure.

    Args:
        probabilities: (n², 19) float32 of the look.
        decoding: what came of it.
    """
    if decoding.outcome is not DecodeOutcome.SOLVED:
        return False
    certainty = np.maximum(
        join_hands(probabilities).max(axis=1), remove_handwriting(probabilities).max(axis=1)
    )
    return bool((certainty < DecodeLimits.sure).any())


def is_illegible(probabilities: Float32) -> bool:
    """Tell whether so many cells are in doubt that no look can help.

    Args:
        probabilities: (n², 19) float32 of the first look.
    """
    return is_hopeless(probabilities, _MAX_DOUBT)


def look_again(
    readers: tuple[Reader, Reader | None],
    image: Image8,
    lattice: Points,
    patience: Patience,
    clock: StageClock,
    traits: BoardTraits = PLAIN,
) -> SecondLook:
    """Return what several looks at an unsure board say together.

    The lattice is moved a little, and each look taken with and without the noise of single pixels.
    Looks are multiplied, so that what one of them rules out stays out. What they leave unsure is
    compared with the print that they are sure of.

    Args:
        readers: of the cells: the usual one, and one that gives a second opinion on their digits.
        image: (H, W, 3) BGR uint8.
        lattice: (n + 1, n + 1, 2) float32 in pixels of `image`, [0, 0] the puzzle's own top left.
        patience: of the photo.
        clock: where the stages' seconds are added.
        traits: of the board.
    """
    with clock.stage("read"):
        moved = [move_lattice(lattice, *nudge) for nudge in _NUDGES]
        cells = np.stack(
            [
                _cut_cells(image, one, traits, is_denoised=is_denoised)
                for is_denoised in (False, True)
                for one in moved
            ]
        )
        joined = _read_jointly(readers, cells)
    second = _decode(joined, patience, clock, traits.rules)
    is_spent = second.filled.decoding.nodes >= _MANY_NODES
    is_legible = expect_misreadings(join_hands(joined)) <= _LEGIBLE
    if second.is_solved or (is_spent and is_legible):
        return second
    with clock.stage("read"):
        unmoved = cells[:: len(_NUDGES)]
        matched = match_templates(unmoved, joined)
    third = _decode(matched, patience, clock, traits.rules)
    return third if third.is_solved else second


def _cut_cells(image: Image8, lattice: Points, traits: BoardTraits, *, is_denoised: bool) -> Image8:
    if traits.zoom == 1:
        cells = cut_cells(rectify(image, lattice, is_denoised=is_denoised))
    else:
        cells = cut_middles(image, lattice, traits.zoom, is_denoised=is_denoised)
    return erase_diagonals(cells, is_dark=traits.is_dark) if traits.is_crossed else cells


def _read_jointly(readers: tuple[Reader, Reader | None], cells: Image8) -> Float32:
    """Return the probabilities of all looks and readers together, (n², 19) float32.

    Args:
        readers: as `look_again` takes them.
        cells: (k, n², 32, 32) uint8, k looks at a board.
    """
    reader, small_print = readers
    flat = cells.reshape(-1, *cells.shape[2:])
    logs = _mean_log(reader.read(flat), len(cells))
    if small_print is not None:
        digits = _mean_log(merge_kinds(small_print.read(flat)), len(cells))
        # It has no say in who wrote a digit, so both kinds of it gain or lose alike.
        digits = digits[:, _DIGIT_OF_CLASS]
        logs = np.asarray((logs + digits) / 2, np.float32)
    joined = np.exp(_LOOKS_WEIGHT * logs)
    return np.asarray(joined / joined.sum(axis=1, keepdims=True), np.float32)


def _mean_log(seen: Float32, looks: int) -> Float32:
    """Return the mean logarithm of each cell's classes, (n², classes) float32."""
    parted = seen.reshape(looks, len(seen) // looks, -1)
    logs: Float32 = np.log(np.maximum(parted, _LEAST_PROBABILITY))
    return np.asarray(logs.mean(axis=0), np.float32)


def _decode(
    probabilities: Float32, patience: Patience, clock: StageClock, rules: Rules | None
) -> SecondLook:
    with clock.stage("decode"):
        filled = decode_filled(probabilities, patience.choose_limits(), rules)
        patience.note(filled)
    return SecondLook(probabilities, filled)


def _is_contradicted(filled: FilledDecoding) -> bool:
    """Tell whether too many of the entries contradict the solution of a board."""
    is_entry = filled.entries > 0
    is_against = is_entry & (filled.entries != filled.decoding.solution)
    most = max(_MAX_CONTRADICTED * is_entry.sum(), _FEW_CONTRADICTED)
    return bool(is_against.sum() > most)
