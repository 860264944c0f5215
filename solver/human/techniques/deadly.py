"""Deadly patterns: cells around which two digits could be swapped, were nothing else in them.

A unique rectangle has four such cells; a unique loop is a ring of more, of which every unit that
it touches has two, next to each other in it. The digits would be swapped into a second solution,
so in a puzzle that has only one, something else is in one of the cells.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Final, NamedTuple

from solver.human.masks import PEER_MASKS, UNIT_MASKS, bits_of, mask_of
from solver.human.position import Position
from solver.human.step import name_cells, name_digits

_LONGEST: Final = 10

_CORNERS: Final = tuple(
    (9 * top + left, 9 * top + right, 9 * bottom + left, 9 * bottom + right)
    for top, bottom in combinations(range(9), 2)
    for left, right in combinations(range(9), 2)
    if (top // 3 == bottom // 3) != (left // 3 == right // 3)
)


class DeadlyPattern(NamedTuple):
    """Cells that all hold the same two candidates, and maybe more.

    Attributes:
        pair: the two digits, nine bits.
        floor: the cells that hold nothing else, 81 bits.
        roof: the cells that hold more.
        corners: all of them.
    """

    pair: int
    floor: int
    roof: int
    corners: tuple[int, ...]

    @property
    def warning(self) -> str:
        """What would follow if nothing else stood there, as the beginning of a sentence."""
        return (
            f"If {name_cells(sorted(self.corners))} held only {name_digits(self.pair)}, these "
            "could be swapped for a second solution"
        )


def find_rectangles(position: Position) -> Iterator[DeadlyPattern]:
    """Find four cells in two rows, two columns and two boxes, one or more of them pure."""
    cells = position.cells
    for corners in _CORNERS:
        a, b, c, d = corners
        common = cells[a] & cells[b] & cells[c] & cells[d]
        if common.bit_count() < 2:
            continue
        for low, high in combinations(bits_of(common), 2):
            pair = 1 << low | 1 << high
            floor = mask_of(cell for cell in corners if cells[cell] == pair)
            if floor:
                yield DeadlyPattern(pair, floor, mask_of(corners) & ~floor, corners)


def find_rings(position: Position) -> Iterator[DeadlyPattern]:
    """Find rings of six to ten cells, at most two of which hold more than the two digits."""
    for low, high in combinations(range(9), 2):
        pair = 1 << low | 1 << high
        members = position.digits[low] & position.digits[high]
        if members.bit_count() < 6:
            continue
        pure = mask_of(cell for cell in bits_of(members) if position.cells[cell] == pair)
        if pure.bit_count() < 4:
            continue
        seen = set()
        for start in bits_of(pure):
            for ring in _walk((start,), members, pure, 0):
                cells = mask_of(ring)
                if cells not in seen and _is_deadly(ring):
                    seen.add(cells)
                    yield DeadlyPattern(pair, cells & pure, cells & ~pure, ring)


def _walk(path: tuple[int, ...], members: int, pure: int, roof: int) -> Iterator[tuple[int, ...]]:
    """Yield rings that go on from a path, whose start is the lowest of their pure cells."""
    if len(path) >= 6 and len(path) % 2 == 0 and PEER_MASKS[path[-1]] >> path[0] & 1:
        yield path
    if len(path) == _LONGEST:
        return
    lower = pure & (1 << path[0]) - 1
    for cell in bits_of(members & PEER_MASKS[path[-1]] & ~lower & ~mask_of(path)):
        now_roof = roof + (not pure >> cell & 1)
        if now_roof <= 2 and not _crowds((*path, cell)):
            yield from _walk((*path, cell), members, pure, now_roof)


def _crowds(path: tuple[int, ...]) -> bool:
    """Return whether a unit has three cells of the path."""
    cells = mask_of(path)
    return any((cells & unit).bit_count() > 2 for unit in UNIT_MASKS)


def _is_deadly(ring: tuple[int, ...]) -> bool:
    """Return whether each unit has none of the ring, or one cell of either parity."""
    even, odd = mask_of(ring[::2]), mask_of(ring[1::2])
    return all((even & unit).bit_count() == (odd & unit).bit_count() < 2 for unit in UNIT_MASKS)
