"""Finds the boards of a photo: many rough hypotheses, each judged by the lattice that it shows.

A frame of a live picture is looked at quickly, since the next comes soon. Only the guess that
nearly always suffices is made then, while `find_boards` leaves nothing untried.
"""

from collections.abc import Sequence
from functools import partial
from itertools import takewhile
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import Grey, corners_from_lattice
from vision.classic_finder.inquiry import (
    AskDigits,
    Inquiry,
    ShowsNoPuzzle,
    ShowsOthers,
    find_other_starts,
)
from vision.classic_finder.lattice import (
    CONVINCING,
    BoardCandidate,
    LatticeFit,
    as_candidate,
    shift_lattice,
    snap_lattice,
)
from vision.classic_finder.propose import Inks, lattices_from_cells, separate_ink
from vision.classic_finder.stages import (
    ENOUGH,
    FILTERED,
    FINE,
    STAGES,
    WITHOUT_LINES,
    Shown,
    Stage,
    by_score,
    find_best_score,
    pick_hasty_stages,
    search_picture,
)
from vision.classic_finder.windows import (
    View,
    Window,
    cut_window,
    find_beside,
    keep_promising,
    scale_picture,
    window_around,
    windows_beside,
    windows_of_lines,
)
from vision.finder import snap
from vision.finder.snap import Pyramid, SnappedLattice, build_pyramid
from vision.geometry import Points, quad_area, quad_overlap
from vision.tracker.key_frame import Frame

_WORK_SIDES: Final = ((900, 1.0), (1800, 2.0))
"""Longer side of the picture that is searched, in pixels, and the most that a smaller one is
enlarged (which helps thin lines through the threshold); the second only where the first failed."""

_SAME_PLACE: Final = 0.7
_SAME_LATTICE: Final = 0.88
"""Overlap from which two candidates are one: of a convincing one with any, of others."""

_DOUBTFUL: Final = 0.5
"""From this score on a place is worth a closer look."""

_MAX_FAILURES: Final = 6
"""Closer looks in vain after which the search ends."""

_MAX_GUESSES: Final = 60
"""Guesses snapped in such looks in vain after which it ends: of 70 photos of level 5 no board that
was solved took more than 46 in all, crosswords and tables take hundreds."""

_MOST_FILTERED: Final = 2
"""Places with lines of each filter that are looked at besides, the largest."""


def find_boards(
    image: npt.NDArray[np.uint8],
    max_boards: int = 24,
    ask: AskDigits | None = None,
    shows_no_puzzle: ShowsNoPuzzle | None = None,
    shows_others: ShowsOthers | None = None,
) -> list[BoardCandidate]:
    """Return the most likely boards, best first.

    The whole picture is searched first. Where it shows signs of further boards, each of them is
    looked at as if it had been photographed by itself.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
        max_boards: how many candidates to return at most.
        ask: tells what the digits of likely places say. Where lines leave a doubt and digits none,
            a place gets a score of 1, and no better lattice of it is looked for, which is what
            takes time. Where the lines are a board's and the digits are not, the search goes on.
        shows_no_puzzle: tells beside a known board which places are no boards, so that nothing more
            is made of them, which is what takes time.
        shows_others: looks for boards of other sides, once, where the first stages show no board;
            the search ends if it says that the photo shows only such, or none at all.
    """
    grey = (
        image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    )
    side = max(grey.shape)
    inquiry = Inquiry(ask, shows_no_puzzle, shows_others)
    found: list[LatticeFit] = []
    first: tuple[Pyramid, Inks, float] | None = None
    for work_side, most in _WORK_SIDES:
        scale = min(work_side / side, most)
        view = View(scale_picture(grey, scale), scale, (0, 0))
        pyramid = build_pyramid(view.grey)
        inks = Inks(view.grey, pyramid)
        first = first or (pyramid, inks, scale)
        stages = STAGES if work_side == _WORK_SIDES[0][0] else WITHOUT_LINES
        found += _search(view, pyramid, inks, stages, inquiry).fits
        found = inquiry.confirm(found, is_last=True)
        if find_best_score(found) >= ENOUGH or inquiry.is_over:
            break
    assert first is not None
    pyramid, inks, scale = first
    if not inquiry.is_over:
        found = inquiry.mark([*found, *find_other_starts(pyramid, scale, inquiry)])
    if not inquiry.is_over:
        found = inquiry.mark([*found, *find_beside(grey, pyramid, scale, found)])
        found += _look_closer(grey, found, inks, scale, inquiry, max_boards)
    kept: list[LatticeFit] = []
    for fit in sorted(found, key=lambda fit: (fit.is_denied, -_rank(fit, side))):
        # A doubtful lattice may hide a better one: the reader tells which of them is a board.
        if any(
            quad_overlap(fit.corners, other.corners)
            > (_SAME_PLACE if other.is_convincing else _SAME_LATTICE)
            for other in kept
        ):
            continue
        kept.append(fit)
        if len(kept) == max_boards:
            break
    return [as_candidate(fit) for fit in kept]


def _look_closer(
    grey: Grey,
    found: Sequence[LatticeFit],
    inks: Inks,
    ink_scale: float,
    inquiry: Inquiry,
    max_boards: int,
) -> list[LatticeFit]:
    """Return what is found in the windows of the photo that promise boards not found so far.

    Args:
        grey: (H, W) uint8, the photo.
        found: what the whole photo shows, in pixels of `grey`.
        inks: of the photo as it was searched, which is smaller or larger than `grey`.
        ink_scale: how many times as large.
        inquiry: into likely places.
        max_boards: the search ends with so many that are convincing.
    """
    known = [fit for fit in found if fit.is_convincing]
    boards = [fit.corners for fit in known]
    stages = pick_hasty_stages(known[0].is_inverted) if known else STAGES
    in_ink = [fit.placed(ink_scale).corners for fit in known]
    windows = windows_of_lines(inks.separate(FINE), in_ink)
    most_failures = _MAX_FAILURES
    if find_best_score(found) < ENOUGH:
        # Where thin lines drown in noise, the filter for lines still shows which place has most.
        shown = [windows_of_lines(inks.separate(ink), in_ink)[:_MOST_FILTERED] for ink in FILTERED]
        windows = [window for some in shown for window in some] + windows
        most_failures += sum(map(len, shown))
    windows = [(window / ink_scale).astype(np.float32) for window in windows]
    doubtful = [f for f in found if _DOUBTFUL <= f.score < CONVINCING and not f.is_denied]
    windows += [window_around(fit.corners) for fit in sorted(doubtful, key=by_score)]
    more: list[LatticeFit] = []
    seen: list[Window] = [window_around(fit.corners) for fit in inquiry.denied]
    failures = guesses = 0
    while failures < most_failures and guesses < _MAX_GUESSES and len(boards) < max_boards:
        if inquiry.is_over:
            break
        candidates = windows + windows_beside(boards)
        window = next(keep_promising(candidates, grey.shape, boards, seen), None)
        if window is None:
            break
        seen.append(window)
        fits, more_guesses = _search_window(grey, window, stages, inquiry)
        more += fits
        guesses += more_guesses
        best = min((fit for fit in fits if fit.is_convincing), key=by_score, default=None)
        if best is None:
            failures += 1
        else:
            boards.append(best.corners)
            guesses = 0
    return more


def _search_window(grey: Grey, window: Window, stages: Sequence[Stage], inquiry: Inquiry) -> Shown:
    view = cut_window(grey, window)
    if view is None:
        return Shown([], 0)
    pyramid = build_pyramid(view.grey)
    return _search(view, pyramid, Inks(view.grey, pyramid), stages, inquiry)


def _search(
    view: View, pyramid: Pyramid, inks: Inks, stages: Sequence[Stage], inquiry: Inquiry
) -> Shown:
    """Return what a part of the photo shows, where it lies in the photo."""
    confirm = partial(inquiry.confirm, view=view)
    shows_no_puzzle = partial(inquiry.shows_no_puzzle, view=view)
    left = takewhile(lambda _: not inquiry.is_over, stages)
    shown = search_picture(pyramid, inks, left, confirm, shows_no_puzzle)
    return shown._replace(fits=[view.place(fit) for fit in shown.fits])


def _rank(fit: LatticeFit, picture_side: float) -> float:
    """Of two boards that show their lines alike, the larger is the one that was meant."""
    corners = fit.corners
    return fit.score + 0.1 * float(np.sqrt(max(quad_area(corners), 0.0))) / picture_side


_LONGEST_PX: Final = 1400
"""Longer side of the level of a frame that is searched, at most."""

_KINDS: Final = ((40, False), (12, False), (12, True))
"""Parts of the longer side that a pixel is compared with, and whether lines are light on dark; a
later kind is tried where the earlier ones show nothing convincing."""

_GUESSES: Final = 4
"""Guesses that are tried; the best is nearly always the first."""

_CLASSIC_LINES: Final = 10

_REFINE_CELL_PX: Final = 48
"""Side of a cell on the level where a known lattice is refined, at most."""


def glimpse_boards(frame: Frame) -> list[BoardCandidate]:
    """Return what looks like boards at first sight, best first.

    Folds are not followed here: where one hides lines, `vision.classic_finder.find` is asked.
    """
    level = next(
        (n for n, grey in enumerate(frame.levels) if max(grey.shape) <= _LONGEST_PX),
        len(frame.levels) - 1,
    )
    grey = frame.levels[level]
    soft = np.asarray(cv2.GaussianBlur(grey, (3, 3), 0), np.uint8)
    pyramid: tuple[npt.NDArray[np.float32], ...] = ()
    found: list[LatticeFit] = []
    for blocks, is_inverted in _KINDS:
        ink = separate_ink(soft, max(grey.shape) // blocks, is_inverted)
        for guess in lattices_from_cells(ink)[:_GUESSES]:
            pyramid = pyramid or _pyramid(frame.levels[level:])
            fit = snap_lattice(pyramid, guess, is_inverted)
            if fit is not None:
                found.append(fit)
        if any(fit.score >= CONVINCING for fit in found):
            break
    side = max(grey.shape)
    found.sort(key=lambda fit: -_rank_glimpse(fit, side))
    if found and _DOUBTFUL <= found[0].score < CONVINCING:
        found.append(shift_lattice(pyramid, found[0]))
    found.sort(key=lambda fit: -_rank_glimpse(fit, side))
    return [as_candidate(fit.placed(2.0**level)) for fit in found]


def refine_lattice(frame: Frame, lattice: Points, is_inverted: bool) -> LatticeFit | None:
    """Return a lattice that lies nearly right already, snapped to the lines of a frame.

    Args:
        frame: that shows the board.
        lattice: (n + 1, n + 1, 2) float32 in its pixels.
        is_inverted: light lines on dark paper.
    """
    cell_px = float(np.sqrt(abs(quad_area(corners_from_lattice(lattice))))) / (len(lattice) - 1)
    level = 0
    while level + 2 < len(frame.levels) and cell_px / 2**level > _REFINE_CELL_PX:
        level += 1
    scale = 0.5**level
    here = (lattice + 0.5) * scale - 0.5
    room = 2 * cell_px * scale
    height, width = frame.levels[level].shape
    # Even numbers, so that the halvings of the part are parts of the halvings.
    low = np.maximum(np.floor((here.min(axis=(0, 1)) - room) / 8).astype(int) * 8, 0)
    high = np.ceil(here.max(axis=(0, 1)) + room).astype(int)
    left, top = int(low[0]), int(low[1])
    right, bottom = min(int(high[0]), width), min(int(high[1]), height)
    if right - left < 32 or bottom - top < 32:
        return None
    part = frame.levels[level][top:bottom, left:right]
    corner = np.array([left, top], np.float32)
    rough = (here - corner).astype(np.float32)
    fit: LatticeFit | SnappedLattice | None
    if len(lattice) == _CLASSIC_LINES:
        fit = snap_lattice(_pyramid((part,)), rough, is_inverted)
    else:
        fit = snap.snap_lattice(snap.build_pyramid(part), rough, is_inverted)
    if fit is None:
        return None
    moved = ((fit.lattice + corner + 0.5) / scale - 0.5).astype(np.float32)
    return LatticeFit(moved, fit.score, is_inverted)


def _pyramid(levels: tuple[Grey, ...]) -> tuple[npt.NDArray[np.float32], ...]:
    """Return what `lattice` measures lines on, from halvings that are there already."""
    halvings = list(levels)
    while len(halvings) < 3 and min(halvings[-1].shape) >= 64:
        height, width = halvings[-1].shape
        even = halvings[-1][: height // 2 * 2, : width // 2 * 2]
        half = cv2.resize(even, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        halvings.append(np.asarray(half, np.uint8))
    return tuple(_LOGARITHMS[grey] for grey in halvings)


_LOGARITHMS: Final = np.log(np.arange(256, dtype=np.float32) + 8)


def _rank_glimpse(fit: LatticeFit, side: float) -> float:
    """Of two boards that show their lines alike, the larger is the one that is meant."""
    area = max(quad_area(corners_from_lattice(fit.lattice)), 0.0)
    return fit.score + 0.3 * float(np.sqrt(area)) / side
