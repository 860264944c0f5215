"""Follows the board through the frames of one source, and says what to show on each."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from app.live.frame_recognition import LiveAnswer, LiveRequest
from app.live.live_session import LiveSession
from app.live.live_view import LiveState, LiveView
from vision.drawing.overlay import is_dark_board
from vision.media.video_frames import VideoPicture

GetPicture = Callable[[], VideoPicture | None]
"""Unpacks a frame; called in the thread that follows, for frames that are not passed over."""


@dataclass(frozen=True, eq=False)
class ShownFrame:
    """A frame, and what is to be seen on this very frame.

    Attributes:
        picture: its pixels.
        view: what is known of the board in it.
        is_dark: whether that board's paper is dark.
        source: number of the source it came from, as `begin_source` of the worker gave it.
        work_seconds: what unpacking and following took.
    """

    picture: VideoPicture
    view: LiveView
    is_dark: bool
    source: int
    work_seconds: float


class Follower:
    """One session and the last frame that it was given.

    Attributes:
        source: number of the source whose frames it follows.
        session: what follows them.
        is_broken: whether a fault of ours happened; frames are shown without anything then.
    """

    def __init__(self, clock: Callable[[], float], source: int = 0) -> None:
        self.source = source
        self.session = LiveSession()
        self.is_broken = False
        self._clock = clock
        self._last: ShownFrame | None = None
        self._is_asked = False
        self._asked_about: VideoPicture | None = None
        self._is_fading = False
        self._dark_of: bytes | None = None
        self._is_dark = False

    @property
    def is_moving(self) -> bool:
        """Whether the same frame may look otherwise a moment later."""
        if self._last is None:
            return False
        is_unread = not self.is_broken and self._asked_about is not self._last.picture
        return self._is_asked or self._is_fading or is_unread

    def ask(self, *, is_frozen: bool) -> LiveRequest | None:
        """Return what should be read, if anything.

        A frozen frame is read once: read again, it would be taken for a second witness.
        """
        if self.is_broken or self._last is None:
            return None
        if is_frozen and self._asked_about is self._last.picture:
            return None
        request = self.session.take_request()
        if request is not None:
            self._is_asked = True
            self._asked_about = self._last.picture
        return request

    def accept(self, answer: LiveAnswer | None) -> None:
        """Take in what was read; None where reading failed."""
        self._is_asked = False
        if answer is None:
            self.is_broken = True
            self.session.give_up_request()
        else:
            self.session.accept(answer)
            self._is_fading = True

    def step(self, get_picture: GetPicture) -> ShownFrame | None:
        """Follow the board into the next frame; None where the frame has no pixels."""
        start = time.perf_counter()
        picture = get_picture()
        return None if picture is None else self._advance(picture, start)

    def step_again(self) -> ShownFrame | None:
        """Return the last frame as it looks by now."""
        last = self._last
        return None if last is None else self._advance(last.picture, time.perf_counter())

    def _advance(self, picture: VideoPicture, start: float) -> ShownFrame:
        seconds = self._clock()
        if self.is_broken:
            view = _see_nothing(seconds)
        else:
            view = self.session.advance(picture.grey, seconds)
        before = self._last
        self._is_fading = before is not None and before.view.opacity != view.opacity
        spent = time.perf_counter() - start
        step = ShownFrame(picture, view, self._find_paper(picture, view), self.source, spent)
        self._last = step
        return step

    def _find_paper(self, picture: VideoPicture, view: LiveView) -> bool:
        """Tell whether the paper is dark; decided once a puzzle, or digits would flicker."""
        if view.result is not None and view.lattice is not None:
            clues = view.result.clues.tobytes()
            if clues != self._dark_of:
                self._dark_of = clues
                self._is_dark = is_dark_board(picture.colour[:, :, :3], view.lattice)
        return self._is_dark


def _see_nothing(seconds: float) -> LiveView:
    nothing = np.zeros((9, 9), np.uint8)
    return LiveView(seconds, LiveState.SEARCHING, None, nothing, 0.0, None, 0.0)
