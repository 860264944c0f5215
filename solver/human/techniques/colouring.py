"""Colouring: places for a digit that are right or wrong together, in two colours."""

from collections.abc import Iterator

from solver.human.masks import RuleMasks, bits_of
from solver.human.position import Position
from solver.human.step import (
    Step,
    make_step,
    name_cell,
    name_cells,
    name_digit,
    name_digits,
    removals_of,
)
from solver.human.technique import Technique, rate_chain


def find_simple_colourings(position: Position) -> Iterator[Step]:
    """Find digits whose either-or pairs, coloured in turn, rule out a colour or a cell.

    Source: the colouring of either-or pairs, known from forums since 2005 and described in
    A. Stuart, "The Logic of Sudoku" (2007).
    """
    masks = position.masks
    for digit, places in enumerate(position.digits):
        for one, two in _colour(_either_or_pairs(places, masks)):
            for wrong, right in ((one, two), (two, one)):
                if any((wrong & unit).bit_count() > 1 for unit in masks.unit_masks):
                    yield make_step(
                        Technique.SIMPLE_COLOURING,
                        because=f"{name_digit(digit)} stands either in all of "
                        f"{name_cells(right, masks=masks)} or in all of "
                        f"{name_cells(wrong, masks=masks)}, and two of the latter see each "
                        "other, so it stands in none of them",
                        cells=one | two,
                        removals=removals_of(digit, wrong),
                        masks=masks,
                    )
            seen_by_one, seen_by_two = _seen_by_any(one, masks), _seen_by_any(two, masks)
            removed = places & seen_by_one & seen_by_two & ~(one | two)
            if removed:
                yield make_step(
                    Technique.SIMPLE_COLOURING,
                    because=f"{name_digit(digit)} stands either in all of "
                    f"{name_cells(one, masks=masks)} or in all of {name_cells(two, masks=masks)}, "
                    "so no cell that sees one of each can hold it",
                    cells=one | two,
                    removals=removals_of(digit, removed),
                    masks=masks,
                )


def find_remote_pairs(position: Position) -> Iterator[Step]:
    """Find chains of four or more cells with the same two candidates, which alternate."""
    masks, by_candidates = position.masks, dict[int, int]()
    for cell in bits_of(position.cells_with(2)):
        candidates = position.cells[cell]
        by_candidates[candidates] = by_candidates.get(candidates, 0) | 1 << cell
    for candidates, twins in by_candidates.items():
        if twins.bit_count() < 4:
            continue
        for start in bits_of(twins):
            for path in _paths_to(twins, start, masks.peers):
                if len(path) < 4 or len(path) % 2:
                    continue
                removals = position.removals(masks.peers[start] & masks.peers[path[-1]], candidates)
                removals = tuple(item for item in removals if not twins >> item[0] & 1)
                if removals:
                    yield make_step(
                        Technique.REMOTE_PAIR,
                        because=f"Along {' – '.join(name_cell(cell, masks) for cell in path)}, "
                        f"{name_digits(candidates)} take turns, so {name_cell(start, masks)} and "
                        f"{name_cell(path[-1], masks)} hold one each and no cell that sees both "
                        "can hold either",
                        cells=sum(1 << cell for cell in path),
                        removals=removals,
                        rating=rate_chain(Technique.REMOTE_PAIR, 2 * len(path) + 1),
                        masks=masks,
                    )


def _either_or_pairs(places: int, masks: RuleMasks) -> dict[int, int]:
    """Return, for each cell that is one of two places in a unit, its partners as a mask."""
    partners: dict[int, int] = {}
    for cells in masks.rules.units:
        inside = [cell for cell in cells if places >> cell & 1]
        if len(inside) == 2:
            one, two = inside
            partners[one] = partners.get(one, 0) | 1 << two
            partners[two] = partners.get(two, 0) | 1 << one
    return partners


def _colour(partners: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the two colours of each connected part, as masks."""
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


def _seen_by_any(cells: int, masks: RuleMasks) -> int:
    seen = 0
    for cell in bits_of(cells):
        seen |= masks.peers[cell]
    return seen


def _paths_to(twins: int, start: int, peers: tuple[int, ...]) -> Iterator[list[int]]:
    """Yield a shortest path from the start to each cell that it reaches through peers."""
    paths = [[start]]
    unseen = twins & ~(1 << start)
    for path in paths:
        near = unseen & peers[path[-1]]
        unseen &= ~near
        paths.extend([*path, cell] for cell in bits_of(near))
    yield from paths
