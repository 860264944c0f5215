"""Samples to learn from, drawn by several processes and kept in files of arrays, the shards."""

import multiprocessing
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

Shard = Mapping[str, npt.NDArray[np.generic]]


class Samples(Protocol):
    """A named tuple of arrays that have their first axis in common."""

    def _asdict(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return the arrays by name."""


def keep_shards(
    folder: Path, name: str, count: int, draw: Callable[[int], Shard], processes: int
) -> list[Path]:
    """Draw the shards that are not there yet; return the files of all."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{name}-{number:03}.npz" for number in range(count)]
    missing = [number for number, file in enumerate(files) if not file.exists()]
    if missing:
        # Spawned, as a process that runs XLA must not be forked.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(processes, len(missing)), mp_context=context) as workers:
            for number in workers.map(partial(_keep_shard, files, draw), missing):
                print(f"{number + 1} of {count} shards", file=sys.stderr, flush=True)
    return files


def _keep_shard(files: Sequence[Path], draw: Callable[[int], Shard], number: int) -> int:
    import cv2  # training alone does without it

    cv2.setNumThreads(1)
    save_shard(files[number], draw(number))
    return number


def save_shard(file: Path, shard: Shard) -> None:
    """Write arrays under a temporary name, then give the file its own."""
    unfinished = file.with_suffix(f".{os.getpid()}.part.npz")
    arrays: dict[str, Any] = dict(shard)
    np.savez(unfinished, **arrays)
    unfinished.replace(file)


def _draw_shard(draw: Callable[[int], Samples], photos: int, number: int) -> Shard:
    """Return the joined samples of as many photos as a shard has, drawn by their seeds."""
    return _join([draw(number * photos + step)._asdict() for step in range(photos)])


def load_shards(files: Sequence[Path]) -> dict[str, Any]:
    """Return the arrays of shards, joined, by name."""
    shards = []
    for file in files:
        with np.load(file) as shard:
            shards.append(dict(shard))
    return _join(shards)


def _join(shards: Sequence[Shard]) -> dict[str, Any]:
    return {name: np.concatenate([shard[name] for shard in shards]) for name in shards[0]}


class Drawing(NamedTuple):
    """How samples come about.

    Attributes:
        name: of the shards' files.
        draw: returns the samples of a photo by its seed.
        photos: in a shard.
    """

    name: str
    draw: Callable[[int], Samples]
    photos: int

    def keep(self, folder: Path, count: int, processes: int) -> None:
        """Draw the shards that are not there yet; see `keep_shards`."""
        draw = partial(_draw_shard, self.draw, self.photos)
        keep_shards(folder, self.name, count, draw, processes)


def split_shards(folder: Path, name: str, held_out: int) -> tuple[list[Path], list[Path]]:
    """Return the shards to learn from, and the last ones, that are not.

    Raises:
        FileNotFoundError: if there are too few.
    """
    files = sorted(folder.glob(f"{name}-*[0-9].npz"))
    if len(files) <= held_out or not files:
        raise FileNotFoundError(f"{len(files)} shards in {folder}; draw more of them first")
    learnt = len(files) - held_out
    return files[:learnt], files[learnt:]
