"""From what a reader saw of a killer to its cages and their sums, as far as these are sure.

Sums of cages must suit the rule of 45 in every band of rows or columns and every block of boxes. So
doubtful sums follow from the others. Whether the puzzle could then be solved is never asked.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.decoding.cage_walls import COVER_GAP, Cells, decode_walls, least_sum, most_sum
from solver.rules import Cage, usual_boxes

Floats = npt.NDArray[np.floating]
Logs = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer]
Reading = tuple[float, tuple[int, ...]]
"""Nats against the likeliest sum of each cage by itself, and the sums."""

_FLOOR: Final = 2e-5
"""Least likelihood of a sum, of all that a cage can have."""

_UNSEEN: Final = 0.1
"""Likelihood, where a reader sees no sum at all, that it says nothing of which sum is there."""

_SURE: Final = 0.98
"""Posterior of the sums together, among all that the rule of 45 allows, for them to be claimed."""

_BEHIND: Final = 8.0
"""Nats behind the likeliest sums up to which others count beside them."""

_MOST_LOSS: Final = 40.0
"""Nats that sums may give away against the likeliest of each cage by itself."""

_MOST_OF_SUM: Final = 8.0
"""The same of each sum: what is sharply printed is a misprint rather than misread. Of 5,549 sums of
165 rendered killers of levels 1 to 4 none gave away so much, and of sharp ones every other sum
mostly does (one-off)."""

_MOST_STEPS: Final = 8_000
"""Of the search; where they do not do, too much is doubtful."""

_MOST_COVERS: Final = 8
"""Covers of a board whose sums are asked which of them are likely; to ask takes up to 0.2 s."""

_HEAVY: Final = 1 << 20
"""More than any load."""


@dataclass(frozen=True)
class CageDecoding:
    """What the cages of a board came to.

    Attributes:
        cages: with their sums; empty where they are not told for sure.
        confidence: 0..1, of the sums; 0 where nothing is told.
        corrected: first cells of the cages, or of the sure ones, whose sum is not the likeliest one
            by itself.
        doubtful: first cells of cages whose sums were not read for sure.
        likely: where no cages are told, those that a person can correct: each with the sum that is
            the likeliest by itself. They need not fit together.
        sure: where no cages are told, those that are all the same. What they leave but one
            solution for is solved, if it suits `likely` or one of `others`.
        others: where walls are doubtful, what `likely` may be instead, the likeliest first.
    """

    cages: tuple[Cage, ...] = ()
    confidence: float = 0.0
    corrected: Cells = ()
    doubtful: Cells = ()
    likely: tuple[Cage, ...] = ()
    sure: tuple[Cage, ...] = ()
    others: tuple[tuple[Cage, ...], ...] = ()


class _Reach(NamedTuple):
    """What the sums of cages put into blocks of cells whose digits have a known total.

    Attributes:
        loads: (k, m, b) of each sum of each cage; first what it puts in at least, then, below
            zero, at most.
        caps: (b,) what the loads of all cages together are at most.
    """

    loads: Ints
    caps: Ints


def decode_cages(sums: Floats, walls: Floats) -> CageDecoding:
    """Return the cages of a killer, none where they are doubtful.

    Args:
        sums: (n², 46) probabilities of no sum, and of each sum.
        walls: (n², 4) probabilities of a wall on the left, top, right and bottom of a cell.
    """
    found = decode_walls(sums, walls)
    if not found.cages:
        return CageDecoding()
    covers = _weigh_covers(found.covers, sums)
    if len(covers) == 1:
        return decode_sums(covers[0], sums)
    cages, *others = covers or [found.cages]
    decoding = decode_sums(cages, sums)
    sure = [cells for cells in cages if covers and all(cells in other for other in others)]
    told = decode_sums(sure, sums) if sure else CageDecoding()
    seen = [_weigh_sums(cover, sums) for cover in others]
    doubtful = {*decoding.doubtful, *decoding.corrected}
    doubtful.update(*map(_find_doubtful, others, seen))
    return replace(
        told,
        cages=(),
        doubtful=tuple(sorted(doubtful)),
        likely=decoding.cages or decoding.likely,
        sure=told.cages or told.sure,
        others=tuple(map(_take_likeliest, others, seen)),
    )


def _weigh_covers(
    covers: Sequence[tuple[float, Sequence[Cells]]], sums: Floats
) -> list[Sequence[Cells]]:
    """Return the covers that are likely also for what the rule of 45 makes of their sums."""
    if len(covers) <= 1:
        return [cover for _, cover in covers]
    # What was not weighed may lose anything: it ousts no other, and is ousted by its walls alone.
    least = [loss for loss, _ in covers]
    most = [math.inf] * len(covers)
    for at, (loss, cover) in enumerate(covers[:_MOST_COVERS]):
        of_sums = _find_loss(cover, sums)
        if of_sums is not None:
            least[at] = most[at] = loss + of_sums
    return [
        covers[at][1]
        for at in np.argsort(least, kind="stable").tolist()
        if least[at] < min(most) + COVER_GAP
    ]


def _find_loss(cages: Sequence[Cells], sums: Floats) -> float | None:
    """Return the nats that cages lose if their sums suit the rule of 45; None if that is open."""
    readings = _read_sums(cages, _weigh_sums(cages, sums), math.isqrt(len(sums)))
    if readings is None:
        return None
    return min((loss for loss, _ in readings), default=_MOST_LOSS)


def decode_sums(cages: Sequence[Cells], sums: Floats) -> CageDecoding:
    """Return the likeliest sums of cages, if no others come near.

    Args:
        cages: the cells of each, ascending; one at least.
        sums: as `decode_cages` takes them.
    """
    seen = _weigh_sums(cages, sums)
    doubtful = _find_doubtful(cages, seen)
    unsure = CageDecoding(doubtful=doubtful, likely=_take_likeliest(cages, seen))
    # What is printed counts also where no digits of the cage add up to it.
    printed = np.log(np.maximum(sums[[cells[0] for cells in cages], 1:].max(axis=1), _FLOOR))
    possible = seen >= np.maximum(seen.max(axis=1), printed)[:, None] - _MOST_OF_SUM
    readings = _read_sums(cages, np.where(possible, seen, -math.inf), math.isqrt(len(sums)))
    if readings:
        return _claim_sums(cages, sums, readings, unsure)
    clear = [cells for cells in cages if cells[0] not in doubtful]
    if readings is not None or not 0 < len(clear) < len(cages):
        return unsure
    # Too many doubts: the other cages may be sure by themselves.
    told = decode_sums(clear, sums)
    sure = told.cages or told.sure
    return replace(told, cages=(), doubtful=doubtful, likely=unsure.likely, sure=sure)


def _claim_sums(
    cages: Sequence[Cells], sums: Floats, readings: Sequence[Reading], unsure: CageDecoding
) -> CageDecoding:
    """Return the likeliest sums, without the least sure ones until the others are sure together.

    Args:
        cages: the cells of each.
        sums: as `decode_cages` takes them.
        readings: one at least.
        unsure: what is told where no sum is sure.
    """
    _, totals = min(readings)
    order, confidences = _rank_sums(readings)
    is_sure = confidences >= _SURE
    n_open = int(np.argmax(is_sure)) if is_sure[-1] else len(order)
    sure = tuple(Cage(totals[at], cages[at]) for at in sorted(order[n_open:].tolist()))
    corrected = tuple(
        cells[0]
        for cells, total in zip(cages, totals, strict=True)
        if total != int(sums[cells[0], 1:].argmax()) + 1
    )
    if n_open == 0:
        return CageDecoding(sure, float(confidences[0]), corrected)
    firsts = {cage.cells[0] for cage in sure}
    return replace(
        unsure,
        confidence=float(confidences[n_open]) if sure else 0.0,
        corrected=tuple(cell for cell in corrected if cell in firsts),
        doubtful=tuple(sorted({*unsure.doubtful, *corrected})),
        sure=sure,
    )


def _rank_sums(readings: Sequence[Reading]) -> tuple[Ints, Floats]:
    """Return the cages, (k,), the one with the least sure sum first, and posteriors, (k,).

    A posterior is that of the likeliest sums of the cage at its place and all after it together.
    """
    best, totals = min(readings)
    weights = np.array([math.exp(best - loss) for loss, _ in readings])
    agrees = np.array([one for _, one in readings]) == totals
    order = np.argsort(weights @ agrees, kind="stable")
    shares = [agrees[:, order[count:]].all(axis=1) @ weights for count in range(len(order))]
    return order, np.array(shares) / weights.sum()


def _take_likeliest(cages: Sequence[Cells], seen: Logs) -> tuple[Cage, ...]:
    """Return the cages with the sums that are the likeliest by themselves."""
    return tuple(Cage(int(row.argmax()), cells) for cells, row in zip(cages, seen, strict=True))


def _find_doubtful(cages: Sequence[Cells], seen: Logs) -> Cells:
    """Return the first cells of cages whose sum is not sure by itself."""
    return tuple(
        cells[0]
        for cells, row in zip(cages, seen, strict=True)
        if np.exp(row.max() - np.logaddexp.reduce(row)) < _SURE
    )


def _weigh_sums(cages: Sequence[Cells], sums: Floats) -> Logs:
    """Return what `_weigh_totals` does for each cage, (k, 46)."""
    side = math.isqrt(len(sums))
    return np.array([_weigh_totals(len(cells), sums[cells[0]], side) for cells in cages])


def _weigh_totals(n_cells: int, seen: Floats, side: int) -> Logs:
    """Return the logarithm of each sum's likelihood, from 0; −∞ where no digits add up to it."""
    least, most = least_sum(n_cells), most_sum(n_cells, side)
    logs = np.full(len(seen), -math.inf)
    # A sum that is not seen may be any.
    shares = seen.astype(np.float64) + _UNSEEN * float(seen[0]) / (len(seen) - 1)
    logs[least : most + 1] = np.log(np.maximum(shares[least : most + 1], _FLOOR))
    return logs


def _find_reach(cages: Sequence[Cells], n_totals: int, side: int) -> _Reach:
    """Return what sums put into the blocks of a board, each of which is asked twice.

    First by the parts of cages that lie in it: the digits of a cage differ. Then by the cells that
    are left beside the cages that lie in it as a whole: the digits of a unit differ.
    """
    blocks, units = _list_blocks(side)
    totals = np.arange(n_totals)
    is_left = blocks.copy()
    loads = []
    for cells in cages:
        within = blocks[:, cells].sum(axis=1)
        shares = np.array(
            [_share(part, len(cells), totals, side) for part in range(len(cells) + 1)]
        )
        low, high = shares[within].transpose(1, 2, 0)
        whole = np.where(within == len(cells), totals[:, None], 0)
        loads.append(np.concatenate([low, -high, whole, -whole], axis=1))
        is_left[np.ix_(within == len(cells), cells)] = False
    full = blocks.sum(axis=1) // side * least_sum(side)
    outside = np.ones(blocks.shape[1], np.bool_)
    outside[[cell for cells in cages for cell in cells]] = False
    uncaged = _bound_cells(blocks & outside, units, side)
    left = _bound_cells(is_left, units, side)
    caps = [full - uncaged[0], uncaged[1] - full, full - left[0], left[1] - full]
    return _Reach(np.array(loads, np.int32), np.concatenate(caps))


def _bound_cells(parts: npt.NDArray[np.bool_], units: Ints, side: int) -> tuple[Ints, Ints]:
    """Return what the cells of each part, (b, n²), add up to at least and at most.

    The digits of a unit differ, of which `units`, (b, n²), names one for each cell.
    """
    counts = [np.bincount(row[part]) for row, part in zip(units, parts, strict=True)]
    least = np.array([least_sum(some).sum() for some in counts], np.int64)
    return least, np.array([most_sum(some, side).sum() for some in counts], np.int64)


def _share(part: int, count: int, totals: Ints, side: int) -> tuple[Ints, Ints]:
    """Return the least and the most that so many cells of a cage have of its sum."""
    rest = count - part
    least = np.maximum(least_sum(part), totals - most_sum(rest, side))
    return least, np.minimum(most_sum(part, side), totals - least_sum(rest))


@cache
def _list_blocks(side: int) -> tuple[npt.NDArray[np.bool_], Ints]:
    """Return blocks of rows, of columns and of boxes, (b, n²), and the unit of each cell there."""
    boxes = usual_boxes(side)
    row, column = (axis.ravel() for axis in np.indices((side, side)))
    across, down = column // boxes.box_columns, row // boxes.box_rows

    def span(unit: Ints) -> list[npt.NDArray[np.bool_]]:
        last = int(unit.max())
        return [
            (unit >= first) & (unit <= end)
            for first in range(last + 1)
            for end in range(first, last + 1)
        ]

    of_boxes = [wide & high for wide in span(across) for high in span(down)]
    blocks = [(row, span(row)), (column, span(column)), (across * side + down, of_boxes)]
    units = np.repeat([unit for unit, _ in blocks], [len(some) for _, some in blocks], axis=0)
    return np.concatenate([some for _, some in blocks]), units


def _strike(logs: Logs, reach: _Reach) -> Logs | None:
    """Return the likelihoods without sums that no sums of the others suit; None if none is left."""
    logs = logs.copy()
    while True:
        is_open = np.isfinite(logs)
        if not is_open.any(axis=1).all():
            return None
        least = _least_loads(is_open, reach)
        suits = least.sum(axis=0) - least[:, None] + reach.loads <= reach.caps
        struck = is_open & ~suits.all(axis=2)
        if not struck.any():
            return logs
        logs[struck] = -math.inf


def _least_loads(is_open: npt.NDArray[np.bool_], reach: _Reach) -> Ints:
    """Return what each cage loads on each block at least, (k, b), whichever open sum it has."""
    return np.asarray(np.where(is_open[:, :, None], reach.loads, _HEAVY).min(axis=1), np.int32)


def _read_sums(cages: Sequence[Cells], seen: Logs, side: int) -> list[Reading] | None:
    """Return the likeliest sums that suit all blocks, and those that come near, with their loss.

    None where there are too many to tell; no reading where all are too unlikely.

    Args:
        cages: the cells of each.
        seen: (k, 46) as `_weigh_sums` returns it.
        side: of the board.
    """
    reach = _find_reach(cages, seen.shape[1], side)
    logs = _strike(seen, reach)
    if logs is None:
        return []
    losses = logs.max(axis=1, keepdims=True) - logs
    limit = _BEHIND
    while limit <= _MOST_LOSS:
        readings = _search(losses, reach, limit)
        if readings:
            best = min(loss for loss, _ in readings)
            return _search(losses, reach, best + _BEHIND)
        if readings is None:
            return None
        limit += _BEHIND
    return []


def _search(losses: Logs, reach: _Reach, limit: float) -> list[Reading] | None:
    """Return all sums that suit all blocks and lose no more than the limit; None where too many."""
    is_open = losses <= limit
    # Known sums first; then row by row, so that blocks fill up and rule others out early.
    order = np.argsort(is_open.sum(axis=1) > 1, kind="stable")
    options = [np.flatnonzero(is_open[at]) for at in order]
    ahead = _least_loads(is_open, reach)[order]
    room = reach.caps - (ahead[::-1].cumsum(axis=0)[::-1] - ahead)
    found: list[Reading] = []
    pending: list[tuple[float, Ints, tuple[int, ...]]] = [(0.0, np.zeros_like(reach.caps), ())]
    for _ in range(_MOST_STEPS):
        if not pending:
            return found
        loss, load, chosen = pending.pop()
        step = len(chosen)
        if step == len(order):
            found.append((loss, tuple(int(chosen[at]) for at in np.argsort(order))))
            continue
        numbers = options[step]
        lost = loss + losses[order[step], numbers]
        loads = load + reach.loads[order[step], numbers]
        suits = (lost <= limit) & (loads <= room[step]).all(axis=1)
        for place in np.flatnonzero(suits).tolist():
            pending.append((float(lost[place]), loads[place], (*chosen, int(numbers[place]))))
    return None
