"""Shapes of digits and symbols for rendered boards, for any size: typefaces and hands.

A shape is (`SHAPE_PX`, `SHAPE_PX`) uint8, ink 255 on 0, 80 pixels high and in the middle. Of a data
folder come glyphs, (`GLYPH_PX`, `GLYPH_PX`) uint8, ink 255 on paper 0.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeVar

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from models.engine import UInt8
from models.script_reader import SCRIPTS
from training.pages.typesetting import font_names, load_font

GLYPH_PX: Final = 28
SHAPE_PX: Final = 112
INK_PX: Final = 80
"""Height of the ink in a shape."""


ALPHABETS: Final = ("numbers", "letters", "hexadecimal", "all letters")
"""How symbols of boards beyond side 9 are printed: above 9 as 10 … 16, or with 10 as A; all of them
as 0 … 9 and A … F, or as A … P."""

_LEAST_LIKENESS: Final = 0.85
_Value = TypeVar("_Value")

Stroke = list[tuple[float, float]]
"""Points (x, y) that a pen passes: x from the middle of the digit, y from 0 at its top to 1."""

DATA_DIGITS: Final = Path("../shared/data/digits")
NO_DATA: Final = DATA_DIGITS / "none"
"""No folder, for `using_shapes_of`."""


_MATPLOTLIB_FACES: Final = (
    "DejaVuSans", "DejaVuSans-Bold", "DejaVuSerif", "DejaVuSerif-Bold", "DejaVuSansMono",
    "STIXGeneral", "STIXGeneralBol", "cmr10", "cmb10", "cmss10",
)  # fmt: skip


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


def load_written_glyphs(digits_dir: Path) -> tuple[Glyphs, Glyphs]:
    """Return MNIST's digits 1–9: those to train on and those to test on."""
    with np.load(digits_dir / "mnist.npz") as mnist:
        learnt = select_glyphs(mnist["x_train"], mnist["y_train"])
        return learnt, select_glyphs(mnist["x_test"], mnist["y_test"])


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


@lru_cache(maxsize=1)
def typefaces() -> tuple[str, ...]:
    """Return the typefaces at hand: the bundled ones, and matplotlib's where it is installed.

    Names and paths as `training.pages.typesetting.load_font` takes them.
    """
    faces = [name for name in font_names() if "Italic" not in name]
    try:
        from matplotlib import get_data_path
    except ImportError:
        return tuple(faces)
    folder = Path(get_data_path()) / "fonts" / "ttf"
    paths = [folder / f"{name}.ttf" for name in _MATPLOTLIB_FACES]
    return tuple(faces + [str(path) for path in paths if path.is_file()])


_folder: ContextVar[Path] = ContextVar("_folder", default=DATA_DIGITS)
_is_for_training: ContextVar[bool] = ContextVar("_is_for_training", default=False)


def using_shapes_of(folder: Path) -> AbstractContextManager[None]:
    """Take digit shapes from another data folder meanwhile; where it is absent, only our own."""
    return _using(_folder, folder)


def using_training_hands() -> AbstractContextManager[None]:
    """Take MNIST's training digits meanwhile: photos to learn from must not show the hands that
    readers are tested on.
    """
    return _using(_is_for_training, True)


@contextmanager
def _using(variable: ContextVar[_Value], value: _Value) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def data_faces() -> tuple[Glyphs, ...]:
    """Return the data folder's typefaces whose digits look ordinary, nine glyphs each."""
    return _load_faces(_folder.get())


def written_glyphs() -> Glyphs | None:
    """Return MNIST's test digits, which no reader was trained on, or None without the folder.

    Its training digits where `using_training_hands` says so.
    """
    hands = _load_written(_folder.get())
    return None if hands is None else hands[0 if _is_for_training.get() else 1]


@lru_cache(maxsize=2)
def _load_faces(folder: Path) -> tuple[Glyphs, ...]:
    """Read the typefaces of a data folder and choose among them.

    Many of them are drawn for fun; one that differs much from every typeface of
    `typefaces`, or is heavier than all of them, is not what puzzles are set in. Empty where the
    folder is absent.
    """
    if not folder.is_dir():
        return ()
    known = [[typeface_shape(face, digit) for digit in range(1, 10)] for face in typefaces()]
    usual = np.stack([_small_shapes(shapes) for shapes in known])
    heaviest = max(_weigh_ink(shapes) for shapes in known)
    faces = []
    with np.load(folder / "fonts_gray28.npz") as fonts:
        shapes, digits = fonts["x"], fonts["y"]
    for start in range(0, len(digits) - 9, 10):
        if digits[start : start + 10].tolist() != list(range(10)):
            continue
        glyphs = select_glyphs(shapes[start : start + 10], digits[start : start + 10])
        if len(glyphs) != 9:
            continue
        shapes_of_nine = [glyph_shape(glyphs, index) for index in range(9)]
        likeness = (_small_shapes(shapes_of_nine) * usual).sum(axis=2).min(axis=1).max()
        if likeness > _LEAST_LIKENESS and _weigh_ink(shapes_of_nine) <= heaviest:
            faces.append(glyphs)
    return tuple(faces)


def _weigh_ink(shapes: list[UInt8]) -> float:
    """Return how much of the digits' bounding boxes is ink, 0..1."""
    shares = []
    for shape in shapes:
        x, y, wide, tall = cv2.boundingRect(shape)
        shares.append(float(shape[y : y + tall, x : x + wide].mean()) / 255)
    return float(np.mean(shares))


def _small_shapes(shapes: list[UInt8]) -> npt.NDArray[np.float32]:
    """Return shapes as unit vectors, (9, 196) float32, that are compared by their product."""
    small = np.stack([cv2.resize(cv2.GaussianBlur(shape, (0, 0), 4), (14, 14)) for shape in shapes])
    flat = small.reshape(len(shapes), -1).astype(np.float32)
    return np.asarray(flat / np.linalg.norm(flat, axis=1, keepdims=True), np.float32)


@lru_cache(maxsize=2)
def _load_written(folder: Path) -> tuple[Glyphs, Glyphs] | None:
    return load_written_glyphs(folder) if folder.is_dir() else None


@lru_cache(maxsize=512)
def typeface_shape(face: str, digit: int) -> UInt8:
    """Return a digit of a typeface as a shape."""
    font = load_font(face, _find_size(face, "0"))
    return _set_text(font, str(digit), str(digit))


@lru_cache(maxsize=4096)
def text_shape(face: str | int, text: str) -> UInt8:
    """Return a symbol or number as a shape.

    A face of the data folder has digits only; the first bundled one stands in for it. Figures are
    as high as the 0; digits of another script differ in height, the highest of them is as high.
    """
    name = face if isinstance(face, str) else typefaces()[0]
    script = next((digits for digits in SCRIPTS.values() if text in digits), "0")
    size = _find_size(name, script)
    left, _, right, _ = load_font(name, size).getbbox(text, anchor="ls")
    if right - left > SHAPE_PX:
        size = size * SHAPE_PX / (right - left) * 0.95
    return _set_text(load_font(name, size), text, script)


def _find_size(face: str, text: str) -> float:
    """Return the em size in which a text is as high as the ink of a shape."""
    top, bottom = load_font(face, 1000).getbbox(text, anchor="ls")[1::2]
    return 1000 * INK_PX / (bottom - top)


def _set_text(font: ImageFont.FreeTypeFont, text: str, script: str) -> UInt8:
    """Set a text into the middle of a shape, from above as if it were another text."""
    left, _, right, _ = font.getbbox(text, anchor="ls")
    top, bottom = font.getbbox(script, anchor="ls")[1::2]
    canvas = Image.new("L", (SHAPE_PX, SHAPE_PX), 0)
    place = ((SHAPE_PX - left - right) / 2, (SHAPE_PX - top - bottom) / 2)
    ImageDraw.Draw(canvas).text(place, text, font=font, fill=255, anchor="ls")
    return np.asarray(canvas, np.uint8)


def print_symbol(value: int, alphabet: str) -> str:
    """Return what is printed for a value from 1 on, by one of `ALPHABETS` or a script."""
    if alphabet in SCRIPTS:
        return SCRIPTS[alphabet][value - 1]
    if alphabet == "all letters":
        return chr(ord("A") + value - 1)
    if alphabet == "hexadecimal":
        return f"{value - 1:X}"
    if alphabet == "letters" and value > 9:
        return chr(ord("A") + value - 10)
    return str(value)


def glyph_shape(glyphs: Glyphs, index: int) -> UInt8:
    """Return a small glyph enlarged, with its soft edge made hard again."""
    left, top, width, tall = (int(value) for value in glyphs.boxes[index])
    ink = glyphs.shapes[index][top : top + tall, left : left + width]
    scale = INK_PX / max(tall, 0.75 * width)
    size = (max(round(width * scale), 4), max(round(tall * scale), 4))
    padded = cv2.copyMakeBorder(ink, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=0)
    pad = round(2 * scale)
    padded_size = (size[0] + 2 * pad, size[1] + 2 * pad)
    large = cv2.resize(padded, padded_size, interpolation=cv2.INTER_CUBIC)
    smooth = cv2.GaussianBlur(large, (0, 0), 1.5).astype(np.float32)
    hard = np.clip((smooth - 110) * 3.5 + 128, 0, 255).astype(np.uint8)
    shape = np.zeros((SHAPE_PX, SHAPE_PX), np.uint8)
    height_px, width_px = min(hard.shape[0], SHAPE_PX), min(hard.shape[1], SHAPE_PX)
    y, x = (SHAPE_PX - height_px) // 2, (SHAPE_PX - width_px) // 2
    shape[y : y + height_px, x : x + width_px] = hard[:height_px, :width_px]
    return shape


def face_shapes(face: str | int) -> dict[int, UInt8]:
    """Return the nine shapes of a typeface, or of one of the data folder's."""
    if isinstance(face, str):
        return {digit: typeface_shape(face, digit) for digit in range(1, 10)}
    glyphs = data_faces()[face]
    return {digit: glyph_shape(glyphs, digit - 1) for digit in range(1, 10)}


_ROUND: Final[Mapping[int, Stroke]] = {
    2: [(-0.28, 0.22), (-0.1, 0.0), (0.18, 0.03), (0.26, 0.28), (0.05, 0.6), (-0.3, 0.99),
        (0.0, 0.96), (0.33, 0.98)],
    3: [(-0.25, 0.1), (0.02, 0.0), (0.24, 0.18), (0.1, 0.4), (-0.08, 0.47), (0.18, 0.53),
        (0.29, 0.75), (0.08, 0.98), (-0.28, 0.9)],
    5: [(-0.17, 0.03), (-0.22, 0.42), (0.08, 0.36), (0.3, 0.64), (0.12, 0.96), (-0.28, 0.92)],
    6: [(0.2, 0.0), (-0.12, 0.26), (-0.27, 0.68), (-0.05, 0.99), (0.24, 0.8), (0.12, 0.54),
        (-0.12, 0.58), (-0.24, 0.74)],
    8: [(0.18, 0.1), (-0.08, 0.0), (-0.21, 0.2), (0.04, 0.46), (0.25, 0.76), (0.0, 0.99),
        (-0.25, 0.78), (0.0, 0.48), (0.21, 0.22), (0.12, 0.05)],
    9: [(0.21, 0.18), (0.0, 0.0), (-0.23, 0.22), (-0.05, 0.47), (0.19, 0.32), (0.22, 0.12),
        (0.2, 0.5), (0.1, 1.0)],
}  # fmt: skip


def stroke_shape(rng: np.random.Generator, digit: int, slant: float, pen_px: float) -> UInt8:
    """Draw a handwritten digit with a pen.

    Args:
        rng: how this one differs from the writer's others.
        digit: 1..9.
        slant: shift of the top to the right, in heights.
        pen_px: width of the pen in pixels of the shape.
    """
    shape = np.zeros((SHAPE_PX, SHAPE_PX), np.uint8)
    squeeze = rng.uniform(0.85, 1.15)
    for stroke in _strokes(rng, digit):
        points = np.array(stroke, np.float64) + rng.normal(0, 0.018, (len(stroke), 2))
        points[:, 0] = points[:, 0] * squeeze + slant * (0.5 - points[:, 1])
        dense = _smooth(points) if len(stroke) > 3 else points
        pixels = np.round((dense * INK_PX + [SHAPE_PX / 2, (SHAPE_PX - INK_PX) / 2]) * 16)
        width = max(round(pen_px), 1)
        cv2.polylines(shape, [pixels.astype(np.int32)], False, 255, width, cv2.LINE_AA, 4)
    return shape


def _strokes(rng: np.random.Generator, digit: int) -> list[Stroke]:
    if digit == 1:
        upstroke: Stroke = [(-rng.uniform(0.12, 0.32), rng.uniform(0.15, 0.4)), (0, 0), (0, 1)]
        return [upstroke if rng.random() < 0.6 else upstroke[1:]]
    if digit == 4:
        corner = rng.uniform(0.55, 0.7)
        stem = rng.uniform(0.05, 0.18)
        return [[(-0.05, 0), (-0.3, corner), (0.33, corner)], [(stem, 0.25), (stem - 0.03, 1)]]
    if digit == 7:
        strokes: list[Stroke] = [[(-0.28, 0.04), (0.28, 0), (-0.05, 1)]]
        if rng.random() < 0.5:
            strokes.append([(-0.12, 0.5), (0.26, 0.47)])
        return strokes
    if digit == 5:
        return [_ROUND[5], [(-0.17, 0.03), (0.27, 0.0)]]
    return [list(_ROUND[digit])]


def _smooth(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return a Catmull-Rom curve through the points (Catmull and Rom 1974)."""
    padded = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    t = np.linspace(0, 1, 8, endpoint=False)[:, None]
    parts = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        bent = (2 * a - 5 * b + 4 * c - d) * t**2
        parts.append(0.5 * (2 * b + (c - a) * t + bent + (3 * b - a - 3 * c + d) * t**3))
    return np.vstack([*parts, points[-1:]])
