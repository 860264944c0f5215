"""The live view without a window: frames go in, what to draw on each comes out.

A session is fed by one thread, frame by frame, with the time of each; it knows no clock of its own.
Following the board takes a few milliseconds and is done in `advance`. Recognising one takes longer
and is done elsewhere, on a worker if there is one, while frames go on:

    session = LiveSession()
    for frame, seconds in frames:
        view = session.advance(frame, seconds)      # where the digits are in this very frame
        request = session.take_request()            # None while one is being worked on
        if request is not None:
            worker.start(recognise, pipeline, request)   # app.live.frame_recognition
        if worker.has_answer():
            session.accept(worker.answer())         # shown from the next `advance` on

Nothing is drawn but solutions that `pipeline` has verified, and they are drawn only where this
very frame shows the digits that they were read from.
"""

from collections import OrderedDict, deque
from dataclasses import replace
from typing import Final

import numpy as np

from app.live.frame_recognition import Evidence, LiveAnswer, LiveRequest, Puzzle
from app.live.live_view import (
    CORRECTED_PX,
    LIVE,
    FollowedBoard,
    LiveView,
    is_better,
    solve_differently,
    view_board,
)
from app.recognition.outcome import Outcome
from app.recognition.results import BoardResult
from solver.rules import Kind
from vision.drawing.overlay import is_dark_board
from vision.geometry import Image8
from vision.tracker.key_frame import (
    Frame,
    measure_change,
    measure_sharpness,
    prepare_frame,
    take_key_frame,
)

_KNOWN: Final = 32
"""Puzzles whose solutions are kept for when they return."""

_AWAY: Final = 3
"""Solved boards that are looked for when they have left the picture."""

_KEPT_FRAMES: Final = 12
"""Frames kept to carry a board from the frame that was recognised to the present one."""

_WIDE_SEARCH: Final = 4
"""Each such search looks for other boards, too, which may take a second."""

_SHARPNESS_SECONDS: Final = 1.0
"""Time in which it is forgotten how sharp frames were."""

_BLURRED: Final = 0.5
"""Share of the usual sharpness below which a frame is blurred."""

_PAN: Final = 0.4
"""Mean change of a coarse pixel, as a share of the sharpness that a board was found with last, from
which on the picture flies past: a page that comes in moves by a cell from frame to frame."""

_SMEARED: Final = 0.65
"""Share of the sharpness with which a board was found last, below which such a frame is smeared."""

_PAN_PATIENCE: Final = 3.0
"""How much longer a search waits then: it would be in vain, and miss the first sharp frame."""


class SearchPace:
    """Decides which frames are searched, and how."""

    def __init__(self, patience: float) -> None:
        """Begin with no frame seen; `patience` is how long a search waits for a sharp one."""
        self._patience = patience
        self._searches = 0
        self._change = 0.0
        self._sharpness = 0.0
        self._found_sharpness = 0.0
        self._usual_sharpness = 0.0
        self._waiting_since: float | None = None

    def observe(self, before: Frame | None, frame: Frame, elapsed: float) -> None:
        """Take in a frame, and the one before it, `elapsed` seconds earlier."""
        self._change = 0.0 if before is None else measure_change(before, frame)
        self._sharpness = measure_sharpness(frame)
        self._usual_sharpness *= float(np.exp(-elapsed / _SHARPNESS_SECONDS))
        self._usual_sharpness = max(self._usual_sharpness, self._sharpness)

    def may_search(self, seconds: float) -> bool:
        """Tell whether the frame is worth a search: in a blurred one it takes long, in vain."""
        if self._waiting_since is None:
            self._waiting_since = seconds
        is_blurred = self._sharpness < _BLURRED * self._usual_sharpness
        is_smeared = self._sharpness < _SMEARED * self._found_sharpness
        patience = self._patience
        if is_smeared and self._change > _PAN * self._found_sharpness:
            is_blurred, patience = True, _PAN_PATIENCE * patience
        if is_blurred and seconds - self._waiting_since < patience:
            return False
        self._waiting_since = None
        return True

    def is_wide_due(self) -> bool:
        """Count a search, and tell whether it should look for other boards than those of side 9."""
        self._searches += 1
        return self._searches % _WIDE_SEARCH == 0

    def find(self) -> None:
        """Note that a board was found."""
        self._searches = 0
        self._found_sharpness = self._sharpness


def _puzzle_of(result: BoardResult) -> Puzzle:
    return result.clues.tobytes(), result.rules


class LiveSession:
    """Follows one board through frames and knows what to draw on it.

    `advance`, `take_request` and `accept` belong to one thread. Frames are kept for a while, so
    arrays that are passed in must not be written to afterwards.
    """

    def __init__(self) -> None:
        self._board: FollowedBoard | None = None
        self._away: deque[FollowedBoard] = deque(maxlen=_AWAY)
        self._opacity = 0.0
        self._seconds: float | None = None
        self._image: Image8 | None = None
        self._frame: Frame | None = None
        self._number = 0
        self._pending: LiveRequest | None = None
        self._pending_frame: Frame | None = None
        self._asked_of: FollowedBoard | None = None
        self._between: deque[Frame] = deque(maxlen=_KEPT_FRAMES)
        self._answer: LiveAnswer | None = None
        self._known: OrderedDict[Puzzle, BoardResult] = OrderedDict()
        self._last_solution: bytes | None = None
        self._dark_of: bytes | None = None
        self._is_dark = False
        self._pace = SearchPace(LIVE.patience)

    def advance(self, image: Image8, seconds: float) -> LiveView:
        """Take in the next frame and return what to show on it.

        Args:
            image: (H, W, 3) BGR or (H, W) grey uint8; all frames of one size, or the board that
                is followed is given up.
            seconds: when the frame was taken; must not decrease.
        """
        frame = prepare_frame(image)
        if self._frame is not None and frame.size != self._frame.size:
            self._forget_picture()
        elapsed = 0.0 if self._seconds is None else max(seconds - self._seconds, 0.0)
        self._seconds = seconds
        if self._answer is not None:
            self._take_in(self._answer, seconds)
            self._answer = None
        self._pace.observe(self._frame, frame, elapsed)
        self._follow(frame, seconds)
        self._find_again(frame, seconds)
        self._fade(seconds, elapsed)
        if self._pending is not None:
            self._between.append(frame)
        self._image, self._frame = image, frame
        view = view_board(self._board, seconds, self._opacity)
        return replace(view, is_dark=self._find_paper(image, view))

    def _find_paper(self, image: Image8, view: LiveView) -> bool:
        """Tell whether the paper is dark; decided once a puzzle, or digits would flicker."""
        if view.result is not None and view.lattice is not None:
            clues = view.result.clues.tobytes()
            if clues != self._dark_of:
                colour = np.broadcast_to(np.atleast_3d(image), (*image.shape[:2], 3))
                self._dark_of, self._is_dark = clues, is_dark_board(colour, view.lattice)
        return self._is_dark

    def take_request(self) -> LiveRequest | None:
        """Return the frame that should be recognised now, or None if there is no need.

        After one was taken, None is returned until its answer was accepted or given up.
        """
        if self._pending is not None or self._image is None or self._seconds is None:
            return None
        board = self._board
        evidence, lattice, samurai = None, None, None
        if board is not None and board.track is not None and not board.wants_search:
            if self._seconds < board.next_look:
                return None
            track = board.track
            if board.is_confirmed and (track.agreement < 0.6 or track.match.is_smeared):
                return None  # too blurred to say anything about what is known already
            evidence, lattice = board.evidence, board.track.lattice
            samurai = board.result.rules if board.result.kind is Kind.SAMURAI else None
        elif not self._pace.may_search(self._seconds):
            return None
        self._number += 1
        is_wide = lattice is None and self._pace.is_wide_due()
        known = dict(self._known)
        request = LiveRequest(self._number, self._image, lattice, evidence, samurai, known, is_wide)
        self._pending, self._pending_frame = request, self._frame
        self._asked_of = board if lattice is not None else None
        self._between.clear()
        return request

    def accept(self, answer: LiveAnswer | None) -> None:
        """Take what `recognise` returned; it counts from the next `advance` on.

        Where that failed it is None, and the request is forgotten. Answers to requests that were
        given up are passed over.
        """
        if answer is None:
            self._give_up_request()
        elif self._pending is not None and answer.request.number == self._pending.number:
            self._answer = answer

    def _give_up_request(self) -> None:
        self._pending = self._pending_frame = self._asked_of = None
        self._between.clear()

    def _forget_picture(self) -> None:
        self._board = None
        self._away.clear()
        self._answer = None
        self._frame = None
        self._give_up_request()

    def _take_in(self, answer: LiveAnswer, seconds: float) -> None:
        frame, asked_of = self._pending_frame, self._asked_of
        between = list(self._between)
        self._give_up_request()
        if answer.request.lattice is not None:
            if asked_of is not None and asked_of is self._board:
                self._take_look(asked_of, answer, frame, seconds)
        elif answer.result is not None and answer.evidence is not None and frame is not None:
            self._take_find(answer.result, answer.evidence, frame, between, seconds)
        elif self._board is not None:
            self._board.looks += 1

    def _take_find(
        self,
        result: BoardResult,
        evidence: Evidence,
        frame: Frame,
        between: list[Frame],
        seconds: float,
    ) -> None:
        """Begin to follow a board that was found in an earlier frame."""
        board = self._board
        if board is not None and board.track is not None:
            if board.is_covered(result, evidence):
                return
            if not board.is_hidden:
                board.looks += 1
                if board.is_confirmed or not is_better(result, board.result):
                    return
        key = take_key_frame(frame, result.lattice)
        if key is None:
            return
        is_confirmed = self._confirm(result)
        found = FollowedBoard(
            key, frame, np.eye(3), result, evidence, is_confirmed, seconds,
            seconds + (LIVE.look_again if is_confirmed else 0.0),
        )  # fmt: skip
        found.carry(between)
        self._put_away()
        self._forget_away(result)
        self._board = found
        self._pace.find()
        self._opacity = 0.0

    def _take_look(
        self, board: FollowedBoard, answer: LiveAnswer, frame: Frame | None, seconds: float
    ) -> None:
        """Take in what a further look at the board that is followed has shown."""
        result, evidence = answer.result, answer.evidence
        if result is None or evidence is None:
            return
        board.next_look = board.looked_at = seconds
        if not answer.is_same or (board.is_confirmed and answer.has_moved_clues(board.result)):
            board.is_doubted = True
            return
        is_corrected = False
        if answer.lattice is not None and answer.request.lattice is not None and frame is not None:
            miss = np.linalg.norm(answer.lattice - answer.request.lattice, axis=2).mean()
            if miss >= CORRECTED_PX:
                is_corrected = board.correct(answer.lattice, frame, seconds)
        again = LIVE.look_soon if is_corrected else LIVE.look_again
        if board.is_confirmed:
            clues = board.result.clues.ravel()
            is_doubtful = any(clues[cell] > 0 for cell in answer.contradicted)
            is_other = solve_differently(result, board.result)
            board.doubts = board.doubts + 1 if is_doubtful or is_other else 0
            if board.doubts > 1:
                board.is_doubted = True
            elif board.doubts == 0:
                board.evidence = evidence
                board.next_look = seconds + again
                if result.solution is not None:
                    board.result = replace(result, lattice=board.key.lattice)
            return
        board.evidence = evidence
        board.result = replace(result, lattice=board.key.lattice)
        board.is_confirmed = self._confirm(result)
        board.looks += 1
        if board.is_confirmed:
            board.next_look = seconds + again

    def _confirm(self, result: BoardResult) -> bool:
        """Tell whether a solution may be shown, and remember it for later looks."""
        if result.outcome is not Outcome.SOLVED or result.solution is None:
            return False
        puzzle, solution = _puzzle_of(result), result.solution.tobytes()
        is_sure = result.confidence >= LIVE.sure and not result.corrected
        is_told_twice = self._last_solution == solution
        self._last_solution = solution
        if not (is_sure or is_told_twice or puzzle in self._known):
            return False
        self._known[puzzle] = result
        self._known.move_to_end(puzzle)
        if len(self._known) > _KNOWN:
            self._known.popitem(last=False)
        return True

    def _follow(self, frame: Frame, seconds: float) -> None:
        board = self._board
        if board is None:
            return
        board.advance(frame, seconds)
        is_gone = board.lost_at is not None
        if is_gone and seconds - (board.lost_at or 0.0) > LIVE.remember_place:
            self._put_away()

    def _put_away(self) -> None:
        """Follow no board any more, but keep one with a solution in mind."""
        board, self._board = self._board, None
        if board is not None and board.is_confirmed and not board.is_doubted:
            self._forget_away(board.result)
            self._away.appendleft(board)

    def _forget_away(self, result: BoardResult) -> None:
        """Look for a puzzle no more, as it is followed, or kept as it looked later."""
        puzzle = _puzzle_of(result)
        others = [one for one in self._away if _puzzle_of(one.result) != puzzle]
        self._away = deque(others, maxlen=_AWAY)

    def _find_again(self, frame: Frame, seconds: float) -> None:
        """Follow a board that was away and is back, where none is in its place."""
        board = self._board
        if board is not None and board.track is not None and not board.is_hidden:
            return
        sought = list(self._away)
        if board is not None and board.track is None and board.is_confirmed:
            sought.insert(0, board)
        found = next((one for one in sought if one.find_again(frame, seconds)), None)
        if found is not None and found is not board:
            self._away.remove(found)
            self._put_away()
            self._board = found
            self._opacity = 0.0

    def _fade(self, seconds: float, elapsed: float) -> None:
        """Let the solution appear, stay or fade."""
        board = self._board
        if board is None or board.track is None or board.is_hidden or not board.is_confirmed:
            self._opacity = 0.0
            return
        is_seen = seconds - board.seen <= LIVE.hold
        if is_seen:
            self._opacity = min(self._opacity + max(elapsed, 0.01) / LIVE.rise, 1.0)
        else:
            self._opacity = max(self._opacity - elapsed / LIVE.fall, 0.0)
