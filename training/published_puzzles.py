"""The puzzles that the published networks learn from: the same, in the same order, for each."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from training.grid_puzzles import KINDS, Mix, PuzzlePools, Puzzles, draw_puzzles, load_test_forms
from training.puzzle_files import PuzzleFileError, load_puzzles

MIX: Final = Mix(shares=(0.6, 0.2, 0.15, 0.05), revealed=0.85, reveal_most=1.0)
"""Easy puzzles for the greater part, as the sources trained on, and all numbers of clues."""

AS_THEY_ARE: Final = Mix(shares=(1.0, 0.0, 0.0, 0.0), revealed=0.0)
"""For puzzles of a file."""

_WATCHED_OF_FILE: Final = 500
"""The first puzzles of a file are not learnt, but watched."""

_CHUNK: Final = 1024
"""Puzzles drawn at a time; chunk k is the same for every network."""


def load_file_pools(path: Path, data: Path, most: int | None = None) -> PuzzlePools:
    """Return the puzzles of a public file, without those that stand in test files.

    Args:
        path: see `training.puzzle_files`.
        data: the folder with the test files.
        most: how many to read; None is all.

    Raises:
        OSError, training.puzzle_files.PuzzleFileError: if the file cannot be read.
    """
    found = load_puzzles(path, most, load_test_forms(data))
    watched = Puzzles(found.clues[:_WATCHED_OF_FILE], found.solutions[:_WATCHED_OF_FILE])
    learnt = Puzzles(found.clues[_WATCHED_OF_FILE:], found.solutions[_WATCHED_OF_FILE:])
    if not len(learnt.clues):
        raise PuzzleFileError(f"{path} leaves nothing to learn; it must hold more puzzles")
    return PuzzlePools(dict.fromkeys(KINDS, learnt), dict.fromkeys(KINDS, watched))


def draw_batches(
    pools: PuzzlePools, mix: Mix, seed: int, batch: int, skip: int = 0
) -> Iterator[Puzzles]:
    """Yield one sequence of puzzles in batches, the same for every size that divides 1024.

    Args:
        pools: what is drawn from.
        mix: how.
        seed: of the sequence.
        batch: puzzles at a time.
        skip: how many batches were drawn before.
    """
    place = skip * batch
    chunk, drawn = -1, Puzzles(np.zeros((0, 81), np.uint8), np.zeros((0, 81), np.uint8))
    while True:
        if place // _CHUNK != chunk:
            chunk = place // _CHUNK
            random = np.random.default_rng([seed, chunk])
            drawn = draw_puzzles(pools.train, mix, _CHUNK, random)
        part = slice(place % _CHUNK, place % _CHUNK + batch)
        yield Puzzles(drawn.clues[part], drawn.solutions[part])
        place += batch


def draw_watched(pools: PuzzlePools, mix: Mix, seed: int, count: int) -> Puzzles:
    """Return so many puzzles that are held out, drawn in the same way."""
    random = np.random.default_rng([seed, 1])
    return draw_puzzles(pools.watch, mix, count, random)
