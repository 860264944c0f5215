"""`sudoku-lens compare`: the run as a user sees it, its journal and its verdicts."""

import csv
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from command_rig import RunCommand, room_for
from puzzles import EASY, EASY_SOLUTION, HARD, NO_SOLUTION, TWO_SOLUTIONS

from app.cli.command_options import CompareOptions
from app.cli.compare_command import compare_solvers
from app.compare.comparison_run import (
    do_task,
    judge,
    load_fair,
    load_puzzles,
    name_files,
    order_tasks,
    run_tasks,
)
from app.compare.solve_records import Solve, Task, Verdict, appending_to, key_of, load_solves
from app.terminal.exit_codes import ExitCode, InputError, MissingError, UsageError
from models.engine import EngineError
from solver.base import Effort, Limits, Result, Solver, Status
from solver.formats_kinds import KindPuzzle, format_kind_puzzle
from solver.formats_links import f_puzzles_link
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import Grid, parse_grid
from solver.registry import load_solver
from solver.rules import Kind

LIMITS = Limits(seconds=30)
EFFORT = (0.5, 7, 3, 2, 1)


@dataclass(frozen=True)
class Idle:
    """A solver that gives up at once."""

    name: str
    sizes: frozenset[int] = frozenset({9})
    is_complete = False

    def solve(self, clues: Grid, limits: Limits) -> Result:
        return result(Status.GAVE_UP)


@pytest.fixture
def puzzles(tmp_path: Path) -> Path:
    """A folder with two small files of puzzles."""
    (tmp_path / "easy.csv").write_text(
        f"puzzle,solution\n{EASY},{EASY_SOLUTION}\n{TWO_SOLUTIONS}\n"
    )
    (tmp_path / "rated.csv").write_text(f"{HARD},9.2\n{EASY},1.2\nnonsense\n")
    return tmp_path


def task(solver: str = "bitmask", line: int = 1, clues: str = EASY) -> Task:
    return Task(solver, "a.txt", line, clues, 30, None)


def result(status: Status, solution: str | None = None) -> Result:
    return Result(status, None if solution is None else parse_grid(solution), Effort())


def test_tables_go_to_stdout_and_solves_to_the_csv(sudoku_lens: RunCommand, puzzles: Path) -> None:
    done = sudoku_lens(
        *("compare", "easy.csv", "rated.csv", "--csv", "out/solves.csv"),
        *("--solver", "bitmask", "--limit-nodes", "1"),
        cwd=puzzles,
    )

    with (puzzles / "out" / "solves.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert done.returncode == 0
    assert done.stdout.startswith("## All puzzles")
    assert "| SE 9.0–9.9 |" in done.stdout
    assert [(row["clues"], row["verdict"]) for row in rows] == [
        (EASY, "right"),
        (HARD, "open"),
        (TWO_SOLUTIONS, "open"),
        (EASY, "right"),
    ]
    assert [row["rating"] for row in rows] == ["", "9.2", "", "1.2"]


def keep_solves(path: Path, solves: Sequence[Solve]) -> None:
    """Write solves into a journal, as a run does."""
    with appending_to(path) as append:
        for solve in solves:
            append(solve)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of other systems end the process")
@pytest.mark.parametrize("size", [10, 600], ids=["heading", "solves"])
def test_a_full_disk_is_told_of_and_the_next_run_goes_on(tmp_path: Path, size: int) -> None:
    path = tmp_path / "solves.csv"
    solve = Solve("dfs", "a.txt", 3, EASY, 30, None, None, 5, 0.25, Verdict.OPEN, "x", *EFFORT)

    with (
        room_for(size),
        pytest.raises(UsageError, match=r"solves\.csv cannot be written: File too large"),
    ):
        keep_solves(path, [solve] * 9)
    kept = load_solves(path)
    keep_solves(path, [solve])

    assert len(kept) < 9
    assert load_solves(path) == [*kept, solve]


def test_a_killed_run_goes_on_where_it_stood(
    puzzles: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = puzzles / "solves.csv"
    options = CompareOptions(solvers=["bitmask"], csv=journal)
    files = [str(puzzles / "easy.csv"), str(puzzles / "rated.csv")]
    compare_solvers(files, options)
    whole = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    journal.write_text("".join(whole[:3]) + whole[3][:40], encoding="utf-8")

    compare_solvers(files, options)

    resumed = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    assert resumed[:3] == whole[:3]
    assert sorted(line.split(",")[3] for line in resumed) == sorted(
        line.split(",")[3] for line in whole
    )
    assert "2 of 4 solves" in capsys.readouterr().err


def test_other_limits_are_other_solves(puzzles: Path) -> None:
    journal = puzzles / "solves.csv"
    for nodes in (1, 100):
        options = CompareOptions(["bitmask"], limit_nodes=nodes, csv=journal)
        compare_solvers([str(puzzles / "easy.csv")], options)

    assert [solve.limit_nodes for solve in load_solves(journal)] == [1, 1, 100, 100]


def test_several_processes_do_the_same_solves(puzzles: Path) -> None:
    tasks = order_tasks([load_puzzles(puzzles / "easy.csv", None, 0)], [load_solver("bitmask")])

    alone = list(run_tasks(tasks, LIMITS, jobs=1))
    together = list(run_tasks(tasks, LIMITS, jobs=2))

    assert {(solve.key, solve.verdict, solve.nodes) for solve in alone} == {
        (solve.key, solve.verdict, solve.nodes) for solve in together
    }


def test_what_was_written_is_what_is_read(tmp_path: Path) -> None:
    open_ = Solve("dfs", "a.txt", 3, EASY, 30, 7.1, None, 5, 0.25, Verdict.OPEN, "gave_up", *EFFORT)
    right = Solve("dfs", "b.txt", 1, HARD, 21, None, 9, None, None, Verdict.RIGHT, "x", *EFFORT)
    solves = [open_, right]

    keep_solves(tmp_path / "solves.csv", solves)

    assert load_solves(tmp_path / "solves.csv") == solves
    assert open_.key == key_of(
        Task("dfs", "a.txt", 3, EASY, 30, 7.1), Limits(iterations=5, seconds=0.25)
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [("puzzle,solution\n", "not a CSV file of compare"), ("{head}\n1,2\n", "before line 3")],
)
def test_another_csv_file_is_left_alone(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "other.csv"
    with appending_to(path):
        head = path.read_text(encoding="utf-8").strip()
    path.write_text(text.format(head=head), encoding="utf-8")

    with pytest.raises(InputError, match=message):
        load_solves(path)


@pytest.mark.parametrize(
    ("clues", "claim", "verdict"),
    [
        (EASY, result(Status.SOLVED, EASY_SOLUTION), Verdict.RIGHT),
        (EASY, result(Status.SOLVED, EASY_SOLUTION[::-1]), Verdict.WRONG),
        (EASY, result(Status.UNSOLVABLE), Verdict.WRONG),
        (EASY, result(Status.AMBIGUOUS), Verdict.WRONG),
        (EASY, result(Status.GAVE_UP), Verdict.OPEN),
        (NO_SOLUTION, result(Status.UNSOLVABLE), Verdict.RIGHT),
        (TWO_SOLUTIONS, result(Status.AMBIGUOUS), Verdict.RIGHT),
        (TWO_SOLUTIONS, result(Status.SOLVED, EASY_SOLUTION), Verdict.WRONG),
    ],
)
def test_a_claim_is_judged_by_what_is_so(clues: str, claim: Result, verdict: Verdict) -> None:
    assert judge(clues, claim) is verdict


@pytest.mark.parametrize("column", [EASY_SOLUTION, EASY_SOLUTION[::-1]])
def test_what_a_file_says_of_the_solution_decides_nothing(tmp_path: Path, column: str) -> None:
    file = tmp_path / "puzzles.csv"
    file.write_text(f"{TWO_SOLUTIONS},{column}\n{EASY},{column}\n", encoding="utf-8")

    code = compare_solvers([str(file)], CompareOptions(["bitmask", "dfs"]))

    assert code is ExitCode.SOLVED


def test_a_wrong_claim_fails_the_command(puzzles: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = puzzles / "solves.csv"
    options = CompareOptions(["bitmask"], csv=journal)
    compare_solvers([str(puzzles / "easy.csv")], options)
    claims = journal.read_text(encoding="utf-8").replace("right,solved", "wrong,no_solution")
    journal.write_text(claims, encoding="utf-8")

    code = compare_solvers([str(puzzles / "easy.csv")], options)

    assert code is ExitCode.NOT_SOLVED
    assert f"wrong: bitmask says no_solution of {EASY}" in capsys.readouterr().err


def test_a_sample_is_the_same_for_the_same_seed(shared_data: Path) -> None:
    file = shared_data / "puzzles" / "se_rated.csv"

    first, again, other = (load_puzzles(file, 50, seed) for seed in (1, 1, 2))

    assert first == again != other
    assert len({puzzle.line for puzzle in first}) == 50
    assert all(puzzle.rating is not None and 5 <= puzzle.rating < 10 for puzzle in first)


def test_files_take_turns_and_all_solvers_try_a_puzzle_before_the_next(puzzles: Path) -> None:
    files = [load_puzzles(puzzles / name, None, 0) for name in ("easy.csv", "rated.csv")]

    tasks = order_tasks(files, [Idle("one"), Idle("two")])

    assert [(task.file, task.line, task.solver) for task in tasks[:5]] == [
        ("easy.csv", 2, "one"),
        ("easy.csv", 2, "two"),
        ("rated.csv", 1, "one"),
        ("rated.csv", 1, "two"),
        ("easy.csv", 3, "one"),
    ]
    assert tasks[2].rating == 9.2


def test_a_puzzle_goes_only_to_solvers_that_can_do_its_size(tmp_path: Path) -> None:
    (tmp_path / "mixed.txt").write_text(f"1...............\n{EASY}\n")
    puzzles = load_puzzles(tmp_path / "mixed.txt", None, 0)

    tasks = order_tasks([puzzles], [Idle("nine"), Idle("four", frozenset({4}))])

    assert [(task.solver, len(task.clues)) for task in tasks] == [("four", 16), ("nine", 81)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "options", "error"),
    [
        (["nowhere.txt"], CompareOptions(["bitmask"]), InputError),
        ([EASY], CompareOptions(["bitmask"]), InputError),
        (["easy.csv"], CompareOptions(solvers=["magic"]), UsageError),
        (["easy.csv"], CompareOptions(["bitmask"], csv=Path("easy.csv/x.csv")), UsageError),
        (["easy.csv"], CompareOptions(["bitmask"], plots=Path("easy.csv")), UsageError),
        (["easy.csv"], CompareOptions(["bitmask"], plots=Path("easy.csv/plots")), UsageError),
    ],
)
def test_a_wrong_command_ends_before_the_work(
    puzzles: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: list[str],
    options: CompareOptions,
    error: type[Exception],
) -> None:
    monkeypatch.chdir(puzzles)
    monkeypatch.setattr("app.cli.compare_command.run_tasks", None)  # what works, fails

    with pytest.raises(error):
        compare_solvers(files, options)


def test_plots_without_matplotlib_are_refused_before_the_work(
    puzzles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)

    with pytest.raises(MissingError, match="pip install matplotlib"):
        compare_solvers([str(puzzles / "easy.csv")], CompareOptions(plots=puzzles / "plots"))


def test_a_solver_that_nobody_named_is_left_out_where_its_network_is_missing(
    puzzles: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(name: str) -> Solver:
        if name == "network-once":
            raise EngineError("the weights are not there")
        return load_fair(name)

    monkeypatch.setattr("app.cli.compare_command.solver_names", lambda: ("bitmask", "network-once"))
    monkeypatch.setattr("app.cli.compare_command.load_fair", load)

    code = compare_solvers([str(puzzles / "easy.csv")], CompareOptions())

    told = capsys.readouterr()
    assert code is ExitCode.SOLVED
    assert "network-once is left out: the weights are not there" in told.err
    assert "bitmask" in told.out


def test_weights_that_go_while_solvers_work_end_the_comparison_with_a_message(
    puzzles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(tasks: Sequence[Task], limits: Limits, *_: object) -> Iterator[Solve]:
        yield do_task(tasks[0], limits)
        raise EngineError("the weights are not there")

    monkeypatch.setattr("app.cli.compare_command.run_tasks", run)
    journal = puzzles / "solves.csv"

    with pytest.raises(MissingError, match="cannot be used: the weights are not there"):
        compare_solvers([str(puzzles / "easy.csv")], CompareOptions(["bitmask"], csv=journal))

    assert len(load_solves(journal)) == 1


def test_files_of_one_name_are_told_apart(puzzles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("one", "two"):
        (puzzles / folder).mkdir()
        (puzzles / folder / "same.txt").write_text(f"{EASY}\n")
    monkeypatch.chdir(puzzles)
    options = CompareOptions(["bitmask"], csv=Path("solves.csv"))

    compare_solvers(["one/same.txt", "two/same.txt", "./one/same.txt", "easy.csv"], options)

    files = [solve.file for solve in load_solves(Path("solves.csv"))]
    assert sorted(files) == ["easy.csv", "easy.csv", "one/same.txt", "two/same.txt"]


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a/x.txt", "b/y.txt"], ["x.txt", "y.txt"]),
        (["a/x.txt", "b/x.txt", "b/y.txt"], ["a/x.txt", "b/x.txt", "y.txt"]),
        (["a/c/x.txt", "b/c/x.txt", "x.txt"], ["a/c/x.txt", "b/c/x.txt", "{cwd}/x.txt"]),
    ],
)
def test_a_file_is_called_by_as_much_of_its_path_as_it_takes(
    paths: list[str], names: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    named = name_files([Path(path) for path in paths])

    assert named == [name.format(cwd=tmp_path.name) for name in names]


def test_a_solver_is_warm_for_the_size_of_its_task() -> None:
    pytest.importorskip("pysat", reason="python-sat is not installed")
    large = "." * 256

    solve = do_task(Task("sat", "a.txt", 1, large, 0, None), Limits(seconds=60))

    assert solve.verdict is Verdict.RIGHT
    assert solve.seconds < 0.1  # building the rules takes longer than that


@pytest.mark.parametrize("name", ["network-guided", "alpha-sudoku", "constraint-network"])
def test_the_limit_of_a_network_is_in_processor_time(name: str) -> None:
    solver: Any = load_fair(name)

    assert solver.clock is time.process_time


@pytest.mark.slow
def test_networks_and_or_tools_share_a_process() -> None:
    pytest.importorskip("ortools", reason="OR-Tools is not installed")
    tasks = [task(name, clues=HARD) for name in ("network-guided", "cp-sat", "alpha-sudoku")]

    solves = list(run_tasks([*tasks, task("cp-sat"), task("constraint-network")], LIMITS, jobs=1))

    guided, cp_sat, alpha, *others = solves
    assert {solve.verdict for solve in (guided, cp_sat, *others)} == {Verdict.RIGHT}
    assert alpha.verdict is not Verdict.WRONG  # it may give up
    assert guided.passes > 0


def kinds_of(count: int = 2) -> list[KindPuzzle]:
    """Return small puzzles of several kinds, and a samurai."""
    wishes = [
        KindOptions(Kind.KILLER, 4),
        KindOptions(Kind.JIGSAW, 6, clues=16),
        KindOptions(Kind.SAMURAI, clues=100, n_grids=2),
        KindOptions(Kind.CLASSIC, 8, clues=30),
    ]
    return [puzzle for wish in wishes for puzzle in generate_kind(count, wish, seed=1)]


@pytest.mark.parametrize("form", ["json", "links"])
def test_puzzles_of_other_kinds_are_compared_by_the_solvers_that_know_them(
    sudoku_lens: RunCommand, tmp_path: Path, form: str
) -> None:
    puzzles = kinds_of()
    if form == "links":
        puzzles = [one for one in puzzles if one.rules.kind is not Kind.SAMURAI]
        lines = [EASY, *map(f_puzzles_link, puzzles)]
    else:
        lines = list(map(format_kind_puzzle, puzzles))
    (tmp_path / "kinds.txt").write_text("\n".join(lines))

    done = sudoku_lens(
        *("compare", "kinds.txt", "--csv", "solves.csv"),
        *("--solver", "bitmask", "--solver", "dfs"),
        cwd=tmp_path,
    )

    solves = load_solves(tmp_path / "solves.csv")
    by_bitmask = [solve for solve in solves if solve.solver == "bitmask"]
    assert done.returncode == 0
    assert "puzzles of other kinds are left out by dfs" in done.stderr
    assert [solve.verdict for solve in by_bitmask] == [Verdict.RIGHT] * len(lines)
    assert [solve.clues for solve in solves if solve.solver == "dfs"] == [EASY] * (form == "links")
    for kind in ("killer 4×4", "jigsaw 6×6", "classic 8×8"):
        assert f"## By clues: {kind}" in done.stdout


def test_without_a_solver_nothing_is_compared(sudoku_lens: RunCommand, tmp_path: Path) -> None:
    (tmp_path / "kinds.txt").write_text(format_kind_puzzle(kinds_of(1)[0]))

    done = sudoku_lens("compare", "kinds.txt", "--solver", "dfs", cwd=tmp_path)

    assert done.returncode == 2
    assert "none of these solvers can do puzzles of this size or kind" in done.stderr


def test_a_grid_that_breaks_a_cage_is_a_wrong_claim() -> None:
    killer = kinds_of(1)[0]
    text = format_kind_puzzle(replace(killer, solution=None))
    assert killer.solution is not None

    right = judge(text, Result(Status.SOLVED, killer.solution, Effort()))
    wrong = judge(text, Result(Status.SOLVED, killer.solution[::-1].copy(), Effort()))

    assert (right, wrong) == (Verdict.RIGHT, Verdict.WRONG)
