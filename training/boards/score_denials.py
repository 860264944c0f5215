"""Counts the photos in which the shipped detector sees no board, as it denies them.

    python -m training.boards.score_denials --photos ../shared/data/photos --sample 200 --count 64
    python -m training.boards.score_denials --decoys 112

prints a Markdown table; photos of boards should have none, decoys many.
"""

import argparse
import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from models.board_detector import INPUT_PX, SIDES, STRIDE, BoardDetector
from training.rendered.photographed_decoys import DECOYS, render_decoy
from training.rendered.rendered_photos import render_photo
from vision.finder.detect import BoardFinder, Eye
from vision.media.images import load_image

Image8 = npt.NDArray[np.uint8]

_LEVELS: Final = (3, 5)
_SAMPLE_SEED: Final = 5


def list_groups(options: argparse.Namespace) -> Iterator[tuple[str, Iterator[Image8]]]:
    """Yield what photos show, and the photos, (H, W, 3) uint8 BGR."""
    if options.photos is not None:
        with (options.photos / "photos.csv").open(newline="", encoding="utf-8") as lines:
            files = [options.photos / row["file"] for row in csv.DictReader(lines)]
        chosen = np.random.default_rng(_SAMPLE_SEED).permutation(len(files))[: options.sample]
        yield "real", (load_image(files[index]) for index in chosen)
        turned = (np.rot90(load_image(files[index]), -1) for index in chosen)
        yield "real, a quarter turned", (np.ascontiguousarray(photo) for photo in turned)
    seeds = range(options.seed, options.seed + options.count)
    for level in _LEVELS if options.count else ():
        yield f"level {level}", (render_photo(level, seed).photo for seed in seeds)
    kinds = list(DECOYS)
    if options.decoys:
        numbers = range(options.decoys)
        yield (
            "decoys",
            (render_decoy(kinds[n % len(kinds)], options.seed + n).photo for n in numbers),
        )


def count_denials(
    photos: Iterator[Image8], sees_board: Callable[[Image8], bool]
) -> tuple[int, int]:
    """Return how many photos there are, and how many show no board."""
    seen = [sees_board(photo) for photo in photos]
    return len(seen), len(seen) - sum(seen)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.boards.score_denials", description="Count denied photos."
    )
    parser.add_argument("--photos", type=Path, help="folder with photos.csv and the photos")
    parser.add_argument("--sample", type=int, default=200, help="of the real photos")
    parser.add_argument("--count", type=int, default=0, help="rendered photos of each level")
    parser.add_argument("--decoys", type=int, default=0, help="decoys of all kinds")
    parser.add_argument("--seed", type=int, default=730000, help="of the first rendered photo")
    options = parser.parse_args(arguments)
    detector, eye = BoardDetector.load(), Eye(INPUT_PX, STRIDE, SIDES, only=9)
    print("| photos | n | denied |\n|---|---:|---:|")
    for name, photos in list_groups(options):
        count, denied = count_denials(
            photos, lambda photo: bool(BoardFinder(photo, detector, eye).choose_looks())
        )
        print(f"| {name} | {count} | {denied} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
