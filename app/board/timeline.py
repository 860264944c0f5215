"""The states of a photo one after the other: undo and redo walk over them, turns turn them all."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from app.board.board_forms import hold_saved, save_board
from app.board.board_state import (
    BoardState,
    Pending,
    PhotoState,
    cells_of,
    swap_board,
    take_notes,
)
from app.board.saved_session import read_board
from app.recognition.results import BoardResult, show_likely_cages
from vision.geometry import Image8, Points


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
    """Change the present without a step: what the pipeline found, or which board is looked at."""
    return timeline if state is timeline.present else replace(timeline, present=state)


def settle(state: PhotoState, held: BoardState, result: BoardResult) -> PhotoState:
    """Put in what the pipeline made of a pending board, unless the state has changed since.

    Of solved clues only the outcome is taken: what was read, and which cells the rules overruled,
    is still so.
    """
    if held.pending is None or all(board is not held for board in state.boards):
        return state
    if held.pending is Pending.SOLVE:
        # Not the other way round: a solution stays with the clues that it was proved for.
        old = held.board
        result = replace(
            result,
            lattice=old.lattice,
            entries=old.entries,
            confidence=old.confidence,
            corrected=old.corrected,
            reading=old.reading,
            quality=old.quality,
            candidates=old.candidates,
            kept_alphabet=old.kept_alphabet,
        )
    result = show_likely_cages(result)
    revealed = held.revealed
    if result.clues.size != held.board.clues.size:
        # What was read there has another side.
        revealed = cells_of(result.clues) if held.is_open else frozenset()
    pencil = take_notes(result) if held.pencil.is_empty else held.pencil
    settled = replace(held, board=result, revealed=revealed, pending=None, pencil=pencil)
    return swap_board(state, held, settled)


def settle_all(timeline: Timeline, held: BoardState, result: BoardResult) -> Timeline:
    """Put what the pipeline made of a pending board into the present, and into the past where clues
    and rules are the same: steps of the last session wait for it, too.
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
    """Return where points of a photo of this width and height lie once it is turned.

    They are (..., 2) float32, (x, y) in pixels, whose centres are integers. Quarter turns are
    clockwise, and not negative.
    """
    width, height = size
    turned = points
    for _ in range(quarter_turns % 4):
        turned = np.stack([height - 1 - turned[..., 1], turned[..., 0]], axis=-1)
        width, height = height, width
    return np.ascontiguousarray(turned, np.float32)


def turn_timeline(timeline: Timeline, size: tuple[int, int], quarter_turns: int) -> Timeline:
    """Return all states of a photo of this width and height, as they are once it is turned."""

    def turn_board(held: BoardState) -> BoardState:
        lattice = turn_points(held.board.lattice, size, quarter_turns)
        return replace(held, board=replace(held.board, lattice=lattice))

    def turn(state: PhotoState) -> PhotoState:
        return replace(state, boards=tuple(map(turn_board, state.boards)))

    past, future = (tuple(map(turn, states)) for states in (timeline.past, timeline.future))
    return Timeline(turn(timeline.present), past, future)


_MOST: Final = 500
"""Steps that are kept; a hard puzzle takes 100 to 300."""


@dataclass(frozen=True, eq=False)
class Steps:
    """What is written of a timeline: all states, the present one last, and a text for each step.

    The text is None where the step cannot be told.
    """

    states: tuple[PhotoState, ...] = ()
    texts: tuple[str | None, ...] = ()

    @property
    def kept(self) -> tuple[str, ...]:
        """The last steps that can be told without a gap, the newest last."""
        told: list[str] = []
        for text in reversed(self.texts[-_MOST:]):
            if text is None:
                break
            told.append(text)
        return tuple(reversed(told))


def write_steps(timeline: Timeline, known: Steps) -> Steps:
    """Return the steps of a timeline; those of the `known` ones that it still has stay."""
    states = (*timeline.past, timeline.present)
    n_same = 0
    for one, other in zip(states, known.states, strict=False):
        if one is not other:
            break
        n_same += 1
    texts = known.texts[: max(n_same - 1, 0)]
    pairs = zip(states[len(texts) :], states[len(texts) + 1 :], strict=False)
    return Steps(states, (*texts, *(_tell(before, after) for before, after in pairs)))


def read_past(present: PhotoState, texts: Sequence[str]) -> tuple[PhotoState, ...]:
    """Return the states before the present one, as far as the texts make sense.

    A state with other clues has no solution until it is solved anew.
    """
    past: list[PhotoState] = []
    for text in reversed(texts):
        before = _go_back(past[-1] if past else present, text)
        if before is None:
            break
        past.append(before)
    return tuple(reversed(past))


def _tell(before: PhotoState, after: PhotoState) -> str | None:
    """Return the board that a step changed, as it was; None where its place changed, or several."""
    if len(before.boards) != len(after.boards):
        return None
    pairs = enumerate(zip(before.boards, after.boards, strict=True))
    changed = [(number, old, new) for number, (old, new) in pairs if old is not new]
    if len(changed) != 1:
        return None
    number, old, new = changed[0]
    if not np.array_equal(old.board.lattice, new.board.lattice):
        return None
    return json.dumps([number, vars(save_board(old))])


def _go_back(after: PhotoState, text: str) -> PhotoState | None:
    """Return the state before a step; None where the text tells none."""
    try:
        number, told = json.loads(text)
        held, left = after.boards[number], hold_saved(read_board(told))
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
        return None
    if left.side != held.side:
        return None
    clues, rules = left.board.clues, left.board.rules
    board = replace(held.board, clues=clues, entries=left.board.entries, rules=rules)
    new = replace(left, board=board, pending=held.pending, is_typed=held.is_typed)
    is_other = rules != held.board.rules or not np.array_equal(clues, held.board.clues)
    is_other |= held.draft is not None or left.draft is not None  # a draft waits for nothing
    if held.pending is not Pending.READ and is_other:
        new = replace(new, pending=Pending.SOLVE if new.has_puzzle else None)
    return swap_board(after, held, new)
