"""Where the lines of a board really run, and the place in a photo that looks like a board.

A rough lattice is snapped to the picture and scored.
"""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.classic_finder.lines import (
    FIRST,
    SIDE,
    credit_boxes,
    follow_columns,
    follow_rows,
    measure_ridges,
    place_mesh,
    score_lines,
)
from vision.finder.snap import (
    CONVINCING,
    PITCH,
    BoardCandidate,
    LinePieces,
    Pyramid,
    measure_pieces,
    shift_freely,
    shift_smoothly,
)
from vision.geometry import Floats, Points, is_sane_lattice, measure_twist

_PASSES: Final = ((1, 7, 0.0), (2, 5, 0.3), (3, 4, 0.4), (3, 3, 0.0))
"""Order of the field of shifts, reach of the search in sheet pixels, and the score below which
there is no hope, pass by pass.

Of 2,900 guesses on real photos, whole and warped, 9 in 10 end in nothing; all that ended above 0.6
had 0.34 before the second pass and 0.45 before the third, and 9 in 10 of the others are given up.
"""

_BENT: Final = 0.45
"""A score below which nothing is bent into a board: on 40 rendered photos of level 5, of 559 fits
with less than 0.5 one came above 0.6, to 0.61."""

_BEND_WINDOWS: Final = (6, 5, 4, 3)
"""Reach of the search where every crossing may move, in sheet pixels, pass by pass."""

_BEND_GAIN: Final = 0.02
"""What the score must gain by that: a mesh is led astray where the picture cuts a board off."""

_FOLDED: Final = 0.6
"""A score from which most of the board is found, so that a fold may hide the rest."""

_FOLD_WINDOWS: Final = (5, 4, 3, 3)
_FOLD_GAIN: Final = 0.06
"""What the score must gain by following rows or columns across a fold. In a trial on 300 rendered
photos of level 5, 10 gained so much: in 7 the lattice came nearer to the truth, by up to 1.4 cells,
in 3 it went farther from it at the fold itself, of which none was solved before and not after. Of
those that gained less, most were led astray."""

_USUAL_TWIST: Final = 0.08
"""A lattice loses score for what a cell is twisted beyond this: of 210 rendered boards, bent and
tilted, none has more than 0.033; those that text beside the board has led astray 0.14 and more."""

_STEPS: Final = (
    (0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1),
    (0, 3), (0, -3), (3, 0), (-3, 0),
)  # fmt: skip
"""Rows and columns by which a lattice is moved in search of its true start."""

_MOST_STEPS: Final = 3
_MOST_SNAPPED: Final = 2
"""Of the lattices that a step leads to, the best are snapped."""


def snap_lattice(pyramid: Pyramid, lattice: Points, is_inverted: bool) -> BoardCandidate | None:
    """Move a rough lattice onto the lines of the picture and score it.

    Every line piece is looked for by itself and a smooth field of shifts is fitted robustly:
    bilinear first, then up to cubic, so that bent pages are followed. Where that does not
    convince, the best arithmetic progression of ten lines each way near the guess is tried, too.

    Args:
        pyramid: of the picture, from `build_pyramid`.
        lattice: (10, 10, 2) float32, off by less than a cell and a fifth in pitch.
        is_inverted: look for light lines on dark paper.

    Returns:
        None when there are not enough lines, or the fit runs away into what is no lattice.
    """
    if not is_sane_lattice(lattice):
        return None
    fit = _follow_lines(pyramid, lattice, is_inverted)
    if fit is not None and fit.score > CONVINCING:
        return fit
    rows, columns = _find_progressions(measure_pieces(pyramid, lattice, is_inverted))
    if max(np.abs(rows - np.arange(10)).max(), np.abs(columns - np.arange(10)).max()) < 0.15:
        return fit
    other = _follow_lines(pyramid, _resample(lattice, rows, columns), is_inverted)
    return max((f for f in (fit, other) if f is not None), key=lambda f: f.score, default=None)


def shift_lattice(pyramid: Pyramid, fit: BoardCandidate) -> BoardCandidate:
    """Return the fit, or a better one of the same lines that begins some lines further on.

    Text, digits and other lines around a board may be taken for its first or last ones. The
    lattice is continued beyond its edges and climbs from start to start while the score grows.
    """
    at, start = (0, 0), fit.lattice
    tried = {at}
    for _ in range(_MOST_STEPS):
        steps = [(at[0] + down, at[1] + right) for down, right in _STEPS]
        promising = []
        for step in (step for step in steps if step not in tried):
            tried.add(step)
            rows, columns = (np.arange(10, dtype=np.float32) + count for count in step)
            moved = _resample(start, rows, columns)
            if is_sane_lattice(moved):
                profiles = measure_pieces(pyramid, moved, fit.is_inverted)
                promising.append((credit_boxes(score_lines(profiles), profiles), step, moved))
        promising.sort(key=lambda item: -item[0])
        better = None
        for _, step, moved in promising[:_MOST_SNAPPED]:
            other = _follow_lines(pyramid, moved, fit.is_inverted)
            if other is not None and other.score > fit.score:
                fit, better = other, step
        if better is None or fit.score > CONVINCING:
            break
        at = better
    return fit


def unfold_lattice(pyramid: Pyramid, fit: BoardCandidate) -> BoardCandidate:
    """Return the fit, or one that goes on where a fold had ended it.

    Takes as long as snapping a few lattices, so it is for the best of them.
    """
    lattice = fit.lattice
    profiles = measure_pieces(pyramid, lattice, fit.is_inverted)
    least = _score(lattice, profiles)
    if not _FOLDED <= least <= CONVINCING:
        return fit
    least += _FOLD_GAIN
    ridges = measure_ridges(pyramid, lattice, fit.is_inverted)
    for follow in (follow_rows, follow_columns):
        mesh = follow(profiles, ridges)
        if mesh is None:
            continue
        folded = place_mesh(lattice, mesh)
        for window in _FOLD_WINDOWS:
            if not is_sane_lattice(folded):
                break
            profiles_now = measure_pieces(pyramid, folded, fit.is_inverted)
            score = _score(folded, profiles_now)
            if score > least:
                least = score
                fit = BoardCandidate(folded, credit_boxes(score, profiles_now), fit.is_inverted)
            folded = shift_freely(folded, profiles_now, window)
    return fit


def _follow_lines(pyramid: Pyramid, lattice: Points, is_inverted: bool) -> BoardCandidate | None:
    for order, window, least in _PASSES:
        profiles = measure_pieces(pyramid, lattice, is_inverted)
        if least > 0 and score_lines(profiles) < least:
            return None
        lattice = shift_smoothly(lattice, profiles, order, window)
        if not is_sane_lattice(lattice):
            return None
    profiles = measure_pieces(pyramid, lattice, is_inverted)
    score = _score(lattice, profiles)
    if _BENT <= score <= CONVINCING:
        lattice, score, profiles = _bend(pyramid, lattice, score, profiles, is_inverted)
    return BoardCandidate(lattice, credit_boxes(score, profiles), is_inverted)


def _score(lattice: Points, profiles: LinePieces) -> float:
    """Return how well lines stand where the lattice says, less what no page would bend to."""
    return max(score_lines(profiles) - max(measure_twist(lattice) - _USUAL_TWIST, 0.0), 0.0)


def _bend(
    pyramid: Pyramid, lattice: Points, score: float, profiles: LinePieces, is_inverted: bool
) -> tuple[Points, float, LinePieces]:
    """Return the lattice, or a better one that follows folds and bends that no cubic does.

    With it come its score and its profiles.
    """
    best = lattice, score, profiles
    for window in _BEND_WINDOWS:
        lattice = shift_freely(lattice, profiles, window)
        if not is_sane_lattice(lattice):
            break
        profiles = measure_pieces(pyramid, lattice, is_inverted)
        score = _score(lattice, profiles)
        if score > best[1] + _BEND_GAIN:
            best = lattice, score, profiles
    return best


def _find_progressions(profiles: LinePieces) -> tuple[Floats, Floats]:
    """Return where the ten horizontal and the ten vertical lines stand, in cells of the sheet.

    Args:
        profiles: of a sheet whose lattice may begin up to a cell off, and be off by 15 % in pitch.

    Returns:
        Rows and columns, each (10,) float32.
    """
    pitches = np.linspace(0.85, 1.15, 13)
    starts = np.arange(-1.0, 1.01, 0.1)
    pitch, start = (grid.ravel() for grid in np.meshgrid(pitches, starts))
    # Scale around the middle so that pitch and start do not hide each other.
    first = start + 4.5 * (1 - pitch)
    found = []
    for profile in (profiles.horizontal, profiles.vertical):
        mean = np.minimum(profile, np.quantile(profile, 0.9)).mean(axis=1)
        thick = cv2.dilate(mean[:, None], np.ones((3, 1), np.uint8))
        wide = np.asarray(cv2.blur(thick, (1, 3)), np.float32)[:, 0]
        index = np.arange(-1, 11)
        at = first[:, None] + pitch[:, None] * index[None]
        on_line = _sample(wide, at)
        between = _sample(wide, at[:, 1:-2] + pitch[:, None] / 2)
        worth = (
            on_line[:, 1:-1].mean(axis=1)
            + 0.5 * on_line[:, 1:-1].min(axis=1)
            - 0.5 * between.mean(axis=1)
            - 0.05 * on_line[:, [0, -1]].mean(axis=1)
        )
        best = int(np.argmax(worth))
        found.append((first[best] + pitch[best] * np.arange(10)).astype(np.float32))
    return found[0], found[1]


def _sample(profile: Floats, cells: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Read a profile of the sheet at positions given in cells; nothing outside of it."""
    pixel = cells * PITCH + FIRST - 0.5
    return np.interp(pixel, np.arange(SIDE), profile, left=0.0, right=0.0)


def _resample(lattice: Points, rows: Floats, columns: Floats) -> Points:
    """Return the crossings of new rows and columns.

    Args:
        lattice: (10, 10, 2) float32.
        rows: (10,), in cells of that lattice, which goes on straight beyond its edges.
        columns: the same.
    """
    row_mesh = _interpolate(lattice, rows)
    return _interpolate(row_mesh.transpose(1, 0, 2), columns).transpose(1, 0, 2).copy()


def _interpolate(lattice: Points, position: Floats) -> Points:
    index = np.clip(np.floor(position), 0, 8).astype(int)
    weight = (position - index).astype(np.float32)[:, None, None]
    return np.asarray(lattice[index] * (1 - weight) + lattice[index + 1] * weight, np.float32)
