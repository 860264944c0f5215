"""Finds the boards of a photo: many rough hypotheses, each judged by the lattice that it shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.beside import find_beside
from vision.board import Grey, corners_from_lattice, turn_lattice
from vision.geometry import Points, quad_area, quad_overlap
from vision.ink import Ink, Inks
from vision.lattice import CONVINCING, LatticeFit, shift_lattice, snap_lattice
from vision.lines import Pyramid, build_pyramid
from vision.propose import lattices_from_cells, lattices_from_outlines
from vision.windows import (
    Window,
    cut_window,
    keep_promising,
    scale_picture,
    window_around,
    windows_beside,
    windows_of_lines,
)

_WORK_SIDES: Final = ((900, 1.0), (1800, 2.0))
"""Longer side of the picture that is searched, in pixels, and the most that a smaller one is
enlarged (which helps thin lines through the threshold); the second only where the first failed."""

_ENOUGH: Final = 0.85
"""Below this score of the best board a larger picture is searched, too."""

_SAME_GUESS: Final = 0.02
"""Guesses whose corners are no further apart are one, in diagonals of the board."""

_SAME_PLACE: Final = 0.7
_SAME_LATTICE: Final = 0.88
"""Overlap from which two candidates are one: of a convincing one with any, of others."""

_SHIFTED: Final = 0.5
"""From this score on a lattice may be a part of a board and of what lies beside it."""

_MAX_SHIFTED: Final = 2

_DOUBTFUL: Final = 0.5
"""From this score on a place is worth a closer look."""

_MAX_FAILURES: Final = 6
"""Closer looks in vain after which the search ends."""

_MOST_FILTERED: Final = 2
"""Places with lines of each filter that are looked at besides, the largest."""


@dataclass(frozen=True)
class Stage:
    """One way to look for boards; later ones run only where the earlier found nothing sure.

    The search ends after this stage with a score of at least `enough`. `is_inverted` says that
    lines are light on dark paper, whatever the ink is.
    """

    ink: Ink
    by_outline: bool
    enough: float
    is_inverted: bool = False


_FINE: Final = Ink("dark", 40)
_COARSE: Final = Ink("dark", 12)
_LIGHT: Final = Ink("dark", 12, is_inverted=True)

_STAGES: Final = (
    Stage(_FINE, by_outline=False, enough=CONVINCING),
    Stage(_COARSE, by_outline=False, enough=CONVINCING),
    Stage(_FINE, by_outline=True, enough=CONVINCING),
    Stage(_COARSE, by_outline=True, enough=0.85),
    Stage(Ink("faint", 40), by_outline=True, enough=0.85),
    Stage(Ink("faint", 20), by_outline=True, enough=0.85),
    Stage(Ink("lines"), by_outline=True, enough=0.85),
    Stage(Ink("weak lines"), by_outline=True, enough=0.85),
    Stage(_LIGHT, by_outline=False, enough=0.85, is_inverted=True),
    Stage(_LIGHT, by_outline=True, enough=0.85, is_inverted=True),
    # Of dark boards with faint lines on a light page, it is the edge that shows.
    Stage(_FINE, by_outline=True, enough=1.0, is_inverted=True),
)


_FILTERED: Final = (Ink("lines"), Ink("weak lines"))
"""What the filter of `vision.line_filter` shows."""

_WITHOUT_LINES: Final = tuple(stage for stage in _STAGES if stage.ink not in _FILTERED)
"""For the larger picture, where the filter takes four times as long and found nothing more."""


@dataclass(frozen=True)
class BoardCandidate:
    """A place in the photo that looks like a board.

    `corners` is (4, 2) float32, clockwise from the top left as the photo lies, `lattice`
    (10, 10, 2) float32, both (x, y) in pixels of the photo; `score` is 0..1.
    """

    corners: Points
    lattice: Points
    score: float
    is_inverted: bool


def find_boards(image: npt.NDArray[np.uint8], max_boards: int = 24) -> list[BoardCandidate]:
    """Return the most likely boards, best first.

    The whole picture is searched first. Where it shows signs of further boards, each of them is
    looked at as if it had been photographed by itself.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
        max_boards: how many candidates to return at most.
    """
    grey = (
        image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    )
    side = max(grey.shape)
    found: list[LatticeFit] = []
    first: tuple[Pyramid, Inks, float] | None = None
    for work_side, most in _WORK_SIDES:
        scale = min(work_side / side, most)
        small = scale_picture(grey, scale)
        pyramid = build_pyramid(small)
        inks = Inks(small, pyramid)
        first = first or (pyramid, inks, scale)
        stages = _STAGES if work_side == _WORK_SIDES[0][0] else _WITHOUT_LINES
        found += [fit.placed(1 / scale) for fit in _search(pyramid, inks, stages)]
        if max((fit.score for fit in found), default=0.0) >= _ENOUGH:
            break
    assert first is not None
    pyramid, inks, scale = first
    found += find_beside(grey, pyramid, scale, found)
    found += _look_closer(grey, found, inks, scale)
    kept: list[BoardCandidate] = []
    for fit in sorted(found, key=lambda fit: -_rank(fit, side)):
        lattice = _begin_top_left(fit.lattice)
        corners = corners_from_lattice(lattice)
        # A doubtful lattice may hide a better one: the reader tells which of them is a board.
        if any(
            quad_overlap(corners, other.corners)
            > (_SAME_PLACE if other.score >= CONVINCING else _SAME_LATTICE)
            for other in kept
        ):
            continue
        kept.append(BoardCandidate(corners, lattice, fit.score, fit.is_inverted))
        if len(kept) == max_boards:
            break
    return kept


def _look_closer(
    grey: Grey, found: Sequence[LatticeFit], inks: Inks, ink_scale: float
) -> list[LatticeFit]:
    """Return what is found in the windows of the photo that promise boards not found so far."""
    known = [fit for fit in found if fit.score >= CONVINCING]
    boards = [fit.corners for fit in known]
    stages = _in_haste(known[0].is_inverted) if known else _STAGES
    in_ink = [fit.placed(ink_scale).corners for fit in known]
    windows = windows_of_lines(inks.separate(_FINE), in_ink)
    most_failures = _MAX_FAILURES
    if max((fit.score for fit in found), default=0.0) < _ENOUGH:
        # Where thin lines drown in noise, the filter for lines still shows which place has most.
        shown = [windows_of_lines(inks.separate(ink), in_ink)[:_MOST_FILTERED] for ink in _FILTERED]
        windows = [window for some in shown for window in some] + windows
        most_failures += sum(map(len, shown))
    windows = [(window / ink_scale).astype(np.float32) for window in windows]
    doubtful = sorted((f for f in found if _DOUBTFUL <= f.score < CONVINCING), key=_by_score)
    windows += [window_around(fit.corners) for fit in doubtful]
    more: list[LatticeFit] = []
    seen: list[Window] = []
    failures = 0
    while failures < most_failures:
        candidates = windows + windows_beside(boards)
        window = next(keep_promising(candidates, grey.shape, boards, seen), None)
        if window is None:
            break
        seen.append(window)
        fits = _search_window(grey, window, stages)
        more += fits
        best = max(fits, key=lambda fit: fit.score, default=None)
        if best is None or best.score < CONVINCING:
            failures += 1
        else:
            boards.append(best.corners)
    return more


def _in_haste(is_inverted: bool) -> tuple[Stage, ...]:
    """Return the stages for a window of a photo on which a board is known: few of the other kind.

    Boards of a page are mostly printed alike, and most windows hold none.
    """
    likely = [s for s in _STAGES if s.is_inverted == is_inverted][:3]
    other = next(s for s in _STAGES if s.is_inverted != is_inverted)
    return (*likely, other)


def _search_window(grey: Grey, window: Window, stages: Sequence[Stage]) -> list[LatticeFit]:
    view = cut_window(grey, window)
    if view is None:
        return []
    pyramid = build_pyramid(view.grey)
    fits = _search(pyramid, Inks(view.grey, pyramid), stages)
    return [fit.placed(1 / view.scale, *view.origin) for fit in fits]


def _by_score(fit: LatticeFit) -> float:
    return -fit.score


def _begin_top_left(lattice: Points) -> Points:
    """Turn a lattice so that it begins at the corner nearest to the photo's own top left."""
    nearest = int(np.argmin(corners_from_lattice(lattice).sum(axis=1)))
    return turn_lattice(lattice, nearest)


def _search(pyramid: Pyramid, inks: Inks, stages: Sequence[Stage]) -> list[LatticeFit]:
    """Return what a picture shows, stage by stage."""
    fits: list[LatticeFit] = []
    tried: list[Points] = []
    is_inverted = False
    for stage in stages:
        if stage.is_inverted != is_inverted:
            is_inverted, tried = stage.is_inverted, []
        propose = lattices_from_outlines if stage.by_outline else lattices_from_cells
        for lattice in propose(inks.separate(stage.ink)):
            if _is_settled(lattice, fits) or _is_near_any(lattice, tried):
                continue
            tried.append(lattice)
            fit = snap_lattice(pyramid, lattice, is_inverted)
            if fit is not None:
                fits.append(fit)
        if max((fit.score for fit in fits), default=0.0) >= stage.enough:
            break
    return fits + _shifted(pyramid, fits)


def _shifted(pyramid: Pyramid, fits: Sequence[LatticeFit]) -> list[LatticeFit]:
    """Return what the best of doubtful fits become where they begin some lines further on."""
    best = sorted((fit for fit in fits if fit.score >= _SHIFTED), key=_by_score)[:_MAX_SHIFTED]
    if not best or best[0].score > _ENOUGH:
        return []
    return [other for fit in best if (other := shift_lattice(pyramid, fit)) is not fit]


def _is_settled(lattice: Points, fits: list[LatticeFit]) -> bool:
    """Tell whether a guess is a board that was snapped convincingly already."""
    corners = corners_from_lattice(lattice)
    return any(fit.score > CONVINCING and quad_overlap(corners, fit.corners) > 0.7 for fit in fits)


def _is_near_any(lattice: Points, tried: Sequence[Points]) -> bool:
    """Tell whether a guess is as good as one that was tried before."""
    corners = corners_from_lattice(lattice)
    reach = _SAME_GUESS * float(np.hypot(*(corners[2] - corners[0])))
    return any(
        float(np.abs(corners - corners_from_lattice(other)).max()) < reach for other in tried
    )


def _rank(fit: LatticeFit, picture_side: float) -> float:
    """Of two boards that show their lines alike, the larger is the one that was meant."""
    corners = fit.corners
    return fit.score + 0.1 * float(np.sqrt(max(quad_area(corners), 0.0))) / picture_side
