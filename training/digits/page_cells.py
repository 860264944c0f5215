"""Cells of rendered photos, cut as the product cuts them, to train the digit reader on.

A cell drawn by itself (`digits.drawn_cells`) never shows what a page, a camera and a hand do
together: print in a fold and in dim light, entries as dark as the print beside them. `pages` are
whole ones; `small` are photos of one board in few pixels, of which there can be many more.
"""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from training.digits.real_cells import move_lattice
from training.rendered.large_digits import using_shapes_of, using_training_hands
from training.rendered.rendered_photos import (
    MANY_BOARDS,
    RenderedPhoto,
    render_photo,
    render_small_photo,
)
from training.rendered.writing import Mark
from vision.board import cut_cells, rectify

PhotoKind = Literal["pages", "small"]

_CHUNKS: Final[dict[PhotoKind, int]] = {"pages": 20, "small": 200}
"""Photos a file of the cache, so that a run that is broken off loses little."""

_LEVELS: Final = (3, 4, 5, 5)
"""Photo by photo: the easy levels teach nothing new."""

_FIRST_SEED: Final = 1_000_000
"""Far from the seeds that `training.evaluate rendered` is run with."""

UInt8 = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class PageCells:
    """Cells of rendered photos, n of them, each board cut twice."""

    cells: UInt8
    """(n, 32, 32) uint8."""
    digits: UInt8
    """(n,) uint8, 0 where the cell is empty or holds candidates only."""
    is_written: npt.NDArray[np.bool_]
    """(n,) bool, False where there is no digit."""


def render_page_cells(
    kind: PhotoKind,
    photos: int,
    seed: int,
    digits_dir: Path,
    cache_dir: Path,
    processes: int = 2,
) -> PageCells:
    """Render photos and cut their cells, or read them from an earlier run's cache.

    The hands are those of MNIST's training part.

    Args:
        kind: `pages` of 1 to 6 boards, or `small` photos of one board.
        photos: how many.
        seed: of the first photo; the next follow.
        digits_dir: the data folder's `digits`.
        cache_dir: where cells are kept between runs.
        processes: how many draw.
    """
    starts = range(0, photos, _CHUNKS[kind])
    folder = cache_dir / f"{kind}_{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{start:05}.npz" for start in starts]
    missing = [
        (start, path) for start, path in zip(starts, paths, strict=True) if not path.exists()
    ]
    if missing:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(processes, mp_context=context) as workers:
            parts = zip(*missing, strict=True)
            list(workers.map(_render_chunk, repeat(kind), *parts, repeat(seed), repeat(digits_dir)))
    drawn = []
    for path in paths:
        with np.load(path) as stored:
            drawn.append((stored["cells"], stored["digits"], stored["is_written"]))
    cells, digits, is_written = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
    return PageCells(cells, digits, is_written)


def cut_photo(
    kind: PhotoKind, level: int, seed: int
) -> Iterator[tuple[UInt8, UInt8, npt.NDArray[np.bool_]]]:
    """Yield the cells, digits and kinds of each board of a photo: as it lies, then moved a little.

    Args:
        kind: of photo.
        level: of hardness, 1..5.
        seed: of the photo; also says how many boards a page has.
    """
    rendered = _render(kind, level, seed)
    rng = np.random.default_rng([seed, level])
    for board in rendered.boards:
        is_written = np.isin(board.marks, (Mark.WRITTEN, Mark.CORRECTED)).ravel()
        digits = (board.clues + board.entries).astype(np.uint8).ravel()
        for lattice in (board.lattice, move_lattice(rng, board.lattice)):
            yield cut_cells(rectify(rendered.photo, lattice)), digits, is_written


def _render(kind: PhotoKind, level: int, seed: int) -> RenderedPhoto:
    if kind == "small":
        return render_small_photo(level, seed)
    return render_photo(level, seed, (1, *MANY_BOARDS)[seed % (1 + len(MANY_BOARDS))])


def _render_chunk(kind: PhotoKind, start: int, path: Path, seed: int, digits_dir: Path) -> None:
    cv2.setNumThreads(1)
    parts = []
    with using_shapes_of(digits_dir), using_training_hands():
        for photo in range(start, start + _CHUNKS[kind]):
            level = _LEVELS[photo % len(_LEVELS)]
            first = _FIRST_SEED + seed + photo
            parts += list(cut_photo(kind, level, first))
    cells, digits, is_written = (np.concatenate(part) for part in zip(*parts, strict=True))
    draft = path.with_suffix(".draft.npz")
    np.savez(draft, cells=cells, digits=digits, is_written=is_written)
    draft.replace(path)
