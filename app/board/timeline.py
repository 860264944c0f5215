"""The states of a photo one after the other: undo and redo walk over them, turns turn them all."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from app.board.board_state import BoardState, Pending, PhotoState, settle, swap_board
from app.recognition.results import BoardResult

Image8 = npt.NDArray[np.uint8]

Points = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Timeline:
    """The states of a photo, over which undo and redo walk to the first one; each is small."""

    present: PhotoState
    past: tuple[PhotoState, ...] = ()
    future: tuple[PhotoState, ...] = ()


def record(timeline: Timeline, state: PhotoState) -> Timeline:
    """Take a step that can be undone; a state that is the present one is no step."""
    if state is timeline.present:
        return timeline
    return Timeline(state, (*timeline.past, timeline.present))


def amend(timeline: Timeline, state: PhotoState) -> Timeline:
    """Change the present without a step: what the line found out, or which board is looked at."""
    return timeline if state is timeline.present else replace(timeline, present=state)


def settle_all(timeline: Timeline, held: BoardState, result: BoardResult) -> Timeline:
    """Put what the line made of a pending board into the present and, where it has the same clues
    and rules there, into the past: steps of the last session wait for it, too.
    """
    settled: dict[int, BoardState] = {}
    """By the identity of the board before: a board that a step left alone stays one and the same,
    from which saving tells what a step was."""

    def follow(state: PhotoState) -> PhotoState:
        for number, one in enumerate(state.boards):
            if id(one) in settled:
                state = swap_board(state, one, settled[id(one)])
            elif one is held or _waits_alike(one, held):
                state = settle(state, one, result)
                settled[id(one)] = state.boards[number]
        return state

    past = tuple(follow(state) for state in timeline.past)
    return replace(timeline, present=follow(timeline.present), past=past)


def _waits_alike(one: BoardState, held: BoardState) -> bool:
    is_waiting = one.pending is held.pending is Pending.SOLVE
    is_same = is_waiting and one.board.rules == held.board.rules
    return is_same and np.array_equal(one.board.clues, held.board.clues)


def undo(timeline: Timeline) -> Timeline:
    """Go back a step, as far as there is one."""
    if not timeline.past:
        return timeline
    *past, present = timeline.past
    return Timeline(present, tuple(past), (timeline.present, *timeline.future))


def redo(timeline: Timeline) -> Timeline:
    """Take the step again that was undone last, if any."""
    if not timeline.future:
        return timeline
    present, *future = timeline.future
    return Timeline(present, (*timeline.past, timeline.present), tuple(future))


def turn_image(image: Image8, quarter_turns: int) -> Image8:
    """Return a photo turned clockwise, (H, W, 3) uint8."""
    return np.ascontiguousarray(np.rot90(image, -quarter_turns))


def turn_points(points: Points, size: tuple[int, int], quarter_turns: int) -> Points:
    """Return where points of a photo lie once it is turned clockwise.

    Args:
        points: (..., 2) float32, (x, y) in pixels, whose centres are integers.
        size: width and height of the photo before.
        quarter_turns: clockwise, not negative.
    """
    width, height = size
    turned = points
    for _ in range(quarter_turns % 4):
        turned = np.stack([height - 1 - turned[..., 1], turned[..., 0]], axis=-1)
        width, height = height, width
    return np.ascontiguousarray(turned, np.float32)


def turn_timeline(timeline: Timeline, size: tuple[int, int], quarter_turns: int) -> Timeline:
    """Return all states of a photo, as they are once it is turned clockwise.

    Args:
        timeline: states before.
        size: width and height of the photo before.
        quarter_turns: clockwise, not negative.
    """

    def turn(held: BoardState) -> BoardState:
        lattice = turn_points(held.board.lattice, size, quarter_turns)
        return replace(held, board=replace(held.board, lattice=lattice))

    def turn_all(states: tuple[PhotoState, ...]) -> tuple[PhotoState, ...]:
        return tuple(replace(one, boards=tuple(map(turn, one.boards))) for one in states)

    (present,) = turn_all((timeline.present,))
    return replace(
        timeline, present=present, past=turn_all(timeline.past), future=turn_all(timeline.future)
    )
