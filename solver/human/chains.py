"""Wings, and chains: implications between candidates, and what follows along them.

Wings are a few short cells whose every outcome rules one digit out. A weak link: if this candidate
is right, that one is wrong. A strong link: if this one is wrong, that one is right, because they
are the last two of a cell or of a digit in a unit. X-chains, XY-chains, AICs and loops are Sudoku
Explainer's X-cycles and Y-cycles, forcing X-chains and forcing chains. The shortest of a kind is
found by spreading from every candidate.
"""

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from solver.human.masks import RuleMasks
from solver.human.position import Position, Step, Technique, make_step, rate_chain, removals_of
from solver.human.reasons import BRIDGE, ENDS, RING, SURE
from solver.layout import bits_of, mask_of

_WINGS: Final = {4: Technique.WXYZ_WING, 5: Technique.VWXYZ_WING}

_SURCHARGES: Final = {4: {3: 0.1}, 5: {2: 0.1, 3: 0.2, 4: 0.1}}
"""By the size of the set and of its largest cell, as found in puzzles that Sudoku Explainer rated
and that need nothing harder: 90 % of 300 with a WXYZ-wing, 75 % of 100 with a VWXYZ-wing."""


def find_pivot_wings(position: Position, technique: Technique) -> Iterator[Step]:
    """Find a cell XY, or XYZ by the technique XYZ-wing, that sees XZ and YZ: one of them is Z."""
    cells, masks = position.cells, position.masks
    is_xyz = technique is Technique.XYZ_WING
    pairs = position.cells_with(2)
    for pivot in bits_of(position.cells_with(3, 3) if is_xyz else pairs):
        wings = bits_of(pairs & masks.peers[pivot])
        if is_xyz:
            wings = [cell for cell in wings if not cells[cell] & ~cells[pivot]]
        for one, two in combinations(wings, 2):
            common = cells[one] & cells[two]
            if common.bit_count() != 1 or (not is_xyz and cells[one] ^ cells[two] != cells[pivot]):
                continue
            digit = common.bit_length() - 1
            removed = position.digits[digit] & masks.peers[one] & masks.peers[two]
            if is_xyz:
                removed &= masks.peers[pivot]
            if not removed:
                continue
            yield make_step(
                masks,
                technique,
                cells=1 << pivot | 1 << one | 1 << two,
                removals=removals_of(digit, removed),
            )


def find_w_wings(position: Position) -> Iterator[Step]:
    """Find two equal cells XY, of which at most one can be X because of a unit: one is Y."""
    masks, by_candidates = position.masks, dict[int, list[int]]()
    for cell in bits_of(position.cells_with(2)):
        by_candidates.setdefault(position.cells[cell], []).append(cell)
    for candidates, twins in by_candidates.items():
        for one, two in combinations(twins, 2):
            if masks.peers[one] >> two & 1:
                continue
            ends = 1 << one | 1 << two
            for digit in bits_of(candidates):
                other = (candidates ^ 1 << digit).bit_length() - 1
                removed = position.digits[other] & masks.peers[one] & masks.peers[two]
                unit = _find_bridge(position.digits[digit], one, two, masks) if removed else None
                if unit is None:
                    continue
                yield make_step(
                    masks,
                    Technique.W_WING,
                    why=BRIDGE,
                    cells_ends=ends,
                    digits_other=1 << digit,
                    cells=ends | position.digits[digit] & masks.unit_masks[unit],
                    units=[unit],
                    unit=unit,
                    removals=removals_of(other, removed),
                )


def _find_bridge(places: int, one: int, two: int, masks: RuleMasks) -> int | None:
    """Return a unit, holding neither cell, each of whose places sees one of the two."""
    seen = masks.peers[one] | masks.peers[two]
    ends = 1 << one | 1 << two
    for unit, mask in enumerate(masks.full_masks):
        inside = places & mask
        if inside and not inside & ~seen and not inside & ends:
            return unit
    return None


def find_bent_sets(position: Position, size: int) -> Iterator[Step]:
    """Find WXYZ-wings (size 4) or VWXYZ-wings (5), the easiest first.

    They are bent sets: as many cells as candidates, of which all but one are held together. A digit
    whose places in the set all see each other is in the set at most once. If all digits but one are
    so, that one must be in the set too, or the cells would outnumber the digits.
    """
    yield from sorted(_find_wings(position, size), key=lambda step: step.rating)


def _find_wings(position: Position, size: int) -> Iterator[Step]:
    masks = position.masks
    for inside, sure in _find_sets(position, size):
        removals: tuple[tuple[int, int], ...] = ()
        for digit in bits_of(sure):
            seen = masks.peers_of_all(position.digits[digit] & inside)
            removals += removals_of(digit, position.digits[digit] & seen)
        if removals:
            largest = max(position.cells[cell].bit_count() for cell in bits_of(inside))
            surcharge = _SURCHARGES[size].get(largest, 0.0)
            yield make_step(
                masks,
                _WINGS[size],
                cells=inside,
                removals=removals,
                rating=round(_WINGS[size].rating + surcharge, 1),
            )


def _find_sets(position: Position, size: int) -> Iterator[tuple[int, int]]:
    """Yield sets of so many cells and digits, and the digits that each holds for sure, as masks.

    At most one digit is loose: its places in the set do not all see each other.
    """
    cells, peers, units = position.cells, position.masks.peers, position.masks.unit_masks
    digits_at = position.digits
    members = bits_of(position.cells_with(size))

    def grow(
        inside: int, digits: int, loose: int, left: int, start: int
    ) -> Iterator[tuple[int, int]]:
        for at in range(start, len(members) - left + 1):
            cell = members[at]
            union = digits | cells[cell]
            if union.bit_count() > size:
                continue
            unseen = inside & ~peers[cell]
            now_loose = loose
            if unseen:
                for digit in bits_of(cells[cell] & digits & ~loose):
                    if digits_at[digit] & unseen:
                        now_loose |= 1 << digit
                if now_loose & (now_loose - 1):
                    continue
            if left > 1:
                yield from grow(inside | 1 << cell, union, now_loose, left - 1, at + 1)
            elif union.bit_count() == size and _is_wing(cells, inside | 1 << cell, units):
                yield inside | 1 << cell, now_loose or union

    yield from grow(0, 0, 0, size, 0)


def _is_wing(cells: list[int], inside: int, units: tuple[int, ...]) -> bool:
    """Return whether all cells of the set but one, which has two candidates, share a unit."""
    return any(
        cells[cell].bit_count() == 2 and any(not inside & ~(1 << cell) & ~unit for unit in units)
        for cell in bits_of(inside)
    )


class LinkKind(enum.Enum):
    """Which links a chain may use."""

    X = "one digit, either-or in units"
    XY = "cells with two candidates"
    ALL = "both"


@dataclass(frozen=True)
class Links:
    """A position's links of some kind.

    Attributes:
        masks: of the puzzle's rules.
        candidates: all candidates, as one mask.
        weak: for each candidate, those weakly linked to it, as masks.
        strong: for each candidate, those strongly linked to it, as masks.
        linked: the candidates with a strong link, as a mask.
    """

    masks: RuleMasks
    candidates: int
    weak: list[int]
    strong: list[int]
    linked: int


def build_links(position: Position, kind: LinkKind) -> Links:
    """Gather the links of a position."""
    candidates, masks = position.candidates, position.masks
    n_places, planes, weak_masks = masks.n_places, masks.planes, masks.weak
    weak, strong = [0] * len(weak_masks), [0] * len(weak_masks)
    linked = 0
    for n in bits_of(candidates):
        weak[n] = weak_masks[n] & candidates
        if kind is not LinkKind.ALL:
            weak[n] &= planes[n // n_places]
    if kind is not LinkKind.XY:
        for digit, places in enumerate(position.digits):
            for unit in masks.full_masks:
                inside = places & unit
                rest = inside & (inside - 1)
                if rest and not rest & (rest - 1):
                    one, two = bits_of(inside << n_places * digit)
                    strong[one] |= 1 << two
                    strong[two] |= 1 << one
                    linked |= inside << n_places * digit
    if kind is not LinkKind.X:
        for cell in bits_of(position.cells_with(2)):
            one, two = (n_places * digit + cell for digit in bits_of(position.cells[cell]))
            strong[one] |= 1 << two
            strong[two] |= 1 << one
            linked |= 1 << one | 1 << two
    return Links(masks, candidates, weak, strong, linked)


def spread(
    links: Links,
    start: int,
    *,
    is_right: bool,
    goal: int = 0,
    goal_is_right: bool = False,
    most: int | None = None,
    barred: int = 0,
) -> list[int]:
    """Follow all implications of one candidate at once, nearest first.

    Args:
        links: of the position.
        start: the candidate assumed.
        is_right: whether it is assumed right or wrong.
        goal: candidates at which to stop, as a mask.
        goal_is_right: whether they are wanted as right or as wrong.
        most: layers to make; all where None.
        barred: candidates to leave out, as a mask.

    Returns:
        Layers of candidates, a mask each, that follow in so many steps and not in fewer:
        alternately right and wrong, beginning with the start. A goal that was met is in the last.
    """
    layers = [1 << start]
    weak, strong, linked = links.weak, links.strong, links.linked
    right, wrong = (1 << start, barred) if is_right else (barred, 1 << start)
    most = len(weak) if most is None else most
    while len(layers) < most:
        frontier = layers[-1]
        reached = 0
        if is_right:
            while frontier:
                low = frontier & -frontier
                reached |= weak[low.bit_length() - 1]
                frontier ^= low
            reached &= ~wrong
            wrong |= reached
        else:
            frontier &= linked
            while frontier:
                low = frontier & -frontier
                reached |= strong[low.bit_length() - 1]
                frontier ^= low
            reached &= ~right
            right |= reached
        if not reached:
            break
        is_right = not is_right
        layers.append(reached)
        if reached & goal and is_right == goal_is_right:
            break
    return layers


def trace(links: Links, layers: list[int], end: int, *, is_right: bool) -> list[int]:
    """Return the candidates of a shortest path through the layers to one of the last.

    Args:
        links: with which the layers were made.
        layers: from `spread`, cut behind the layer of the end.
        end: a candidate of the last layer.
        is_right: whether the end is right or wrong in that layer.
    """
    path = [end]
    for layer in reversed(layers[:-1]):
        behind = (links.strong if is_right else links.weak)[path[-1]] & layer
        path.append((behind & -behind).bit_length() - 1)
        is_right = not is_right
    return path[::-1]


def tell(path: list[int], *, is_right: bool) -> list[tuple[int, bool]]:
    """Return what is right on a path after its start, and its end, as statements.

    Args:
        path: candidates, alternately right and wrong.
        is_right: whether the first is right.
    """
    told = []
    for at, candidate in enumerate(path[1:], start=1):
        is_now_right = is_right == (at % 2 == 0)
        if is_now_right or at == len(path) - 1:
            told.append((candidate, is_now_right))
    return told


_CHAINS: Final = {
    LinkKind.X: Technique.X_CHAIN,
    LinkKind.XY: Technique.XY_CHAIN,
    LinkKind.ALL: Technique.AIC,
}
_LOOPS: Final = {
    LinkKind.X: Technique.X_CYCLE,
    LinkKind.XY: Technique.XY_CYCLE,
    LinkKind.ALL: Technique.CONTINUOUS_LOOP,
}


def find_chains(position: Position, kind: LinkKind) -> Iterator[Step]:
    """Find the shortest chain in which a candidate leads to its own opposite."""
    links = build_links(position, kind)
    best: list[int] = []
    best_is_right = False
    most = len(links.weak)
    for start in bits_of(links.candidates):
        for is_right in (True, False):
            if not is_right and not links.linked >> start & 1:
                continue
            layers = spread(
                links,
                start,
                is_right=is_right,
                goal=1 << start,
                goal_is_right=not is_right,
                most=most,
            )
            ends_right = is_right == (len(layers) % 2 == 1)
            if len(layers) > 1 and layers[-1] >> start & 1 and ends_right != is_right:
                best, best_is_right = trace(links, layers, start, is_right=ends_right), is_right
                most = len(layers) - 1
    if best:
        yield _make_chain(links, best, best_is_right, _CHAINS[kind])


def find_loops(position: Position, kind: LinkKind) -> Iterator[Step]:
    """Find the shortest chain that closes to a loop and rules something out."""
    links = build_links(position, kind)
    best: tuple[list[int], int] | None = None
    most = len(links.weak)
    for first in bits_of(links.linked):
        for second in bits_of(links.strong[first]):
            if second < first:
                continue
            path = _close(links, first, second, most)
            removed = _ruled_out(links, path) if path else 0
            if removed:
                best = path, removed
                most = len(path) - 1
    if best:
        path, removed = best
        technique, masks = _LOOPS[kind], links.masks
        yield make_step(
            masks,
            technique,
            why=RING,
            start=(path[0], True),
            then=tell([*path, path[0]], is_right=True),
            cells=masks.cells_of(path),
            removals=map(masks.place_of, bits_of(removed)),
            rating=rate_chain(technique, len(path)),
        )


def _close(links: Links, first: int, second: int, most: int) -> list[int]:
    """Return a shortest loop over the strong link from first to second, or nothing.

    The loop begins with the second candidate, which is right, goes on alternately and ends with
    the first, which is wrong.
    """
    goal = links.weak[first] & ~(1 << second)
    layers = spread(
        links,
        second,
        is_right=True,
        goal=goal,
        goal_is_right=True,
        most=most - 1,
        barred=1 << first,
    )
    ends = layers[-1] & goal
    if len(layers) % 2 == 0 or len(layers) < 3 or not ends:
        return []
    path = trace(links, layers, (ends & -ends).bit_length() - 1, is_right=True)
    path.append(first)
    return path if len(set(path)) == len(path) else []


def _ruled_out(links: Links, path: list[int]) -> int:
    """Return what both ends of some weak link of the loop rule out, as a mask."""
    removed = 0
    for at in range(0, len(path), 2):
        removed |= links.candidates & _weak(links, path[at]) & _weak(links, path[at + 1])
    return removed & ~mask_of(path)


def _make_chain(links: Links, path: list[int], is_right: bool, technique: Technique) -> Step:
    start, masks = path[0], links.masks
    rating = rate_chain(technique, len(path))
    if not is_right:
        return make_step(
            masks,
            technique,
            why=SURE,
            start=(start, False),
            then=tell(path, is_right=False),
            target=(start, True),
            cells=masks.cells_of(path),
            placement=masks.place_of(start),
            rating=rating,
        )
    ends = path[1], path[-2]
    removed = links.candidates & _weak(links, ends[0]) & _weak(links, ends[1])
    return make_step(
        masks,
        technique,
        why=ENDS,
        start=(ends[0], False),
        then=tell(path[1:-1], is_right=False),
        first=(ends[0], True),
        second=(ends[1], True),
        cells=masks.cells_of(path[1:-1]),
        removals=map(masks.place_of, bits_of(removed)),
        rating=rating,
    )


def _weak(links: Links, candidate: int) -> int:
    """Return what a candidate rules out by any rule, not only by the links of this kind."""
    return links.masks.weak[candidate] & links.candidates
