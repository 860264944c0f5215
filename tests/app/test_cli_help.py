"""What the command line tells about itself, and how commands end."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_rig import RunCommand, begin_python, run_python
from present import present
from puzzles import EASY

from app.terminal.exit_codes import ExitCode, InputError, MissingError, UsageError, ending_well


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


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("name a folder"), ExitCode.USAGE),
        (InputError("not there"), ExitCode.BAD_INPUT),
        (MissingError("no weights"), ExitCode.MISSING),
        (ImportError("no cv2", name="cv2"), ExitCode.MISSING),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED),
    ],
)
def test_an_expected_end_has_its_code(error: BaseException, code: ExitCode) -> None:
    with pytest.raises(SystemExit) as ended, ending_well():
        raise error

    assert ended.value.code == code


def test_a_fault_of_our_own_stays_visible() -> None:
    with pytest.raises(ZeroDivisionError), ending_well():
        print(1 / 0)


def test_a_module_of_ours_that_cannot_be_imported_stays_visible() -> None:
    with pytest.raises(ImportError), ending_well():
        raise ImportError("cannot import name", name="app.recognition.pipeline")


def test_a_reader_that_has_enough_ends_the_command_quietly(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text(f"{EASY}\n" * 3000)
    run = begin_python("-m", "app", "puzzle", tmp_path / "many.txt")
    stdout, stderr = present(run.stdout), present(run.stderr)

    stdout.readline()
    stdout.close()
    told = stderr.read()
    stderr.close()

    assert (run.wait(), told) == (ExitCode.CLOSED_PIPE, "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
def test_an_interruption_before_the_command_begins_is_quiet(project: Path, tmp_path: Path) -> None:
    # The first package from outside that is imported interrupts, as a user may at that moment.
    (tmp_path / "typer.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n"
    )

    ended = run_python("-m", "app", "doctor", paths=(tmp_path, project))

    assert (ended.returncode, ended.stderr) == (ExitCode.INTERRUPTED, "")


@pytest.mark.parametrize(("set_by_user", "threads"), [(None, "1"), ("3", "3")])
def test_linear_algebra_is_told_its_threads_before_it_is_loaded(
    project: Path, set_by_user: str | None, threads: str
) -> None:
    script = """
import os, sys
import app.__main__, app.terminal.console

def tell() -> None:
    print(os.environ["OPENBLAS_NUM_THREADS"], "numpy" in sys.modules)
    raise KeyboardInterrupt

app.terminal.console.fill_closed_streams = tell
app.__main__.main()
"""
    environment = {name: value for name, value in os.environ.items() if "OPENBLAS" not in name}
    if set_by_user is not None:
        environment["OPENBLAS_NUM_THREADS"] = set_by_user

    ended = run_python("-c", script, cwd=project, env=environment)

    assert ended.stdout.split() == [threads, "False"]
    assert ended.returncode == ExitCode.INTERRUPTED


def test_the_exit_codes_are_told_by_help(sudoku_lens: RunCommand) -> None:
    text = " ".join(sudoku_lens("solve", "--help").stdout.split())

    assert "Exit codes: 0 all solved, 1 something was not solved, 2 usage" in text


@pytest.mark.slow
def test_a_stranger_beside_the_script_is_not_our_package(newspaper: Path, tmp_path: Path) -> None:
    script = tmp_path / "sudoku-lens"
    script.write_text("from app.__main__ import main\nmain()\n")
    (tmp_path / "models.py").write_text("raise RuntimeError('not ours')\n")

    ended = run_python(script, "solve", newspaper)

    assert (ended.returncode, ended.stderr) == (0, "")
