"""The loop over the places of a photo: what their digits say."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from places_rig import Oracle, Page, Reader, Shown, candidate_at

from app.recognition.detection_loop import Answer, Looks, PhotoRecognizer
from app.recognition.outcome import Outcome
from app.recognition.pipeline_options import PipelineOptions
from app.recognition.timing import StageClock
from solver.rules import Kind, box_rules
from vision.quality import BoardQuality

ROOMY = np.zeros((90, 360, 3), np.uint8)
"""A photo of the area of four places."""


def ask(
    looks: Looks, options: PipelineOptions | None = None, beside: Shown | None = None
) -> PhotoRecognizer:
    return PhotoRecognizer(looks, options or PipelineOptions(), StageClock(), lambda: beside)


def test_a_board_solved_at_first_sight_is_not_read_again() -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    asked = ask(oracle)
    place = candidate_at(10)

    assert asked.answer(place, False) is Answer.BOARD
    assert asked.solve(place).outcome is Outcome.SOLVED

    assert oracle.asked == [(10, True)]
    assert [float(board.lattice[0, 0, 0]) for board in asked.solved] == [10]


def test_a_hard_look_is_taken_once_whatever_comes_of_it() -> None:
    oracle = Oracle(at_sight_from=1000, hard_from=100)
    asked = ask(oracle)
    bad, good = candidate_at(0), candidate_at(200)

    assert asked.answer(bad, False) is Answer.OPEN
    assert asked.answer(bad, True) is Answer.OPEN
    assert asked.answer(good, False) is Answer.OPEN
    assert asked.answer(good, True) is Answer.BOARD
    assert asked.solve(bad).outcome is Outcome.UNREADABLE
    assert asked.solve(good).outcome is Outcome.SOLVED

    assert oracle.asked == [(0, True), (0, False), (200, True), (200, False)]
    assert len(asked.solved) == 1


def test_a_place_on_a_solved_board_is_no_other_board() -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    asked = ask(oracle)
    place = candidate_at(0)
    asked.answer(place, False)

    assert asked.answer(replace(place, score=0.9, lattice=place.lattice + 1), False) is Answer.OPEN
    assert asked.answer(replace(place, score=0.9, lattice=place.lattice + 1), True) is Answer.OPEN

    assert len(oracle.asked) == len(asked.solved) == 1


@pytest.mark.parametrize("edge", [np.s_[0], np.s_[8], np.s_[:, 0], np.s_[:, 8]])
@pytest.mark.parametrize("looks_hard", [False, True])
def test_what_is_empty_at_an_edge_is_not_believed_before_all_is_searched(
    edge: Any, looks_hard: bool
) -> None:
    clues = np.ones((9, 9), np.uint8)
    clues[edge] = 0
    asked = ask(Oracle(at_sight_from=0, hard_from=0, clues=clues))
    place = candidate_at(0)

    assert asked.answer(place, looks_hard) is Answer.OPEN
    assert asked.solved == []

    assert asked.solve(place).outcome is Outcome.SOLVED
    assert len(asked.solved) == 1


@pytest.mark.parametrize(("is_named", "answer"), [(False, Answer.BOARD), (True, Answer.OPEN)])
def test_marks_tell_where_a_board_begins_unless_a_person_names_its_kind(
    is_named: bool, answer: Answer
) -> None:
    clues = np.ones((9, 9), np.uint8)
    clues[:, 8] = 0
    rules = box_rules(9, Kind.DIAGONAL)
    oracle = Oracle(at_sight_from=0, hard_from=0, clues=clues, rules=rules)
    asked = ask(oracle, PipelineOptions(kind="diagonal" if is_named else "auto"))

    assert asked.answer(candidate_at(0), False) is answer


@pytest.mark.parametrize(
    ("likeliest", "outcome", "answer"),
    [
        (0.9, Outcome.UNREADABLE, Answer.OPEN),
        (0.99, Outcome.UNREADABLE, Answer.OPEN),
        (0.99, Outcome.AMBIGUOUS, Answer.OPEN),
        (0.99, Outcome.NO_SOLUTION, Answer.OPEN),
        (0.5, Outcome.UNREADABLE, Answer.NO_BOARD),
    ],
)
@pytest.mark.parametrize("looks_hard", [False, True])
def test_only_digits_that_are_not_legible_deny_a_board(
    likeliest: float, outcome: Outcome, answer: Answer, looks_hard: bool
) -> None:
    read = Reader(20, likeliest, outcome)

    assert ask(read).answer(candidate_at(0), looks_hard) is answer


def test_no_place_is_looked_at_twice_in_the_same_way() -> None:
    reader = Reader(30, 0.3, Outcome.UNREADABLE)
    asked = ask(reader)

    for _ in range(2):
        asked.answer(candidate_at(0), False)
        asked.answer(candidate_at(0), True)
        asked.solve(candidate_at(0))

    assert reader.asked == [(0, True), (0, False)]


MIDDLE = {(row, column): 1 for row in range(2, 7) for column in range(9)}
"""Digits of a puzzle whose first and last two rows are empty."""


def test_a_line_is_empty_where_nothing_stands_beyond_the_one_opposite_either() -> None:
    assert ask(Page(MIDDLE)).answer(candidate_at(0), False) is Answer.BOARD


def test_of_a_clear_board_with_an_empty_line_nothing_more_is_read() -> None:
    oracle = Oracle(at_sight_from=-1e6, hard_from=-1e6, clues=np.zeros((9, 9), np.uint8))
    clear = replace(candidate_at(0), score=0.97)

    assert ask(oracle).answer(clear, True) is Answer.OPEN
    assert len(oracle.asked) == 1


@pytest.mark.parametrize("row", [-1, -2, 9, 10])
def test_digits_beyond_empty_lines_may_be_the_boards_own(row: int) -> None:
    """Where two of its lines are empty, a lattice may begin two lines late."""
    page = Page(MIDDLE | {(row, 4): 5})

    assert ask(page).answer(candidate_at(0), False) is Answer.OPEN


def test_of_two_starts_with_a_solution_each_neither_is_sure() -> None:
    page = Page(MIDDLE, solved_from=-1)

    assert ask(page).answer(candidate_at(0), False) is Answer.OPEN


def test_what_lies_outside_of_the_picture_is_not_empty() -> None:
    page = Page(MIDDLE)
    page.quality = BoardQuality(30.0, np.full((9, 9), 200, np.float32), 1.0, 1.0, ("top",))

    assert ask(page).answer(candidate_at(0), False) is Answer.OPEN


def test_a_place_that_lies_across_a_solved_board_is_none() -> None:
    oracle = Oracle(at_sight_from=0, hard_from=0)
    asked = ask(oracle)
    asked.answer(candidate_at(0), False)

    assert asked.answer(candidate_at(40), True) is Answer.NO_BOARD
    assert len(oracle.asked) == 1


def test_boards_of_other_colours_beside_one_are_believed_as_any_other() -> None:
    beside = Shown(10, 200, 400)
    asked = ask(Oracle(at_sight_from=0, hard_from=0), beside=beside)
    asked.answer(candidate_at(10), False)

    asked.look_beside(ROOMY)

    assert beside.known == [10]
    assert [float(board.lattice[0, 0, 0]) for board in asked.solved] == [10, 200, 400]


def test_what_cannot_be_solved_beside_a_board_is_none() -> None:
    asked = ask(Oracle(at_sight_from=250, hard_from=250), beside=Shown(100))
    asked.answer(candidate_at(300), False)

    asked.look_beside(ROOMY)

    assert [float(board.lattice[0, 0, 0]) for board in asked.solved] == [300]
