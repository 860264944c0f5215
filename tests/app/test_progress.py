"""Progress on stderr: a line now and then where no person watches."""

import itertools

import pytest

from app.terminal.console import format_span, showing_progress


@pytest.mark.parametrize(
    ("total", "step", "amounts", "told"),
    [
        (1000, 10, [100] * 7, ["300 of 1,000 solves, about 1 min 10 s left",
                               "600 of 1,000 solves, about 40 s left"]),
        (None, 31, [1234], ["1,234 solves"]),
        (3, 31, [0], ["0 of 3 solves"]),
        (3, 31, [4], ["4 of 3 solves, about 0 s left"]),
    ],
    ids=["every thirty seconds", "without a total", "before anything is done", "more than told"],
)  # fmt: skip
def test_a_line_tells_as_much_as_is_known(
    capsys: pytest.CaptureFixture[str],
    total: int | None,
    step: int,
    amounts: list[int],
    told: list[str],
) -> None:
    seconds = itertools.count(0, step)

    with showing_progress("solves", total, clock=lambda: float(next(seconds))) as advance:
        for amount in amounts:
            advance(amount)

    assert capsys.readouterr().err.splitlines() == [f"sudoku-lens: {line}" for line in told]


@pytest.mark.parametrize(("quiet", "step"), [(True, 100), (False, 1)])
def test_nothing_is_told_when_quiet_or_soon_over(
    capsys: pytest.CaptureFixture[str], quiet: bool, step: int
) -> None:
    seconds = itertools.count(0, step)

    with showing_progress("solves", 3, quiet=quiet, clock=lambda: float(next(seconds))) as advance:
        for _ in range(3):
            advance(1)

    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.4, "0 s"),
        (59, "59 s"),
        (245, "4 min 05 s"),
        (17_000, "4 h 43 min"),
        (2 * 86_400, "2.0 days"),
        (424_000, "4.9 days"),
    ],
)
def test_a_time_is_told_in_units_that_fit_it(seconds: float, told: str) -> None:
    assert format_span(seconds) == told
