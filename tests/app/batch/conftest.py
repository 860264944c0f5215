"""Batches in a folder of their own, with planted work in place of photos."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from planted_work import load_planted

from app.batch.photo_work import Job
from app.cli.batch_command import run_batch
from app.cli.command_options import BatchOptions


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Runs the command in a folder of its own, where `album` lies, and returns its code."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "album").mkdir()

    def go(*names: str, **wishes: Any) -> int:
        chosen = {"output_dir": Path("out"), "jobs": 1, **wishes}
        return int(run_batch(names or ["album"], BatchOptions(**chosen), load_planted))

    return go


@pytest.fixture
def plant_jobs(tmp_path: Path) -> Callable[..., list[Job]]:
    """Writes photos with these words, and returns a job for each, numbered from 1."""

    def write(*words: str) -> list[Job]:
        jobs = []
        for number, word in enumerate(words, start=1):
            path = tmp_path / f"{number}.jpg"
            path.write_text(f"{word} {number}")
            jobs.append(Job(number, str(path), str(tmp_path / f"{number}-solved.jpg")))
        return jobs

    return write
