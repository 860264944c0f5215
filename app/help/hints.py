"""Hints that deepen, and the whole solution as a person would find it, step by step.

A hint tells where to look, then the technique and its cells, then the step itself.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

import numpy as np

from app.help import help_words as texts
from app.help.assistance import HelpMessage, Progress, find_contradictions, suggest_cell
from app.report.board_marks import Highlight, Mark, Note, NoteKind
from solver.human.masks import RuleMasks
from solver.human.position import Position, Step, Technique
from solver.human.reasons import explain
from solver.human.technique_engine import Options, find_step
from solver.human.walk import where_of
from solver.human.words import Words
from solver.layout import bits_of

_OPTIONS: Final = Options()


class Depth(IntEnum):
    """How much a hint gives away."""

    LOOK = 1
    """Where to look, and nothing else."""
    PATTERN = 2
    """The technique's name, and the cells that form its pattern."""
    STEP = 3
    """What follows from it."""


@dataclass(frozen=True, eq=False)
class HintSource:
    """What hints are about: the next step, or what has to be said before there is one.

    Attributes:
        position: the candidates when the step is taken; None where help cannot go on from the
            entries.
        step: None where none is found or something else comes first.
        taken: steps that were told before and count as done.
    """

    progress: Progress
    position: Position | None
    step: Step | None
    taken: tuple[Step, ...] = ()

    @property
    def is_stuck(self) -> bool:
        """Whether the techniques end here although cells are empty."""
        return self.position is not None and self.step is None and not self.position.is_solved

    @property
    def told_digits(self) -> dict[int, int]:
        """Cell to digit: what was told before and stands on the board nowhere else."""
        return {
            cell: digit
            for step in self.taken
            for cell, digit in step.placements
            if not self.progress.grid.ravel()[cell]
        }


def find_hint(
    progress: Progress,
    taken: tuple[Step, ...] = (),
    after_search: Callable[[], None] = lambda: None,
) -> HintSource:
    """Look for the next step from the clues, the right entries and what was told before.

    Without steps that were told, one that only strikes candidates, which nobody writes down on the
    board, would be found again and again. `after_search` is called after each search for one
    technique; what it raises ends the work.
    """
    if progress.solution is None or progress.wrong:
        return HintSource(progress, None, None, taken)
    position = progress.open_position()
    for done in taken:
        _take(position, done)
    step = None
    if not position.is_solved:
        step = find_step(position, _OPTIONS, after_search)
    is_true = step is not None and progress.agrees_with(step)
    return HintSource(progress, position, step if is_true else None, taken)


def tell_depth(source: HintSource, depth: Depth, words: Words) -> HelpMessage:
    """Say as much as a depth gives away, in words and on the board."""
    told = _tell(source, depth, source.progress.fit(words))
    earlier = source.told_digits
    if not earlier:
        return told
    shown = told.highlight
    return replace(told, highlight=replace(shown, digits={**earlier, **shown.digits}))


def _tell(source: HintSource, depth: Depth, words: Words) -> HelpMessage:
    progress = source.progress
    if progress.solution is None:
        unverified = HelpMessage(words.say(texts.UNVERIFIED), Highlight())
        return find_contradictions(progress, words) or unverified
    if progress.wrong:
        return _tell_wrong(progress, depth, words)
    if source.position is None or source.position.is_solved:
        text = texts.FINISHED if progress.is_finished else texts.ALL_TOLD
        return HelpMessage(words.say(text), Highlight())
    if source.step is None:
        cell = suggest_cell(source.position)
        text = words.say(texts.STUCK, cell=words.cell(cell))
        return HelpMessage(text, Highlight({cell: Mark.TARGET}))
    return _tell_step(source.position, source.step, depth, words)


def draw_step(position: Position, step: Step, words: Words) -> HelpMessage:
    """Return a step in full, in words and on the board, from the candidates before it."""
    return _tell_step(position, step, Depth.STEP, words)


def _tell_wrong(progress: Progress, depth: Depth, words: Words) -> HelpMessage:
    """Say that entries are wrong before anything is built on them."""
    wrong = progress.wrong
    assert progress.solution is not None
    if depth is Depth.LOOK:
        units = tuple(dict.fromkeys(words.masks.box_of(cell) for cell in wrong))
        text = texts.WRONG_ONE if len(wrong) == 1 else texts.WRONG_MANY
        marks = _mark_units(units, words.masks)
        return HelpMessage(
            words.say(text, count=len(wrong), units=words.units(units)), Highlight(marks)
        )
    marks = dict.fromkeys(wrong, Mark.BAD)
    if depth is Depth.PATTERN:
        return HelpMessage(words.say(texts.WRONG_CELLS, cells=words.cells(wrong)), Highlight(marks))
    written, right = progress.written.ravel(), progress.solution.ravel()
    corrections = "; ".join(
        words.say(
            texts.CORRECTION,
            cell=words.cell(cell),
            written=words.digit(written[cell]),
            digit=words.digit(right[cell]),
        )
        for cell in wrong
    )
    text = words.say(texts.WRONG_DIGITS, corrections=corrections)
    return HelpMessage(text, Highlight(marks))


def _tell_step(position: Position, step: Step, depth: Depth, words: Words) -> HelpMessage:
    masks = position.masks
    units = where_of(step, masks)
    is_wide = len(units) > _MOST_UNITS
    if depth is Depth.LOOK:
        text = texts.LOOK_ANYWHERE if is_wide else texts.LOOK
        told = words.say(text, units=words.units(units))
        return HelpMessage(told, Highlight({} if is_wide else _mark_units(units, masks)))
    # Boxes that only hold the cells of a chain would tint half of the board.
    marks = _mark_units(step.units, masks) | dict.fromkeys(step.cells, Mark.PATTERN)
    # The last cell of a sum is found like a single.
    is_single = step.technique in _SINGLES or bool(step.total and step.placements)
    if depth is Depth.PATTERN:
        cells = words.cells(step.cells)
        text = texts.PATTERN_ANYWHERE if is_wide else texts.PATTERN
        name = words.technique(step.technique)
        told = words.say(text, units=words.units(units), technique=name, cells=cells)
        # The candidates of a single would be its answer.
        notes = () if is_single else _note(position, step, with_result=False)
        return HelpMessage(told, Highlight(marks, notes))
    targets = {cell for cell, _ in (*step.placements, *step.eliminations)}
    # What a hidden subset strikes stands in its own cells, which are to be seen as the pattern.
    if is_single or targets != set(step.cells):
        marks |= dict.fromkeys(sorted(targets), Mark.TARGET)
    notes = _note(position, step, with_result=True)
    explained = explain(step, words)
    placed = dict(step.placements)
    notes = tuple(note for note in notes if note.cell not in placed)
    return HelpMessage(explained, Highlight(marks, notes, placed))


def _mark_units(units: tuple[int, ...], masks: RuleMasks) -> dict[int, Mark]:
    return {cell: Mark.UNIT for unit in units for cell in masks.unit_cells[unit]}


_MOST_UNITS: Final = 4
"""More than these are no place to look at."""

_SINGLES: Final = frozenset(
    {
        Technique.FULL_HOUSE,
        Technique.HIDDEN_SINGLE_BOX,
        Technique.HIDDEN_SINGLE_LINE,
        Technique.HIDDEN_SINGLE,
        Technique.NAKED_SINGLE,
    }
)

_ONE_DIGIT: Final = frozenset(
    {
        Technique.POINTING,
        Technique.CLAIMING,
        Technique.CAGE_DIGIT,
        Technique.X_WING,
        Technique.SWORDFISH,
        Technique.JELLYFISH,
        Technique.SKYSCRAPER,
        Technique.TWO_STRING_KITE,
        Technique.TURBOT_FISH,
        Technique.GROUPED_TURBOT_FISH,
        Technique.SIMPLE_COLOURING,
        Technique.THREE_STRONG_LINKS,
        Technique.GROUPED_STRONG_LINKS,
        Technique.X_CHAIN,
        Technique.X_CYCLE,
    }
)
"""Techniques that look at one digit only."""


def _pattern_digits(position: Position, step: Step) -> set[int]:
    """Return the one digit that a technique follows, or all that its cells can hold and keep."""
    if step.technique in _ONE_DIGIT:
        return {digit for _, digit in (*step.eliminations, *step.placements)}
    struck = set(step.eliminations)
    return {
        bit + 1
        for cell in step.cells
        for bit in bits_of(position.cells[cell])
        if (cell, bit + 1) not in struck
    }


def _note(position: Position, step: Step, *, with_result: bool) -> tuple[Note, ...]:
    digits = _pattern_digits(position, step)
    struck = set(step.eliminations) if with_result else set()
    shown = {*step.cells, *(cell for cell, _ in struck)}
    notes = []
    for cell in sorted(shown):
        for digit in (bit + 1 for bit in bits_of(position.cells[cell])):
            if (cell, digit) in struck:
                kind = NoteKind.REMOVED
            elif cell in step.cells and digit in digits:
                kind = NoteKind.REASON
            else:
                kind = NoteKind.CANDIDATE
            notes.append(Note(cell, digit, kind))
    return tuple(notes)


def _take(position: Position, step: Step) -> None:
    for cell, digit in step.eliminations:
        if not position.values[cell]:
            position.remove(cell, digit)
    for cell, digit in step.placements:
        if not position.values[cell]:
            position.place(cell, digit)


class HintSession:
    """Deepens a hint each time one is asked for, and goes on to the next."""

    def __init__(self) -> None:
        self._source: HintSource | None = None
        self.depth: Depth | None = None
        """How deep the present hint is; None where there is none."""
        self._taken: tuple[Step, ...] = ()

    @property
    def technique(self) -> Technique | None:
        """The technique that the present hint has named; None where it has named none."""
        source = self._source
        if source is None or source.step is None or self.depth is Depth.LOOK:
            return None
        return source.step.technique

    @property
    def has_taken(self) -> bool:
        """Whether steps count as done because they were told."""
        return bool(self._taken)

    @property
    def has_told_step(self) -> bool:
        """Whether the present hint has told its step, so that another hint may follow."""
        source = self._source
        return self.depth is Depth.STEP and source is not None and source.step is not None

    @property
    def can_deepen(self) -> bool:
        """Whether there is more to tell of the present hint."""
        source = self._source
        if source is None or self.depth is Depth.STEP:
            return False
        return source.step is not None or bool(source.progress.wrong)

    def ask(self, progress: Progress, words: Words) -> HelpMessage:
        """Begin a hint, deepen it, or go on to the next."""
        self._take_told_step()
        if self.depth is None or self._source is None:
            self._source, self.depth = find_hint(progress, self._taken), Depth.LOOK
        elif self.can_deepen:
            self.depth = Depth(self.depth + 1)
        return tell_depth(self._source, self.depth, words)

    def tell(self, words: Words) -> HelpMessage | None:
        """Say the present hint once more, as in another language; None where there is none."""
        if self._source is None or self.depth is None:
            return None
        return tell_depth(self._source, self.depth, words)

    def follow(self) -> None:
        """End a hint of what has changed since; a step that was told still counts."""
        self._take_told_step()
        self.end()

    def end(self) -> None:
        """End the present hint."""
        self._source, self.depth = None, None

    def begin_anew(self) -> None:
        """Forget the present hint, and every step that was told."""
        self.end()
        self._taken = ()

    def _take_told_step(self) -> None:
        """Count a step that was told in full as done, so that it is not told again."""
        if self._source is not None and self._source.step is not None and self.has_told_step:
            self._taken = (*self._taken, self._source.step)
            self.end()


@dataclass(frozen=True)
class WalkStep:
    """One place to stop at: its pattern, and every digit that has been put so far.

    Its title stands in a list, such as "r2c4 = 6, hidden single in box 2".
    """

    title: str
    text: str
    highlight: Highlight


def walk(
    progress: Progress, words: Words, may_go_on: Callable[[], bool] = lambda: True
) -> tuple[WalkStep, ...] | None:
    """Solve a puzzle from its clues alone, as a person would; None where that is called off.

    The first step is the puzzle as it was given. The digits of right entries are left out of the
    pictures, where they stand already. Without a verified solution there are no steps.
    """
    if progress.solution is None:
        return None
    words = progress.fit(words)
    start = replace(progress, entries=np.zeros_like(progress.entries), notes=())
    is_written = (progress.written == progress.solution).ravel()
    steps = [WalkStep(words.say(texts.WALK_START), words.say(texts.WALK_START), Highlight())]
    taken: list[Step] = []
    put: dict[int, int] = {}
    while may_go_on():
        source = find_hint(start, tuple(taken))
        position, step = source.position, source.step
        if position is None or step is None:
            is_complete = position is not None and position.is_solved
            text = words.say(texts.WALK_END if is_complete else texts.WALK_STUCK)
            steps.append(WalkStep(text, text, Highlight(digits=dict(put))))
            return tuple(steps)
        taken.append(step)
        told = draw_step(position, step, words)
        put |= {cell: digit for cell, digit in step.placements if not is_written[cell]}
        highlight = replace(told.highlight, digits=dict(put))
        steps.append(WalkStep(_title(step, words), told.text, highlight))
    return None


def _title(step: Step, words: Words) -> str:
    results = [f"{words.sign(cell)} = {words.digit(digit)}" for cell, digit in step.placements]
    struck: dict[int, list[int]] = {}
    for cell, digit in step.eliminations:
        struck.setdefault(digit, []).append(cell)
    for digit, cells in sorted(struck.items()):
        more = " …" if len(cells) > _MOST_NAMED else ""
        named = ", ".join(map(words.sign, cells[:_MOST_NAMED]))
        results.append(f"{named}{more} ≠ {words.digit(digit)}")
    text = _IN_UNIT.get(step.technique)
    named = words.technique(step.technique)
    if text is not None and step.units:
        named = words.say(text, unit=words.unit(step.units[0]))
    return f"{'; '.join(results)}, {named}"


_MOST_NAMED: Final = 3
"""Cells of one digit that a title names."""

_IN_UNIT: Final = {
    Technique.FULL_HOUSE: texts.FULL_HOUSE_IN,
    Technique.HIDDEN_SINGLE_BOX: texts.HIDDEN_SINGLE_IN,
    Technique.HIDDEN_SINGLE_LINE: texts.HIDDEN_SINGLE_IN,
    Technique.HIDDEN_SINGLE: texts.HIDDEN_SINGLE_IN,
}
