"""The boards of a photo, the surest first: seen roughly, then snapped to their lines."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Final, NamedTuple, Protocol

import cv2
import numpy as np

from vision.board import (
    CLASSIC_SIDE,
    begin_top_left,
    corners_from_lattice,
    extend_lattice,
    lattice_from_corners,
    move_lattice,
    resample_lattice,
)
from vision.finder.fit import Maps, RoughBoard, fit_boards
from vision.finder.ink_frames import choose_frames, enclose_lines
from vision.finder.line_pieces import Score, build_pyramid, score_classic, score_pieces
from vision.finder.snap import (
    CONVINCING,
    BoardCandidate,
    follow_crease,
    grow_lattice,
    snap_lattice,
    straighten_lattice,
)
from vision.finder.views import (
    NETWORK_LOOKS,
    Look,
    PhotoViews,
    list_views,
    show_around,
    show_quad,
    transform_lattice,
)
from vision.geometry import Image8, Matrix, Points, quad_area, quad_overlap

_SAME_PLACE: Final = 0.5
"""Overlap from which two lattices are of one board."""

_CELL_PX: Final = 28.0
_FINE_CELL_PX: Final = 56.0
"""Of the picture in which lines are looked for, and of one for lines that are thin for the size of
their cells."""

_LARGE_CELLED: Final = (4, 6, 8)
"""Sides whose lines are thin for the size of their cells as a rule."""

_CLOSE: Final = (0.8, 0.65)
"""Shares of the network's picture that a board fills when it is looked at from near, in turn."""

_ASIDE: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Columns and rows by which a lattice may be off."""

_WAYS: Final = ((False, False), (False, True), (True, False), (True, True))
"""Whether a part of a board goes on to its right, and down."""

_COUNTED: Final = 0.985
"""Share of line pieces from which a side is surely that of the board. On 150 rendered boards
(`training.rendered.kind_photos`, level 3) lattices that were aside somewhere had up to 0.98, right
ones mostly 1."""

_ONE_LESS: Final = (9, 10)
"""Sides of which the first fits a part of the second."""

_MAY_FIT: Final = 0.7
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

_FAINTEST: Final = 0.85
"""Share of board around a place of the maps, on average, up to which nothing there is one: it alone
would deny no photo of a board of `training.boards.evaluate_detector`, either."""

_AVERAGED: Final = 3.0
"""Standard deviation of the weights of that average, in places of the maps."""


class Detector(Protocol):
    """Says of pictures where their boards lie."""

    @property
    def input_px(self) -> int:
        """S, side of its picture."""

    def detect(self, pictures: Image8) -> Sequence[Maps]:
        """Return the maps of pictures, (k, S, S) uint8 grey."""


IsKnown = Callable[[Points], bool]
"""Tells of a lattice whether its place needs no look."""

_Locate = Callable[[RoughBoard], tuple[BoardCandidate | None, bool]]
"""Returns a board on its lines, and whether these leave no doubt."""


class _Sight(NamedTuple):
    """What the network sees in a view, or in the views of a look.

    `boards` lie in pixels of the photo, the surest first; `share` is the largest share of board
    around a place, 0..1, on average.
    """

    boards: list[RoughBoard]
    share: float


def _knows_none(_lattice: Points) -> bool:
    return False


class BoardFinder:
    """Finds the boards of one photo; each look is taken once, however often it is asked for."""

    def __init__(self, image: Image8, detector: Detector) -> None:
        """Begin with a photo.

        Args:
            image: (H, W) grey or (H, W, 3) BGR uint8.
            detector: the network.
        """
        grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        self._photo = PhotoViews(np.asarray(grey, np.uint8))
        self._detector = detector
        self._seen: dict[Look, _Sight] = {}

    def choose_looks(self) -> Sequence[Look]:
        """Return the looks that are worth taking; none where not a trace of a board shows.

        The network's maps alone tell, and no line of the photo is followed. Parts show what is too
        small in the whole.
        """
        wholes = (Look.WHOLE, Look.TURNED)
        if any(self._look_around(look).boards for look in wholes):
            return wholes
        sights = [self._look_around(look) for look in NETWORK_LOOKS]
        shows_any = any(sight.boards or sight.share > _FAINTEST for sight in sights)
        return (Look.PARTS,) if shows_any else ()

    def find(self, look: Look, is_known: IsKnown = _knows_none) -> Iterator[BoardCandidate]:
        """Yield the boards of side 9 that a look shows, the surest first.

        Args:
            look: how.
            is_known: tells of a lattice, in pixels of the photo, whether its place needs no look.
        """
        if look is Look.LINES:
            return self._find_framed(is_known)
        return self._find(look, is_known, partial(self._look_closely, locate=self._snap))

    def find_clear(self, look: Look, is_known: IsKnown = _knows_none) -> Iterator[BoardCandidate]:
        """Yield those boards of side 9 whose lines are clear at first sight; as `find` does."""
        return self._find(look, is_known, self._snap_clear)

    def snap(self, lattice: Points, *, may_refine: bool = True) -> BoardCandidate | None:
        """Return a lattice of side 9 on the lines around it, or None without any.

        Args:
            lattice: (10, 10, 2) float32 in pixels of the photo.
            may_refine: look for unclear lines on a finer sheet, too; it takes four times as long.
        """
        found = self._straighten(self._snap_from(lattice, score=score_classic), score_classic)
        is_clear = found is not None and found.score >= CONVINCING
        # The finer sheet shows more only where the photo does.
        if is_clear or not may_refine or _measure_cell(lattice) < _CELL_PX:
            return found
        fine = self._snap_from(lattice, is_fine=True, score=score_classic)
        return _better(found, self._straighten(fine, score_classic, is_fine=True))

    def refit(self, found: BoardCandidate) -> Iterator[Points]:
        """Yield how else the lines of a board may run: creased, or without what slipped.

        Their scores do not tell which is right, as a crease hides lines: the digits must.
        """
        yield from self._follow_creases(found)
        straight = straighten_lattice(found.lattice)
        if straight is not None:
            snapped = self._snap_from(straight, is_fine=True, score=score_classic)
            if snapped is not None:
                yield snapped.lattice
            yield from self._follow_creases(replace(found, lattice=straight))

    def _follow_creases(self, found: BoardCandidate) -> Iterator[Points]:
        """Yield the lattices of a board whose paper is creased one way or the other."""
        cut, px = show_around(found.lattice, _FINE_CELL_PX)
        pyramid = build_pyramid(self._photo.warp(cut, px), is_fine=True)
        shown = replace(found, lattice=transform_lattice(found.lattice, cut))
        for is_across in (True, False):
            creased = follow_crease(pyramid, shown, is_across=is_across)
            if creased is not None:
                yield transform_lattice(creased, np.linalg.inv(cut))

    def find_others(
        self, look: Look, sides: Sequence[int], is_known: IsKnown = _knows_none
    ) -> Iterator[BoardCandidate]:
        """Yield those boards whose lines tell another side than 9, the likeliest places.

        It takes what `find_counted` takes, which looks hard at each place.
        """
        return self._find(look, is_known, partial(self._count_other, sides=sides))

    def find_counted(
        self, look: Look, sides: Sequence[int], is_known: IsKnown = _knows_none
    ) -> Iterator[BoardCandidate]:
        """Yield the boards that a look shows, each with the side that its lines tell.

        The network tells places well and sides badly: of 9 boards of side 8 it took 8 for one of
        side 9, while only the right number of lines lies on the lines of the photo.

        Args:
            look: how.
            sides: n that are tried, in this order; of two that fit, the first. Lines between boxes
                alone fit a small side, so that a larger one must come before it.
            is_known: as `find` takes it.
        """
        count = partial(self._count_all_lines, sides=sides)
        for found in self._find(look, is_known, partial(self._look_closely, locate=count)):
            yield found if found.score >= CONVINCING else self._move_aside(found)

    def count_between(self, corners: Points, sides: Sequence[int]) -> BoardCandidate | None:
        """Return the board between four corners whose side its lines tell, or None.

        The network is not asked.

        Args:
            corners: (4, 2) float, points (x, y), clockwise from any corner.
            sides: as `find_counted` takes them.
        """
        lattice = lattice_from_corners(corners)
        found, _ = self._count_lines(RoughBoard(lattice, lattice, lattice, 1.0), sides)
        # Lines between boxes alone fit the smallest side.
        if found is None or found.score < CONVINCING or len(found.lattice) - 1 == sides[-1]:
            return None
        return found if _lies_between(found, corners) else None

    def snap_between(self, corners: Points) -> BoardCandidate | None:
        """Return the board of side 9 on the lines between four corners, or None without any.

        Args:
            corners: (4, 2) float, points (x, y), clockwise from any corner.
        """
        found = self.snap(lattice_from_corners(corners))
        return found if found is not None and _lies_between(found, corners) else None

    def count_framed(self, sides: Sequence[int]) -> Iterator[BoardCandidate]:
        """Yield the boards in frames whose sides their lines tell, as `count_between` does."""
        for frame in choose_frames(self._framed):
            found = self.count_between(frame, sides)
            if found is not None:
                yield found

    @cached_property
    def _framed(self) -> list[Points]:
        """What large connected dark lines enclose, (4, 2) float32 each."""
        return enclose_lines(self._photo.grey)

    def _find_framed(self, is_known: IsKnown) -> Iterator[BoardCandidate]:
        """Yield the boards that dark lines frame, the clearest first: a frame may be too large."""
        flat = map(lattice_from_corners, self._framed)
        snapped = [self.snap(lattice) for lattice in flat if not is_known(lattice)]
        seen: list[Points] = []
        for found in sorted(filter(None, snapped), key=lambda one: -one.score):
            if not (is_known(found.lattice) or is_among(found.lattice, seen)):
                seen.append(found.lattice)
                yield found

    def _find(
        self,
        look: Look,
        is_known: IsKnown,
        locate: Callable[[RoughBoard], BoardCandidate | None],
    ) -> Iterator[BoardCandidate]:
        """Yield the boards that a look shows and that are not known, located so."""
        seen: list[Points] = []
        for board in self._look_around(look).boards:
            if is_known(board.lattice) or is_among(board.lattice, seen):
                continue
            found = locate(board)
            if found is None or is_known(found.lattice) or is_among(found.lattice, seen):
                continue
            seen.append(found.lattice)
            yield found

    def _snap_clear(self, board: RoughBoard) -> BoardCandidate | None:
        found = self.snap(board.lattice)
        return found if found is not None and found.score >= CONVINCING else None

    def _count_other(self, board: RoughBoard, sides: Sequence[int]) -> BoardCandidate | None:
        """Return a board of another side than 9 if its lines are clear, if need be from near."""
        for share in (None, *_CLOSE):
            views = [board]
            if share is not None:
                views = self._look_at(corners_from_lattice(board.lattice), share)
            smooth = [one for view in views for one in self._count_smooth(view, sides)]
            best = max(smooth, key=_tell_side, default=None)
            if best is None or best.score < _MAY_FIT or len(best.lattice) == len(board.lattice):
                return None
            # Thin lines inside of the smallest board's cells may only show from near.
            is_smallest = len(best.lattice) - 1 == sides[-1]
            if best.score >= CONVINCING and (share is not None or not is_smallest):
                if best.score >= _COUNTED:
                    return best
                # Its paper may bend otherwise than smoothly.
                return _better(best, self._snap_from(best.lattice, enough=_COUNTED))
        return None

    def _look_closely(self, board: RoughBoard, locate: _Locate) -> BoardCandidate | None:
        """Return a board on its lines, if need be as its own surroundings show it."""
        best, is_sure = locate(board)
        for share in _CLOSE:
            if is_sure:
                break
            # Where lines are counted, those within the board may pass for all of it.
            place = board.lattice
            if best is not None and len(best.lattice) == len(place):
                place = best.lattice
            for closer in self._look_at(corners_from_lattice(place), share):
                found, is_sure = locate(closer)
                best = found if is_sure else _better(best, found)
        return best

    def _snap(self, board: RoughBoard) -> tuple[BoardCandidate | None, bool]:
        """Return a board on its lines, and whether these are clear."""
        best: BoardCandidate | None = None
        # Where a few lines are missed the second guess may show all.
        starts = (
            (board.lattice, False, _COUNTED),
            (board.outlined, False, CONVINCING),
            (board.flat, True, CONVINCING),
        )
        for lattice, is_grown, enough in starts:
            found = self._snap_from(lattice, is_grown=is_grown, score=score_classic)
            best = _better(best, self._straighten(found, score_classic))
            if best is not None and best.score >= enough:
                return best, True
        if best is not None:
            best = self._straighten(self._move_aside(best, score_classic), score_classic)
        return best, best is not None and best.score >= CONVINCING

    def _count_lines(
        self, board: RoughBoard, sides: Sequence[int]
    ) -> tuple[BoardCandidate | None, bool]:
        """Return a board with the first side that surely fits its lines and true, or the best."""
        smooth = self._count_smooth(board, sides)
        # Thin lines inside of the smallest board's cells may only show from near.
        if smooth and smooth[-1].score >= _COUNTED and len(smooth[-1].lattice) - 1 != sides[-1]:
            return smooth[-1], True
        likeliest = {len(one.lattice) - 1 for one in sorted(smooth, key=_tell_side)[-_MOST_SIDES:]}
        best: BoardCandidate | None = None
        likely: list[int] = []
        for side in (one for one in sides if one in likeliest):
            found = self._snap_from(resample_lattice(board.lattice, side), enough=_COUNTED)
            if found is not None and _CHANCE <= found.score < _COUNTED:
                flat = resample_lattice(board.flat, side)
                grown = self._snap_from(flat, is_grown=True, enough=_COUNTED)
                # Lines that are counted from the middle may begin one aside.
                if grown is not None and grown.score < _COUNTED:
                    grown = self._move_aside(grown)
                found = _better(_better(found, self._snap_from(flat, enough=_COUNTED)), grown)
                found = self._straighten(found)
            if found is None or _is_part(side, likely):
                continue
            if found.score >= _COUNTED and side != sides[-1]:
                return found, True
            if found.score >= _MAY_FIT:
                likely.append(side)
            best = _better(best, found)
        return best, False

    def _count_all_lines(
        self, board: RoughBoard, sides: Sequence[int]
    ) -> tuple[BoardCandidate | None, bool]:
        """Return what `_count_lines` does, but all of a board of which it finds a part."""
        found, is_sure = self._count_lines(board, sides)
        return (self._extend(found, sides) if found is not None and is_sure else found), is_sure

    def _extend(self, found: BoardCandidate, sides: Sequence[int]) -> BoardCandidate:
        """Return a board, or the larger one of these sides whose lines it has a part of."""
        if len(found.lattice) - 1 >= max(sides):
            return found
        for to_right, down in _WAYS:
            lattice = extend_lattice(found.lattice, to_right=to_right, down=down)
            larger = self._snap_from(lattice, found.is_inverted, is_smooth=True, enough=_COUNTED)
            if larger is not None and larger.score >= _COUNTED:
                larger = self._extend(larger, sides)
                return larger if len(larger.lattice) - 1 in sides else found
        return found

    def _count_smooth(self, board: RoughBoard, sides: Sequence[int]) -> list[BoardCandidate]:
        """Return a board with each side, up to the first whose lines are all there.

        Its paper is taken to bend smoothly: to follow each crossing takes ten times as long.
        """
        found: list[BoardCandidate] = []
        for side in sides:
            likely = [len(one.lattice) - 1 for one in found if one.score >= _MAY_FIT]
            smooth = self._snap_from(resample_lattice(board.lattice, side), is_smooth=True)
            if smooth is not None and not _is_part(side, likely):
                found.append(smooth)
                if smooth.score >= _COUNTED:
                    break
        return found

    def _look_around(self, look: Look) -> _Sight:
        """Return what the network sees in all views of a look."""
        if look not in self._seen:
            views = list_views(self._photo.frame, self._detector.input_px, look)
            sights = list(map(self._look, views))
            boards = sorted((b for s in sights for b in s.boards), key=lambda one: -one.score)
            self._seen[look] = _Sight(boards, max(sight.share for sight in sights))
        return self._seen[look]

    def _look(self, view: Matrix) -> _Sight:
        """Return what a view shows."""
        (maps,) = self._detector.detect(self._photo.warp(view, self._detector.input_px)[None])
        back = np.linalg.inv(view)
        boards = []
        stride = self._detector.input_px / len(maps.board)
        # The side of other boards is told by their lines.
        for board in fit_boards(maps, (CLASSIC_SIDE,)):
            lattice, flat, outlined = (
                transform_lattice(np.asarray((one + 0.5) * stride - 0.5, np.float32), back)
                for one in (board.lattice, board.flat, board.outlined)
            )
            boards.append(RoughBoard(lattice, flat, outlined, board.score))
        share = cv2.GaussianBlur(np.ascontiguousarray(maps.board), (0, 0), _AVERAGED).max()
        return _Sight(boards, float(share))

    def _look_at(self, outline: Points, share: float) -> list[RoughBoard]:
        """Return the surest board that a place shows from near, or none.

        Args:
            outline: (4, 2) float32 of the place, in pixels of the photo.
            share: of the network's picture that it fills.
        """
        # Near 45 degrees a board's upright direction is anybody's guess.
        view = show_quad(outline, self._detector.input_px, share, -_measure_turn(outline))
        for board in self._look(view).boards:
            if quad_overlap(corners_from_lattice(board.lattice), outline) > _SAME_PLACE:
                return [board]
        return []

    def _straighten(
        self,
        found: BoardCandidate | None,
        score: Score = score_pieces,
        *,
        is_fine: bool = False,
    ) -> BoardCandidate | None:
        """Return a board, or the same without what slipped where more of its lines are there."""
        if found is None or not _MAY_SLIP <= found.score < _COUNTED:
            return found
        straight = straighten_lattice(found.lattice)
        if straight is None:
            return found
        again = self._snap_from(straight, is_fine=is_fine, enough=_COUNTED, score=score)
        return _better(found, again)

    def _move_aside(self, found: BoardCandidate, score: Score = score_pieces) -> BoardCandidate:
        """Return a board, or the same a line aside where more of its lines are there."""
        for right, down in _ASIDE:
            moved = self._snap_from(move_lattice(found.lattice, right, down), score=score)
            found = _better(found, moved) or found
        return found

    def _snap_from(
        self,
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
        pyramid = build_pyramid(self._photo.warp(cut, px), is_fine=is_fine)
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


def _measure_turn(outline: Points) -> float:
    """Return by how many degrees a board is turned, -45 to 45, from its corners (4, 2)."""
    right = outline[1] - outline[0] + outline[2] - outline[3]
    return float((np.degrees(np.arctan2(right[1], right[0])) + 45) % 90 - 45)


def _lies_between(found: BoardCandidate, corners: Points) -> bool:
    """Tell whether lines are those between corners, and do not fit a part of the board."""
    return quad_overlap(found.corners, corners) >= _BETWEEN


def _measure_cell(lattice: Points) -> float:
    """Return the side of a lattice's cells, in pixels, as the root of their mean area."""
    area = abs(quad_area(corners_from_lattice(lattice)))
    return float(np.sqrt(area)) / (len(lattice) - 1)


def _is_part(side: int, likely: Sequence[int]) -> bool:
    """Tell whether a side may fit a part of the lines of a likely one.

    Lines between boxes fit a board of fewer cells, and all lines but one a smaller board.
    """
    return any(other % side == 0 or (side, other) == _ONE_LESS for other in likely)


def _better(first: BoardCandidate | None, second: BoardCandidate | None) -> BoardCandidate | None:
    """Return the likelier of two boards, whose sides may differ; the first of equals."""
    both = [one for one in (first, second) if one is not None]
    return max(both, key=_tell_side, default=None)


def _tell_side(board: BoardCandidate) -> float:
    """Return how surely lines tell a board's side: many do not fit by chance."""
    return (board.score - _CHANCE) * len(board.lattice)


def is_among(lattice: Points, known: Sequence[Points]) -> bool:
    """Tell whether a lattice lies in the place of another."""
    return any(
        quad_overlap(corners_from_lattice(lattice), corners_from_lattice(one)) > _SAME_PLACE
        for one in known
    )
