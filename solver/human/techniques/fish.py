"""Fish: a digit that in so many lines is confined to as many crossing lines."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from solver.human.position import Position
from solver.human.step import Step, make_step, name_digit, name_units, removals_of
from solver.human.technique import Technique

_FISH: Final = {2: Technique.X_WING, 3: Technique.SWORDFISH, 4: Technique.JELLYFISH}


def find_fish(position: Position, size: int) -> Iterator[Step]:
    """Find X-wings (2), swordfish (3) or jellyfish (4), from rows and from columns."""
    masks = position.masks
    unit_masks = masks.unit_masks
    ways = [way for rows, columns in masks.lines for way in ((rows, columns), (columns, rows))]
    for digit, places in enumerate(position.digits):
        for base_units, cover_units in ways:
            # Covers of a base line as bits.
            covers = {}
            for base in base_units:
                in_base = places & unit_masks[base]
                if 1 < in_base.bit_count() <= size:
                    covers[base] = sum(
                        1 << at
                        for at, cover in enumerate(cover_units)
                        if in_base & unit_masks[cover]
                    )
            for bases in combinations(covers, size):
                union = 0
                for base in bases:
                    union |= covers[base]
                if union.bit_count() != size:
                    continue
                chosen = [cover for at, cover in enumerate(cover_units) if union >> at & 1]
                in_bases = sum(unit_masks[base] for base in bases)
                in_covers = sum(unit_masks[cover] for cover in chosen)
                removed = places & in_covers & ~in_bases
                if removed:
                    yield make_step(
                        _FISH[size],
                        because=f"In {name_units(bases, masks)}, {name_digit(digit)} fits only in "
                        f"{name_units(chosen, masks)} and so takes all of these, which bars it "
                        f"from their other cells",
                        cells=places & in_bases,
                        units=(*bases, *chosen),
                        removals=removals_of(digit, removed),
                        masks=masks,
                    )
