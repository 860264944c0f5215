"""`sudoku-lens puzzle`: puzzles as text."""

import itertools
import json
import os
import re
import sys
from pathlib import Path
from typing import get_args

import pytest
from command_rig import RunCommand
from puzzles import DEEP, EASY, EASY_SOLUTION, HARD, pattern

from app.cli.command_options import FormatName, HintStrength
from app.puzzles.puzzle_answers import answer_with_count
from app.recognition.solver_choice import load_chosen, warm_up
from app.terminal.exit_codes import ExitCode
from solver.base import Limits
from solver.formats import Format, format_puzzle
from solver.grid import check_solution, draw_grid, format_grid, parse_grid
from solver.human.walk import Strength

BLANK = "." * 81
CONFLICT = "11" + "." * 79


def count_compiled() -> int:
    """Return how many versions of kernels are compiled in the modules of solvers."""
    found = [vars(module) for name, module in sys.modules.items() if name.startswith("solver.")]
    kernels = {id(kernel): kernel for names in found for kernel in list(names.values())}
    return sum(len(getattr(kernel, "signatures", ())) for kernel in kernels.values())


@pytest.mark.parametrize(
    ("arguments", "told", "code"),
    [
        (["puzzle", EASY], EASY_SOLUTION, 0),
        (["puzzle", draw_grid(parse_grid(EASY))], EASY_SOLUTION, 0),
        (["puzzle", "12345678" + "." * 56], "ambiguous", 1),  # whose number of cells tells the side
        (["puzzle", "." * 16, "--count=3"], "3+", 0),
        pytest.param(["puzzle", "." * 625, "--count=3"], "3+", 0, marks=pytest.mark.slow),
        (["puzzle", EASY, "--rate"], "1.2 easy, hidden single in a box", 0),
        (["puzzle", f"{EASY_SOLUTION[:80]}9", "--hint"], "The puzzle is solved.", 0),
        (["puzzle", f"{EASY_SOLUTION[:80]}1", "--hint"], "no_solution", 1),
        *((["puzzle", wish, DEEP], "no_solution", 1)
          for wish in ("--rate", "--explain", "--hint", "--bulk")),
        (["--version"], "sudoku-lens 0.1.0", 0),
    ],
)  # fmt: skip
def test_one_line_answers_what_is_typed(
    sudoku_lens: RunCommand, arguments: list[str], told: str, code: int
) -> None:
    done = sudoku_lens(*arguments)

    assert (done.stdout, done.returncode) == (f"{told}\n", code)


def test_stdin_and_a_file_give_one_line_a_puzzle(sudoku_lens: RunCommand, tmp_path: Path) -> None:
    lines = f"{EASY}\n{'.' * 81}\n11{'.' * 79}\nnonsense\n"
    (tmp_path / "puzzles.txt").write_text(lines)

    from_file = sudoku_lens("puzzle", "puzzles.txt", cwd=tmp_path)
    from_stdin = sudoku_lens("puzzle", "-", stdin=lines)

    assert from_file.stdout.split() == [EASY_SOLUTION, "ambiguous", "no_solution", "bad_puzzle"]
    assert from_stdin.stdout == from_file.stdout
    assert from_file.returncode == from_stdin.returncode == 3
    assert "line 4" in from_file.stderr


def test_json_tells_what_was_found(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", "--json", "." * 81)

    report = json.loads(done.stdout)
    first, second = (parse_grid(example) for example in report["examples"])
    assert report["outcome"] == "ambiguous"
    assert report["solution"] is None
    assert (first != second).any()
    assert not check_solution(parse_grid(report["clues"]), first)


@pytest.mark.parametrize("arguments", [["--help"], ["puzzle", "-h"]])
def test_help_is_a_good_ending(sudoku_lens: RunCommand, arguments: list[str]) -> None:
    done = sudoku_lens(*arguments)

    assert "Usage: sudoku-lens" in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize("form", list(Format))
def test_a_puzzle_is_written_in_any_format_and_read_again(
    sudoku_lens: RunCommand, tmp_path: Path, form: Format
) -> None:
    written = sudoku_lens("puzzle", EASY, "--format", form)
    name = f"puzzle.{form}"
    (tmp_path / name).write_text(written.stdout)

    solved = sudoku_lens("puzzle", name, cwd=tmp_path)

    assert written.stdout.rstrip().split("\n")[-5:] == format_puzzle(parse_grid(EASY), form)[-5:]
    assert (written.returncode, solved.returncode) == (0, 0)
    assert solved.stdout == f"{EASY_SOLUTION}\n"


def test_the_names_of_formats_and_hints_are_those_of_the_solver_package() -> None:
    assert list(get_args(FormatName)) == [form.value for form in Format]
    assert [name.upper() for name in get_args(HintStrength)] == [
        strength.name for strength in Strength
    ]


@pytest.mark.parametrize(
    ("stdin", "option", "told", "message", "code"),
    [
        (f"{EASY}\nx\n{EASY}\n", "--format=sdm", 2 * f"{EASY.replace('.', '0')}\n", "line 2", 3),
        ("<opensudoku><game>", "--count", "", "stdin: the XML is damaged", 3),
        ("# nothing\n\n", "--kind=diagonal", "", "stdin holds no puzzle", 3),
        (f"{'.' * 16}\n{EASY}\n", "--rate", "bad_puzzle\n1.2 easy, hidden single in a box\n",
         "line 1: 4×4 cannot be done, only classic 9×9; leave --rate out\n", 3),
        *((f"{BLANK}\n{CONFLICT}\n", logic, "ambiguous\nno_solution\n", "", 1)
          for logic in ("--hint", "--explain", "--rate")),
    ],
)  # fmt: skip
def test_a_puzzle_that_is_bad_or_has_not_one_solution_is_told_beside_the_others(
    sudoku_lens: RunCommand, stdin: str, option: str, told: str, message: str, code: int
) -> None:
    done = sudoku_lens("puzzle", "-", option, stdin=stdin)

    assert message in done.stderr
    assert (done.stdout, done.returncode) == (told, code)


def test_a_hint_gives_away_as_much_as_was_asked(sudoku_lens: RunCommand) -> None:
    options = ("--hint=where", "--hint=technique", "--hint=step", "--hint")

    where, technique, step, plain = (sudoku_lens("puzzle", EASY, option) for option in options)

    assert where.stdout.startswith("Look at ")
    assert technique.stdout.startswith(where.stdout.strip())
    assert "single" in technique.stdout
    assert "r1c6" in step.stdout
    assert plain.stdout == step.stdout
    assert "r1c6" not in technique.stdout
    assert [done.returncode for done in (where, technique, step, plain)] == [0, 0, 0, 0]


def test_an_explanation_ends_with_the_solution(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", EASY, "--explain")

    *steps, solution = done.stdout.splitlines()
    assert solution == EASY_SOLUTION
    assert len(steps) == EASY.count(".")
    assert steps[0].startswith("1. hidden single in a box (1.2): In box 2, ")


def test_an_explanation_for_programs_is_one_line(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", EASY, "--explain", "--json")

    report = json.loads(done.stdout)
    placed = [place["digit"] for step in report["steps"] for place in step["placements"]]
    assert report["solution"] == EASY_SOLUTION
    assert len(placed) == EASY.count(".")


@pytest.mark.parametrize(
    ("option", "counts"), [("--count", "1 2+ 0"), ("--count=1", "1+ 1+ 0"), ("--count=9", "1 9+ 0")]
)
def test_solutions_are_counted_up_to_a_limit(
    sudoku_lens: RunCommand, option: str, counts: str
) -> None:
    done = sudoku_lens("puzzle", option, "-", stdin=f"{EASY}\n{BLANK}\n{CONFLICT}\n")

    assert done.stdout.split() == counts.split()
    assert done.returncode == 0


def test_solutions_of_a_small_grid_are_counted_to_the_end(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", "." * 16, "--count=1000", "--json")

    # 288 is the number of all full 4×4 grids.
    assert json.loads(done.stdout) == {
        "line": 1,
        "outcome": "counted",
        "clues": "." * 16,
        "solutions": 288,
        "is_all": True,
    }


def test_counting_stops_when_the_time_is_over() -> None:
    seconds = itertools.count()

    answer = answer_with_count(
        parse_grid(BLANK), None, 10**12, Limits(seconds=2000), clock=lambda: float(next(seconds))
    )

    found = answer.fields["solutions"]
    assert isinstance(found, int)
    assert 0 < found < 2000
    assert (answer.code, answer.text) == (ExitCode.NOT_SOLVED, f"{found}+")
    assert (answer.fields["outcome"], answer.fields["is_all"]) == ("gave_up", False)


def test_a_limit_on_seconds_ends_solving_and_counting(sudoku_lens: RunCommand) -> None:
    large = "." * 625

    counted = sudoku_lens("puzzle", BLANK, "--count=1000000000000", "--limit-seconds", "0.1")
    uncounted = sudoku_lens("puzzle", large, "--count=1000000000000", "--limit-seconds", "0")
    unsolved = sudoku_lens("puzzle", large, "--limit-seconds", "0")

    assert counted.stdout.strip().removesuffix("+").isdigit()
    assert (uncounted.stdout, unsolved.stdout) == ("gave_up\n", "gave_up\n")
    assert [done.returncode for done in (counted, uncounted, unsolved)] == [1, 1, 1]


def test_a_solver_is_made_ready_before_its_time_begins(sudoku_lens: RunCommand) -> None:
    pytest.importorskip("pysat", reason="python-sat is not installed")
    grid = pattern(16)
    grid[0] = 0

    done = sudoku_lens("puzzle", format_grid(grid), "--solver", "sat", "--json")

    report = json.loads(done.stdout)
    assert report["outcome"] == "solved"
    assert report["seconds"] < 0.1  # building its rules takes longer than that


@pytest.mark.parametrize(
    "name", ["annealing", "bulk", "genetic", "hill-climbing", "mcts", "mcts-committed"]
)
def test_a_warm_solver_compiles_nothing_more(name: str) -> None:
    pytest.importorskip("numba", reason="nothing is compiled without numba")
    solver = load_chosen(name)

    warm_up(solver, 9)
    compiled = count_compiled()
    solver.solve(parse_grid(HARD), Limits(nodes=3000, iterations=3000))

    assert count_compiled() == compiled > 0


@pytest.mark.parametrize(
    ("command", "wish", "module", "extra"),
    [
        ("puzzle", "--solver=sat", "pysat", "baselines"),
        ("puzzle", "--bulk", "numba", "bulk"),
        ("compare", "--solver=bulk", "numba", "bulk"),
        ("solve", "--solver=sat", "pysat", "baselines"),
    ],
)
def test_a_solver_without_its_package_names_the_extra_that_brings_it(
    sudoku_lens_process: RunCommand,
    tmp_path: Path,
    newspaper: Path,
    command: str,
    wish: str,
    module: str,
    extra: str,
) -> None:
    (tmp_path / f"{module}.py").write_text(f"raise ModuleNotFoundError('none', name='{module}')\n")
    (tmp_path / "easy.txt").write_text(f"{EASY}\n")
    folders = os.pathsep.join([str(tmp_path), str(Path(__file__).resolve().parents[2])])

    done = sudoku_lens_process(
        *(command, newspaper if command == "solve" else tmp_path / "easy.txt", wish),
        environment={"PYTHONPATH": folders},
    )

    name = wish.removeprefix("--solver=")
    assert wish == "--bulk" or f"the solver {name} cannot be used" in done.stderr
    assert f"pip install 'sudoku-lens[{extra}]'" in done.stderr
    assert "doctor" not in done.stderr
    assert done.returncode == 4


@pytest.mark.parametrize(
    ("options", "outcome"),
    [(("--hint",), "hint"), (("--rate",), "rated"), (("--count",), "counted"), ((), "solved")],
)
def test_every_answer_for_programs_has_an_outcome(
    sudoku_lens: RunCommand, options: tuple[str, ...], outcome: str
) -> None:
    done = sudoku_lens("puzzle", "-", "--json", *options, stdin=f"{EASY}\n{CONFLICT}\nx\n")

    outcomes = [json.loads(line)["outcome"] for line in done.stdout.splitlines()]
    no_solution = "counted" if options == ("--count",) else "no_solution"
    assert outcomes == [outcome, no_solution, "bad_puzzle"]


@pytest.mark.parametrize(
    ("option", "title"),
    [
        (None, "Solving"),
        ("--count", "`--count`"),
        ("--hint", "`--hint`"),
        ("--rate", "`--rate`"),
        ("--explain", "`--explain`"),
    ],
)
def test_the_documented_fields_are_those_that_are_printed(
    sudoku_lens: RunCommand, project: Path, option: str | None, title: str
) -> None:
    text = (project / "docs" / "formats.md").read_text(encoding="utf-8")
    part = text.split("## What `puzzle --json` prints")[1]
    fields = {
        name: re.findall(r"`(\w+)`", " ".join(re.findall(r"^- (`[^:]+): ", rows, re.MULTILINE)))
        for name, rows in re.findall(
            r"^\*\*([^*]+)\*\*$(.+?)(?=^\*\*|\Z)", part, re.MULTILINE | re.DOTALL
        )
    }
    common = re.findall(r"^- `(\w+)`: ", part.split("**")[0], re.MULTILINE)
    of_step = fields["`--explain`"][3:]

    done = sudoku_lens("puzzle", EASY, "--json", *([option] if option else []))

    report = json.loads(done.stdout)
    own = fields[title] if option != "--explain" else fields[title][:3]
    assert set(report) == {*common, *own}
    steps = report.get("steps", [report["step"]] if "step" in report else [])
    assert all(list(step) == of_step for step in steps)
