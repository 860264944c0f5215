"""Pools of training cells by content, drawn once from a seed and kept between runs.

A pool's target is (n, 20) float32 as `models.digits.marginal_loss` takes it.
"""

import math
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from models.digits import CLASSES, UInt8
from training.digits.digit_shapes import (
    draw_stroke_glyphs,
    join_glyphs,
    load_printed_glyphs,
    load_written_glyphs,
    thin_glyphs,
)
from training.digits.drawn_cells import (
    CROP_PX,
    Content,
    GlyphStock,
    compress,
    render_cell,
    unit_mesh,
)
from training.digits.photo_cells import SOURCES, PhotoKind, RealCells, render_page_cells
from training.shard_runs import Shard, keep_shards, load_shards
from vision.geometry import Float32, Grey

_TURNED: Final = 0.05
"""Share of the cells that are shown turned; see `draw_cells`."""

SMOOTHING: Final = 0.02
"""Share of the target that is spread evenly, so that a misread digit keeps a runner-up."""

_DISTURBED_FILLED: Final = 0.2
_DISTURBED_EMPTY: Final = 0.6
"""Shares of the cells that are shown in heavy noise or across a fold.

Where hardly anything is seen, the network says how often each content was there in training. Most
cells of a batch hold digits, but only a third of a board's, so it is empty ones that are disturbed
more often.
"""

_SHARD: Final = 4000
"""Cells in a file."""
_STROKE_GLYPHS: Final = 8_000
_THIN_GLYPHS: Final = 6_000
"""Of a shard: thinning them takes a second."""
_STAYS_A_DIGIT: Final = frozenset({1, 2, 5, 6, 8, 9})
"""Digits that may look like one when upside down."""


@dataclass(frozen=True)
class Pool:
    """Cells to draw training batches from."""

    cells: UInt8
    """(n, 32, 32) uint8."""
    target: Float32
    """(n, 20) float32."""

    def __len__(self) -> int:
        return len(self.cells)


def make_target(digits: UInt8, *, printed: bool = True, written: bool = False) -> Float32:
    """Return targets that allow the given kinds of digit, (n, 20) float32.

    Args:
        digits: (n,) uint8, 0 empty.
        printed: whether the digit may be printed.
        written: whether it may be handwritten; with both, the kind is left open.
    """
    target = np.zeros((len(digits), CLASSES + 1), np.float32)
    rows = np.arange(len(digits))
    if printed:
        target[rows, digits] = 1
    if written:
        target[rows, np.where(digits > 0, digits + 9, 0)] = 1
    target[:, CLASSES] = SMOOTHING
    return target


def render_pool(
    content: Content, count: int, seed: int, digits_dir: Path, cache_dir: Path, mnist: bool
) -> Pool:
    """Draw cells of one content on two processes, or read them from an earlier run's cache.

    Args:
        content: as `training.digits.drawn_cells.render_cell` takes it.
        count: how many cells.
        seed: of the drawing.
        digits_dir: the data folder's `digits`.
        cache_dir: where pools are kept between runs.
        mnist: whether handwritten shapes may be drawn.
    """
    name = f"{content}_{count}_{seed}{'_mnist' if mnist else ''}"
    draw = partial(_draw_shard, content, count, seed, digits_dir, mnist)
    stored = load_shards(keep_shards(cache_dir, name, -(-count // _SHARD), draw, 2))
    is_written = content in ("written", "pen")
    target = make_target(stored["digits"], printed=not is_written, written=is_written)
    return Pool(stored["cells"], target)


def svhn_pool(digits_dir: Path) -> Pool:
    """Return the data folder's extract of SVHN's digits 1–9 as printed ones.

    Source: Netzer et al., "Reading Digits in Natural Images with Unsupervised Feature Learning",
    2011, http://ufldl.stanford.edu/housenumbers/; for non-commercial use only.

    Raises:
        FileNotFoundError: if it is not there; the text says what to do.
    """
    path = digits_dir / "svhn_gray32.npz"
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing; put it there, or leave svhn out of --data")
    with np.load(path) as stored:
        cells, digits = stored["x_train"], stored["y_train"].astype(np.uint8)
    keep = digits > 0
    return Pool(cells[keep], make_target(digits[keep]))


def real_pools(real: RealCells, photos: npt.NDArray[np.bool_]) -> dict[str, Pool]:
    """Return the photos' cells by source and filling, for example `wichtounet_empty`.

    Where people wrote into the grids, both kinds are allowed: `digits.train_digit_kinds` tells
    them apart, once digits are read.

    Args:
        real: cells of p photos.
        photos: (p,) which of them may be trained on.
    """
    pools = {}
    for source in SOURCES:
        chosen = photos & (real.source == source)
        if not chosen.any():
            continue
        cells, digits, _ = real.flatten(chosen)
        target = make_target(digits, written=bool(real.is_mixed()[chosen].any()))
        pools[f"{source}_filled"] = Pool(cells[digits > 0], target[digits > 0])
        if (digits == 0).any():
            pools[f"{source}_empty"] = Pool(cells[digits == 0], target[digits == 0])
    return pools


def photo_pools(
    kind: PhotoKind, photos: int, seed: int, digits_dir: Path, cache_dir: Path
) -> dict[str, Pool]:
    """Return cells of rendered photos by filling, for example `pages_written`.

    Args:
        kind: of photos.
        photos: how many are rendered.
        seed: of the first.
        digits_dir: the data folder's `digits`.
        cache_dir: where cells are kept between runs.
    """
    drawn = render_page_cells(kind, photos, seed, digits_dir, cache_dir)
    parts = {
        "empty": drawn.digits == 0,
        "printed": (drawn.digits > 0) & ~drawn.is_written,
        "written": drawn.is_written,
    }
    pools = {}
    for name, chosen in parts.items():
        is_written = name == "written"
        target = make_target(drawn.digits[chosen], printed=not is_written, written=is_written)
        if len(target) > 0:
            pools[f"{kind}_{name}"] = Pool(drawn.cells[chosen], target)
    return pools


def draw_cells(
    rng: np.random.Generator, pools: dict[str, Pool], shares: dict[str, float], count: int
) -> tuple[UInt8, Float32]:
    """Draw cells from the pools by their shares, some of them turned or disturbed.

    A board that lies turned is read in all four ways, and the likeliest wins: for a turned digit
    the network is asked for an even answer, so that wrong ways stay unlikely.

    Args:
        rng: decides which cells.
        pools: by name.
        shares: relative frequency of every pool.
        count: cells to draw.

    Returns:
        (count, 32, 32) uint8 cells and (count, 20) float32 targets.
    """
    likely = np.array([shares[name] for name in pools])
    counts = rng.multinomial(count, likely / likely.sum())
    parts = []
    for pool, n_drawn in zip(pools.values(), counts, strict=True):
        picked = rng.integers(0, len(pool), n_drawn)
        parts.append((pool.cells[picked], pool.target[picked]))
    cells, target = (np.concatenate(part) for part in zip(*parts, strict=True))
    _turn_some(rng, cells, target)
    share = np.where(target[:, 0] > 0, _DISTURBED_EMPTY, _DISTURBED_FILLED)
    for index in np.flatnonzero(rng.random(len(cells)) < share):
        cells[index] = disturb(rng, cells[index])
    return cells, target


def _turn_some(rng: np.random.Generator, cells: UInt8, target: Float32) -> None:
    for index in np.flatnonzero(rng.random(len(cells)) < _TURNED):
        allowed = np.flatnonzero(target[index, :CLASSES])
        digit = (int(allowed[0]) - 1) % 9 + 1
        quarter = int(rng.integers(1, 4))
        if allowed[0] == 0 or (quarter == 2 and digit in _STAYS_A_DIGIT):
            continue
        cells[index] = np.rot90(cells[index], quarter)
        target[index, CLASSES] = 1


def disturb(rng: np.random.Generator, cell: Grey) -> Grey:
    """Return a cell of a picture taken in near-dark, or of a page that is folded, or both.

    The noise is as strong as a digit, and as coarse as the strokes of one where the picture was
    small. Half of the cells are seen through the median of 3×3 pixels, as the product looks too.

    Args:
        rng: decides what is done.
        cell: (32, 32) uint8.

    Returns:
        (32, 32) uint8.
    """
    picture: Any = cell.astype(np.float32)
    kind = rng.random()
    if kind < 0.4:
        picture = picture * _fold_paper(rng)
    if kind > 0.25:
        light = rng.uniform(0.1, 1)
        grain_px = CROP_PX if rng.random() < 0.5 else int(rng.integers(10, CROP_PX))
        noise: Any = rng.standard_normal((grain_px, grain_px), np.float32)
        if grain_px != CROP_PX:
            noise = cv2.resize(noise, (CROP_PX, CROP_PX), interpolation=cv2.INTER_LINEAR)
        strength = math.exp(rng.uniform(math.log(3), math.log(60)))
        picture = light * picture + min(strength, 12 + 48 * light) * noise
    disturbed = np.clip(picture, 0, 255).astype(np.uint8)
    if kind > 0.25 and rng.random() < 0.5:
        disturbed = np.asarray(cv2.medianBlur(disturbed, 3), np.uint8)
    return compress(rng, disturbed) if rng.random() < 0.3 else disturbed


def _fold_paper(rng: np.random.Generator) -> Float32:
    """Return how bright a sheet is around a fold or a crease: a soft line, and a step of light."""
    x, y = unit_mesh(CROP_PX)
    # Pages are mostly folded along their lines, which is what makes a shadow look like a 1.
    angle = rng.choice([0, math.pi / 2]) + rng.normal(0, 0.2)
    distance = math.cos(angle) * x + math.sin(angle) * y - rng.uniform(-0.9, 0.9)
    line = np.exp(-((distance / rng.uniform(0.04, 0.35)) ** 2))
    side = np.tanh(distance / rng.uniform(0.02, 0.5))
    reach = np.clip((rng.uniform(-0.6, 1.8) - y * rng.choice([-1, 1])) / 0.3, 0, 1)
    depth = rng.uniform(0.03, 0.5) * rng.choice([1, 1, 1, -0.4])
    return np.asarray(1 - depth * line * reach + rng.uniform(0, 0.2) * side, np.float32)


def _draw_shard(
    content: Content, count: int, seed: int, digits_dir: Path, mnist: bool, number: int
) -> Shard:
    rng = np.random.default_rng([seed, number, sum(content.encode())])
    written = None
    if mnist:
        copied = load_written_glyphs(digits_dir)[0]
        written = join_glyphs(copied, draw_stroke_glyphs(rng, _STROKE_GLYPHS))
        if content == "pen":
            written = thin_glyphs(rng, written, _THIN_GLYPHS)
    stock = GlyphStock(load_printed_glyphs(digits_dir), written)
    here = range(number * _SHARD, min((number + 1) * _SHARD, count))
    cells, digits = zip(*(render_cell(rng, content, stock) for _ in here), strict=True)
    return {"cells": np.stack(cells), "digits": np.array(digits, np.uint8)}
