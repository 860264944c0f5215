"""The states of a photo one after the other, over which undo and redo walk."""

from dataclasses import dataclass, replace

import numpy as np

from app.board.board_state import BoardState, Pending, PhotoState, settle
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
    past = []
    for state in timeline.past:
        settled = state
        for one in state.boards:
            is_waiting = one.pending is held.pending is Pending.SOLVE
            is_same = is_waiting and one.board.rules == held.board.rules
            if is_same and np.array_equal(one.board.clues, held.board.clues):
                settled = settle(settled, one, result)
        past.append(settled)
    present = settle(timeline.present, held, result)
    return replace(timeline, present=present, past=tuple(past))


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
