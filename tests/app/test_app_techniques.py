"""Pages on techniques and practice: their words, their examples, and what is found for them."""

import itertools
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from present import present
from puzzles import EASY, EASY_GRID, EASY_SOLUTION_GRID

from app.help.assistance import Progress
from app.help.help_words import words_of
from app.help.hints import find_hint
from app.help.technique_lessons import (
    EXAMPLES,
    LESSONS,
    NEEDED_LATER,
    NEEDED_NEXT,
    SHOWN_ONLY,
    find_need,
    find_pattern,
    find_practice,
    next_technique,
)
from app.report.board_marks import Mark
from app.terminal.languages import LANGUAGES
from solver.exact.bitmask import count_solutions
from solver.exact.rule_search import search_rules
from solver.formats_kinds import KindPuzzle, parse_kind_puzzle
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import Grid, format_grid
from solver.human.position import Position, Technique
from solver.human.technique_engine import find_technique
from solver.human.words import Words
from solver.rules import Kind

OF_RATINGS_ONLY = {
    Technique.DIRECT_POINTING,
    Technique.DIRECT_CLAIMING,
    Technique.DIRECT_HIDDEN_PAIR,
    Technique.DIRECT_HIDDEN_TRIPLE,
    Technique.THREE_STRONG_LINKS,
    Technique.GROUPED_STRONG_LINKS,
    Technique.VWXYZ_WING,
    Technique.X_CYCLE,
    Technique.XY_CYCLE,
    Technique.NISHIO,
}
"""Techniques that hints never speak of."""


def progress_of(clues: Grid, solution: Grid | None = None) -> Progress:
    return Progress(clues, np.zeros_like(clues), solution)


EASY_PROGRESS = progress_of(EASY_GRID, EASY_SOLUTION_GRID)


def progress_of_kind(puzzle: KindPuzzle, notes: tuple[int, ...] = ()) -> Progress:
    return replace(progress_of(puzzle.clues, solve_kind(puzzle)), rules=puzzle.rules, notes=notes)


def solve_kind(puzzle: KindPuzzle) -> Grid:
    (digits,) = search_rules(
        puzzle.rules, puzzle.clues.ravel().tolist(), 2, lambda _: True
    ).solutions
    return np.array(digits, np.uint8).reshape(puzzle.clues.shape)


@cache
def a_killer() -> KindPuzzle:
    return next(generate_kind(1, KindOptions(Kind.KILLER), seed=4))


def test_every_technique_that_hints_speak_of_has_a_page() -> None:
    assert set(LESSONS) == set(Technique) - OF_RATINGS_ONLY
    assert set(LESSONS) == set(EXAMPLES)
    assert len(EXAMPLES) == len(NEEDED_NEXT) + len(NEEDED_LATER) + len(SHOWN_ONLY)


@pytest.mark.parametrize("technique", LESSONS, ids=lambda one: one.name.lower())
def test_a_page_is_short_and_plain(technique: Technique) -> None:
    what, *others = LESSONS[technique].tell(Words())

    sentences = re.split(r"(?<=[.!?]) ", " ".join((what, *others)))
    assert 2 <= len(re.split(r"(?<=[.!?]) ", what)) <= 4
    assert max(len(sentence.split()) for sentence in sentences) <= 25


@pytest.mark.parametrize("technique", LESSONS, ids=lambda one: one.name.lower())
def test_a_page_is_told_in_every_language(technique: Technique) -> None:
    told = [LESSONS[technique].tell(words_of(language)) for language in LANGUAGES]

    assert all(all(texts) for texts in told)
    for part in zip(*told, strict=True):
        assert len(set(part)) == len(LANGUAGES)


@pytest.mark.parametrize("technique", EXAMPLES, ids=lambda one: one.name.lower())
def test_an_example_shows_its_technique(technique: Technique) -> None:
    puzzle = parse_kind_puzzle(EXAMPLES[technique])
    grid, rules = puzzle.clues, puzzle.rules

    step = present(find_technique(Position.from_grid(grid, rules), technique))

    assert count_solutions(grid, rules=rules) == 1
    assert step.technique is technique
    solution = solve_kind(puzzle)
    assert all(solution.flat[cell] != digit for cell, digit in step.eliminations)
    assert all(solution.flat[cell] == digit for cell, digit in step.placements)


def test_the_picture_is_of_the_board_at_hand() -> None:
    found = find_pattern(Technique.HIDDEN_SINGLE_BOX, EASY_PROGRESS, Words())

    assert found.is_at_hand
    assert format_grid(found.puzzle.clues) == EASY
    ((cell, digit),) = found.told.highlight.digits.items()
    assert EASY_SOLUTION_GRID.flat[cell] == digit
    assert found.told.highlight.marks[cell] is Mark.TARGET


@pytest.mark.parametrize("technique", [Technique.CAGE_COMBINATIONS, Technique.INNIES_OUTIES])
def test_the_picture_is_of_a_killer_at_hand(technique: Technique) -> None:
    found = find_pattern(technique, progress_of_kind(a_killer()), Words())

    assert found.is_at_hand
    assert found.puzzle.rules == a_killer().rules
    assert "cage" in found.told.text
    assert found.told.highlight.marks


def test_a_killer_shows_no_technique_that_rests_on_one_solution() -> None:
    position = Position.from_grid(a_killer().clues, a_killer().rules)

    assert find_technique(position, Technique.UNIQUE_RECTANGLE_1) is None


def test_a_classic_board_shows_sums_in_an_example() -> None:
    found = find_pattern(Technique.CAGE_COMBINATIONS, EASY_PROGRESS, Words())

    assert not found.is_at_hand
    assert found.puzzle.rules.cages


@pytest.mark.parametrize(
    "technique",
    [
        Technique.HIDDEN_SINGLE,
        Technique.CAGE_COMBINATIONS,
        Technique.INNIES_OUTIES,
        Technique.CAGE_DIGIT,
    ],
)
def test_what_only_other_kinds_have_is_practised_on_these(technique: Technique) -> None:
    found = present(find_practice(technique, seed=5, may_go_on=lambda: True, clock=lambda: 0.0))

    hint = find_hint(progress_of_kind(found.puzzle, found.notes))
    assert present(hint.step).technique is technique


def test_hints_go_on_from_right_notes_alone() -> None:
    killer = a_killer()
    right = int(present(killer.solution).flat[40])
    other = right % 9 + 1

    def candidates(noted: int) -> int:
        notes = tuple(noted if cell == 40 else 0 for cell in range(81))
        return progress_of_kind(killer, notes).open_position().cells[40].bit_count()

    assert candidates(1 << right | 1 << other) == 2
    assert candidates(1 << right) == candidates(1 << other) == candidates(0) == 9


@pytest.mark.parametrize("progress", [EASY_PROGRESS, None], ids=["no such pattern", "no board"])
def test_where_the_board_has_no_such_pattern_an_example_is_shown(progress: Progress | None) -> None:
    found = find_pattern(Technique.BUG, progress, Words())

    assert not found.is_at_hand
    assert format_grid(found.puzzle.clues) == NEEDED_NEXT[Technique.BUG]
    assert Mark.PATTERN in found.told.highlight.marks.values()


def test_a_board_without_a_verified_solution_shows_nothing_of_its_own() -> None:
    found = find_pattern(Technique.HIDDEN_SINGLE_BOX, progress_of(EASY_GRID), Words())

    assert not found.is_at_hand


@pytest.mark.parametrize("technique", [Technique.NAKED_SINGLE, Technique.POINTING])
def test_practice_is_found_among_new_puzzles(technique: Technique) -> None:
    found = present(find_practice(technique, seed=5, may_go_on=lambda: True, clock=lambda: 0.0))

    assert found.is_new
    assert next_technique(found.puzzle) is technique
    assert count_solutions(found.puzzle.clues) == 1


def test_a_rare_technique_is_practised_on_a_stored_position_in_another_guise() -> None:
    technique = Technique.SWORDFISH

    found = present(find_practice(technique, seed=5, may_go_on=lambda: True, seconds=0.0))

    assert not found.is_new
    assert format_grid(found.puzzle.clues) != NEEDED_NEXT[technique]
    assert next_technique(found.puzzle) is technique
    assert count_solutions(found.puzzle.clues) == 1


@pytest.mark.parametrize("technique", LESSONS, ids=lambda one: one.name.lower())
def test_a_stored_position_can_be_practised_of_every_technique(technique: Technique) -> None:
    found = present(find_practice(technique, seed=5, may_go_on=lambda: True, seconds=0.0))

    assert not found.is_new
    assert found.is_next == (technique not in SHOWN_ONLY)
    progress = progress_of_kind(found.puzzle, found.notes)
    if found.is_next:
        assert present(find_hint(progress).step).technique is technique
    else:
        assert find_pattern(technique, progress, Words()).is_at_hand


def test_a_search_ends_when_nobody_waits() -> None:
    asked = itertools.count()

    found = find_practice(
        Technique.JELLYFISH, seed=5, may_go_on=lambda: next(asked) < 200, clock=lambda: 0.0
    )

    assert found is None
    assert next(asked) < 300


def test_a_puzzle_that_never_needs_a_technique_is_passed_over() -> None:
    assert find_need(parse_kind_puzzle(EASY), Technique.X_WING, lambda: True) is None
