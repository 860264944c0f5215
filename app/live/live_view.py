"""The board that a live session follows, and what there is to show of it on a frame.

Where the board is, whether it is the same one and what is known of it; then when that is a
solution, and what it looks like.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from app.live.frame_recognition import Evidence, find_contradictions
from app.recognition.outcome import Outcome
from app.recognition.results import BoardResult
from app.report.board_marks import NUMBERS, list_symbols, symbols_of
from solver.formats_kinds import format_cells
from solver.grid import FEWEST_CLUES, Grid
from solver.rules import CLASSIC_RULES
from vision.drawing.overlay import draw_digits
from vision.geometry import Image8, Matrix, Points
from vision.tracker.key_frame import Frame, KeyFrame, take_key_frame
from vision.tracker.tracking import Track, find_again, follow, is_stale

_FEWEST_CELLS: Final = 6
"""Cells with ink in view from which it can be told that they show other digits; fewer are enough
where the board has no more."""

_ODD_CELLS: Final = 2
"""Cells that look otherwise from which the board is read again soon."""

CORRECTED_PX: Final = 0.8
"""Mean miss of a lattice, against the lines of a frame, from which it is corrected; below it, a
still board's digits would only tremble."""

_CLEAR: Final = 0.8
"""Agreement from which a frame may become the key frame."""

_GLIDE_SECONDS: Final = 0.25


@dataclass(frozen=True)
class LiveOptions:
    """How every session works; times in seconds.

    Attributes:
        rise: in which the solution appears.
        fall: in which it fades where it is not sure any more.
        hold: for how long it is kept over a frame too blurred to show its digits.
        look_again: after which a solved board is read anew.
        look_soon: the same where the lattice had to be corrected.
        remember_place: for how long a lost board is looked for where it was.
        sure: confidence from which one look suffices to show a solution; with less, or where the
            rules had to correct a reading, a second look must agree.
        patience: for how long a search waits for a frame that is not blurred.
        same: share of the cells with digits that may look otherwise than when they were read,
            for the board to be the same.
        other: share from which it is another board, or a hand lies on it.
    """

    rise: float = 0.12
    fall: float = 0.15
    hold: float = 0.3
    look_again: float = 0.7
    look_soon: float = 0.2
    remember_place: float = 0.6
    sure: float = 0.98
    patience: float = 0.1
    same: float = 0.12
    other: float = 0.25


LIVE: Final = LiveOptions()


@dataclass(eq=False)
class FollowedBoard:
    """The board that is followed.

    `homography` leads from the key frame to `before`, the last frame in which it was found.
    """

    key: KeyFrame
    before: Frame
    homography: Matrix
    result: BoardResult
    evidence: Evidence
    is_confirmed: bool
    seen: float
    """When its digits were last seen to be the same."""
    next_look: float
    track: Track | None = None
    is_unlike: bool = False
    """Whether its digits look like others now."""
    is_doubted: bool = False
    """Whether its digits were read as others."""
    looked_at: float = 0.0
    looks: int = 0
    """How often it was looked at in vain since it was found."""
    doubts: int = 0
    lost_at: float | None = None
    glide: Points | None = None
    """What is added to the lattice after a correction, less and less, so that it does not jump."""
    glide_from: float = 0.0

    def shown(self, seconds: float) -> Points:
        """Return the lattice as it is to be drawn, (n + 1, n + 1, 2) float32."""
        assert self.track is not None
        if self.glide is None:
            return self.track.lattice
        share = 1 - (seconds - self.glide_from) / _GLIDE_SECONDS
        if share <= 0:
            self.glide = None
            return self.track.lattice
        return np.asarray(self.track.lattice + np.float32(share) * self.glide, np.float32)

    @property
    def is_hidden(self) -> bool:
        """Whether it may be another board."""
        return self.is_unlike or self.is_doubted

    @property
    def wants_search(self) -> bool:
        """Whether to look for a board anew: here or elsewhere, there may be a better one."""
        return self.is_hidden or (not self.is_confirmed and self.looks % 2 == 1)

    def is_covered(self, found: BoardResult, evidence: Evidence) -> bool:
        """Tell whether a board without a solution is this one, with a hand on it."""
        if not self.is_unlike or self.is_doubted or found.solution is not None:
            return False
        seen, before = evidence.probabilities(), self.evidence.probabilities()
        return seen.shape == before.shape and not find_contradictions(before, seen)

    def carry(self, between: Sequence[Frame]) -> None:
        """Follow the board through the frames since it was found, at once where that succeeds."""
        if not between:
            return
        direct = follow(self.key, self.before, self.homography, between[-1])
        if direct is not None:
            self.before, self.homography = between[-1], direct.homography
            return
        for frame in between:
            track = follow(self.key, self.before, self.homography, frame)
            if track is not None:
                self.before, self.homography = frame, track.homography

    def advance(self, frame: Frame, seconds: float) -> None:
        """Find the board in the next frame, and see whether it is still the same one."""
        self.track = track = follow(self.key, self.before, self.homography, frame)
        if track is None:
            self.lost_at = seconds if self.lost_at is None else self.lost_at
            return
        self.lost_at = None
        self.before, self.homography = frame, track.homography
        match = track.match
        share = match.share_unlike
        if share <= LIVE.same:
            self.seen = seconds
            self.is_unlike = False
        elif share >= LIVE.other and match.count >= min(
            _FEWEST_CELLS, len(self.key.appearance.cells)
        ):
            self.is_unlike = True
        if len(match.unlike) >= _ODD_CELLS:
            self.next_look = min(self.next_look, self.looked_at + LIVE.look_soon)
        if is_stale(self.key, track) and share == 0 and track.agreement > _CLEAR:
            self._renew(frame, track)

    @property
    def printed(self) -> npt.NDArray[np.uint8]:
        """What stood in its cells when it was read, clues and entries: (n²,) uint8, 0 = empty."""
        clues, entries = self.result.clues, self.result.entries
        return np.where(clues > 0, clues, entries).ravel()

    def find_again(self, frame: Frame, seconds: float) -> bool:
        """Look for the board in a whole frame, and tell whether it is there with its digits."""
        if self.result.rules.cages:
            return False  # sums are too small to be told apart like that
        track = find_again(self.key, self.homography, frame)
        # Where it is smeared, and not known how, it comes out astray.
        if track is None or track.match.is_smeared:
            return False
        # The one digit that tells another puzzle may be outside.
        is_whole = track.match.count == len(self.key.appearance.cells)
        if not (is_whole and track.match.shows_digits(self.printed)):
            return False
        self.track, self.lost_at = track, None
        self.before, self.homography = frame, track.homography
        self.seen = seconds
        self.next_look = seconds + LIVE.look_soon
        self.is_unlike = False
        return True

    def correct(self, lattice: Points, frame: Frame, seconds: float) -> bool:
        """Let the lattice follow the lines of an earlier frame, (n + 1, n + 1, 2) float32, again.

        A bent page looks otherwise from each side. Tell whether that succeeded; the digits then
        glide to their new places.
        """
        key = take_key_frame(frame, lattice)
        if key is None or self.track is None:
            return False
        track = follow(key, frame, np.eye(3), self.before)
        if track is None or track.match.share_unlike > LIVE.same:
            return False
        self.glide = self.shown(seconds) - track.lattice
        self.glide_from = seconds
        self.key, self.homography, self.track = key, track.homography, track
        self.result = replace(self.result, lattice=key.lattice)
        return True

    def _renew(self, frame: Frame, track: Track) -> None:
        """Take a new key frame, as the present one looks too unlike by now."""
        key = take_key_frame(frame, track.lattice)
        if key is not None and not self.is_hidden:
            self.key, self.homography = key, np.eye(3)
            self.result = replace(self.result, lattice=key.lattice)


def is_better(found: BoardResult, followed: BoardResult) -> bool:
    """Tell whether a board that was found should be followed instead of one that is not solved."""
    if found.outcome is not followed.outcome:
        return found.outcome.rank < followed.outcome.rank
    return int((found.clues > 0).sum()) > int((followed.clues > 0).sum())


def solve_differently(one: BoardResult, other: BoardResult) -> bool:
    """Tell whether two results have solutions, and not the same."""
    if one.solution is None or other.solution is None:
        return False
    return not np.array_equal(one.solution, other.solution)


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
        lattice: (n + 1, n + 1, 2) float32, the board in pixels of this frame, the puzzle's top left
            first once it was read; None where none is followed.
        digits: (n, n) uint8, what to draw: the solution in the cells that are empty, or hold a
            wrong entry; all 0 where nothing is verified.
        opacity: 0..1, of the digits. Draw nothing at 0.
        agreement: -1..1, how well the frame shows the board that is followed; 0 without one.
    """

    seconds: float
    state: LiveState
    lattice: Points | None
    digits: Grid
    opacity: float
    result: BoardResult | None
    agreement: float
    is_dark: bool = False

    def report(self, decimals: int) -> dict[str, Any]:
        """Return what programs are told of it, for JSON; the lattice is rounded."""
        board, lattice, clues, solution = self.result, None, None, None
        if self.lattice is not None:
            lattice = np.round(self.lattice.astype(float), decimals).tolist()
        if board is not None:
            clues = format_cells(board.rules, board.clues)
            if board.solution is not None and self.opacity > 0:
                solution = format_cells(board.rules, board.solution)
        return {
            "state": self.state.value,
            "opacity": round(self.opacity, 3),
            "digits": self.written,
            "symbols": None if board is None else list_symbols(board),
            "lattice": lattice,
            "clues": clues,
            "solution": solution,
        }

    @property
    def written(self) -> str:
        """What to draw, a character a cell row by row, `.` for nothing."""
        if self.result is None:
            return "." * self.digits.size
        return format_cells(self.result.rules, self.digits)


_STATES: Final = {
    Outcome.SOLVED: LiveState.SOLVED,
    Outcome.AMBIGUOUS: LiveState.AMBIGUOUS,
    Outcome.NO_SOLUTION: LiveState.NO_SOLUTION,
    Outcome.UNREADABLE: LiveState.UNREADABLE,
}


def view_board(board: FollowedBoard | None, seconds: float, opacity: float) -> LiveView:
    """Return what there is to show of the board that is followed, at an opacity of 0..1."""
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
    is_bare = result.rules == CLASSIC_RULES and int((result.clues > 0).sum()) < FEWEST_CLUES
    if (state is LiveState.SOLVED and not board.is_confirmed) or is_bare:
        state = LiveState.READING
    digits, shown = nothing, 0.0
    if board.is_confirmed and result.solution is not None:
        # The board leaves the picture digit by digit: what is left of it fades with it.
        share = float(np.clip((track.visible - 0.45) / 0.25, 0, 1))
        is_there = (result.clues > 0) | (result.entries == result.solution)
        digits = np.where(is_there, 0, result.solution).astype(np.uint8)
        shown = opacity * share
    return LiveView(seconds, state, lattice, digits, shown, result, track.agreement)


def draw_view(image: Image8, view: LiveView) -> Image8:
    """Return a frame, (H, W, 3) uint8 BGR, with its view's digits, or itself without any."""
    lattice = view.lattice
    if lattice is None or view.opacity <= 0 or not view.digits.any():
        return image
    symbols = NUMBERS if view.result is None else symbols_of(view.result)
    drawn = draw_digits(image, lattice, view.digits, symbols=symbols, is_dark=view.is_dark)
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
