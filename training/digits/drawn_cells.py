"""Cells that this project draws itself: a digit or none, lines, dirt, neighbours, candidates.

A cell is drawn at twice the reader's scale as ink on paper. Light, lens, sensor and compression
then do to it what they do to a photo. Pictures are (h, w) float32 with grey levels 0..255. Every
function takes its own random generator, so that a cell depends on its seed alone.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

import cv2
import numpy as np

from training.rendered.large_digits import Glyphs
from vision.geometry import Float32, Grey

CROP_PX: Final = 32
CANVAS_PX: Final = 64
PITCH_PX: Final = 56
"""Distance between grid lines on the canvas: twice the 28 pixels of a cell."""

Content = Literal["printed", "written", "blank", "dirty", "candidates", "pen"]

_PRINT_THROUGH: Final[dict[Content, float]] = {
    "printed": 0.05,
    "written": 0.05,
    "candidates": 0.05,
    "dirty": 0.5,
    "blank": 0,
    "pen": 0.05,
}
"""How often the page behind shines through."""


@dataclass(frozen=True)
class GlyphStock:
    """What may be drawn."""

    printed: Glyphs
    written: Glyphs | None


def render_cell(rng: np.random.Generator, content: Content, stock: GlyphStock) -> tuple[Grey, int]:
    """Draw one cell.

    Args:
        rng: decides everything but the content.
        content: `blank` cells have paper, lines and light only; `dirty` ones also specks, strokes
            and parts of neighbours' digits; `candidates` hold small digits and count as empty;
            `pen` is written in the thin lines of pens and pencils.
        stock: the shapes to draw with.

    Returns:
        The crop, (32, 32) uint8, and its digit, 0 when empty.
    """
    cell = _InkedCell(rng, stock)
    digit = 0
    if content in ("printed", "written", "pen"):
        digit = cell.draw_digit(is_written=content != "printed")
    elif content == "candidates":
        cell.draw_candidates()
    elif content == "dirty":
        cell.draw_dirt()
    if content != "blank" and rng.random() < (0.35 if digit == 0 else 0.12):
        cell.draw_neighbour()
    return photograph(rng, _print_on_paper(cell, cell.draw_lines(), content)), digit


class _InkedCell:
    """A cell that lies somehow in its crop, and the ink on it.

    Attributes:
        ink: (64, 64) float32, 0..1.
    """

    def __init__(self, rng: np.random.Generator, stock: GlyphStock) -> None:
        self.rng, self.stock = rng, stock
        self.ink = np.zeros((CANVAS_PX, CANVAS_PX), np.float32)
        angle = math.radians(float(np.clip(rng.normal(0, 3), -8, 8)))
        shear = rng.normal(0, 0.03)
        scale = PITCH_PX * rng.normal(1, 0.03)
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        linear = scale * turn @ np.array([[1, shear], [0, rng.normal(1, 0.03)]])
        shift = np.clip(rng.normal(0, 0.05, 2), -0.12, 0.12) * PITCH_PX
        centre = (CANVAS_PX - 1) / 2 + shift
        # From shares of the cell's side to pixels of the canvas.
        self._frame = np.column_stack([linear, centre - linear @ [0.5, 0.5]])

    def of_kind(self, *, is_written: bool) -> Glyphs:
        written = self.stock.written
        return written if is_written and written is not None else self.stock.printed

    def stamp(self, glyphs: Glyphs, centre: tuple[float, float], height: float) -> int:
        """Draw a random glyph at a place and height in cell units; returns its digit."""
        rng = self.rng
        index = int(rng.integers(len(glyphs)))
        left, top, width, tall = glyphs.boxes[index]
        stretch = height / max(tall, width * 0.6)
        squeeze = stretch * rng.uniform(0.85, 1.15)
        right = centre[0] - squeeze * (left + width / 2 - 0.5)
        down = centre[1] - stretch * (top + tall / 2 - 0.5)
        matrix = self._frame @ np.array([[squeeze, 0, right], [0, stretch, down], [0, 0, 1]])
        drawn: Any = cv2.warpAffine(glyphs.shapes[index], matrix, (CANVAS_PX, CANVAS_PX))
        shape = drawn.astype(np.float32) / 255
        # The edge of an enlarged glyph is soft; where it is cut decides the weight.
        threshold, slope = rng.uniform(0.22, 0.55), rng.uniform(1.3, 4)
        shape = np.clip((shape - threshold) * slope + 0.5, 0, 1) * (shape > 0.02)
        np.maximum(self.ink, shape, out=self.ink)
        return int(glyphs.digits[index])

    def draw_digit(self, *, is_written: bool) -> int:
        spread, edge = (0.09, 0.28) if is_written else (0.035, 0.36)
        low, high = (0.34, 0.9) if is_written else (0.35, 0.85)
        x, y = np.clip(self.rng.normal(0.5, spread, 2), edge, 1 - edge).tolist()
        glyphs = self.of_kind(is_written=is_written)
        return self.stamp(glyphs, (x, y), self.rng.uniform(low, high))

    def draw_candidates(self) -> None:
        """Draw small digits as people pencil them: a 3×3 table, a row, or a few in corners."""
        rng = self.rng
        glyphs = self.of_kind(is_written=rng.random() < 0.7)
        style = rng.random()
        if style < 0.3:
            height = rng.uniform(0.14, 0.27)
            for position in rng.choice(9, int(rng.integers(1, 8)), replace=False):
                place = (0.2 + 0.3 * (position % 3), 0.2 + 0.3 * (position // 3))
                self.stamp(glyphs, place, height)
        elif style < 0.75:
            count = int(rng.choice([2, 2, 2, 3, 3, 4]))
            height = rng.uniform(0.2, 0.5 if count == 2 else 0.36)
            step = height * rng.uniform(0.55, 0.8)
            left = rng.uniform(0.1, max(0.12, 0.95 - step * count))
            top = rng.choice([0.08, 0.08, 0.3, 0.85 - height]) + height / 2 + rng.uniform(0, 0.08)
            for position in range(count):
                place = (left + step * (position + 0.4), top + rng.normal(0, 0.02))
                self.stamp(glyphs, place, height * rng.uniform(0.85, 1.1))
        else:
            height = rng.uniform(0.16, 0.34)
            corners = [(0.18, 0.2), (0.82, 0.2), (0.18, 0.8), (0.82, 0.8)]
            for position in rng.choice(4, int(rng.integers(1, 3)), replace=False):
                x, y = corners[position]
                self.stamp(glyphs, (x + rng.normal(0, 0.04), y + rng.normal(0, 0.04)), height)

    def draw_dirt(self) -> None:
        """Draw specks, smears and stray strokes, none of them in the shape of a digit."""
        rng = self.rng
        for _ in range(int(rng.integers(1, 4))):
            x, y = (int(value) for value in rng.uniform(0, CANVAS_PX, 2) * 16)
            strength = float(rng.uniform(0.2, 1))
            if rng.random() < 0.5:
                radius = int(rng.uniform(0.5, 4) * 16)
                cv2.circle(self.ink, (x, y), radius, strength, -1, cv2.LINE_AA, 4)
            else:
                reach = rng.normal(0, 9, 2) * 16
                end, width = (int(x + reach[0]), int(y + reach[1])), int(rng.integers(1, 3))
                cv2.line(self.ink, (x, y), end, strength, width, cv2.LINE_AA, 4)

    def draw_neighbour(self) -> None:
        """Draw a digit of the next cell, of which the crop shows an edge at most."""
        rng = self.rng
        glyphs = self.of_kind(is_written=rng.random() < 0.5)
        side = [(-0.42, 0.5), (1.42, 0.5), (0.5, -0.42), (0.5, 1.42)][int(rng.integers(4))]
        place = (side[0] + rng.normal(0, 0.05), side[1] + rng.normal(0, 0.05))
        self.stamp(glyphs, place, rng.uniform(0.6, 0.95))

    def draw_lines(self) -> Float32:
        """Return the grid lines around the cell as ink, (64, 64) float32 in 0..1."""
        rng = self.rng
        lines = np.zeros((CANVAS_PX, CANVAS_PX), np.uint8)
        if rng.random() < 0.06:
            return lines.astype(np.float32)
        thin = int(rng.integers(1, 4))
        thick = thin + int(rng.integers(0, 6))
        is_dotted = rng.random() < 0.12
        darkness = rng.uniform(0.3, 1)
        for side in range(4):
            if rng.random() < 0.08:
                continue
            is_thick = rng.random() < 0.35
            position = float(side % 2) + rng.normal(0, 0.008)
            ends = np.array([[-0.5, position], [1.5, position]])
            start, end = (
                ends[:, :: -1 if side >= 2 else 1] @ self._frame[:, :2].T + self._frame[:, 2]
            )
            steps = int(rng.integers(18, 50)) if is_dotted and not is_thick else 1
            level, width = int(rng.integers(150, 256)), thick if is_thick else thin
            for step in range(0, steps, 2):
                dash = ((start + (end - start) * at / steps) * 16 for at in (step, step + 1))
                (a, b), (c, d) = (np.round(place).astype(int).tolist() for place in dash)
                cv2.line(lines, (a, b), (c, d), level, width, cv2.LINE_AA, 4)
        return lines.astype(np.float32) * np.float32(darkness / 255)


def _print_on_paper(cell: _InkedCell, lines: Float32, content: Content) -> Float32:
    """Return grey levels, (64, 64) float32, from ink coverage and a sheet of paper."""
    rng, ink = cell.rng, cell.ink
    paper = light_paper(rng, CANVAS_PX)
    if content in ("written", "pen"):
        # pencil is faint, ballpoint is dark
        darkness = rng.uniform(0.22, 0.95)
    elif content == "candidates":
        darkness = rng.uniform(0.15, 0.9)
    else:  # grey and red digits are lighter than black ones
        darkness = rng.uniform(0.6, 0.97) if rng.random() < 0.6 else rng.uniform(0.22, 0.75)
    if rng.random() < 0.25:  # uneven print and dry pens leave gaps
        coarse = rng.uniform(rng.uniform(0.1, 0.8), 1, (12, 12)).astype(np.float32)
        ink = ink * cv2.resize(coarse, (CANVAS_PX, CANVAS_PX), interpolation=cv2.INTER_LINEAR)
    covered = np.maximum(ink * darkness, lines * rng.uniform(0.4, 0.97))
    if rng.random() < _PRINT_THROUGH[content]:
        covered = np.maximum(covered, _print_through(rng, cell.stock))
    if rng.random() < 0.06:
        paper = _shade_outside(rng, paper)
    if rng.random() < 0.1:  # dark mode
        level = rng.uniform(8, 90)
        return np.asarray(level * paper + covered * rng.uniform(90, 230), np.float32)
    level = rng.uniform(60, 245)
    return np.asarray(level * paper * (1 - covered), np.float32)


def _print_through(rng: np.random.Generator, stock: GlyphStock) -> Float32:
    """Return what shows of the page behind, or was pressed through it: a faint digit."""
    is_written = rng.random() < 0.3
    x, y = np.clip(rng.normal(0.5, 0.2, 2), 0, 1).tolist()
    ghost = _InkedCell(rng, stock)
    ghost.stamp(ghost.of_kind(is_written=is_written), (x, y), rng.uniform(0.3, 0.9))
    mirrored = ghost.ink[:, ::-1] if rng.random() < 0.6 else ghost.ink
    blurred = cv2.GaussianBlur(mirrored, (0, 0), rng.uniform(0.5, 4))
    return np.asarray(blurred * rng.uniform(0.02, 0.13), np.float32)


def _shade_outside(rng: np.random.Generator, paper: Float32) -> Float32:
    """Return the paper with the strip beyond one line shaded, as beside a tinted box."""
    shaded = paper.copy()
    edge = int(rng.integers(3, 9))
    strips = [shaded[:edge], shaded[-edge:], shaded[:, :edge], shaded[:, -edge:]]
    strips[int(rng.integers(4))][...] *= rng.uniform(0.6, 1.3)
    return shaded


def light_paper(rng: np.random.Generator, size_px: int) -> Float32:
    """Return how bright each point of a sheet of paper is, 0..1: slope, hard shadow, texture."""
    x, y = _unit_mesh(size_px)
    paper = np.ones((size_px, size_px), np.float32)
    if rng.random() < 0.7:
        paper += rng.normal(0, 0.12) * x + rng.normal(0, 0.12) * y
    if rng.random() < 0.18:
        paper *= _cast_shadow(rng, x, y)
    if rng.random() < 0.35:
        coarse = rng.normal(0, rng.uniform(0.01, 0.06), (8, 8)).astype(np.float32)
        paper += cv2.resize(coarse, (size_px, size_px), interpolation=cv2.INTER_CUBIC)
    return np.clip(paper, 0.05, 1.5)


def photograph(rng: np.random.Generator, picture: Float32) -> Grey:
    """Return a cell as a camera and its file format deliver it, (32, 32) uint8.

    Args:
        rng: decides blur, resolution, noise, moiré, sharpening and compression.
        picture: (h, w) float32 grey, larger than 32.
    """
    picture = _blur(rng, picture)
    if rng.random() < 0.04:
        picture = _add_moire(rng, picture)
    sharp_px = 32 if rng.random() < 0.45 else int(rng.integers(13, 33))
    small = cv2.resize(picture, (sharp_px, sharp_px), interpolation=cv2.INTER_AREA)
    noise = rng.uniform(0, 1) ** 3 * 12
    small = small + noise * rng.standard_normal(small.shape, np.float32)
    if sharp_px != CROP_PX:
        small = cv2.resize(small, (CROP_PX, CROP_PX), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.2:
        halo = small - cv2.GaussianBlur(small, (0, 0), 1.2)
        small = small + rng.uniform(0.3, 1.5) * halo
    cell = np.clip(small, 0, 255).astype(np.uint8)
    return compress(rng, cell) if rng.random() < 0.35 else cell


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


def compress(rng: np.random.Generator, cell: Grey) -> Grey:
    """Return the cell after JPEG, its 8×8 blocks starting anywhere."""
    top, left = rng.integers(0, 8, 2)
    padded = cv2.copyMakeBorder(cell, int(top), 8, int(left), 8, cv2.BORDER_REPLICATE)
    quality = int(rng.integers(18, 90))
    _, content = cv2.imencode(".jpg", padded, [cv2.IMWRITE_JPEG_QUALITY, quality])
    decoded = np.asarray(cv2.imdecode(content, cv2.IMREAD_GRAYSCALE), np.uint8)
    return decoded[top : top + CROP_PX, left : left + CROP_PX]


@lru_cache(maxsize=4)
def _unit_mesh(size_px: int) -> tuple[Float32, Float32]:
    axis = np.linspace(-1, 1, size_px, dtype=np.float32)
    x, y = np.meshgrid(axis, axis)
    return x, y


def _cast_shadow(rng: np.random.Generator, x: Float32, y: Float32) -> Float32:
    angle = rng.uniform(0, 2 * math.pi)
    distance = math.cos(angle) * x + math.sin(angle) * y - rng.uniform(-1, 1)
    softness = rng.uniform(0.02, 0.8)
    lit = np.clip(distance / softness + 0.5, 0, 1)
    return np.asarray(1 - rng.uniform(0.2, 0.65) * lit, np.float32)


def _blur(rng: np.random.Generator, picture: Float32) -> Float32:
    kind = rng.random()
    if kind < 0.15:
        return picture
    strength = picture.shape[0] / CROP_PX * rng.uniform(0, 1) ** 1.5
    if kind < 0.7:
        return cv2.GaussianBlur(picture, (0, 0), 0.3 + 2.5 * strength).astype(np.float32)
    kernel = np.zeros((15, 15), np.float32)
    if kind < 0.85:
        cv2.circle(kernel, (7, 7), max(1, round(2.8 * strength)), 1.0, -1, cv2.LINE_AA)
    else:
        angle, reach = rng.uniform(0, math.pi), 3.0 * strength
        step = np.array([math.cos(angle), math.sin(angle)]) * reach
        start, end = (np.round(at * 16).astype(int).tolist() for at in (7 - step, 7 + step))
        cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_8, 4)
    kernel[7, 7] = max(kernel[7, 7], 1e-3)
    blurred = cv2.filter2D(picture, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(blurred, np.float32)


def _add_moire(rng: np.random.Generator, picture: Float32) -> Float32:
    x, y = _unit_mesh(picture.shape[0])
    angle, waves = rng.uniform(0, math.pi), rng.uniform(6, 40)
    phase = waves * (math.cos(angle) * x + math.sin(angle) * y) + rng.uniform(0, 6)
    return np.asarray(picture + rng.uniform(4, 22) * np.sin(phase), np.float32)


def _fold_paper(rng: np.random.Generator) -> Float32:
    """Return how bright a sheet is around a fold or a crease: a soft line, and a step of light."""
    x, y = _unit_mesh(CROP_PX)
    # Pages are mostly folded along their lines, which is what makes a shadow look like a 1.
    angle = rng.choice([0, math.pi / 2]) + rng.normal(0, 0.2)
    distance = math.cos(angle) * x + math.sin(angle) * y - rng.uniform(-0.9, 0.9)
    line = np.exp(-((distance / rng.uniform(0.04, 0.35)) ** 2))
    side = np.tanh(distance / rng.uniform(0.02, 0.5))
    reach = np.clip((rng.uniform(-0.6, 1.8) - y * rng.choice([-1, 1])) / 0.3, 0, 1)
    depth = rng.uniform(0.03, 0.5) * rng.choice([1, 1, 1, -0.4])
    return np.asarray(1 - depth * line * reach + rng.uniform(0, 0.2) * side, np.float32)
