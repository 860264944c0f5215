"""Clean flat boards as a printer or a screen draws them, with exact corners, and their puzzles.

They are the plainest input of finder, reader and pipeline. The puzzles are our own: symmetric like
a newspaper's, with one solution.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from solver.exact.bitmask import count_solutions, find_solutions
from solver.grid import Grid
from training.pages.typesetting import load_font
from vision.geometry import Image8

Colour = tuple[int, int, int]

_OVERSAMPLING: Final = 4

_LEAST_APART: Final = 6.0
"""Distance in CIELAB of papers that alone tell regions; 2.3 is just noticeable."""


@dataclass(frozen=True)
class BoardStyle:
    """How a board looks; lengths are fractions of a cell's side, colours are BGR."""

    paper: Colour = (255, 255, 255)
    ink: Colour = (20, 20, 20)
    thin_ink: Colour = (20, 20, 20)
    thin_width: float = 0.025
    thick_width: float = 0.065
    """Lines between boxes."""
    border_width: float = 0.065
    border_dash: float = 0.0
    """Length of the border's dashes and gaps; 0 draws it whole."""
    box_tint: Colour | None = None
    """Paper of every second box, the middle one and the corners among them."""
    font: str = "LibreFranklin-Medium"
    digit_height: float = 0.56
    margin: float = 1.0
    """Paper around the board."""


def render_board(
    grid: npt.NDArray[np.uint8], px: int = 540, style: BoardStyle | None = None
) -> tuple[Image8, npt.NDArray[np.float32]]:
    """Draw a grid as a flat board on paper.

    Args:
        grid: (9, 9) uint8, 0 leaves a cell empty. Any digits: the rules are not asked.
        px: distance between the middles of the two outer lines, in pixels.
        style: a plain one when None.

    Returns:
        (H, H, 3) uint8 BGR, and the corners: (4, 2) float32, points (x, y) on the middle of
        the outer lines, or of their inner part where the border is thicker than the lines
        between boxes; clockwise from the top left.

    Raises:
        ValueError: if the grid has another shape or other digits, or `px` is under 36.
    """
    if grid.shape != (9, 9) or int(grid.max()) > 9:
        raise ValueError(f"grid must be (9, 9) of 0..9, got {grid.shape}, most {grid.max()}")
    if px < 36:
        raise ValueError(f"px must be 36 or more, got {px}")
    style = style or BoardStyle()
    margin_px = round(style.margin * px / 9)
    side_px = px + 2 * margin_px + 1
    # Pillow draws each channel alike, so that the colours can stay BGR.
    canvas = Image.new("RGB", (side_px * _OVERSAMPLING,) * 2, style.paper)
    # A pixel's middle has integer coordinates, so the outer line stands half a pixel further in.
    start = (margin_px + 0.5) * _OVERSAMPLING
    _draw_board(ImageDraw.Draw(canvas), grid, start, px / 9 * _OVERSAMPLING, style)
    fine = np.asarray(canvas, dtype=np.uint8)
    image = cv2.resize(fine, (side_px, side_px), interpolation=cv2.INTER_AREA)
    low, high = margin_px, margin_px + px
    corners = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    return np.asarray(image, np.uint8), corners


def _draw_board(
    draw: ImageDraw.ImageDraw,
    grid: npt.NDArray[np.uint8],
    start: float,
    cell: float,
    style: BoardStyle,
) -> None:
    end = start + 9 * cell
    if style.box_tint is not None:
        for box in range(0, 9, 2):
            top, left = start + box // 3 * 3 * cell, start + box % 3 * 3 * cell
            _fill(draw, left, top, left + 3 * cell, top + 3 * cell, style.box_tint)
    _draw_digits(draw, grid, start, cell, style)
    thin, thick = style.thin_width * cell, style.thick_width * cell
    for line in (1, 2, 4, 5, 7, 8, 3, 6):
        at = start + line * cell
        width, ink = (thick, style.ink) if line % 3 == 0 else (thin, style.thin_ink)
        _draw_line(draw, at, (start, end), width, ink)
    border, dash = style.border_width * cell, style.border_dash * cell
    # A border thicker than the lines between boxes grows outwards, so cells stay of one size.
    shift = max(border - thick, 0) / 2
    for at in (start - shift, end + shift):
        for low, high in _dashes(start - shift - border / 2, end + shift + border / 2, dash):
            _draw_line(draw, at, (low, high), border, style.ink)


def _draw_digits(
    draw: ImageDraw.ImageDraw,
    grid: npt.NDArray[np.uint8],
    start: float,
    cell: float,
    style: BoardStyle,
) -> None:
    top, bottom = load_font(style.font, 1000).getbbox("0", anchor="ls")[1::2]
    size = style.digit_height * cell / (bottom - top)
    font = load_font(style.font, size * 1000)
    for row, column in np.argwhere(grid):
        text = str(grid[row, column])
        left, _, right, _ = font.getbbox(text, anchor="ls")
        x = start + (column + 0.5) * cell - (left + right) / 2
        y = start + (row + 0.5) * cell - (top + bottom) * size / 2
        draw.text((float(x), float(y)), text, font=font, fill=style.ink, anchor="ls")


def _draw_line(
    draw: ImageDraw.ImageDraw, at: float, span: tuple[float, float], width: float, colour: Colour
) -> None:
    """Draw the horizontal and the vertical line at the same place."""
    low, high = at - width / 2, at + width / 2
    _fill(draw, span[0], low, span[1], high, colour)
    _fill(draw, low, span[0], high, span[1], colour)


def _dashes(low: float, high: float, dash: float) -> list[tuple[float, float]]:
    """Cut a span into dashes that begin and end with a drawn one."""
    if dash <= 0:
        return [(low, high)]
    count = max(round((high - low) / dash), 3) | 1
    edges = np.linspace(low, high, count + 1)
    return [(float(edges[i]), float(edges[i + 1])) for i in range(0, count, 2)]


def _fill(
    draw: ImageDraw.ImageDraw, left: float, top: float, right: float, bottom: float, colour: Colour
) -> None:
    """Fill between coordinates that count pixel edges; Pillow's rectangle includes its end."""
    x, y = round(left), round(top)
    x_end, y_end = max(round(right), x + 1) - 1, max(round(bottom), y + 1) - 1
    draw.rectangle((x, y, x_end, y_end), fill=colour)


def as_colour(values: Iterable[float]) -> Colour:
    """Return three numbers as a colour."""
    first, second, third = (int(value) for value in values)
    return (first, second, third)


def draw_grey(rng: np.random.Generator, low: int, high: int) -> Colour:
    """Return a grey between two levels, the second excluded."""
    return (int(rng.integers(low, high)),) * 3


def choose_papers(paper: Colour, count: int, rng: np.random.Generator) -> tuple[Colour, ...]:
    """Return colours that ink stays legible on, near a board's own paper."""
    if sum(paper) < 300:
        return tuple(as_colour(paper + more) for more in rng.integers(12, 60, (count, 3)))
    if rng.random() < 0.3:
        return tuple((int(v),) * 3 for v in np.linspace(255, rng.integers(180, 215), count + 1)[1:])
    return tuple(map(as_colour, rng.integers(170, 256, (count, 3))))


def are_distinct(colours: Sequence[Colour]) -> bool:
    """Tell whether any two papers differ so much that a reader can go by them."""
    bgr = np.array([colours], np.float32) / 255
    lab = cv2.cvtColor(bgr, cv2.COLOR_BGR2Lab)[0]
    apart = np.linalg.norm(lab[:, None] - lab, axis=2) + _LEAST_APART * np.eye(len(lab))
    return bool(apart.min() >= _LEAST_APART)


@dataclass(frozen=True)
class Puzzle:
    """Clues, (9, 9) uint8 with 0 for empty, and their only solution, (9, 9) uint8."""

    clues: Grid
    solution: Grid


def make_puzzle(seed: int, clues_wanted: int = 28) -> Puzzle:
    """Return a puzzle with exactly one solution and clues placed point-symmetrically.

    Clues are taken away in pairs, in random order, as long as `count_solutions` proves that one
    solution is left.

    Args:
        seed: same seed, same puzzle.
        clues_wanted: stop at so many clues; there may be more if no pair can be spared.
    """
    rng = np.random.default_rng(seed)
    solution = _random_solution(rng)
    clues = solution.copy().ravel()
    for cell in rng.permutation(41):
        pair = np.unique([cell, 80 - cell])
        if np.count_nonzero(clues) - len(pair) < clues_wanted:
            continue
        kept = clues[pair]
        clues[pair] = 0
        if count_solutions(clues.reshape(9, 9), limit=2) != 1:
            clues[pair] = kept
    return Puzzle(clues.reshape(9, 9), solution)


def _random_solution(rng: np.random.Generator) -> Grid:
    """Fill the three boxes of the diagonal freely, which never contradict, and search the rest."""
    grid = np.zeros((9, 9), np.uint8)
    for start in (0, 3, 6):
        box = (rng.permutation(9) + 1).astype(np.uint8).reshape(3, 3)
        grid[start : start + 3, start : start + 3] = box
    return find_solutions(grid, limit=1)[0]
