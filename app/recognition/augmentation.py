"""Test-time augmentation: a board that one look leaves unsure is read again, and harder.

Several looks of two networks are joined, and what they leave open is compared with the print that
they are sure of. It takes some ten times as long as a first look, so that only doubtful boards
get it.
"""

import math
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from app.recognition.kinds.puzzle_kind import PLAIN, BoardTraits
from app.recognition.readers import CellReaders, Seen
from app.recognition.timing import StageClock
from models.alike_digits import match_templates
from solver.decoding.decode import (
    DecodeLimits,
    DecodeOutcome,
    Decoding,
    solves_alike,
    withdraw_claim,
)
from solver.decoding.handwriting import FilledDecoding, decode_filled, exceeds_error_budget
from solver.decoding.print_and_hand import (
    distinguishes_hands,
    find_handwritten,
    lacks_print,
    merge_print_and_handwriting,
    remove_handwriting,
)
from solver.rules import Rules, box_rules
from vision.board import CLASSIC_SIDE, cut_cells, move_lattice, rectify
from vision.digit_size import cut_digits
from vision.geometry import Float32, Image8, Points
from vision.kinds.drawn_lines import erase_diagonals
from vision.written_digits import cut_written

_JITTER: Final = 0.05
"""Cells by which a lattice is moved for another look: what is unsure by chance changes with it."""

_JITTERS: Final = ((0.0, 0.0), (_JITTER, 0.0), (-_JITTER, 0.0), (0.0, _JITTER), (0.0, -_JITTER))
"""Right and down."""

_MAX_CONTRADICTED: Final = 0.25
"""Share of the entries that may contradict what is claimed after another look.

Of photos so bad, right solutions had up to 0.15 of them against them (entries misread, most of
them), and the two wrong ones that were met in trials 0.37 and 0.49.
"""

_FEW_CONTRADICTED: Final = 2
"""As many may in any case: on a board that nobody wrote on, dirt that is taken for an entry is all
that there is of them."""

_MAX_EXPECTED_ERRORS: Final = 14.0
"""Expected number of misread cells above which looking again is in vain."""


class AugmentedReading(NamedTuple):
    """What came of looking again.

    Attributes:
        seen: what all looks together show.
        filled: the most likely clues that the rules allow.
    """

    seen: Seen
    filled: FilledDecoding

    @property
    def is_solved(self) -> bool:
        """Tell whether the board is solved, and few of its entries say otherwise."""
        is_solved = self.filled.decoding.outcome is DecodeOutcome.SOLVED
        return is_solved and not _is_contradicted(self.filled)

    def bears_out(self, claim: Decoding) -> bool:
        """Tell whether the looks come to the solution of a claim, or leave it open at least.

        They do not if they come to another, if they are illegible, if another content of one of
        its clues is likelier, or if they show surely print that its solution contradicts. On a
        board by hand they must come to the solution themselves.
        """
        if self.is_solved:
            return solves_alike(self.filled.decoding, claim)
        probabilities = self.seen.probabilities
        if claim.solution is None or not self.seen.is_told or is_illegible(probabilities):
            return False
        if lacks_print(probabilities):  # the first look did not ask the reader of hands
            return False
        clues, solution = claim.clues.ravel(), claim.solution.ravel()
        of_values = merge_print_and_handwriting(probabilities)
        seen = of_values.argmax(axis=1)
        is_sure_print = of_values.max(axis=1) >= DecodeLimits.sure
        is_sure_print &= (seen > 0) & ~find_handwritten(probabilities)
        differs = np.where(clues > 0, seen != clues, is_sure_print & (seen != solution))
        return not differs.any()


def is_worth_another_look(probabilities: Float32, decoding: Decoding) -> bool:
    """Tell whether a board that was read once may be solved by looking again.

    Illegible handwriting is no hindrance, as the print may do without it. On a board of many cells
    the rules may find fault with one that was misread, though all others are sure; and on one that
    is written by hand, other readers are asked.

    Args:
        probabilities: (n², 19) or (n², n + 1) float32 of the first look.
        decoding: what came of it.
    """
    if decoding.outcome is DecodeOutcome.SOLVED or is_illegible(probabilities):
        return False
    if decoding.outcome is DecodeOutcome.UNREADABLE or lacks_print(probabilities):
        return True
    is_doubtful = bool((probabilities.max(axis=1) < DecodeLimits.sure).any())
    return is_doubtful and not distinguishes_hands(probabilities)


def is_doubtful_claim(probabilities: Float32, decoding: Decoding) -> bool:
    """Tell whether a claim from one look rests on a cell that it did not show for sure.

    Such a look may be wrong in more than that, and nine others are asked. An illegible entry is
    no such cell: that it is none of the print is sure. On a board by hand the reader of hands is
    always asked, as the first one takes scribbles for digits.

    Args:
        probabilities: (n², 19) float32 of the look.
        decoding: what came of it.
    """
    if decoding.outcome is not DecodeOutcome.SOLVED:
        return False
    if lacks_print(probabilities):
        return True
    certainty = merge_print_and_handwriting(probabilities).max(axis=1)
    if distinguishes_hands(probabilities):
        certainty = np.maximum(certainty, remove_handwriting(probabilities).max(axis=1))
    return bool((certainty < DecodeLimits.sure).any())


def is_illegible(probabilities: Float32) -> bool:
    """Tell whether so many cells are in doubt that no look can help.

    Args:
        probabilities: (n², 19) float32 of the first look.
    """
    return exceeds_error_budget(probabilities, _MAX_EXPECTED_ERRORS)


def read_augmented(
    readers: CellReaders,
    image: Image8,
    lattice: Points,
    limits: DecodeLimits,
    clock: StageClock,
    traits: BoardTraits = PLAIN,
) -> AugmentedReading:
    """Return what several looks at an unsure board say together.

    The lattice is moved a little, and each look taken with and without the noise of single pixels.
    What they leave unsure together is compared with the print that they are sure of, but not on a
    board by hand, where no two digits are alike.

    Args:
        readers: of the cells.
        image: (H, W, 3) BGR uint8.
        lattice: (n + 1, n + 1, 2) float32 in pixels of `image`, [0, 0] the puzzle's own top left.
        limits: of the decoder.
        clock: where the stages' seconds are added.
        traits: of the board.
    """
    with clock.stage("read"):
        moved = [move_lattice(lattice, *jitter) for jitter in _JITTERS]
        cells = np.stack(
            [
                _cut_cells(image, one, traits, is_denoised=is_denoised)
                for is_denoised in (False, True)
                for one in moved
            ]
        )
        n_values = len(lattice) - 1 if traits.rules is None else traits.rules.side

        cut = partial(cut_written, image, lattice)
        seen = readers.see_jointly(cells, n_values, cut)
    with clock.stage("decode"):
        second = AugmentedReading(seen, decode_seen(seen, limits, traits.rules))
    if second.is_solved or not seen.is_told or lacks_print(seen.probabilities):
        return second
    with clock.stage("read"):
        matched = match_templates(cells[:: len(_JITTERS)], seen.probabilities)
        seen = seen._replace(probabilities=matched)
    with clock.stage("decode"):
        third = AugmentedReading(seen, decode_seen(seen, limits, traits.rules))
    return third if third.is_solved else second


def _cut_cells(image: Image8, lattice: Points, traits: BoardTraits, *, is_denoised: bool) -> Image8:
    if traits.placed.is_usual:
        cells = cut_cells(rectify(image, lattice, is_denoised=is_denoised))
    else:
        cells = cut_digits(image, lattice, traits.placed, is_denoised=is_denoised)
    return erase_diagonals(cells, is_dark=traits.is_dark) if traits.is_crossed else cells


def decode_seen(seen: Seen, limits: DecodeLimits, rules: Rules | None) -> FilledDecoding:
    """Return the most likely clues that the rules allow; a claim only if all is told for sure.

    Args:
        seen: of the cells.
        limits: of the decoder.
        rules: of the board; None for the classic ones, or where a board of another side than 9
            does not show its own.
    """
    side = math.isqrt(len(seen.probabilities))
    is_told = seen.is_told and (rules is not None or side == CLASSIC_SIDE)
    if rules is None and side != CLASSIC_SIDE:
        rules = box_rules(side)
    filled = decode_filled(seen.probabilities, limits, rules)
    # Boxes that are not seen are not assumed, as it may be no Sudoku; nor is what symbols mean.
    return filled if is_told else replace(filled, decoding=withdraw_claim(filled.decoding))


def _is_contradicted(filled: FilledDecoding) -> bool:
    """Tell whether too many of the entries contradict the solution of a board."""
    is_entry = filled.entries > 0
    is_against = is_entry & (filled.entries != filled.decoding.solution)
    most = max(_MAX_CONTRADICTED * is_entry.sum(), _FEW_CONTRADICTED)
    return bool(is_against.sum() > most)
