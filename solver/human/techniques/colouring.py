"""Colouring: places for a digit that are right or wrong together, in two colours."""

from collections.abc import Iterator

from solver.human.masks import PEER_MASKS, UNIT_CELLS, UNIT_MASKS, bits_of
from solver.human.position import Position
from solver.human.step import Step, make_step, name_cell, name_cells, name_digits, removals_of
from solver.human.technique import Technique, rate_chain


def find_simple_colourings(position: Position) -> Iterator[Step]:
    """Find digits whose either-or pairs, coloured in turn, rule out a colour or a cell.

    Source: the colouring of either-or pairs, known from forums since 2005 and described in
    A. Stuart, "The Logic of Sudoku" (2007).
    """
    for digit, places in enumerate(position.digits):
        for one, two in _colour(_either_or_pairs(places)):
            for wrong, right in ((one, two), (two, one)):
                if any((wrong & unit).bit_count() > 1 for unit in UNIT_MASKS):
                    yield make_step(
                        Technique.SIMPLE_COLOURING,
                        because=f"{digit + 1} stands either in all of {name_cells(right)} or in "
                        f"all of {name_cells(wrong)}, and two of the latter see each other, so "
                        "it stands in none of them",
                        cells=one | two,
                        removals=removals_of(digit, wrong),
                    )
            seen_by_one, seen_by_two = _seen_by_any(one), _seen_by_any(two)
            removed = places & seen_by_one & seen_by_two & ~(one | two)
            if removed:
                yield make_step(
                    Technique.SIMPLE_COLOURING,
                    because=f"{digit + 1} stands either in all of {name_cells(one)} or in all of "
                    f"{name_cells(two)}, so no cell that sees one of each can hold it",
                    cells=one | two,
                    removals=removals_of(digit, removed),
                )


def find_remote_pairs(position: Position) -> Iterator[Step]:
    """Find chains of four or more cells with the same two candidates, which alternate."""
    by_candidates: dict[int, int] = {}
    for cell in bits_of(position.cells_with(2)):
        candidates = position.cells[cell]
        by_candidates[candidates] = by_candidates.get(candidates, 0) | 1 << cell
    for candidates, twins in by_candidates.items():
        if twins.bit_count() < 4:
            continue
        for start in bits_of(twins):
            for path in _paths_to(twins, start):
                if len(path) < 4 or len(path) % 2:
                    continue
                removals = position.removals(PEER_MASKS[start] & PEER_MASKS[path[-1]], candidates)
                removals = tuple(item for item in removals if not twins >> item[0] & 1)
                if removals:
                    yield make_step(
                        Technique.REMOTE_PAIR,
                        because=f"Along {' – '.join(map(name_cell, path))}, "
                        f"{name_digits(candidates)} take turns, so {name_cell(start)} and "
                        f"{name_cell(path[-1])} hold one each and no cell that sees both can "
                        "hold either",
                        cells=sum(1 << cell for cell in path),
                        removals=removals,
                        rating=rate_chain(Technique.REMOTE_PAIR, 2 * len(path) + 1),
                    )


def _either_or_pairs(places: int) -> dict[int, int]:
    """Return, for each cell that is one of two places in a unit, its partners as 81 bits."""
    partners: dict[int, int] = {}
    for cells in UNIT_CELLS:
        inside = [cell for cell in cells if places >> cell & 1]
        if len(inside) == 2:
            one, two = inside
            partners[one] = partners.get(one, 0) | 1 << two
            partners[two] = partners.get(two, 0) | 1 << one
    return partners


def _colour(partners: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the two colours of each connected part, as 81 bits."""
    left = set(partners)
    while left:
        colours = [1 << min(left), 0]
        turn, frontier = 0, colours[0]
        while frontier:
            reached = 0
            for cell in bits_of(frontier):
                left.discard(cell)
                reached |= partners[cell]
            turn = 1 - turn
            frontier = reached & ~colours[turn]
            colours[turn] |= reached
        yield colours[0], colours[1]


def _seen_by_any(cells: int) -> int:
    seen = 0
    for cell in bits_of(cells):
        seen |= PEER_MASKS[cell]
    return seen


def _paths_to(twins: int, start: int) -> Iterator[list[int]]:
    """Yield a shortest path from the start to each cell that it reaches through peers."""
    paths = [[start]]
    unseen = twins & ~(1 << start)
    for path in paths:
        near = unseen & PEER_MASKS[path[-1]]
        unseen &= ~near
        paths.extend([*path, cell] for cell in bits_of(near))
    yield from paths
