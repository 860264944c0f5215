"""The states of a photo one after the other, over which undo and redo walk."""

from dataclasses import dataclass, replace

from app.board.board_state import PhotoState


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
