"""New puzzles of every kind, each with exactly one solution: jigsaws, killers, samurais, and more.

A solution is made by a random search under the rules. Clues are taken away as long as it stays the
only one; a killer has no clues, so its cages are drawn until there is one solution.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from solver.exact.bitmask import count_solutions
from solver.exact.rule_search import search_rules
from solver.formats_kinds import KindPuzzle
from solver.generation.generate import Digits, Symmetry, clear_grid, orbits_of
from solver.layout import Layout
from solver.rules import (
    SAMURAI_GRIDS,
    Cage,
    Kind,
    Rules,
    box_rules,
    is_connected,
    jigsaw_rules,
    killer_rules,
    neighbours,
    samurai_rules,
    usual_boxes,
)

_NODES_TO_FILL: Final = 600
"""Positions of a search for a full grid, before another is begun; most need no step back."""

_NODES_OF_KILLER: Final = 200
"""Positions of the proof that a killer has one solution, before other cages are drawn."""

_SWAPS: Final = 20
"""Pairs of cells a cell of the grid that two regions try to swap; as many again change little."""

_CAGE_SIZES: Final = {1: 1, 2: 8, 3: 8, 4: 4, 5: 2}
"""How often a cage is begun with the wish for so many cells, as in newspapers."""


@dataclass(frozen=True)
class KindOptions:
    """What puzzles are wanted.

    Attributes:
        kind: of the puzzles.
        side: of the grids; a samurai has 9.
        boxes: other than the usual ones; a jigsaw has none.
        clues: how many at least; None takes away as many as can be. A killer has none.
        symmetry: of the cells with clues.
        n_grids: of a samurai, 2 to 5.

    Raises:
        ValueError: if no puzzle can be so.
    """

    kind: Kind = Kind.CLASSIC
    side: int = 9
    boxes: Layout | None = None
    clues: int | None = None
    symmetry: Symmetry = Symmetry.NONE
    n_grids: int = 5

    def __post_init__(self) -> None:
        if self.kind is Kind.SAMURAI and (self.side != 9 or self.n_grids not in SAMURAI_GRIDS):
            raise ValueError("a samurai has 2 to 5 grids of side 9")
        if self.kind is Kind.KILLER and self.side > 9:
            raise ValueError(f"killers are made up to side 9, not {self.side}")
        if self.kind is Kind.KILLER and (self.clues or self.symmetry is not Symmetry.NONE):
            raise ValueError("a killer has no clues; leave their number and symmetry out")
        if self.boxes and self.kind in (Kind.JIGSAW, Kind.SAMURAI):
            raise ValueError(f"a {self.kind.value} has boxes of its own; leave them out")
        if self.kind is Kind.JIGSAW:
            usual_boxes(self.side)
        elif self.kind is not Kind.SAMURAI:
            _rules_of_boxes(self)
        n_cells = self.side**2
        if self.kind is Kind.SAMURAI:
            n_cells = len(samurai_rules(SAMURAI_GRIDS[self.n_grids]).cells)
        if self.clues is not None and not 0 <= self.clues < n_cells:
            raise ValueError(f"clues must be 0..{n_cells - 1}: {self.clues}")


def generate_kind(
    count: int, options: KindOptions, seed: int = 0, may_go_on: Callable[[], bool] = lambda: True
) -> Iterator[KindPuzzle]:
    """Make puzzles with exactly one solution, one at a time.

    Args:
        count: how many.
        options: what they shall be like.
        seed: the same leads to the same puzzles, and more of them begin with the same ones.
        may_go_on: asked now and then; False ends the work with what there is.
    """
    n_made = attempt = 0
    while n_made < count and may_go_on():
        puzzle = _try_one(options, Random(f"{seed}/{attempt}"), may_go_on)
        attempt += 1
        if puzzle is not None:
            n_made += 1
            yield puzzle


def _try_one(
    options: KindOptions, chance: Random, may_go_on: Callable[[], bool]
) -> KindPuzzle | None:
    """Return a puzzle, or None where chance did not find one, or the time is over."""
    rules = _draw_rules(options, chance)
    solution = _fill_by_chance(rules, chance)
    if solution is None:
        return None
    if options.kind is Kind.KILLER:
        cages = draw_cages(solution.tolist(), rules.side, chance)
        rules = killer_rules(cages, rules.side, options.boxes)
        puzzle: Digits | None = np.zeros_like(solution)
    else:
        orbits = _draw_order(rules, options.symmetry, chance)
        puzzle = clear_grid(solution, orbits, options.clues or 0, may_go_on, rules)
    if puzzle is None:
        return None
    found = search_rules(rules, puzzle.tolist(), 2, lambda nodes: nodes < _NODES_OF_KILLER)
    if found.found != 1 or not found.is_exhaustive:
        if options.kind is Kind.KILLER:
            return None
        if count_solutions(puzzle.reshape(rules.width, -1), 2, rules) != 1:
            raise RuntimeError("a generated puzzle has another number of solutions than one")
    shape = (rules.width, rules.width)
    return KindPuzzle(rules, puzzle.reshape(shape), solution.reshape(shape))


def _fill_by_chance(rules: Rules, chance: Random) -> Digits | None:
    """Return a full grid at random, (width²,) uint8, or None where none was found soon.

    Grids do not have equal probabilities.
    """
    empty = [0] * rules.width**2
    found = search_rules(rules, empty, 1, lambda nodes: nodes < _NODES_TO_FILL, chance=chance)
    return np.array(found.solutions[0], np.uint8) if found.solutions else None


def draw_regions(side: int, chance: Random) -> list[list[int]]:
    """Return regions at random, each of `side` connected cells: boxes that swapped cells."""
    boxes = usual_boxes(side).boxes.tolist()
    region_of = [0] * side**2
    for number, cells in enumerate(boxes):
        for cell in cells:
            region_of[cell] = number
    members = [set(cells) for cells in boxes]
    for _ in range(_SWAPS * side**2):
        cell = chance.randrange(side**2)
        one = region_of[cell]
        other = region_of[chance.choice(neighbours(cell, side))]
        if other == one:
            continue
        back = chance.choice(sorted(members[other]))
        if not any(region_of[near] == one for near in neighbours(back, side)):
            continue
        first, second = members[one] ^ {cell, back}, members[other] ^ {cell, back}
        if is_connected(first, side) and is_connected(second, side):
            members[one], members[other] = first, second
            region_of[cell], region_of[back] = other, one
    return sorted(sorted(cells) for cells in members)


def draw_cages(solution: list[int], side: int, chance: Random) -> list[Cage]:
    """Return cages at random that cover a full grid, each of one to five different digits."""
    left = set(range(side**2))
    cages = []
    for start in chance.sample(range(side**2), side**2):
        if start not in left:
            continue
        (size,) = chance.choices(list(_CAGE_SIZES), list(_CAGE_SIZES.values()))
        cells = [start]
        left.discard(start)
        while len(cells) < size:
            held = {solution[cell] for cell in cells}
            near = {
                other
                for cell in cells
                for other in neighbours(cell, side)
                if other in left and solution[other] not in held
            }
            if not near:
                break
            cells.append(chance.choice(sorted(near)))
            left.discard(cells[-1])
        cages.append(Cage(sum(solution[cell] for cell in cells), tuple(sorted(cells))))
    return sorted(cages, key=lambda cage: cage.cells)


def _draw_rules(options: KindOptions, chance: Random) -> Rules:
    """Return the rules of a puzzle; those of a killer are without cages yet."""
    if options.kind is Kind.SAMURAI:
        return samurai_rules(SAMURAI_GRIDS[options.n_grids])
    if options.kind is Kind.JIGSAW:
        return jigsaw_rules(draw_regions(options.side, chance))
    return _rules_of_boxes(options)


def _rules_of_boxes(options: KindOptions) -> Rules:
    kind = Kind.CLASSIC if options.kind is Kind.KILLER else options.kind
    return box_rules(options.side, kind, options.boxes)


def _draw_order(rules: Rules, symmetry: Symmetry, chance: Random) -> list[tuple[int, ...]]:
    """Return the sets of cells that are cleared together, in the order to try them."""
    cells = set(rules.cells)
    paper = np.arange(rules.width**2).reshape(rules.width, rules.width)
    orbits = [tuple(cells.intersection(orbit)) for orbit in orbits_of(paper, symmetry)]
    orbits = [orbit for orbit in orbits if orbit]
    chance.shuffle(orbits)
    return orbits
