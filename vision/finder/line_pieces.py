"""How strongly the lines of a board show where a lattice expects them, and what that scores.

All measuring happens on a **sheet**: the picture warped through a lattice so that its lines should
lie every `Sheet.pitch` pixels, with `_MARGIN` cells of surroundings. Brightness is taken as
logarithm, which turns light and shadow into an offset that a ridge filter does not see.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import (
    Floats,
    Points,
    halve,
    mesh_weights,
    surface_terms,
    take_median,
    weigh_mesh,
)

_PITCH: Final = 20
_FINE_PITCH: Final = 40
"""Distance of neighbouring lines on a sheet, in pixels. On the finer one lines show that are thin
for the size of their cells, which fade on the other."""

_MARGIN: Final = 1.5
"""Surroundings shown on each side of a sheet, in cells."""

_PAPER_AT: Final = {_PITCH: (2, 3), _FINE_PITCH: (2, 4)}
"""Distances from a line's middle to the paper on both sides, in pixels of a sheet; both are tried.
"""

_EDGE_AT: Final = 3
_EDGE_WIDTH: Final = 5
"""Distance of an edge from the middles of the strips on both its sides, and their width, in sheet
pixels: a printed line is thinner than a strip."""

_END_AT: Final = 0.3
_END_WIDTH: Final = 0.25
"""A piece of a line is looked at in two places so far from its middle, and so wide, in cells: the
strokes of digits stand in between."""

_MOST_LEAN: Final = 0.2
_LEAN_STEP: Final = 0.05
"""How far each end of a piece may lie off its middle where paper is creased, and the steps in which
that is tried, in cells. At the middle of a piece each end is 0.3 away: it leans by up to 34
degrees."""

_LEAN_PENALTY: Final = 0.08
"""What each step costs: without, 12 instead of 13 of 14 creased photos are solved (one-off)."""

_MOST_ORDER: Final = 3
"""Of a field of shifts."""

_STRONGEST: Final = 0.4
"""Contrast above which a ridge counts for no more, in units of log brightness."""

_STRONGEST_EDGE: Final = 0.02
"""The same of an edge: it counts only where no line is, as a frame's paper ends beyond its line."""

_LEAST_RIDGE: Final = 0.004
"""What a piece of a line has at least, in the units of `measure_pieces`."""

_FRAMED: Final = 0.3
"""Share of an outermost line from which there may be one."""

_UNFRAMED: Final = 0.88
"""What the lines of a board without a frame score at most, as nothing holds its edges: taken for
clear at once, one of 16 was followed to a corner four cells aside (one-off)."""

_BOX_CONTRAST: Final = (1.3, 2.2)
"""Lines around boxes that are so much stronger than those beside them begin to tell, and tell for
sure, where a board begins."""

_BOX_GAIN: Final = 0.7
_BOX_LIMIT: Final = 0.84
"""Share of what a score lacks of the limit that such lines make up for. They set lattices of one
board apart, but make none clear: a lattice that misses some thin lines may lie beside a better.
"""


class Pyramid(NamedTuple):
    """A picture as logarithm of its brightness, and how closely it is looked at.

    Attributes:
        levels: (h, w) float32, the picture and its halvings.
        pitch: distance of neighbouring lines on the sheets that are made of it, in pixels.
    """

    levels: tuple[npt.NDArray[np.float32], ...]
    pitch: int


@dataclass(frozen=True, eq=False)
class LinePieces:
    """How strongly pieces of lines show on a sheet, 0 = no line.

    `horizontal` is (px, n) float32: for each y the pieces of horizontal lines in the n columns of
    cells; `vertical` the same for each x, of vertical lines in the n rows; `sheet` says where the
    lines should lie.
    """

    horizontal: Floats
    vertical: Floats
    sheet: "Sheet"


Score = Callable[[LinePieces], float]
"""Tells from the pieces on a sheet how well lines stand where it expects them, 0..1."""


class Sheet:
    """Where the lines of a board of side n lie on its sheet, in pixels.

    `pitch` is the distance of neighbouring lines.
    """

    def __init__(self, side: int, pitch: int) -> None:
        self.pitch = pitch
        first = _MARGIN * pitch
        self.px = int((side + 2 * _MARGIN) * pitch)
        self.lines = first + np.arange(side + 1) * pitch - 0.5
        self.line_px = np.round(self.lines).astype(int)
        self.between_px = np.round(self.lines[:-1] + pitch / 2).astype(int)
        middles = (first + (np.arange(side) + 0.5) * pitch).astype(int)
        self.paper_at = _PAPER_AT[pitch]
        self.end_px = round(_END_WIDTH * pitch)
        across = np.arange(self.end_px) - self.end_px // 2
        ends = round(_END_AT * pitch) * np.array([-1, 1])
        self.end_rows = (across[:, None, None] + ends[:, None] + middles).ravel()
        self.weights = mesh_weights((np.arange(self.px) + 0.5 - first) / pitch, side)
        line, middle = np.meshgrid(np.arange(side + 1.0), np.arange(side) + 0.5, indexing="ij")
        row, column = np.meshgrid(*[np.arange(side + 1.0)] * 2, indexing="ij")
        self.terms = {
            order: (
                surface_terms(line, middle, order, side),
                surface_terms(middle, line, order, side),
                surface_terms(row, column, order, side),
            )
            for order in range(1, _MOST_ORDER + 1)
        }


@lru_cache(maxsize=16)
def _sheet_of(side: int, pitch: int) -> Sheet:
    """Return where lines lie on the sheet of a board of side n."""
    return Sheet(side, pitch)


_LOGARITHMS: Final = np.log(np.arange(256, dtype=np.float32) + 8)
"""Of each grey level; a little is added, as dark pixels are noise."""


def build_pyramid(image: npt.NDArray[np.uint8], *, is_fine: bool = False) -> Pyramid:
    """Return the logarithm of the brightness, and three halvings of it.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
        is_fine: show lines that are thin for the size of their cells.
    """
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    levels = [_LOGARITHMS[grey]]
    for _ in range(3):
        if min(levels[-1].shape) < 32:
            break
        levels.append(halve(levels[-1]))
    return Pyramid(tuple(levels), _FINE_PITCH if is_fine else _PITCH)


def measure_pieces(
    pyramid: Pyramid, lattice: Points, is_inverted: bool | None, *, may_lean: bool = False
) -> LinePieces:
    """Warp the picture through a lattice and filter it for lines.

    Args:
        lattice: (n + 1, n + 1, 2) float32 in pixels of the picture.
        is_inverted: look for light lines on dark paper; for either when None.
        may_lean: look also for pieces that lean on the sheet, as those on a crease do where the
            lattice does not follow it yet.
    """
    sheet = _sheet_of(len(lattice) - 1, pyramid.pitch)
    warped = _warp_sheet(pyramid, lattice, sheet, is_inverted=bool(is_inverted))
    across, down = (
        _find_pieces(one, sheet, is_either=is_inverted is None, may_lean=may_lean)
        for one in (np.ascontiguousarray(warped.T), warped)
    )
    return LinePieces(across, down, sheet)


def score_pieces(pieces: LinePieces) -> float:
    """Return how well the lines stand where the sheet expects them, 0..1.

    A line that is missing altogether tells more than pieces missing here and there.
    """
    lines = np.concatenate([present.mean(axis=1) for present in list_present(pieces)])
    return float(0.7 * lines.mean() + 0.3 * lines.min())


def score_classic(pieces: LinePieces) -> float:
    """Return how well ten lines each way, and no more, stand where the sheet expects them, 0..1."""
    present, beyond, boxes, contrasts = [], [], [], []
    for on_line, floor in measure_lines(pieces, beyond=1):
        present.append((on_line[1:-1] > floor).mean(axis=1))
        beyond.append((on_line[[0, -1]] > floor).mean(axis=1))
        strength = np.maximum(on_line[1:-1].mean(axis=1), 1e-4)
        thirds = [strength[first::3].mean() for first in (0, 1, 2)]
        boxes.append((thirds[0] - max(thirds[1:])) / max(max(thirds), floor))
        # Only with the lines beside it, as lines fade with the light and the distance.
        beside = [strength[1], strength[[2, 4]].max(), strength[[5, 7]].max(), strength[8]]
        contrasts.append((strength[::3] / beside).min())
    # Lines may end in the open, where a board has no frame: those of a smaller one end at its own.
    has_frame = max(line[[0, -1]].max() for line in present) > _FRAMED
    lines = np.concatenate(present if has_frame else [line[1:-1] for line in present])
    # A line that is missing altogether tells more than pieces missing here and there; a line
    # beyond the board or stronger lines that are not those of the boxes tell of a wrong start.
    score = (1.0 if has_frame else _UNFRAMED) * (0.7 * lines.mean() + 0.3 * lines.min())
    score -= 0.05 * np.concatenate(beyond).mean()
    score += 0.08 * min(float(min(boxes)), 0.0)
    # On a board that is filled in, thin lines are often no stronger than the digits between them;
    # strong ones tell all the better where it begins.
    credit = np.interp(min(contrasts), _BOX_CONTRAST, (0.0, _BOX_GAIN))
    return float(max(score + credit * max(_BOX_LIMIT - score, 0.0), 0.0))


def list_present(pieces: LinePieces) -> list[npt.NDArray[np.bool_]]:
    """Return which pieces are there, of the horizontal and of the vertical lines, (n + 1, n)."""
    return [strength > floor for strength, floor in measure_lines(pieces)]


def measure_strength(pieces: LinePieces) -> float:
    """Return how strongly the lines show where the sheet expects them, the median of all pieces."""
    return take_median(np.stack([strength for strength, _ in measure_lines(pieces)]))


def measure_lines(pieces: LinePieces, beyond: int = 0) -> list[tuple[Floats, float]]:
    """Return how strongly lines show where the sheet expects them, and what tells them from none.

    It is told without a scale: a piece is there when it is stronger than half of the places midway
    between lines, where only digits and dirt are.

    Args:
        pieces: on the sheet.
        beyond: one for a further line on each side of the board.

    Returns:
        Of the horizontal and of the vertical lines the strength of their pieces, (lines, n), and
        the least strength of a piece that is there.
    """
    sheet = pieces.sheet
    first, last = sheet.line_px[0], sheet.line_px[-1]
    line_px = np.arange(first - beyond * sheet.pitch, last + beyond * sheet.pitch + 1, sheet.pitch)
    found = []
    for profile in (pieces.horizontal, pieces.vertical):
        near = cv2.dilate(profile, np.ones((5, 1), np.uint8))
        floor = max(take_median(near[sheet.between_px]), _LEAST_RIDGE)
        found.append((np.asarray(near[line_px], np.float32), floor))
    return found


def _warp_sheet(pyramid: Pyramid, lattice: Points, sheet: Sheet, *, is_inverted: bool) -> Floats:
    """Return the sheet of a lattice; takes what `measure_pieces` takes."""
    side = len(lattice) - 1
    diagonal = float(np.hypot(*(lattice[-1, -1] - lattice[0, 0])))
    step = diagonal / (side * 2**0.5 * sheet.pitch)
    # Sampling more coarsely than the picture's pixels would step over thin lines.
    level = min(int(np.log2(max(step / 0.7, 1))), len(pyramid.levels) - 1)
    scale = 0.5**level
    x, y = weigh_mesh(np.asarray((lattice + 0.5) * scale - 0.5, np.float32), sheet.weights)
    warped = cv2.remap(
        pyramid.levels[level], x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT,
        # A line that the picture's edge cuts off has paper beyond it, as far as ridges go.
        borderValue=0.0 if is_inverted else 6.0,
    )  # fmt: skip
    return np.asarray(-warped if is_inverted else warped, np.float32)


def _find_pieces(warped: Floats, sheet: Sheet, *, is_either: bool, may_lean: bool) -> Floats:
    """Return how much of a piece of a vertical line is at each x, (px, n), in each row of cells.

    Near the cells' corners only a line is left; the product of both ends asks for both.
    """
    evened = np.asarray(cv2.blur(warped, (1, sheet.end_px)), np.float32)
    rows = evened[sheet.end_rows]
    ridges = _find_ridges(rows, sheet.paper_at)
    if is_either:
        ridges = np.maximum.reduce([ridges, _find_ridges(-rows, sheet.paper_at), _find_edges(rows)])
    ends = ridges.reshape(sheet.end_px, 2, -1, sheet.px).mean(axis=0)
    found = ends[0] * ends[1]
    if may_lean:
        for step in range(1, round(_MOST_LEAN / _LEAN_STEP) + 1):
            off = round(step * _LEAN_STEP * sheet.pitch)
            first, last = slice(None, -2 * off), slice(2 * off, None)
            leaning = np.maximum(
                ends[0][:, first] * ends[1][:, last], ends[0][:, last] * ends[1][:, first]
            )
            middle = found[:, off:-off]
            np.maximum(middle, (1 - _LEAN_PENALTY * step) * leaning, out=middle)
    return np.ascontiguousarray(found.T)


def _find_ridges(evened: Floats, paper_at: tuple[int, ...]) -> Floats:
    """Return how much darker each pixel is than the paper so far to its left and right."""
    paper = np.full_like(evened, -np.inf)
    for step in paper_at:
        middle = paper[:, step:-step]
        beside = np.minimum(evened[:, : -2 * step], evened[:, 2 * step :])
        np.maximum(middle, beside, out=middle)
    return np.sqrt(np.minimum(np.maximum(paper - evened, 0), _STRONGEST))


def _find_edges(evened: Floats) -> Floats:
    """Return how much the tone changes at each pixel, between two strips of one tone each.

    No line is drawn between tiles of two tones, or around a board of tiles.
    """
    strip = np.ones((1, _EDGE_WIDTH), np.uint8)
    least, most = cv2.erode(evened, strip), cv2.dilate(evened, strip)
    left, right = slice(None, -2 * _EDGE_AT), slice(2 * _EDGE_AT, None)
    steps = np.maximum(least[:, right] - most[:, left], least[:, left] - most[:, right])
    edges = np.zeros_like(evened)
    edges[:, _EDGE_AT:-_EDGE_AT] = np.sqrt(np.clip(steps, 0, _STRONGEST_EDGE))
    return edges
