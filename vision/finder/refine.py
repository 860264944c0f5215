"""Where the lines of a photo's boards run, and how many there are, from a rough place.

A lattice is (n + 1, n + 1, 2) float32 in pixels of the photo.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.board import (
    begin_top_left,
    corners_from_lattice,
    extend_lattice,
    move_lattice,
    resample_lattice,
    turn_lattice,
)
from vision.finder.fit import RoughBoard
from vision.finder.line_pieces import Score, build_pyramid, score_classic, score_pieces
from vision.finder.snap import (
    CONVINCING,
    BoardCandidate,
    follow_crease,
    grow_lattice,
    snap_lattice,
    straighten_lattice,
)
from vision.finder.views import PhotoViews, show_around, transform_lattice
from vision.geometry import Points, quad_area, quad_overlap

_CELL_PX: Final = 28.0
_FINE_CELL_PX: Final = 56.0
"""Of the picture in which lines are looked for, and of one for lines that are thin for the size of
their cells."""

_LARGE_CELLED: Final = (4, 6, 8)
"""Sides whose lines are thin for the size of their cells as a rule."""

_ASIDE: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Columns and rows by which a lattice may be off."""

_WAYS: Final = ((False, False), (False, True), (True, False), (True, True))
"""Whether a part of a board goes on to its right, and down."""

COUNTED: Final = 0.985
"""Share of line pieces from which a side is surely that of the board. On 150 rendered boards
(`training.rendered.kind_photos`, level 3) lattices that were aside somewhere had up to 0.98, right
ones mostly 1."""

_ONE_LESS: Final = (9, 10)
"""Sides of which the first fits a part of the second."""

MAY_FIT: Final = 0.7
"""Share from which a side may be that of the board."""

_MOST_SIDES: Final = 3
"""Sides that are looked into of each board."""

_BETWEEN: Final = 0.85
"""Overlap with given corners from which a board is the one between them. With those of a rendered
photo moved 140 times as by hand, right boards had 0.90 at least, parts of them 0.79 at most
(one-off)."""

_MAY_SLIP: Final = 0.75
"""Score above what chance leads to, from which a part of a lattice may have slipped by a line."""

_CHANCE: Final = 0.6
"""Share that a lattice has wherever it lies; one of few lines sometimes has more."""


def snap_classic(
    photo: PhotoViews, lattice: Points, *, may_refine: bool = True
) -> BoardCandidate | None:
    """Return a lattice of side 9 on the lines around it, or None without any.

    Args:
        lattice: (10, 10, 2) float32 in pixels of the photo.
        may_refine: look for unclear lines on a finer sheet, too; it takes four times as long.
    """
    found = _straighten(photo, snap_from(photo, lattice, score=score_classic), score_classic)
    is_clear = found is not None and found.score >= CONVINCING
    # The finer sheet shows more only where the photo does.
    if is_clear or not may_refine or _measure_cell(lattice) < _CELL_PX:
        return found
    fine = snap_from(photo, lattice, is_fine=True, score=score_classic)
    return better_of(found, _straighten(photo, fine, score_classic, is_fine=True))


def refit_lattice(photo: PhotoViews, found: BoardCandidate) -> Iterator[Points]:
    """Yield how else the lines of a board may run: creased, or without what slipped.

    All are turned as the one that was found. Their scores do not tell which is right, as a crease
    hides lines: the digits must.
    """
    yield from _follow_creases(photo, found)
    straight = straighten_lattice(found.lattice)
    if straight is not None:
        snapped = snap_from(photo, straight, is_fine=True, score=score_classic)
        if snapped is not None:
            turned = (turn_lattice(snapped.lattice, turn) for turn in range(4))
            yield min(turned, key=lambda one: float(np.abs(one - straight).max()))
        yield from _follow_creases(photo, replace(found, lattice=straight))


def _follow_creases(photo: PhotoViews, found: BoardCandidate) -> Iterator[Points]:
    """Yield the lattices of a board whose paper is creased one way or the other."""
    cut, px = show_around(found.lattice, _FINE_CELL_PX)
    pyramid = build_pyramid(photo.warp(cut, px), is_fine=True)
    shown = replace(found, lattice=transform_lattice(found.lattice, cut))
    for is_across in (True, False):
        creased = follow_crease(pyramid, shown, is_across=is_across)
        if creased is not None:
            yield transform_lattice(creased, np.linalg.inv(cut))


def snap_rough(photo: PhotoViews, board: RoughBoard) -> tuple[BoardCandidate | None, bool]:
    """Return a board on its lines, and whether these are clear."""
    best: BoardCandidate | None = None
    # Where a few lines are missed the second guess may show all.
    starts = (
        (board.lattice, False, COUNTED),
        (board.outlined, False, CONVINCING),
        (board.flat, True, CONVINCING),
    )
    for lattice, is_grown, enough in starts:
        found = snap_from(photo, lattice, is_grown=is_grown, score=score_classic)
        best = better_of(best, _straighten(photo, found, score_classic))
        if best is not None and best.score >= enough:
            return best, True
    if best is not None:
        best = _straighten(photo, move_aside(photo, best, score_classic), score_classic)
    return best, best is not None and best.score >= CONVINCING


def count_lines(
    photo: PhotoViews, board: RoughBoard, sides: Sequence[int]
) -> tuple[BoardCandidate | None, bool]:
    """Return a board with the first side that surely fits its lines and true, or the best."""
    smooth = count_smooth(photo, board, sides)
    # Thin lines inside of the smallest board's cells may only show from near.
    if smooth and smooth[-1].score >= COUNTED and len(smooth[-1].lattice) - 1 != sides[-1]:
        return smooth[-1], True
    likeliest = {len(one.lattice) - 1 for one in sorted(smooth, key=tell_side)[-_MOST_SIDES:]}
    best: BoardCandidate | None = None
    likely: list[int] = []
    for side in (one for one in sides if one in likeliest):
        found = snap_from(photo, resample_lattice(board.lattice, side), enough=COUNTED)
        if found is not None and _CHANCE <= found.score < COUNTED:
            flat = resample_lattice(board.flat, side)
            grown = snap_from(photo, flat, is_grown=True, enough=COUNTED)
            # Lines that are counted from the middle may begin one aside.
            if grown is not None and grown.score < COUNTED:
                grown = move_aside(photo, grown)
            found = better_of(better_of(found, snap_from(photo, flat, enough=COUNTED)), grown)
            found = _straighten(photo, found)
        if found is None or _is_part(side, likely):
            continue
        if found.score >= COUNTED and side != sides[-1]:
            return found, True
        if found.score >= MAY_FIT:
            likely.append(side)
        best = better_of(best, found)
    return best, False


def count_all_lines(
    photo: PhotoViews, board: RoughBoard, sides: Sequence[int]
) -> tuple[BoardCandidate | None, bool]:
    """Return what `count_lines` does, but all of a board of which it finds a part."""
    found, is_sure = count_lines(photo, board, sides)
    return (_extend(photo, found, sides) if found is not None and is_sure else found), is_sure


def _extend(photo: PhotoViews, found: BoardCandidate, sides: Sequence[int]) -> BoardCandidate:
    """Return a board, or the larger one of these sides whose lines it has a part of."""
    if len(found.lattice) - 1 >= max(sides):
        return found
    for to_right, down in _WAYS:
        lattice = extend_lattice(found.lattice, to_right=to_right, down=down)
        larger = snap_from(photo, lattice, found.is_inverted, is_smooth=True, enough=COUNTED)
        if larger is not None and larger.score >= COUNTED:
            larger = _extend(photo, larger, sides)
            return larger if len(larger.lattice) - 1 in sides else found
    return found


def count_smooth(
    photo: PhotoViews, board: RoughBoard, sides: Sequence[int]
) -> list[BoardCandidate]:
    """Return a board with each side, up to the first whose lines are all there.

    Its paper is taken to bend smoothly: to follow each crossing takes ten times as long.
    """
    found: list[BoardCandidate] = []
    for side in sides:
        likely = [len(one.lattice) - 1 for one in found if one.score >= MAY_FIT]
        smooth = snap_from(photo, resample_lattice(board.lattice, side), is_smooth=True)
        if smooth is not None and not _is_part(side, likely):
            found.append(smooth)
            if smooth.score >= COUNTED:
                break
    return found


def _straighten(
    photo: PhotoViews,
    found: BoardCandidate | None,
    score: Score = score_pieces,
    *,
    is_fine: bool = False,
) -> BoardCandidate | None:
    """Return a board, or the same without what slipped where more of its lines are there."""
    if found is None or not _MAY_SLIP <= found.score < COUNTED:
        return found
    straight = straighten_lattice(found.lattice)
    if straight is None:
        return found
    again = snap_from(photo, straight, is_fine=is_fine, enough=COUNTED, score=score)
    return better_of(found, again)


def move_aside(
    photo: PhotoViews, found: BoardCandidate, score: Score = score_pieces
) -> BoardCandidate:
    """Return a board, or the same a line aside where more of its lines are there."""
    for right, down in _ASIDE:
        moved = snap_from(photo, move_lattice(found.lattice, right, down), score=score)
        found = better_of(found, moved) or found
    return found


def snap_from(
    photo: PhotoViews,
    start: Points,
    is_inverted: bool | None = None,
    *,
    is_grown: bool = False,
    is_smooth: bool = False,
    is_fine: bool = False,
    enough: float = CONVINCING,
    score: Score = score_pieces,
) -> BoardCandidate | None:
    """Return the lattice on the lines around a rough one; grown: from the middle outwards."""
    side = len(start) - 1
    is_fine = is_fine or side in _LARGE_CELLED
    cut, px = show_around(start, _FINE_CELL_PX if is_fine else _CELL_PX)
    pyramid = build_pyramid(photo.warp(cut, px), is_fine=is_fine)
    flat = transform_lattice(start, cut)
    lattice = grow_lattice(pyramid, flat) if is_grown else flat
    if lattice is None:
        return None
    snapped = snap_lattice(
        pyramid, lattice, is_inverted, is_smooth=is_smooth, enough=enough, score=score
    )
    if snapped is None:
        return None
    found = begin_top_left(transform_lattice(snapped.lattice, np.linalg.inv(cut)))
    return replace(snapped, lattice=found)


def lies_between(found: Points, corners: Points) -> bool:
    """Tell whether a board found, (4, 2), is the one between corners, and no part of it."""
    return quad_overlap(found, corners) >= _BETWEEN


def _measure_cell(lattice: Points) -> float:
    """Return the side of a lattice's cells, in pixels, as the root of their mean area."""
    area = abs(quad_area(corners_from_lattice(lattice)))
    return float(np.sqrt(area)) / (len(lattice) - 1)


def _is_part(side: int, likely: Sequence[int]) -> bool:
    """Tell whether a side may fit a part of the lines of a likely one.

    Lines between boxes fit a board of fewer cells, and all lines but one a smaller board.
    """
    return any(other % side == 0 or (side, other) == _ONE_LESS for other in likely)


def better_of(first: BoardCandidate | None, second: BoardCandidate | None) -> BoardCandidate | None:
    """Return the likelier of two boards, whose sides may differ; the first of equals."""
    both = [one for one in (first, second) if one is not None]
    return max(both, key=tell_side, default=None)


def tell_side(board: BoardCandidate) -> float:
    """Return how surely lines tell a board's side: many do not fit by chance."""
    return (board.score - _CHANCE) * len(board.lattice)
