"""One phone's camera, frame by frame: a JPEG goes in, what to draw on this very frame comes out.

There is neither network nor thread nor clock in here; see `tracker_pool` for these.
"""

import time
from typing import Final

from app.live.frame_recognition import LiveAnswer, LiveRequest
from app.live.live_session import LiveSession
from app.report.board_marks import list_symbols, write_cells
from app.serve.tracker_pool import MAX_FRAME_BYTES, MAX_FRAME_PIXELS, LiveReply
from vision.geometry import Image8
from vision.media.images import ImageError, load_image

_JPEG: Final = b"\xff\xd8\xff"


class FrameError(ValueError):
    """What came is no frame that can be followed."""


class LiveFollower:
    """Follows the board that one phone films."""

    def __init__(self) -> None:
        self._session = LiveSession()
        self._number = 0
        self._last: bytes | None = None
        self._asked_about: bytes | None = None

    def step(self, jpeg: bytes, seconds: float, number: int) -> LiveReply:
        """Follow the board into the next frame.

        Args:
            seconds: when it came; must not decrease.

        Raises:
            FrameError: if it is no JPEG, too large, or damaged.
        """
        start = time.perf_counter()
        image = _decode(jpeg)
        self._last = jpeg
        view = self._session.advance(image, seconds)
        result = view.result
        is_drawn = view.opacity > 0 and bool(view.digits.any())
        solution = None
        if is_drawn:
            if result is None or result.solution is None:
                raise AssertionError("digits without a verified solution")
            solution = write_cells(result, result.solution)
        return LiveReply(
            frame=number,
            state=view.state.value,
            opacity=round(view.opacity, 3) if is_drawn else 0.0,
            digits=view.written,
            symbols=None if result is None else list_symbols(result),
            lattice=view.points(1),
            clues=None if result is None else write_cells(result, result.clues),
            solution=solution,
            is_dark=view.is_dark,
            width=image.shape[1],
            height=image.shape[0],
            seconds=round(time.perf_counter() - start, 4),
        )

    def take_request(self) -> LiveRequest | None:
        """Return what should be read, if anything.

        A frame that comes again, because the phone froze it or its camera hangs, is read once:
        read again, the same pixels would count as a second witness.
        """
        if self._last == self._asked_about:
            return None
        request = self._session.take_request()
        if request is not None:
            self._asked_about = self._last
        return request

    def accept(self, answer: LiveAnswer | None) -> None:
        """Take in what was read; None where reading failed."""
        if answer is None:
            self._session.give_up_request()
        else:
            self._session.accept(answer)


def _decode(jpeg: bytes) -> Image8:
    if not jpeg.startswith(_JPEG):
        raise FrameError("a frame must be a JPEG")
    if len(jpeg) > MAX_FRAME_BYTES:
        raise FrameError(f"a frame may have {MAX_FRAME_BYTES} bytes, got {len(jpeg)}")
    try:
        return load_image(jpeg, MAX_FRAME_PIXELS, name="the frame")
    except ImageError as error:
        raise FrameError(str(error)) from error
