"""What commands write to a terminal: no name of a file can steer it, no stream ends it badly."""

import io
import itertools
import logging
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest
from command_rig import RunCommand, run_python
from puzzles import EASY, EASY_SOLUTION

from app.terminal.console import (
    format_span,
    printable,
    printable_lines,
    say,
    showing_progress,
    start_logging,
)
from solver.grid import parse_grid
from training.pages.flat_board import render_board

EVIL = "\x1b]0;title\x07\x1b[2Jred\r\x9b31m"
needs_names = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")


@pytest.fixture
def folder(tmp_path: Path, newspaper: Path) -> Path:
    """A folder whose files have names that would clear the screen."""
    shutil.copy(newspaper, tmp_path / f"{EVIL}.jpg")
    (tmp_path / f"{EVIL}.txt").write_text(f"{EASY}\n")
    (tmp_path / f"bad{EVIL}.png").write_bytes(b"no picture")
    return tmp_path


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
@pytest.mark.parametrize(
    ("arguments", "n_lines"),
    [
        (("puzzle", "{text}"), 2),
        (("puzzle", "{text}", "--bulk"), 2),
        (("batch", "{photo}", "--json"), 1),
    ],
)
def test_results_for_a_file_go_there_while_a_terminal_shows_progress(
    tmp_path: Path, newspaper: Path, arguments: tuple[str, ...], n_lines: int
) -> None:
    (tmp_path / "two.txt").write_text(f"{EASY}\n{EASY}\n")
    named = {"text": str(tmp_path / "two.txt"), "photo": str(newspaper)}
    terminal, end = os.openpty()

    with (tmp_path / "results").open("w") as file:
        typed = [argument.format(**named) for argument in arguments]
        done = run_python("-m", "app", *typed, capture_output=False, stdout=file, stderr=end)
    os.close(end)
    os.close(terminal)

    assert done.returncode == 0
    assert len((tmp_path / "results").read_text().splitlines()) == n_lines


@pytest.mark.slow
@needs_names
@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "-vv", f"{EVIL}.jpg", f"bad{EVIL}.png", f"none{EVIL}.jpg", "-o", f"{EVIL}/"),
        ("solve", f"{EVIL}.jpg", "--solver", EVIL),
        ("solve", f"{EVIL}.jpg", "--reader", EVIL),
        ("solve", f"{EVIL}.jpg", f"--{EVIL}"),
        ("batch", ".", "--dry-run", "--output-dir", EVIL),
        ("batch", "-vv", ".", "--jobs=1", "--output-dir", EVIL, "--report", f"{EVIL}.jsonl"),
        ("live", f"{EVIL}.jpg", "-o", f"{EVIL}.mp4"),
        ("live", f"none{EVIL}.mp4"),
        ("puzzle", f"./none{EVIL}.txt"),
        ("puzzle", f"{EASY[:-1]}\x1b"),
        ("compare", f"{EVIL}.txt", "--solver", "bitmask", "--csv", f"{EVIL}.csv"),
        ("generate", "-o", f"{EVIL}.txt/new"),
        ("serve", "--keep", f"{EVIL}.txt"),
        (EVIL,),
    ],
    ids=lambda words: " ".join(map(printable, words)),
)
def test_no_control_character_of_a_name_reaches_the_terminal(
    sudoku_lens: RunCommand, folder: Path, arguments: tuple[str, ...]
) -> None:
    done = sudoku_lens(*arguments, cwd=folder)

    told = done.stdout + done.stderr
    assert re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", told) == []
    assert r"\x1b" in told


@needs_names
def test_the_doctor_spells_out_what_the_environment_says(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("doctor", environment={"DISPLAY": EVIL})

    assert "\x1b" not in done.stdout
    assert rf"DISPLAY is {printable(EVIL)}" in done.stdout


def test_control_characters_are_spelled_out_and_all_others_stay() -> None:
    assert printable("a\x1b[1m\n\t\x7f\u202e\x9b") == r"a\x1b[1m\n\t\x7f\u202e\x9b"
    assert printable("Zürich 数独 \u202f\U0001f9e9 \\n") == "Zürich 数独 \u202f\U0001f9e9 \\n"
    assert printable_lines("one\x1b\ntwo\r\n") == "one\\x1b\ntwo\\r\n"


def test_a_message_is_one_line_whatever_is_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    say("no photo\nsudoku-lens: all solved")

    assert capsys.readouterr().err == "sudoku-lens: no photo\\nsudoku-lens: all solved\n"


def test_what_is_logged_goes_above_a_bar_as_messages_do(monkeypatch: pytest.MonkeyPatch) -> None:
    start_logging(verbose=0, quiet=False)
    monkeypatch.setattr(sys, "stderr", above := io.StringIO())  # as a bar does that is shown

    logging.getLogger("app.any").warning("went on")
    start_logging(verbose=0, quiet=True)

    assert above.getvalue() == "sudoku-lens: WARNING: went on\n"


def test_what_is_logged_is_spelled_out_and_a_traceback_keeps_its_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    start_logging(2, quiet=False)
    try:
        raise ValueError("\x1b[2J")
    except ValueError:
        logging.getLogger("app").exception("broken: %s", "\x1b[31m")

    first, *traceback = capsys.readouterr().err.splitlines()
    assert first == r"sudoku-lens: ERROR: broken: \x1b[31m"
    assert traceback[0].startswith("Traceback")
    assert traceback[-1] == r"ValueError: \x1b[2J"


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


RunShell = Callable[[str], "subprocess.CompletedProcess[str]"]
needs_shell = pytest.mark.skipif(sys.platform == "win32", reason="written for a Unix shell")
needs_full_device = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="this system has no /dev/full"
)


@pytest.fixture
def shell(project: Path, tmp_path: Path) -> RunShell:
    """Runs a line of shell in a folder with `board.png`; `LENS` stands for the command."""
    cv2.imwrite(str(tmp_path / "board.png"), render_board(parse_grid(EASY))[0])

    def run(line: str) -> "subprocess.CompletedProcess[str]":
        command = f"{shlex.quote(sys.executable)} -m app"
        return subprocess.run(
            ["sh", "-c", line.replace("LENS", command)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(project)},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@needs_shell
@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("LENS solve - <&-", 3, "stdin is closed; "),
        ("LENS puzzle - <&-", 3, "stdin is closed; "),
        ("LENS puzzle - < board.png", 3, "stdin is not a text file; for a photo: sudoku-lens"),
        ("yes | LENS solve -", 3, "stdin is not a picture"),
    ],
)
def test_an_input_that_cannot_be_read_is_told(
    shell: RunShell, line: str, code: int, told: str
) -> None:
    done = shell(line)

    assert done.stderr.startswith(f"sudoku-lens: {told}")
    assert "Traceback" not in done.stderr
    assert done.returncode == code


@needs_shell
@pytest.mark.parametrize("command", [f"puzzle {EASY}", "--help"])
@pytest.mark.parametrize(
    ("output", "told"),
    [
        (">&-", "stdout is closed; send it to a file or a terminal"),
        pytest.param(
            "> /dev/full",
            "stdout cannot be written: No space left on device; send it elsewhere",
            marks=needs_full_device,
        ),
    ],
)
def test_results_that_nobody_gets_are_wrong_usage(
    shell: RunShell, command: str, output: str, told: str
) -> None:
    done = shell(f"LENS {command} {output}")

    assert (done.stderr, done.returncode) == (f"sudoku-lens: {told}\n", 2)


@pytest.mark.slow
@needs_shell
@pytest.mark.parametrize(
    "redirection", ["2>&-", pytest.param("2>/dev/full", marks=needs_full_device), "0<&- 2>&-"]
)
def test_without_a_stderr_everything_else_is_the_same(shell: RunShell, redirection: str) -> None:
    solved = shell(f"LENS solve -vv board.png -o out/solved.png {redirection}")
    missing = shell(f"LENS solve none.png {redirection}")

    assert "board.png: solved" in solved.stdout
    assert solved.returncode == 0
    assert missing.returncode == 3


def test_messages_need_no_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)

    start_logging(2, quiet=False)
    say("Nobody hears this.")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16-le", "utf-16-be"])
def test_text_is_read_in_every_encoding_of_unicode(
    sudoku_lens: RunCommand, tmp_path: Path, encoding: str
) -> None:
    mark = "\ufeff" if encoding.startswith("utf-16") else ""
    data = f"{mark}# Rätsel\r\n{EASY}\r\n".encode(encoding)
    (tmp_path / "puzzles.txt").write_bytes(data)

    from_file = sudoku_lens("puzzle", "puzzles.txt", cwd=tmp_path)
    from_stdin = run_python("-m", "app", "puzzle", "-", input=data, text=False)

    assert (from_file.stdout, from_file.returncode) == (f"{EASY_SOLUTION}\n", 0)
    assert (from_stdin.stdout.split(), from_stdin.returncode) == ([EASY_SOLUTION.encode()], 0)


def test_bytes_that_are_no_unicode_make_a_bad_puzzle() -> None:
    given = b"\xe4" * 81 + b"\n" + EASY.encode()

    done = run_python("-m", "app", "puzzle", "-", input=given, text=False)

    assert done.stdout.split() == [b"bad_puzzle", EASY_SOLUTION.encode()]
    assert b"Traceback" not in done.stderr
    assert done.returncode == 3
