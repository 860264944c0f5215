"""Puzzles of other sides than nine, and jigsaws: made for the network to learn from, and judged.

Seeds of what is learnt are far from those that are measured. Keras alone runs other geometries
than that of 9×9, which the exported graph holds. n puzzles.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from models.grids import (
    Booleans,
    CubeNetwork,
    Digits,
    Float32,
    Geometry,
    find_geometry,
    legal_candidates,
)
from solver.exact.rule_search import search_rules
from solver.formats_kinds import KindPuzzle
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.rules import Kind, Rules
from training.grids.export_grid import ITERATIONS


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

_MADE_AT_ONCE: Final = 100
"""Puzzles that a process makes before it is given the next."""


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


def load_size_pools(cache: Path, seed: int = 50_000_000) -> dict[str, SizePuzzles]:
    """Return the puzzles of each class, made at the first call and kept in a file for the next."""
    if not cache.is_file():
        arrays: dict[str, Any] = {}
        # Spawned, as a process that runs XLA must not be forked.
        with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
            for name, wanted in SIZE_CLASSES.items():
                starts = range(seed, seed + wanted.count, _MADE_AT_ONCE)
                seed += 10 * wanted.count
                made = list(workers.map(partial(_generate, wanted), starts))
                for part, rows in zip("csr", zip(*made, strict=True), strict=True):
                    arrays[f"{name}_{part}"] = np.concatenate(rows)
        draft = cache.with_suffix(f".{os.getpid()}.npz")
        np.savez(draft, **arrays)
        draft.replace(cache)
    with np.load(cache) as stored:
        return {
            name: SizePuzzles(*(np.asarray(stored[f"{name}_{part}"], np.uint8) for part in "csr"))
            for name in SIZE_CLASSES
        }


def region_numbers(rules: Rules) -> list[int]:
    """Return the region of each cell of a puzzle that is printed as one grid."""
    numbers = [0] * rules.side**2
    for number, cells in enumerate(rules.regions):
        for cell in cells:
            numbers[cell] = number
    return numbers


class SizeScores(NamedTuple):
    """What one pass of a network makes of puzzles of one kind and side.

    Attributes:
        clues: of a puzzle, mean.
        positions: that the default solver's search looks at, mean: how hard the puzzles are.
        cells: share of the empty cells that come out right, in percent.
        whole: share of puzzles in which all do.
    """

    clues: float
    positions: float
    cells: float
    whole: float


@dataclass(frozen=True)
class _BlockEngine:
    """Runs a `models.grid_net.CandidateBlock` on grids of one geometry."""

    block: Any
    geometry: Geometry

    def run(self, inputs: Float32) -> Float32:
        after = self.block(inputs, (self.geometry.segments, self.geometry.units))
        return np.asarray(after, np.float32)


def measure_sizes(weights: Path, puzzles: Sequence[KindPuzzle]) -> SizeScores:
    """Let a network judge puzzles of one side once each, those with the same regions together.

    Args:
        weights: a `.keras` file, which needs no card.
        puzzles: of one side, with their solutions.

    Raises:
        OSError, ValueError: if the weights cannot be read.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import keras

    import models.grid_net  # noqa: F401 (makes the block known to Keras)

    block = keras.saving.load_model(weights, compile=False).get_layer("block")
    card = {
        "name": weights.stem,
        "parameters": block.count_params(),
        "features": block.options.features,
        "iterations": ITERATIONS,
        "iterations_a_run": block.iterations,
    }
    groups: dict[tuple[int, ...], list[KindPuzzle]] = {}
    for puzzle in puzzles:
        groups.setdefault(tuple(region_numbers(puzzle.rules)), []).append(puzzle)
    cells: list[Booleans] = []
    for regions, own in groups.items():
        geometry = find_geometry(regions)
        clues = np.array([puzzle.clues.ravel() for puzzle in own])
        solutions = np.array([np.ravel(np.asarray(puzzle.solution)) for puzzle in own])
        network = CubeNetwork(_BlockEngine(block, geometry), card, geometry)
        judged = network.judge(clues, legal_candidates(clues, geometry))
        is_right = judged.argmax(axis=2) + 1 == solutions
        cells += [right[empty] for right, empty in zip(is_right, clues == 0, strict=True)]
    positions = [
        search_rules(one.rules, one.clues.ravel().tolist(), 2, lambda _: True).nodes
        for one in puzzles
    ]
    return SizeScores(
        clues=float(np.mean([np.count_nonzero(one.clues) for one in puzzles])),
        positions=float(np.mean(positions)),
        cells=100 * float(np.concatenate(cells).mean()),
        whole=100 * float(np.mean([one.all() for one in cells])),
    )


def _generate(wanted: SizeClass, seed: int) -> tuple[Digits, Digits, Digits]:
    """Return clues, solutions and regions of some puzzles, each as `SizePuzzles` has them."""
    made: list[KindPuzzle] = []
    for number in range(seed, seed + _MADE_AT_ONCE):
        span = wanted.clues
        shown = None if span is None else int(np.random.default_rng(number).integers(*span))
        made += generate_kind(1, KindOptions(wanted.kind, wanted.side, clues=shown), number)
    rows = (
        [puzzle.clues.ravel() for puzzle in made],
        [np.ravel(np.asarray(puzzle.solution)) for puzzle in made],
        [region_numbers(puzzle.rules) for puzzle in made],
    )
    clues, solutions, regions = (np.array(one, np.uint8) for one in rows)
    return clues, solutions, regions
