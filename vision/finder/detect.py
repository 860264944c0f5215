"""The boards of a photo, the surest first: seen roughly, then snapped to their lines."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Final, NamedTuple, Protocol

import cv2
import numpy as np

from vision.board import (
    CLASSIC_SIDE,
    corners_from_lattice,
    lattice_from_corners,
)
from vision.finder.fit import Maps, RoughBoard, fit_boards
from vision.finder.ink_frames import choose_frames, enclose_lines
from vision.finder.refine import (
    COUNTED,
    MAY_FIT,
    better_of,
    count_all_lines,
    count_lines,
    count_smooth,
    lies_between,
    move_aside,
    refit_lattice,
    snap_classic,
    snap_from,
    snap_rough,
    tell_side,
)
from vision.finder.snap import CONVINCING, BoardCandidate
from vision.finder.views import (
    NETWORK_LOOKS,
    Look,
    PhotoViews,
    list_views,
    show_quad,
    transform_lattice,
)
from vision.geometry import Image8, Matrix, Points, quad_overlap

_SAME_PLACE: Final = 0.5
"""Overlap from which two lattices are of one board."""

_CLOSE: Final = (0.8, 0.65)
"""Shares of the network's picture that a board fills when it is looked at from near, in turn."""

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
        return self._find(
            look, is_known, partial(self._look_closely, locate=partial(snap_rough, self._photo))
        )

    def find_clear(self, look: Look, is_known: IsKnown = _knows_none) -> Iterator[BoardCandidate]:
        """Yield those boards of side 9 whose lines are clear at first sight; as `find` does."""
        return self._find(look, is_known, self._snap_clear)

    def snap(self, lattice: Points, *, may_refine: bool = True) -> BoardCandidate | None:
        """Return a lattice of side 9 on the lines around it; see `refine.snap_classic`."""
        return snap_classic(self._photo, lattice, may_refine=may_refine)

    def snap_between(self, corners: Points) -> BoardCandidate | None:
        """Return the board of side 9 on the lines between four corners, (4, 2), or None."""
        found = snap_classic(self._photo, lattice_from_corners(corners))
        return found if found is not None and lies_between(found.corners, corners) else None

    def refit(self, found: BoardCandidate) -> Iterator[Points]:
        """Yield how else the lines of a board may run; see `refine.refit_lattice`."""
        return refit_lattice(self._photo, found)

    def count_between(self, corners: Points, sides: Sequence[int]) -> BoardCandidate | None:
        """Return the board between four corners whose side its lines tell, or None.

        The network is not asked.

        Args:
            corners: (4, 2) float, points (x, y), clockwise from any corner.
            sides: as `find_counted` takes them.
        """
        lattice = lattice_from_corners(corners)
        board = RoughBoard(lattice, lattice, lattice, 1.0)
        found, _ = count_lines(self._photo, board, sides)
        # Lines between boxes alone fit the smallest side.
        if found is None or found.score < CONVINCING or len(found.lattice) - 1 == sides[-1]:
            return None
        return found if lies_between(found.corners, corners) else None

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
        count = partial(count_all_lines, self._photo, sides=sides)
        for found in self._find(look, is_known, partial(self._look_closely, locate=count)):
            yield found if found.score >= CONVINCING else move_aside(self._photo, found)

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
        snapped = [snap_classic(self._photo, lattice) for lattice in flat if not is_known(lattice)]
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
        found = snap_classic(self._photo, board.lattice)
        return found if found is not None and found.score >= CONVINCING else None

    def _count_other(self, board: RoughBoard, sides: Sequence[int]) -> BoardCandidate | None:
        """Return a board of another side than 9 if its lines are clear, if need be from near."""
        for share in (None, *_CLOSE):
            views = [board]
            if share is not None:
                views = self._look_at(corners_from_lattice(board.lattice), share)
            smooth = [one for view in views for one in count_smooth(self._photo, view, sides)]
            best = max(smooth, key=tell_side, default=None)
            if best is None or best.score < MAY_FIT or len(best.lattice) == len(board.lattice):
                return None
            # Thin lines inside of the smallest board's cells may only show from near.
            is_smallest = len(best.lattice) - 1 == sides[-1]
            if best.score >= CONVINCING and (share is not None or not is_smallest):
                if best.score >= COUNTED:
                    return best
                # Its paper may bend otherwise than smoothly.
                return better_of(best, snap_from(self._photo, best.lattice, enough=COUNTED))
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
                best = found if is_sure else better_of(best, found)
        return best

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


def _measure_turn(outline: Points) -> float:
    """Return by how many degrees a board is turned, -45 to 45, from its corners (4, 2)."""
    right = outline[1] - outline[0] + outline[2] - outline[3]
    return float((np.degrees(np.arctan2(right[1], right[0])) + 45) % 90 - 45)


def is_among(lattice: Points, known: Sequence[Points]) -> bool:
    """Tell whether a lattice lies in the place of another."""
    return any(
        quad_overlap(corners_from_lattice(lattice), corners_from_lattice(one)) > _SAME_PLACE
        for one in known
    )
