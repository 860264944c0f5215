"""Forcing chains: every candidate of a cell, or every place for a digit, leads to the same."""

from collections.abc import Iterator

from solver.human.links import Kind, Links, build_links, spread, state, tell, trace
from solver.human.masks import RuleMasks, bits_of
from solver.human.position import Position
from solver.human.step import Step, make_step, name_cell, name_digit, name_unit
from solver.human.technique import Technique, rate_chain


def find_forcing_chains(position: Position) -> Iterator[Step]:
    """Find the cell or unit forcing chain with fewest statements in all its branches."""
    links = build_links(position, Kind.ALL)
    layers = {n: spread(links, n, is_right=True) for n in bits_of(links.candidates)}
    reached = {n: _merge(of_start) for n, of_start in layers.items()}
    best: tuple[int, int, bool, list[int]] | None = None
    for branches in find_branches(position):
        for is_right in (False, True):
            common = -1
            for n in branches:
                common &= reached[n][is_right]
                if not common:
                    break
            for target in bits_of(common):
                size = sum(_depth(layers[n], target, is_right) for n in branches)
                if best is None or size < best[0]:
                    best = size, target, is_right, branches
    if best:
        yield _make(links, layers, *best)


def find_branches(position: Position) -> Iterator[list[int]]:
    """Yield the candidates of which one must be right: of each cell, of each digit in a unit."""
    masks = position.masks
    for cell, candidates in enumerate(position.cells):
        if candidates.bit_count() > 2:
            yield [masks.n_places * digit + cell for digit in bits_of(candidates)]
    for digit, places in enumerate(position.digits):
        for unit in masks.full_masks:
            if (places & unit).bit_count() > 2:
                yield [masks.n_places * digit + cell for cell in bits_of(places & unit)]


def name_branches(branches: list[int], masks: RuleMasks) -> tuple[Technique, str, list[int]]:
    """Return the technique, the choice in words, and the units that it concerns."""
    cells = {n % masks.n_places for n in branches}
    if len(cells) == 1:
        return Technique.CELL_FORCING, f"Whatever digit {name_cell(min(cells), masks)} takes", []
    units = [
        unit
        for unit, mask in enumerate(masks.full_masks)
        if all(mask >> cell & 1 for cell in cells)
    ]
    digit = name_digit(branches[0] // masks.n_places)
    where = f"Wherever {digit} goes in {name_unit(units[-1], masks)}"
    return Technique.UNIT_FORCING, where, units[-1:]


def _merge(layers: list[int]) -> tuple[int, int]:
    """Return all that is wrong and all that is right in layers that begin right."""
    right = wrong = 0
    for layer in layers[::2]:
        right |= layer
    for layer in layers[1::2]:
        wrong |= layer
    return wrong, right


def _depth(layers: list[int], target: int, is_right: bool) -> int:
    return next(at + 1 for at in range(not is_right, len(layers), 2) if layers[at] >> target & 1)


def _make(
    links: Links,
    layers: dict[int, list[int]],
    size: int,
    target: int,
    is_right: bool,
    branches: list[int],
) -> Step:
    masks = links.masks
    technique, choice, units = name_branches(branches, masks)
    told = []
    cells = 0
    for n in branches:
        of_branch = layers[n][: _depth(layers[n], target, is_right)]
        path = trace(links, of_branch, target, is_right=is_right)
        for candidate in path:
            cells |= 1 << candidate % masks.n_places
        told.append(
            f"if {state(n, True, masks)}, then {tell(path, True, masks)}"
            if len(path) > 1
            else state(n, True, masks)
        )
    cell, digit = target % masks.n_places, target // masks.n_places + 1
    return make_step(
        technique,
        because=f"{choice}, {state(target, is_right, masks)}: {'; '.join(told)}",
        cells=cells,
        units=units,
        placement=(cell, digit) if is_right else None,
        removals=[] if is_right else [(cell, digit)],
        rating=rate_chain(technique, size),
        masks=masks,
    )
