"""The solution drawn on the photo, in the perspective and the bend of the board.

Ticks, crosses and question marks on checked entries are drawn the same way.

A photo is (H, W, 3) uint8 BGR and never changed; a lattice is (n + 1, n + 1, 2) as
`vision.board` has it; parts of it outside of the photo are left out. What has another shape, or
holds values that cannot be drawn, raises a ValueError.
"""

import bisect
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from vision.geometry import Image8, Points

Colour = tuple[int, int, int]

_FONT: Final = Path(__file__).parents[1] / "fonts" / "Nunito-Bold.ttf"
_GLYPH_SIZES: Final = (12, 16, 20, 25, 32, 40, 50, 64, 80, 100, 128, 160, 200, 256)
_FINE_PX: Final = 256
_NUMBERS: Final = tuple(map(str, range(1, 26)))
"""What is written for digits, where no other symbols are given."""
_TWO_FIGURES: Final = 0.82
"""Height of a symbol of two figures, in those of one."""

_SUBPIXEL_BITS: Final = 4
_DARK_BELOW: Final = 90
"""Grey level of the paper, 0..255: shadowed newspapers stay above it, dark screens below."""

Mark = Literal["tick", "cross", "question"]

_STROKES: Final[dict[Mark, tuple[tuple[tuple[float, float], ...], ...]]] = {
    "tick": (((0.0, 0.6), (0.35, 1.0), (1.0, 0.0)),),
    "cross": (((0.0, 0.0), (1.0, 1.0)), ((1.0, 0.0), (0.0, 1.0))),
    "question": (
        ((0.15, 0.2), (0.5, 0.0), (0.85, 0.2), (0.5, 0.5), (0.5, 0.7)),
        ((0.5, 0.92), (0.5, 1.0)),
    ),
}
"""Lines through points (x, y) of a unit square."""

_COLOURS: Final[dict[Mark, tuple[int, int, int]]] = {
    "tick": (60, 150, 20),
    "cross": (40, 30, 220),
    "question": (0, 130, 240),
}
"""BGR; shape and colour both tell, for those who see one of them badly."""

_HALO: Final = (255, 255, 255)
_CORNER: Final = 0.06
_SIDE: Final = 0.24
"""Where in the cell a mark begins, from its top left, and how large it is; in cells. Digits
leave that corner free."""

_WIDTH: Final = 0.06
_WIDEST: Final = 4096
"""Widest stroke in pixels, whatever corners a user drags: OpenCV draws none of 32,768."""


@dataclass(frozen=True)
class OverlayStyle:
    """How an overlay looks; colours are BGR, lengths fractions of a cell's side."""

    ink: Colour = (70, 125, 10)
    halo: Colour = (255, 255, 255)
    ink_on_dark: Colour = (150, 240, 110)
    halo_on_dark: Colour = (25, 25, 25)
    digit_height: float = 0.56
    middle: tuple[float, float] = (0.5, 0.5)
    """Where in the cell the middle of a digit stands, from its top left."""
    halo_width: float = 0.055
    tint: Colour = (70, 190, 255)
    tint_strength: float = 0.6
    """Share of the tint in a tinted cell, 0..1."""


class _Glyph(NamedTuple):
    """One symbol with its halo, drawn for a cell of `cell_px` and cut out of it.

    Attributes:
        pixels: (h, w, 4) uint8 BGRA, colours multiplied by alpha, so that both are warped alike.
        left: of the cut, in the cell.
        top: of the cut, in the cell.
        cell_px: side of the cell.
    """

    pixels: Image8
    left: int
    top: int
    cell_px: int


def draw_digits(
    photo: Image8,
    lattice: Points,
    digits: npt.NDArray[np.uint8],
    style: OverlayStyle | None = None,
    symbols: Sequence[str] = _NUMBERS,
) -> Image8:
    """Return the photo with digits written into the board, in light ink if the board is dark.

    Args:
        lattice: (n + 1, n + 1, 2) float32; parts outside the photo are left out.
        digits: (n, n) uint8, what to draw; 0 leaves a cell as it is.
        symbols: what is written for each digit, from 1 on.
    """
    _check(photo, lattice)
    side = len(lattice) - 1
    most = min(side, len(symbols))
    if digits.shape != (side, side) or int(digits.max()) > most:
        raise ValueError(
            f"digits must be {(side, side)} of 0..{most}, got {digits.shape}, most {digits.max()}"
        )
    style = style or OverlayStyle()
    image = photo.copy()
    dark = is_dark_board(photo, lattice)
    for row, column, quad in _cells(lattice, digits > 0):
        glyph = _glyph(symbols[digits[row, column] - 1], _glyph_px(quad), style, dark)
        _draw_glyph(image, quad, glyph)
    return image


def tint_cells(
    photo: Image8,
    lattice: Points,
    cells: npt.NDArray[np.bool_],
    style: OverlayStyle | None = None,
) -> Image8:
    """Return the photo with some cells tinted, as with a marker pen, the print still readable.

    Args:
        cells: (n, n) bool, which ones.
    """
    _check(photo, lattice)
    side = len(lattice) - 1
    if cells.shape != (side, side):
        raise ValueError(f"cells must be {(side, side)}, got {cells.shape}")
    style = style or OverlayStyle()
    image = photo.copy()
    dark = is_dark_board(photo, lattice)
    for _, _, quad in _cells(lattice, cells):
        window = _window(image, quad)
        if window is None:
            continue
        patch, corner = window
        mask = np.zeros(patch.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, _fixed_point(quad - corner), 255, cv2.LINE_AA, _SUBPIXEL_BITS)
        alpha = np.round(mask * style.tint_strength).astype(np.uint8)
        tint = np.full_like(patch, style.tint)
        # Multiplied like a marker's ink, dark print stays dark; a dark paper would swallow it.
        marked = tint if dark else np.asarray(cv2.multiply(patch, tint, scale=1 / 255), np.uint8)
        _blend(patch, marked, alpha)
    return image


def is_dark_board(photo: Image8, lattice: Points) -> bool:
    """Tell whether the paper of a board is dark, as on a screen in dark mode."""
    middles = ((lattice[:-1, :-1] + lattice[1:, 1:]) / 2).reshape(-1, 2)
    # Near a corner of each cell too: there the paper shows beside a digit.
    corners = (lattice[:-1, :-1] * 0.8 + lattice[1:, 1:] * 0.2).reshape(-1, 2)
    points = np.round(np.concatenate([middles, corners, corners])).astype(int)
    height, width = photo.shape[:2]
    inside = (points >= 0).all(axis=1) & (points < (width, height)).all(axis=1)
    if not inside.any():
        return False
    samples = photo[points[inside, 1], points[inside, 0]]
    return float(np.median(samples @ np.array([0.114, 0.587, 0.299]))) < _DARK_BELOW


def _check(photo: Image8, lattice: Points) -> None:
    if photo.ndim != 3 or photo.shape[2] != 3 or photo.dtype != np.uint8:
        raise ValueError(f"photo must be (H, W, 3) uint8, got {photo.shape} {photo.dtype}")
    if lattice.ndim != 3 or lattice.shape != (len(lattice), len(lattice), 2):
        raise ValueError(f"lattice must be (n + 1, n + 1, 2), got {lattice.shape}")
    if not np.isfinite(lattice).all():
        raise ValueError("lattice must be finite")


def _cells(
    lattice: Points, wanted: npt.NDArray[np.bool_]
) -> Iterator[tuple[int, int, npt.NDArray[np.float32]]]:
    """Yield row, column and corners (4, 2), clockwise from the top left, of cells with an area."""
    for row, column in np.argwhere(wanted):
        block = lattice[row : row + 2, column : column + 2]
        quad = np.ascontiguousarray(block.reshape(4, 2)[[0, 1, 3, 2]], np.float32)
        if cv2.isContourConvex(quad) and cv2.contourArea(quad) >= 1:
            yield int(row), int(column), quad


def _window(image: Image8, quad: Points) -> tuple[Image8, Points] | None:
    """Return a view of the image around a quadrilateral and its top left corner (x, y)."""
    height, width = image.shape[:2]
    left, top = np.maximum(np.floor(quad.min(axis=0)), 0).astype(int)
    right, bottom = np.minimum(np.ceil(quad.max(axis=0)) + 1, (width, height)).astype(int)
    if right <= left or bottom <= top:
        return None
    return image[top:bottom, left:right], np.array([left, top], np.float32)


def _glyph_px(quad: Points) -> int:
    """Return the size to draw glyphs in, so that they are shrunk a little and never much."""
    longest = max(math.dist(quad[corner - 1], quad[corner]) for corner in range(4))
    index = bisect.bisect_left(_GLYPH_SIZES, longest)
    return _GLYPH_SIZES[min(index, len(_GLYPH_SIZES) - 1)]


@lru_cache(maxsize=512)
def _glyph(symbol: str, cell_px: int, style: OverlayStyle, dark: bool) -> _Glyph:
    # Drawn larger and shrunk: Pillow puts small glyphs on whole pixels, off the cell's middle.
    fine = max(_FINE_PX // cell_px, 1)
    side = cell_px * fine
    _, top, _, bottom = _font(1000).getbbox("0", anchor="ls")
    height = style.digit_height * (_TWO_FIGURES if len(symbol) > 1 else 1)
    size = height * side / (bottom - top)
    font = _font(size * 1000)
    left, _, right, _ = font.getbbox(symbol, anchor="ls")
    across, down = style.middle
    place = (across * side - (left + right) / 2, down * side - (top + bottom) * size / 2)

    def coverage(stroke_px: float) -> Image8:
        layer = Image.new("L", (side, side))
        draw = ImageDraw.Draw(layer)
        draw.text(place, symbol, 255, font, anchor="ls", stroke_width=stroke_px * fine)
        return np.asarray(layer.resize((cell_px, cell_px), Image.Resampling.BOX), np.uint8)

    alpha, inked = coverage(max(style.halo_width * cell_px, 1.0)), coverage(0.0)
    ink, halo = (style.ink_on_dark, style.halo_on_dark) if dark else (style.ink, style.halo)
    colours = np.full((cell_px, cell_px, 3), halo, np.uint8)
    _blend(colours, np.full_like(colours, ink), inked)
    glyph = np.zeros((cell_px, cell_px, 3), np.uint8)
    _blend(glyph, colours, alpha)
    x, y, width, high = cv2.boundingRect(alpha)
    # A border of nothing lets the edge fade out when the glyph is warped.
    x, y, x_end, y_end = max(x - 1, 0), max(y - 1, 0), x + width + 1, y + high + 1
    cut = np.dstack((glyph, alpha))[y:y_end, x:x_end]
    return _Glyph(np.ascontiguousarray(cut), x, y, cell_px)


@lru_cache(maxsize=64)
def _font(size_px: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_FONT, size_px, layout_engine=ImageFont.Layout.BASIC)


def _draw_glyph(image: Image8, quad: Points, glyph: _Glyph) -> None:
    """Warp a glyph into its cell and lay it over the image."""
    # The middle of a pixel lies half a pixel within it.
    left, top = -glyph.left - 0.5, -glyph.top - 0.5
    right, bottom = left + glyph.cell_px, top + glyph.cell_px
    cell = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    to_photo = cv2.getPerspectiveTransform(cell, quad)
    height, width = glyph.pixels.shape[:2]
    box = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float32)
    window = _window(image, np.asarray(cv2.perspectiveTransform(box, to_photo)[0], np.float32))
    if window is None:
        return
    patch, (x, y) = window
    to_patch = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1]]) @ to_photo
    warped = cv2.warpPerspective(glyph.pixels, to_patch, (patch.shape[1], patch.shape[0]))
    colours, alpha = cv2.cvtColor(warped, cv2.COLOR_BGRA2BGR), warped[:, :, 3]
    kept = cv2.multiply(patch, cv2.bitwise_not(cv2.merge((alpha, alpha, alpha))), scale=1 / 255)
    cv2.add(kept, colours, dst=patch)


def _blend(patch: Image8, colours: Image8, alpha: Image8) -> None:
    """Lay colours (h, w, 3) over a view of an image, in place; alpha is (h, w) uint8.

    In OpenCV's 8-bit arithmetic, a tenth of the time that floats in NumPy take.
    """
    over = cv2.merge((alpha, alpha, alpha))
    kept = cv2.multiply(patch, cv2.bitwise_not(over), scale=1 / 255)
    patch[:] = cv2.add(kept, cv2.multiply(colours, over, scale=1 / 255))


def _fixed_point(points: Points) -> npt.NDArray[np.int32]:
    return np.round(points * (1 << _SUBPIXEL_BITS)).astype(np.int32)


def mark_cells(photo: Image8, lattice: Points, cells: npt.NDArray[np.bool_], mark: Mark) -> Image8:
    """Return the photo with a mark in the top left corner of each of the cells.

    Args:
        cells: (n, n) bool.
        mark: which one.
    """
    side = len(lattice) - 1
    if cells.shape != (side, side):
        raise ValueError(f"cells must be {(side, side)}, got {cells.shape}")
    image = photo.copy()
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    for _, _, quad in _cells(lattice, cells):
        to_photo = cv2.getPerspectiveTransform(square, quad)
        width = min(max(round(_WIDTH * float(np.sqrt(cv2.contourArea(quad)))), 1), _WIDEST)
        lines = []
        for stroke in _STROKES[mark]:
            points = (np.array([stroke], np.float32) * _SIDE + _CORNER).astype(np.float32)
            moved = cv2.perspectiveTransform(points, to_photo)[0]
            lines.append(_fixed_point(moved))
        for thickness, colour in ((width + 2, _HALO), (width, _COLOURS[mark])):
            cv2.polylines(image, lines, False, colour, thickness, cv2.LINE_AA, _SUBPIXEL_BITS)
    return image
