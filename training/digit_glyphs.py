"""Digit shapes to draw cells with: typefaces, printed digits and handwriting of the data folder.

A glyph is (28, 28) uint8, ink 255 on paper 0.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

GLYPH_PX: Final = 28

UInt8 = npt.NDArray[np.uint8]


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
    """Return the digits 1–9 of every usable typeface, and the printed ones without grid lines."""
    with np.load(digits_dir / "fonts_gray28.npz") as fonts:
        usable = _has_own_digits(fonts["x"], fonts["y"], fonts["font"])
        shapes, digits = fonts["x"][usable], fonts["y"][usable]
    with np.load(digits_dir / "printed_gray28.npz") as printed:
        clean = _is_whole(printed["x"])
        shapes = np.concatenate([shapes, printed["x"][clean]])
        digits = np.concatenate([digits, printed["y"][clean]])
    return select_glyphs(shapes, digits)


def load_written_glyphs(digits_dir: Path) -> tuple[Glyphs, Glyphs]:
    """Return MNIST's digits 1–9: those to train on and those to test on."""
    with np.load(digits_dir / "mnist.npz") as mnist:
        return (
            select_glyphs(mnist["x_train"], mnist["y_train"]),
            select_glyphs(mnist["x_test"], mnist["y_test"]),
        )


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


def _is_whole(shapes: UInt8) -> npt.NDArray[np.bool_]:
    """Tell crops whose ink keeps clear of the border: no grid line in them, nothing cut off."""
    middle = shapes[:, 2:-2, 2:-2]
    return np.asarray((shapes > 63).sum(axis=(1, 2)) == (middle > 63).sum(axis=(1, 2)))
