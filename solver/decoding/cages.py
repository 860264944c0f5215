"""From what a reader saw of a killer to its cages and their sums, as far as these are sure.

Sums of cages that cover the board add up to what its rows do. So one doubtful sum follows from
the others; of two nothing follows. Whether the puzzle could then be solved is never asked.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from solver.decoding.cage_walls import Cells, decode_walls
from solver.rules import Cage

Floats = npt.NDArray[np.floating]

_FLOOR: Final = 2e-5
"""Least likelihood of a sum, of all that a cage can have."""

_SURE: Final = 0.95
"""Posterior of the sums together, among all that have the same total, for them to be claimed. Of
207 drawn boards that the network had not learnt from, all 59 with so much were read right; with 0.9
one of some 100 was not, whose puzzle had no solution."""

_MOST_CORRECTED: Final = 1
"""Sums that the total may overrule: it says one number."""


@dataclass(frozen=True)
class CageDecoding:
    """What the cages of a board came to.

    Attributes:
        cages: with their sums; empty where they are not told for sure.
        confidence: 0..1, of the sums; 0 where nothing is told.
        corrected: first cells of the cages whose sum is not the likeliest one by itself.
        doubtful: first cells of cages whose sums were not read for sure.
        likely: where no cages are told, those that a person can correct: each with the sum that is
            the likeliest by itself. They need not fit together.
    """

    cages: tuple[Cage, ...] = ()
    confidence: float = 0.0
    corrected: Cells = ()
    doubtful: Cells = ()
    likely: tuple[Cage, ...] = ()


def decode_cages(sums: Floats, walls: Floats) -> CageDecoding:
    """Return the cages of a killer, none where they are doubtful.

    Args:
        sums: (n², 46) probabilities of no sum, and of each sum.
        walls: (n², 4) probabilities of a wall on the left, top, right and bottom of a cell.
    """
    found = decode_walls(sums, walls)
    decoding = decode_sums(found.cages, sums)
    if found.is_sure:
        return decoding
    return CageDecoding(doubtful=decoding.doubtful, likely=decoding.cages or decoding.likely)


def decode_sums(cages: Sequence[Cells], sums: Floats) -> CageDecoding:
    """Return the likeliest sums of cages that cover a board, if no others come near.

    Args:
        cages: the cells of each, ascending.
        sums: as `decode_cages` takes them.
    """
    side = math.isqrt(len(sums))
    total = side * side * (side + 1) // 2
    logs = np.array([_weigh_totals(len(cells), sums[cells[0]], side) for cells in cages])
    chosen, best = _find_best(logs, total)
    doubtful = tuple(
        cells[0]
        for cells, row in zip(cages, logs, strict=True)
        if np.exp(row.max() - _add_logs(row)) < _SURE
    )
    likely = tuple(Cage(int(row.argmax()), cells) for cells, row in zip(cages, logs, strict=True))
    if chosen is None:
        return CageDecoding(doubtful=doubtful, likely=likely)
    confidence = math.exp(best - _weigh_all(logs, total))
    corrected = tuple(
        cells[0]
        for cells, number in zip(cages, chosen, strict=True)
        if number != int(sums[cells[0], 1:].argmax()) + 1
    )
    if confidence < _SURE or len(corrected) > _MOST_CORRECTED:
        return CageDecoding(doubtful=tuple(sorted({*doubtful, *corrected})), likely=likely)
    told = tuple(Cage(number, cells) for cells, number in zip(cages, chosen, strict=True))
    return CageDecoding(told, confidence, corrected)


def _weigh_totals(n_cells: int, seen: Floats, side: int) -> npt.NDArray[np.float64]:
    """Return the logarithm of each sum's likelihood, from 0; −∞ where no digits add up to it."""
    least, most = n_cells * (n_cells + 1) // 2, n_cells * (2 * side + 1 - n_cells) // 2
    logs = np.full(len(seen), -math.inf)
    # A sum that is not seen may be any.
    shares = seen.astype(np.float64) + float(seen[0]) / (len(seen) - 1)
    logs[least : most + 1] = np.log(np.maximum(shares[least : most + 1], _FLOOR))
    return logs


def _find_best(logs: npt.NDArray[np.float64], total: int) -> tuple[tuple[int, ...] | None, float]:
    """Return the likeliest sums that add up to the total, None if none do, and their likelihood."""
    best = np.full(total + 1, -math.inf)
    best[0] = 0.0
    choices = []
    for row in logs:
        options = _shift(best, row)
        choices.append(options.argmax(axis=0))
        best = options.max(axis=0)
    if not math.isfinite(best[total]):
        return None, -math.inf
    chosen, left = [], total
    for choice in reversed(choices):
        number = int(choice[left])
        chosen.append(number)
        left -= number
    return tuple(reversed(chosen)), float(best[total])


def _weigh_all(logs: npt.NDArray[np.float64], total: int) -> float:
    """Return the logarithm of the likelihood of all sums together that add up to the total."""
    weights = np.full(total + 1, -math.inf)
    weights[0] = 0.0
    for row in logs:
        weights = np.logaddexp.reduce(_shift(weights, row), axis=0)
    return float(weights[total])


def _shift(
    before: npt.NDArray[np.float64], row: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return what each number, (m,), leads to for each sum so far: (m, total + 1)."""
    options = np.full((len(row), len(before)), -math.inf)
    for number in np.flatnonzero(np.isfinite(row)).tolist():
        options[number, number:] = before[: len(before) - number] + row[number]
    return options


def _add_logs(row: npt.NDArray[np.float64]) -> float:
    return float(np.logaddexp.reduce(row))
