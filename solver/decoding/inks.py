"""Boards whose entries are in another ink than their clues, as programs show them.

The digits of each ink are decoded alone, as if they were the clues. What the ink tells is no proof,
as a board may have clues of two colours, so the entries have to bear the solution out.
"""

from typing import Final

import numpy as np

from solver.decoding.clue_searches import (
    find_only_solution,
    has_several_solutions,
    has_solution,
)
from solver.decoding.decode import DecodeLimits, DecodeOutcome, decode_clues, solves_alike
from solver.decoding.handwriting import Basis, FilledDecoding, count_entries
from solver.decoding.print_and_hand import merge_print_and_handwriting
from solver.grid import Floats, Integers
from solver.rules import Rules

_LEAST_RIGHT: Final = 4
_RIGHT_A_MISTAKE: Final = 3
"""Entries that bear the solution of the clues out, at least, and for each that contradicts it. Of
3,972 boards of side 9 with entries, most with mistakes, 55 % are solved so; with 6 and 8, 26 % of
17,296. Where one clue was misread, with the true digit second likeliest, 2 of 2,052 were claimed
wrongly (one-off, simulated)."""


def decode_by_ink(
    probabilities: Floats,
    inks: Integers,
    limits: DecodeLimits,
    rules: Rules | None = None,
) -> FilledDecoding | None:
    """Return the solution of the clues alone, or None where it may be another.

    Args:
        probabilities: (n², 19) or (n², 10) float, as `decode_clues` takes it.
        inks: (n²,) the number of each digit's ink, -1 where there is none.
        limits: how far to go.
        rules: of the puzzle; None for the classic ones of side 9.
    """
    of_values = merge_print_and_handwriting(probabilities)
    found = [_decode_ink(of_values, inks, ink, limits, rules) for ink in range(inks.max() + 1)]
    claims = [filled for filled in found if filled is not None]
    if not all(solves_alike(claim.decoding, claims[0].decoding) for claim in claims):
        return None
    return claims[0] if claims else None


def _decode_ink(
    of_values: Floats, inks: Integers, ink: int, limits: DecodeLimits, rules: Rules | None
) -> FilledDecoding | None:
    """Return the solution of the digits in one ink, or None where these may not be the clues."""
    is_entry = (inks >= 0) & (inks != ink)
    clues_alone = of_values.copy()
    clues_alone[is_entry] = np.eye(of_values.shape[1])[0]
    decoding = decode_clues(clues_alone, limits, rules=rules)
    if decoding.outcome is not DecodeOutcome.SOLVED or decoding.corrected:
        return None
    digits = of_values.argmax(axis=1)
    # What is no digit of the puzzle is no entry either.
    is_entry &= digits <= (9 if rules is None else rules.side)
    entries = np.where(is_entry, digits, 0).astype(np.uint8)
    filled = FilledDecoding(decoding, entries.reshape(decoding.clues.shape), Basis.PRINT)
    right, wrong = count_entries(filled)
    if right < max(_LEAST_RIGHT, _RIGHT_A_MISTAKE * wrong):
        return None
    if wrong == 0:
        return filled
    # Else clues and entries may have changed places: a program may print the clues in any ink.
    is_against = (filled.entries > 0) & (filled.entries != decoding.solution)
    against = np.unique(inks[is_against.ravel()])
    for others in (is_entry, *(is_entry & (inks == other) for other in against)):
        entered = np.where(others, entries, 0).tolist()
        if has_solution(entered, rules) and not has_several_solutions(entered, rules):
            return None
    return None if _may_be_misread(filled, of_values, rules) else filled


def _may_be_misread(filled: FilledDecoding, of_values: Floats, rules: Rules | None) -> bool:
    """Tell whether one misread clue would explain what the entries contradict.

    Either another digit there agrees with all entries. Or the second likeliest contradicts no more
    of them than the clue: the player may have made mistakes on top.
    """
    side = 9 if rules is None else rules.side
    clues = filled.decoding.clues.ravel()
    entries = filled.entries.ravel()
    _, wrong = count_entries(filled)
    for cell in np.flatnonzero(clues):
        emptied = clues + entries
        emptied[cell] = 0
        if has_solution(emptied.tolist(), rules):
            return True
        changed = clues.copy()
        changed[cell] = _find_second(of_values[cell, : side + 1], clues[cell])
        solution = find_only_solution(changed.tolist(), rules)
        if solution is not None:
            is_against = (entries > 0) & (entries != np.array(solution))
            if is_against.sum() <= wrong:
                return True
    return False


def _find_second(likelihoods: Floats, first: int) -> int:
    """Return the likeliest digit of a cell beside another; 0 is empty."""
    others = likelihoods.copy()
    others[[0, first]] = -1
    return int(others.argmax())
