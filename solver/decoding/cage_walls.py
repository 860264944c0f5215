"""From the walls and sums that a reader saw to cages: which cells lie in one together."""

import math
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from solver.grid import Booleans, Floats, Integers
from solver.layout import bits_of

Logs = npt.NDArray[np.float64]
Cells = tuple[int, ...]
Count = TypeVar("Count", int, Integers)

_WALL_FLOOR: Final = 1e-3
"""Least likelihood of what a reader saw of one side of a wall: it is never surer than that."""

_SUM_FLOOR: Final = 1e-4
"""The same of a sum or none: these are told apart far better."""

_DOUBTFUL: Final = 8.0
"""Nats up to which what was seen of a wall may be wrong though it contradicts no other."""

_MOST_TRIED: Final = 5000
"""Sets of walls and sums that may be wrong. On 90 rendered killers of level 4 that were hard to
read 20,000 told no more cages, and 5,000 took 0.2 s at most (one-off)."""

FEW_TRIED: Final = 200
"""The same where it is only asked whether walls and sums may be those of a killer: 42 killers whose
cages colours told took 36 at most, and noise takes as many as it may (one-off)."""

COVER_GAP: Final = 4.0
"""Nats by which the likeliest cages must lead all others, as for readings of digits."""

_MOST_LOSS: Final = 12.0
"""Nats that cages may give away against what was seen of each wall, and of where sums stand, by
itself. What the sums are counts only against other cages: dim sums make no clear wall doubtful."""


_FEWEST_AT_EDGE: Final = 2
"""Cells with a cage's wall at each of the board's edges, where some cells lie in no cage. A lattice
that lies a row aside shows none there."""


class Wall(NamedTuple):
    """Two neighbouring cells, and the log odds that a cage ends between them."""

    odds: float
    one: int
    other: int


class _Cover(NamedTuple):
    """Cages that a board may have: nats that they lose with what their sums are, and without."""

    with_sums: float
    loss: float
    cages: tuple[Cells, ...]


class WalledCages(NamedTuple):
    """The cells of each cage, ascending, in the order of their first cells.

    Attributes:
        cages: the likeliest ones. Cells that lie in no cage are in none of them.
        covers: the likely ones, each with the nats that it loses, the likeliest first; none where
            even that is too unlikely, or too many walls are doubtful.
    """

    cages: tuple[Cells, ...]
    covers: tuple[tuple[float, tuple[Cells, ...]], ...] = ()


def decode_walls(sums: Floats, walls: Floats, most_tried: int = _MOST_TRIED) -> WalledCages:
    """Return the likeliest cages; where none suit what was seen, cells that no wall parts.

    Between cells of a cage there is no wall, it has as many cells as there are digits at most, and
    its sum stands in the first of them, and nowhere else. Digits that differ add up to that sum.
    A cell that clearly shows neither walls of its own nor a sum seems to lie in no cage. Both are
    likely then: that all these cells lie in none, and that they lie in some.

    Args:
        sums: (n², m) probabilities of no sum, which comes first, and of each sum.
        walls: (n², 4) probabilities of a wall on the left, top, right and bottom of a cell.
        most_tried: sets of walls and sums that may be wrong, after which too much is doubtful.
    """
    side = math.isqrt(len(sums))
    has_sum = 1 - sums[:, 0]
    shown = _log_odds(has_sum, _SUM_FLOOR)
    odds = _log_odds(walls, _WALL_FLOOR)
    outside = _find_outside(odds, shown)
    covers = _list_likely(odds, shown, outside, _price_misfits(sums, side), most_tried)
    if not covers:
        plan = _WallPlan(_pair_sides(odds), shown, ~outside)
        seen = map(bits_of, plan.enclose(plan.seen))
        return WalledCages(tuple(tuple(cells) for cells in seen if len(cells) <= side))
    best = min(covers)
    if best.loss > _MOST_LOSS:
        return WalledCages(best.cages)
    near = [
        (one.with_sums, one.cages)
        for one in sorted(covers)
        if one.with_sums < best.with_sums + COVER_GAP
    ]
    return WalledCages(best.cages, tuple(near))


def _list_likely(
    odds: Logs, shown: Logs, outside: Booleans, misfits: Logs, most_tried: int
) -> list[_Cover]:
    """Return the likely cages, where some cells lie in none and where all do; none if too many.

    Args:
        odds: (n², 4) log odds of a wall on the sides of each cell.
        shown: (n²,) log odds of a sum.
        outside: (n²,) cells that seem to lie in no cage.
        misfits: as `_price_misfits` returns them.
        most_tried: as `decode_walls` takes it.
    """
    covers: list[_Cover] = []
    pairs = _pair_sides(odds)
    for left_out in ([outside] if outside.any() else []) + [np.zeros_like(outside)]:
        loss = _price_borders(odds, left_out) if left_out.any() else 0.0
        plan = _WallPlan(pairs, shown, ~left_out)
        more = _list_covers(plan, loss, misfits, min(covers, default=None), most_tried)
        if more is None:
            return []
        covers += more
    return covers


def _find_outside(odds: Logs, shown: Logs) -> Booleans:
    """Return which cells lie in no cage, (n²,): they show no wall around them, and no sum.

    Args:
        odds: (n², 4) log odds of a wall on the sides of each cell.
        shown: (n²,) log odds of a sum.
    """
    side = math.isqrt(len(odds))
    grid = np.arange(len(odds)).reshape(side, side)
    beside = np.pad(grid, 1, constant_values=-1)
    others = np.stack(
        [beside[1:-1, :-2], beside[:-2, 1:-1], beside[1:-1, 2:], beside[2:, 1:-1]], axis=-1
    ).reshape(-1, 4)
    # Both cells must show no wall between them to be joined.
    facing = odds[:, [2, 3, 0, 1]][others, range(4)]
    weights = [
        Wall(float(max(odds[one, at], facing[one, at])), one, int(others[one, at]))
        for one, at in np.argwhere(others >= 0).tolist()
        if others[one, at] > one
    ]
    outside = np.zeros(len(odds), np.bool_)
    plan = _WallPlan(weights, shown, ~outside)
    for cells in map(bits_of, plan.enclose(plan.seen)):
        is_border = ~np.isin(others[cells], cells)
        sum_shown = float(shown[cells].max())
        if sum_shown < 0 and odds[cells][is_border].sum() + sum_shown <= -_DOUBTFUL:
            outside[cells] = True
    return outside


def _price_borders(odds: Logs, outside: Booleans) -> float:
    """Return the nats that are lost where cages do not end beside cells outside and at the edges.

    Args:
        odds: (n², 4) log odds of a wall on the sides of each cell.
        outside: (n²,) cells that lie in no cage.
    """
    side = math.isqrt(len(odds))
    within = np.pad(~outside.reshape(side, side), 1)
    beside = (within[1:-1, :-2], within[:-2, 1:-1], within[1:-1, 2:], within[2:, 1:-1])
    is_caged = within[1:-1, 1:-1, None]
    is_end = ~np.stack(beside, axis=-1)
    grid = odds.reshape(side, side, 4)
    edges = grid[:, 0, 0], grid[0, :, 1], grid[:, -1, 2], grid[-1, :, 3]
    if min(np.count_nonzero(edge > 0) for edge in edges) < _FEWEST_AT_EDGE:
        return math.inf
    missing = np.clip(-grid, 0, None)[is_caged & is_end].sum()
    # Beside a cage its wall may be seen as one of the cell outside.
    false = np.clip(grid, 0, None)[~is_caged & is_end].sum()
    return float(missing + false)


def _pair_sides(odds: Logs) -> list[Wall]:
    """Return the wall between each two neighbours, of which both sides tell.

    Args:
        odds: (n², 4) log odds of a wall on the sides of each cell.
    """
    side = math.isqrt(len(odds))
    grid = odds.reshape(side, side, 4)
    across, down = grid[:, :-1, 2] + grid[:, 1:, 0], grid[:-1, :, 3] + grid[1:, :, 1]
    pairs = [
        Wall(float(weight), row * side + column, row * side + column + 1)
        for (row, column), weight in np.ndenumerate(across)
    ]
    pairs += [
        Wall(float(weight), row * side + column, (row + 1) * side + column)
        for (row, column), weight in np.ndenumerate(down)
    ]
    return pairs


def _log_odds(probabilities: Floats, floor: float) -> Logs:
    sure = np.clip(probabilities.astype(np.float64), floor, 1 - floor)
    return np.asarray(np.log(sure / (1 - sure)))


def _list_covers(
    plan: "_WallPlan", outer_loss: float, misfits: Logs, rival: _Cover | None, most_tried: int
) -> list[_Cover] | None:
    """Return the likely cages, none where others are far likelier; None where too much is doubtful.

    Nats are lost for walls that were seen wrong, and for sums in other than first cells, or none
    there. Where what is seen contradicts itself, each of the few walls is tried of which one must
    be wrong then, or the sum.

    Args:
        plan: what was seen.
        outer_loss: nats that are lost at the cells that lie in no cage.
        misfits: as `_price_misfits` returns them.
        rival: the likeliest ones that are known.
        most_tried: as `decode_walls` takes it.
    """
    found: list[_Cover] = []
    best = math.inf if rival is None else rival.with_sums
    number = count()
    # Nats, order of arrival; walls and sums that are wrong; walls and sums that are settled.
    open_states = [(outer_loss, next(number), 0, 0)]
    for _ in range(most_tried):
        if not open_states or open_states[0][0] > best + COVER_GAP:
            return found
        loss, _, flipped, known = heappop(open_states)
        cages, choices = plan.find_choices(flipped, known)
        if cages:
            found.append(_Cover(loss + _price_sums(cages, misfits), loss, cages))
            best = min(best, found[-1].with_sums)
        for bit in choices:
            after = loss + plan.prices[bit]
            known |= 1 << bit
            if after <= best + COVER_GAP:
                heappush(open_states, (after, next(number), flipped | 1 << bit, known))
    return None


class _WallPlan:
    """The walls and sums of a board as bits.

    Of cell number c the right wall is bit c, the lower one n² + c, and its sum 2n² + c.

    Attributes:
        seen: the walls that were seen, and those around cells outside.
        prices: nats that are lost where a wall between cells inside, or a sum, was seen wrong.
    """

    def __init__(self, pairs: Sequence[Wall], shown: Logs, inside: Booleans) -> None:
        self._side = side = math.isqrt(len(inside))
        self._inside = sum(1 << cell for cell in np.flatnonzero(inside).tolist())
        self.seen = self._doubtful = self._ways = 0
        self.prices = dict(enumerate(np.abs(shown).tolist(), 2 * side**2))
        self._sums = sum(1 << cell for cell in np.flatnonzero(shown > 0).tolist())
        for pair in pairs:
            bit = pair.one if pair.other == pair.one + 1 else side**2 + pair.one
            if inside[pair.one] and inside[pair.other]:
                self.prices[bit] = abs(pair.odds)
                self._ways |= 1 << bit
                self.seen |= (pair.odds > 0) << bit
                self._doubtful |= (abs(pair.odds) < _DOUBTFUL) << bit
            else:
                self.seen |= bool(inside[pair.one] != inside[pair.other]) << bit
        self._crossings = [
            1 << cell | 1 << cell + side | 1 << side**2 + cell | 1 << side**2 + cell + 1
            for row in range(side - 1)
            for cell in range(row * side, row * side + side - 1)
        ]

    def find_choices(self, flipped: int, known: int) -> tuple[tuple[Cells, ...], list[int]]:
        """Return the cages, none where they contradict what is seen, and what may be wrong.

        Args:
            flipped: bits of what was seen wrong.
            known: bits that are settled, whether wrong or not.
        """
        walls = self.seen ^ flipped
        free = self._ways & ~known
        choices = self._find_loose_end(walls, free)
        if choices is not None:
            return (), choices
        n_cells = self._side**2
        cages = []
        for cage in self.enclose(walls):
            within = (cage & cage >> 1 | (cage & cage >> self._side) << n_cells) & self._ways
            dead_ends = within & walls
            if cage.bit_count() > self._side or dead_ends:
                return (), bits_of((within & ~walls | dead_ends & -dead_ends) & free)
            first = cage & -cage
            odd = cage & (self._sums ^ first) & ~(known >> 2 * n_cells)
            if odd:
                cell = odd & -odd
                # It goes on beyond where it seems to begin, or another begins within.
                walls_there = self._surround(cage) if cell == first else within
                return (), [*bits_of(walls_there & free), 2 * n_cells + cell.bit_length() - 1]
            cages.append(tuple(bits_of(cage)))
        return tuple(cages), bits_of(self._doubtful & free)

    def _find_loose_end(self, walls: int, free: int) -> list[int] | None:
        """Return the free walls at a crossing at which one ends, or None where none does.

        Of several such crossings it is the one where a wrong wall costs most.
        """
        dearest, choices = -1.0, None
        for crossing in self._crossings:
            there = walls & crossing
            if there and not there & (there - 1):
                some = bits_of(crossing & free)
                price = min([self.prices[bit] for bit in some], default=math.inf)
                if price > dearest:
                    dearest, choices = price, some
        return choices

    def enclose(self, walls: int) -> Iterator[int]:
        """Yield the cells that no walls part, as bits, in the order of the first ones."""
        side, n_cells = self._side, self._side**2
        ways = self._ways & ~walls
        across, down = ways & (1 << n_cells) - 1, ways >> n_cells
        left = self._inside
        while left:
            cage, grown = 0, left & -left
            while grown != cage:
                cage = grown
                grown |= (grown & across) << 1 | grown >> 1 & across
                grown |= (grown & down) << side | grown >> side & down
            left ^= cage
            yield cage

    def _surround(self, cage: int) -> int:
        """Return the walls between a cage and the cells around it."""
        side, n_cells = self._side, self._side**2
        across = cage ^ cage >> 1 & (1 << n_cells) - 1
        down = cage ^ cage >> side
        return (across | down << n_cells) & self._ways


def _price_misfits(sums: Floats, side: int) -> Logs:
    """Return the nats that are lost where a cage of some size begins, (n², n + 1).

    Of the sums that a cell may show, few cells cannot have the large ones, nor many the small.
    """
    prices = np.zeros((len(sums), side + 1))
    has_sum = np.maximum(1 - sums[:, 0].astype(np.float64), _SUM_FLOOR)
    for n_cells in range(1, side + 1):
        fitting = sums[:, least_sum(n_cells) : most_sum(n_cells, side) + 1].sum(axis=1)
        prices[:, n_cells] = -np.log(np.clip(fitting / has_sum, _SUM_FLOOR, 1))
    # What shows no sum tells of none.
    prices[has_sum < 0.5] = 0
    return prices


def least_sum(n_cells: Count) -> Count:
    """Return what so many different digits add up to at least."""
    return n_cells * (n_cells + 1) // 2


def most_sum(n_cells: Count, side: int) -> Count:
    """Return what so many different digits, of a board of this side, add up to at most."""
    return n_cells * (2 * side + 1 - n_cells) // 2


def _price_sums(cages: Sequence[Cells], misfits: Floats) -> float:
    """Return the nats that are lost where sums do not fit the sizes of their cages."""
    return float(misfits[[cells[0] for cells in cages], [len(cells) for cells in cages]].sum())
