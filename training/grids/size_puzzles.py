"""Jigsaws and puzzles of 16×16 that the network for grids learns from, made once and kept.

Their seeds are far from those that are measured. n puzzles of c cells.
"""

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from models.grids import Digits
from solver.formats_kinds import KindPuzzle
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.rules import Kind, Rules
from training.shard_runs import Shard, keep_shards, load_shards


@dataclass(frozen=True)
class SizeClass:
    """One kind and side of what is learnt.

    Attributes:
        count: puzzles to make.
        kind: classic or jigsaw.
        side: of the grid.
        clues: the fewest and the most of a puzzle; None takes away as many as can be.
    """

    count: int
    kind: Kind = Kind.CLASSIC
    side: int = 9
    clues: tuple[int, int] | None = None


SIZE_CLASSES: Final = {
    "16": SizeClass(9_000, side=16, clues=(98, 124)),
    "j9": SizeClass(23_000, Kind.JIGSAW),
}
"""The other sides are not learnt, but measured."""

_SHARD: Final = 100
"""Puzzles in a file."""


@dataclass(frozen=True, eq=False)
class SizePuzzles:
    """Puzzles of one side.

    Attributes:
        clues: (n, c) uint8, 0 = empty.
        solutions: (n, c) uint8.
        regions: (n, c) uint8: the region of each cell.
    """

    clues: Digits
    solutions: Digits
    regions: Digits


def load_size_pools(folder: Path, seed: int = 50_000_000) -> dict[str, SizePuzzles]:
    """Return the puzzles of each class, made at the first call and kept in files for the next."""
    pools = {}
    for name, wanted in SIZE_CLASSES.items():
        shards = -(-wanted.count // _SHARD)
        draw = partial(_generate, wanted, seed)
        files = keep_shards(folder, name, shards, draw, os.cpu_count() or 1)
        pools[name] = SizePuzzles(**load_shards(files))
        seed += 10 * wanted.count
    return pools


def region_numbers(rules: Rules) -> list[int]:
    """Return the region of each cell of a puzzle that is printed as one grid."""
    numbers = [0] * rules.side**2
    for number, cells in enumerate(rules.regions):
        for cell in cells:
            numbers[cell] = number
    return numbers


def _generate(wanted: SizeClass, first: int, shard: int) -> Shard:
    """Return some puzzles as `SizePuzzles` has them."""
    made: list[KindPuzzle] = []
    for seed in range(first + shard * _SHARD, first + (shard + 1) * _SHARD):
        span = wanted.clues
        shown = None if span is None else int(np.random.default_rng(seed).integers(*span))
        made += generate_kind(1, KindOptions(wanted.kind, wanted.side, clues=shown), seed)
    return {
        "clues": np.array([puzzle.clues.ravel() for puzzle in made], np.uint8),
        "solutions": np.array([np.ravel(np.asarray(one.solution)) for one in made], np.uint8),
        "regions": np.array([region_numbers(puzzle.rules) for puzzle in made], np.uint8),
    }
