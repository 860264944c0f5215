"""From what a reader saw of a killer to its cages and their sums, as far as these are sure.

Sums of cages must suit the rule of 45 in every band of rows or columns and every block of boxes. So
doubtful sums follow from the others. What stays doubtful is settled by the rules as digits are: of
all cages and sums that are likely, one alone must have a solution.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from solver.decoding.cage_readings import MOST_LOSS, Core, Logs, Reading, SumReadings
from solver.decoding.cage_walls import COVER_GAP, Cells, decode_walls, least_sum, most_sum
from solver.decoding.clue_searches import shrink_core
from solver.exact.rule_search import search_rules
from solver.grid import Floats
from solver.rules import Cage, killer_rules

_FLOOR: Final = 2e-5
"""Least likelihood of a sum, of all that a cage can have."""

_UNSEEN: Final = 0.1
"""Likelihood, where a reader sees no sum at all, that it says nothing of which sum is there."""

_SURE: Final = 0.98
"""Posterior of the sums together, among all that the rule of 45 allows, for them to be told."""

_MOST_OF_SUM: Final = 8.0
"""Nats that a sum may give away: what is sharply printed is a misprint rather than misread. Of
5,549 sums of 165 rendered killers of levels 1 to 4 none gave away so much, and of sharp ones every
other sum mostly does (one-off)."""

_MOST_BEYOND: Final = 5.0
"""Nats by which a sum that no digits of its cage add up to may be likelier than all others: beyond
that the cage is wrong rather than the reading. A killer of side 6 of which a wall and a sum were
erased was claimed with 6.4; of right cages of killers of level 4 that were read none has more
than 4.6 (one-off)."""

_MOST_COVERS: Final = 8
"""Covers of a board whose sums are asked which of them are likely; to ask takes up to 0.2 s. Where
more are likely nothing is settled."""

_STEP: Final = 2.0
"""Nats by which what is likely is widened until something has a solution."""

_MOST_SETTLED: Final = 16.0
"""Nats that cages and sums together may give away to be settled. Of 11 rendered killers of level 4
whose sums were doubtful the true ones gave away 0.5 to 12.6 (one-off)."""

_GAP: Final = 4.0
"""Nats behind what has a solution up to which everything else is tried, too, on side 9. Of 360
killers of level 4 none is wrong with it and `_BESIDE`."""

_SMALL_GAP: Final = 12.0
"""The same on smaller boards, where more sums have a solution by chance. Of 240 killers of side 6
of which two sums were unseen six were claimed wrongly with 4, and none with 12 (one-off)."""

_BESIDE: Final = 8.0
"""Nats behind what is claimed up to which sums are tried that differ from it in two: of one killer
of level 4 the true ones lay 4.1 behind (one-off)."""

_MOST_NODES: Final = 2000
"""Of all searches for solutions together; one takes 1 ms."""

_MOST_AT_ONCE: Final = 200
"""Of one of them; nearly all take one."""

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
    doubtful = {cell for one in covers or [likeliest] for cell in _find_doubtful(one)}
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
            of_sums = min(near)[0] if near else MOST_LOSS
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

    They must have one solution, and nothing that comes near may have any.

    Args:
        found: what the cages came to.
        clues: n² digits in reading order, 0 = empty.
    """
    if len(found.covers) > _MOST_COVERS:
        return None
    trials = _Trials(clues)
    least = min((cover.loss for cover in found.covers), default=0.0)
    open_covers = [_OpenCover(cover, cover.loss - least, trials) for cover in found.covers]
    gap = _GAP if trials.side == 9 else _SMALL_GAP
    limit = _STEP
    while True:
        if not all(cover.look_up_to(limit) for cover in open_covers):
            return None
        solvable = sorted(
            (one for cover in open_covers for one in cover.solvable), key=lambda one: one.loss
        )
        if not solvable and limit >= _MOST_SETTLED:
            return None
        if not solvable:
            limit += _STEP
        elif limit < solvable[0].loss + gap:
            limit = solvable[0].loss + gap
        else:
            break
    best = solvable[0]
    if any(one.grids != best.grids for one in solvable) or len(best.grids) > 1:
        return None
    (cover,) = [cover for cover in open_covers if best in cover.solvable]
    if not cover.stands(best):
        return None
    # As if something else that has a solution lay just beyond what was tried.
    confidence = 1 / (1 + math.exp(-gap))
    return CageDecoding(best.cages, confidence, _find_corrected(best.cover, best.cages))


class _Solvable(NamedTuple):
    """Cages that have a solution.

    Attributes:
        loss: nats that they and their sums give away.
        cover: that they are of.
        cages: with their sums.
        grids: their solutions, two at most.
    """

    loss: float
    cover: CageCover
    cages: tuple[Cage, ...]
    grids: _Grids


class _Trials:
    """Asks which cages have solutions, as long as the nodes of the searches last."""

    def __init__(self, clues: Sequence[int]) -> None:
        self.side: Final = math.isqrt(len(clues))
        self._clues = clues
        self._left = _MOST_NODES

    @property
    def are_spent(self) -> bool:
        """Tell whether nothing more is asked."""
        return self._left <= 0

    def solve(self, cages: Sequence[Cage]) -> _Grids:
        """Return the solutions of cages, two at most; also two where the search is given up."""
        rules = killer_rules(cages, self.side)
        search = search_rules(rules, self._clues, 2, lambda nodes: nodes < _MOST_AT_ONCE)
        self._left -= search.nodes
        grids = [tuple(grid) for grid in search.solutions]
        return tuple(grids) if search.is_exhaustive else (*grids, (), ())[:2]

    def contradict(self, cages: Sequence[Cage]) -> bool:
        """Tell whether cages contradict each other at first sight."""
        self._left -= 1
        rules = killer_rules(cages, self.side)
        search = search_rules(rules, self._clues, 1, lambda _: False)
        return search.found == 0 and search.is_exhaustive


class _OpenCover:
    """Cages whose sums are in doubt, and what was tried of these."""

    def __init__(self, cover: CageCover, loss: float, trials: _Trials) -> None:
        self.solvable: list[_Solvable] = []
        self._cover = cover
        self._loss = loss
        self._trials = trials
        self._losses = _leave_possible(cover)
        self._readings = SumReadings.of(cover.cages, self._losses, trials.side)
        self._cores: list[Core] = []
        self._differs = np.ones(len(cover.cages), np.bool_)

    def look_up_to(self, limit: float) -> bool:
        """Try all sums that lose no more than a limit; False where there are too many.

        What has no solution tells a part of it that has none, so that most others need no trial.
        """
        if self._readings is None or limit < self._loss:
            return True
        near = self._readings.find(limit - self._loss, self._cores)
        if near is None:
            return False
        self._note_differing([totals for _, totals in near])
        return all(map(self._try, sorted(near)))

    def stands(self, best: _Solvable) -> bool:
        """Tell whether no sums that come near what is claimed, but for two, have a solution.

        Most cages that have one by chance are near the true ones.
        """
        at, totals = np.arange(len(best.cages)), [cage.total for cage in best.cages]
        beside = self._losses - self._losses[at, totals][:, None]
        changes = np.where(beside <= _BESIDE, 1.0, math.inf)
        changes[at, totals] = 0
        readings = SumReadings.of(self._cover.cages, changes, self._trials.side)
        near = None if readings is None else readings.find(2, self._cores)
        if near is None:
            return False
        self._note_differing([totals for _, totals in near])
        n_known = len(self.solvable)
        for _, other in near:
            loss = float(self._losses[at, other].sum())
            is_near = loss <= best.loss - self._loss + _BESIDE
            if is_near and not self._try((loss, other)):
                return False
            if len(self.solvable) > n_known:
                return False
        return True

    def _try(self, reading: Reading) -> bool:
        """Ask whether sums have a solution, unless that is known; False where it may not be."""
        loss, totals = reading
        cages = tuple(map(Cage, totals, self._cover.cages))
        is_known = any(one.cages == cages for one in self.solvable)
        if is_known or any(map(partial(_holds, totals), self._cores)):
            return True
        if self._trials.are_spent:
            return False
        grids = self._trials.solve(cages)
        if grids:
            self.solvable.append(_Solvable(self._loss + loss, self._cover, cages, grids))
        else:
            self._cores.append(self._find_core(cages))
        return True

    def _note_differing(self, readings: Sequence[Sequence[int]]) -> None:
        if readings:
            self._differs = np.ptp(np.array(readings), axis=0) > 0

    def _find_core(self, cages: Sequence[Cage]) -> Core:
        """Return a small part of cages that has no solution by itself.

        Sums on which all readings at hand agree stay in it: without them it rules out no more.
        """
        lost = [self._losses[at, cage.total] for at, cage in enumerate(cages)]
        order = sorted(range(len(cages)), key=lambda at: (self._differs[at], lost[at]))

        def contradict(some: Sequence[int]) -> bool:
            return self._trials.contradict([cages[at] for at in sorted(some)])

        core = shrink_core(order, int((~self._differs).sum()), contradict)
        return {at: cages[at].total for at in core}


def _holds(totals: Sequence[int], core: Core) -> bool:
    """Tell whether sums hold all of a core."""
    return all(totals[at] == total for at, total in core.items())


def _leave_possible(cover: CageCover) -> Logs:
    """Return the losses of sums, (k, 46), ∞ for those that are surely not what is printed.

    What is printed counts also where no digits of the cage add up to it.
    """
    beyond = cover.beyond[:, None]
    is_possible = (cover.losses + beyond <= _MOST_OF_SUM) & (beyond <= _MOST_BEYOND)
    return np.where(is_possible, cover.losses, math.inf)
