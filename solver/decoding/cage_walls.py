"""From the walls and sums that a reader saw to cages: which cells lie in one together."""

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating]
Logs = npt.NDArray[np.float64]
Cells = tuple[int, ...]
Count = TypeVar("Count", int, npt.NDArray[np.integer])

_WALL_FLOOR: Final = 1e-3
"""Least likelihood of what a reader saw of one side of a wall: it is never surer than that."""

_SUM_FLOOR: Final = 1e-4
"""The same of a sum or none: these are told apart far better."""

_DOUBTFUL: Final = 8.0
"""Nats up to which what was seen of a wall may be wrong."""

_MOST_DOUBTFUL: Final = 10
"""Walls that are tried both ways, the most doubtful ones."""

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


class WalledCages(NamedTuple):
    """The cells of each cage, ascending, in the order of their first cells.

    Attributes:
        cages: the likeliest ones. Cells that lie in no cage are in none of them.
        covers: the likely ones, each with the nats that it loses, the likeliest first; none where
            even that is too unlikely.
    """

    cages: tuple[Cells, ...]
    covers: tuple[tuple[float, tuple[Cells, ...]], ...] = ()


def decode_walls(sums: Floats, walls: Floats) -> WalledCages:
    """Return the likeliest cages; where none suit what was seen, cells that no wall parts.

    Between cells of a cage there is no wall, it has as many cells as there are digits at most, and
    its sum stands in the first of them, and nowhere else. Digits that differ add up to that sum.
    A cell lies in no cage where it clearly shows neither walls of its own nor a sum.

    Args:
        sums: (n², m) probabilities of no sum, which comes first, and of each sum.
        walls: (n², 4) probabilities of a wall on the left, top, right and bottom of a cell.
    """
    side = math.isqrt(len(sums))
    has_sum = 1 - sums[:, 0]
    shown = _log_odds(has_sum, _SUM_FLOOR)
    odds = _log_odds(walls, _WALL_FLOOR)
    outside = _find_outside(odds, shown)
    pairs = [pair for pair in _pair_sides(odds) if not (outside[pair.one] or outside[pair.other])]
    against = _price_borders(odds, outside) if outside.any() else 0.0
    inside = np.flatnonzero(~outside).tolist()
    misfits = _price_misfits(sums, side)
    covers: list[tuple[float, float, tuple[Cells, ...]]] = []
    for of_walls, cages in _list_covers(pairs, inside, side):
        loss = of_walls + (against + _price_places(cages, shown))
        covers.append((loss + _price_sums(cages, misfits), loss, cages))
    if not covers:
        seen = _join_cells(pairs, set(), inside)
        return WalledCages(tuple(cells for cells in seen if len(cells) <= side))
    covers.sort()
    best, loss, cages = covers[0]
    if loss > _MOST_LOSS:
        return WalledCages(cages)
    near = [(with_sums, cover) for with_sums, _, cover in covers if with_sums - best < COVER_GAP]
    return WalledCages(cages, tuple(near))


def _find_outside(odds: Logs, shown: Logs) -> npt.NDArray[np.bool_]:
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
    for cells in _join_cells(weights, set(), range(len(odds))):
        is_border = ~np.isin(others[list(cells)], cells)
        sum_shown = float(shown[list(cells)].max())
        if sum_shown < 0 and odds[list(cells)][is_border].sum() + sum_shown <= -_DOUBTFUL:
            outside[list(cells)] = True
    return outside


def _price_borders(odds: Logs, outside: npt.NDArray[np.bool_]) -> float:
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
    pairs: Sequence[Wall], inside: Sequence[int], side: int
) -> Iterator[tuple[float, tuple[Cells, ...]]]:
    """Yield the cages that walls enclose, whichever way the doubtful ones were seen.

    Each comes with the nats that are lost for walls that were seen wrong.

    Args:
        pairs: the wall between each two neighbours.
        inside: cells that lie in cages.
        side: of the board.
    """
    by_doubt = sorted(range(len(pairs)), key=lambda index: abs(pairs[index].odds))
    doubtful = [i for i in by_doubt[:_MOST_DOUBTFUL] if abs(pairs[i].odds) < _DOUBTFUL]
    for loss, flipped in _choose_flips([abs(pairs[index].odds) for index in doubtful]):
        changed = {doubtful[place] for place in flipped}
        cages = _join_cells(pairs, changed, inside)
        if _is_cover(cages, pairs, changed, side):
            yield loss, cages


def _choose_flips(prices: Sequence[float]) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Yield sets of walls that are seen wrong, and their price in nats, up to `_MOST_LOSS`."""

    def extend(start: int, price: float, chosen: Cells) -> Iterator[tuple[float, Cells]]:
        yield price, chosen
        for place in range(start, len(prices)):
            if price + prices[place] <= _MOST_LOSS + COVER_GAP:
                yield from extend(place + 1, price + prices[place], (*chosen, place))

    yield from extend(0, 0.0, ())


def _join_cells(
    pairs: Sequence[Wall], changed: set[int], cells: Sequence[int]
) -> tuple[Cells, ...]:
    """Return the cells that no wall parts, where some are not as they were seen."""
    owner = {cell: cell for cell in cells}

    def find(cell: int) -> int:
        while owner[cell] != cell:
            owner[cell] = owner[owner[cell]]
            cell = owner[cell]
        return cell

    for index, pair in enumerate(pairs):
        if not _is_wall(index, pair, changed):
            one, other = find(pair.one), find(pair.other)
            owner[max(one, other)] = min(one, other)
    members: dict[int, list[int]] = {}
    for cell in cells:
        members.setdefault(find(cell), []).append(cell)
    return tuple(tuple(joined) for _, joined in sorted(members.items()))


def _is_cover(cages: Sequence[Cells], pairs: Sequence[Wall], changed: set[int], side: int) -> bool:
    """Tell whether no cage has more cells than there are digits, and no wall ends within one."""
    if max(map(len, cages), default=0) > side:
        return False
    cage_of = {cell: number for number, cells in enumerate(cages) for cell in cells}
    return not any(
        _is_wall(index, pair, changed) and cage_of[pair.one] == cage_of[pair.other]
        for index, pair in enumerate(pairs)
    )


def _is_wall(index: int, pair: Wall, changed: set[int]) -> bool:
    return (pair.odds > 0) != (index in changed)


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


def _price_places(cages: Sequence[Cells], shown: Floats) -> float:
    """Return the nats that are lost where a first cell shows no sum, or another cell shows one."""
    wanted = np.full(len(shown), -1.0)
    wanted[[cells[0] for cells in cages]] = 1
    return float(np.clip(-wanted * shown, 0, None).sum())


def _price_sums(cages: Sequence[Cells], misfits: Floats) -> float:
    """Return the nats that are lost where sums do not fit the sizes of their cages."""
    return float(misfits[[cells[0] for cells in cages], [len(cells) for cells in cages]].sum())
