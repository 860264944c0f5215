"""Samurais: from one grid of 9×9 to all that share boxes with it, as far as lines show them.

The arrangement is told from the picture: a grid is one where its lines are, and none is where no
lines go on. It is given as one lattice over the whole paper, 15 or 21 places wide.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.finder.line_pieces import (
    Pyramid,
    build_pyramid,
    measure_lines,
    measure_pieces,
    measure_strength,
    score_pieces,
)
from vision.finder.snap import BoardCandidate, snap_lattice
from vision.geometry import Image8, Points

Grids = tuple[tuple[int, int], ...]
"""Row and column of the first cell of each grid, ascending."""

_SIDE: Final = 9
_SHARED: Final = 3
"""Rows and columns that two grids have in common."""

_AHEAD: Final = 6
"""Rows and columns of a grid, its shared box included, that are looked for first."""

_LEAST_AHEAD: Final = 5
"""Of a grid that the picture cuts off: what shows less of itself is not asked for. Of four, most
cells are of the shared box, and the edge of a page made up the rest on one photo of 60."""

_CELL_PX: Final = 28.0
"""Of the picture in which lines are looked for."""

_FINE_SHARE: Final = 0.5
"""By what a quick look still shrinks a picture, at most, of which it leaves out pixels."""

_SHOWN: Final = 0.93
_ABSENT: Final = 0.8
"""Share of its line pieces from which a grid is there, and below which none is. On 16 photos of
level 3, grids had 0.94 or more at six rows and 1.0 at nine; where none was, six rows had 0.81 at
most, and 0.68 but for one, and nine rows 0.7. What lies between is no samurai that can be told.
Beside 70 classic boards six rows had 0.74 at most."""

_FAINT: Final = 0.35
"""Of the strength of a grid's lines, below which others are no print of this page: those of a board
on its back had 0.15, and grids of the same samurai 0.62 at least, on 24 photos of level 3. Noise
between grids had 0.14 at most, on 44 photos of levels 3 and 4."""

_INSET: Final = 0.08
"""Of a place without a cell that is left as it is, for the border of the grids beside it."""

_STEPS: Final = ((-6, -6), (-6, 6), (6, -6), (6, 6))
"""Rows and columns from a grid to those that share a box with it."""

_USUAL: Final = frozenset(
    {
        ((0, 0), (6, 6)),
        ((0, 6), (6, 0)),
        ((0, 0), (6, 6), (12, 12)),
        ((0, 12), (6, 6), (12, 0)),
        ((0, 6), (6, 0), (6, 12), (12, 6)),
        ((0, 0), (0, 12), (6, 6), (12, 0), (12, 12)),
    }
)
"""Arrangements that are printed; another one is rather a grid that was missed."""


@dataclass(frozen=True, eq=False)
class SamuraiPlace:
    """Where a samurai lies in a photo.

    Attributes:
        lattice: (width + 1, width + 1, 2) float32, crossings (x, y) in pixels of the photo; where
            there is no grid, they continue the others.
        grids: row and column of the first cell of each.
    """

    lattice: Points
    grids: Grids

    @property
    def width(self) -> int:
        """Places in a row of the paper."""
        return len(self.lattice) - 1

    def cut_grids(self) -> list[Points]:
        """Return the lattice of each grid, (10, 10, 2) float32."""
        steps = slice(0, _SIDE + 1)
        return [
            np.ascontiguousarray(self.lattice[row:, column:][steps, steps])
            for row, column in self.grids
        ]

    def turn_grids(self, quarter_turns: int) -> Grids:
        """Return where the grids begin on `vision.board.turn_lattice` of the lattice."""
        grids, last = self.grids, self.width - _SIDE
        for _ in range(quarter_turns % 4):
            grids = tuple(sorted((last - column, row) for row, column in grids))
        return grids


def find_samurai(image: Image8, lattice: Points) -> SamuraiPlace | None:
    """Return the samurai that a grid belongs to, or None if it stands alone or leaves a doubt.

    A grid that the picture cuts off belongs to it where enough of its lines are in the picture;
    then cells of the lattice lie outside.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
        lattice: (10, 10, 2) float32 of a grid, in pixels of the image.
    """
    scale = _choose_scale(lattice)
    small = _shrink(image, scale)
    pyramid = build_pyramid(small)
    first = snap_lattice(pyramid, _scaled(lattice, scale))
    if first is None or first.score < _ABSENT:  # one found from it must be shown clearly
        return None
    strength = measure_strength(measure_pieces(pyramid, first.lattice, first.is_inverted))
    view = _View(pyramid, small.shape[::-1], first.is_inverted, strength)
    found = {(0, 0): first.lattice}
    pending = [(0, 0)]
    while pending:
        row, column = pending.pop()
        for down, right in _STEPS:
            at = (row + down, column + right)
            if at in found:
                continue
            shown = view.look_for(found[row, column], down, right)
            if shown.is_doubtful or len(found) > len(_STEPS) + 1:
                return None
            if shown.lattice is not None:
                found[at] = shown.lattice
                pending.append(at)
    place = _join(found, scale)
    if place is not None and view.has_lines_between(_scaled(place.lattice, scale), place.grids):
        return None
    return place


def may_be_grid(image: Image8, lattice: Points) -> bool:
    """Tell whether lines go on where a grid that shares a box with this one would lie.

    Quick, and for boards that were solved: it looks only at the nine cells next to each corner,
    and at none where the picture ends before such a grid does.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
        lattice: (10, 10, 2) float32 of a board on its lines, in pixels of the image.
    """
    size = image.shape[1::-1]
    steps = [
        (down, right)
        for down, right in _STEPS
        if _is_inside(_corner_of(_ahead_of(lattice, down, right), _LEAST_AHEAD, down, right), size)
    ]
    if not steps:
        return False
    scale = _choose_scale(lattice)
    margin = 4 * _CELL_PX / scale
    low = np.maximum(np.floor(lattice.min(axis=(0, 1)) - margin), 0).astype(int)
    high = np.ceil(lattice.max(axis=(0, 1)) + margin).astype(int)
    # To make all pixels of a large photo grey takes longer than all the rest.
    step = max(int(_FINE_SHARE / scale), 1)
    part = np.ascontiguousarray(image[low[1] : high[1] : step, low[0] : high[0] : step])
    pyramid = build_pyramid(_shrink(part, scale * step))
    known = _scaled(np.asarray((lattice - low) / step, np.float32), scale * step)
    for down, right in steps:
        ahead = _corner_of(_ahead_of(known, down, right), _AHEAD, down, right)
        for is_inverted in (False, True):
            if score_pieces(measure_pieces(pyramid, ahead, is_inverted)) >= _ABSENT:
                return True
    return False


def hide_places(image: Image8, lattice: Points, is_hidden: npt.NDArray[np.bool_]) -> Image8:
    """Return a photo with paper in the places of a samurai that are no cells.

    What is printed there is no digit of the puzzle, and must not tell which way up it lies.

    Args:
        image: (H, W, 3) BGR uint8.
        lattice: (n + 1, n + 1, 2) float32 in its pixels.
        is_hidden: (n, n) which places.
    """
    quads = np.stack([lattice[:-1, :-1], lattice[:-1, 1:], lattice[1:, 1:], lattice[1:, :-1]], 2)
    middles = quads.mean(axis=2, keepdims=True)
    # Near a corner of a cell its paper shows.
    beside = np.round(quads[:, :, 0] * 0.8 + quads[:, :, 2] * 0.2).astype(int)
    beside = np.clip(beside, 0, np.array(image.shape[1::-1]) - 1)
    papers = image[beside[..., 1], beside[..., 0]]
    hidden = image.copy()
    inset = np.asarray(quads + _INSET * (middles - quads), np.float32)
    cells = np.argwhere(~is_hidden)
    for row, column in np.argwhere(is_hidden):
        nearest = cells[np.argmin(np.abs(cells - (row, column)).sum(axis=1))]
        colour = tuple(int(value) for value in papers[tuple(nearest)])
        corners = np.round(np.clip(inset[row, column], -1e4, 1e5)).astype(np.int32)
        cv2.fillConvexPoly(hidden, corners, colour)
    return hidden


@dataclass(frozen=True, eq=False)
class _Shown:
    """What the picture shows of a grid: its lattice, or None where there is none."""

    lattice: Points | None = None
    is_doubtful: bool = False


@dataclass(frozen=True, eq=False)
class _View:
    """A picture in which a cell has the usual size, and how the known grid shows in it."""

    pyramid: Pyramid
    size: tuple[int, int]
    is_inverted: bool | None
    strength: float

    def look_for(self, lattice: Points, down: int, right: int) -> _Shown:
        """Look for the grid that shares a box with a known one.

        First its rows and columns next to that box are predicted from the known grid's near them,
        and snapped; these predict the rest.
        """
        whole = _ahead_of(lattice, down, right)
        ahead = min(self._count_inside(whole, down, right), _AHEAD)
        if ahead < _LEAST_AHEAD:
            return _Shown()
        begun = self._snap(_corner_of(whole, ahead, down, right))
        if begun is None or begun.score < _ABSENT:
            return _Shown()
        places = _corner_of(_crossings(down, right, _SIDE), ahead, down, right)
        whole = _predict(places, begun.lattice, _crossings(down, right, _SIDE))
        inside = max(self._count_inside(whole, down, right), ahead)
        told = begun if inside == ahead else self._snap(_corner_of(whole, inside, down, right))
        if told is None or told.score < _ABSENT:
            return _Shown()
        if self._is_faint(self._measure_strength(told.lattice)):
            return _Shown()
        if max(begun.score, told.score) < _SHOWN:  # glare may hide the far end of a clear one
            return _Shown(is_doubtful=True)
        return _Shown(whole if inside < _SIDE else told.lattice)

    def has_lines_between(self, lattice: Points, grids: Grids) -> bool:
        """Tell whether lines go on where grids leave the paper free: that is a larger board.

        Or it is squared paper, or a sheet of cells. Beside a shared box lies a place without lines
        that two grids border on. What the picture cuts off tells nothing.
        """
        n_boxes = (len(lattice) - 1) // _SHARED
        n_grids = np.zeros((n_boxes, n_boxes), np.intp)
        for row, column in grids:
            top, left = row // _SHARED, column // _SHARED
            n_grids[top : top + 3, left : left + 3] += 1
        last = np.array(self.size) - 1
        is_inside = np.asarray(((lattice >= 0) & (lattice <= last)).all(axis=2))
        across, down = measure_lines(measure_pieces(self.pyramid, lattice, self.is_inverted))
        beside = {
            (row + one, column + other)
            for row, column in np.argwhere(n_grids > 1).tolist()
            for one in (-1, 1)
            for other in (-1, 1)
            if n_grids[row + one, column + other] == 0
        }
        for row, column in beside:
            top, left = row * _SHARED, column * _SHARED
            if not is_inside[top : top + _SHARED + 1, left : left + _SHARED + 1].all():
                continue
            inner = [
                (lines[0][one + 1 : one + _SHARED, other : other + _SHARED], lines[1])
                for lines, one, other in ((across, top, left), (down, left, top))
            ]
            shown = np.mean([strengths > floor for strengths, floor in inner])
            strength = float(np.median([strengths for strengths, _ in inner]))
            if shown >= _ABSENT and not self._is_faint(strength):
                return True
        return False

    def _measure_strength(self, lattice: Points) -> float:
        return measure_strength(measure_pieces(self.pyramid, lattice, self.is_inverted))

    def _is_faint(self, strength: float) -> bool:
        return strength < _FAINT * self.strength

    def _snap(self, lattice: Points) -> BoardCandidate | None:
        return snap_lattice(self.pyramid, lattice, self.is_inverted)

    def _count_inside(self, lattice: Points, down: int, right: int) -> int:
        """Return how many rows and columns from the shared box on lie in the picture."""
        for count in range(_SIDE, _SHARED, -1):
            if _is_inside(_corner_of(lattice, count, down, right), self.size):
                return count
        return _SHARED


def _ahead_of(lattice: Points, down: int, right: int) -> Points:
    """Return where the grid so many cells away would lie, by the part of a grid that is nearest."""
    row, column = (3 if step > 0 else 0 for step in (down, right))
    known = lattice[row : row + 7, column : column + 7]
    return _predict(_crossings(row, column, 6), known, _crossings(down, right, _SIDE))


def _is_inside(lattice: Points, size: Sequence[int]) -> bool:
    """Tell whether all crossings lie in a picture of that width and height."""
    last = np.array(size) - 1
    return bool(lattice.min() >= 0 and (lattice.reshape(-1, 2).max(axis=0) <= last).all())


def _corner_of(lattice: Points, count: int, down: int, right: int) -> Points:
    """Return so many rows and columns of a grid, from the box on that it shares."""
    part = lattice[: count + 1] if down > 0 else lattice[-count - 1 :]
    part = part[:, : count + 1] if right > 0 else part[:, -count - 1 :]
    return np.ascontiguousarray(part)


def _crossings(row: int, column: int, side: int) -> Points:
    """Return places (x, y) of the crossings of a lattice in cells, (side + 1, side + 1, 2)."""
    steps = np.arange(side + 1, dtype=np.float32)
    return np.stack(np.meshgrid(steps + column, steps + row), axis=2)


def _predict(places: Points, known: Points, wanted: Points) -> Points:
    """Return where other crossings of a flat board lie, of the shape of `wanted`."""
    homography, _ = cv2.findHomography(places.reshape(-1, 2), known.reshape(-1, 2))
    flat = np.asarray(wanted.reshape(1, -1, 2), np.float64)
    if homography is None:
        return np.full(wanted.shape, -1, np.float32)
    return np.asarray(cv2.perspectiveTransform(flat, homography), np.float32).reshape(wanted.shape)


def _choose_scale(lattice: Points) -> float:
    """Return by what a picture is shrunk so that cells have their usual size in it."""
    cell_px = float(np.median(np.linalg.norm(np.diff(lattice, axis=1), axis=2)))
    return min(_CELL_PX / max(cell_px, 1e-3), 1.0)


def _shrink(image: Image8, scale: float) -> Image8:
    """Return a picture in grey and smaller, (h, w) uint8."""
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    height, width = grey.shape
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _scaled(lattice: Points, scale: float) -> Points:
    return np.asarray((lattice + 0.5) * scale - 0.5, np.float32)


def _join(found: dict[tuple[int, int], Points], scale: float) -> SamuraiPlace | None:
    """Return the samurai of these grids, or None if none is printed so."""
    top, left = (min(at[axis] for at in found) for axis in (0, 1))
    grids = tuple(sorted((row - top, column - left) for row, column in found))
    if grids not in _USUAL:
        return None
    width = _SIDE + max(map(max, grids))
    total = np.zeros((width + 1, width + 1, 2))
    count = np.zeros((width + 1, width + 1, 1))
    for row, column in grids:
        part = slice(row, row + _SIDE + 1), slice(column, column + _SIDE + 1)
        total[part] += _scaled(found[row + top, column + left], 1 / scale)
        count[part] += 1
    is_known = count[:, :, 0] > 0
    lattice = np.asarray(total / np.maximum(count, 1), np.float32)
    places = _crossings(0, 0, width)
    lattice[~is_known] = _predict(places[is_known], lattice[is_known], places[~is_known])
    return SamuraiPlace(lattice, grids)
