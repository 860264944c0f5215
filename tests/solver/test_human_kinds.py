"""Techniques on puzzles of other kinds: every step holds, and names its cells and units rightly."""

import re
from functools import cache

import numpy as np
import pytest
from present import present

from solver.exact.bitmask import search
from solver.formats_kinds import KindPuzzle
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.human.masks import CLASSIC, masks_of
from solver.human.position import Position, Technique
from solver.human.reasons import explain
from solver.human.walk import Strength, UnsuitablePuzzleError, make_hint, next_step, solve_path
from solver.human.words import Words
from solver.rules import (
    SAMURAI_GRIDS,
    Cage,
    Kind,
    Rules,
    box_rules,
    jigsaw_rules,
    killer_rules,
    samurai_rules,
)

MADE = {
    "4×4": KindOptions(side=4),
    "6×6": KindOptions(side=6),
    "8×8": KindOptions(side=8),
    "12×12": KindOptions(side=12, clues=70),
    "jigsaw": KindOptions(kind=Kind.JIGSAW, clues=26),
    "jigsaw 6×6": KindOptions(kind=Kind.JIGSAW, side=6),
    "diagonal": KindOptions(kind=Kind.DIAGONAL, clues=24),
    "windoku": KindOptions(kind=Kind.WINDOKU, clues=24),
    "killer": KindOptions(kind=Kind.KILLER),
    "killer 6×6": KindOptions(kind=Kind.KILLER, side=6),
    "samurai of two grids": KindOptions(kind=Kind.SAMURAI, n_grids=2, clues=55),
}


@cache
def make(name: str) -> KindPuzzle:
    (puzzle,) = generate_kind(1, MADE[name], seed=26)
    return puzzle


def empty(rules: Rules) -> np.ndarray:
    return np.zeros((rules.width, rules.width), np.uint8)


@pytest.mark.parametrize("name", MADE)
def test_every_step_holds_names_its_cells_and_leads_to_the_solution(name: str) -> None:
    puzzle = make(name)
    (solution,) = search(puzzle.clues.ravel().tolist(), 2, rules=puzzle.rules).solutions
    position = Position.from_grid(puzzle.clues, puzzle.rules)
    words = Words(rules=puzzle.rules)

    path = solve_path(puzzle.clues, rules=puzzle.rules)

    assert path.is_solved
    assert path.grid.ravel().tolist() == solution
    for step in path.steps:
        changes = *step.placements, *step.eliminations
        assert changes
        assert all(position.cells[cell] >> digit - 1 & 1 for cell, digit in changes)
        assert all(solution[cell] == digit for cell, digit in step.placements)
        assert all(solution[cell] != digit for cell, digit in step.eliminations)
        position.apply(step)
        firsts = {position.masks.unit_names[unit].first_cell for unit in step.units}
        changed = {cell for cell, _ in changes}
        told = explain(step, words)
        known = {words.cell(cell) for cell in {*step.cells, *changed, *firsts}}
        assert set(re.findall(r"r\d+c\d+", told)) <= known
        assert all(words.cell(cell) in told for cell in changed)


DIAGONAL, WINDOKU = box_rules(9, Kind.DIAGONAL), box_rules(9, Kind.WINDOKU)
CAGE = killer_rules([Cage(4, (0, 1))])
ALMOST = np.zeros((12, 12), np.uint8)
ALMOST[0, :11] = range(1, 12)


@pytest.mark.parametrize(
    ("position", "gone", "technique", "told"),
    [
        (
            Position(masks_of(DIAGONAL)),
            {5: (0, 10, 20, 30, 40, 50, 60, 80)},
            Technique.HIDDEN_SINGLE,
            "In the falling diagonal, 5 fits only in r8c8.",
        ),
        (
            Position(masks_of(WINDOKU)),
            {7: (19, 20, 21, 28, 29, 30)},  # the window's second and third row
            Technique.POINTING,
            "In window 1, 7 fits only in r2c2, r2c3 or r2c4, all in row 2, so the rest of row 2",
        ),
        (
            Position(masks_of(CAGE)),
            {},
            Technique.CAGE_COMBINATIONS,
            "In the cage 4 at r1c1, a sum of 4 is left for r1c1 and r1c2, which is 1+3. Strike 2,",
        ),
        (
            Position(masks_of(CAGE)),
            # The box has lost both digits that the cage has left.
            dict.fromkeys((2, 4, 5, 6, 7, 8, 9), (0, 1))
            | dict.fromkeys((1, 3), (2, 9, 10, 11, 18, 19, 20)),
            Technique.CAGE_DIGIT,
            "In the cage 4 at r1c1, the sum needs 1, which fits only in r1c1 or r1c2",
        ),
        (
            Position(masks_of(killer_rules([Cage(22, (1, 2, 3, 4)), Cage(20, (5, 6, 7, 8))]))),
            {},
            Technique.INNIES_OUTIES,
            "By the rule of 45, row 1 and the cages there leave 3 for r1c1.",
        ),
        (
            Position.from_grid(ALMOST, box_rules(12)),
            {},
            Technique.FULL_HOUSE,
            "r1c12 is the last empty cell of row 1, so it takes the missing C.",
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Technique) else "",
)
def test_what_a_kind_adds_is_found_and_told(
    position: Position, gone: dict[int, tuple[int, ...]], technique: Technique, told: str
) -> None:
    for digit, cells in gone.items():
        for cell in cells:
            position.remove(cell, digit)

    step = present(next_step(position))

    assert step.technique is technique
    assert explain(step, Words(rules=position.masks.rules)).startswith(told)


def test_a_puzzle_with_several_solutions_has_no_step() -> None:
    rules = box_rules(6)

    with pytest.raises(UnsuitablePuzzleError):
        next_step(empty(rules), rules=rules)


def test_the_rule_of_45_gives_an_outie() -> None:
    cages = [Cage(18, (0, 1, 2)), Cage(12, (3, 4, 5)), Cage(22, (6, 7, 8, 17))]
    rules = killer_rules(cages)
    position = Position.from_grid(empty(rules), rules)
    while (step := next_step(position)) and step.technique is not Technique.INNIES_OUTIES:
        position.apply(step)

    assert step is not None
    assert step.placements == ((17, 7),)


def test_units_are_called_what_people_call_them() -> None:
    rows = [[row * 4 + column for column in range(4)] for row in range(4)]
    jigsaw = masks_of(jigsaw_rules([[0, 1, 2, 4], [3, 7, 6, 5], rows[2], rows[3]]))
    diagonal = masks_of(box_rules(9, Kind.DIAGONAL))
    windoku = masks_of(box_rules(9, Kind.WINDOKU))
    killer = masks_of(killer_rules([Cage(15, (10, 11))]))
    samurai = masks_of(samurai_rules(SAMURAI_GRIDS[2]))

    assert CLASSIC.is_classic
    assert not diagonal.is_classic
    assert Words(rules=jigsaw.rules).unit(9) == "the region at r1c4"
    assert (
        Words(rules=diagonal.rules).units([27, 28])
        == "the falling diagonal and the rising diagonal"
    )
    assert Words(rules=windoku.rules).units([2, 27, 30]) == "row 3 and windows 1 and 4"
    assert Words(rules=killer.rules).unit(27) == "the cage 15 at r2c2"
    named = {Words(rules=samurai.rules).unit(unit) for unit in range(len(samurai.rules.units))}
    assert len(named) == len(samurai.rules.units) == 53
    assert {"row 9 of grid 1", "row 9 of grid 2", "column 15 of grid 2"} <= named
    assert "row 1 of grid 2" not in named


def test_a_hint_of_another_kind_says_where_to_look() -> None:
    puzzle = make("jigsaw")

    step = present(next_step(puzzle.clues, rules=puzzle.rules))

    masks = masks_of(puzzle.rules)
    told = make_hint(step, Strength.WHERE, masks)
    assert told.text == f"Look at {Words(rules=puzzle.rules).units(told.units)}."
    assert make_hint(step, Strength.STEP, masks).step is step
