"""Keeps drawn scenes and real photos as shards, small enough to be held in memory for training.

    python -m training.boards.sample_cache build/boards --scenes 12000
    python -m training.boards.sample_cache build/boards --photos ../shared/data/photos

A shard that is there already is not drawn again, so that the command goes on where it was stopped.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from training.boards.scenes import LONG_SIDE_PX, draw_scene
from training.photos.changed_cells import locate_board, resize_photo
from training.photos.photo_labels import fold_of, load_photo_labels
from vision.media.images import load_image

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]

_SHARD: Final = 250
"""Scenes in a file."""
_JPEG_QUALITY: Final = 93


@dataclass(frozen=True, eq=False)
class Sample:
    """A small photo, compressed, and the boards in it.

    Attributes:
        data: (k,) uint8, a grey JPEG.
        lattices: of each board (n + 1, n + 1, 2) float32, crossings (x, y) in its pixels.
        fold: of a real photo's puzzle, 0, 1 or 2; −1 of a drawn scene.
    """

    data: npt.NDArray[np.uint8]
    lattices: tuple[Points, ...]
    fold: int = -1

    def decode(self) -> Image8:
        """Return the photo, (H, W) uint8 grey."""
        return np.asarray(cv2.imdecode(self.data, cv2.IMREAD_GRAYSCALE), np.uint8)


def encode_sample(photo: Image8, lattices: Sequence[Points], fold: int = -1) -> Sample:
    """Return a photo, (H, W) uint8 grey, with its boards as a sample."""
    _, data = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    return Sample(np.asarray(data, np.uint8).ravel(), tuple(lattices), fold)


def save_samples(file: Path, samples: Sequence[Sample]) -> None:
    """Write a shard under a temporary name, then give it its own."""
    unfinished = file.with_suffix(".part.npz")
    lattices = [lattice for sample in samples for lattice in sample.lattices]
    np.savez(
        unfinished,
        data=np.concatenate([sample.data for sample in samples]),
        lengths=np.array([len(sample.data) for sample in samples]),
        boards=np.array([len(sample.lattices) for sample in samples]),
        folds=np.array([sample.fold for sample in samples]),
        sides=np.array([len(lattice) for lattice in lattices], np.int64),
        points=np.concatenate([np.zeros((0, 2), np.float32)]
                              + [lattice.reshape(-1, 2) for lattice in lattices]),
    )  # fmt: skip
    unfinished.replace(file)


def load_samples(file: Path) -> list[Sample]:
    """Read a shard."""
    with np.load(file) as shard:
        data, points = shard["data"], shard["points"]
        sides = iter(shard["sides"].tolist())
        lengths, boards, folds = (shard[name].tolist() for name in ("lengths", "boards", "folds"))
    samples, at, point = [], 0, 0
    for length, count, fold in zip(lengths, boards, folds, strict=True):
        lattices = []
        for _ in range(count):
            side = next(sides)
            lattices.append(points[point : point + side * side].reshape(side, side, 2))
            point += side * side
        samples.append(Sample(data[at : at + length], tuple(lattices), fold))
        at += length
    return samples


def load_photos(folder: Path) -> Iterator[Sample]:
    """Yield the labelled real photos, shrunk, with the lattices that are snapped to their lines."""
    for label in load_photo_labels(folder):
        if label.corners is None:
            continue
        photo = load_image(folder / label.file)
        large, scale = resize_photo(photo, _LOCATE_PX)
        corners = ((label.corners + 0.5) * scale - 0.5).astype(np.float32)
        lattice = locate_board(large, replace(label, corners=corners))
        small, shrunk = resize_photo(large, LONG_SIDE_PX)
        points = ((lattice + 0.5) * shrunk - 0.5).astype(np.float32)
        grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
        yield encode_sample(grey, [points], fold_of(label.group))


_LOCATE_PX: Final = 1000
"""Long side of the photo in which a lattice is snapped to the lines."""


def _draw_shard(folder: Path, number: int) -> int:
    file = folder / f"scenes-{number:03}.npz"
    if not file.exists():
        scenes = (draw_scene(number * _SHARD + step) for step in range(_SHARD))
        samples = [encode_sample(scene.photo, scene.lattices) for scene in scenes]
        save_samples(file, samples)
    return number


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.boards.sample_cache", description="Draw scenes and keep them."
    )
    parser.add_argument("folder", type=Path, help="where the shards are kept")
    parser.add_argument("--scenes", type=int, default=0, help="so many drawn scenes")
    parser.add_argument("--photos", type=Path, help="folder with photos.csv")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.photos is not None:
        if not (options.photos / "photos.csv").is_file():
            print(f"no photos.csv in {options.photos}; name the labelled photos", file=sys.stderr)
            return 3
        save_samples(options.folder / "photos.npz", list(load_photos(options.photos)))
    shards = -(-options.scenes // _SHARD)
    with ProcessPoolExecutor(options.processes) as workers:
        for number in workers.map(partial(_draw_shard, options.folder), range(shards)):
            print(f"{(number + 1) * _SHARD} scenes", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
