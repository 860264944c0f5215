"""Boards that someone wrote on: the printed digits are the puzzle, what is written is an entry.

The print is decoded first, and alone. A reader is never sure who wrote a digit, so the kind of a
doubtful one is decided together with the digits: to take a digit as written costs what the reader
gives away by it, and another solution that such a change leads to is a rival as any other.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

import numpy as np

from solver.decoding.clue_searches import (
    has_several_solutions,
    has_solution,
    weigh_open_readings,
)
from solver.decoding.decode import (
    DecodeLimits,
    DecodeOutcome,
    Decoding,
    clear_places,
    decode_clues,
    expect_misreadings,
    solves_alike,
    withdraw_claim,
)
from solver.decoding.print_and_hand import (
    ERROR_RATE,
    HANDWRITTEN,
    LEAST_DOUBT,
    PRINTED,
    distinguishes_hands,
    doubt_handwriting,
    find_handwritten,
    free_handwriting,
    is_written_on,
    lacks_print,
    merge_print_and_handwriting,
    remove_handwriting,
)
from solver.decoding.readings import RivalPenalty
from solver.grid import FEWEST_CLUES, Floats, Grid
from solver.rules import Rules

_LEAST_SHARE: Final = 0.05
"""Share of a digit's probability that must be handwriting for it to be left out of the clues.

Below it the digit is print, and print that contradicts itself is a misprint or misread.
"""

_MAX_ENTRY_LOSS: Final = 3.5
"""Nats that a reading of all digits of a printed board may give away: those of one entry left out
and little more.

Where several entries are wrong, the true solution is as far away as made-up ones that leave others
out, and a made-up one may be met first.
"""

_MAX_AGREED_LOSS: Final = 7.0
"""Nats that such a reading may give away where the print says the same: those of two entries left
out and little more."""

_BY_HAND: Final[dict[str, Any]] = {
    "floor": 1e-5,
    "max_cell_loss": 8.0,
    "max_loss": 8.0,
    "gap": 5.0,
    "open_gap": 2.0,
}
"""`DecodeLimits` of boards by hand, all of whose digits are clues. Digits are misread for sure more
often there, but two readers have seen each. `python -m training.evaluate written`, also with
`--level 3`, `--mistake` and `--hidden`, measures them."""

_BY_HAND_LEFT_OUT: Final[dict[str, Any]] = {"max_loss": 14.0, "max_cell_loss": 6.0}
"""`DecodeLimits` of boards by hand of which some digits are left out; the solution must stand
without any one of the others, as on a full board. There the digit of the solution and each other
one are weighed alone, so that one that is left out costs 5 nats. `python -m training.evaluate
written --full`, also with `--mistake`, measures both."""

_LEAST_WITNESSES: Final = 6
_WITNESSES_A_LIE: Final = 8
"""Entries that must bear out a solution of doubtful print: so many, and so many for each one that
contradicts it. An entry agrees with a made-up solution by chance one time in nine, and with one
that differs from the true one in few cells nearly always: so these only come on top."""

_CONTRADICTED: Final = 1.5
"""Nats that an entry speaks against a rival that it contradicts: three of them outweigh
`DecodeLimits.gap`. Far fewer than by the rate of wrong entries (5 nats), because those that follow
from one mistake are wrong together."""

_FEW_WRITTEN: Final = 2
"""As many clues that seem written are rather misjudged print, on a board that is mostly printed."""

_SURELY_WRITTEN: Final = 0.9
"""Share of handwriting from which a digit is an entry beyond doubt, once it was compared with its
like (`models.alike_digits.tell_kinds`)."""

_MOSTLY_PRINTED: Final = 12
"""Printed clues from which a board is a printed one that someone wrote on."""

_DEFAULT_LIMITS: Final = DecodeLimits()


class Basis(enum.Enum):
    """What a solution rests on."""

    PRINT = "print"
    """The printed digits alone."""

    ALL = "all"
    """All digits but those left out, because the printed ones are too few or not told apart."""


@dataclass(frozen=True, eq=False)
class FilledDecoding:
    """What a reading came to, with what someone wrote kept apart.

    Attributes:
        decoding: its clues are what the solution rests on; `corrected` names only cells whose
            digit was read anew, not those whose kind was.
        entries: (n, n) uint8, the likeliest digit where something written is no clue.
        basis: what the clues are.
    """

    decoding: Decoding
    entries: Grid
    basis: Basis


def exceeds_error_budget(probabilities: Floats, max_expected_errors: float) -> bool:
    """Tell whether too many cells must be misread, of all and of the printed ones.

    What is written by hand may be illegible as long as the print is not.

    Args:
        probabilities: (n², 19) float, as `decode_clues` takes it.
        max_expected_errors: expected number of misread cells, of 81, above which there is no hope.
    """
    most = max_expected_errors * len(probabilities) / 81
    doubts = (merge_print_and_handwriting(probabilities), remove_handwriting(probabilities))
    return min(map(expect_misreadings, doubts)) > most


def decode_filled(
    probabilities: Floats,
    limits: DecodeLimits = _DEFAULT_LIMITS,
    rules: Rules | None = None,
) -> FilledDecoding:
    """Return the likeliest printed clues, and all digits together where print does not suffice.

    Args:
        probabilities: (n², 19) float, as `decode_clues` takes it.
        limits: how far to go, the same for print alone and for all digits.
        rules: of the puzzle; None for the classic ones of side 9.

    Raises:
        ValueError: for another shape, or rows that are no probabilities.
    """
    probabilities = clear_places(probabilities, rules)
    filled = _decode_apart(probabilities, limits, rules)
    is_solved = filled.decoding.outcome is DecodeOutcome.SOLVED
    is_misread = is_solved and (
        _is_rather_misread(filled, probabilities, limits, rules)
        or _is_solved_as_seen(filled, probabilities, rules)
    )
    told = _unread(filled) if is_misread else filled
    # What is no digit of the puzzle is no entry either.
    is_digit = told.entries <= (9 if rules is None else rules.side)
    return replace(told, entries=np.where(is_digit, told.entries, 0).astype(np.uint8))


def _decode_apart(
    probabilities: Floats, limits: DecodeLimits, rules: Rules | None
) -> FilledDecoding:
    """Return the likeliest printed clues, and all digits together where print does not suffice."""
    # Where not even the digits can be told, nothing can be won by asking who wrote them.
    if exceeds_error_budget(probabilities, limits.max_expected_errors) or not is_written_on(
        probabilities
    ):
        decoding = decode_clues(probabilities, limits, rules=rules)
        return FilledDecoding(decoding, np.zeros_like(decoding.clues), Basis.PRINT)
    print_alone = _decode_print(probabilities, limits, rules)
    is_solved = print_alone.decoding.outcome is DecodeOutcome.SOLVED
    if is_solved and count_entries(print_alone)[1] == 0:
        return print_alone
    if not is_solved and lacks_print(probabilities):
        by_hand = _decode_by_hand(probabilities, limits, rules)
        if by_hand is not None:
            return by_hand
    all_digits = _decode_all(probabilities, limits, rules)
    told = _reconcile(print_alone, all_digits, probabilities, rules)
    # A search that spent its nodes is lost: another one would spend them, too.
    is_lost = print_alone.decoding.nodes >= limits.nodes
    if is_solved or is_lost or all_digits.decoding.outcome is DecodeOutcome.SOLVED:
        return told
    return _decode_agreed(probabilities, limits, rules) or told


def _decode_by_hand(
    probabilities: Floats, limits: DecodeLimits, rules: Rules | None
) -> FilledDecoding | None:
    """Return the solution of a puzzle by hand, all digits being clues; None if none is sure."""
    decoding = decode_clues(probabilities, replace(limits, **_BY_HAND), rules=rules)
    if decoding.outcome is not DecodeOutcome.SOLVED:
        return None
    told = _separate_entries(probabilities, decoding, Basis.ALL)
    seen = merge_print_and_handwriting(probabilities).argmax(axis=1)
    is_left_out = (decoding.clues.ravel() == 0) & (seen > 0)
    return (
        told
        if not is_left_out.any() or _is_robust_to_one_entry(told, probabilities, rules)
        else None
    )


def _reconcile(
    print_alone: FilledDecoding,
    all_digits: FilledDecoding,
    probabilities: Floats,
    rules: Rules | None,
) -> FilledDecoding:
    """Return which of two decodings stands, without its claim where the other speaks against it."""
    are_solved = [one.decoding.outcome is DecodeOutcome.SOLVED for one in (print_alone, all_digits)]
    if not any(are_solved):
        return _explain_failure(print_alone, all_digits)
    if all(are_solved):
        is_alike = solves_alike(print_alone.decoding, all_digits.decoding)
        return print_alone if is_alike else _unread(all_digits)
    if are_solved[0]:
        return print_alone if _is_credible(print_alone) else _unread(all_digits)
    stands = _is_robust_to_one_entry(all_digits, probabilities, rules)
    return all_digits if stands else _unread(all_digits)


def _decode_print(
    probabilities: Floats, limits: DecodeLimits, rules: Rules | None
) -> FilledDecoding:
    """Return what the print alone says."""
    # A digit whose kind is changed is not one that was misread, so those are counted apart, and
    # doubt about kinds is no doubt about digits.
    free = replace(limits, max_corrected=81, max_expected_errors=81)
    rival_penalty = _ask_entries(probabilities)
    seen = merge_print_and_handwriting(probabilities)
    freed = free_handwriting(probabilities)
    decoding = decode_clues(freed, free, rival_penalty=rival_penalty, seen=seen, rules=rules)
    print_alone = _separate_entries(probabilities, decoding, Basis.PRINT)
    if decoding.outcome is not DecodeOutcome.SOLVED:
        return print_alone
    is_misread_often = len(print_alone.decoding.corrected) > limits.max_corrected
    share = probabilities[:, HANDWRITTEN].sum(axis=1)
    is_sure_print = share < _LEAST_SHARE * (1 - probabilities[:, 0])
    frees_print = bool((is_sure_print & (print_alone.entries.ravel() > 0)).any())
    return _unread(print_alone) if is_misread_often or frees_print else print_alone


def _ask_entries(probabilities: Floats) -> RivalPenalty:
    """Return how much the entries speak against a solution.

    Each counts by the chance that it is one, and that it was read right.
    """
    written = probabilities[:, HANDWRITTEN]
    digits = written.argmax(axis=1) + 1
    weights = _CONTRADICTED * written.max(axis=1)

    def rival_penalty(solution: Sequence[int]) -> float:
        return float(weights[digits != np.asarray(solution)].sum())

    return rival_penalty


def _decode_all(probabilities: Floats, limits: DecodeLimits, rules: Rules | None) -> FilledDecoding:
    """Return what all digits together say, of which few written ones may be left out."""
    few, error_rate = replace(limits, max_loss=_MAX_ENTRY_LOSS), ERROR_RATE
    if lacks_print(probabilities):
        few = replace(limits, **_BY_HAND_LEFT_OUT)
        error_rate = ERROR_RATE / 8
    doubted = doubt_handwriting(probabilities, error_rate)
    decoding = decode_clues(
        doubted, few, seen=merge_print_and_handwriting(probabilities), rules=rules
    )
    return _separate_entries(probabilities, decoding, Basis.ALL)


def _decode_agreed(
    probabilities: Floats, limits: DecodeLimits, rules: Rules | None
) -> FilledDecoding | None:
    """Return the likeliest reading of the print if the entries bear it out, None if not.

    In a bad photo neither may decide by itself: the print has rivals, and of all digits more than
    one must be left out. Where the likeliest solution of the print is also the only one that all
    digits come near to, either is evidence for the other.
    """
    likeliest = _decode_print(probabilities, replace(limits, gap=0.0), rules)
    if likeliest.decoding.outcome is not DecodeOutcome.SOLVED:
        return None
    if not _has_witnesses(likeliest):
        return None
    wide = replace(limits, max_loss=_MAX_AGREED_LOSS, max_expected_errors=81)
    seen = merge_print_and_handwriting(probabilities)
    all_digits = decode_clues(doubt_handwriting(probabilities), wide, seen=seen, rules=rules)
    if not solves_alike(all_digits, likeliest.decoding):
        return None
    told = replace(likeliest.decoding, confidence=all_digits.confidence)
    return replace(likeliest, decoding=told)


def _separate_entries(probabilities: Floats, decoding: Decoding, basis: Basis) -> FilledDecoding:
    """Tell entries from clues that were misread, in a decoding that may leave digits out."""
    of_values = merge_print_and_handwriting(probabilities)
    seen, clues = of_values.argmax(axis=1), decoding.clues.ravel()
    written = probabilities[:, HANDWRITTEN].sum(axis=1)
    written += LEAST_DOUBT * probabilities[:, PRINTED].sum(axis=1)
    is_phantom = of_values[:, 0] > written
    is_entry = (clues == 0) & (seen > 0) & ~is_phantom
    entries = np.where(is_entry, seen, 0).astype(np.uint8).reshape(decoding.clues.shape)
    corrected = np.flatnonzero((clues != seen) & ~is_entry)
    told = replace(
        decoding,
        corrected=tuple(corrected.tolist()),
        handwritten=find_handwritten(probabilities) & (clues > 0),
    )
    return FilledDecoding(told, entries, basis)


def count_entries(filled: FilledDecoding) -> tuple[int, int]:
    """Return how many entries a solved decoding bears out, and how many it contradicts."""
    is_entry = filled.entries > 0
    is_right = filled.entries == filled.decoding.solution
    return int((is_entry & is_right).sum()), int((is_entry & ~is_right).sum())


def _has_witnesses(filled: FilledDecoding) -> bool:
    """Tell whether enough entries bear a solved decoding out."""
    right, wrong = count_entries(filled)
    return right >= max(_LEAST_WITNESSES, _WITNESSES_A_LIE * wrong)


def _is_credible(filled: FilledDecoding) -> bool:
    """Tell whether print alone may stand against entries that contradict it.

    They may all be wrong where the print is read without a doubt. Where some digit's kind or
    content was changed for it, most entries must bear the solution out, as on every board that a
    person filled in; the entries to a made-up solution are right one time in nine.
    """
    right, wrong = count_entries(filled)
    return filled.decoding.loss == 0 or right >= wrong


def _is_rather_misread(
    filled: FilledDecoding,
    probabilities: Floats,
    limits: DecodeLimits,
    rules: Rules | None,
) -> bool:
    """Tell whether an entry that contradicts a solution is rather print beside a misread clue.

    The solution has the entry written, and wrong. If it is print, another digit was misread, and
    what the print leaves then may have several solutions.
    """
    side = 9 if rules is None else rules.side
    seen = merge_print_and_handwriting(probabilities)
    clues = filled.decoding.clues.ravel()
    entries = filled.entries.ravel()
    is_wrong = (entries > 0) & (entries != np.asarray(filled.decoding.solution).ravel())
    for cell in np.flatnonzero(is_wrong).tolist():
        digit = int(entries[cell])
        printed, written = probabilities[cell, [digit, digit + 9]].tolist()
        weight = 1.0  # of a digit that the puzzle does not have: it was misread itself
        if digit <= side:
            with_it = clues.copy()
            with_it[cell] = digit
            beside = weigh_open_readings(seen, with_it.tolist(), limits.max_cell_loss, rules)
            weight = sum(beside)
        if weight * printed > ERROR_RATE * written:
            return True
    return False


def _is_solved_as_seen(filled: FilledDecoding, probabilities: Floats, rules: Rules | None) -> bool:
    """Tell whether corrected clues have a solution, or may have, as the digits they look like.

    The print alone may rule digits out that look written, and they may be print all the same. Two
    that were exchanged contradict the others each, so all combinations are tried.
    """
    if filled.basis is not Basis.PRINT or not distinguishes_hands(probabilities):
        return False  # what digits look like was weighed there
    side = 9 if rules is None else rules.side
    looks = merge_print_and_handwriting(probabilities).argmax(axis=1)
    clues = filled.decoding.clues.ravel()
    corrected = [
        cell for cell in filled.decoding.corrected if clues[cell] > 0 and 0 < looks[cell] <= side
    ]
    for count in range(1, len(corrected) + 1):
        for cells in map(list, combinations(corrected, count)):
            as_seen = clues.copy()
            as_seen[cells] = looks[cells]
            if has_solution(as_seen.tolist(), rules):
                return True
    return False


def _explain_failure(print_alone: FilledDecoding, all_digits: FilledDecoding) -> FilledDecoding:
    """Say why nothing was solved: entries that contradict each other say nothing of the print."""
    is_contradictory = all_digits.decoding.outcome is DecodeOutcome.NO_SOLUTION
    is_told_apart = int((print_alone.decoding.clues > 0).sum()) >= FEWEST_CLUES
    return print_alone if is_contradictory and is_told_apart else all_digits


def _unread(filled: FilledDecoding) -> FilledDecoding:
    """Return the decoding without its claim: print and entries speak for different solutions."""
    return replace(filled, decoding=withdraw_claim(filled.decoding))


def _is_robust_to_one_entry(
    filled: FilledDecoding, probabilities: Floats, rules: Rules | None
) -> bool:
    """Tell whether a solution that rests on entries too would stand without any one of them.

    On a printed board print alone should suffice. If a printed clue was not seen, an entry that is
    wrong can take its place and single out another solution. On a board by hand that is
    no puzzle unless a digit is left out, any other may be the wrong one instead.
    """
    clues = filled.decoding.clues.ravel()
    filled_share = np.maximum(1 - merge_print_and_handwriting(probabilities)[:, 0], 1e-9)
    share = probabilities[:, HANDWRITTEN].sum(axis=1) / filled_share
    is_written = (clues > 0) & (share > _SURELY_WRITTEN)
    is_printed = (clues > 0) & ~is_written
    if lacks_print(probabilities):
        is_written = clues > 0
    elif is_written.sum() <= _FEW_WRITTEN or is_printed.sum() < _MOSTLY_PRINTED:
        return True
    for cell in np.flatnonzero(is_written):
        without = clues.copy()
        without[cell] = 0
        if has_several_solutions(without.tolist(), rules):
            return False
    return True
