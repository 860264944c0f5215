"""Hints in three strengths: where to look, which technique, the step itself."""

import enum
from dataclasses import dataclass

from solver.grid import Grid
from solver.human.masks import UNITS_OF
from solver.human.position import Position
from solver.human.step import Step, name_units
from solver.human.technique_engine import Options
from solver.human.walk import next_step


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
        units: where to look: rows 0..8, columns 9..17, boxes 18..26.
        cells: to highlight, 0..80; none below the strength STEP.
        step: the step itself; None below the strength STEP.
    """

    strength: Strength
    text: str
    units: tuple[int, ...]
    cells: tuple[int, ...] = ()
    step: Step | None = None


def hint(
    puzzle: Grid | Position, strength: Strength, options: Options | None = None
) -> Hint | None:
    """Return a hint at the next step, or None when no technique finds one.

    Args:
        puzzle: (9, 9) uint8, clues and entries together, 0 = empty; or a position.
        strength: how much to give away.
        options: the teaching order where None.

    Raises:
        UnsuitablePuzzleError: if a grid has no solution, or several and the options assume one.
        GaveUpError: if that takes too long to prove.
        ValueError: if it is no grid.
    """
    step = next_step(puzzle, options)
    return None if step is None else tell_hint(step, strength)


def tell_hint(step: Step, strength: Strength) -> Hint:
    """Return the hint at a step that is known."""
    units = _where(step)
    where = f"Look at {name_units(units)}."
    if strength is Strength.WHERE:
        return Hint(strength, where, units)
    what = f"{where} The technique is: {step.technique.label}."
    if strength is Strength.TECHNIQUE:
        return Hint(strength, what, units)
    return Hint(strength, step.explanation, units, step.cells, step)


def _where(step: Step) -> tuple[int, ...]:
    """Return the step's units, or the fewest boxes that hold its cells."""
    if step.units:
        return tuple(dict.fromkeys(step.units))
    cells = step.cells or tuple(cell for cell, _ in (*step.placements, *step.eliminations))
    return tuple(sorted({UNITS_OF[cell][2] for cell in cells}))
