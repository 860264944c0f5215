"""Every solver of the registry passes the same tests; a new one needs no test of this kind."""

import ast
import itertools
from pathlib import Path

import numpy as np
import pytest

from solver.base import Effort, Limits, Result, Solver, Status, conclude
from solver.grid import check_solution, format_grid, parse_grid
from solver.registry import DEFAULT_SOLVER, load_solver, solver_names

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
EASY_SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
TWO_SOLUTIONS = "53..7....6..195....98......8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NO_SOLUTION = "531.7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
BLANK = "." * 81
CONFLICT = "55" + "." * 79

ANY = pytest.mark.parametrize("solver", [load_solver(name) for name in solver_names()])
COMPLETE = pytest.mark.parametrize(
    "solver", [solver for name in solver_names() if (solver := load_solver(name)).is_complete]
)
LIMITS = Limits(seconds=60)


def decide(solver: Solver, text: str, limits: Limits = LIMITS) -> Result:
    return solver.solve(parse_grid(text), limits)


@ANY
@pytest.mark.parametrize("text", [EASY, EASY_SOLUTION, HARD])
def test_a_solution_is_right_or_withheld(solver: Solver, text: str) -> None:
    result = decide(solver, text)

    assert result.status in {Status.SOLVED, Status.GAVE_UP}
    assert (result.solution is not None) == (result.status is Status.SOLVED)
    if result.solution is not None:
        assert not check_solution(parse_grid(text), result.solution)


@ANY
@pytest.mark.parametrize("text", [TWO_SOLUTIONS, NO_SOLUTION, BLANK, CONFLICT])
def test_no_solution_is_shown_where_there_is_not_exactly_one(solver: Solver, text: str) -> None:
    result = decide(solver, text)

    assert result.status is not Status.SOLVED
    assert result.solution is None


@ANY
def test_clues_that_contradict_each_other_are_unsolvable(solver: Solver) -> None:
    assert decide(solver, CONFLICT).status is Status.UNSOLVABLE


@ANY
def test_clues_are_left_as_they_were(solver: Solver) -> None:
    clues = parse_grid(EASY)

    solver.solve(clues, LIMITS)

    assert format_grid(clues) == EASY


@ANY
@pytest.mark.parametrize("text", [EASY, TWO_SOLUTIONS])
def test_the_same_puzzle_gives_the_same_result_twice(solver: Solver, text: str) -> None:
    first, second = decide(solver, text), decide(solver, text)

    assert first.status is second.status
    assert first.effort == second.effort
    np.testing.assert_array_equal(first.examples, second.examples)


@ANY
@pytest.mark.parametrize(
    "clues", [np.zeros(81, np.uint8), np.full((9, 9), 10, np.uint8), np.zeros((9, 9), np.float32)]
)
def test_what_is_no_grid_is_refused(solver: Solver, clues: np.ndarray[tuple[int, ...]]) -> None:
    with pytest.raises(ValueError, match=r"\(9, 9\)|digits must be|integers"):
        solver.solve(clues, LIMITS)


@COMPLETE
@pytest.mark.parametrize(
    ("text", "status"),
    [
        (EASY, Status.SOLVED),
        (EASY_SOLUTION, Status.SOLVED),
        (HARD, Status.SOLVED),
        (NO_SOLUTION, Status.UNSOLVABLE),
        (TWO_SOLUTIONS, Status.AMBIGUOUS),
        (BLANK, Status.AMBIGUOUS),
    ],
)
def test_a_complete_solver_decides_every_puzzle(solver: Solver, text: str, status: Status) -> None:
    assert decide(solver, text).status is status


@COMPLETE
def test_an_ambiguous_puzzle_comes_with_two_solutions(solver: Solver) -> None:
    result = decide(solver, TWO_SOLUTIONS)

    first, second = result.examples
    assert (first != second).any()
    assert not check_solution(parse_grid(TWO_SOLUTIONS), first)
    assert not check_solution(parse_grid(TWO_SOLUTIONS), second)


@ANY
@pytest.mark.parametrize("limits", [Limits(seconds=0), Limits(nodes=1), Limits(iterations=0)])
def test_a_limit_that_is_met_leads_to_no_claim_beyond_proof(solver: Solver, limits: Limits) -> None:
    result = decide(solver, HARD, limits)

    counts_this = limits.iterations is None or result.effort.iterations > 0
    assert result.status is (Status.GAVE_UP if counts_this else Status.SOLVED)


def test_the_default_comes_first_and_every_name_loads() -> None:
    assert solver_names()[0] == DEFAULT_SOLVER
    assert [load_solver(name).name for name in solver_names()] == list(solver_names())


def test_an_unknown_name_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(ValueError, match=r"'magic'; choose one of bitmask"):
        load_solver("magic")


def test_a_wrong_proposal_is_not_shown_whoever_made_it() -> None:
    wrong = parse_grid(EASY_SOLUTION)
    wrong[0, 2], wrong[0, 3] = wrong[0, 3], wrong[0, 2]

    for is_exhaustive in (False, True):
        result = conclude(parse_grid(EASY), (wrong,), Effort(), is_exhaustive=is_exhaustive)

        assert result.status is Status.GAVE_UP
        assert result.solution is None
        assert result.note == "the solver's proposal was wrong: box, column"


def test_a_right_proposal_of_an_ambiguous_puzzle_is_not_shown() -> None:
    solution = decide(load_solver(), TWO_SOLUTIONS).examples[0]

    result = conclude(parse_grid(TWO_SOLUTIONS), (solution,), Effort(), is_exhaustive=False)

    assert result.status is Status.AMBIGUOUS
    assert result.solution is None


def test_a_right_proposal_without_proof_is_proved() -> None:
    proposal = parse_grid(EASY_SOLUTION)

    result = conclude(parse_grid(EASY), (proposal,), Effort(passes=1), is_exhaustive=False)

    assert result.status is Status.SOLVED
    assert result.effort.passes == 1


def test_solved_is_made_in_one_place() -> None:
    root = Path(__file__).parent.parent
    makers = [
        f"{path.parent.name}/{path.name}"
        for path in itertools.chain.from_iterable(
            (root / package).rglob("*.py") for package in ("app", "solver", "training")
        )
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Result" and node.args
        if ast.unparse(node.args[0]) == "Status.SOLVED"
    ]

    assert makers == ["solver/base.py"]
