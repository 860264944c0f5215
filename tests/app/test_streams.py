"""Standard streams that are closed, full, endless or in another encoding end no command badly."""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest
from command_rig import RunCommand, run_python
from puzzles import EASY, EASY_SOLUTION

from app.terminal.console import say, start_logging
from solver.grid import parse_grid
from training.pages.flat_board import render_board

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
