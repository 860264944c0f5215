"""What the command line tells about itself: help, completion, and what was probably meant."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_rig import RunCommand
from puzzles import EASY


@pytest.mark.slow
@pytest.mark.parametrize("command", ["", "puzzle", "serve"])
def test_a_flag_is_shown_without_a_type(sudoku_lens: RunCommand, command: str) -> None:
    done = sudoku_lens(*([command] if command else []), "--help")

    assert re.search(r"--help +-h +Show this message", done.stdout)
    assert "<bool>" not in done.stdout
    assert "--verbose  -v      <int>" not in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("--hint", "where", EASY), "--hint=where"),
        ((EASY, "--hint", "technique"), "--hint=technique"),
        (("--hint", "step"), "--hint=step"),
        (("--count", "10", EASY), "--count=10"),
    ],
)
def test_a_value_without_its_equals_sign_is_answered_with_what_was_meant(
    sudoku_lens: RunCommand, words: tuple[str, ...], meant: str
) -> None:
    done = sudoku_lens("puzzle", *words)

    assert done.stderr == f"sudoku-lens: write {meant} instead of {meant.replace('=', ' ')}\n"
    assert (done.stdout, done.returncode) == ("", 2)


def test_a_puzzle_or_a_file_behind_such_an_option_stays_what_it_is(
    sudoku_lens: RunCommand, tmp_path: Path
) -> None:
    (tmp_path / "where").write_text(f"{EASY}\n")

    of_file = sudoku_lens("puzzle", "--hint", "where", cwd=tmp_path)
    of_digits = sudoku_lens("puzzle", "--count", "1234341221434321")

    assert of_file.returncode == 0
    assert (of_digits.stdout, of_digits.returncode) == ("1\n", 0)


def complete(sudoku_lens: RunCommand, line: str) -> list[str]:
    """Return what bash offers for the last word of a line."""
    words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}
    done = sudoku_lens(environment={"_SUDOKU_LENS_COMPLETE": "complete_bash", **words})
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


def test_a_shell_completes_commands_options_and_values(sudoku_lens: RunCommand) -> None:
    assert complete(sudoku_lens, "sudoku-lens s") == ["solve", "serve"]
    assert complete(sudoku_lens, "sudoku-lens solve --re") == ["--reveal", "--reader"]
    sizes = ["4", "6", "8", "9", "10", "12", "16", "25"]
    assert complete(sudoku_lens, "sudoku-lens generate --size ") == sizes


@pytest.mark.skipif(sys.platform == "win32", reason="bash is another on Windows")
def test_the_completion_is_installed_for_the_shell_that_asks(project: Path, tmp_path: Path) -> None:
    script = f"{sys.executable} -m app --install-completion; exit $?"

    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(project)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0
    assert "bash completion installed" in done.stdout
    written = (tmp_path / ".bash_completions" / "sudoku-lens.sh").read_text()
    assert "complete -o default -F _sudoku_lens_completion sudoku-lens" in written
