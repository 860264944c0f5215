"""X-chains of two or three strong links on one digit, whose ends may be groups of cells.

A strong link joins two places, or two groups of places, that hold all places of the digit in a
unit: one of them has it. Two links whose near ends see each other have the digit in one of their
far ends.
"""

from collections.abc import Iterator
from typing import NamedTuple

from solver.human.masks import RuleMasks, UnitKind
from solver.human.position import Position
from solver.human.step import Step, make_step, name_cells, name_digit, name_units, removals_of
from solver.human.technique import Technique


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


def find_strong_links(places: int, masks: RuleMasks) -> list[StrongLink]:
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
        links = find_strong_links(places, position.masks)
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
        found = find_strong_links(places, position.masks)
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
    technique: Technique,
    digit: int,
    chain: tuple[StrongLink, ...],
    removed: int,
    masks: RuleMasks,
) -> Step:
    text = "; ".join(
        f"in {name_units([link.unit], masks)} it fits only in "
        f"{name_cells(link.start, 'or', masks)} or in {name_cells(link.end, 'or', masks)}"
        for link in chain
    )
    cells = 0
    for link in chain:
        cells |= link.start | link.end
    return make_step(
        technique,
        because=f"Follow {name_digit(digit)}: {text}; so it stands at one end of this chain, and "
        f"no cell that sees both {name_cells(chain[0].start, 'and', masks)} and "
        f"{name_cells(chain[-1].end, 'and', masks)} can hold it",
        cells=cells,
        units=[link.unit for link in chain],
        removals=removals_of(digit, removed),
        masks=masks,
    )
