"""`sudoku-lens generate`: new puzzles as they were wished for, or an honest answer."""

import itertools
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from command_rig import RunCommand

from app.cli.command_options import DifficultyName, FormatName, SizeName, SymmetryName, WishOptions
from app.cli.generate_command import generate
from app.terminal.exit_codes import ExitCode, UsageError
from solver.exact.bitmask import count_solutions
from solver.formats import Format, read_any
from solver.generation.generate import Symmetry
from solver.grid import Grid, parse_grid
from solver.human.walk import Level, rate
from solver.layout import USUAL_BOXES


def made(wish: WishOptions, capsys: pytest.CaptureFixture[str]) -> list[Grid]:
    assert generate(wish) is ExitCode.SOLVED
    return [parse_grid(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("output", [(), ("-o", "-")], ids=["no output", "a dash"])
def test_the_command_prints_puzzles_with_one_solution(
    sudoku_lens: RunCommand, tmp_path: Path, output: tuple[str, ...]
) -> None:
    done = sudoku_lens("generate", "--count", "3", "--seed", "7", *output, cwd=tmp_path)

    puzzles = [parse_grid(line) for line in done.stdout.splitlines()]
    assert [count_solutions(puzzle) for puzzle in puzzles] == [1, 1, 1]
    assert (done.stderr, done.returncode) == ("", 0)
    assert not list(tmp_path.iterdir())


def test_the_same_seed_gives_the_same_puzzles(capsys: pytest.CaptureFixture[str]) -> None:
    wishes = [WishOptions(count=2, seed=seed) for seed in (1, 1, 2, None, None)]

    first, again, other, one, two = (made(wish, capsys) for wish in wishes)

    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)
    assert not np.array_equal(one, two)


def test_a_puzzle_is_as_hard_as_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    (puzzle,) = made(WishOptions(difficulty="hard", seed=3, limit_seconds=600), capsys)

    assert rate(puzzle).level is Level.HARD


def test_clues_lie_in_the_wanted_pattern(capsys: pytest.CaptureFixture[str]) -> None:
    (puzzle,) = made(WishOptions(symmetry="quarter-turn", seed=1), capsys)

    np.testing.assert_array_equal(puzzle > 0, np.rot90(puzzle > 0))


@pytest.mark.slow
@pytest.mark.parametrize("size", [6, 16])
def test_every_size_can_be_had(size: SizeName, capsys: pytest.CaptureFixture[str]) -> None:
    (puzzle,) = made(WishOptions(size=size, seed=1), capsys)

    assert puzzle.shape == (size, size)
    assert count_solutions(puzzle) == 1


@pytest.mark.parametrize("form", get_args(FormatName))
def test_a_file_in_a_new_folder_is_written_in_its_format(form: FormatName, tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / f"puzzles.{form}"

    code = generate(WishOptions(count=2, seed=1, form=form, output=path))

    lines = path.read_text(encoding="utf-8").splitlines()
    assert code is ExitCode.SOLVED
    assert [puzzle.error for puzzle in read_any(lines, path.suffix)] == [None, None]
    assert list(path.parent.iterdir()) == [path]


def test_a_wish_that_is_not_met_in_time_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = itertools.count()

    code = generate(
        WishOptions(clues=17, limit_seconds=3, seed=1), clock=lambda: float(next(seconds))
    )

    told = capsys.readouterr()
    assert code is ExitCode.NOT_SOLVED
    assert told.out == ""
    assert "only 0 of 1 puzzles were found in" in told.err
    assert "--limit-seconds" in told.err


@pytest.mark.slow
def test_progress_is_told_also_within_a_long_attempt(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = itertools.count(0, 31)
    wish = WishOptions(size=16, seed=1, limit_seconds=10**9)

    code = generate(wish, clock=lambda: float(next(seconds)))

    assert code is ExitCode.SOLVED
    assert capsys.readouterr().err.splitlines()[0] == "sudoku-lens: 0 of 1 puzzles"


def test_compiling_is_no_part_of_the_time_that_is_allowed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0

    def compile_slowly(side: int) -> None:
        nonlocal now
        now += 100

    monkeypatch.setattr("app.cli.generate_command.warm_up_generator", compile_slowly)
    wish = WishOptions(difficulty="easy", seed=1, limit_seconds=50)

    code = generate(wish, clock=lambda: now)

    assert now == 100
    assert code is ExitCode.SOLVED
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("folder", "cannot be written"),
        ("folder/old.txt/new.txt", "not a folder"),
        ("", "cannot be written|cannot write"),
    ],
)
def test_an_output_that_can_never_be_written_is_refused_before_the_work_and_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, told: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "old.txt").write_text("old")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("app.cli.generate_command.generate_puzzles", None)  # what works, fails

    with pytest.raises(UsageError, match=told):
        generate(WishOptions(output=Path(name)))

    assert [path.name for path in tmp_path.rglob("*")] == ["folder", "old.txt"]
    assert (tmp_path / "folder" / "old.txt").read_text() == "old"


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        (WishOptions(clues=16), "17..80"),
        (WishOptions(clues=81), "17..80"),
        (WishOptions(clues=30, symmetry="quarter-turn"), "no quarter-turn pattern has 30"),
        (WishOptions(size=16, difficulty="easy"), "only 9×9 puzzles are rated"),
        (WishOptions(size=16, form="sdk"), "9×9 puzzles, not 16×16"),
    ],
)
def test_what_cannot_be_is_wrong_usage(wish: WishOptions, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        generate(wish)


def test_the_names_that_can_be_typed_are_those_that_there_are() -> None:
    assert list(get_args(DifficultyName)) == [level.value for level in Level]
    assert list(get_args(SymmetryName)) == [symmetry.value for symmetry in Symmetry]
    assert list(get_args(FormatName)) == [form.value for form in Format]
    assert list(get_args(SizeName)) == list(USUAL_BOXES)
