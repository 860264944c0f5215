"""`sudoku-lens puzzle`: puzzles as text."""

import json
from pathlib import Path

import pytest
from conftest import RunCommand

from solver.grid import check_solution, draw_grid, parse_grid

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def test_a_puzzle_is_answered_with_its_solution(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", PUZZLE)

    assert (done.stdout, done.returncode) == (f"{SOLUTION}\n", 0)


def test_a_drawn_grid_is_a_puzzle_too(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", draw_grid(parse_grid(PUZZLE)))

    assert done.stdout == f"{SOLUTION}\n"


def test_stdin_and_a_file_give_one_line_a_puzzle(sudoku_lens: RunCommand, tmp_path: Path) -> None:
    lines = f"{PUZZLE}\n{'.' * 81}\n11{'.' * 79}\nnonsense\n"
    (tmp_path / "puzzles.txt").write_text(lines)

    from_file = sudoku_lens("puzzle", "puzzles.txt", cwd=tmp_path)
    from_stdin = sudoku_lens("puzzle", "-", stdin=lines)

    assert from_file.stdout.split() == [SOLUTION, "ambiguous", "no_solution", "bad_puzzle"]
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


def test_every_solver_can_be_named(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", "--json", "--solver", "bitmask", PUZZLE)

    assert json.loads(done.stdout)["solver"] == "bitmask"


@pytest.mark.parametrize("arguments", [[], ["--help"], ["puzzle", "-h"]])
def test_help_is_a_good_ending(sudoku_lens: RunCommand, arguments: list[str]) -> None:
    done = sudoku_lens(*arguments)

    assert "Usage: sudoku-lens" in done.stdout
    assert done.returncode == 0


def test_the_version_is_that_of_the_distribution(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("--version")

    assert done.stdout == "sudoku-lens 0.1.0\n"


def test_a_wrong_option_is_wrong_usage(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", PUZZLE, "--fast")

    assert done.returncode == 2
    assert "No such option" in done.stderr
