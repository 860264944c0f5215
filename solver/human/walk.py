"""From a puzzle to its next step, as a hint in three strengths, or to all its steps and a rating.

A puzzle is rated by the hardest technique that it needs. The solver `human` walks the path: it
proves every digit, and gives up where techniques end.
"""

import enum
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from solver.base import EffortBudget, Limits, Result, admit_clues
from solver.exact.bitmask import search
from solver.grid import Grid
from solver.human.masks import CLASSIC, RuleMasks
from solver.human.position import Position, Step, Technique
from solver.human.reasons import explain
from solver.human.technique_engine import (
    MOST_SEARCHES,
    GaveUpError,
    Options,
    TechniqueOrder,
    allow_searches,
    find_step,
    look,
)
from solver.human.words import Words
from solver.rules import CLASSIC_RULES, Rules
from solver.verification import conclude

_MOST_NODES: Final = 20_000
"""Positions of the proof of one solution, some 0.6 s; see `solver.verification.conclude`."""


class UnsuitablePuzzleError(ValueError):
    """A puzzle that steps cannot be given for; `solutions` is 0, or 2 for two or more."""

    def __init__(self, solutions: int) -> None:
        self.solutions = solutions
        found = "no solution" if solutions == 0 else "more than one solution"
        super().__init__(f"the puzzle has {found}, so there is no step to give; check its digits")


@dataclass(frozen=True, eq=False)
class Path:
    """The steps from a puzzle's clues as far as the techniques go.

    Attributes:
        steps: in order.
        grid: (width, width) uint8, the digits known at the end, 0 = unknown or no cell.
        is_solved: whether that is all of them.
        is_cut: whether it ends where the work would have been too much, not the techniques.
    """

    steps: tuple[Step, ...]
    grid: Grid
    is_solved: bool
    is_cut: bool = False

    @property
    def hardest(self) -> Step | None:
        """The first of the steps with the highest rating; None where there is no step."""
        return max(self.steps, key=lambda step: step.rating, default=None)


def next_step(
    puzzle: Grid | Position, options: Options | None = None, rules: Rules = CLASSIC_RULES
) -> Step | None:
    """Return the next step that a person could take, or None when no technique finds one.

    Args:
        puzzle: (width, width) uint8, clues and entries together, 0 = empty or no cell; its number
            of solutions is checked. Or a position, whose caller answers for that.
        options: the teaching order where None.
        rules: of a grid.

    Raises:
        UnsuitablePuzzleError: if a grid has no solution, or several and the options assume one.
        GaveUpError: if that takes too long to prove.
        ValueError: if it is no grid of these rules.
    """
    options = options or Options()
    return find_step(open_position(puzzle, options, rules=rules), options)


def solve_path(
    puzzle: Grid | Position,
    options: Options | None = None,
    before_step: Callable[[], None] = lambda: None,
    most_searches: int = MOST_SEARCHES,
    rules: Rules = CLASSIC_RULES,
) -> Path:
    """Take steps until the puzzle is solved, or no technique finds any more.

    Args:
        puzzle: as for `next_step`. Not changed.
        options: the teaching order where None.
        before_step: is called before each step; what it raises ends the work.
        most_searches: for techniques; the path ends where it would take more.
        rules: as for `next_step`.

    Raises:
        UnsuitablePuzzleError: if a grid has no solution, or several and the options assume one.
        GaveUpError: if that takes too long to prove.
        ValueError: if it is no grid of these rules.
    """
    options = options or Options()
    position = open_position(puzzle, options, rules=rules).copy()
    steps = []
    after_search = allow_searches(most_searches)
    is_cut = False
    while not position.is_solved:
        before_step()
        try:
            step = find_step(position, options, after_search)
        except GaveUpError:
            is_cut = True
            break
        if step is None:
            break
        position.apply(step)
        steps.append(step)
    return Path(tuple(steps), position.to_grid(), position.is_solved, is_cut)


def open_position(
    puzzle: Grid | Position,
    options: Options,
    most_nodes: int = _MOST_NODES,
    rules: Rules = CLASSIC_RULES,
) -> Position:
    """Return the position of a grid whose number of solutions is proved to suit the options.

    Args:
        puzzle: as for `next_step`.
        options: how to look for steps.
        most_nodes: of the proof.
        rules: as for `next_step`.

    Raises:
        UnsuitablePuzzleError: if it does not.
        GaveUpError: if the proof takes too long.
        ValueError: if it is no grid of these rules.
    """
    if isinstance(puzzle, Position):
        return puzzle
    position = Position.from_grid(puzzle, rules)
    clues = puzzle.ravel().tolist()
    found = search(clues, 2, lambda nodes: nodes < most_nodes, keep=0, rules=rules)
    if found.found < 2 and not found.is_exhaustive:
        raise GaveUpError(f"{most_nodes:,} nodes")
    if found.found == 0 or (found.found > 1 and options.assume_unique):
        raise UnsuitablePuzzleError(found.found)
    return position


class Level(enum.Enum):
    """A rating's name for people."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"
    EXTREME = "extreme"


@dataclass(frozen=True)
class Rating:
    """How hard a puzzle is.

    Attributes:
        score: on the Sudoku Explainer scale, that of the hardest step when always the easiest is
            taken; 0 for a full grid, `BEYOND` where the techniques do not solve the puzzle.
        level: the score's name.
        technique: of the hardest step; None for a full grid or a puzzle that was not solved.
    """

    score: float
    level: Level
    technique: Technique | None


BEYOND: Final = 10.0
"""The score of puzzles beyond the techniques; Sudoku Explainer goes up to about 12."""

_LEVELS: Final = ((1.5, Level.EASY), (2.5, Level.MEDIUM), (5.0, Level.HARD), (7.5, Level.EXPERT))
"""Scores below which a level holds. The first three are those of the Sudoku Exchange's puzzle
bank; the last parts single chains from those with branches."""


def name_score(score: float) -> Level:
    """Return the name of a score."""
    return next((level for below, level in _LEVELS if score < below), Level.EXTREME)


def rate(
    clues: Grid, before_step: Callable[[], None] = lambda: None, most_searches: int = MOST_SEARCHES
) -> Rating:
    """Rate a puzzle with one solution.

    Args:
        clues: (9, 9) uint8, 0 = empty.
        before_step: is called before each step of the solution; what it raises ends the work.
        most_searches: for techniques.

    Raises:
        UnsuitablePuzzleError: if the puzzle has no solution or several.
        GaveUpError: if that takes too long to prove, or it takes more searches.
        ValueError: if it is no grid.
    """
    path = solve_path(clues, Options(TechniqueOrder.RATING), before_step, most_searches)
    if path.is_cut:
        raise GaveUpError(f"{most_searches:,} searches for techniques")
    if not path.is_solved:
        return Rating(BEYOND, Level.EXTREME, None)
    hardest = path.hardest
    if hardest is None:
        return Rating(0.0, Level.EASY, None)
    return Rating(hardest.rating, name_score(hardest.rating), hardest.technique)


class Strength(enum.IntEnum):
    """How much a hint gives away."""

    WHERE = 1
    TECHNIQUE = 2
    STEP = 3


@dataclass(frozen=True)
class Hint:
    """What a hint of some strength says, and no more.

    Attributes:
        strength: how much it gives away.
        text: one or two sentences for people.
        units: where to look, as the rules number them; of 9×9, rows 0..8, columns 9..17, boxes
            18..26. Cages come after the units.
        cells: to highlight; none below the strength STEP.
        step: the step itself; None below the strength STEP.
    """

    strength: Strength
    text: str
    units: tuple[int, ...]
    cells: tuple[int, ...] = ()
    step: Step | None = None


def make_hint(step: Step, strength: Strength, masks: RuleMasks = CLASSIC) -> Hint:
    """Return the hint at a step that is known."""
    units = where_of(step, masks)
    words = Words(rules=masks.rules)
    where = f"Look at {words.units(units)}."
    if strength is Strength.WHERE:
        return Hint(strength, where, units)
    what = f"{where} The technique is: {step.technique.label}."
    if strength is Strength.TECHNIQUE:
        return Hint(strength, what, units)
    return Hint(strength, explain(step, words), units, step.cells, step)


def where_of(step: Step, masks: RuleMasks) -> tuple[int, ...]:
    """Return the step's units, or the fewest boxes that hold its cells."""
    if step.units:
        return tuple(dict.fromkeys(step.units))
    cells = step.cells or tuple(cell for cell, _ in (*step.placements, *step.eliminations))
    return tuple(sorted({masks.box_of(cell) for cell in cells}))


@dataclass(frozen=True)
class HumanSolver:
    """Takes one step of logic after the other and never guesses.

    Techniques that assume one solution are sound here too, because what they lead to is proved to
    be the only solution before it is shown.

    Attributes:
        clock: seconds, counted from anywhere.
    """

    clock: Callable[[], float] = time.perf_counter
    name = "human"
    is_complete = False
    sizes = frozenset({9})

    def solve(self, clues: Grid, limits: Limits) -> Result:
        """Solve by techniques; a search for one of them is an iteration.

        Args:
            clues: (9, 9) uint8, 0 = empty. Not changed.
            limits: seconds and iterations count.

        Raises:
            ValueError: if the clues are no grid, or not 9×9.
        """
        budget = EffortBudget(limits, self.clock)
        clues = admit_clues(clues, self)
        position = Position.from_grid(clues)
        while not position.is_solved:
            searches = iter(()) if position.is_broken else look(position, Options())
            step = None
            while step is None and budget.allow(1) > 0:
                try:
                    step = next(searches)
                except StopIteration:
                    break
                budget.iterations += 1
            if step is None:
                break
            position.apply(step)
        note = "no technique finds another step" if budget.allow(1) > 0 else "a limit was met"
        proposals = (position.to_grid(),) if position.is_solved else ()
        note = "" if proposals else note
        return conclude(clues, proposals, budget.effort(), is_exhaustive=False, note=note)
