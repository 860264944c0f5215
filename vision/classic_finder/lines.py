"""What a picture shows of a classic board's lines where a lattice expects them, and across a fold.

`vision.finder.snap` measures lines on a sheet, for boards of any side.

A smooth field of shifts gives up at a fold: behind it the lines may be a cell and more from where
the part before it leads one to look. So the rows, or the columns, are followed one by one from
those whose lines are sure. Of each only its two ends are unknown, as paper is straight along a
fold; ten lines at once tell where they are, so that text and digits lead nowhere.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.finder.snap import MARGIN, PITCH, LinePieces, Pyramid, find_ridges, warp_sheet
from vision.geometry import Floats, Points, take_median

SIDE: Final = int((9 + 2 * MARGIN) * PITCH)
"""Of the sheet, in pixels."""

FIRST: Final = MARGIN * PITCH
"""Where the sheet expects the first line, in pixels."""

LINE: Final = FIRST + np.arange(-1, 11) * PITCH - 0.5
"""Where it expects the ten lines, and one more on each side."""

_LINE_PX: Final = np.round(LINE).astype(int)
_BETWEEN_PX: Final = np.round(LINE[1:-2] + PITCH / 2).astype(int)
"""The pixels nearest to them, and to the middles between the ten lines."""

_BOX_CONTRAST: Final = (1.3, 2.2)
"""Lines around boxes that are so much stronger than those beside them begin to tell, and tell for
sure, where a board begins: thin lines may be no stronger than the digits between them."""

_BOX_GAIN: Final = 0.7
_BOX_LIMIT: Final = 0.84
"""Share of what a score lacks of the limit that such lines make up for. They set lattices of one
board apart, but end no search: a lattice that misses some thin lines may be followed by a better.
"""


@dataclass(frozen=True)
class _Ridges:
    """Ridge strength of a sheet, (side, side) float32, in units of log brightness, 0 = no line.

    `horizontal` answers to lines along x, `vertical` to lines along y.
    """

    horizontal: Floats
    vertical: Floats


def measure_ridges(pyramid: Pyramid, lattice: Points, is_inverted: bool) -> _Ridges:
    """Return the ridges alone, which also slanted lines have, whatever they are part of.

    Takes what `vision.finder.snap.measure_pieces` takes, of a board of nine cells each way.
    """
    sheet = warp_sheet(pyramid, lattice, is_inverted)
    horizontal = find_ridges(np.asarray(cv2.blur(sheet, (3, 1)), np.float32).T).T
    return _Ridges(horizontal, find_ridges(np.asarray(cv2.blur(sheet, (1, 3)), np.float32)))


def score_lines(profiles: LinePieces) -> float:
    """Return how well ten lines each way stand where the sheet expects them, 0..1.

    Counted without a scale: a line piece is there when it is stronger than half of the
    places midway between lines, where only digits and dirt are.
    """
    present, beyond, boxes = [], [], []
    for profile in (profiles.horizontal, profiles.vertical):
        near = cv2.dilate(profile, np.ones((5, 1), np.uint8))
        on_line = near[_LINE_PX]
        between = near[_BETWEEN_PX]
        floor = max(take_median(between), 0.004)
        present.append((on_line[1:-1] > floor).mean(axis=1))
        beyond.append((on_line[[0, -1]] > floor).mean(axis=1))
        strength = on_line[1:-1].mean(axis=1)
        thirds = [strength[first::3].mean() for first in (0, 1, 2)]
        boxes.append((thirds[0] - max(thirds[1:])) / max(max(thirds), floor))
    lines = np.concatenate(present)
    # A line that is missing altogether tells more than pieces missing here and there; a line
    # beyond the board or stronger lines that are not those of the boxes tell of a wrong start.
    score = 0.7 * lines.mean() + 0.3 * lines.min()
    score -= 0.05 * np.concatenate(beyond).mean()
    score += 0.08 * min(float(min(boxes)), 0.0)
    return float(max(score, 0.0))


def credit_boxes(score: float, profiles: LinePieces) -> float:
    """Return a score raised where strong lines stand around the boxes, and nowhere else.

    In a board that is filled in, thin lines are often no stronger than the digits between them,
    so that they count for little; the strong ones tell all the better where the board begins.
    """
    contrasts = []
    for profile in (profiles.horizontal, profiles.vertical):
        near = cv2.dilate(profile, np.ones((5, 1), np.uint8))
        contrasts.append(_box_contrast(near[_LINE_PX[1:-1]].mean(axis=1)))
    sure = float(np.clip((min(contrasts) - _BOX_CONTRAST[0]) / np.ptp(_BOX_CONTRAST), 0, 1))
    return score + _BOX_GAIN * sure * max(_BOX_LIMIT - score, 0.0)


def _box_contrast(strength: Floats) -> float:
    """Return how much stronger each line around boxes is than the lines beside it, at least.

    Only beside it, as lines fade with the light and the distance from the camera.

    Args:
        strength: (10,) of the lines of one direction.
    """
    inner = np.maximum(strength, 1e-4)
    beside = np.array([inner[1], inner[[2, 4]].max(), inner[[5, 7]].max(), inner[8]])
    return float((inner[::3] / beside).min())


_SURE: Final = 0.75
"""Share of a row's ten line pieces that must be there for it to be a place to start from."""

_LEAST_ROWS: Final = 2
"""Sure rows one after the other from which the next is followed."""

_CAP: Final = 0.97
"""Quantile of the ridges above which none counts for more: what is printed boldly is no line."""

_REACH_ACROSS: Final = np.arange(-21.0, 22.0, 3.0)
_REACH_ALONG: Final = np.arange(-12.0, 13.0, 2.0)
_REACH_AGAIN: Final = np.arange(-3.0, 4.0, 1.0)
"""Where the ends of a row may lie, in sheet pixels from where the row before it leads: sideways,
nearer or farther, and sideways once more."""

_STRAIGHT: Final = 8e-4
"""What a sheet pixel away from that costs, in units of the mean ridge."""

_ALONG_LINE: Final = (np.arange(12) + 0.5) / 12
_ACROSS_ROW: Final = (np.arange(36) + 0.5) / 4
"""Places at which lines are looked at: between two rows, and in cells along one."""

_EVENLY: Final = np.arange(10) / 9


class Mesh(NamedTuple):
    """Crossings on the sheet, in pixels, each (10, 10) float."""

    x: Floats
    y: Floats


class Row(NamedTuple):
    """Ten crossings of one line along x, in pixels of the sheet; or n such rows, (n, 10)."""

    x: Floats
    y: Floats


def follow_rows(lines: LinePieces, ridges: _Ridges) -> Mesh | None:
    """Return where the crossings lie if the rows are followed across a fold between them.

    Args:
        lines: of the sheet, from `vision.finder.snap.measure_pieces`.
        ridges: of the sheet, from `vision.classic_finder.lines.measure_ridges`.

    Returns:
        None where all rows are sure, or too few to start from.
    """
    start, end = _find_sure_rows(lines.vertical)
    if end - start < _LEAST_ROWS or end - start == 9:
        return None
    upright, level = _even_out(ridges.vertical, (3, 1)), _even_out(ridges.horizontal, (1, 3))
    y, x = np.meshgrid(LINE[1:-1], LINE[1:-1], indexing="ij")
    for rows in (range(end + 1, 10), range(start - 1, -1, -1)):
        for row in rows:
            last, older = row - rows.step, row - 2 * rows.step
            # The first one may lie behind the fold, so it is not expected to go straight on.
            ahead_x = x[last] if row == rows[0] else 2 * x[last] - x[older]
            ahead_y = 2 * y[last] - y[older]
            known = Row(x[last], y[last])
            x[row], y[row] = _follow_row(upright, level, known, Row(ahead_x, ahead_y))
    return Mesh(x, y)


def follow_columns(lines: LinePieces, ridges: _Ridges) -> Mesh | None:
    """Return the same if the columns are followed across a fold between them."""
    turned = _Ridges(*(np.ascontiguousarray(one.T) for one in (ridges.vertical, ridges.horizontal)))
    mesh = follow_rows(LinePieces(lines.vertical, lines.horizontal), turned)
    return None if mesh is None else Mesh(mesh.y.T, mesh.x.T)


def place_mesh(lattice: Points, mesh: Mesh) -> Points:
    """Return the crossings in pixels of the picture, (10, 10, 2) float32.

    Args:
        lattice: (10, 10, 2) float32, through which the sheet was made.
        mesh: crossings on the sheet.
    """
    across, down = (mesh.x + 0.5 - FIRST) / PITCH, (mesh.y + 0.5 - FIRST) / PITCH
    row, column = (np.clip(np.floor(at), 0, 8).astype(int) for at in (down, across))
    below, right = (down - row)[..., None], (across - column)[..., None]
    upper = lattice[row, column] * (1 - right) + lattice[row, column + 1] * right
    lower = lattice[row + 1, column] * (1 - right) + lattice[row + 1, column + 1] * right
    return np.asarray(upper * (1 - below) + lower * below, np.float32)


def _even_out(ridges: Floats, size: tuple[int, int]) -> Floats:
    """Return ridges that are a little wider, and of which none stands out."""
    return np.asarray(cv2.blur(np.minimum(ridges, np.quantile(ridges, _CAP)), size), np.float32)


def _find_sure_rows(pieces: Floats) -> tuple[int, int]:
    """Return the first of the most sure rows in a sequence, and the one after the last.

    Args:
        pieces: (side, 9), how much of a line there is across the middle of each row.
    """
    near = cv2.dilate(pieces, np.ones((5, 1), np.uint8))
    between = near[_BETWEEN_PX]
    floor = max(take_median(between), 0.004)
    share = (near[_LINE_PX[1:-1]] > floor).mean(axis=0)
    best, start = (0, 0), 0
    for row in range(10):
        if row == 9 or share[row] < _SURE:
            best = max(best, (start, row), key=lambda run: run[1] - run[0])
            start = row + 1
    return best


def _follow_row(upright: Floats, level: Floats, known: Row, ahead: Row) -> Row:
    """Return where the next row of crossings lies.

    Args:
        upright: (side, side), ridges of lines along y.
        level: the same of lines along x.
        known: the last row.
        ahead: where the next one is expected.
    """
    x = _shift_ends(ahead.x, _REACH_ACROSS)
    worth = _read_uprights(upright, known, Row(x, np.broadcast_to(ahead.y, x.shape)))
    x_now = x[int((worth - _bend_cost(_REACH_ACROSS)).argmax())]
    y = _shift_ends(ahead.y, _REACH_ALONG)
    worth = _read_level(level, Row(np.broadcast_to(x_now, y.shape), y))
    y_now = y[int((worth - _bend_cost(_REACH_ALONG)).argmax())]
    x = _shift_ends(x_now, _REACH_AGAIN)
    worth = _read_uprights(upright, known, Row(x, np.broadcast_to(y_now, x.shape)))
    return Row(x[int(worth.argmax())], y_now)


def _shift_ends(row: Floats, reach: Floats) -> Floats:
    """Return a row's ten values with its ends shifted in all ways, (n², 10)."""
    left, right = (ends.reshape(-1, 1) for ends in np.meshgrid(reach, reach, indexing="ij"))
    return np.asarray(row + left * (1 - _EVENLY) + right * _EVENLY)


def _bend_cost(reach: Floats) -> Floats:
    """Return what these shifts cost, (n²,)."""
    left, right = np.meshgrid(np.abs(reach), np.abs(reach), indexing="ij")
    return np.asarray(_STRAIGHT * (left + right).ravel())


def _read_uprights(ridges: Floats, known: Row, guesses: Row) -> Floats:
    """Return the mean ridge along ten lines from the last row to each of n guesses, (n,)."""
    x = known.x + (guesses.x - known.x)[:, None] * _ALONG_LINE[:, None]
    y = known.y + (guesses.y - known.y)[:, None] * _ALONG_LINE[:, None]
    return np.asarray(_sample(ridges, x, y).mean(axis=(1, 2)))


def _read_level(ridges: Floats, guesses: Row) -> Floats:
    """Return the mean ridge along the line through each of n rows of crossings, (n,)."""
    cell = np.floor(_ACROSS_ROW).astype(int)
    share = _ACROSS_ROW - cell
    x, y = (at[:, cell] * (1 - share) + at[:, cell + 1] * share for at in guesses)
    return np.asarray(_sample(ridges, x, y).mean(axis=1))


def _sample(ridges: Floats, x: Floats, y: Floats) -> Floats:
    column, row = (np.clip(np.round(at).astype(int), 0, SIDE - 1) for at in (x, y))
    return np.asarray(ridges[row, column])
