"""Digit shapes to draw cells with: typefaces, printed digits and handwriting of the data folder.

A glyph is (28, 28) uint8, ink 255 on paper 0.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from models.engine import UInt8

GLYPH_PX: Final = 28
_TYPEFACE_COPIES: Final = 4

Stroke = list[tuple[float, float]]
"""Points (x, y) that a pen passes: x from the middle of the digit, y from 0 at its top to 1."""


@dataclass(frozen=True)
class Glyphs:
    """Shapes of one kind, n of them."""

    shapes: UInt8
    """(n, 28, 28) uint8, ink 255 on 0."""
    digits: UInt8
    """(n,) uint8, 1..9."""
    boxes: npt.NDArray[np.float32]
    """(n, 4) float32: left, top, width and height of the ink in pixels."""

    def __len__(self) -> int:
        return len(self.digits)


def load_printed_glyphs(digits_dir: Path) -> Glyphs:
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


def load_written_glyphs(digits_dir: Path) -> tuple[Glyphs, Glyphs]:
    """Return MNIST's digits 1–9: those to train on and those to test on."""
    with np.load(digits_dir / "mnist.npz") as mnist:
        learnt = select_glyphs(mnist["x_train"], mnist["y_train"])
        return learnt, select_glyphs(mnist["x_test"], mnist["y_test"])


def draw_stroke_glyphs(rng: np.random.Generator, count: int) -> Glyphs:
    """Draw handwritten digits that MNIST's American writers hardly know, in strokes.

    Ones with a long upstroke and a foot, sevens with a bar, open fours: how they are written in
    much of Europe.
    """
    digits = rng.choice([1, 4, 7], count).astype(np.uint8)
    shapes = np.stack([_draw_strokes(rng, _STROKES[int(digit)](rng)) for digit in digits])
    return select_glyphs(shapes, digits)


def thin_glyphs(rng: np.random.Generator, glyphs: Glyphs, count: int) -> Glyphs:
    """Return glyphs drawn with a finer pen: MNIST was written with thick ones, and scaled down.

    Only points far enough inside a stroke are kept, as a share of how far inside its middle is,
    so that every stroke keeps its course and thick and thin parts stay apart.
    """
    picked = rng.integers(0, len(glyphs), count)
    thin = [_thin_strokes(shape, rng.uniform(0.15, 0.6)) for shape in glyphs.shapes[picked]]
    return select_glyphs(np.stack(thin), glyphs.digits[picked])


def join_glyphs(first: Glyphs, second: Glyphs) -> Glyphs:
    """Return both stocks as one."""
    pairs = zip(vars(first).values(), vars(second).values(), strict=True)
    return Glyphs(*map(np.concatenate, pairs))


def select_glyphs(shapes: UInt8, digits: UInt8) -> Glyphs:
    """Keep the digits 1–9 that have some ink, and measure where it lies.

    Args:
        shapes: (n, 28, 28) uint8, ink 255 on 0.
        digits: (n,) 0..9.
    """
    keep = (digits > 0) & ((shapes > 127).sum(axis=(1, 2)) >= 8)
    shapes, digits = shapes[keep], digits[keep].astype(np.uint8)
    inked = np.asarray(shapes > 63)
    columns, rows = np.asarray(inked.any(axis=1)), np.asarray(inked.any(axis=2))
    left, top = columns.argmax(axis=1), rows.argmax(axis=1)
    right = GLYPH_PX - columns[:, ::-1].argmax(axis=1)
    bottom = GLYPH_PX - rows[:, ::-1].argmax(axis=1)
    boxes = np.stack([left, top, right - left, bottom - top], axis=1).astype(np.float32)
    return Glyphs(shapes, digits, boxes)


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


def _is_whole(shapes: UInt8) -> npt.NDArray[np.bool_]:
    """Tell crops whose ink keeps clear of the border: no grid line in them, nothing cut off."""
    middle = shapes[:, 2:-2, 2:-2]
    return np.asarray((shapes > 63).sum(axis=(1, 2)) == (middle > 63).sum(axis=(1, 2)))
