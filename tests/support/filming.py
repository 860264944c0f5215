"""What a camera sees of a board, and a live session that is fed with it."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from arrays import Image8

from app.live.frame_recognition import LiveAnswer, LiveRequest
from app.live.live_session import LiveSession
from app.live.live_view import LiveView
from training.pages.flat_board import render_board

WIDTH: Final = 640
HEIGHT: Final = 480
RATE: Final = 30.0
"""Frames a second."""

Recognise = Callable[[LiveRequest], LiveAnswer]


def film(clues: npt.NDArray[np.uint8], shift: float = 0.0) -> Image8:
    """Return what a camera sees of a board, a little from the side: (480, 640, 3) uint8 BGR."""
    board = _print(clues.tobytes())
    side = board.shape[0]
    corners = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    seen = np.array([[112, 18], [536, 26], [524, 462], [100, 448]], np.float32) + np.float32(shift)
    matrix = cv2.getPerspectiveTransform(corners, seen)
    desk = (90, 100, 110)
    filmed = cv2.warpPerspective(board, matrix, (WIDTH, HEIGHT), borderValue=desk)
    return np.asarray(filmed, np.uint8)


@lru_cache(maxsize=8)
def _print(clues: bytes) -> Image8:
    board, _ = render_board(np.frombuffer(clues, np.uint8).reshape(9, 9), px=380)
    return board


def play(
    session: LiveSession, frames: Sequence[Image8], recogniser: Recognise, delay: int = 2
) -> list[LiveView]:
    """Feed a session; answers come so many frames after they were asked for."""
    views: list[LiveView] = []
    waiting: tuple[int, LiveAnswer] | None = None
    for number, frame in enumerate(frames):
        if waiting is not None and number >= waiting[0]:
            session.accept(waiting[1])
            waiting = None
        views.append(session.advance(frame, number / RATE))
        request = session.take_request()
        if request is not None:
            waiting = number + delay, recogniser(request)
    return views


def is_shown(view: LiveView) -> bool:
    """Tell whether digits are seen."""
    return view.opacity > 0 and bool(view.digits.any())
