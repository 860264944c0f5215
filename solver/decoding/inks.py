"""Boards whose entries are in another ink than their clues, as programs show them.

The clues alone are decoded. What the ink tells is no proof, as a board may have clues of two
colours, so the entries have to bear the solution out.
"""

from collections.abc import Sequence

import numpy as np

from solver.decoding.clue_searches import has_several_solutions, has_solution
from solver.decoding.decode import DecodeLimits, DecodeOutcome, decode_clues
from solver.decoding.handwriting import Basis, FilledDecoding, count_entries, has_witnesses
from solver.decoding.print_and_hand import merge_print_and_handwriting
from solver.grid import Booleans, Floats
from solver.rules import Rules


def decode_by_ink(
    probabilities: Floats,
    is_entry: Booleans,
    limits: DecodeLimits,
    rules: Rules | None = None,
) -> FilledDecoding | None:
    """Return the solution of the clues alone, or None where it may be another.

    Args:
        probabilities: (n², 19) or (n², 10) float, as `decode_clues` takes it.
        is_entry: (n²,) bool, cells whose digit has the ink of entries.
        limits: how far to go.
        rules: of the puzzle; None for the classic ones of side 9.
    """
    of_values = merge_print_and_handwriting(probabilities)
    clues_alone = of_values.copy()
    clues_alone[is_entry] = np.eye(of_values.shape[1])[0]
    decoding = decode_clues(clues_alone, limits, rules=rules)
    if decoding.outcome is not DecodeOutcome.SOLVED or decoding.corrected:
        return None
    digits = of_values.argmax(axis=1)
    # What is no digit of the puzzle is no entry either.
    is_entry = is_entry & (digits <= (9 if rules is None else rules.side))
    entries = np.where(is_entry, digits, 0).astype(np.uint8)
    filled = FilledDecoding(decoding, entries.reshape(decoding.clues.shape), Basis.PRINT)
    if not has_witnesses(filled):
        return None
    if count_entries(filled)[1] == 0:
        return filled
    clues, entered = decoding.clues.ravel().tolist(), entries.tolist()
    # Else the two may have changed places: a program may print the clues in the fainter ink.
    is_open = has_several_solutions(entered, rules) or not has_solution(entered, rules)
    return filled if is_open and not _may_be_misread(clues, entered, rules) else None


def _may_be_misread(clues: Sequence[int], entries: Sequence[int], rules: Rules | None) -> bool:
    """Tell whether one clue alone, if it were misread, explains what the entries contradict."""
    digits = [clue or entry for clue, entry in zip(clues, entries, strict=True)]
    return any(
        has_solution([*digits[:cell], 0, *digits[cell + 1 :]], rules)
        for cell, clue in enumerate(clues)
        if clue
    )
