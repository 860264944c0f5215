"""Help with a puzzle: how far the user has come, candidates, difficulty, and the check of entries.

Hints and whole solutions step by step are in `app.help.hints`.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from app.help import help_words as texts
from app.report.board_marks import Highlight, Mark, Note, find_struck
from solver.charset import DIGIT_CHARS
from solver.grid import Grid
from solver.human.basics import (
    find_cage_digits,
    find_cage_sums,
    find_claiming,
    find_fish,
    find_hidden_subsets,
    find_naked_subsets,
    find_pointing,
)
from solver.human.position import Position, Step
from solver.human.walk import Rating
from solver.human.words import Words
from solver.layout import bits_of
from solver.rules import CLASSIC_RULES, Rules, find_repeated

_ELIMINATING: Final[tuple[Callable[[Position], Iterator[Step]], ...]] = (
    find_cage_sums,
    find_cage_digits,
    find_pointing,
    find_claiming,
    *(partial(find_naked_subsets, size=size) for size in (2, 3, 4)),
    *(partial(find_hidden_subsets, size=size) for size in (2, 3)),
    *(partial(find_fish, size=size) for size in (2, 3)),
)
"""Techniques that only strike candidates, as far as people use them before chains."""


@dataclass(frozen=True, eq=False)
class Progress:
    """A puzzle and what the user has written into it.

    Attributes:
        solution: (n, n) uint8, verified to be the only one; None where there is none to go by,
            and then there is no help either.
        notes: for each cell the digits that are noted in its middle, as a sum of 2**digit; cells
            that are left out have none.
    """

    clues: Grid
    entries: Grid
    solution: Grid | None
    rules: Rules = CLASSIC_RULES
    symbols: Sequence[str] = DIGIT_CHARS
    notes: tuple[int, ...] = ()

    @property
    def written(self) -> Grid:
        """(n, n) uint8: the entries in cells without a clue."""
        return np.where(self.clues > 0, 0, self.entries).astype(np.uint8)

    @property
    def standing(self) -> Grid:
        """(n, n) uint8: the clues, and the entries in the other cells."""
        return np.where(self.clues > 0, self.clues, self.entries).astype(np.uint8)

    @property
    def wrong(self) -> tuple[int, ...]:
        """Cells whose entry is not the solution's digit, ascending; none without a solution."""
        if self.solution is None:
            return ()
        return _cells((self.written > 0) & (self.written != self.solution))

    @property
    def right(self) -> tuple[int, ...]:
        """Cells whose entry is the solution's digit, ascending; none without a solution."""
        if self.solution is None:
            return ()
        return _cells((self.written > 0) & (self.written == self.solution))

    @property
    def grid(self) -> Grid:
        """(n, n) uint8: the clues and the right entries, from which help goes on."""
        grid = self.clues.copy()
        chosen = list(self.right)
        grid.ravel()[chosen] = self.entries.ravel()[chosen]
        return grid

    @property
    def is_finished(self) -> bool:
        """Whether every cell has its clue or the right entry."""
        return bool(self.grid.ravel()[list(self.rules.cells)].all())

    def open_position(self) -> Position:
        """Return what is left of all candidates: by the rules and, where they are right, by notes.

        A single noted digit is a guess, and counts for nothing.
        """
        position = Position.from_grid(self.grid, self.rules)
        solution = None if self.solution is None else self.solution.ravel()
        for cell, noted in enumerate(self.notes):
            is_right = solution is not None and noted >> int(solution[cell]) & 1
            if is_right and noted.bit_count() > 1:
                for digit in bits_of(position.cells[cell] & ~(noted >> 1)):
                    position.remove(cell, digit + 1)
        return position

    def agrees_with(self, step: Step) -> bool:
        """Tell whether a step is right by the verified solution, on which alone help relies.

        The engine is right about puzzles with one solution; what is told must not depend on it.
        """
        if self.solution is None:
            return False
        digits = self.solution.ravel()
        return all(digits[cell] == digit for cell, digit in step.placements) and all(
            digits[cell] != digit for cell, digit in step.eliminations
        )

    def fit(self, words: Words) -> Words:
        """Return the words with the names of this puzzle's cells, units and digits."""
        return replace(words, rules=self.rules, symbols=self.symbols)


def is_same_puzzle(one: Progress | None, other: Progress | None) -> bool:
    """Tell whether what was said of one holds for the other: clues, rules, whether it is solved.

    What was written into them may differ.
    """
    if one is None or other is None:
        return one is other
    is_known = one.solution is not None, other.solution is not None
    is_alike = is_known[0] == is_known[1] and one.rules == other.rules
    return is_alike and bool(np.array_equal(one.clues, other.clues))


@dataclass(frozen=True)
class HelpMessage:
    """A sentence and what it means on the board."""

    text: str
    highlight: Highlight


def check_written(progress: Progress, words: Words, unsure: Collection[int] = ()) -> HelpMessage:
    """Compare the entries with the verified solution; of unsure ones, none is called wrong."""
    words = progress.fit(words)
    if not progress.written.any() and not any(progress.notes):
        return HelpMessage(words.say(texts.NO_ENTRIES), Highlight())
    if progress.solution is None:
        return find_contradictions(progress, words) or HelpMessage(
            words.say(texts.UNCHECKED), Highlight()
        )
    right = progress.right
    doubtful = [cell for cell in progress.wrong if cell in unsure]
    wrong = [cell for cell in progress.wrong if cell not in unsure]
    marks = dict.fromkeys(right, Mark.GOOD)
    marks |= dict.fromkeys(doubtful, Mark.UNSURE) | dict.fromkeys(wrong, Mark.BAD)
    said = []
    if wrong:
        cells = words.cells(wrong)
        said.append(words.say(texts.SOME_WRONG, right=len(right), wrong=len(wrong), cells=cells))
    elif right:
        all_right = texts.ALL_RIGHT_ONE if len(right) == 1 else texts.ALL_RIGHT
        said.append(words.say(all_right, count=len(right)))
    if doubtful:
        said.append(words.say(texts.SOME_UNSURE, cells=words.cells(doubtful)))
    struck = find_struck(progress.notes, progress.standing, progress.solution)
    if struck:
        marks |= dict.fromkeys(struck, Mark.BAD)
        said.append(words.say(texts.CANDIDATE_STRUCK, cells=words.cells(struck)))
    if not said:
        return HelpMessage(words.say(texts.NO_ENTRIES), Highlight())
    return HelpMessage(" ".join(said), Highlight(marks))


def find_contradictions(progress: Progress, words: Words) -> HelpMessage | None:
    """Name the digits that stand twice in a unit, or return None where none does."""
    grid = progress.standing
    words = progress.fit(words)
    cells = _cells(find_repeated(words.masks.rules, grid))
    if not cells:
        return None
    digits = grid.ravel()
    said = []
    for unit, members in enumerate(words.masks.unit_cells):
        held = [int(digits[cell]) for cell in members if digits[cell]]
        said += [
            words.say(texts.CONFLICT, digit=words.digit(digit), units=words.unit(unit))
            for digit in sorted({digit for digit in held if held.count(digit) > 1})
        ]
    # A misread grid may have dozens; the marks show them all.
    text = " ".join(said) if len(said) <= 3 else words.say(texts.CONFLICT_ANYWHERE)
    return HelpMessage(text, Highlight(dict.fromkeys(cells, Mark.BAD)))


def show_candidates(progress: Progress, *, after_logic: bool = False) -> Highlight:
    """Return the candidates of every empty cell as notes.

    Clues and right entries rule digits out; without a solution, all entries do. After logic, what
    locked candidates, subsets and fish rule out is struck.
    """
    grid = progress.standing if progress.solution is None else progress.grid
    position = Position.from_grid(grid, progress.rules)
    if after_logic and progress.solution is not None:
        _strike(position)
    notes = (Note(n, bit + 1) for n, held in enumerate(position.cells) for bit in bits_of(held))
    return Highlight(notes=tuple(notes))


def suggest_cell(position: Position) -> int:
    """Return the unsettled cell with fewest candidates, whose digit helps people on.

    Raises:
        ValueError: if every cell is settled.
    """
    return min(bits_of(position.unsettled), key=lambda cell: position.cells[cell].bit_count())


def name_rating(rating: Rating, words: Words, *, is_full: bool) -> str:
    """Say what a rating means; `is_full` tells that the puzzle has no empty cell."""
    level = words.look_up(texts.LEVELS[rating.level])
    level = level[:1].upper() + level[1:]
    if rating.technique is None:
        text = texts.RATED_NOTHING if is_full else texts.RATED_BEYOND
        return words.say(text, level=level)
    return words.say(
        texts.RATED,
        level=level,
        score=words.number(rating.score),
        technique=words.technique(rating.technique),
    )


def _strike(position: Position) -> None:
    while True:
        step = next(
            (step for find in _ELIMINATING for step in find(position) if step.eliminations), None
        )
        if step is None:
            return
        position.apply(step)


def _cells(chosen: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(np.flatnonzero(chosen).tolist())
