"""Samples of the detector: scenes and photos, kept as shards, and the maps that it should give.

    python -m training.boards.sample_cache build/boards --scenes 12000
    python -m training.boards.sample_cache build/boards --photos ../shared/data/photos

A shard that is there already is not drawn again, so that the command goes on where it was stopped.
Shards are small enough to be held in memory; each look at a sample shows it anew.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from models.board_detector import BOARD, CORNER, CROSSING, INPUT_PX, SIDES, STRIDE, U, V
from training.boards.scenes import LONG_SIDE_PX, draw_scene
from training.photo_labels import (
    fold_of,
    is_labelled,
    load_photo_labels,
    locate_board,
    resize_photo,
    scale_label,
    scale_points,
)
from training.shard_runs import Shard, keep_shards, save_shard
from vision.geometry import Float32, Image8, Points
from vision.media.images import load_image

_SHARD: Final = 250
"""Scenes in a file."""
_JPEG_QUALITY: Final = 93
_LOCATE_PX: Final = 1000
"""Long side of the photo in which a lattice is snapped to the lines."""
MAPS: Final = 6
"""Channels of a target: those of `models.board_detector` up to the crossings, and the side's."""
_SIDE: Final = 5
_PEAK_PX: Final = 1.0
"""Standard deviation of a corner's or crossing's peak, in places of the map."""
_SMALLEST_BOARD: Final = 44.0
"""Side of what is shown of a board at least, in pixels of the network's picture."""
_TURNED: Final = 0.3
"""How often a picture is turned any way, and else the standard deviation in degrees."""
_TURN: Final = 8.0
_WHOLE: Final = 0.2
"""How often a picture is shown as the detector first sees it: all of it, straight."""
_ZOOM: Final = (0.7, 1.7)
"""Least and greatest scale against the whole photo."""
_INVERTED: Final = 0.12
"""How often light and dark change places."""

_LEAST_CELL: Final = 2.2
"""Places of the map that a cell must measure for its crossings to be told apart."""


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
    """Write a shard."""
    save_shard(file, _pack(samples))


def _pack(samples: Sequence[Sample]) -> Shard:
    lattices = [lattice for sample in samples for lattice in sample.lattices]
    return {
        "data": np.concatenate([sample.data for sample in samples]),
        "lengths": np.array([len(sample.data) for sample in samples]),
        "boards": np.array([len(sample.lattices) for sample in samples]),
        "folds": np.array([sample.fold for sample in samples]),
        "sides": np.array([len(lattice) for lattice in lattices], np.int64),
        "points": np.concatenate([np.zeros((0, 2), np.float32)]
                              + [lattice.reshape(-1, 2) for lattice in lattices]),
    }  # fmt: skip


def load_samples(file: Path) -> list[Sample]:
    """Read a shard."""
    with np.load(file) as stored:
        shard = dict(stored)
    sides = shard["sides"]
    points = np.split(shard["points"], np.cumsum(sides**2)[:-1])
    lattices = (one.reshape(side, side, 2) for one, side in zip(points, sides, strict=False))
    pictures = np.split(shard["data"], np.cumsum(shard["lengths"])[:-1])
    rows = zip(pictures, shard["boards"].tolist(), shard["folds"].tolist(), strict=True)
    return [Sample(data, tuple(islice(lattices, count)), fold) for data, count, fold in rows]


def _load_photos(folder: Path) -> Iterator[Sample]:
    """Yield the labelled real photos, shrunk, with the lattices that are snapped to their lines."""
    for label in load_photo_labels(folder):
        if label.corners is None:
            continue
        large, scale = resize_photo(load_image(folder / label.file), _LOCATE_PX)
        lattice = locate_board(large, scale_label(label, scale))
        small, shrunk = resize_photo(large, LONG_SIDE_PX)
        grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
        yield encode_sample(grey, [scale_points(lattice, shrunk)], fold_of(label.group))


def _draw_shard(number: int) -> Shard:
    scenes = (draw_scene(number * _SHARD + step) for step in range(_SHARD))
    return _pack([encode_sample(scene.photo, scene.lattices) for scene in scenes])


def draw_example(sample: Sample, rng: np.random.Generator) -> tuple[Image8, Float32]:
    """Return a sample as a camera might have taken it, too, and its maps.

    Returns:
        (S, S) uint8 grey and (S / 4, S / 4, `MAPS`) float32.
    """
    if rng.random() < _WHOLE:
        image, lattices = show_whole(sample)
    else:
        image, lattices = _show_warped(sample, rng)
    if rng.random() < 0.5:
        image = np.asarray(image[:, ::-1])
        mirror = np.array([-1, 1], np.float32)
        lattices = [mirror * one + np.array([INPUT_PX - 1, 0], np.float32) for one in lattices]
    return _disturb(np.asarray(image, np.uint8), rng), make_maps(lattices)


def _show_warped(sample: Sample, rng: np.random.Generator) -> tuple[Image8, list[Points]]:
    photo = sample.decode()
    transform = _draw_transform(photo, sample.lattices, rng)
    border = int(rng.integers(0, 256))
    mode = cv2.BORDER_CONSTANT if rng.random() < 0.7 else cv2.BORDER_REPLICATE
    image = cv2.warpPerspective(
        photo, transform, (INPUT_PX, INPUT_PX), flags=cv2.INTER_AREA, borderMode=mode,
        borderValue=(border,),
    )  # fmt: skip
    lattices = [_transform(lattice, transform) for lattice in sample.lattices]
    return np.asarray(image, np.uint8), lattices


def show_whole(sample: Sample) -> tuple[Image8, list[Points]]:
    """Return a photo as large as it fits into the network's picture, its edge going on."""
    photo = sample.decode()
    scale = INPUT_PX / max(photo.shape)
    transform = np.array([[scale, 0, 0], [0, scale, 0], [0, 0, 1]])
    image = np.full((INPUT_PX, INPUT_PX), int(np.median(photo)), np.uint8)
    height, width = (round(size * scale) for size in photo.shape)
    image[:height, :width] = cv2.resize(photo, (width, height), interpolation=cv2.INTER_AREA)
    return image, [_transform(lattice, transform) for lattice in sample.lattices]


def make_maps(lattices: list[Points]) -> Float32:
    """Return what the network shall say of a picture, (S / 4, S / 4, `MAPS`) float32.

    Args:
        lattices: of each board, (n + 1, n + 1, 2) float32 in pixels of the picture.
    """
    places = INPUT_PX // STRIDE
    maps = np.zeros((places, places, MAPS), np.float32)
    off_centre = np.full((places, places), np.inf, np.float32)
    for lattice in lattices:
        upright = lie_upright(np.asarray((lattice + 0.5) / STRIDE - 0.5, np.float32))
        side = len(lattice) - 1
        _fill_board(maps, off_centre, upright, SIDES.index(side))
        corners = upright[[0, 0, -1, -1], [0, -1, -1, 0]]
        _draw_peaks(maps[..., CORNER], corners)
        steps = [np.linalg.norm(np.diff(upright, axis=axis), axis=2).min() for axis in (0, 1)]
        if min(steps) >= _LEAST_CELL:
            _draw_peaks(maps[..., CROSSING], upright.reshape(-1, 2))
    return maps


def lie_upright(lattice: Points) -> Points:
    """Return a lattice, turned by quarters so that its rows run to the right, and not mirrored."""
    right, down = lattice[0, -1] - lattice[0, 0], lattice[-1, 0] - lattice[0, 0]
    if right[0] * down[1] - right[1] * down[0] < 0:
        lattice = lattice.transpose(1, 0, 2)
    turned = [np.rot90(lattice, turns) for turns in range(4)]
    ways = [(one[:, -1] - one[:, 0]).mean(axis=0) for one in turned]
    return turned[int(np.argmax([way[0] / np.linalg.norm(way) for way in ways]))]


def _fill_board(maps: Float32, off_centre: Float32, lattice: Points, side: int) -> None:
    """Write u, v and side into the places of a board; of two boards the nearer middle counts."""
    extent = np.ptp(lattice.reshape(-1, 2), axis=0).max()
    count = int(np.clip(2.5 * extent, 8, 400))
    at = np.linspace(0, len(lattice) - 1, count + 1, dtype=np.float32)
    across, down = np.meshgrid(at, at)
    points = cv2.remap(np.ascontiguousarray(lattice), across, down, cv2.INTER_LINEAR)
    cells = np.floor(points + 0.5).astype(np.int64).reshape(-1, 2)
    is_inside = ((cells >= 0) & (cells < len(maps))).all(axis=1)
    x, y = cells[is_inside].T
    u = (across / (len(lattice) - 1)).ravel()[is_inside]
    v = (down / (len(lattice) - 1)).ravel()[is_inside]
    away = np.maximum(np.abs(u - 0.5), np.abs(v - 0.5)) * extent
    is_nearer = away < off_centre[y, x]
    x, y, u, v, away = (one[is_nearer] for one in (x, y, u, v, away))
    off_centre[y, x] = away
    maps[y, x, BOARD] = 1
    maps[y, x, U], maps[y, x, V] = u, v
    maps[y, x, _SIDE] = side


def _draw_peaks(heat: Float32, points: Points) -> None:
    """Raise a map to a normal curve around each point, in place."""
    reach = 3
    for x, y in points:
        left, top = int(np.floor(x)) - reach + 1, int(np.floor(y)) - reach + 1
        columns = np.arange(max(left, 0), min(left + 2 * reach, heat.shape[1]))
        rows = np.arange(max(top, 0), min(top + 2 * reach, heat.shape[0]))
        if not len(columns) or not len(rows):
            continue
        away = (columns[None] - x) ** 2 + (rows[:, None] - y) ** 2
        patch = heat[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        np.maximum(patch, np.exp(-away / (2 * _PEAK_PX**2)), out=patch)


def _draw_transform(
    photo: Image8, lattices: tuple[Points, ...], rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Return a perspective from a photo to the network's picture."""
    height, width = photo.shape
    middle = np.array([width / 2, height / 2])
    largest = 0.0
    if lattices:
        chosen = lattices[int(rng.integers(len(lattices)))].reshape(-1, 2)
        if rng.random() < 0.7:  # look at a board
            middle = chosen.mean(axis=0)
        extents = [float(np.ptp(lattice.reshape(-1, 2), axis=0).max()) for lattice in lattices]
        largest = max(extents)
    scale = INPUT_PX / max(height, width) * float(np.exp(rng.uniform(*np.log(_ZOOM))))
    if lattices:
        scale = max(scale, _SMALLEST_BOARD / min(extents))
        scale = min(scale, 0.98 * INPUT_PX / largest)
    whole = rng.random() < _TURNED
    turn = np.radians(rng.uniform(-180, 180) if whole else rng.normal(0, _TURN))
    linear = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    room = max(INPUT_PX - largest * scale, 0) / 2
    target = INPUT_PX / 2 + rng.uniform(-1, 1, 2) * room
    affine = np.eye(3)
    affine[:2, :2], affine[:2, 2] = linear, target - linear @ middle
    if rng.random() < 0.5:
        lean, shift = np.eye(3), np.eye(3)
        lean[2, :2] = rng.normal(0, 2.5e-4, 2)
        shift[:2, 2] = -INPUT_PX / 2
        affine = np.linalg.inv(shift) @ lean @ shift @ affine
    return affine


def _transform(lattice: Points, transform: npt.NDArray[np.float64]) -> Points:
    flat = np.ascontiguousarray(lattice.reshape(1, -1, 2), np.float32)
    return np.asarray(cv2.perspectiveTransform(flat, transform).reshape(lattice.shape), np.float32)


def _disturb(image: Image8, rng: np.random.Generator) -> Image8:
    tones = image.astype(np.float32)
    if rng.random() < _INVERTED:
        tones = 255 - tones
    if rng.random() < 0.3:  # a slope of light
        angle = rng.uniform(0, 2 * np.pi)
        y, x = np.mgrid[-1 : 1 : INPUT_PX * 1j, -1 : 1 : INPUT_PX * 1j]
        slope = 1 + rng.uniform(0.1, 0.6) * (x * np.cos(angle) + y * np.sin(angle)) / 1.5
        tones *= slope.astype(np.float32)
    tones = tones * rng.uniform(0.4, 1.2) + rng.uniform(-20, 40)
    if rng.random() < 0.35:
        tones = np.asarray(cv2.GaussianBlur(tones, (0, 0), rng.uniform(0.3, 1.6)), np.float32)
    strength = rng.uniform(0, 8) if rng.random() < 0.8 else rng.uniform(8, 45)
    noise = np.zeros(tones.shape, np.float32)
    cv2.randn(noise, np.zeros(1), np.full(1, strength))
    tones += noise
    return np.asarray(np.clip(tones, 0, 255), np.uint8)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    name = "python -m training.boards.sample_cache"
    parser = argparse.ArgumentParser(prog=name, description="Draw scenes and keep them.")
    parser.add_argument("folder", type=Path, help="where the shards are kept")
    parser.add_argument("--scenes", type=int, default=0, help="so many drawn scenes")
    parser.add_argument("--photos", type=Path, help="folder with photos.csv")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.photos is not None:
        if not is_labelled(options.photos):
            return 3
        save_samples(options.folder / "photos.npz", list(_load_photos(options.photos)))
    shards = -(-options.scenes // _SHARD)
    keep_shards(options.folder, "scenes", shards, _draw_shard, options.processes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
