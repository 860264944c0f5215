"""Progress on stderr: a line now and then where no person watches."""

import itertools

import pytest

from app.terminal.console import showing_progress


def test_a_line_comes_every_thirty_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = itertools.count(0, 10)

    with showing_progress("solves", 1000, clock=lambda: float(next(seconds))) as advance:
        for _ in range(7):
            advance(100)

    assert capsys.readouterr().err.splitlines() == [
        "sudoku-lens: 300 of 1,000 solves, about 70 s left",
        "sudoku-lens: 600 of 1,000 solves, about 40 s left",
    ]


def test_without_a_total_only_the_count_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = itertools.count(0, 31)

    with showing_progress("puzzles", None, clock=lambda: float(next(seconds))) as advance:
        advance(1234)

    assert capsys.readouterr().err == "sudoku-lens: 1,234 puzzles\n"


def test_nobody_knows_how_long_it_takes_before_anything_is_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    seconds = itertools.count(0, 31)

    with showing_progress("puzzles", 3, clock=lambda: float(next(seconds))) as advance:
        advance(0)

    assert capsys.readouterr().err == "sudoku-lens: 0 of 3 puzzles\n"


@pytest.mark.parametrize(("quiet", "step"), [(True, 100), (False, 1)])
def test_nothing_is_told_when_quiet_or_soon_over(
    capsys: pytest.CaptureFixture[str], quiet: bool, step: int
) -> None:
    seconds = itertools.count(0, step)

    with showing_progress("solves", 3, quiet=quiet, clock=lambda: float(next(seconds))) as advance:
        for _ in range(3):
            advance(1)

    assert capsys.readouterr().err == ""
