"""The solution drawn on the photo, in the perspective and the bend of the board.

Ticks, crosses and question marks on checked entries are drawn the same way.

A photo is (H, W, 3) uint8 BGR and never changed; a lattice is (n + 1, n + 1, 2) as
`vision.board` has it; parts of it outside of the photo are left out. What has another shape, or
holds values that cannot be drawn, raises a ValueError.
"""

from collections.abc import Sequence
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
    *,
    is_dark: bool | None = None,
) -> Image8:
    """Return the photo with digits written into the board, in light ink if the board is dark.

    Args:
        lattice: (n + 1, n + 1, 2) float32; parts outside the photo are left out.
        digits: (n, n) uint8, what to draw; 0 leaves a cell as it is.
        symbols: what is written for each digit, from 1 on.
        is_dark: whether the board is; seen from the photo when None.
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
    if is_dark is None:
        is_dark = is_dark_board(photo, lattice)
    cells, quads = _find_quads(lattice, digits > 0)
    written = [symbols[digit - 1] for digit in digits.ravel()[cells]]
    sizes = _glyph_sizes(quads)
    glyphs = [_glyph(*one, style, is_dark) for one in zip(written, sizes, strict=True)]
    _draw_glyphs(image, quads, glyphs)
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
    for quad in _find_quads(lattice, cells)[1]:
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


def _find_quads(
    lattice: Points, wanted: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.intp], Points]:
    """Return the cells (k,) that have an area, and their corners (k, 4, 2), clockwise."""
    corners = (lattice[:-1, :-1], lattice[:-1, 1:], lattice[1:, 1:], lattice[1:, :-1])
    quads = np.stack(corners, axis=2).reshape(-1, 4, 2).astype(np.float32)
    edges = quads[:, [1, 2, 3, 0]] - quads
    after = edges[:, [1, 2, 3, 0]]
    turns = edges[..., 0] * after[..., 1] - edges[..., 1] * after[..., 0]
    across = quads[:, 2:] - quads[:, :2]
    area = np.abs(across[:, 0, 0] * across[:, 1, 1] - across[:, 0, 1] * across[:, 1, 0]) / 2
    is_convex = (turns > 0).all(axis=1) | (turns < 0).all(axis=1)
    cells = np.flatnonzero(wanted.ravel() & is_convex & (area >= 1))
    return cells, quads[cells]


def _window(image: Image8, quad: Points) -> tuple[Image8, Points] | None:
    """Return a view of the image around a quadrilateral and its top left corner (x, y)."""
    height, width = image.shape[:2]
    left, top = np.maximum(np.floor(quad.min(axis=0)), 0).astype(int)
    right, bottom = np.minimum(np.ceil(quad.max(axis=0)) + 1, (width, height)).astype(int)
    if right <= left or bottom <= top:
        return None
    return image[top:bottom, left:right], np.array([left, top], np.float32)


def _glyph_sizes(quads: Points) -> list[int]:
    """Return the sizes to draw glyphs in, so that they are shrunk a little and never much."""
    longest = np.linalg.norm(quads[:, [1, 2, 3, 0]] - quads, axis=2).max(axis=1, initial=0)
    index = np.searchsorted(_GLYPH_SIZES, longest)
    return [int(size) for size in np.take(_GLYPH_SIZES, index, mode="clip")]


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


def _draw_glyphs(image: Image8, quads: Points, glyphs: Sequence[_Glyph]) -> None:
    """Warp glyphs into their cells, (k, 4, 2), and lay them over the image."""
    if not glyphs:
        return
    # All matrices at once: a call for each cell takes longer than the drawing.
    cut = np.array([(one.left, one.top, one.cell_px) for one in glyphs], np.float64)
    shape = np.array([one.pixels.shape[1::-1] for one in glyphs])
    to_cell = np.zeros((len(glyphs), 3, 3))
    to_cell[:, [0, 1], [0, 1]] = 1 / cut[:, 2:]
    # The middle of a pixel lies half a pixel within it.
    to_cell[:, :2, 2] = (cut[:, :2] + 0.5) / cut[:, 2:]
    to_cell[:, 2, 2] = 1
    to_photo = _from_unit_squares(quads) @ to_cell
    corners = np.ones((len(glyphs), 4, 3))
    corners[:, [1, 2], 0], corners[:, [0, 3], 0] = shape[:, :1], 0
    corners[:, [2, 3], 1], corners[:, [0, 1], 1] = shape[:, 1:], 0
    seen = corners @ to_photo.transpose(0, 2, 1)
    seen = seen[:, :, :2] / seen[:, :, 2:]
    height, width = image.shape[:2]
    low = np.clip(np.floor(seen.min(axis=1)), 0, (width, height)).astype(int)
    high = np.clip(np.ceil(seen.max(axis=1)) + 1, 0, (width, height)).astype(int)
    to_photo[:, :2] -= low[:, :, None] * to_photo[:, 2:]
    for glyph, matrix, (left, top), (right, bottom) in zip(
        glyphs, to_photo, low.tolist(), high.tolist(), strict=True
    ):
        if right <= left or bottom <= top:
            continue
        patch = image[top:bottom, left:right]
        warped = cv2.warpPerspective(glyph.pixels, matrix, (right - left, bottom - top))
        colours, alpha = cv2.cvtColor(warped, cv2.COLOR_BGRA2BGR), warped[:, :, 3]
        kept = cv2.multiply(patch, cv2.bitwise_not(cv2.merge((alpha, alpha, alpha))), scale=1 / 255)
        cv2.add(kept, colours, dst=patch)


def _from_unit_squares(quads: Points) -> npt.NDArray[np.float64]:
    """Return the homographies (k, 3, 3) that lead from the unit square to corners (k, 4, 2).

    Heckbert 1989, "Fundamentals of Texture Mapping and Image Warping", section 2.2.3.
    """
    first, second, third, fourth = quads.astype(np.float64).transpose(1, 0, 2)
    one, other, rest = second - third, fourth - third, first - second + third - fourth
    area = _cross(one, other)
    across, down = _cross(rest, other) / area, _cross(one, rest) / area
    matrices = np.ones((len(quads), 3, 3))
    matrices[:, :2, 0] = second - first + across[:, None] * second
    matrices[:, :2, 1] = fourth - first + down[:, None] * fourth
    matrices[:, :2, 2] = first
    matrices[:, 2, 0], matrices[:, 2, 1] = across, down
    return matrices


def _cross(
    first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    return np.asarray(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])


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
    for quad in _find_quads(lattice, cells)[1]:
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
