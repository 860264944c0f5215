"""What of an installation is missing: found by the doctor, or by the command that needs it."""

import importlib
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_rig import RunCommand
from puzzles import EASY, HARD

from app.cli.doctor import (
    QT_LIBRARIES,
    Finding,
    check_extra,
    check_installation,
    check_screen,
    examine,
)
from app.terminal.exit_codes import EXTRAS

Examine = Callable[..., "subprocess.CompletedProcess[str]"]


def findings_without(missing: str, error: ImportError) -> dict[str, Finding]:
    """Return the findings, by subject, of an installation where one module cannot be loaded."""

    def load(name: str) -> object:
        if name == missing:
            raise error
        return importlib.import_module(name) if "PySide6" not in name else object()

    return {finding.subject: finding for finding in examine(load)}


@pytest.mark.parametrize(
    ("missing", "subject", "error", "advice"),
    [
        ("pillow_heif", "pillow-heif", "No module named 'pillow_heif'",
         "run: pip install pillow-heif"),
        ("PySide6.QtWidgets", "Qt, for the window", "libEGL.so.1: cannot open shared object file",
         f"apt-get install -y --no-install-recommends {QT_LIBRARIES}"),
        ("PySide6.QtMultimedia", "Qt, for the camera", "libpulse.so.0: cannot open shared object",
         "apt-get install -y --no-install-recommends libpulse0"),
    ],
)  # fmt: skip
def test_what_is_missing_is_answered_with_the_line_that_installs_it(
    missing: str, subject: str, error: str, advice: str
) -> None:
    findings = findings_without(missing, ImportError(error))

    assert not findings[subject].is_good
    assert error in findings[subject].found
    assert findings[subject].advice.endswith(advice)
    assert findings["numpy"].is_good


def test_the_whole_line_solves_the_sample_page() -> None:
    findings = findings_without("", ImportError())

    line = findings["find, read and solve a board"]
    assert line.found.startswith("solved in")
    assert line.is_good


def test_the_exit_code_says_whether_anything_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    code = check_installation()

    told = capsys.readouterr().out
    assert code == (4 if "MISSING" in told else 0)
    assert "ok      digit network" in told
    assert "ok      board digits network" in told
    assert "ok      symbol network" in told
    assert re.search(
        r"ok +grid network: .* MB, .* fills an easy grid in one pass of [\d.]+ ms", told
    )


@pytest.fixture
def examine_copy(sudoku_lens_process: RunCommand, project: Path, tmp_path: Path) -> Examine:
    """Copies the program but for some files, puts one into its weights, and examines it."""

    def examine(*left_out: str, **put: bytes) -> "subprocess.CompletedProcess[str]":
        for package in ("app", "models", "solver", "vision"):
            leave_out = shutil.ignore_patterns("*.keras", "__pycache__", *left_out)
            shutil.copytree(project / package, tmp_path / package, ignore=leave_out)
        for name, content in put.items():
            (tmp_path / "models" / "weights" / name).write_bytes(content)
        there = {"PYTHONPATH": str(tmp_path)}
        return sudoku_lens_process("doctor", cwd=tmp_path, environment=there)

    return examine


def test_missing_weights_are_found(examine_copy: Examine) -> None:
    done = examine_copy("*.tflite")

    assert done.returncode == 4
    for name in ("digit", "board digits", "symbol", "grid"):
        assert f"MISSING {name} network" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("broken", "content", "found"),
    [
        ("grid.tflite", b"no network", "grid.tflite cannot be read"),
        ("grid.json", b'{"features": 7, "iterations": 8, "iterations_a_run": 8}', ""),
    ],
)
def test_a_grid_network_that_cannot_judge_is_found(
    examine_copy: Examine, broken: str, content: bytes, found: str
) -> None:
    done = examine_copy(**{broken: content})

    (told,) = (line for line in done.stdout.splitlines() if "grid network" in line)
    assert done.returncode == 4
    assert told.startswith("MISSING grid network: ")
    assert found in told
    assert "Traceback" not in done.stderr


def test_every_extra_is_listed_with_what_it_holds(project: Path) -> None:
    text = (project / "pyproject.toml").read_text(encoding="utf-8")
    extras = tomllib.loads(text)["project"]["optional-dependencies"]

    held = {name: tuple(re.split("[>=<]", line)[0] for line in of) for name, of in extras.items()}

    assert held == EXTRAS


def test_what_of_an_extra_is_there_is_told() -> None:
    finding = check_extra("baselines", ("numpy", "no-such-package"))

    assert finding.subject == "extra baselines"
    assert finding.is_good
    assert finding.state == "without"
    assert re.match(
        r"optional, for .*; not installed: no-such-package; installed: numpy \d", finding.found
    )
    assert "pip install 'sudoku-lens[baselines]'" in finding.advice
    assert check_extra("bulk", ("numpy",)).state == "ok"


def test_what_is_not_installed_is_never_called_ok(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def find(*_: object, **__: object) -> list[Finding]:
        extra = check_extra("bulk", ("no-such-package",))
        return [Finding("Python", True, "3.11"), extra]

    monkeypatch.setattr("app.cli.doctor.examine", find)

    code = check_installation()

    assert code == 0
    assert capsys.readouterr().out.splitlines() == [
        "ok      Python: 3.11",
        "without extra bulk: optional, for the solver bulk and puzzle --bulk; not installed: "
        "no-such-package",
        "        to have it, run: pip install 'sudoku-lens[bulk]'",
        "Everything that is needed is there.",
    ]


def test_the_makefile_installs_the_same_libraries(project: Path) -> None:
    makefile = (project / "Makefile").read_text(encoding="utf-8")

    assert f"QT_LIBRARIES := {QT_LIBRARIES}\n" in makefile


@pytest.mark.parametrize(("display", "is_good"), [(":7", False), ("", True)])
def test_a_missing_library_of_the_screen_is_a_fault_only_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, display: str, is_good: bool
) -> None:
    monkeypatch.setenv("DISPLAY", display)
    plugins = tmp_path / "Qt" / "plugins" / "platforms"
    plugins.mkdir(parents=True)
    (plugins / "libqxcb.so").touch()
    package = SimpleNamespace(__file__=str(tmp_path / "__init__.py"))

    def open_library(name: str) -> object:
        assert Path(name).is_file()
        raise OSError("libxcb-cursor.so.0: cannot open shared object file")

    finding = check_screen(lambda _: package, open_library)

    assert (finding.is_good, finding.is_optional) == (is_good, is_good)
    assert "libxcb-cursor.so.0" in finding.found
    assert "libxcb-cursor0" in finding.advice


def test_the_window_is_opened_and_solves_the_sample_page(sudoku_lens_process: RunCommand) -> None:
    # In this process there may be an application already, and there is only ever one.
    done = sudoku_lens_process("doctor", "--window")

    assert re.search(
        r"ok +open the window and solve the sample page in it: solved; the window came after "
        r"[\d.]+ s, the solution after [\d.]+ s; cameras: ",
        done.stdout,
    )
    assert "Traceback" not in done.stderr


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def weights(project: Path, tmp_path: Path) -> Path:
    """The folder of weights of a second installation, which can find and read boards only."""
    leave_out = shutil.ignore_patterns("*.tflite", "*.keras", "*.json", "__pycache__")
    shutil.copytree(project / "models", tmp_path / "models", ignore=leave_out)
    own = tmp_path / "models" / "weights"
    for name in ("boards", "digits", "board_digits", "hands"):
        shutil.copy(project / "models" / "weights" / f"{name}.tflite", own)
    return own


@pytest.fixture
def run(sudoku_lens_process: RunCommand, weights: Path, project: Path) -> Run:
    """Runs `sudoku-lens` in that installation."""
    root = weights.parents[1]
    folders = os.pathsep.join([str(root), str(project)])

    def run_there(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
        return sudoku_lens_process(*arguments, cwd=root, environment={"PYTHONPATH": folders})

    return run_there


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("puzzle easy.txt --solver network-guided", "grid.tflite"),
        ("puzzle easy.txt --solver deep-iterative", "grid.tflite"),
        ("puzzle easy.txt --solver constraint-network", "constraint.tflite"),
        ("compare easy.txt --solver bitmask --solver network-many", "grid.tflite"),
        ("solve PHOTO --solver constraint-network", "constraint.tflite"),
    ],
)
def test_nothing_is_begun_without_the_weights_of_a_named_solver(
    run: Run, weights: Path, newspaper: Path, command: str, name: str
) -> None:
    (weights.parents[1] / "easy.txt").write_text(f"{EASY}\n")

    done = run(*(newspaper if word == "PHOTO" else word for word in command.split()))

    assert (done.returncode, done.stdout) == (4, "")
    assert len(done.stderr.splitlines()) == 1
    solver = command.rpartition(" ")[2]
    assert command.startswith("solve") or f"the solver {solver} cannot be used" in done.stderr
    assert f"{name} " in done.stderr
    assert str(weights) in done.stderr
    assert "reinstall sudoku-lens" in done.stderr


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ("boards.tflite", "docs/model_card_boards.md"),
        ("board_digits.tflite", "weights board_digits.tflite are not in "),
    ],
)
def test_no_photo_is_begun_without_the_weights_that_find_and_read_boards(
    run: Run, weights: Path, newspaper: Path, missing: str, told: str
) -> None:
    (weights / missing).unlink()

    done = run("solve", newspaper)

    assert (done.returncode, done.stdout) == (4, "")
    assert f"{missing} " in done.stderr
    assert told in done.stderr
    assert "reinstall sudoku-lens" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("solver", "broken", "content"),
    [
        ("network-guided", "grid.json", b"{"),
        ("constraint-network", "constraint.tflite", b"no network"),
    ],
)
def test_broken_weights_are_named(
    run: Run, weights: Path, project: Path, solver: str, broken: str, content: bytes
) -> None:
    for name in ("grid.tflite", "grid.json", "constraint.tflite"):
        shutil.copy(project / "models" / "weights" / name, weights)
    (weights / broken).write_bytes(content)

    done = run("puzzle", "--solver", solver, HARD)

    assert (done.returncode, done.stdout) == (4, "")
    assert "Traceback" not in done.stderr
    assert f"the solver {solver} cannot be used" in done.stderr
    assert str(weights / broken) in done.stderr
