import itertools
import math
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from puzzles import EASY, EASY_SOLUTION, HARD, TWO_SOLUTIONS

from solver.decoding.decode import (
    DecodeLimits,
    DecodeOutcome,
    Decoding,
    decode_clues,
    rank_decodings,
)
from solver.decoding.print_and_hand import remove_handwriting
from solver.exact.bitmask import count_solutions, find_solutions
from solver.grid import Grid, check_solution, format_grid, parse_grid, read_puzzles

PUZZLES = Path(__file__).parents[3] / "shared" / "data" / "puzzles"
LOOKALIKES = {1: (7, 4), 2: (7, 3), 3: (8, 5), 4: (9, 1), 5: (6, 3), 6: (8, 5), 7: (1, 2)}
LOOKALIKES |= {8: (6, 3), 9: (4, 8)}
PATIENT = DecodeLimits(seconds=60)

Reading = npt.NDArray[np.float64]


def read(text: str, *doubts: tuple[int, dict[int, float]], sure: float = 0.9999) -> Reading:
    """Return (81, 10): a reader that is sure of a text, but for cells with given probabilities."""
    values = parse_grid(text).ravel()
    reading = np.full((81, 10), (1 - sure) / 9)
    reading[np.arange(81), values] = sure
    for cell, probabilities in doubts:
        reading[cell] = (1 - sum(probabilities.values())) / (10 - len(probabilities))
        for value, probability in probabilities.items():
            reading[cell, value] = probability
    return reading


def simulate_reader(
    rng: np.random.Generator, true: Grid, misread: int = 0, missed: int = 0, phantom: int = 0
) -> Reading:
    """Return (81, 10): what a reader might see, wrong in the given numbers of cells.

    Of the misread cells, every fourth has the true digit third. Digits that are missed or that
    are not there have the truth second.
    """
    values = true.ravel()
    reading = np.zeros((81, 10))
    doubt = 10 ** rng.uniform(-5, -2, 81)
    for cell, value in enumerate(values.tolist()):
        near = rng.choice(LOOKALIKES[value]) if value else rng.integers(1, 10)
        reading[cell] = rng.dirichlet(np.full(10, 0.3)) * doubt[cell] / 2
        reading[cell, near] += doubt[cell] / 2
        reading[cell, value] += 1 - reading[cell].sum()
    filled = rng.permutation(np.flatnonzero(values))
    empty = rng.permutation(np.flatnonzero(values == 0))
    for number, cell in enumerate(filled[:misread].tolist()):
        value = int(values[cell])
        seen, third = rng.permutation(LOOKALIKES[value]).tolist()
        chance = rng.uniform(0.5, 0.9)
        reading[cell] = rng.dirichlet(np.full(10, 0.3)) * 0.04
        reading[cell, seen] += chance
        if number % 4 == 3:
            reading[cell, third] += (0.96 - chance) * 0.6
            reading[cell, value] += (0.96 - chance) * 0.4
        else:
            reading[cell, value] += 0.96 - chance
    for cells, seen_empty in ((filled[misread : misread + missed], True), (empty[:phantom], False)):
        for cell in cells.tolist():
            value = int(values[cell]) if seen_empty else int(rng.integers(1, 10))
            chance = rng.uniform(0.55, 0.9)
            reading[cell] = rng.dirichlet(np.full(10, 0.3)) * 0.03
            reading[cell, 0] += chance if seen_empty else 0.97 - chance
            reading[cell, value] += 0.97 - chance if seen_empty else chance
    return reading


def draw_random_board(rng: np.random.Generator) -> Grid:
    board = np.zeros(81, np.uint8)
    filled = rng.choice(81, rng.integers(28, 42), replace=False)
    board[filled] = rng.integers(1, 10, filled.size)
    return board.reshape(9, 9)


def load_puzzles(name: str, step: int) -> list[Grid]:
    if not PUZZLES.is_dir():
        pytest.skip("needs ../shared/data, which is not part of the project")
    with (PUZZLES / name).open(encoding="utf-8") as lines:
        items = itertools.islice(read_puzzles(lines), 0, None, step)
        return [item.grid for item in items if item.grid is not None]


def decode(reading: npt.NDArray[np.floating]) -> Decoding:
    """Decode without hurry, so that a busy machine changes nothing."""
    return decode_clues(reading, PATIENT)


def solution_of(decoding: Decoding) -> str | None:
    return None if decoding.solution is None else format_grid(decoding.solution)


def test_a_clean_reading_is_solved_as_it_stands() -> None:
    decoding = decode(read(EASY))

    assert decoding.outcome is DecodeOutcome.SOLVED
    assert solution_of(decoding) == EASY_SOLUTION
    assert format_grid(decoding.clues) == EASY
    assert (decoding.corrected, decoding.loss, decoding.nodes) == ((), 0, 1)
    assert decoding.confidence > 0.9999


def test_a_misread_digit_is_corrected() -> None:
    decoding = decode(read(EASY, (4, {1: 0.9, 7: 0.09})))

    assert decoding.outcome is DecodeOutcome.SOLVED
    assert solution_of(decoding) == EASY_SOLUTION
    assert decoding.corrected == (4,)
    assert format_grid(decoding.clues) == EASY
    assert decoding.loss == pytest.approx(math.log(10))
    assert 0.98 < decoding.confidence < 1


@pytest.mark.parametrize(
    ("doubts", "corrected"),
    [
        ({27: {3: 0.8, 6: 0.12, 8: 0.07}}, (27,)),
        ({4: {1: 0.8, 7: 0.19}, 27: {3: 0.7, 8: 0.28}, 80: {4: 0.6, 9: 0.38}}, (4, 27, 80)),
        ({2: {1: 0.8, 0: 0.19}}, (2,)),
        ({0: {5: 0.6, 0: 0.39}}, ()),
    ],
    ids=["the truth comes third", "three misread digits", "a phantom", "one that may be a phantom"],
)
def test_what_contradicts_is_corrected_and_nothing_else(
    doubts: dict[int, dict[int, float]], corrected: tuple[int, ...]
) -> None:
    decoding = decode(read(EASY, *doubts.items()))

    assert decoding.corrected == corrected
    assert solution_of(decoding) == EASY_SOLUTION


@pytest.mark.parametrize("probability", [0.01, 0.05, 0.19, 0.45])
def test_a_digit_in_a_cell_that_looks_empty_is_no_clue(probability: float) -> None:
    decoding = decode(read(TWO_SOLUTIONS, (25, {0: 0.99 - probability, 6: probability})))

    assert decoding.outcome in (DecodeOutcome.AMBIGUOUS, DecodeOutcome.UNREADABLE)
    assert decoding.solution is None


def test_a_faint_digit_that_decides_is_a_clue_only_with_little_doubt() -> None:
    clear, doubtful = (decode(read(TWO_SOLUTIONS, (25, {6: p, 0: 0.999 - p}))) for p in (0.97, 0.8))

    assert solution_of(clear) == EASY_SOLUTION
    assert doubtful.outcome is DecodeOutcome.UNREADABLE


def test_a_digit_is_not_changed_to_leave_one_solution_of_several() -> None:
    with_another = EASY[:20] + "2" + EASY[21:]
    assert count_solutions(parse_grid(with_another), 2) == 2

    decoding = decode(read(EASY, (20, {2: 0.6, 8: 0.39})))

    assert decoding.outcome is DecodeOutcome.AMBIGUOUS


def test_confidence_pays_for_the_chance_that_a_clue_is_not_there() -> None:
    decoding = decode(read(EASY, (20, {8: 0.7, 2: 0.25, 0: 0.03})))

    assert solution_of(decoding) == EASY_SOLUTION
    assert decoding.confidence == pytest.approx(0.7 / (0.7 + 0.25 + 0.03), abs=0.01)


def test_two_equal_digits_that_nobody_doubts_have_no_solution() -> None:
    decoding = decode(read("55" + EASY[2:]))

    assert decoding.outcome is DecodeOutcome.NO_SOLUTION
    assert decoding.solution is None
    assert decoding.confidence == 0
    assert format_grid(decoding.clues) == "55" + EASY[2:]


SHARP = 0.983
"""What the shipped reader gives a sharp digit; every other value has 0.001."""


def misprint(cell: int) -> str:
    return EASY[:cell] + ("6" if EASY[cell] != "6" else "7") + EASY[cell + 1 :]


@pytest.mark.parametrize(
    ("text", "sure", "outcome"),
    [
        ("531" + EASY[3:], 0.9999, DecodeOutcome.NO_SOLUTION),
        *((misprint(cell), SHARP, DecodeOutcome.NO_SOLUTION) for cell in (0, 4, 40, 80)),
        (TWO_SOLUTIONS, 0.9999, DecodeOutcome.AMBIGUOUS),
        ("." * 81, 0.9999, DecodeOutcome.AMBIGUOUS),
        ("." * 9 + EASY[9:], SHARP, DecodeOutcome.AMBIGUOUS),
    ],
)
def test_sure_digits_without_one_solution_are_told_as_such(
    text: str, sure: float, outcome: DecodeOutcome
) -> None:
    decoding = decode(read(text, sure=sure))

    assert decoding.outcome is outcome
    assert decoding.solution is None


def find_difference() -> tuple[int, int, int]:
    """Return a cell that differs in the two solutions of TWO_SOLUTIONS, and its digits there."""
    first, second = find_solutions(parse_grid(TWO_SOLUTIONS), 2)
    cell = int(np.flatnonzero(first != second)[0])
    return cell, int(first.flat[cell]), int(second.flat[cell])


def test_two_solutions_that_are_nearly_as_likely_lead_to_no_claim() -> None:
    cell, a, b = find_difference()

    for less_likely, outcome in ((0.25, DecodeOutcome.UNREADABLE), (0.005, DecodeOutcome.SOLVED)):
        doubt = {a: 0.99 - less_likely, b: less_likely}
        decoding = decode(read(TWO_SOLUTIONS, (cell, doubt)))

        assert decoding.outcome is outcome


def test_a_rival_behind_a_correction_leads_to_no_claim() -> None:
    cell, a, b = find_difference()
    contradictory = next(d for d in range(1, 10) if str(d) in TWO_SOLUTIONS[9:18])

    rivals = decode(read(TWO_SOLUTIONS, (cell, {contradictory: 0.7, a: 0.2, b: 0.09})))

    assert rivals.outcome is DecodeOutcome.UNREADABLE
    assert rivals.solution is None


def test_more_corrections_than_allowed_are_not_claimed() -> None:
    cells = (0, 4, 27, 44, 53, 80)
    doubts = [(c, {(int(EASY[c]) + 3) % 9 + 1: 0.5, int(EASY[c]): 0.49, 0: 0.009}) for c in cells]
    reading = read(EASY, *doubts)

    claimed = decode_clues(reading, DecodeLimits(seconds=60, max_corrected=6))
    refused = decode_clues(reading, DecodeLimits(seconds=60, max_corrected=5))

    assert claimed.corrected == cells
    assert refused.outcome is DecodeOutcome.UNREADABLE


def test_a_reading_that_says_nothing_is_unreadable() -> None:
    nothing = np.full((81, 10), 0.1)

    searched = decode_clues(nothing, DecodeLimits(seconds=60, nodes=50, max_expected_errors=81))
    at_once = decode_clues(nothing)

    assert searched.outcome is at_once.outcome is DecodeOutcome.UNREADABLE
    assert (searched.nodes, at_once.nodes) == (50, 0)


def test_the_clock_ends_a_search_without_a_claim() -> None:
    ticks = itertools.count()
    reading = read(HARD, (0, {3: 0.5, 8: 0.4}), (10, {7: 0.4, 0: 0.3}), (11, {8: 0.5, 3: 0.4}))

    decoding = decode_clues(reading, DecodeLimits(seconds=4), lambda: float(next(ticks)))

    assert decoding.outcome is DecodeOutcome.UNREADABLE
    assert 1 <= decoding.nodes <= 4


@pytest.mark.parametrize("seed", range(6))
def test_the_search_finds_what_trying_every_reading_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    reading = read(EASY, sure=0.999999)
    values = parse_grid(EASY).ravel()
    cells = [*rng.choice(np.flatnonzero(values), 5, False), *rng.choice(81, 2, False)]
    for cell in cells:
        others = rng.choice(np.setdiff1d(np.arange(10), values[cell]), 2, False)
        probabilities = rng.dirichlet((2, 2, 1)) * 0.99
        reading[cell] = 0.01 / 7
        reading[cell, [values[cell], *others]] = probabilities
    logs = np.log(reading)
    options = [np.argsort(-row)[: 3 if row.max() < 0.999 else 1].tolist() for row in reading]
    valid = []
    for choice in itertools.product(*options):
        clues = np.array(choice, np.uint8).reshape(9, 9)
        if count_solutions(clues) == 1:
            loss = float((logs.max(axis=1) - logs[np.arange(81), choice]).sum())
            valid.append((loss, format_grid(find_solutions(clues, 1)[0]), clues))
    valid.sort(key=lambda item: item[0])
    best_loss, best_solution, best_clues = valid[0]
    gap = min((loss for loss, text, _ in valid if text != best_solution), default=99) - best_loss
    # Values below 0.01 / 7 are options in no reading that was tried.
    near, far = (
        DecodeLimits(
            seconds=60,
            nodes=10**6,
            max_cell_loss=6,
            max_loss=best_loss + 1,
            gap=g,
            max_unsure_cells=-1,
        )
        for g in (max(gap - 0.01, 0), gap + 0.01)
    )
    probabilities = np.where(reading <= 0.01 / 7, 1e-9, reading)
    probabilities /= probabilities.sum(axis=1, keepdims=True)

    # What else a cell may hold is not asked here.
    seen = np.eye(10)[best_clues.ravel()]
    decoding = decode_clues(probabilities, near, seen=seen)
    with_rival = decode_clues(probabilities, far, seen=seen)

    assert decoding.outcome is DecodeOutcome.SOLVED
    assert decoding.loss == pytest.approx(best_loss)
    assert solution_of(decoding) == best_solution
    np.testing.assert_array_equal(decoding.clues, best_clues)
    if gap < 50:
        assert with_rival.outcome is DecodeOutcome.UNREADABLE


def test_random_boards_are_never_solved_however_unsure_the_reader() -> None:
    rng = np.random.default_rng(1)
    outcomes = set()
    for trial in range(150):
        reading = simulate_reader(rng, draw_random_board(rng), *(trial % 4, trial % 3, trial % 2))
        if trial % 5 == 4:
            # A reader that hardly sees anything is worse than one that errs.
            reading = (reading + 0.3 * rng.dirichlet(np.full(10, 0.3), 81)) / 1.3
        outcomes.add(decode_clues(reading, DecodeLimits(seconds=60, nodes=100)).outcome)

    assert outcomes == {DecodeOutcome.NO_SOLUTION, DecodeOutcome.UNREADABLE}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("errors", "least_right"),
    [((0, 0, 0), 1.0), ((1, 0, 0), 0.8), ((3, 0, 0), 0.6), ((0, 0, 1), 0.85)],
)
def test_simulated_errors_of_a_reader_are_mostly_put_right_and_never_believed(
    errors: tuple[int, int, int], least_right: float
) -> None:
    rng = np.random.default_rng(sum(errors) + 10 * errors[1])
    right = 0
    puzzles = load_puzzles("kaggle.csv", 100) + load_puzzles("gen_minimal_20k.txt", 1000)
    for clues in puzzles:
        decoding = decode_clues(simulate_reader(rng, clues, *errors), PATIENT)

        if decoding.solution is not None:
            assert not check_solution(clues, decoding.solution)
            assert count_solutions(decoding.clues) == 1
            right += 1

    assert right / len(puzzles) >= least_right


def test_a_missed_clue_is_never_guessed_and_harms_only_where_it_is_needed() -> None:
    rng = np.random.default_rng(11)
    for clues in load_puzzles("kaggle.csv", 100):
        decoding = decode_clues(simulate_reader(rng, clues, missed=1), PATIENT)

        is_enough = count_solutions(decoding.clues, 2) == 1
        assert (decoding.solution is not None) == is_enough
        assert not decoding.clues[clues == 0].any()
        if decoding.solution is not None:
            assert not check_solution(clues, decoding.solution)


def test_simulated_readings_of_ambiguous_puzzles_are_never_solved() -> None:
    rng = np.random.default_rng(3)

    outcomes = [
        decode_clues(simulate_reader(rng, clues), PATIENT).outcome
        for clues in load_puzzles("many_solutions.txt", 40)
    ]

    assert set(outcomes) <= {DecodeOutcome.AMBIGUOUS, DecodeOutcome.UNREADABLE}
    assert outcomes.count(DecodeOutcome.AMBIGUOUS) > 0.9 * len(outcomes)


def test_handwritten_and_printed_classes_count_as_one_digit() -> None:
    reading = np.zeros((81, 19))
    reading[:, :10] = read(EASY)
    reading[4] = 0
    reading[4, [1, 7, 16]] = 0.4, 0.25, 0.35
    reading[0, 14], reading[0, 5] = reading[0, 5], 0

    decoding = decode(reading)

    assert decoding.corrected == ()
    assert solution_of(decoding) == EASY_SOLUTION
    assert np.flatnonzero(decoding.handwritten).tolist() == [0, 4]


def test_wrong_entries_by_hand_can_be_taken_away() -> None:
    reading = np.zeros((81, 19))
    reading[:, :10] = read(EASY)
    reading[2] = 0
    reading[2, [10, 11]] = 0.999, 0.001

    assert decode(reading).outcome is DecodeOutcome.NO_SOLUTION
    assert solution_of(decode(remove_handwriting(reading))) == EASY_SOLUTION


def test_what_is_no_reading_is_refused() -> None:
    with pytest.raises(ValueError, match=r"must be \(81, 10\) or \(81, 19\), got \(81, 11\)"):
        decode_clues(np.zeros((81, 11)))
    reading = read(EASY)
    reading[7] *= 2
    with pytest.raises(ValueError, match="row 7 sums to 2"):
        decode(reading)
    reading[7] = np.nan
    with pytest.raises(ValueError, match="row 7 sums to nan"):
        decode(reading)


def test_solved_turns_rank_before_likelier_ones() -> None:
    corrected = decode(read(EASY, (4, {1: 0.9, 7: 0.09})))
    clean = decode(read(EASY))
    contradictory = decode(read("55" + EASY[2:], sure=0.99999))
    unreadable = decode_clues(np.full((81, 10), 0.1), DecodeLimits(seconds=60, nodes=1))

    order = rank_decodings([unreadable, contradictory, corrected, clean])

    assert order == [3, 2, 1, 0]
    assert contradictory.log_likelihood > clean.log_likelihood


@pytest.mark.parametrize("beside", [(), ((0, 1, 3),)])
def test_two_digits_that_look_rather_like_each_other_never_make_one_solution_of_several(
    beside: tuple[tuple[int, int, int], ...],
) -> None:
    # A clue of a printed puzzle was hidden, so that several solutions are left. With the digits of
    # two blurred cells exchanged there is one; taking back either of them alone, there is none.
    # A third cell may look more like a digit that contradicts another clue, so that what all cells
    # look most like has no solution instead of several.
    shown = parse_grid(
        "31..8..57.7..631........89...8752..67..8.1..54..9367...84........721....23..9..74"
    )
    assert count_solutions(shown, 2) == 2
    reading = np.full((81, 10), 0.0005)
    reading[np.arange(81), shown.ravel()] = 0.9955
    for cell, likelier, other in (*beside, (39, 8, 6), (50, 6, 8)):
        reading[cell] = 0.0005
        reading[cell, [likelier, other]] = 0.57, 0.426

    decoding = decode_clues(reading)

    assert decoding.outcome is not DecodeOutcome.SOLVED
