"""Every solver of the registry passes the same tests, and docs/solvers.md says what is so of it."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from puzzles import EASY, EASY_SOLUTION, GUESSING, HARD, NO_SOLUTION, TWO_SOLUTIONS

from solver.base import Effort, Limits, MissingPackageError, Result, Solver, Status
from solver.exact.bitmask import find_solutions
from solver.grid import Grid, check_solution, find_conflicts, format_grid, parse_grid
from solver.layout import ALL_SIZES
from solver.registry import DEFAULT_SOLVER, load_solver, solver_names
from solver.verification import conclude

BLANK = "." * 81
CONFLICT = "55" + "." * 79
STATUSES: Final = {
    EASY: Status.SOLVED,
    EASY_SOLUTION: Status.SOLVED,
    GUESSING: Status.SOLVED,
    HARD: Status.SOLVED,
    TWO_SOLUTIONS: Status.AMBIGUOUS,
    BLANK: Status.AMBIGUOUS,
    NO_SOLUTION: Status.UNSOLVABLE,
    CONFLICT: Status.UNSOLVABLE,
}
SHOWN: Final = {Status.SOLVED: 1, Status.AMBIGUOUS: 2}
"""How many solutions a result shows."""

PUZZLES: Final = {
    9: EASY,
    4: "..4..4.2.3..2...",
    6: "...5..2..1.....23.4.......5..6..6..1",
    16: (
        "...3G6.F7C418.2B.652E3.1..GB..F.AB78...5D.3.1GC.GF4.D8C.9.65.AE7.1..5D.94.2"
        "6.8.3.5..F..E3.1C6974.G6EC....9A7....3.897....5BG.2.C.C17.9.G...D4E.28.F5.7"
        "D31GE.CB699ED.65.C2..3..A8....BE..C4.F.7.5F7..3...G..4..8.13..8AE4...2.D..4"
        "8G.1F....D92.B.5.E.2.G..AF87341"
    ),
    25: (
        "..2EJB.H...C81.F..L59K.IO591.BPD....H7JG.K..8.....LGF.7JA.62NB.E.C..M.P483."
        ".8D6KC954..F...NAEGI..MB7M.I.PO.NEF6.9DK..BJ.12L.GFP423.CJ.H8.NM5DL6IAOE.9."
        "1IO8A...FE.L.G..47H3..NK5NK7...56I.ED4OH.82FMC.AGJ..695A.D8OF.2KB1.JNG.7.PL"
        ".DC.G..47....3AEB5.OIMF82G..31IMLAJKP.F.8EC.76D2..72M..H4..6..L.8IP..B.J9C3"
        "PBLI63K1.7..C.N4.H.F.O5EA.4HF8DE..PG.BI6.3A...1...CA..N9..B82.37.LMK56GPIH4"
        "4.KGI2J8H5BN.P76F3..MADO98...D6.9P.5.A..KO1...IG4..5..C.O3.A.KI.FG.48NHBE6."
        "O...HGIB.C94E.3M5L7..8.2N...7MENFK4OG.....IPH5L31CB7GL.4H.J.I3F.E568..2C1M."
        "6.N5FLGIMK.2J.PH1DECB9...I1E.9F6AC3L8KB..2G..N57DH.J8H45.7O.A1.C9BIM3KEFPL."
        "K..A281E9B.6M.D..FOL3G4J."
    ),
}


def try_to_load(name: str) -> Solver | str:
    """Return the solver, or the reason why it cannot be had here."""
    try:
        return load_solver(name)
    except MissingPackageError as error:
        return str(error)


LIBRARIES: Final = frozenset({"sat", "cp-sat"})
"""They look at a limit on conflicts now and then only."""

MAY_MISS_EASY: Final = {
    "genetic": "its populations gather at peaks that are no solution, on easy puzzles too",
    "hill-climbing-strict": "going upwards only, it finds a solution by luck",
    "mcts-committed": "a wrong move is never taken back",
}
"""Why a solver need not find the solution of an easy puzzle."""

PASSING: Final = frozenset(
    {"deep-iterative", "network-iterative", "network-many", "network-restarts"}
)
"""A round of them is a pass of a network."""

SOLVERS: Final = {name: try_to_load(name) for name in solver_names()}
ANY = pytest.mark.parametrize(
    "solver",
    [
        pytest.param(
            solver, id=name, marks=pytest.mark.skipif(isinstance(solver, str), reason=str(solver))
        )
        for name, solver in SOLVERS.items()
    ],
)
COMPLETE = pytest.mark.parametrize(
    "solver",
    [
        pytest.param(solver, id=name)
        for name, solver in SOLVERS.items()
        if not isinstance(solver, str) and solver.is_complete
    ],
)


def limits_for(solver: Solver, text: str = "") -> Limits:
    """Return time enough for a complete solver, and a few rounds for one that may never end.

    Equal clues in a unit are told however few rounds there were; on an empty board a pass of a
    network takes longest, and the clues after ten rounds are those of other puzzles.
    """
    if solver.is_complete:
        return Limits(seconds=60)
    is_short = text == CONFLICT or (text == BLANK and solver.name in PASSING)
    return Limits(seconds=60, iterations=10 if is_short else 300)


@cache
def _decided(name: str, text: str) -> tuple[Result, str]:
    """Return a new solver's result, and the clues as it left them."""
    solver = load_solver(name)
    clues = parse_grid(text)
    return solver.solve(clues, limits_for(solver, text)), format_grid(clues)


def decide(solver: Solver, text: str) -> Result:
    """Return a solver's result of a puzzle, which is solved once for all tests."""
    return _decided(solver.name, text)[0]


def spoil(clues: Grid) -> Grid:
    """Return the clues with a wrong one more that contradicts none of them by itself."""
    (solution,) = find_solutions(clues, 2)
    for cell in np.flatnonzero(clues == 0):
        for digit in range(1, len(clues) + 1):
            spoiled = clues.copy()
            spoiled.flat[cell] = digit
            if digit != solution.flat[cell] and not find_conflicts(spoiled).any():
                return spoiled
    raise AssertionError("every wrong digit contradicts a clue")


@pytest.mark.slow
@ANY
@pytest.mark.parametrize(("text", "status"), STATUSES.items())
def test_a_puzzle_is_decided_rightly_or_open(solver: Solver, text: str, status: Status) -> None:
    result, clues = _decided(solver.name, text)

    assert clues == text
    if not solver.is_complete and text != CONFLICT:
        assert result.status in {status, Status.GAVE_UP}
    else:
        assert result.status is status
    shown = result.examples if result.solution is None else [result.solution]
    assert len({grid.tobytes() for grid in shown}) == len(shown) == SHOWN.get(result.status, 0)
    assert not any(check_solution(parse_grid(text), grid) for grid in shown)


@ANY
def test_an_easy_puzzle_is_solved(solver: Solver) -> None:
    if solver.name in MAY_MISS_EASY:
        pytest.skip(MAY_MISS_EASY[solver.name])

    result = solver.solve(parse_grid(EASY), Limits(seconds=60))

    assert result.status is Status.SOLVED
    assert result.solution is not None
    assert format_grid(result.solution) == EASY_SOLUTION


@pytest.mark.slow
@ANY
def test_the_same_puzzle_gives_a_new_solver_the_same_result(solver: Solver) -> None:
    first = decide(solver, GUESSING)

    second = load_solver(solver.name).solve(parse_grid(GUESSING), limits_for(solver))

    assert first.status is second.status
    assert (first.effort, first.note) == (second.effort, second.note)
    np.testing.assert_array_equal(first.examples, second.examples)


@ANY
@pytest.mark.parametrize(
    "clues", [np.zeros(81, np.uint8), np.full((9, 9), 10, np.uint8), np.zeros((9, 9), np.float32)]
)
def test_what_is_no_grid_is_refused(solver: Solver, clues: np.ndarray[tuple[int, ...]]) -> None:
    with pytest.raises(ValueError, match=r"\(9, 9\)|digits must be|integers"):
        solver.solve(clues, Limits())


@pytest.mark.slow
@ANY
@pytest.mark.parametrize("side", sorted(ALL_SIZES))
def test_a_size_that_a_solver_declares_it_solves_others_not(solver: Solver, side: int) -> None:
    clues = parse_grid(PUZZLES[side])

    if side in solver.sizes:
        result = solver.solve(clues, limits_for(solver))
        assert result.status is Status.SOLVED or not solver.is_complete
        if result.solution is not None:
            assert not check_solution(clues, result.solution)
    else:
        with pytest.raises(ValueError, match=f"cannot do {side}×{side}, only"):
            solver.solve(clues, Limits())


@COMPLETE
@pytest.mark.parametrize("side", sorted(ALL_SIZES - {9}))
def test_a_complete_solver_decides_other_sizes_with_no_or_several_solutions(
    solver: Solver, side: int
) -> None:
    clues = parse_grid(PUZZLES[side])
    open_clues = np.where(clues > 2, clues, 0)

    if side in solver.sizes:
        unsolvable = solver.solve(spoil(clues), limits_for(solver))
        ambiguous = solver.solve(open_clues, limits_for(solver))
        assert unsolvable.status is Status.UNSOLVABLE
        assert ambiguous.status is Status.AMBIGUOUS
        assert (ambiguous.examples[0] != ambiguous.examples[1]).any()
        assert not any(check_solution(open_clues, one) for one in ambiguous.examples)


@ANY
def test_no_time_at_all_leads_to_no_claim(solver: Solver) -> None:
    result = solver.solve(parse_grid(HARD), Limits(seconds=0, iterations=300))

    assert result.status is Status.GAVE_UP


@ANY
def test_a_limit_on_what_a_solver_counts_is_kept(solver: Solver) -> None:
    clues = parse_grid(HARD if solver.name in LIBRARIES else GUESSING)
    effort = decide(solver, format_grid(clues)).effort

    if effort.nodes > 1:
        half = effort.nodes // 2
        result = load_solver(solver.name).solve(clues, Limits(nodes=half))
        assert result.status is Status.GAVE_UP
        assert 0 < result.effort.nodes <= half
    if effort.iterations > 1:
        half = effort.iterations // 2
        result = load_solver(solver.name).solve(clues, Limits(iterations=half))
        assert result.status is Status.GAVE_UP
        most = effort.iterations - 1 if solver.name in LIBRARIES else half
        assert 0 < result.effort.iterations <= most
    assert effort.nodes > 1 or effort.iterations > 1 or effort.passes > 0


@COMPLETE
def test_a_limit_that_suffices_changes_nothing(solver: Solver) -> None:
    effort = decide(solver, GUESSING).effort
    limits = Limits(nodes=effort.nodes or None, iterations=2 * effort.iterations + 1)

    result = load_solver(solver.name).solve(parse_grid(GUESSING), limits)

    assert result.status is Status.SOLVED
    assert result.effort == effort


def test_the_default_comes_first_and_every_name_loads() -> None:
    assert solver_names()[0] == DEFAULT_SOLVER
    solvers = {name: solver for name, solver in SOLVERS.items() if not isinstance(solver, str)}
    assert [solver.name for solver in solvers.values()] == list(solvers)


def test_an_unknown_name_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(ValueError, match=r"'magic'; choose one of bitmask"):
        load_solver("magic")


SOLUTION = parse_grid(EASY_SOLUTION)
SWAPPED = SOLUTION.copy()
SWAPPED[0, [2, 3]] = SWAPPED[0, [3, 2]]


@pytest.mark.parametrize("is_exhaustive", [False, True])
@pytest.mark.parametrize(
    ("proposals", "status", "note"),
    [
        ((SOLUTION,), Status.SOLVED, ""),  # proved where that is still to be done
        ((SOLUTION, SOLUTION.copy()), Status.SOLVED, ""),
        ((SWAPPED,), Status.GAVE_UP, "the solver's proposal was wrong: box, column"),
    ],
)
def test_a_proposal_is_checked_whoever_made_it(
    proposals: tuple[Grid, ...], status: Status, note: str, is_exhaustive: bool
) -> None:
    result = conclude(parse_grid(EASY), proposals, Effort(passes=1), is_exhaustive=is_exhaustive)

    assert (result.status, result.note, result.effort.passes) == (status, note, 1)


def test_a_right_proposal_of_an_ambiguous_puzzle_is_not_shown() -> None:
    solution = decide(load_solver(), TWO_SOLUTIONS).examples[0]

    result = conclude(parse_grid(TWO_SOLUTIONS), (solution,), Effort(), is_exhaustive=False)

    assert result.status is Status.AMBIGUOUS


def makes_result(node: ast.AST) -> bool:
    """Tell whether a node builds a `Result`, changes one, or hides its name.

    What takes a solution away claims none: a `Result` that is SOLVED refuses it.
    """
    if isinstance(node, ast.alias):
        return node.name == "Result" and node.asname is not None
    if not isinstance(node, ast.Call):
        return False
    name = ast.unparse(node.func).rpartition(".")[2]
    changed = {keyword.arg for keyword in node.keywords if ast.unparse(keyword) != "solution=None"}
    return name == "Result" or (name == "replace" and bool(changed & {"status", "solution"}))


def test_a_result_has_a_solution_where_it_is_solved_and_nowhere_else() -> None:
    with pytest.raises(ValueError, match="solved"):
        Result(Status.SOLVED, None, Effort())
    with pytest.raises(ValueError, match="gave_up"):
        Result(Status.GAVE_UP, SOLUTION, Effort())


@pytest.mark.slow
def test_results_are_made_in_one_place() -> None:
    root = Path(__file__).parents[2]
    makers = {
        (path.relative_to(root).as_posix(), getattr(statement, "name", "outside"))
        for package in ("app", "models", "solver", "training", "vision")
        for path in (root / package).rglob("*.py")
        for statement in ast.parse(path.read_text(encoding="utf-8")).body
        if any(map(makes_result, ast.walk(statement)))
    }

    assert makers == {("solver/verification.py", "conclude")}


DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
GROUP: Final = re.compile(r"^On \[\w+\]\((.+?)\)(.*):\n\n((?:- .+\n)+)", re.MULTILINE)
LIST: Final = [
    (
        line.split("`")[1],
        "incomplete" not in f"{of_all} {line}" or line.endswith("; complete"),
        page,
    )
    for page, of_all, lines in GROUP.findall((DOCS / "solvers.md").read_text(encoding="utf-8"))
    for line in lines.splitlines()
]


def test_the_list_holds_the_solvers_there_are() -> None:
    assert sorted(name for name, _, _ in LIST) == sorted(solver_names())


@pytest.mark.parametrize(("name", "is_complete", "page"), LIST)
def test_a_line_says_what_is_so(name: str, is_complete: bool, page: str) -> None:
    assert load_solver(name).is_complete == is_complete
    assert f"`{name}`" in (DOCS / page).read_text(encoding="utf-8")
