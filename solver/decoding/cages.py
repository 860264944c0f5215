"""From what a reader saw of a killer to its cages and their sums, as far as these are sure.

Sums of cages must suit the rule of 45 in every band of rows or columns and every block of boxes. So
doubtful sums follow from the others. What stays doubtful is settled by the rules as digits are: of
all cages and sums that are likely, one alone must have a solution.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.decoding.cage_readings import Logs, SumReadings
from solver.decoding.cage_walls import COVER_GAP, Cells, decode_walls, least_sum, most_sum
from solver.exact.rule_search import search_rules
from solver.rules import Cage, killer_rules

Floats = npt.NDArray[np.floating]

_FLOOR: Final = 2e-5
"""Least likelihood of a sum, of all that a cage can have."""

_UNSEEN: Final = 0.1
"""Likelihood, where a reader sees no sum at all, that it says nothing of which sum is there."""

_SURE: Final = 0.98
"""Posterior of the cages and sums together, among all that the rules allow, to be claimed."""

_MOST_OF_SUM: Final = 8.0
"""Nats that a sum may give away: what is sharply printed is a misprint rather than misread. Of
5,549 sums of 165 rendered killers of levels 1 to 4 none gave away so much, and of sharp ones every
other sum mostly does (one-off)."""

_MOST_COVERS: Final = 8
"""Covers of a board whose sums are asked which of them are likely; to ask takes up to 0.2 s."""

_STEP: Final = 2.0
"""Nats by which what is likely is widened until something has a solution."""

_MOST_SETTLED: Final = 16.0
"""Nats that cages and sums together may give away to be settled. Of 11 rendered killers of level 4
whose sums were doubtful the true ones gave away 0.5 to 12.6; none of some 4,000 others that the
rule of 45 allows had a solution (one-off)."""

_GAP: Final = 4.0
"""Nats behind what has a solution up to which everything else is tried, too."""

_MOST_TRIED: Final = 400
"""Cages and sums that are tried; each takes 2 ms."""

_MOST_NODES: Final = 200
"""Of the search for their solutions; hardly any takes more than one."""


_Grids = tuple[tuple[int, ...], ...]
"""Solutions, each n² digits."""


class CageCover(NamedTuple):
    """Cages that a board may have.

    Attributes:
        loss: nats that they give away against what was seen of walls, and of where sums stand.
        cages: the cells of each, ascending.
        losses: (k, 46) float64, nats that each sum gives away against the likeliest of its cage; ∞
            where no digits of the cage add up to it.
        beyond: (k,) float64, nats by which another sum is likelier, to which none do.
    """

    loss: float
    cages: tuple[Cells, ...]
    losses: Logs
    beyond: Logs


@dataclass(frozen=True)
class CageDecoding:
    """What the cages of a board came to.

    Attributes:
        cages: with their sums; empty where they are not told for sure.
        confidence: 0..1, of the cages and their sums; 0 where they are not told.
        corrected: first cells of the cages whose sum is not the likeliest one by itself.
        doubtful: first cells of cages whose sums were not read for sure; none where all are told.
        likely: where no cages are told, those that a person can correct: each with the sum that is
            the likeliest by itself. They need not fit together.
        covers: all that are likely, for `settle_cages`.
    """

    cages: tuple[Cage, ...] = ()
    confidence: float = 0.0
    corrected: Cells = ()
    doubtful: Cells = ()
    likely: tuple[Cage, ...] = ()
    covers: tuple[CageCover, ...] = ()


def decode_cages(sums: Floats, walls: Floats) -> CageDecoding:
    """Return the cages of a killer, none where they are doubtful.

    Args:
        sums: (n², 46) probabilities of no sum, and of each sum.
        walls: (n², 4) probabilities of a wall on the left, top, right and bottom of a cell.
    """
    found = decode_walls(sums, walls)
    if not found.cages:
        return CageDecoding()
    side = math.isqrt(len(sums))
    covers = _choose_covers([_weigh_sums(*cover, sums) for cover in found.covers], side)
    likeliest = covers[0] if covers else _weigh_sums(math.inf, found.cages, sums)
    doubtful = {cell for one in covers for cell in _find_doubtful(one)}
    unsure = CageDecoding(
        doubtful=tuple(sorted(doubtful)),
        likely=tuple(map(Cage, likeliest.losses.argmin(axis=1).tolist(), likeliest.cages)),
        covers=tuple(covers),
    )
    return _tell_cages(covers[0], unsure, side) if len(covers) == 1 else unsure


def _weigh_sums(loss: float, cages: tuple[Cells, ...], sums: Floats) -> CageCover:
    """Return cages that lose so much themselves, with what each of their sums gives away."""
    side = math.isqrt(len(sums))
    losses = np.full((len(cages), sums.shape[1]), math.inf)
    beyond = np.zeros(len(cages))
    for at, cells in enumerate(cages):
        seen = sums[cells[0]].astype(np.float64)
        # A sum that is not seen may be any.
        shares = seen + _UNSEEN * float(seen[0]) / (len(seen) - 1)
        can_be = slice(least_sum(len(cells)), most_sum(len(cells), side) + 1)
        logs = np.log(np.maximum(shares[can_be], _FLOOR))
        losses[at, can_be] = logs.max() - logs
        beyond[at] = max(math.log(max(seen[1:].max(), _FLOOR)) - logs.max(), 0)
    return CageCover(loss, cages, losses, beyond)


def _choose_covers(covers: Sequence[CageCover], side: int) -> list[CageCover]:
    """Return the covers that are likely also for what the rule of 45 makes of their sums."""
    if len(covers) <= 1:
        return list(covers)
    # What was not weighed may lose anything: it ousts no other, and is ousted by its walls alone.
    least = [cover.loss for cover in covers]
    most = [math.inf] * len(covers)
    for at, cover in enumerate(covers[:_MOST_COVERS]):
        readings = SumReadings.of(cover.cages, cover.losses, side)
        near = [] if readings is None else readings.find_near()
        if near is not None:
            of_sums = min(near)[0] if near else math.inf
            least[at] = most[at] = cover.loss + of_sums
    best = min(most)
    order = np.argsort(least, kind="stable").tolist()
    return [covers[at] for at in order if least[at] < best + COVER_GAP]


def _find_doubtful(cover: CageCover) -> list[int]:
    """Return the first cells of cages whose sum is not sure by itself."""
    shares = np.exp(-cover.losses)
    is_sure = shares.max(axis=1) >= _SURE * shares.sum(axis=1)
    return [cells[0] for cells, sure in zip(cover.cages, is_sure, strict=True) if not sure]


def _tell_cages(cover: CageCover, unsure: CageDecoding, side: int) -> CageDecoding:
    """Return cages with the likeliest sums, if no others that suit the rule of 45 come near."""
    readings = SumReadings.of(cover.cages, _leave_possible(cover), side)
    near = None if readings is None else readings.find_near()
    if not near:
        return unsure
    best, totals = min(near)
    confidence = 1 / sum(math.exp(best - loss) for loss, _ in near)
    if confidence < _SURE:
        return unsure
    cages = tuple(map(Cage, totals, cover.cages))
    return CageDecoding(cages, confidence, _find_corrected(cover, cages), covers=unsure.covers)


def _find_corrected(cover: CageCover, cages: Sequence[Cage]) -> Cells:
    """Return the first cells of cages whose sum is not the likeliest by itself."""
    lost = cover.losses[np.arange(len(cages)), [cage.total for cage in cages]] + cover.beyond
    return tuple(cages[at].cells[0] for at in np.flatnonzero(lost > 0).tolist())


def settle_cages(found: CageDecoding, clues: Sequence[int]) -> CageDecoding | None:
    """Return the cages that alone have a solution, of all that are likely; None if not one does.

    They must have one solution, and nothing that comes near another one or several.

    Args:
        found: what the cages came to.
        clues: n² digits in reading order, 0 = empty.
    """
    side = math.isqrt(len(clues))
    least = min((cover.loss for cover in found.covers), default=0.0)
    open_covers = []
    for cover in found.covers:
        readings = SumReadings.of(cover.cages, _leave_possible(cover), side)
        if readings is not None:
            open_covers.append((cover._replace(loss=cover.loss - least), readings))
    tried: dict[tuple[Cage, ...], _Grids] = {}
    limit = _STEP
    while True:
        near = _list_near(open_covers, limit)
        untried = [cages for _, _, cages in near or () if cages not in tried]
        if near is None or len(tried) + len(untried) > _MOST_TRIED:
            return None
        tried.update((cages, _solve(cages, clues)) for cages in untried)
        solvable = [one for one in near if tried[one[2]]]
        if not solvable and limit >= _MOST_SETTLED:
            return None
        if not solvable:
            limit += _STEP
        elif limit < solvable[0][0] + _GAP:
            limit = solvable[0][0] + _GAP
        else:
            return _settle(solvable, tried)


def _leave_possible(cover: CageCover) -> Logs:
    """Return the losses of sums, (k, 46), ∞ for those that are surely not what is printed.

    What is printed counts also where no digits of the cage add up to it.
    """
    is_possible = cover.losses + cover.beyond[:, None] <= _MOST_OF_SUM
    return np.where(is_possible, cover.losses, math.inf)


def _list_near(
    covers: Sequence[tuple[CageCover, SumReadings]], limit: float
) -> list[tuple[float, CageCover, tuple[Cage, ...]]] | None:
    """Return cages with sums that lose no more than a limit, the likeliest first.

    None where there are too many.
    """
    near = []
    for cover, readings in covers:
        found = readings.find(limit - cover.loss)
        if found is None:
            return None
        near += [
            (cover.loss + loss, cover, tuple(map(Cage, totals, cover.cages)))
            for loss, totals in found
        ]
    return sorted(near, key=lambda one: one[0])


def _solve(cages: Sequence[Cage], clues: Sequence[int]) -> _Grids:
    """Return the solutions of a killer, two at most; also two where the search is given up."""
    rules = killer_rules(cages, math.isqrt(len(clues)))
    search = search_rules(rules, clues, 2, lambda nodes: nodes < _MOST_NODES)
    grids = [tuple(grid) for grid in search.solutions]
    return tuple(grids) if search.is_exhaustive else (*grids, (), ())[:2]


def _settle(
    solvable: Sequence[tuple[float, CageCover, tuple[Cage, ...]]],
    tried: dict[tuple[Cage, ...], _Grids],
) -> CageDecoding | None:
    """Return the likeliest cages with a solution if they have one, and no other comes near."""
    weights: dict[tuple[int, ...], float] = defaultdict(float)
    for loss, _, cages in solvable:
        for grid in tried[cages]:
            weights[grid] += math.exp(solvable[0][0] - loss)
    _, cover, cages = solvable[0]
    grid, *others = tried[cages]
    confidence = weights[grid] / sum(weights.values())
    if others or confidence < _SURE:
        return None
    return CageDecoding(cages, confidence, _find_corrected(cover, cages))
