"""Solvers whose networks are missing or broken end their commands with a message and a code."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from command_rig import RunCommand
from puzzles import EASY, HARD

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def weights(project: Path, tmp_path: Path) -> Path:
    """The folder of weights of a second installation, which can find and read boards only."""
    leave_out = shutil.ignore_patterns("*.tflite", "*.keras", "*.json", "__pycache__")
    shutil.copytree(project / "models", tmp_path / "models", ignore=leave_out)
    own = tmp_path / "models" / "weights"
    for name in ("boards", "digits", "digits_small", "hands"):
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
        ("digits_small.tflite", "weights digits_small.tflite are not in "),
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
