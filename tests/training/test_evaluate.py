"""One command for every evaluation: each name leads to a command that tells what it takes."""

import subprocess
import sys
from pathlib import Path

import pytest

from training.evaluate import SUBJECTS


def _run(project: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "training.evaluate", *arguments],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", sorted([*SUBJECTS, "all"]))
def test_every_evaluation_can_be_asked_what_it_takes(project: Path, name: str) -> None:
    ended = _run(project, name, "--help")

    assert ended.returncode == 0
    assert "usage:" in ended.stdout


def test_an_unknown_evaluation_is_refused_with_the_known_ones(project: Path) -> None:
    ended = _run(project, "weather")

    assert ended.returncode == 2
    assert all(name in ended.stderr for name in SUBJECTS)
