"""Batches that are killed, interrupted or short of space: nothing is lost, and nothing twice."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from command_rig import PROJECT, SUPPORT, RunCommand, begin_python, room_for, run_python
from planted_work import children_of
from present import present

pytest.importorskip("resource", reason="the system has no limits for a process")
KILLS: Final = 12
"""`benchmarks.kills` kills as often as is wanted."""
Start = Callable[[Path], "subprocess.Popen[str]"]


@pytest.fixture
def album(tmp_path: Path) -> Path:
    """Photos for the planted work, a third of them twice or with nothing to solve."""
    folder = tmp_path / "album"
    folder.mkdir()
    for number in range(30):
        word, text = ("empty", number) if number % 6 == 0 else ("solved", number)
        (folder / f"{number:02}.jpg").write_text(f"{word} {text} {'pixel ' * 500}")
    for number in range(1, 30, 5):
        shutil.copy(folder / f"{number:02}.jpg", folder / f"{number:02}-again.jpg")
    return folder


@pytest.fixture
def start(album: Path) -> Start:
    """Begins a batch with the planted work, whose outputs go into the given folder."""

    def begin(output: Path) -> "subprocess.Popen[str]":
        command = [SUPPORT / "planted_work.py", album, output, output / "report.jsonl"]
        return begin_python(*command, paths=(PROJECT, SUPPORT))

    return begin


@pytest.fixture
def gate(album: Path, tmp_path: Path) -> Path:
    """A file without which two of the photos, and so both workers, are not done."""
    for number in (2, 3):
        (album / f"{number:02}.jpg").write_text(f"wait {number}")
    return tmp_path / "gate"


def finish(run: "subprocess.Popen[str]") -> tuple[int, str]:
    """Let a batch come to its end, and return its code and what it said."""
    _, stderr = run.communicate()
    return run.returncode, stderr


def read_report(path: Path) -> list[dict[str, Any]]:
    """Return a report without what differs from run to run."""
    reports = [json.loads(line) for line in path.read_text().splitlines()]
    return [{**report, "seconds": None} for report in reports]


def read_outputs(folder: Path) -> dict[str, bytes]:
    """Return all that a batch has left in its folder, beside report and journal."""
    kept = (".jsonl", ".sqlite")
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix not in kept}


def assert_same(output: Path, other: Path) -> None:
    """Make sure that two batches have told and written the same, and left nothing behind."""
    assert read_report(output / "report.jsonl") == read_report(other / "report.jsonl")
    assert read_outputs(output) == read_outputs(other)


def test_killed_at_any_moment_the_batch_ends_as_any_other(start: Start, tmp_path: Path) -> None:
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    assert finish(start(undisturbed)) == (1, "")
    dice = random.Random(17)

    kills = 0
    while kills < KILLS:
        run = start(killed)
        for _ in range(dice.choice([0, dice.randrange(40)])):  # some die while they start
            present(run.stdout).readline()
        time.sleep(dice.uniform(0, 0.05))
        run.send_signal(signal.SIGKILL)
        run.communicate()
        if run.returncode == -signal.SIGKILL:
            kills += 1
        else:  # it was done before, so begin anew
            assert_same(killed, undisturbed)
            shutil.rmtree(killed)
    code, stderr = finish(start(killed))

    assert (code, stderr) == (1, "")
    assert_same(killed, undisturbed)


def test_workers_that_are_killed_change_nothing(start: Start, tmp_path: Path) -> None:
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    assert finish(start(undisturbed)) == (1, "")

    run = start(killed)
    for _ in range(4):
        present(run.stdout).readline()
        for worker in children_of(run.pid)[:1]:
            with suppress(ProcessLookupError):  # it was done meanwhile
                os.kill(worker, signal.SIGKILL)
    code, _ = finish(run)

    assert code == 1
    assert_same(killed, undisturbed)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
@pytest.mark.usefixtures("gate")
def test_workers_end_with_the_batch_that_is_killed(start: Start, tmp_path: Path) -> None:
    run = start(tmp_path / "out")
    present(run.stdout).readline()
    workers = children_of(run.pid)

    run.send_signal(signal.SIGKILL)
    run.communicate()

    assert workers
    while any(map(is_alive, workers)):  # the kernel may take a moment
        time.sleep(0.01)


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_what_ends_a_batch_lets_it_finish_the_photos_in_hand_and_the_next_run_goes_on(
    start: Start, tmp_path: Path, gate: Path, name: str, code: int
) -> None:
    undisturbed, ended = tmp_path / "undisturbed", tmp_path / "ended"
    gate.touch()
    finish(start(undisturbed))
    gate.unlink()

    run = start(ended)
    present(run.stdout).readline()
    run.send_signal(getattr(signal, name))
    stderr = present(run.stderr).readline()
    gate.touch()
    ended_with, more = finish(run)
    some = read_report(ended / "report.jsonl")
    begun = list(read_outputs(ended))
    finish(start(ended))

    assert ended_with == code
    ending = "sudoku-lens: ending after the photos in hand; Ctrl-C once more ends at once\n"
    assert stderr + more == ending
    assert 1 <= len(some) < 36
    assert not [name for name in begun if name.endswith(".tmp")]
    assert read_report(ended / "report.jsonl") == read_report(undisturbed / "report.jsonl")


def test_an_overlay_that_cannot_be_written_ends_the_batch_and_the_next_run_goes_on(
    start: Start, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    (out / "11-solved.jpg").mkdir(parents=True)

    code, stderr = finish(start(out))
    (out / "11-solved.jpg").rmdir()
    again = finish(start(out))

    assert code == 2
    assert "11-solved.jpg is there already" in stderr
    assert again == (1, "")
    assert len(read_report(out / "report.jsonl")) == 36


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of other systems end the process")
def test_a_full_disk_ends_the_batch_and_the_next_run_goes_on(
    sudoku_lens: RunCommand, newspaper: Path, tmp_path: Path
) -> None:
    """A limit on the size of files stands in for the disk: the same errors, without mounting."""
    command = ["batch", str(newspaper), "--output-dir", str(tmp_path / "out"), "--jobs", "1"]
    most = 200_000  # enough for the journal, not for the overlay

    with room_for(most):
        stopped = run_python("-m", "app", *command)
    left = list(read_outputs(tmp_path / "out"))
    again = sudoku_lens(*command)

    assert stopped.returncode == 2
    assert "newspaper-solved.jpg cannot be written: File too large" in stopped.stderr
    assert left == []
    assert again.returncode == 0
    assert list(read_outputs(tmp_path / "out")) == ["newspaper-solved.jpg"]
