"""What a live session has to show on a frame, when that is a solution, and what it looks like."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from app.live.followed_board import FollowedBoard
from app.recognition.outcome import Outcome
from app.recognition.results import BoardResult
from app.report.board_symbols import NUMBERS, symbols_of, write_cells
from solver.grid import FEWEST_CLUES, Grid
from vision.drawing.overlay import draw_digits

Points = npt.NDArray[np.float32]
Image8 = npt.NDArray[np.uint8]

_OPAQUE: Final = 0.995


class LiveState(StrEnum):
    """What the session is about."""

    SEARCHING = "searching"
    """No board is in view, as far as is known."""
    READING = "reading"
    """A board is followed, and what it shows is not known for sure yet, or not any more."""
    SOLVED = "solved"
    """The board that is followed is solved, and the solution verified."""
    AMBIGUOUS = "ambiguous"
    """The digits that were read leave more than one solution."""
    NO_SOLUTION = "no_solution"
    """The digits that were read contradict each other."""
    UNREADABLE = "unreadable"
    """The board is seen, but not all of its digits can be read; it is read on."""
    LOST = "lost"
    """The board was there a moment ago."""


@dataclass(frozen=True, eq=False)
class LiveView:
    """What there is to show on one frame.

    Attributes:
        seconds: the frame's time, as given to `advance`.
        state: what is going on.
        lattice: (n + 1, n + 1, 2) float32, the board in pixels of this frame, the puzzle's top left
            first once it was read; None where none is followed.
        digits: (n, n) uint8, what to draw: the solution in the cells that are empty, or hold a
            wrong entry; all 0 where nothing is verified.
        opacity: 0..1, of the digits. Draw nothing at 0.
        result: what came of the board so far, its lattice that of this frame; None where none is
            followed or none was read.
        agreement: -1..1, how well the frame shows the board that is followed; 0 without one.
    """

    seconds: float
    state: LiveState
    lattice: Points | None
    digits: Grid
    opacity: float
    result: BoardResult | None
    agreement: float

    @property
    def written(self) -> str:
        """What to draw, a character a cell row by row, `.` for nothing."""
        if self.result is None:
            return "." * self.digits.size
        return write_cells(self.result, self.digits)


_STATES: Final = {
    Outcome.SOLVED: LiveState.SOLVED,
    Outcome.AMBIGUOUS: LiveState.AMBIGUOUS,
    Outcome.NO_SOLUTION: LiveState.NO_SOLUTION,
    Outcome.UNREADABLE: LiveState.UNREADABLE,
}


def view_board(board: FollowedBoard | None, seconds: float, opacity: float) -> LiveView:
    """Return what there is to show of the board that is followed, if any.

    Args:
        board: as it is in the present frame.
        seconds: the frame's time.
        opacity: 0..1, of a solution that may be shown.
    """
    side = 9 if board is None else len(board.key.lattice) - 1
    nothing = np.zeros((side, side), np.uint8)
    if board is None:
        return LiveView(seconds, LiveState.SEARCHING, None, nothing, 0.0, None, 0.0)
    track = board.track
    if track is None:
        return LiveView(seconds, LiveState.LOST, None, nothing, 0.0, None, 0.0)
    lattice = board.shown(seconds)
    if board.is_hidden:
        return LiveView(seconds, LiveState.READING, lattice, nothing, 0.0, None, track.agreement)
    result = replace(board.result, lattice=lattice)
    state = _STATES.get(result.outcome, LiveState.READING)
    is_bare = result.rules is None and int((result.clues > 0).sum()) < FEWEST_CLUES
    if (state is LiveState.SOLVED and not board.is_confirmed) or is_bare:
        state = LiveState.READING
    digits, shown = nothing, 0.0
    if board.is_confirmed and result.solution is not None:
        # The board leaves the picture digit by digit: what is left of it fades with it.
        share = float(np.clip((track.visible - 0.45) / 0.25, 0, 1))
        digits, shown = _missing_digits(result, result.solution), opacity * share
    return LiveView(seconds, state, lattice, digits, shown, result, track.agreement)


def _missing_digits(result: BoardResult, solution: Grid) -> Grid:
    """Return the digits of the solution that are not on the board yet, (n, n) uint8, 0 = none."""
    is_there = (result.clues > 0) | (result.entries == solution)
    return np.where(is_there, 0, solution).astype(np.uint8)


def draw_view(image: Image8, view: LiveView) -> Image8:
    """Return the frame with the view's digits on it; the frame itself where there are none.

    Args:
        image: (H, W, 3) uint8 BGR, the frame of the view, which stays as it is.
        view: what `LiveSession.advance` returned for it.
    """
    lattice = view.lattice
    if lattice is None or view.opacity <= 0 or not view.digits.any():
        return image
    symbols = NUMBERS if view.result is None else symbols_of(view.result)
    drawn = draw_digits(image, lattice, view.digits, symbols=symbols)
    if view.opacity >= _OPAQUE:
        return drawn
    height, width = image.shape[:2]
    low = np.clip(np.floor(lattice.min(axis=(0, 1))), 0, (width, height)).astype(int)
    high = np.clip(np.ceil(lattice.max(axis=(0, 1))) + 1, 0, (width, height)).astype(int)
    part = (slice(low[1], high[1]), slice(low[0], high[0]))
    share = np.uint16(round(256 * view.opacity))
    mixed = drawn[part].astype(np.uint16) * share + image[part] * (np.uint16(256) - share)
    drawn[part] = (mixed >> 8).astype(np.uint8)
    return drawn
