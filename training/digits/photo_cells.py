"""Cells cut from photos as the product cuts them, labelled and rendered, to train and to score.

A cell drawn by itself (`digits.drawn_cells`) never shows what a page, a camera and a hand do
together: print in a fold and in dim light, entries as dark as the print beside them. Rendered
`pages` are whole ones; `small` are photos of one board in few pixels, of which there can be more.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from models.engine import UInt8
from training.digits.drawn_cells import CROP_PX, compress, light_paper
from training.photo_labels import (
    EMPTY,
    PRINTED,
    UNKNOWN,
    Kinds,
    PhotoLabel,
    fold_of,
    load_kinds,
    load_photo_labels,
    locate_board,
)
from training.rendered.large_digits import using_shapes_of, using_training_hands
from training.rendered.rendered_photos import (
    MANY_BOARDS,
    render_photo,
    render_small_photo,
)
from training.rendered.writing import Mark
from training.shard_runs import Shard, keep_shards, load_shards, save_shard
from vision.board import cut_cells, rectify
from vision.geometry import Grey, Points

SOURCES: Final = ("wichtounet", "alexkubiesa", "donshel", "others")

_MIXED_SOURCES: Final = ("alexkubiesa", "donshel")
"""Where people wrote into printed grids: which digits are theirs, only labels know."""

_VARIANTS: Final = 4
"""Cuts of a photo; all but the first are moved and varied at random, by this seed."""
_SEED: Final = 0


@dataclass(frozen=True)
class RealCells:
    """Cells of p photos, each cut v times: first as found, then with the lattice moved."""

    cells: UInt8
    """(p, v, 81, 32, 32) uint8."""
    digits: UInt8
    """(p, 81) uint8, 0 empty."""
    source: npt.NDArray[np.str_]
    """(p,) one of `SOURCES`."""
    fold: npt.NDArray[np.int64]
    """(p,) as `training.photo_labels.fold_of` says."""
    file: npt.NDArray[np.str_]
    """(p,) path below the photos folder."""
    kinds: Kinds
    """(p, 81) marks as `training.photo_labels` names them."""

    def is_mixed(self) -> npt.NDArray[np.bool_]:
        """Return for each photo whether people wrote into its source's grids, (p,)."""
        return np.isin(self.source, _MIXED_SOURCES)

    def learnt(self, left_out: int | None) -> npt.NDArray[np.bool_]:
        """Return which photos are not of a fold, (p,); all where it is None."""
        return np.asarray(self.fold != (-1 if left_out is None else left_out))

    def flatten(self, chosen: npt.NDArray[np.bool_]) -> tuple[UInt8, UInt8, Kinds]:
        """Return the cells of all cuts of some photos, (n, 32, 32), their digits and marks."""
        cells = self.cells[chosen].reshape(-1, *self.cells.shape[-2:])
        cuts = self.cells.shape[1]
        digits, kinds = (np.repeat(one[chosen], cuts, axis=0) for one in (self.digits, self.kinds))
        return cells, np.asarray(digits.ravel(), np.uint8), np.asarray(kinds.ravel(), np.str_)


def load_real_cells(photos_dir: Path, cache_dir: Path) -> RealCells:
    """Cut every labelled photo, or read the cells from an earlier run's cache.

    The cache does not notice a changed finder: delete its folder then.

    Args:
        photos_dir: holds `photos.csv`.
        cache_dir: where cells are kept between runs.
    """
    labels = [label for label in load_photo_labels(photos_dir) if label.corners is not None]
    key = hashlib.sha256(f"{_VARIANTS} {_SEED} {[photo.file for photo in labels]}".encode())
    path = cache_dir / f"real_{key.hexdigest()[:12]}.npz"
    if not path.is_file():
        rows = [_cut_variants(photos_dir, label) for label in labels]
        path.parent.mkdir(parents=True, exist_ok=True)
        save_shard(path, {"cells": np.stack(rows)})
    with np.load(path) as stored:
        cells = stored["cells"]
    sources = [label.source if label.source in SOURCES else "others" for label in labels]
    return RealCells(
        cells,
        np.stack([label.digits.ravel() for label in labels]),
        np.array(sources),
        np.array([fold_of(label.group) for label in labels]),
        np.array([label.file for label in labels]),
        _collect_kinds(labels),
    )


def _collect_kinds(labels: list[PhotoLabel]) -> Kinds:
    """Return which digits are printed, (p, 81) marks as `training.photo_labels` names them.

    Photos that are not labelled are all print where their source has no handwriting, else unknown.
    """
    labelled = load_kinds()
    kinds = np.full((len(labels), 81), EMPTY)
    for row, label in zip(kinds, labels, strict=True):
        usual = UNKNOWN if label.source in _MIXED_SOURCES else PRINTED
        marks = labelled.get(label.file, np.full(81, usual))
        filled = label.digits.ravel() > 0
        row[filled] = marks[filled]
    return kinds


def move_lattice(rng: np.random.Generator, lattice: Points) -> Points:
    """Return the lattice as a worse finder would have placed it: off by a few hundredths of a cell.

    The whole board shifts, and every corner strays on its own.
    """
    cell_px = float(np.linalg.norm(lattice[0, 9] - lattice[0, 0])) / 9
    shift = np.clip(rng.normal(0, 0.035, 2), -0.1, 0.1)
    stray = np.clip(rng.normal(0, 0.05, (2, 2, 2)), -0.12, 0.12)
    down = np.linspace(0, 1, 10)[:, None, None]
    along = np.linspace(0, 1, 10)[None, :, None]
    left = stray[0, 0] * (1 - down) + stray[1, 0] * down
    right = stray[0, 1] * (1 - down) + stray[1, 1] * down
    offset = shift + left * (1 - along) + right * along
    return np.asarray(lattice + cell_px * offset, np.float32)


def _cut_variants(photos_dir: Path, label: PhotoLabel) -> UInt8:
    image = cv2.imread(str(photos_dir / label.file))
    if image is None:
        raise OSError(f"cannot read the photo {label.file}")
    picture = np.asarray(image, np.uint8)
    digest = hashlib.sha256(f"{_SEED} {label.file}".encode()).digest()
    rng = np.random.default_rng(int.from_bytes(digest[:8], "big"))
    lattice = locate_board(picture, label)
    cuts = [cut_cells(rectify(picture, lattice))]
    for _ in range(_VARIANTS - 1):
        moved = cut_cells(rectify(picture, move_lattice(rng, lattice)))
        cuts.append(np.stack([rephotograph(rng, cell) for cell in moved]))
    return np.stack(cuts)


def rephotograph(rng: np.random.Generator, cell: Grey) -> Grey:
    """Vary a real cell gently: blur, resolution, contrast, light, noise, compression, polarity.

    Args:
        rng: decides what is done.
        cell: (32, 32) uint8.

    Returns:
        (32, 32) uint8.
    """
    picture: Any = cell.astype(np.float32)
    if rng.random() < 0.35:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.1))
    if rng.random() < 0.2:
        small_px = int(rng.integers(15, 28))
        small = cv2.resize(picture, (small_px, small_px), interpolation=cv2.INTER_AREA)
        picture = cv2.resize(small, (CROP_PX, CROP_PX), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.3:
        picture = picture * light_paper(rng, CROP_PX)
    if rng.random() < 0.5:
        picture = picture.mean() + (picture - picture.mean()) * rng.uniform(0.35, 1.3)
    if rng.random() < 0.4:
        noise = rng.standard_normal((CROP_PX, CROP_PX), np.float32)
        picture = picture + rng.uniform(0, 7) * noise
    if rng.random() < 0.04:
        picture = 255 - picture
    varied = np.clip(picture, 0, 255).astype(np.uint8)
    return compress(rng, varied) if rng.random() < 0.2 else varied


PhotoKind = Literal["pages", "small"]

_SHARDS: Final[dict[PhotoKind, int]] = {"pages": 20, "small": 200}
"""Photos a file of the cache, so that a run that is broken off loses little."""

_LEVELS: Final = (3, 4, 5, 5)
"""Photo by photo: the easy levels teach nothing new."""

_FIRST_SEED: Final = 1_000_000
"""Far from the seeds that `training.evaluate rendered` is run with."""


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
    kind: PhotoKind, photos: int, seed: int, digits_dir: Path, cache_dir: Path
) -> PageCells:
    """Render photos and cut their cells, or read them from an earlier run's cache.

    The hands are those of MNIST's training part.

    Args:
        kind: `pages` of 1 to 6 boards, or `small` photos of one board.
        photos: how many.
        seed: of the first photo; the next follow.
        digits_dir: the data folder's `digits`.
        cache_dir: where cells are kept between runs.
    """
    return PageCells(**load_shards(keep_page_cells(kind, photos, seed, digits_dir, cache_dir)))


def keep_page_cells(
    kind: PhotoKind, photos: int, seed: int, digits_dir: Path, cache_dir: Path
) -> list[Path]:
    """Return the files of what `render_page_cells` returns, and draw those that are missing."""
    draw = partial(_draw_shard, kind, seed, digits_dir)
    shards = -(-photos // _SHARDS[kind])
    return keep_shards(cache_dir, f"{kind}_{seed}", shards, draw, 2)


def cut_photo(
    kind: PhotoKind, level: int, seed: int
) -> Iterator[tuple[UInt8, UInt8, npt.NDArray[np.bool_]]]:
    """Yield the cells, digits and kinds of each board of a photo: as it lies, then moved a little.

    Args:
        kind: of photo.
        level: of hardness, 1..5.
        seed: of the photo; also says how many boards a page has.
    """
    if kind == "small":
        rendered = render_small_photo(level, seed)
    else:
        rendered = render_photo(level, seed, (1, *MANY_BOARDS)[seed % (1 + len(MANY_BOARDS))])
    rng = np.random.default_rng([seed, level])
    for board in rendered.boards:
        is_written = np.isin(board.marks, (Mark.WRITTEN, Mark.CORRECTED)).ravel()
        digits = (board.clues + board.entries).astype(np.uint8).ravel()
        for lattice in (board.lattice, move_lattice(rng, board.lattice)):
            yield cut_cells(rectify(rendered.photo, lattice)), digits, is_written


def _draw_shard(kind: PhotoKind, seed: int, digits_dir: Path, number: int) -> Shard:
    parts = []
    with using_shapes_of(digits_dir), using_training_hands():
        for photo in range(number * _SHARDS[kind], (number + 1) * _SHARDS[kind]):
            level = _LEVELS[photo % len(_LEVELS)]
            first = _FIRST_SEED + seed + photo
            parts += list(cut_photo(kind, level, first))
    cells, digits, is_written = (np.concatenate(part) for part in zip(*parts, strict=True))
    return {"cells": cells, "digits": digits, "is_written": is_written}
