"""`sudoku-lens puzzle --bulk`: the same answers as one by one, in batches."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from command_rig import RunCommand
from puzzles import EASY, EASY_SOLUTION

from app.cli.command_options import PuzzleOptions
from app.cli.puzzle_command import answer_puzzles
from app.puzzles.bulk_files import solve_in_slices
from app.terminal.exit_codes import ExitCode

pytest.importorskip("numba", reason="the batch engine needs numba, which the extra bulk has")

LINES = f"""puzzle,solution
# a comment, and a blank line

{EASY},{EASY_SOLUTION}
{EASY.replace(".", "0")} 4.5
  {EASY.replace(".", "-")}
{"." * 81}
55{"." * 79}
nonsense
{EASY}x
{"." * 16}
{EASY}"""
ANSWERS = [
    EASY_SOLUTION,
    EASY_SOLUTION,
    EASY_SOLUTION,
    "ambiguous",
    "no_solution",
    *3 * ["bad_puzzle"],
    EASY_SOLUTION,
]


def test_every_line_gets_its_answer_in_order(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", "--bulk", "-", stdin=LINES)

    assert done.stdout.split() == ANSWERS
    assert [line.split(": ")[1] for line in done.stderr.splitlines()] == [
        "line 9",
        "line 10",
        "line 11",
    ]
    assert done.returncode == 3


def test_solutions_are_counted_in_bulk_as_long_as_the_clock_allows(sudoku_lens: RunCommand) -> None:
    lines = f"{EASY}\n{'.' * 81}\n55{'.' * 79}\n"
    beyond_reach = ("--count=1000000000000000", "--limit-seconds", "0.2")

    done = sudoku_lens("puzzle", "--bulk", "--count=7", "-", stdin=lines)
    ended = sudoku_lens("puzzle", "--bulk", *beyond_reach, "-", stdin=f"{lines}nonsense\n")

    assert (done.stdout.split(), done.returncode) == (["1", "7+", "0"], 0)
    one, many, none, bad = ended.stdout.split()
    assert (one, none, bad, ended.returncode) == ("1", "0", "bad_puzzle", 3)
    assert int(many.removesuffix("+")) > 1000


def test_time_that_is_over_is_no_solution_and_no_proof_of_none(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", "--bulk", "--limit-seconds", "0", EASY)

    assert (done.stdout, done.returncode) == ("gave_up\n", 1)


def test_slices_find_what_batches_find() -> None:
    texts = [EASY, "." * 81, "55" + "." * 79]
    puzzles = np.array([[int(sign) for sign in text.replace(".", "0")] for text in texts], np.uint8)

    found = solve_in_slices(puzzles, 50_000, seconds=None, threads=2)

    assert found.counts.tolist() == [1, 50_000, 0]
    assert found.is_over.all()
    assert "".join(map(str, found.solutions[0])) == EASY_SOLUTION


@pytest.mark.parametrize("looks", [5, 6])
def test_an_interrupt_ends_every_thread(looks: int) -> None:
    """Otherwise the other puzzle would be counted for years, and this test with it."""
    looks_left = itertools.count(looks, -1)

    def clock() -> float:
        if next(looks_left) == 0:
            raise KeyboardInterrupt
        return 0.0

    with pytest.raises(KeyboardInterrupt):
        solve_in_slices(np.zeros((2, 81), np.uint8), 10**15, seconds=9, threads=2, clock=clock)


def test_a_file_is_answered_as_one_by_one(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    several = ["clues17.txt", "many_solutions.txt", "kaggle.csv"]
    texts = [(shared_data / "puzzles" / name).read_text().splitlines()[:300] for name in several]
    file = tmp_path / "mixed.txt"
    file.write_text("\n".join(line for lines in zip(*texts, strict=True) for line in lines))

    code = answer_puzzles(str(file), PuzzleOptions(bulk=True))
    in_bulk = capsys.readouterr().out
    answer_puzzles(str(file), PuzzleOptions())
    one_by_one = capsys.readouterr().out

    assert code is ExitCode.NOT_SOLVED
    assert in_bulk == one_by_one
    assert in_bulk.count("\n") == 900


def test_quoted_columns_are_read_as_without_bulk(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", "--bulk", "-", stdin=f'"{EASY}","{EASY_SOLUTION}"\n')

    assert (done.stdout, done.returncode) == (f"{EASY_SOLUTION}\n", 0)


@pytest.mark.parametrize(
    ("lines", "answers", "n_told", "told"),
    [
        ("nonsense 1\n" * 50, "bad_puzzle\n" * 50, 22, "50 lines hold no puzzle"),
        ("\n# nothing\n", "", 1, "stdin holds no puzzle"),
    ],
    ids=["many bad lines", "no line at all"],
)
def test_of_lines_that_hold_no_puzzle_the_first_are_told(
    sudoku_lens: RunCommand, lines: str, answers: str, n_told: int, told: str
) -> None:
    done = sudoku_lens("puzzle", "--bulk", "-", stdin=lines)

    assert done.stdout == answers
    assert len(done.stderr.splitlines()) == n_told
    assert told in done.stderr
    assert done.returncode == 3
