"""The states of a photo one after the other, over which undo and redo walk."""

from dataclasses import dataclass, replace

import numpy as np

from app.board.board_state import BoardState, Pending, PhotoState, settle, swap_board
from app.recognition.results import BoardResult


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
