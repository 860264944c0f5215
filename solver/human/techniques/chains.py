"""Alternating inference chains: X-chains, XY-chains, AICs, and those that close to loops.

Sudoku Explainer's X-cycles and Y-cycles, forcing X-chains and forcing chains. The shortest of a
kind is found by spreading from every candidate.
"""

from collections.abc import Iterator
from typing import Final

from solver.human.links import Kind, Links, build_links, spread, state, tell, trace
from solver.human.masks import RuleMasks
from solver.human.position import Position
from solver.human.step import Step, Technique, make_step, rate_chain
from solver.layout import bits_of

_CHAINS: Final = {
    Kind.X: Technique.X_CHAIN,
    Kind.XY: Technique.XY_CHAIN,
    Kind.ALL: Technique.AIC,
}
_LOOPS: Final = {
    Kind.X: Technique.X_CYCLE,
    Kind.XY: Technique.XY_CYCLE,
    Kind.ALL: Technique.CONTINUOUS_LOOP,
}


def find_chains(position: Position, kind: Kind) -> Iterator[Step]:
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


def find_loops(position: Position, kind: Kind) -> Iterator[Step]:
    """Find the shortest chain that closes to a loop and rules something out."""
    links = build_links(position, kind)
    best: tuple[list[int], int] | None = None
    most = len(links.weak)
    for first in bits_of(links.linked):
        for second in bits_of(links.strong[first]):
            if second < first:
                continue
            path = _close(links, first, second, most)
            if path:
                removed = _ruled_out(links, path)
                if removed:
                    best = path, removed
                    most = len(path) - 1
    if best:
        path, removed = best
        technique, masks = _LOOPS[kind], links.masks
        yield make_step(
            technique,
            because=f"If {state(path[0], True, masks)}, then {tell([*path, path[0]], True, masks)} "
            "again, and if it is not, the same ring runs backwards: "
            f"{state(path[-1], True, masks)} and so on, so of each two neighbours in it one is "
            "right, and what both rule out is wrong",
            cells=_cells_of(path, masks),
            removals=_as_removals(removed, masks),
            rating=rate_chain(technique, len(path)),
            masks=masks,
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
    for candidate in path:
        removed &= ~(1 << candidate)
    return removed


def _make_chain(links: Links, path: list[int], is_right: bool, technique: Technique) -> Step:
    start, masks = path[0], links.masks
    rating = rate_chain(technique, len(path))
    if not is_right:
        return make_step(
            technique,
            because=f"If {state(start, False, masks)}, then {tell(path, False, masks)}, so "
            f"{state(start, True, masks)} in any case",
            cells=_cells_of(path, masks),
            placement=(start % masks.n_places, start // masks.n_places + 1),
            rating=rating,
            masks=masks,
        )
    ends = path[1], path[-2]
    removed = links.candidates & _weak(links, ends[0]) & _weak(links, ends[1])
    return make_step(
        technique,
        because=f"If {state(ends[0], False, masks)}, then {tell(path[1:-1], False, masks)}, so "
        f"{state(ends[0], True, masks)} or {state(ends[1], True, masks)}, and what both rule out "
        "is wrong",
        cells=_cells_of(path[1:-1], masks),
        removals=_as_removals(removed, masks),
        rating=rating,
        masks=masks,
    )


def _weak(links: Links, candidate: int) -> int:
    """Return what a candidate rules out by any rule, not only by the links of this kind."""
    return links.masks.weak[candidate] & links.candidates


def _cells_of(path: list[int], masks: RuleMasks) -> int:
    cells = 0
    for candidate in path:
        cells |= 1 << candidate % masks.n_places
    return cells


def _as_removals(candidates: int, masks: RuleMasks) -> list[tuple[int, int]]:
    return [(n % masks.n_places, n // masks.n_places + 1) for n in bits_of(candidates)]
