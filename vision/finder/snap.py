"""Where the lines of a board of any side really run: a rough lattice is moved onto them.

All measuring happens on a **sheet**: the picture warped through the present lattice so that its
lines should lie every `_PITCH` pixels, with `_MARGIN` cells of surroundings. Brightness is taken as
logarithm, which turns light and shadow into an offset that a ridge filter does not see.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import begin_top_left, corners_from_lattice
from vision.geometry import (
    Floats,
    Points,
    fit_mesh,
    fit_surface,
    halve,
    is_sane_lattice,
    mesh_weights,
    surface_terms,
    take_median,
    weigh_mesh,
)

_PITCH: Final = 20
"""Distance of neighbouring lines on a sheet, in pixels."""

_MARGIN: Final = 1.5
"""Surroundings shown on each side of a sheet, in cells."""

_PAPER_AT: Final = (2, 3)
"""Distances from a line's middle to the paper on both sides, in sheet pixels; both are tried."""

_EDGE_AT: Final = 3
_EDGE_WIDTH: Final = 5
"""Distance of an edge from the middles of the strips on both its sides, and their width, in sheet
pixels: a printed line is thinner than a strip."""

_END_AT: Final = 6
_END_WIDTH: Final = 5
"""A piece of a line is looked at in two places so far from its middle, and so wide, in sheet
pixels: the strokes of digits stand in between."""


class Pass(NamedTuple):
    """One smooth correction of a lattice.

    Attributes:
        order: of the field of shifts, each way; 3 at most.
        reach: of the search for a line, in sheet pixels.
        least: score below which there is no hope.
    """

    order: int
    reach: int
    least: float = 0.0


_SMOOTH: Final = (Pass(1, 9), Pass(2, 6, 0.3), Pass(3, 4, 0.4), Pass(3, 3))

_MOST_ORDER: Final = 3
"""Of a field of shifts."""

_FREE: Final = (6, 5, 4, 3)
"""Reach of the search where every crossing moves by itself, pass by pass."""

_STIFFNESS: Final = 0.1
_PENALTY: Final = 1e-3
_LEAST_SCALE: Final = 0.03
"""Smoothness asked of crossings that move freely, penalty on a field's coefficients, and misses
that are never outliers, in cells."""

CONVINCING: Final = 0.93
"""Score that no other alignment of the same board will beat by much. From it on nothing is moved
freely, as it would only follow noise."""

_BENT: Final = 0.5
"""Score below which nothing is moved freely: on 86 rendered photos, of 1,000 lattices of all sides
with less none came above 0.75, which is what chance leads to where no board is."""

_SLIPPED: Final = 0.3
"""Cells from which a crossing is off what most of a flat board's crossings tell."""

_STRONGEST: Final = 0.4
"""Contrast above which a ridge counts for no more, in units of log brightness."""

_STRONGEST_EDGE: Final = 0.02
"""The same of an edge: it counts only where no line is, as a frame's paper ends beyond its line."""

_LEAST_GROWN: Final = 6
"""Side of a board without whose two outermost lines each way some cells are left."""

_LEAST_RIDGE: Final = 0.004
"""What a piece of a line has at least, in the units of `measure_pieces`."""

_BOX_CONTRAST: Final = (1.3, 2.2)
"""Lines around boxes that are so much stronger than those beside them begin to tell, and tell for
sure, where a board begins."""

_BOX_GAIN: Final = 0.7
_BOX_LIMIT: Final = 0.84
"""Share of what a score lacks of the limit that such lines make up for. They set lattices of one
board apart, but make none clear: a lattice that misses some thin lines may lie beside a better.
"""

Pyramid = tuple[npt.NDArray[np.float32], ...]
"""A picture as logarithm of its brightness, and its halvings."""


@dataclass(frozen=True, eq=False)
class BoardCandidate:
    """A place in a picture that looks like a board: a lattice on its lines.

    Attributes:
        lattice: (n + 1, n + 1, 2) float32, crossings (x, y) in pixels.
        score: 0..1, share of the line pieces that stand where they should, less what stands where
            no line belongs.
        is_inverted: light lines on dark paper; None where some lines are dark and others light, as
            between coloured cells.
    """

    lattice: Points
    score: float
    is_inverted: bool | None

    @property
    def corners(self) -> Points:
        """(4, 2) float32, clockwise from the first crossing."""
        return corners_from_lattice(self.lattice)

    def placed(self, scale: float) -> "BoardCandidate":
        """Return the place in a picture `scale` times as large, from its top left on."""
        lattice = (self.lattice + 0.5) * scale - 0.5
        return replace(self, lattice=begin_top_left(np.asarray(lattice, np.float32)))


@dataclass(frozen=True, eq=False)
class LinePieces:
    """How strongly pieces of lines show on a sheet, 0 = no line.

    `horizontal` is (px, n) float32: for each y the pieces of horizontal lines in the n columns of
    cells; `vertical` the same for each x, of vertical lines in the n rows.
    """

    horizontal: Floats
    vertical: Floats


Score = Callable[[LinePieces], float]
"""Tells from the pieces on a sheet how well lines stand where it expects them, 0..1."""


class _Sheet:
    """Where the lines of a board of side n lie on its sheet, in pixels."""

    def __init__(self, side: int) -> None:
        first = _MARGIN * _PITCH
        self.px = int((side + 2 * _MARGIN) * _PITCH)
        self.lines = first + np.arange(side + 1) * _PITCH - 0.5
        self.line_px = np.round(self.lines).astype(int)
        self.between_px = np.round(self.lines[:-1] + _PITCH / 2).astype(int)
        middles = (first + (np.arange(side) + 0.5) * _PITCH).astype(int)
        across = np.arange(_END_WIDTH) - _END_WIDTH // 2
        ends = np.array([-_END_AT, _END_AT])
        self.end_rows = (across[:, None, None] + ends[:, None] + middles).ravel()
        self.weights = mesh_weights((np.arange(self.px) + 0.5 - first) / _PITCH, side)
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
def _sheet_of(side: int) -> _Sheet:
    return _Sheet(side)


_LOGARITHMS: Final = np.log(np.arange(256, dtype=np.float32) + 8)
"""Of each grey level; a little is added, as dark pixels are noise."""


def build_pyramid(image: npt.NDArray[np.uint8]) -> Pyramid:
    """Return the logarithm of the brightness, (H, W) float32, and three halvings of it.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
    """
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    levels = [_LOGARITHMS[grey]]
    for _ in range(3):
        if min(levels[-1].shape) < 32:
            break
        levels.append(halve(levels[-1]))
    return tuple(levels)


def snap_lattice(
    pyramid: Pyramid,
    lattice: Points,
    is_inverted: bool | None = None,
    *,
    is_smooth: bool = False,
    passes: Sequence[Pass] = _SMOOTH,
    score: Score | None = None,
    enough: float = CONVINCING,
) -> BoardCandidate | None:
    """Move a rough lattice onto the lines of the picture.

    Every line piece is looked for by itself, and a smooth field of shifts is fitted robustly:
    bilinear first, then up to cubic, so that bent pages are followed; then each crossing by itself,
    for folds.

    Args:
        lattice: (n + 1, n + 1, 2) float32, off by less than half a cell.
        is_inverted: look for light lines on dark paper; when None both are tried, and each line
            as either where neither convinces.
        is_smooth: no crossing is moved by itself, which takes most of the time.
        passes: smooth corrections, taken in turn.
        score: tells from pieces how well lines stand where they should; `score_pieces` when None.
        enough: score from which no crossing is moved by itself.

    Returns:
        None when the lattice runs away into what is no board.
    """
    best = None
    for dark in (False, True) if is_inverted is None else (is_inverted,):
        found = _follow_smoothly(pyramid, lattice, dark, passes, score or score_pieces)
        if found is not None and (best is None or found.score > best.score):
            best = found
        if best is not None and best.score >= enough:
            return best
    is_clear = best is not None and best.score >= CONVINCING
    if is_inverted is None and not is_smooth and not is_clear:
        # Noise has lines of either kind everywhere, so that only convincing ones count together.
        mixed = _follow_smoothly(pyramid, lattice, None, passes, score or score_pieces)
        if mixed is not None and mixed.score >= CONVINCING:
            best = mixed
    if best is None or is_smooth or not _BENT <= best.score < enough:
        return best
    return _follow_freely(pyramid, best, score or score_pieces)


def straighten_lattice(lattice: Points) -> Points:
    """Return the flat lattice that lies where most crossings do, within a share of a cell.

    Where a corner has slipped by a line, the rest of the board tells where it lies.

    Args:
        lattice: (n + 1, n + 1, 2) float32.
    """
    steps = np.arange(len(lattice), dtype=np.float32)
    flat = np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    cell_px = float(np.median(np.linalg.norm(np.diff(lattice, axis=1), axis=2)))
    near_px = _SLIPPED * cell_px
    homography, _ = cv2.findHomography(flat, lattice.reshape(-1, 2), cv2.RANSAC, near_px)
    if homography is None:
        return lattice
    straight = cv2.perspectiveTransform(flat[None], homography).reshape(lattice.shape)
    return np.asarray(straight, np.float32)


def grow_lattice(pyramid: Pyramid, lattice: Points) -> Points | None:
    """Return a flat lattice through the lines of the board's middle, or None where it shows none.

    Of a board of four cells each way the middle is none.

    A lattice of the wrong size is off by little in its middle, and by whole cells at its edges.

    Args:
        lattice: (n + 1, n + 1, 2) float32 in its pixels.
    """
    side = len(lattice) - 1
    if side < _LEAST_GROWN:
        return None
    kept = np.arange(2, side - 1)
    middle = snap_lattice(pyramid, np.ascontiguousarray(lattice[2:-2, 2:-2]))
    if middle is None:
        return None
    inner = np.stack(np.meshgrid(kept, kept), axis=2).reshape(-1, 2).astype(np.float32)
    homography, _ = cv2.findHomography(inner, middle.lattice.reshape(-1, 2))
    if homography is None:
        return None
    steps = np.arange(side + 1, dtype=np.float64)
    grid = np.stack(np.meshgrid(steps, steps), axis=2).reshape(1, -1, 2)
    grown = cv2.perspectiveTransform(grid, homography).reshape(lattice.shape)
    return np.asarray(grown, np.float32)


def measure_pieces(pyramid: Pyramid, lattice: Points, is_inverted: bool | None) -> LinePieces:
    """Warp the picture through a lattice and filter it for lines.

    Args:
        lattice: (n + 1, n + 1, 2) float32 in pixels of the picture.
        is_inverted: look for light lines on dark paper; for either when None.
    """
    sheet = _sheet_of(len(lattice) - 1)
    warped = _warp_sheet(pyramid, lattice, bool(is_inverted))
    across, down = (
        _find_pieces(one, sheet, is_either=is_inverted is None)
        for one in (np.ascontiguousarray(warped.T), warped)
    )
    return LinePieces(across, down)


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
    lines = np.concatenate(present)
    # A line that is missing altogether tells more than pieces missing here and there; a line
    # beyond the board or stronger lines that are not those of the boxes tell of a wrong start.
    score = 0.7 * lines.mean() + 0.3 * lines.min()
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
    sheet = _sheet_of(pieces.horizontal.shape[1])
    first, last = sheet.line_px[0], sheet.line_px[-1]
    line_px = np.arange(first - beyond * _PITCH, last + beyond * _PITCH + 1, _PITCH)
    found = []
    for profile in (pieces.horizontal, pieces.vertical):
        near = cv2.dilate(profile, np.ones((5, 1), np.uint8))
        floor = max(take_median(near[sheet.between_px]), _LEAST_RIDGE)
        found.append((np.asarray(near[line_px], np.float32), floor))
    return found


def _follow_smoothly(
    pyramid: Pyramid,
    lattice: Points,
    is_inverted: bool | None,
    passes: Sequence[Pass],
    score: Score,
) -> BoardCandidate | None:
    """Return the lattice on the lines, as far as paper bends smoothly."""
    if not is_sane_lattice(lattice):
        return None
    for one in passes:
        pieces = measure_pieces(pyramid, lattice, is_inverted)
        if one.least > 0 and score(pieces) < one.least:
            return None
        lattice = _shift_smoothly(lattice, pieces, one.order, one.reach)
        if not is_sane_lattice(lattice):
            return None
    pieces = measure_pieces(pyramid, lattice, is_inverted)
    return BoardCandidate(lattice, score(pieces), is_inverted)


def _follow_freely(pyramid: Pyramid, best: BoardCandidate, score: Score) -> BoardCandidate:
    """Return the lattice, or a better one in which every crossing has moved by itself."""
    lattice, is_inverted = best.lattice, best.is_inverted
    pieces = measure_pieces(pyramid, lattice, is_inverted)
    for reach in _FREE:
        lattice = _shift_freely(lattice, pieces, reach)
        if not is_sane_lattice(lattice):
            break
        pieces = measure_pieces(pyramid, lattice, is_inverted)
        now = score(pieces)
        if now > best.score:
            best = BoardCandidate(lattice, now, is_inverted)
    return best


def _warp_sheet(pyramid: Pyramid, lattice: Points, is_inverted: bool) -> Floats:
    """Return the sheet of a lattice; takes what `measure_pieces` takes."""
    side = len(lattice) - 1
    diagonal = float(np.hypot(*(lattice[-1, -1] - lattice[0, 0])))
    step = diagonal / (side * 2**0.5 * _PITCH)
    # Sampling more coarsely than the picture's pixels would step over thin lines.
    level = min(int(np.log2(max(step / 0.7, 1))), len(pyramid) - 1)
    scale = 0.5**level
    x, y = weigh_mesh(
        np.asarray((lattice + 0.5) * scale - 0.5, np.float32), _sheet_of(side).weights
    )
    warped = cv2.remap(
        pyramid[level], x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT,
        # A line that the picture's edge cuts off has paper beyond it, as far as ridges go.
        borderValue=0.0 if is_inverted else 6.0,
    )  # fmt: skip
    return np.asarray(-warped if is_inverted else warped, np.float32)


def _find_pieces(warped: Floats, sheet: _Sheet, *, is_either: bool) -> Floats:
    """Return how much of a piece of a vertical line is at each x, (px, n), in each row of cells.

    Near the cells' corners only a line is left; the product of both ends asks for both.
    """
    evened = np.asarray(cv2.blur(warped, (1, _END_WIDTH)), np.float32)
    rows = evened[sheet.end_rows]
    ridges = _find_ridges(rows)
    if is_either:
        ridges = np.maximum.reduce([ridges, _find_ridges(-rows), _find_edges(rows)])
    ends = ridges.reshape(_END_WIDTH, 2, -1, sheet.px).mean(axis=0)
    return np.ascontiguousarray((ends[0] * ends[1]).T)


def _find_ridges(evened: Floats) -> Floats:
    """Return how much darker each pixel is than the paper to its left and right."""
    paper = np.full_like(evened, -np.inf)
    for step in _PAPER_AT:
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


def _shift_smoothly(lattice: Points, pieces: LinePieces, order: int, reach: int) -> Points:
    """Return the lattice after one smooth, robust correction towards the lines of the sheet.

    Args:
        lattice: (n + 1, n + 1, 2) float32, through which the sheet was made.
        pieces: of the sheet.
        order: of the polynomial of shifts, each way; one of `_SMOOTH`.
        reach: of the search for a line, in sheet pixels.
    """
    sheet = _sheet_of(len(lattice) - 1)
    rows, columns, crossings = sheet.terms[order]
    down, down_weight = _offsets(pieces.horizontal, sheet, reach)
    right, right_weight = _offsets(pieces.vertical, sheet, reach)
    shift_y = crossings @ fit_surface(rows, down, down_weight, _PENALTY, _LEAST_SCALE)
    shift_x = crossings @ fit_surface(columns, right, right_weight, _PENALTY, _LEAST_SCALE)
    return _moved(lattice, shift_x, shift_y)


def _shift_freely(lattice: Points, pieces: LinePieces, reach: int) -> Points:
    """Return the lattice after a correction of each crossing, smooth along the lines."""
    sheet = _sheet_of(len(lattice) - 1)
    down, down_weight = _offsets(pieces.horizontal, sheet, reach)
    right, right_weight = _offsets(pieces.vertical, sheet, reach)
    shift_y = fit_mesh(down, down_weight, _STIFFNESS, 0.05)
    shift_x = fit_mesh(right, right_weight, _STIFFNESS, 0.05).T
    return _moved(lattice, shift_x, shift_y)


def _moved(lattice: Points, shift_x: Floats, shift_y: Floats) -> Points:
    # Where the shifted crossings lie: each cell's own edges translate sheet into picture.
    step_x = np.gradient(lattice, axis=1)
    step_y = np.gradient(lattice, axis=0)
    moved = lattice + step_x * shift_x[:, :, None] + step_y * shift_y[:, :, None]
    return np.asarray(moved, dtype=np.float32)


def _offsets(profile: Floats, sheet: _Sheet, reach: int) -> tuple[Floats, Floats]:
    """Return for each line piece, (n + 1, n), its offset in cells and a weight for it."""
    around_px = np.arange(-reach, reach + 1)
    around = profile[sheet.line_px[:, None] + around_px].transpose(0, 2, 1)
    peak = around.max(axis=2)
    # The centroid of the upper half of the peak is steadier than its highest pixel.
    mass = np.maximum(around - 0.5 * peak[:, :, None], 0)
    total = mass.sum(axis=2)
    offset = np.where(total > 0, (mass * around_px).sum(axis=2) / np.maximum(total, 1e-9), 0)
    offset = (offset + (sheet.line_px - sheet.lines)[:, None]) / _PITCH
    base = take_median(peak) + 1e-6
    return offset.astype(np.float32), np.minimum(peak / base, 1.5).astype(np.float32)
