"""Fixtures that several test files share: paths, and the command run as users run it."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

with suppress(ImportError):
    # Loaded after TensorFlow, which some tests load, it would end the process.
    import ortools.sat.python.cp_model  # noqa: F401

# The window is tested without a screen; a person may name another platform and watch.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

PROJECT = Path(__file__).resolve().parent.parent

RunCommand = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def project() -> Path:
    """The project's root folder."""
    return PROJECT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with real photos and puzzles; the test skips where it is absent."""
    folder = PROJECT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("../shared/data, the real photos and puzzles, is not here")
    return folder


@pytest.fixture(scope="session")
def newspaper(project: Path) -> Path:
    """The newspaper page that ships with the project."""
    return project / "samples" / "newspaper.jpg"


@pytest.fixture(scope="session")
def sudoku_lens() -> RunCommand:
    """Runs `sudoku-lens` with the given arguments in a process of its own."""

    def run(
        *arguments: str | Path,
        cwd: Path | None = None,
        stdin: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "app"]
        return subprocess.run(
            [*command, *map(str, arguments)],
            cwd=cwd,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(PROJECT), **(environment or {})},
        )

    return run
