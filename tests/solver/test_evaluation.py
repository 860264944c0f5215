from pathlib import Path

import pytest
from puzzles import EASY, EASY_SOLUTION

from solver.base import Effort, Limits, Result, Status
from solver.grid import Grid
from solver.registry import load_solver
from training.evaluation.puzzle_files import main, measure_file


class SlowSolver:
    """Gives everything up, and counts how often it was asked."""

    name = "slow"
    is_complete = False
    sizes = frozenset({9})

    def __init__(self) -> None:
        self.calls = 0

    def solve(self, clues: Grid, limits: Limits) -> Result:
        self.calls += 1
        return Result(Status.GAVE_UP, None, Effort())


@pytest.fixture
def puzzle_file(tmp_path: Path) -> Path:
    path = tmp_path / "some.csv"
    swapped = EASY_SOLUTION.translate(str.maketrans("12", "21"))
    lines = [
        "puzzle,solution",
        f"{EASY},{EASY_SOLUTION}",
        f"{EASY},{swapped}",
        f"{EASY},7.2",
        "bad",
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_file_is_scored_against_its_solutions(puzzle_file: Path) -> None:
    score = measure_file(puzzle_file, load_solver(), limit_seconds=60)

    assert score.statuses[Status.SOLVED] == len(score.seconds) == 3
    assert score.wrong == 1
    assert score.bad_lines == 1


def test_a_file_is_left_when_its_time_is_over(puzzle_file: Path) -> None:
    ticks = iter(range(100))
    solver = SlowSolver()

    score = measure_file(puzzle_file, solver, 4, lambda: float(next(ticks)))

    assert score.seconds == (1.0,)
    assert score.statuses[Status.GAVE_UP] == 1


def test_the_command_prints_a_line_a_file_and_fails_on_wrong_solutions(
    puzzle_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([str(puzzle_file)])

    header, line = capsys.readouterr().out.splitlines()
    assert header.split()[:3] == ["file", "n", "right"]
    assert line.split()[:7] == ["some.csv", "3", "2", "0", "0", "0", "1"]
    assert line.endswith("1 bad lines")
    assert code == 1


def test_a_missing_file_is_an_input_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nowhere.txt"]) == 3
    assert "no such file: nowhere.txt" in capsys.readouterr().err
