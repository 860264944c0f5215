"""Steps from the strong links of one digit: simple colouring, and X-chains of two or three links.

A strong link joins two places, or two groups of places, that hold all places of the digit in a
unit: one of them has it. Colouring gives places that are right or wrong together one of two
colours. Two links whose near ends see each other have the digit in one of their far ends.
"""

from collections.abc import Iterator
from typing import NamedTuple

from solver.human.masks import RuleMasks, UnitKind
from solver.human.position import Position, Step, Technique, make_step, rate_chain, removals_of
from solver.human.reasons import COLOUR_SEEN, COLOUR_WRONG, LINKS, PAIRS
from solver.layout import bits_of


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
                        masks,
                        Technique.SIMPLE_COLOURING,
                        why=COLOUR_WRONG,
                        cells_one=right,
                        cells_two=wrong,
                        cells=one | two,
                        removals=removals_of(digit, wrong),
                    )
            seen_by_one, seen_by_two = _seen_by_any(one, masks), _seen_by_any(two, masks)
            removed = places & seen_by_one & seen_by_two & ~(one | two)
            if removed:
                yield make_step(
                    masks,
                    Technique.SIMPLE_COLOURING,
                    why=COLOUR_SEEN,
                    cells_one=one,
                    cells_two=two,
                    cells=one | two,
                    removals=removals_of(digit, removed),
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
                        masks,
                        Technique.REMOTE_PAIR,
                        why=PAIRS,
                        chain=path,
                        digits=candidates,
                        cells_ends=1 << start | 1 << path[-1],
                        cells=sum(1 << cell for cell in path),
                        removals=removals,
                        rating=rate_chain(Technique.REMOTE_PAIR, 2 * len(path) + 1),
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


class StrongLink(NamedTuple):
    """One of two places, or groups of places, has the digit.

    Attributes:
        unit: where it holds.
        start: as a mask.
        end: as a mask.
        seen_by_start: the cells that see all of the start, as a mask.
        seen_by_end: the cells that see all of the end, as a mask.
    """

    unit: int
    start: int
    end: int
    seen_by_start: int
    seen_by_end: int

    @property
    def is_single(self) -> bool:
        """Whether both ends are single cells."""
        return self.start.bit_count() == self.end.bit_count() == 1


def _find_strong_links(places: int, masks: RuleMasks) -> list[StrongLink]:
    """Return the strong links on a digit, each in both directions, those of single cells first."""
    links = []
    for unit, mask in enumerate(masks.full_masks):
        inside = places & mask
        if inside.bit_count() < 2:
            continue
        splits: set[tuple[int, int]] = set()
        if inside.bit_count() == 2:
            low = inside & -inside
            splits.add((low, inside ^ low))
        for crossed in masks.crossed[unit]:
            start = inside & crossed
            rest = inside & ~start
            if not start or not rest:
                continue
            if any(not rest & ~other for other in masks.crossed[unit]) or rest.bit_count() == 1:
                splits.add((min(start, rest), max(start, rest)))
        for one, two in sorted(splits):
            seen_by_one, seen_by_two = masks.peers_of_all(one), masks.peers_of_all(two)
            links.append(StrongLink(unit, one, two, seen_by_one, seen_by_two))
            links.append(StrongLink(unit, two, one, seen_by_two, seen_by_one))
    return sorted(links, key=lambda link: not link.is_single)


def find_turbot_fish(position: Position) -> Iterator[Step]:
    """Find X-chains of two strong links: skyscrapers, two-string kites and other turbot fish."""
    steps = []
    for digit, places in enumerate(position.digits):
        links = _find_strong_links(places, position.masks)
        for first in links:
            for second in links:
                if first.unit != second.unit and not second.start & ~first.seen_by_end:
                    removed = places & first.seen_by_start & second.seen_by_end
                    if removed:
                        pair = first, second
                        technique = _name_turbot(*pair, position.masks)
                        steps.append(_make(technique, digit, pair, removed, position.masks))
    yield from sorted(steps, key=lambda step: step.rating)


def find_three_strong_links(position: Position, *, grouped: bool) -> Iterator[Step]:
    """Find X-chains of three strong links, of single cells only or with groups."""
    technique = Technique.GROUPED_STRONG_LINKS if grouped else Technique.THREE_STRONG_LINKS
    for digit, places in enumerate(position.digits):
        found = _find_strong_links(places, position.masks)
        links = [link for link in found if grouped or link.is_single]
        for second in links:
            after = [link for link in links if not link.start & ~second.seen_by_end]
            before = [link for link in links if not link.end & ~second.seen_by_start]
            for first in before:
                for third in after:
                    removed = places & first.seen_by_start & third.seen_by_end
                    if removed:
                        chain = first, second, third
                        yield _make(technique, digit, chain, removed, position.masks)


def _name_turbot(first: StrongLink, second: StrongLink, masks: RuleMasks) -> Technique:
    if not first.is_single or not second.is_single:
        return Technique.GROUPED_TURBOT_FISH
    kinds = {masks.unit_names[link.unit].kind for link in (first, second)}
    if kinds in ({UnitKind.ROW}, {UnitKind.COLUMN}):
        return Technique.SKYSCRAPER
    is_kite = kinds == {UnitKind.ROW, UnitKind.COLUMN}
    return Technique.TWO_STRING_KITE if is_kite else Technique.TURBOT_FISH


def _make(
    technique: Technique, digit: int, chain: tuple[StrongLink, ...], removed: int, masks: RuleMasks
) -> Step:
    cells = 0
    for link in chain:
        cells |= link.start | link.end
    return make_step(
        masks,
        technique,
        why=LINKS,
        links=[(link.unit, link.start, link.end) for link in chain],
        cells_one=chain[0].start,
        cells_two=chain[-1].end,
        cells=cells,
        units=[link.unit for link in chain],
        removals=removals_of(digit, removed),
    )
