"""The puzzles that the published networks learn from: the same, in the same order, for each."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from training.puzzles.solved_files import PuzzleFileError, load_puzzles
from training.puzzles.training_puzzles import KINDS, PuzzlePools, Puzzles, load_test_forms


@dataclass(frozen=True)
class EqualMix:
    """How puzzles are drawn; on its own, so that what serves another network cannot change it.

    Attributes:
        shares: by kind, of `training.puzzles.training_puzzles.KINDS`; the sum is 1.
        revealed: share of the puzzles of which a share of the empty cells is filled in, any share
            from none to all being as likely.
    """

    shares: tuple[float, ...]
    revealed: float


MIX: Final = EqualMix(shares=(0.6, 0.2, 0.15, 0.05, 0.0, 0.0), revealed=0.85)
"""Easy puzzles for the greater part, as the sources trained on, and all numbers of clues."""

AS_THEY_ARE: Final = EqualMix(shares=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0), revealed=0.0)
"""For puzzles of a file."""

_WATCHED_OF_FILE: Final = 500
"""The first puzzles of a file are not learnt, but watched."""

_CHUNK: Final = 1024
"""Puzzles drawn at a time; chunk k is the same for every network."""


def load_file_pools(path: Path, data: Path, most: int | None = None) -> PuzzlePools:
    """Return the puzzles of a public file, without those that stand in test files.

    Args:
        path: see `training.puzzles.solved_files`.
        data: the folder with the test files.
        most: how many to read; None is all.

    Raises:
        OSError, training.puzzles.solved_files.PuzzleFileError: if the file cannot be read.
    """
    found = load_puzzles(path, most, load_test_forms(data))
    watched = Puzzles(found.clues[:_WATCHED_OF_FILE], found.solutions[:_WATCHED_OF_FILE])
    learnt = Puzzles(found.clues[_WATCHED_OF_FILE:], found.solutions[_WATCHED_OF_FILE:])
    if not len(learnt.clues):
        raise PuzzleFileError(f"{path} leaves nothing to learn; it must hold more puzzles")
    return PuzzlePools(dict.fromkeys(KINDS, learnt), dict.fromkeys(KINDS, watched))


def describe_puzzles(pools: PuzzlePools, mix: EqualMix) -> dict[str, Any]:
    """Return what tells the puzzles that are learnt from others, as JSON has it.

    Args:
        pools: what is drawn from; kinds without a share do not count.
        mix: how.
    """
    drawn = {
        id(pools.train[kind]): pools.train[kind]
        for kind, share in zip(KINDS, mix.shares, strict=True)
        if share
    }
    digest = hashlib.sha256()
    for puzzles in drawn.values():
        digest.update(np.ascontiguousarray(puzzles.clues).data)
        digest.update(np.ascontiguousarray(puzzles.solutions).data)
    return {
        "shares": list(mix.shares),
        "revealed": mix.revealed,
        "count": sum(len(puzzles.clues) for puzzles in drawn.values()),
        "digest": digest.hexdigest()[:16],
    }


def draw_batches(
    pools: PuzzlePools, mix: EqualMix, seed: int, batch: int, skip: int = 0
) -> Iterator[Puzzles]:
    """Yield one sequence of puzzles in batches, the same for every size that divides 1024.

    Args:
        pools: what is drawn from.
        mix: how.
        seed: of the sequence.
        batch: puzzles at a time.
        skip: how many batches were drawn before.

    Raises:
        ValueError: if the batch does not divide 1024.
    """
    if batch < 1 or _CHUNK % batch:
        raise ValueError(f"batch must divide {_CHUNK}, got {batch}")
    return _cut_batches(pools, mix, seed, batch, skip * batch)


def _cut_batches(
    pools: PuzzlePools, mix: EqualMix, seed: int, batch: int, place: int
) -> Iterator[Puzzles]:
    chunk, drawn = -1, Puzzles(np.zeros((0, 81), np.uint8), np.zeros((0, 81), np.uint8))
    while True:
        if place // _CHUNK != chunk:
            chunk = place // _CHUNK
            random = np.random.default_rng([seed, chunk])
            drawn = _draw(pools.train, mix, _CHUNK, random)
        part = slice(place % _CHUNK, place % _CHUNK + batch)
        yield Puzzles(drawn.clues[part], drawn.solutions[part])
        place += batch


def draw_watched(pools: PuzzlePools, mix: EqualMix, seed: int, count: int) -> Puzzles:
    """Return so many puzzles that are held out, drawn in the same way."""
    # A stream that no chunk has, whatever its number.
    random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
    return _draw(pools.watch, mix, count, random)


def _draw(
    pools: dict[str, Puzzles], mix: EqualMix, count: int, random: np.random.Generator
) -> Puzzles:
    kinds = random.choice(len(KINDS), count, p=mix.shares)
    clues = np.empty((count, 81), np.uint8)
    solutions = np.empty((count, 81), np.uint8)
    for number, kind in enumerate(KINDS):
        places = np.flatnonzero(kinds == number)
        chosen = random.integers(0, len(pools[kind].clues), len(places))
        clues[places] = pools[kind].clues[chosen]
        solutions[places] = pools[kind].solutions[chosen]
    share = random.random((count, 1))
    share *= random.random((count, 1)) < mix.revealed
    is_shown = (clues == 0) & (random.random((count, 81)) < share)
    return Puzzles(np.where(is_shown, solutions, clues), solutions)
