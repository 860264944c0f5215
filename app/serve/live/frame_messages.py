"""What server, live process and phone say to each other about frames."""

from dataclasses import dataclass
from typing import Final, NamedTuple

MAX_FRAME_BYTES: Final = 1_000_000
"""A frame of 1280×720 takes 100 to 200 kB."""

MAX_FRAME_PIXELS: Final = 1920 * 1088


class NewPhone(NamedTuple):
    """Another phone's frames come now: what was seen before is forgotten."""


class SentFrame(NamedTuple):
    """A frame to be followed; `seconds` is when it came, which must not decrease."""

    number: int
    jpeg: bytes
    seconds: float


class Refused(NamedTuple):
    """The frame cannot be followed; the phone is not to be listened to any longer."""


class Missing(NamedTuple):
    """The networks cannot be run here."""

    reason: str


@dataclass(frozen=True)
class LiveReply:
    """What there is to draw on one frame; the phone gets it as JSON.

    Attributes:
        frame: the frame's number, counted by both sides from 1.
        state: one of `app.live.live_view.LiveState`.
        opacity: 0..1, of the digits; 0 where nothing is verified.
        digits: what to draw, a character a cell row by row, `.` for nothing.
        symbols: how the board prints each value; None where that is 1 to 9.
        lattice: the (n + 1)² crossings of the board's lines, [x, y] in pixels of the frame, the
            puzzle's own top left first; None where no board is followed.
        clues: what was read, None where nothing was.
        solution: verified, while it is drawn; else None.
        is_dark: whether the board's paper is dark.
        width: of the frame, in pixels.
        height: of the frame, in pixels.
        seconds: what the work on it took.
    """

    frame: int
    state: str
    opacity: float
    digits: str
    symbols: list[str] | None
    lattice: list[list[list[float]]] | None
    clues: str | None
    solution: str | None
    is_dark: bool
    width: int
    height: int
    seconds: float
