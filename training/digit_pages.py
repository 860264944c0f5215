"""Cells of whole rendered pages, cut as the product cuts them, to train the digit reader on.

A cell drawn by itself (`training.rendered_cells`) never shows what a page, a camera and a hand do
together: print in a fold and in dim light, entries as dark as the print beside them.
"""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from training.digit_real_cells import move_lattice
from training.rendered_digits import using_shapes_of, using_training_hands
from training.rendered_photos import MANY_BOARDS, render_photo
from training.rendered_writing import Mark
from vision.board import cut_cells, rectify

_CHUNK: Final = 20
"""Pages a file of the cache, so that a run that is broken off loses little."""

_LEVELS: Final = (3, 4, 5, 5)
"""Page by page: the easy levels teach nothing new."""

_FIRST_SEED: Final = 1_000_000
"""Far from the seeds that `training.evaluate rendered` is run with."""

UInt8 = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class PageCells:
    """Cells of rendered pages, n of them, each board cut twice."""

    cells: UInt8
    """(n, 32, 32) uint8."""
    digits: UInt8
    """(n,) uint8, 0 where the cell is empty or holds candidates only."""
    is_written: npt.NDArray[np.bool_]
    """(n,) bool, False where there is no digit."""


def render_page_cells(
    pages: int, seed: int, digits_dir: Path, cache_dir: Path, processes: int = 2
) -> PageCells:
    """Render pages of 1 to 6 boards and cut their cells, or read them from an earlier run's cache.

    The hands are those of MNIST's training part.

    Args:
        pages: how many.
        seed: of the first page; the next follow.
        digits_dir: the data folder's `digits`.
        cache_dir: where cells are kept between runs.
        processes: how many draw.
    """
    starts = range(0, pages, _CHUNK)
    folder = cache_dir / f"pages_{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{start:05}.npz" for start in starts]
    missing = [
        (start, path) for start, path in zip(starts, paths, strict=True) if not path.exists()
    ]
    if missing:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(processes, mp_context=context) as workers:
            parts = zip(*missing, strict=True)
            list(workers.map(_render_chunk, *parts, repeat(seed), repeat(digits_dir)))
    drawn = []
    for path in paths:
        with np.load(path) as stored:
            drawn.append((stored["cells"], stored["digits"], stored["is_written"]))
    cells, digits, is_written = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
    return PageCells(cells, digits, is_written)


def cut_pages(level: int, seed: int) -> Iterator[tuple[UInt8, UInt8, npt.NDArray[np.bool_]]]:
    """Yield the cells, digits and kinds of each board of a page: as it lies, then moved a little.

    Args:
        level: of hardness, 1..5.
        seed: of the page; also says how many boards it has.
    """
    boards = (1, *MANY_BOARDS)[seed % (1 + len(MANY_BOARDS))]
    rendered = render_photo(level, seed, boards)
    rng = np.random.default_rng([seed, level])
    for board in rendered.boards:
        is_written = np.isin(board.marks, (Mark.WRITTEN, Mark.CORRECTED)).ravel()
        digits = (board.clues + board.entries).astype(np.uint8).ravel()
        for lattice in (board.lattice, move_lattice(rng, board.lattice)):
            yield cut_cells(rectify(rendered.photo, lattice)), digits, is_written


def _render_chunk(start: int, path: Path, seed: int, digits_dir: Path) -> None:
    cv2.setNumThreads(1)
    parts = []
    with using_shapes_of(digits_dir), using_training_hands():
        for page in range(start, start + _CHUNK):
            number = seed + page
            parts += list(cut_pages(_LEVELS[page % len(_LEVELS)], _FIRST_SEED + number))
    cells, digits, is_written = (np.concatenate(part) for part in zip(*parts, strict=True))
    draft = path.with_suffix(".draft.npz")
    np.savez(draft, cells=cells, digits=digits, is_written=is_written)
    draft.replace(path)
