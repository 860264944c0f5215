"""Hints, walks, candidates and checks, as a person is told them."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from present import present
from puzzles import CHAINS, EASY, EASY_GRID, EASY_SOLUTION_GRID, HARD

from app.help import help_words as assistance_words
from app.help.assistance import (
    HelpMessage,
    Progress,
    check_written,
    find_contradictions,
    name_rating,
    show_candidates,
    suggest_cell,
)
from app.help.hints import Depth, HintSource, find_hint, tell_depth, walk
from app.report.board_marks import Highlight, Mark, Note, NoteKind, changed_marks
from solver.base import Limits
from solver.exact.bitmask import BitmaskSolver
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import Grid, parse_grid
from solver.human.masks import CLASSIC
from solver.human.position import Step, Technique, make_step
from solver.human.reasons import ENDS, explain
from solver.human.walk import rate, solve_path
from solver.human.words import Words
from solver.rules import Kind


def empty() -> Grid:
    return np.zeros((9, 9), np.uint8)


def solve(clues: Grid) -> Grid:
    return present(BitmaskSolver().solve(clues, Limits()).solution)


def depths_of(source: HintSource) -> list[HelpMessage]:
    """Return what is told at each depth of a hint."""
    return [tell_depth(source, depth, Words()) for depth in Depth]


def first_step() -> Step:
    return present(find_hint(progress_of(EASY)).step)


def progress_of(text: str, *entries: tuple[int, int]) -> Progress:
    clues = parse_grid(text)
    written = empty()
    for cell, digit in entries:
        written.ravel()[cell] = digit
    return Progress(clues, written, solve(clues))


@pytest.fixture(scope="module")
def rated_puzzles(shared_data: Path) -> list[Grid]:
    lines = (shared_data / "puzzles" / "se_rated.csv").read_text().splitlines()[1:]
    return [parse_grid(line.split(",")[0]) for line in lines[:: len(lines) // 20]]


def test_a_hint_says_where_to_look_then_the_technique_then_the_digit() -> None:
    source = find_hint(progress_of(EASY))

    look, pattern, step = depths_of(source)

    assert source.step is not None
    ((cell, digit),) = source.step.placements
    assert look.text.startswith("Look at ")
    assert source.step.technique.label not in look.text
    assert source.step.technique.label in pattern.text
    assert set(look.highlight.marks.values()) == {Mark.UNIT}
    assert not look.highlight.digits
    assert not look.highlight.notes
    assert Mark.PATTERN in pattern.highlight.marks.values()
    assert not pattern.highlight.digits
    assert not pattern.highlight.notes
    assert str(digit) in step.text
    assert f"r{cell // 9 + 1}c{cell % 9 + 1}" in step.text
    assert step.highlight.digits == {cell: digit}
    assert step.highlight.marks[cell] is Mark.TARGET


def test_a_wrong_entry_is_told_before_any_hint() -> None:
    source = find_hint(progress_of(EASY, (2, 5)))

    look, pattern, step = depths_of(source)

    assert source.step is None
    assert "wrong, in box 1" in look.text
    assert pattern.highlight.marks == {2: Mark.BAD}
    assert step.text.endswith("but is 4.")


def test_a_hint_goes_on_from_right_entries_and_does_not_draw_what_is_written() -> None:
    first = first_step()
    written = progress_of(EASY, *first.placements)

    assert present(find_hint(written).step).placements != first.placements
    assert find_hint(written, (first,)).told_digits == {}


def test_steps_that_were_told_are_not_told_again() -> None:
    progress = progress_of(CHAINS)
    taken: list[Step] = []
    for _ in range(12):
        source = find_hint(progress, tuple(taken))
        taken.append(present(source.step))

    assert len({(step.placements, step.eliminations) for step in taken}) == 12
    assert tell_depth(source, Depth.LOOK, Words()).highlight.digits == source.told_digits


def test_a_hint_is_honest_where_no_technique_goes_on() -> None:
    source = find_hint(progress_of(HARD))
    taken: list[Step] = []
    while source.step is not None:
        taken.append(source.step)
        source = find_hint(source.progress, tuple(taken))

    told = tell_depth(source, Depth.LOOK, Words())

    assert source.is_stuck
    assert told.highlight.marks == {suggest_cell(present(source.position)): Mark.TARGET}
    assert "Reveal a cell" in told.text


@pytest.mark.parametrize(
    ("progress", "text", "marks"),
    [
        (Progress(EASY_GRID, empty(), None), assistance_words.UNVERIFIED, {}),
        (
            Progress(parse_grid("55" + EASY[2:]), empty(), None),
            "5 stands twice in row 1. 5 stands twice in box 1.",
            {0: Mark.BAD, 1: Mark.BAD},
        ),
        (
            Progress(EASY_GRID, EASY_SOLUTION_GRID, EASY_SOLUTION_GRID),
            assistance_words.FINISHED,
            {},
        ),
    ],
    ids=["nothing is verified", "digits contradict each other", "finished"],
)
def test_where_there_is_no_hint_the_reason_is_told(
    progress: Progress, text: str, marks: dict[int, Mark]
) -> None:
    for told in depths_of(find_hint(progress)):
        assert (told.text, told.highlight) == (text, Highlight(marks))


def test_a_grid_without_contradictions_names_none() -> None:
    assert find_contradictions(progress_of(EASY), Words()) is None


def test_a_hint_that_contradicts_the_solution_is_withheld() -> None:
    # Whatever the engine finds for the clues is not true of this solution.
    false = (EASY_SOLUTION_GRID % 9 + 1).astype(np.uint8)

    assert find_hint(Progress(EASY_GRID, empty(), false)).step is None


def test_an_elimination_shows_what_is_struck_and_why() -> None:
    progress = progress_of(CHAINS)
    taken: list[Step] = []
    source = find_hint(progress)
    while not (step := present(source.step)).eliminations:
        taken.append(step)
        source = find_hint(progress, tuple(taken))

    told = tell_depth(source, Depth.STEP, Words())

    struck = {(n.cell, n.digit) for n in told.highlight.notes if n.kind is NoteKind.REMOVED}
    reasons = {n.cell for n in told.highlight.notes if n.kind is NoteKind.REASON}
    assert struck == set(step.eliminations)
    assert reasons == set(step.cells)
    assert told.highlight.digits == source.told_digits


def test_a_chain_across_the_board_tints_no_boxes_and_names_none() -> None:
    source = find_hint(progress_of(HARD))
    assert source.step is not None
    assert source.step.units == ()

    look, pattern, step = depths_of(source)

    assert look.text == "Look across the whole board."
    assert look.highlight.is_empty
    assert set(pattern.highlight.marks.values()) == {Mark.PATTERN}
    struck = {cell for cell, _ in source.step.eliminations}
    assert {c for c, mark in step.highlight.marks.items() if mark is Mark.TARGET} == struck


def test_entries_are_marked_right_wrong_and_unsure() -> None:
    told = check_written(progress_of(EASY, (2, 4), (3, 7), (5, 9)), Words(), unsure=[5])

    assert told.text == "1 right, 1 wrong: r1c4. Not read for sure: r1c6."
    assert told.highlight.marks == {2: Mark.GOOD, 3: Mark.BAD, 5: Mark.UNSURE}


def test_a_candidate_that_is_needed_and_not_noted_is_named() -> None:
    noted = replace(progress_of(EASY), notes=(0, 0, 1 << 4 | 1 << 6, 1 << 4))

    told = check_written(noted, Words())
    fine = check_written(replace(noted, notes=noted.notes[:3]), Words())

    assert told.text == "The right candidate is struck out: r1c4."
    assert told.highlight.marks == {3: Mark.BAD}
    assert fine.text == assistance_words.NO_ENTRIES


@pytest.mark.parametrize(
    ("entries", "text"),
    [
        ([(2, 4)], "Your one entry is right."),
        ([(2, 4), (3, 6)], "All 2 of your entries are right."),
    ],
)
def test_faultless_entries_are_praised(entries: list[tuple[int, int]], text: str) -> None:
    assert check_written(progress_of(EASY, *entries), Words()).text == text


def test_entries_are_not_judged_without_a_verified_solution() -> None:
    told = check_written(replace(progress_of(EASY, (2, 4)), solution=None), Words())

    assert told.text == assistance_words.UNCHECKED
    assert told.highlight.is_empty


def test_what_stands_on_a_clue_is_no_entry() -> None:
    told = check_written(Progress(EASY_GRID, EASY_GRID, EASY_SOLUTION_GRID), Words())

    assert told.text == assistance_words.NO_ENTRIES


def test_candidates_are_the_digits_that_no_peer_holds() -> None:
    notes = show_candidates(progress_of(EASY)).notes

    assert {note.digit for note in notes if note.cell == 2} == {1, 2, 4}
    assert all(note.kind is NoteKind.CANDIDATE for note in notes)


def test_candidates_after_logic_are_fewer_and_keep_the_solution() -> None:
    progress = progress_of(CHAINS)

    legal = {(n.cell, n.digit) for n in show_candidates(progress).notes}
    left = {(n.cell, n.digit) for n in show_candidates(progress, after_logic=True).notes}

    assert left < legal
    digits = present(progress.solution).ravel()
    empties = np.flatnonzero(progress.clues.ravel() == 0).tolist()
    assert {(cell, int(digits[cell])) for cell in empties} <= left


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (EASY, "Easy (1.2); hardest step: hidden single in a box"),
        (HARD, "Extreme; beyond the techniques known here"),
    ],
)
def test_difficulty_is_told_in_words(text: str, said: str) -> None:
    assert name_rating(rate(parse_grid(text)), Words(), is_full=False) == said


def test_a_rating_can_be_ended_before_any_step() -> None:
    steps: list[int] = []

    def stop_at_the_third() -> None:
        steps.append(len(steps))
        if len(steps) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        rate(parse_grid(EASY), stop_at_the_third)

    assert steps == [0, 1, 2]


def test_a_walk_leads_from_the_clues_to_the_solution() -> None:
    progress = progress_of(EASY)

    walked = present(walk(progress, Words()))

    assert walked[0].highlight.is_empty
    grid = progress.clues.copy()
    for cell, digit in walked[-1].highlight.digits.items():
        grid.ravel()[cell] = digit
    assert grid.tolist() == present(progress.solution).tolist()
    counts = [len(step.highlight.digits) for step in walked]
    assert counts == sorted(counts)


def test_a_walk_that_ends_early_says_so_and_one_that_is_ended_or_not_verified_is_none() -> None:
    unverified = replace(progress_of(EASY), solution=None)

    assert present(walk(progress_of(HARD), Words()))[-1].text == assistance_words.WALK_STUCK
    assert walk(progress_of(CHAINS), Words(), may_go_on=iter([True, True, False]).__next__) is None
    assert walk(unverified, Words()) is None


def test_a_walk_does_not_draw_over_right_entries() -> None:
    walked = present(walk(progress_of(EASY, (2, 4)), Words()))

    assert 2 not in walked[-1].highlight.digits
    assert 3 in walked[-1].highlight.digits


def test_cells_and_units_are_named_in_the_language() -> None:
    german = {
        "r{row}c{column}": "Z{row}S{column}",
        "{first} and {last}": "{first} und {last}",
        "row {number}": "Zeile {number}",
    }
    words = Words(lambda text: german.get(text, text))

    assert words.cells([0, 10, 80]) == "Z1S1, Z2S2 und Z9S9"
    assert words.units([0, 9]) == "Zeile 1 und column 1"


def test_every_step_of_rated_puzzles_can_be_told_in_any_language(rated_puzzles: list[Grid]) -> None:
    techniques = set()
    for clues in rated_puzzles:
        progress = Progress(clues, empty(), solve(clues))
        walked = present(walk(progress, Words()))

        assert walked[-1].text == assistance_words.WALK_END
        for step in walked:
            assert "{" not in step.text
            assert "Whichever way the chain" not in step.text
            cells = [note.cell for note in step.highlight.notes]
            assert not set(cells) & set(step.highlight.digits)
        techniques |= {re.sub(r" \d$", "", step.title.rpartition(", ")[2]) for step in walked}
    assert len(techniques) > 20


def test_a_chain_is_said_link_by_link_in_any_language() -> None:
    step = make_step(
        CLASSIC,
        Technique.XY_CHAIN,
        cells=0b111,
        removals=[(5, 7)],
        why=ENDS,
        start=(6 * 81, False),
        then=[(1 * 81, True), (2 * 81 + 1, True), (6 * 81 + 2, True)],
        first=(6 * 81, True),
        second=(6 * 81 + 2, True),
    )
    other = {
        "{before}, so {after}": "{before} → {after}",
        "{cell} is {digit}": "{cell} = {digit}",
        "{cell} is not {digit}": "{cell} ≠ {digit}",
    }

    assert explain(step) == (
        "If r1c1 is not 7, then r1c1 is 2, so r1c2 is 3, so r1c3 is 7. So r1c1 is 7 or r1c3 is 7, "
        "and what both rule out is wrong. Strike 7 from r1c6."
    )
    assert explain(step, Words(lambda text: other.get(text, text))).startswith(
        "If r1c1 ≠ 7, then r1c1 = 2 → r1c2 = 3 → r1c3 = 7. So r1c1 = 7 or r1c3 = 7, and"
    )


@pytest.mark.parametrize(
    "options",
    [
        KindOptions(side=12, clues=50),
        KindOptions(Kind.JIGSAW),
        KindOptions(Kind.DIAGONAL),
        KindOptions(Kind.WINDOKU),
        KindOptions(Kind.KILLER),
    ],
    ids=lambda options: f"{options.kind.value} of side {options.side}",
)
def test_sentences_of_every_kind_name_its_cells_and_digits(options: KindOptions) -> None:
    (puzzle,) = generate_kind(1, options, seed=27)
    symbols = [f"<{digit}>" for digit in range(1, options.side + 1)]
    words = Words(rules=puzzle.rules, symbols=symbols)
    path = solve_path(puzzle.clues, rules=puzzle.rules)

    assert path.is_solved
    for step in path.steps:
        told = explain(step, words)
        for cell, digit in (*step.placements, *step.eliminations):
            assert words.cell(cell) in told
            if not step.total:
                assert symbols[digit - 1] in told
        assert set(re.findall(r"r\d+c\d+", told)) <= set(map(words.sign, puzzle.rules.cells))


def test_only_cells_that_are_marked_otherwise_are_painted_again() -> None:
    one, other = NoteKind.CANDIDATE, NoteKind.REMOVED
    old = Highlight({1: Mark.UNIT, 2: Mark.UNIT}, (Note(3, 5, one), Note(4, 6, one)), {7: 1})
    new = Highlight({1: Mark.UNIT, 2: Mark.BAD}, (Note(3, 5, other), Note(4, 6, one)), {8: 1})

    assert changed_marks(old, old) == ()
    assert changed_marks(old, new) == (2, 3, 7, 8)
    assert changed_marks(old, Highlight()) == (1, 2, 3, 4, 7)
