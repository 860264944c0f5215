"""What the commands write to a terminal: no name of a file can steer it."""

import logging
import re
import shutil
import sys
from pathlib import Path

import pytest
from command_rig import RunCommand
from puzzles import EASY

from app.terminal.console import printable, printable_lines, say, start_logging

EVIL = "\x1b]0;title\x07\x1b[2Jred\r\x9b31m"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")


@pytest.fixture
def folder(tmp_path: Path, newspaper: Path) -> Path:
    """A folder whose files have names that would clear the screen."""
    shutil.copy(newspaper, tmp_path / f"{EVIL}.jpg")
    (tmp_path / f"{EVIL}.txt").write_text(f"{EASY}\n")
    (tmp_path / f"bad{EVIL}.png").write_bytes(b"no picture")
    return tmp_path


@pytest.mark.slow
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
