"""How far one photo's readings are searched."""

import numpy as np
import pytest
from puzzles import EASY

from app.recognition.search_budget import Patience
from solver.decoding.decode import DecodeLimits, DecodeOutcome, decode_clues
from solver.decoding.handwriting import Basis, FilledDecoding
from solver.grid import parse_grid

LIMITS = DecodeLimits(nodes=400, gap=5.0)


def come_to(clues: str, nodes: int) -> FilledDecoding:
    """Return what a sure reading of the clues comes to, as if it had taken so many nodes."""
    digits = parse_grid(clues).ravel()
    reading = np.full((81, 10), 1e-4)
    reading[np.arange(81), digits] = 1 - 9e-4
    decoding = decode_clues(reading)
    return FilledDecoding(decoding, np.zeros((9, 9), np.uint8), Basis.PRINT, nodes)


def test_patience_ends_with_what_was_searched_in_vain() -> None:
    patience = Patience(LIMITS)
    in_vain = come_to("55" + EASY[2:], 500)
    assert in_vain.decoding.outcome is DecodeOutcome.NO_SOLUTION

    first, another = [], []
    for _ in range(5):
        first.append(patience.choose_limits(is_first_look=True).nodes)
        another.append(patience.choose_limits().nodes)
        patience.note(in_vain)

    assert first[0] == first[1] > first[2] == first[4] > 0
    assert another[:4] == [400] * 4
    assert another[4] == first[4]
    assert patience.choose_limits().gap == 5.0


@pytest.mark.parametrize("before", [0, 300])
def test_after_a_board_was_solved_less_is_searched_in_vain(before: int) -> None:
    alone, beside = Patience(LIMITS), Patience(LIMITS)
    for patience in (alone, beside):
        patience.note(come_to("55" + EASY[2:], before))
    whole = alone.choose_limits(is_first_look=True).nodes

    beside.note_board()
    assert beside.choose_limits(is_first_look=True).nodes == whole
    for patience in (alone, beside):
        patience.note(come_to("55" + EASY[2:], 250))

    first = [patience.choose_limits(is_first_look=True).nodes for patience in (alone, beside)]
    assert first[0] == whole > first[1] > 0
    assert beside.choose_limits().nodes == 400
    beside.note(come_to("55" + EASY[2:], 250))
    assert beside.choose_limits().nodes == first[1]


def test_a_solution_that_is_not_believed_takes_no_patience() -> None:
    patience = Patience(LIMITS)

    patience.note(come_to(EASY, 5))
    patience.note(come_to("55" + EASY[2:], 250))

    assert patience.choose_limits(is_first_look=True).nodes > 100


def test_what_was_searched_with_success_costs_no_patience() -> None:
    patience = Patience(LIMITS)

    for _ in range(9):
        patience.note(come_to(EASY, 5000))

    assert patience.choose_limits().nodes == 400


def test_one_look_gets_less_than_another() -> None:
    assert Patience(LIMITS).choose_limits(is_first_look=True).nodes < 400


@pytest.mark.parametrize("is_first_look", [False, True])
def test_nothing_is_searched_further_than_the_limits_say(is_first_look: bool) -> None:
    patience = Patience(DecodeLimits(nodes=7))

    assert patience.choose_limits(is_first_look=is_first_look).nodes == 7
    patience.note(come_to(EASY, 3))
    assert patience.choose_limits(is_first_look=is_first_look).nodes == 7


def test_closer_looks_in_vain_come_to_an_end_on_a_photo_and_those_with_success_do_not() -> None:
    patience = Patience(LIMITS)
    for _ in range(100):
        patience.note_closer_look(is_solved=True)
    assert patience.allows_closer_look

    for _ in range(100):
        patience.note_closer_look(is_solved=False)

    assert not patience.allows_closer_look
    assert Patience(LIMITS).allows_closer_look
