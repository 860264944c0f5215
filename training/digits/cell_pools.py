"""Pools of training cells by content, drawn once from a seed and kept between runs.

They are drawn in typefaces, printed digits and handwriting of the data folder, and in pen strokes.
A pool's target is (n, 20) float32 as `models.digits.marginal_loss` takes it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from models.digits import CLASSES
from models.engine import UInt8
from training.digits.drawn_cells import Content, GlyphStock, disturb, render_cell
from training.digits.photo_cells import SOURCES, PhotoKind, RealCells, render_page_cells
from training.rendered.large_digits import (
    GLYPH_PX,
    Glyphs,
    Stroke,
    load_written_glyphs,
    select_glyphs,
)
from training.shard_runs import Shard, keep_shards, load_shards
from vision.geometry import Float32

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
_TYPEFACE_COPIES: Final = 4
STAYS_A_DIGIT: Final = frozenset({1, 2, 5, 6, 8, 9})
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
        if allowed[0] == 0 or (quarter == 2 and digit in STAYS_A_DIGIT):
            continue
        cells[index] = np.rot90(cells[index], quarter)
        target[index, CLASSES] = 1


def _draw_shard(
    content: Content, count: int, seed: int, digits_dir: Path, mnist: bool, number: int
) -> Shard:
    rng = np.random.default_rng([seed, number, sum(content.encode())])
    written = None
    if mnist:
        copied = load_written_glyphs(digits_dir)[0]
        written = _join_glyphs(copied, _draw_stroke_glyphs(rng, _STROKE_GLYPHS))
        if content == "pen":
            written = _thin_glyphs(rng, written, _THIN_GLYPHS)
    stock = GlyphStock(_load_printed_glyphs(digits_dir), written)
    here = range(number * _SHARD, min((number + 1) * _SHARD, count))
    cells, digits = zip(*(render_cell(rng, content, stock) for _ in here), strict=True)
    return {"cells": np.stack(cells), "digits": np.array(digits, np.uint8)}


def _load_printed_glyphs(digits_dir: Path) -> Glyphs:
    """Return the digits 1–9 of every usable typeface, and the printed ones without grid lines.

    The latter are many forms of few pictures: typefaces come several times, to outnumber them.
    """
    with np.load(digits_dir / "fonts_gray28.npz") as fonts:
        usable = _has_own_digits(fonts["x"], fonts["y"], fonts["font"])
        shapes = np.tile(fonts["x"][usable], (_TYPEFACE_COPIES, 1, 1))
        digits = np.tile(fonts["y"][usable], _TYPEFACE_COPIES)
    with np.load(digits_dir / "printed_gray28.npz") as printed:
        clean = _is_whole(printed["x"])
        shapes = np.concatenate([shapes, printed["x"][clean]])
        digits = np.concatenate([digits, printed["y"][clean]])
    return select_glyphs(shapes, digits)


def _draw_stroke_glyphs(rng: np.random.Generator, count: int) -> Glyphs:
    """Draw handwritten digits that MNIST's American writers hardly know, in strokes.

    Ones with a long upstroke and a foot, sevens with a bar, open fours: how they are written in
    much of Europe.
    """
    digits = rng.choice([1, 4, 7], count).astype(np.uint8)
    shapes = np.stack([_draw_strokes(rng, _STROKES[int(digit)](rng)) for digit in digits])
    return select_glyphs(shapes, digits)


def _thin_glyphs(rng: np.random.Generator, glyphs: Glyphs, count: int) -> Glyphs:
    """Return glyphs drawn with a finer pen: MNIST was written with thick ones, and scaled down.

    Only points far enough inside a stroke are kept, as a share of how far inside its middle is,
    so that every stroke keeps its course and thick and thin parts stay apart.
    """
    picked = rng.integers(0, len(glyphs), count)
    thin = [_thin_strokes(shape, rng.uniform(0.15, 0.6)) for shape in glyphs.shapes[picked]]
    return select_glyphs(np.stack(thin), glyphs.digits[picked])


def _join_glyphs(first: Glyphs, second: Glyphs) -> Glyphs:
    """Return both stocks as one."""
    pairs = zip(vars(first).values(), vars(second).values(), strict=True)
    return Glyphs(*map(np.concatenate, pairs))


def _has_own_digits(
    shapes: UInt8, digits: UInt8, fonts: npt.NDArray[np.str_]
) -> npt.NDArray[np.bool_]:
    """Tell the glyphs of typefaces whose digits differ from each other and look like digits.

    Trial versions draw the same logo for every digit, and picture fonts draw wide pictures.
    """
    usable = np.zeros(len(digits), bool)
    for font in np.unique(fonts):
        members = np.flatnonzero((fonts == font) & (digits > 0))
        flat = shapes[members].reshape(len(members), -1).astype(np.float32) / 255
        apart = np.abs(flat[:, None] - flat[None]).mean(axis=2) + np.eye(len(members))
        widths = (shapes[members] > 63).any(axis=1).sum(axis=1)
        usable[members] = apart.min() > 0.015 and np.median(widths) < 0.85 * GLYPH_PX
    return usable


def _is_whole(shapes: UInt8) -> npt.NDArray[np.bool_]:
    """Tell crops whose ink keeps clear of the border: no grid line in them, nothing cut off."""
    middle = shapes[:, 2:-2, 2:-2]
    return np.asarray((shapes > 63).sum(axis=(1, 2)) == (middle > 63).sum(axis=(1, 2)))


def _one_strokes(rng: np.random.Generator) -> list[Stroke]:
    reach, drop = rng.uniform(0.1, 0.45), rng.uniform(0.12, 0.6)
    strokes = [[(-reach, drop), (0, 0), (0, 1)]]
    if drop < 0.45 and rng.random() < 0.6:  # a long upstroke and a foot would look like a 4
        strokes.append([(-rng.uniform(0.15, 0.45), 1), (rng.uniform(0.15, 0.45), 1)])
    return strokes


def _seven_strokes(rng: np.random.Generator) -> list[Stroke]:
    left, foot = -rng.uniform(0.25, 0.45), rng.uniform(-0.3, 0.1)
    right = rng.uniform(0.2, 0.4)
    strokes = [[(left, rng.uniform(-0.03, 0.1)), (right, 0), (foot, 1)]]
    if rng.random() < 0.3:  # a serif at the left end
        strokes[0].insert(0, (left, rng.uniform(0.12, 0.25)))
    if rng.random() < 0.75:
        middle, height = (right + foot) / 2, rng.uniform(0.38, 0.6)
        reach = rng.uniform(0.12, 0.35)
        tilt = rng.normal(0, 0.05)
        strokes.append([(middle - reach, height + tilt), (middle + reach, height - tilt)])
    return strokes


def _four_strokes(rng: np.random.Generator) -> list[Stroke]:
    top, corner = rng.uniform(-0.2, 0.15), rng.uniform(0.5, 0.72)
    left, stem = -rng.uniform(0.3, 0.45), rng.uniform(0.0, 0.25)
    return [
        [(top, 0), (left, corner), (rng.uniform(0.3, 0.5), corner + rng.normal(0, 0.04))],
        [(stem + rng.normal(0, 0.04), rng.uniform(0.0, 0.45)), (stem, 1)],
    ]


_STROKES: Final[dict[int, Callable[[np.random.Generator], list[Stroke]]]] = {
    1: _one_strokes,
    4: _four_strokes,
    7: _seven_strokes,
}


def _draw_strokes(rng: np.random.Generator, strokes: list[Stroke]) -> UInt8:
    """Draw strokes given in a box one high, slanted and shaky, at twice the size and halved."""
    canvas = np.zeros((2 * GLYPH_PX, 2 * GLYPH_PX), np.uint8)
    slant, width = rng.normal(0.12, 0.14), int(rng.integers(2, 8))
    for stroke in strokes:
        points = np.array(stroke, np.float64)
        at = np.linspace(0, len(points) - 1, 12)
        dense = np.column_stack([np.interp(at, range(len(points)), one) for one in points.T])
        wobble = rng.normal(0, 0.02, dense.shape)
        wobble[1:-1] = (wobble[:-2] + wobble[1:-1] + wobble[2:]) / 2
        dense += wobble
        dense[:, 0] += slant * (0.5 - dense[:, 1])
        pixels = np.round((dense * 40 + [28, 8]) * 16).astype(np.int32)
        cv2.polylines(canvas, [pixels], False, 255, width, cv2.LINE_AA, 4)
    small = cv2.resize(canvas, (GLYPH_PX, GLYPH_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _thin_strokes(shape: UInt8, depth: float) -> UInt8:
    """Keep what lies deeper inside a stroke than this share of its half width, 0..1."""
    large = cv2.resize(shape, (112, 112), interpolation=cv2.INTER_CUBIC)
    inside = cv2.distanceTransform((large > 110).astype(np.uint8), cv2.DIST_L2, 5)
    middle = cv2.dilate(inside, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (15, 15)))
    kept = np.clip((inside - depth * middle) + 0.5, 0, 1) * (inside > 0)
    soft = cv2.GaussianBlur(np.asarray(kept, np.float32), (0, 0), 1.2)
    small = cv2.resize(soft, (GLYPH_PX, GLYPH_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(small * (255 / max(float(small.max()), 1e-3)), 0, 255), np.uint8)
