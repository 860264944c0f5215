"""Tells which digits are noted in each cell of a board, seen how its player notes.

k cells hold up to nine marks each, of digits 1..n. A set of digits is a sum of 2**digit.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from models.candidate_reader import N_DIGITS, SeenCandidates
from vision.geometry import Float32

_CLEAR: Final = 0.4
"""Likelihood of what is noted in a cell, all digits together, from which it is told. `python -m
training.evaluate candidates` measures this and what is below."""
_ROUNDS: Final = 3
_SURELY_NOTHING: Final = 0.98
_NEVER: Final = 0.002
"""Likelihoods from which a mark is none, and up to which it is not a digit."""
_THIRDS: Final = (0.35, 0.65)
"""Where the middle third of a cell begins and ends, for the middle of a mark."""
_SLIP: Final = 0.03
"""Share of the cells in which a player does not keep an order."""
_BY_CHANCE: Final = 0.35
"""How often a digit is noted that need not be."""
_CORNERS_FIRST: Final = (0, 4, 1, 6, 8, 7, 2, 5, 3)
"""Rank of each of a cell's nine places, row by row, where the corners are filled first."""

_Sets = dict[int, float]
"""Sets of digits, and how likely each is; the likelihoods need not sum to 1."""
_Fits = Callable[[int, int, int], bool]
"""Takes the digits before a mark, as a set, the mark's digit, and its place of nine."""


def choose_sets(
    seen: SeenCandidates,
    likely: Float32,
    allowed: npt.NDArray[np.bool_],
    right: npt.NDArray[np.uint8] | None,
) -> npt.NDArray[np.uint16]:
    """Return the likeliest set of each cell, (k,).

    Whether the player notes what the clues rule out, in which order, and the right digit always:
    all follows from the whole board, and weighs what is seen in each cell.

    Args:
        seen: of k cells.
        likely: (k,), how likely the cells hold candidates.
        allowed: (k, n), which digits the clues leave.
        right: (k,), the digits of the solution; None where there is none.

    Returns:
        0 where no set is as likely as most others together.
    """
    marks = _weigh_allowed(seen.marks, allowed, likely)
    sets = _weigh_order(marks, seen.middles, likely)
    if right is not None:
        sets = _weigh_right(sets, right, likely)
    return np.array([_choose_set(of_cell) for of_cell in sets], np.uint16)


def _weigh_allowed(marks: Float32, allowed: npt.NDArray[np.bool_], likely: Float32) -> Float32:
    """Return what marks are, seen the picture and what the clues leave.

    Most players note nothing that the clues rule out, some do. How often this one does follows
    from all cells together, and weighs what is seen in each ("expectation maximisation").

    Args:
        marks: (k, 9, 10) of the network.
        allowed: (k, n), what the clues leave.
        likely: (k,), how likely the cells hold candidates.

    Returns:
        (k, 9, n + 1).
    """
    side = allowed.shape[1]
    marks = marks[..., : side + 1]
    weights = np.broadcast_to(likely[:, None], allowed.shape)
    weighed = marks
    for _ in range(_ROUNDS):
        noted = (1 - np.prod(1 - weighed[..., 1:], axis=1)) * weights
        usual = np.ones(allowed.shape)
        for is_one in (allowed, ~allowed):
            usual[is_one] = (noted[is_one].sum() + 0.5) / (weights[is_one].sum() + 1)
        weighed = marks.copy()
        weighed[..., 1:] *= (usual / max(noted.sum() / weights.sum(), 1e-6))[:, None]
        weighed /= np.maximum(weighed.sum(axis=2, keepdims=True), 1e-9)
    return weighed


def _weigh_order(marks: Float32, middles: Float32, likely: Float32) -> list[_Sets]:
    """Return the sets of digits that each cell may hold, seen where its marks stand.

    A player may give each digit its own place of nine, or let digits ascend: as one reads, or the
    corners first. A set counts more where its digits would rarely stand so by chance.

    Args:
        marks: (k, 9, n + 1).
        middles: (k, 9, 2), x and y in a cell.
        likely: (k,).
    """
    side = marks.shape[2] - 1
    thirds = np.digitize(middles, _THIRDS)
    places = 3 * thirds[..., 1] + thirds[..., 0]
    as_read = np.argsort(thirds[..., 1] + middles[..., 0] / 2, axis=1)
    corners_first = np.argsort(np.array(_CORNERS_FIRST)[places], axis=1, kind="stable")
    habits: list[tuple[npt.NDArray[np.intp], _Fits, Callable[[int], int]]] = [
        (as_read, _is_any, lambda _: 1),
        (as_read, _ascends, math.factorial),
        (corners_first, _ascends, math.factorial),
    ]
    if side == N_DIGITS:
        habits.append((as_read, _is_own, lambda count: math.perm(side, count)))
    free, *kept = [
        [
            {noted: weight * ways(noted.bit_count()) for noted, weight in sets.items()}
            for sets in (
                _list_sets(of_cell[order], standing[order], fits)
                for of_cell, standing, order in zip(marks, places, orders, strict=True)
            )
        ]
        for orders, fits, ways in habits
    ]
    free = [sets or {0: 1.0} for sets in free]  # where two marks are surely one digit
    totals = np.array([sum(sets.values()) for sets in free])
    shares = [np.array([sum(sets.values()) for sets in of_habit]) / totals for of_habit in kept]
    odds = np.array([0.0] + [likely @ np.log((1 - _SLIP) * one + _SLIP) for one in shares])
    chances = np.exp(odds - odds.max())
    chances *= (1 - _SLIP) / chances.sum()
    chances[0] += _SLIP
    return [
        {
            noted: sum(
                chance * sets.get(noted, 0.0)
                for chance, sets in zip(chances.tolist(), of_cell, strict=True)
            )
            for noted in of_cell[0]
        }
        for of_cell in zip(free, *kept, strict=True)
    ]


def _is_any(_noted: int, _digit: int, _place: int) -> bool:
    return True


def _ascends(noted: int, digit: int, _place: int) -> bool:
    return 1 << digit > noted


def _is_own(_noted: int, digit: int, place: int) -> bool:
    return digit == place + 1


def _list_sets(marks: Float32, places: npt.NDArray[np.intp], fits: _Fits) -> _Sets:
    """Return the sets that marks of a cell, one after the other, may be; each digit once.

    Args:
        marks: (9, n + 1), what each mark is.
        places: (9,), where it stands, of nine.
        fits: whether a digit may be there.
    """
    sets = {0: 1.0}
    for place, mark in zip(places.tolist(), marks.tolist(), strict=True):
        if mark[0] > _SURELY_NOTHING:
            continue
        grown: _Sets = {}
        for noted, weight in sets.items():
            for digit, chance in enumerate(mark):
                bit = 1 << digit if digit else 0
                if chance <= _NEVER or noted & bit or (digit and not fits(noted, digit, place)):
                    continue
                grown[noted | bit] = grown.get(noted | bit, 0.0) + weight * chance
        sets = grown
    return sets


def _weigh_right(
    sets: Sequence[_Sets], right: npt.NDArray[np.uint8], likely: Float32
) -> list[_Sets]:
    """Return sets, weighed by how often this player notes the right digit.

    Args:
        sets: of k cells.
        right: (k,), the digits of the solution.
        likely: (k,).
    """
    has_right = np.array([
        sum(weight for noted, weight in of_cell.items() if noted >> digit & 1)
        / sum(of_cell.values())
        for of_cell, digit in zip(sets, right.tolist(), strict=True)
    ])  # fmt: skip
    usual = 1 - _SLIP
    for _ in range(_ROUNDS):
        with_right = has_right * usual / _BY_CHANCE
        without = (1 - has_right) * (1 - usual) / (1 - _BY_CHANCE)
        usual = (likely @ (with_right / (with_right + without)) + 1) / (likely.sum() + 2)
    factors = (1 - usual) / (1 - _BY_CHANCE), usual / _BY_CHANCE
    return [
        {noted: weight * factors[noted >> digit & 1] for noted, weight in of_cell.items()}
        for of_cell, digit in zip(sets, right.tolist(), strict=True)
    ]


def _choose_set(sets: _Sets) -> int:
    """Return the likeliest set; 0 where it is not as likely as most others together."""
    best = max(sets, key=sets.__getitem__, default=0)
    return best if sets and sets[best] >= _CLEAR * sum(sets.values()) else 0
