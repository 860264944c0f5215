"""Which sums of cages suit the rule of 45 together, in the order of what a reader saw.

The digits of every band of rows or columns, and of every block of boxes, have a known total. So
the sums of the cages in it bound each other, and most of what they may be by themselves is out.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from solver.decoding.cage_walls import Cells, least_sum, most_sum
from solver.grid import Booleans, Integers
from solver.rules import usual_boxes

Logs = npt.NDArray[np.float64]
Reading = tuple[float, tuple[int, ...]]
"""Nats that are lost against the likeliest sum of each cage by itself, and the sums."""

Core = dict[int, int]
"""Sums of some cages, by their index, that have no solution together."""

_BEHIND: Final = 8.0
"""Nats behind the likeliest sums up to which others count beside them."""

MOST_LOSS: Final = 40.0
"""Nats that sums may give away against the likeliest of each cage by itself."""

_MOST_PARTS: Final = 50_000
"""Sums of the first cages that are looked at together; where more come near, too much is
doubtful."""

_HEAVY: Final = 1 << 20
"""More than any load."""


class _Reach(NamedTuple):
    """What the sums of cages put into blocks of cells whose digits have a known total.

    Attributes:
        loads: (k, m, b) of each sum of each cage; first what it puts in at least, then, below
            zero, at most.
        caps: (b,) what the loads of all cages together are at most.
    """

    loads: Integers
    caps: Integers


@dataclass(frozen=True)
class SumReadings:
    """The sums that some cages can have together.

    Attributes:
        losses: (k, m) float64, nats that each sum of each cage loses; ∞ where it cannot be.
        reach: what the sums put into blocks.
    """

    losses: Logs
    reach: _Reach

    @classmethod
    def of(cls, cages: Sequence[Cells], losses: Logs, side: int) -> Self | None:
        """Return the sums of cages, or None where none suit the others.

        Args:
            cages: the cells of each, ascending; one at least.
            losses: as `SumReadings` has them, each cage by itself.
            side: of the board.
        """
        reach = _find_reach(cages, losses.shape[1], side)
        left = _strike(losses, reach)
        return None if left is None else cls(left, reach)

    def find_near(self) -> list[Reading] | None:
        """Return the likeliest sums, and those that come near; None where there are too many."""
        limit = _BEHIND
        while limit <= MOST_LOSS:
            found = self.find(limit)
            if found is None:
                return None
            if found:
                return self.find(min(found)[0] + _BEHIND)
            limit += _BEHIND
        return []

    def find(self, limit: float, cores: Sequence[Core] = ()) -> list[Reading] | None:
        """Return all sums that lose no more than a limit, in nats; None where there are too many.

        The cages are joined one after the other: those first that are sure, then row by row, so
        that blocks fill up and rule others out early.

        Args:
            limit: in nats.
            cores: of which no sums may hold all.
        """
        is_open = self.losses <= limit
        if not is_open.any(axis=1).all():
            return []
        reach = self._leave_binding(is_open)
        order = np.argsort(is_open.sum(axis=1) > 1, kind="stable")
        ahead = _least_loads(is_open, reach)[order]
        room = reach.caps - (ahead[::-1].cumsum(axis=0)[::-1] - ahead)
        lost = np.zeros(1)
        loads = np.zeros((1, len(reach.caps)), np.int16)
        chosen = np.zeros((1, len(order)), np.int32)
        last = [max(np.flatnonzero(np.isin(order, list(core)))) for core in cores]
        for step, cage in enumerate(order.tolist()):
            totals = np.flatnonzero(is_open[cage])
            together = lost[:, None] + self.losses[cage, totals]
            part, option = np.nonzero(together <= limit)
            if len(part) > _MOST_PARTS:
                return None
            after = loads[part] + reach.loads[cage, totals[option]]
            suits = (after <= room[step]).all(axis=1)
            part, option = part[suits], option[suits]
            lost, loads, chosen = together[part, option], after[suits], chosen[part]
            chosen[:, cage] = totals[option]
            for core, end in zip(cores, last, strict=True):
                if end == step:
                    is_left = (chosen[:, list(core)] != list(core.values())).any(axis=1)
                    lost, loads, chosen = lost[is_left], loads[is_left], chosen[is_left]
        return [(float(loss), tuple(row)) for loss, row in zip(lost, chosen.tolist(), strict=True)]

    def _leave_binding(self, is_open: Booleans) -> _Reach:
        """Return what open sums, (k, m), put into the blocks that some of them can overfill."""
        most = np.where(is_open[:, :, None], self.reach.loads, -_HEAVY).max(axis=1).sum(axis=0)
        binds = most > self.reach.caps
        return _Reach(self.reach.loads[:, :, binds].astype(np.int16), self.reach.caps[binds])


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


def _bound_cells(parts: Booleans, units: Integers, side: int) -> tuple[Integers, Integers]:
    """Return what the cells of each part, (b, n²), add up to at least and at most.

    The digits of a unit differ, of which `units`, (b, n²), names one for each cell.
    """
    counts = [np.bincount(row[part]) for row, part in zip(units, parts, strict=True)]
    least = np.array([least_sum(some).sum() for some in counts], np.int64)
    return least, np.array([most_sum(some, side).sum() for some in counts], np.int64)


def _share(part: int, count: int, totals: Integers, side: int) -> tuple[Integers, Integers]:
    """Return the least and the most that so many cells of a cage have of its sum."""
    rest = count - part
    least = np.maximum(least_sum(part), totals - most_sum(rest, side))
    return least, np.minimum(most_sum(part, side), totals - least_sum(rest))


@cache
def _list_blocks(side: int) -> tuple[Booleans, Integers]:
    """Return blocks of rows, of columns and of boxes, (b, n²), and the unit of each cell there."""
    boxes = usual_boxes(side)
    row, column = (axis.ravel() for axis in np.indices((side, side)))
    across, down = column // boxes.box_columns, row // boxes.box_rows

    def span(unit: Integers) -> list[Booleans]:
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


def _strike(losses: Logs, reach: _Reach) -> Logs | None:
    """Return the losses, ∞ for sums that no sums of the others suit; None if none is left."""
    losses = losses.copy()
    while True:
        is_open = np.isfinite(losses)
        if not is_open.any(axis=1).all():
            return None
        least = _least_loads(is_open, reach)
        suits = least.sum(axis=0) - least[:, None] + reach.loads <= reach.caps
        struck = is_open & ~suits.all(axis=2)
        if not struck.any():
            return losses
        losses[struck] = math.inf


def _least_loads(is_open: Booleans, reach: _Reach) -> Integers:
    """Return what each cage loads on each block at least, (k, b), whichever open sum it has."""
    return np.asarray(
        np.where(is_open[:, :, None], reach.loads.astype(np.int32), _HEAVY).min(axis=1), np.int32
    )
