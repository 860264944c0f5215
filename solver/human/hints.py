"""Hints in three strengths: where to look, which technique, the step itself."""

import enum
from dataclasses import dataclass

from solver.grid import Grid
from solver.human.masks import CLASSIC, RuleMasks, masks_of
from solver.human.position import Position
from solver.human.step import Step, name_units
from solver.human.technique_engine import Options
from solver.human.walk import next_step
from solver.rules import Rules


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


def hint(
    puzzle: Grid | Position,
    strength: Strength,
    options: Options | None = None,
    rules: Rules | None = None,
) -> Hint | None:
    """Return a hint at the next step, or None when no technique finds one.

    Args:
        puzzle: (width, width) uint8, clues and entries together, 0 = empty or no cell; or a
            position.
        strength: how much to give away.
        options: the teaching order where None.
        rules: of a grid; None for the usual ones of 9×9.

    Raises:
        UnsuitablePuzzleError: if a grid has no solution, or several and the options assume one.
        GaveUpError: if that takes too long to prove.
        ValueError: if it is no grid of these rules.
    """
    step = next_step(puzzle, options, rules)
    if step is None:
        return None
    masks = CLASSIC if rules is None else masks_of(rules)
    return tell_hint(step, strength, puzzle.masks if isinstance(puzzle, Position) else masks)


def tell_hint(step: Step, strength: Strength, masks: RuleMasks = CLASSIC) -> Hint:
    """Return the hint at a step that is known."""
    units = where_of(step, masks)
    where = f"Look at {name_units(units, masks)}."
    if strength is Strength.WHERE:
        return Hint(strength, where, units)
    what = f"{where} The technique is: {step.technique.label}."
    if strength is Strength.TECHNIQUE:
        return Hint(strength, what, units)
    return Hint(strength, step.explanation, units, step.cells, step)


def where_of(step: Step, masks: RuleMasks) -> tuple[int, ...]:
    """Return the step's units, or the fewest boxes that hold its cells."""
    if step.units:
        return tuple(dict.fromkeys(step.units))
    cells = step.cells or tuple(cell for cell, _ in (*step.placements, *step.eliminations))
    return tuple(sorted({masks.box_of(cell) for cell in cells}))
