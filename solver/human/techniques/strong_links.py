"""X-chains of two or three strong links on one digit, whose ends may be groups of cells.

A strong link joins two places, or two groups of places, that hold all places of the digit in a
unit: one of them has it. Two links whose near ends see each other have the digit in one of their
far ends.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from solver.human.masks import UNIT_MASKS, peers_of_all
from solver.human.position import Position
from solver.human.step import Step, make_step, name_cells, name_units, removals_of
from solver.human.technique import Technique


class StrongLink(NamedTuple):
    """One of two places, or groups of places, has the digit.

    Attributes:
        unit: where it holds.
        start: 81 bits.
        end: 81 bits.
        seen_by_start: the cells that see all of the start, 81 bits.
        seen_by_end: the cells that see all of the end, 81 bits.
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


_CROSSED: Final = tuple(
    tuple(
        UNIT_MASKS[other]
        for other in range(27)
        if (other < 18) != (unit < 18) and UNIT_MASKS[other] & UNIT_MASKS[unit]
    )
    for unit in range(27)
)
"""The boxes that a line crosses, and the lines that cross a box."""


def find_strong_links(places: int) -> list[StrongLink]:
    """Return the strong links on a digit, each in both directions, those of single cells first."""
    links = []
    for unit, mask in enumerate(UNIT_MASKS):
        inside = places & mask
        if inside.bit_count() < 2:
            continue
        splits: set[tuple[int, int]] = set()
        if inside.bit_count() == 2:
            low = inside & -inside
            splits.add((low, inside ^ low))
        for crossed in _CROSSED[unit]:
            start = inside & crossed
            rest = inside & ~start
            if not start or not rest:
                continue
            if any(not rest & ~other for other in _CROSSED[unit]) or rest.bit_count() == 1:
                splits.add((min(start, rest), max(start, rest)))
        for one, two in sorted(splits):
            seen_by_one, seen_by_two = peers_of_all(one), peers_of_all(two)
            links.append(StrongLink(unit, one, two, seen_by_one, seen_by_two))
            links.append(StrongLink(unit, two, one, seen_by_two, seen_by_one))
    return sorted(links, key=lambda link: not link.is_single)


def find_turbot_fish(position: Position) -> Iterator[Step]:
    """Find X-chains of two strong links: skyscrapers, two-string kites and other turbot fish."""
    steps = []
    for digit, places in enumerate(position.digits):
        links = find_strong_links(places)
        for first in links:
            for second in links:
                if first.unit != second.unit and not second.start & ~first.seen_by_end:
                    removed = places & first.seen_by_start & second.seen_by_end
                    if removed:
                        pair = first, second
                        steps.append(_make(_name_turbot(*pair), digit, pair, removed))
    yield from sorted(steps, key=lambda step: step.rating)


def find_three_strong_links(position: Position, *, grouped: bool) -> Iterator[Step]:
    """Find X-chains of three strong links, of single cells only or with groups."""
    technique = Technique.GROUPED_STRONG_LINKS if grouped else Technique.THREE_STRONG_LINKS
    for digit, places in enumerate(position.digits):
        links = [link for link in find_strong_links(places) if grouped or link.is_single]
        for second in links:
            after = [link for link in links if not link.start & ~second.seen_by_end]
            before = [link for link in links if not link.end & ~second.seen_by_start]
            for first in before:
                for third in after:
                    removed = places & first.seen_by_start & third.seen_by_end
                    if removed:
                        yield _make(technique, digit, (first, second, third), removed)


def _name_turbot(first: StrongLink, second: StrongLink) -> Technique:
    if not first.is_single or not second.is_single:
        return Technique.GROUPED_TURBOT_FISH
    kinds = {first.unit // 9, second.unit // 9}
    if kinds in ({0}, {1}):
        return Technique.SKYSCRAPER
    return Technique.TWO_STRING_KITE if kinds == {0, 1} else Technique.TURBOT_FISH


def _make(
    technique: Technique,
    digit: int,
    chain: tuple[StrongLink, ...],
    removed: int,
) -> Step:
    text = "; ".join(
        f"in {name_units([link.unit])} it fits only in {name_cells(link.start, 'or')} or in "
        f"{name_cells(link.end, 'or')}"
        for link in chain
    )
    cells = 0
    for link in chain:
        cells |= link.start | link.end
    return make_step(
        technique,
        because=f"Follow {digit + 1}: {text}; so it stands at one end of this chain, and no cell "
        f"that sees both {name_cells(chain[0].start, 'and')} and "
        f"{name_cells(chain[-1].end, 'and')} can hold it",
        cells=cells,
        units=[link.unit for link in chain],
        removals=removals_of(digit, removed),
    )
