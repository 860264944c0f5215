"""Writes on boards by hand and keeps what is cut out of their cells, to learn from.

    python -m training.digits.hand_shapes build/hands --shards 56

Every other shard is photographed. A shard that is there already is not drawn again, so that the
command goes on where it was stopped.
"""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from training.rendered.filled_board import choose_look, write_board
from training.rendered.large_digits import (
    DATA_DIGITS,
    using_shapes_of,
    using_training_hands,
    written_glyphs,
)
from training.rendered.rendered_photos import render_written
from training.rendered.writing import Writer
from training.shards import Shard, keep_shards
from vision.board import move_lattice
from vision.written_digits import cut_written

UInt8 = npt.NDArray[np.uint8]

_CLEAN_BOARDS: Final = 50
_PHOTOS: Final = 25
"""In a shard."""
_SEED: Final = 1998
"""Sets these boards apart from all that are drawn elsewhere."""
_LEVELS: Final = (2, 3, 4)
_CLEAN_PX: Final = (252, 800)
"""Side of a board that is not photographed; the last excluded."""
_EMPTY: Final = 0.25
"""Share of the cells without a digit."""
_SOILED: Final = 0.6
"""Of these, share with something that is no digit."""
_COPIED: Final = 0.7
"""Share of the boards in MNIST's hands; of the others, two in five are drawn in strokes."""
_NUDGE: Final = 0.03
"""Cells by which a lattice lies aside, one standard deviation."""


def draw_shapes(rng: np.random.Generator, *, is_photo: bool) -> tuple[UInt8, UInt8]:
    """Return what is cut out of a board by hand, whether its digits fit or not.

    Args:
        rng: chooses board, hand and photo.
        is_photo: photograph it.

    Returns:
        (k, 28, 28) uint8 shapes as `vision.written_digits` cuts them, and (k,) uint8 digits, 0 for
        what is none.
    """
    digits = rng.integers(1, 10, (9, 9)).astype(np.uint8)
    digits[rng.random((9, 9)) < _EMPTY] = 0
    is_soiled = (digits == 0) & (rng.random((9, 9)) < _SOILED)
    glyphs = written_glyphs() if rng.random() < _COPIED else None
    if is_photo:
        image, lattice = render_written(digits, int(rng.choice(_LEVELS)), rng, glyphs, is_soiled)
    else:
        style = choose_look(rng, "newspaper").style
        writer = Writer(rng, is_paper=True, glyphs=glyphs)
        image, lattice = write_board(
            digits, int(rng.integers(*_CLEAN_PX)), style, writer, is_soiled
        )
    moved = move_lattice(lattice, *rng.normal(0, _NUDGE, 2).tolist())
    shapes = cut_written(image, moved, np.ones(81, np.bool_))
    is_found = shapes.any(axis=(1, 2))
    return shapes[is_found], digits.ravel()[is_found]


def _draw_shard(digits_dir: Path, number: int) -> Shard:
    cv2.setNumThreads(1)
    is_photo = number % 2 == 1
    with using_shapes_of(digits_dir), using_training_hands():
        drawn = [
            draw_shapes(np.random.default_rng([_SEED, number, step]), is_photo=is_photo)
            for step in range(_PHOTOS if is_photo else _CLEAN_BOARDS)
        ]
    shapes, digits = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
    return {"shapes": shapes, "digits": digits}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.digits.hand_shapes", description="Draw boards written by hand."
    )
    parser.add_argument("folder", type=Path, help="where the shards are kept")
    parser.add_argument("--shards", type=int, default=40, help="boards and photos of them in turn")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--digits", type=Path, default=DATA_DIGITS, help="the data folder's digits")
    options = parser.parse_args(arguments)
    if not (options.digits / "mnist.npz").is_file():
        print(
            f"there is no mnist.npz in {options.digits}; name its folder by --digits",
            file=sys.stderr,
        )
        return 3
    draw = partial(_draw_shard, options.digits)
    keep_shards(options.folder, "hands", options.shards, draw, options.processes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
