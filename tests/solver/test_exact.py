import dataclasses
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np
import pytest
from command_rig import run_python
from hypothesis import given, settings
from hypothesis import strategies as st
from present import present
from puzzles import EASY, EASY_SOLUTION, GUESSING, pattern

from solver.base import Effort, Limits, MissingPackageError, Solver, Status
from solver.exact.bitmask import count_solutions, search
from solver.exact.rule_search import search_rules
from solver.grid import PEERS, UNITS, Grid, find_conflicts, parse_grid, read_puzzles
from solver.layout import LAYOUTS
from solver.registry import load_solver
from solver.rules import Rules, box_rules
from solver.verification import conclude

PUZZLES = Path(__file__).parents[3] / "shared" / "data" / "puzzles"
SEARCHES: Final[list[Solver]] = [
    load_solver(name)
    for name in (
        "backtracking",
        "dancing-links",
        "dfs",
        "heuristic-candidates",
        "heuristic-remaining",
        "heuristic-units",
        "propagation",
    )
]

Choose = Callable[[list[int], dict[int, set[int]]], int]


def candidates_of(digits: list[int]) -> dict[int, set[int]]:
    """Return what no peer of each empty cell holds."""
    return {
        cell: set(range(1, 10)) - {digits[peer] for peer in PEERS[cell]}
        for cell in range(81)
        if not digits[cell]
    }


def count_positions(digits: list[int], choose: Choose, *, looks_ahead: bool) -> int:
    """Count the positions of a search by its definition, in the plainest way there is."""
    candidates = candidates_of(digits)
    if not candidates or (looks_ahead and not all(candidates.values())):
        return 1
    cell = choose(digits, candidates)
    total = 1
    for digit in candidates[cell]:
        digits[cell] = digit
        total += count_positions(digits, choose, looks_ahead=looks_ahead)
    digits[cell] = 0
    return total


def fewest_candidates(digits: list[int], candidates: dict[int, set[int]]) -> int:
    return min(candidates, key=lambda cell: len(candidates[cell]))


def fewest_remaining(digits: list[int], candidates: dict[int, set[int]]) -> int:
    def count(cell: int) -> int:
        return sum(
            len(others - {digit}) if other in PEERS[cell] else len(others)
            for digit in candidates[cell]
            for other, others in candidates.items()
            if other != cell
        )

    return min(candidates, key=count)


def fullest_units(digits: list[int], candidates: dict[int, set[int]]) -> int:
    def score(cell: int) -> float:
        units = [unit for unit in UNITS.tolist() if cell in unit]
        return sum(1 / sum(not digits[other] for other in unit) for unit in units)

    return max(candidates, key=score)


def first_cell(digits: list[int], candidates: dict[int, set[int]]) -> int:
    return min(candidates)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "choose", "text"),
    [
        ("dfs", first_cell, EASY),
        *(
            (f"heuristic-{name}", choose, text)
            for text in (EASY, GUESSING)
            for name, choose in (
                ("candidates", fewest_candidates),
                ("remaining", fewest_remaining),
                ("units", fullest_units),
            )
        ),
    ],
)
def test_a_search_visits_the_positions_it_defines(name: str, choose: Choose, text: str) -> None:
    clues = parse_grid(text)

    effort = load_solver(name).solve(clues, Limits()).effort

    positions = count_positions(clues.ravel().tolist(), choose, looks_ahead=name != "dfs")
    assert effort.nodes == positions


def test_a_puzzle_of_singles_needs_no_step_back() -> None:
    clues = parse_grid(EASY)

    tightest = load_solver("backtracking").solve(clues, Limits()).effort
    propagated = load_solver("propagation").solve(clues, Limits()).effort

    assert (tightest.nodes, tightest.guesses, tightest.iterations) == (81 - 30 + 1, 0, 0)
    assert (propagated.nodes, propagated.guesses) == (1, 0)


@pytest.mark.parametrize("solver", SEARCHES, ids=lambda solver: solver.name)
def test_the_clock_that_is_given_ends_the_search(solver: Any) -> None:
    ticks = iter(range(10_000))
    timed = dataclasses.replace(solver, clock=lambda: float(next(ticks)))

    result = timed.solve(parse_grid(GUESSING), Limits(seconds=2.5))

    assert result.status is Status.GAVE_UP
    assert result.note == "a limit was met"
    assert result.effort.nodes == 2


def count_plainly(grid: list[int], limit: int) -> int:
    """Count solutions by the plainest search there is, to judge the others."""
    candidates = candidates_of(grid)
    if not candidates:
        return 1
    cell = fewest_candidates(grid, candidates)
    total = 0
    for digit in candidates[cell]:
        grid[cell] = digit
        total += count_plainly(grid, limit - total)
        grid[cell] = 0
        if total >= limit:
            break
    return total


@settings(max_examples=40, deadline=None)
@given(st.sets(st.integers(0, 80), max_size=40), st.integers(0, 80), st.integers(1, 9))
def test_every_search_counts_damaged_grids_alike(emptied: set[int], cell: int, digit: int) -> None:
    grid = parse_grid(EASY_SOLUTION)
    grid.flat[list(emptied)] = 0
    grid.flat[cell] = digit
    expected = 0 if find_conflicts(grid).any() else count_plainly(grid.ravel().tolist(), 5)

    found = search_rules(box_rules(9), grid.ravel().tolist(), 5).solutions

    assert len({tuple(digits) for digits in found}) == len(found) == expected
    assert count_solutions(grid, 5) == expected
    status = [Status.UNSOLVABLE, Status.SOLVED, Status.AMBIGUOUS][min(expected, 2)]
    for solver in SEARCHES:
        assert solver.solve(grid, Limits()).status is status, solver.name


def dig(side: int, n_clues: int, seed: int) -> Grid:
    """Return clues with one solution: a shuffled full grid, emptied as far as it can be."""
    random = np.random.default_rng(seed)
    layout = LAYOUTS[side]
    grid = pattern(side).astype(int) - 1
    for axis, width in ((0, layout.box_rows), (1, layout.box_columns)):
        bands = random.permutation(side // width)[:, None] * width
        order = random.permuted(bands + np.arange(width), axis=1).ravel()
        grid = grid.take(order, axis=axis)
    clues: Grid = (random.permutation(side)[grid] + 1).astype(np.uint8)
    for cell in random.permutation(layout.n_cells):
        if np.count_nonzero(clues) <= n_clues:
            break
        digit, clues.flat[cell] = clues.flat[cell], 0
        if count_solutions(clues) != 1:
            clues.flat[cell] = digit
    return clues


@pytest.mark.parametrize("seed", range(5))
def test_the_default_solver_solves_sixteen_by_sixteen(seed: int) -> None:
    clues = dig(16, 110, seed)

    result = load_solver().solve(clues, Limits())

    assert np.count_nonzero(clues) < 125
    assert result.status is Status.SOLVED


def test_a_proof_that_takes_too_long_is_not_claimed() -> None:
    clues = np.zeros((25, 25), np.uint8)

    result = conclude(clues, (pattern(25),), Effort(), is_exhaustive=False, proof_seconds=0)

    assert result.status is Status.GAVE_UP
    assert result.note == "a solution was found, but not proved to be the only one"


@pytest.mark.parametrize("side", [4, 9])
def test_solutions_beyond_those_kept_are_only_counted(side: int) -> None:
    found = search([0] * side**2, 100, keep=3)

    assert (len(found.solutions), found.found) == (3, 100)
    assert found.solutions == search([0] * side**2, 100).solutions[:3]


@pytest.mark.parametrize("side", [9, 16])
def test_building_the_rules_of_a_size_is_no_part_of_the_time_that_a_sat_solver_has(
    side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pysat", reason="python-sat is not installed")
    from solver.exact import packaged_solvers

    now = 0.0

    def build_slowly(rules: Rules) -> list[list[int]]:
        nonlocal now
        now += 100
        return rule_clauses(rules)

    rule_clauses = packaged_solvers.rule_clauses
    monkeypatch.setattr(packaged_solvers, "rule_clauses", build_slowly)
    solver = packaged_solvers.SatSolver(clock=lambda: now)

    result = solver.solve(np.zeros((side, side), np.uint8), Limits(seconds=50))

    assert now == 100
    assert (result.status, result.effort.seconds) == (Status.AMBIGUOUS, 0)


@pytest.mark.parametrize(
    ("name", "module", "package"),
    [
        ("sat", "pysat.solvers", "python-sat"),
        ("cp-sat", "ortools.sat.python", "ortools"),
        ("py-sudoku", "sudoku", "py-sudoku"),
    ],
)
def test_a_missing_package_is_named_with_the_extra_that_brings_it(
    name: str, module: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)

    with pytest.raises(MissingPackageError, match=rf"{package} is not .*sudoku-lens\[baselines\]"):
        load_solver(name)


@pytest.mark.skipif(not PUZZLES.is_dir(), reason="needs ../shared/data, not part of the project")
def test_what_a_sat_solver_learns_from_a_puzzle_does_not_harm_the_next() -> None:
    pytest.importorskip("pysat", reason="needs the extra baselines")
    solver = load_solver("sat")
    grids = []
    for name in ("clues17.txt", "many_solutions.txt", "kaggle.csv"):
        with (PUZZLES / name).open(encoding="utf-8") as lines:
            grids.append([item.grid for item in read_puzzles(lines)][:300:5])

    for one, many, other in zip(*grids, strict=True):
        statuses = [solver.solve(present(clues), Limits()).status for clues in (one, many, other)]
        assert statuses == [Status.SOLVED, Status.AMBIGUOUS, Status.SOLVED]


def test_cp_sat_refuses_to_start_beside_tensorflow(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would end the process without a word."""
    for name in [name for name in sys.modules if name.split(".")[0] == "ortools"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "tensorflow", ModuleType("tensorflow"))

    with pytest.raises(ImportError, match="use --engine litert"):
        load_solver("cp-sat")


def test_the_sat_solver_ends_with_its_process_quietly() -> None:
    pytest.importorskip("pysat", reason="python-sat is not installed")
    program = (
        "import threading; import numpy as np; from solver.base import Limits; "
        "from solver.registry import load_solver; solver = threading.kept = load_solver('sat'); "
        "print(solver.solve(np.zeros((4, 4), np.uint8), Limits()).status.value)"
    )

    ended = run_python("-c", program)

    assert (ended.returncode, ended.stdout.strip(), ended.stderr) == (0, "ambiguous", "")
