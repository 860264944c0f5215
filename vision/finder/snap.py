"""Where the lines of a board of any side really run: a rough lattice is moved onto them."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.board import corners_from_lattice
from vision.finder.line_pieces import (
    LinePieces,
    Pyramid,
    Score,
    Sheet,
    measure_pieces,
    score_pieces,
)
from vision.geometry import (
    Floats,
    Points,
    Stiffness,
    fit_mesh,
    fit_surface,
    is_sane_lattice,
    take_median,
)


class _Pass(NamedTuple):
    """One smooth correction of a lattice.

    Attributes:
        order: of the field of shifts, each way; 3 at most.
        reach: of the search for a line, in cells.
        least: score below which there is no hope.
    """

    order: int
    reach: float
    least: float = 0.0


_SMOOTH: Final = (_Pass(1, 0.45), _Pass(2, 0.3, 0.3), _Pass(3, 0.2, 0.4), _Pass(3, 0.15))

_FREE: Final = (0.3, 0.25, 0.2, 0.15)
"""Reach of the search where every crossing moves by itself, pass by pass, in cells."""

_FREE_STIFFNESS: Final = Stiffness(0.1, 0.1, 0.1)
_FREE_SCALE: Final = 0.05
"""Smoothness asked of crossings that move freely, and their misses that are never outliers, in
cells."""

_CREASED: Final = (0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.15)
"""Reach of the search where the paper is creased, pass by pass, in cells; with the four of 0.45,
0.35, 0.25 and 0.15 12 instead of 13 of 14 photos are solved (one-off)."""

_CREASE_STIFFNESS: Final = Stiffness(2.0, 0.05, 0.1)
"""Along a crease the paper is straight, across it bends from line to line. Of 14 photos of level 5
13 are solved so, with 0.1 for all 11, and 10 where no piece may lean (one-off)."""

_PENALTY: Final = 1e-3
_LEAST_SCALE: Final = 0.03
"""Penalty on a field's coefficients, and misses that are never outliers, in cells."""

CONVINCING: Final = 0.93
"""Score that no other alignment of the same board will beat by much. From it on nothing is moved
freely, as it would only follow noise."""

_BENT: Final = 0.5
"""Score below which nothing is moved freely: on 86 rendered photos, of 1,000 lattices of all sides
with less none came above 0.75, which is what chance leads to where no board is."""

_SLIPPED: Final = 0.3
"""Cells from which a crossing is off what most of a flat board's crossings tell."""

_LEAST_GROWN: Final = 6
"""Side of a board without whose two outermost lines each way some cells are left."""


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


def snap_lattice(
    pyramid: Pyramid,
    lattice: Points,
    is_inverted: bool | None = None,
    *,
    is_smooth: bool = False,
    score: Score = score_pieces,
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
        score: tells from pieces how well lines stand where they should.
        enough: score from which no crossing is moved by itself.

    Returns:
        None when the lattice runs away into what is no board.
    """
    best = None
    for dark in (False, True) if is_inverted is None else (is_inverted,):
        found = _follow_smoothly(pyramid, lattice, dark, score)
        if found is not None and (best is None or found.score > best.score):
            best = found
        if best is not None and best.score >= enough:
            return best
    is_clear = best is not None and best.score >= CONVINCING
    if is_inverted is None and not is_smooth and not is_clear:
        # Noise has lines of either kind everywhere, so that only convincing ones count together.
        mixed = _follow_smoothly(pyramid, lattice, None, score)
        if mixed is not None and mixed.score >= CONVINCING:
            best = mixed
    if best is None or is_smooth or not _BENT <= best.score < enough:
        return best
    return _follow_freely(pyramid, best, score)


def straighten_lattice(lattice: Points) -> Points | None:
    """Return the flat lattice that lies where most crossings do, or None where none slipped.

    Where a corner has slipped by a line, the rest of the board tells where it lies.

    Args:
        lattice: (n + 1, n + 1, 2) float32.
    """
    steps = np.arange(len(lattice), dtype=np.float32)
    flat = np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    cell_px = float(np.median(np.linalg.norm(np.diff(lattice, axis=1), axis=2)))
    near_px = _SLIPPED * cell_px
    homography, is_near = cv2.findHomography(flat, lattice.reshape(-1, 2), cv2.RANSAC, near_px)
    if homography is None or is_near.all():
        return None
    straight = cv2.perspectiveTransform(flat[None], homography).reshape(lattice.shape)
    return np.asarray(straight, np.float32)


def follow_crease(pyramid: Pyramid, found: BoardCandidate, *, is_across: bool) -> Points | None:
    """Return a lattice on the lines of creased paper, or None when it runs away.

    A crease changes how lines run from one to the next, and no polynomial follows it.

    Args:
        pyramid: in whose pixels the lattice lies.
        found: the board as smooth paper shows it.
        is_across: the crease runs along the rows, else along the columns.
    """
    stiff, turned = (
        _CREASE_STIFFNESS,
        _CREASE_STIFFNESS._replace(along=_CREASE_STIFFNESS.across, across=_CREASE_STIFFNESS.along),
    )
    of_rows, of_columns = (stiff, turned) if is_across else (turned, stiff)
    lattice = found.lattice
    for reach in _CREASED:
        pieces = measure_pieces(pyramid, lattice, found.is_inverted, may_lean=True)
        lattice = _shift_freely(lattice, pieces, reach, of_rows, of_columns)
        if not is_sane_lattice(lattice):
            return None
    return lattice


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


def _follow_smoothly(
    pyramid: Pyramid,
    lattice: Points,
    is_inverted: bool | None,
    score: Score,
) -> BoardCandidate | None:
    """Return the lattice on the lines, as far as paper bends smoothly."""
    if not is_sane_lattice(lattice):
        return None
    for one in _SMOOTH:
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
        lattice = _shift_freely(lattice, pieces, reach, _FREE_STIFFNESS, _FREE_STIFFNESS)
        if not is_sane_lattice(lattice):
            break
        pieces = measure_pieces(pyramid, lattice, is_inverted)
        now = score(pieces)
        if now > best.score:
            best = BoardCandidate(lattice, now, is_inverted)
    return best


def _shift_smoothly(lattice: Points, pieces: LinePieces, order: int, reach: float) -> Points:
    """Return the lattice after one smooth, robust correction towards the lines of the sheet.

    Args:
        lattice: (n + 1, n + 1, 2) float32, through which the sheet was made.
        pieces: of the sheet.
        order: of the polynomial of shifts, each way; one of `_SMOOTH`.
        reach: of the search for a line, in cells.
    """
    sheet = pieces.sheet
    rows, columns, crossings = sheet.terms[order]
    down, down_weight = _offsets(pieces.horizontal, sheet, reach)
    right, right_weight = _offsets(pieces.vertical, sheet, reach)
    shift_y = crossings @ fit_surface(rows, down, down_weight, _PENALTY, _LEAST_SCALE)
    shift_x = crossings @ fit_surface(columns, right, right_weight, _PENALTY, _LEAST_SCALE)
    return _moved(lattice, shift_x, shift_y)


def _shift_freely(
    lattice: Points, pieces: LinePieces, reach: float, of_rows: Stiffness, of_columns: Stiffness
) -> Points:
    """Return the lattice after a correction of each crossing, as smooth as the lines are stiff."""
    sheet = pieces.sheet
    down, down_weight = _offsets(pieces.horizontal, sheet, reach)
    right, right_weight = _offsets(pieces.vertical, sheet, reach)
    shift_y = fit_mesh(down, down_weight, of_rows, _FREE_SCALE)
    shift_x = fit_mesh(right, right_weight, of_columns, _FREE_SCALE).T
    return _moved(lattice, shift_x, shift_y)


def _moved(lattice: Points, shift_x: Floats, shift_y: Floats) -> Points:
    # Where the shifted crossings lie: each cell's own edges translate sheet into picture.
    step_x = np.gradient(lattice, axis=1)
    step_y = np.gradient(lattice, axis=0)
    moved = lattice + step_x * shift_x[:, :, None] + step_y * shift_y[:, :, None]
    return np.asarray(moved, dtype=np.float32)


def _offsets(profile: Floats, sheet: Sheet, reach: float) -> tuple[Floats, Floats]:
    """Return for each line piece, (n + 1, n), its offset in cells and a weight for it."""
    reach_px = round(reach * sheet.pitch)
    around_px = np.arange(-reach_px, reach_px + 1)
    around = profile[sheet.line_px[:, None] + around_px].transpose(0, 2, 1)
    peak = around.max(axis=2)
    # The centroid of the upper half of the peak is steadier than its highest pixel.
    mass = np.maximum(around - 0.5 * peak[:, :, None], 0)
    total = mass.sum(axis=2)
    offset = np.where(total > 0, (mass * around_px).sum(axis=2) / np.maximum(total, 1e-9), 0)
    offset = (offset + (sheet.line_px - sheet.lines)[:, None]) / sheet.pitch
    base = take_median(peak) + 1e-6
    return offset.astype(np.float32), np.minimum(peak / base, 1.5).astype(np.float32)
