"""How commands are ended early: by Ctrl-C, SIGTERM and SIGHUP, and what becomes of their work."""

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_rig import SUPPORT, begin_python, run_python
from planted_work import children_of
from present import present
from puzzles import EASY, HARD

from app.cli.command_options import WishOptions
from app.cli.generate_command import generate
from app.compare.solve_records import load_solves
from app.terminal.exit_codes import ExitCode, Stop, stopping_on_signals
from solver.formats import read_any
from vision.media.camera import watch_capture

if sys.platform == "win32":
    pytest.skip("Windows sends no signals to one process", allow_module_level=True)

ENDING = [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 143)]
Begin = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def begin(request: pytest.FixtureRequest, tmp_path: Path) -> Begin:
    """Starts the command in a folder of its own."""

    def start(*arguments: str, **options: Any) -> "subprocess.Popen[str]":
        process = begin_python(
            "-m", "app", *arguments, cwd=tmp_path, stdin=subprocess.PIPE, **options
        )

        def end() -> None:
            process.kill()
            process.communicate()

        request.addfinalizer(end)
        return process

    return start


def wait_until(is_so: Callable[[], object]) -> None:
    while not is_so():
        time.sleep(0.02)


def begin_answering(begin: Begin, **options: Any) -> "subprocess.Popen[str]":
    """Start a command that has answered, and waits for the next puzzle."""
    process = begin("puzzle", "-", **options)
    assert process.stdin is not None
    process.stdin.write(f"{EASY}\n" * 400)
    process.stdin.flush()
    present(process.stdout).readline()
    return process


@pytest.mark.parametrize(("name", "code"), ENDING)
def test_a_command_asked_to_end_does_so_with_its_code(begin: Begin, name: str, code: int) -> None:
    process = begin_answering(begin)

    process.send_signal(getattr(signal, name))
    stderr = process.communicate()[1]

    assert (process.returncode, stderr) == (code, "")


def test_what_is_ignored_stays_ignored(begin: Begin) -> None:
    process = begin_answering(
        begin, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
    )

    process.send_signal(signal.SIGHUP)
    assert process.stdin is not None
    process.stdin.write(f"{EASY}\n")
    process.stdin.close()
    process.stdin = None  # what ends it afterwards shall not write either
    # `communicate` would pass over what the first line's reading has put aside.
    stdout = present(process.stdout).read()

    assert process.wait() == 0
    assert len(stdout.splitlines()) == 400  # and the one that was read before


def test_what_is_ignored_stays_ignored_where_work_is_brought_to_an_end() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stopping_on_signals() as stop:
            signal.raise_signal(signal.SIGHUP)
            was_stopping = stop()
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGHUP, before)

    assert not was_stopping
    assert stop.code is ExitCode.TERMINATED


def test_where_python_gets_no_turn_the_system_ends_the_process_save_what_is_ignored() -> None:
    script = """
import signal
from app.terminal.exit_codes import ENDING, end_on_signals, end_without_python

signal.signal(signal.SIGHUP, signal.SIG_IGN)
end_on_signals()
end_without_python()
print(*[signal.getsignal(number).name for number in ENDING])
"""

    told = run_python("-c", script, check=True).stdout

    assert told.split() == ["SIG_DFL", "SIG_DFL", "SIG_IGN"]


READING = """
import signal
import typer.core
from app.__main__ import main

typer.core.TyperGroup.make_context = lambda *_, **__: signal.raise_signal(signal.SIGNAL)
main()
"""

DYING = """
import signal, time
import app.terminal.console
from app.__main__ import main

class Dying:
    def __del__(self):
        signal.raise_signal(signal.SIGNAL)

def die():
    Dying()
    time.sleep(60)

import app.cli.command_line
app.cli.command_line.main = die
main()
"""


@pytest.mark.parametrize(
    ("script", "name", "code"),
    [
        pytest.param(READING, "SIGINT", 130, id="reading"),
        pytest.param(DYING, "SIGHUP", 143, id="dying"),
    ],
)
def test_an_end_asked_for_while_arguments_are_read_or_an_object_dies_is_not_lost(
    script: str, name: str, code: int
) -> None:
    ended = run_python("-c", script.replace("SIGNAL", name))

    assert (ended.returncode, ended.stderr) == (code, "")


def test_several_signals_of_the_system_are_one_and_a_second_ctrl_c_ends_at_once() -> None:
    stop = Stop()

    stop.interrupt(signal.SIGHUP)
    stop.interrupt(signal.SIGTERM)

    assert stop()
    assert stop.code is ExitCode.TERMINATED
    with pytest.raises(KeyboardInterrupt):
        stop.interrupt(signal.SIGINT)


@pytest.mark.parametrize(("name", "code"), ENDING)
def test_generate_writes_what_is_made_when_it_is_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, code: int
) -> None:
    looks = itertools.count()

    def clock() -> float:
        if next(looks) == 500:
            signal.raise_signal(getattr(signal, name))
        return 0.0

    path = tmp_path / "new.txt"
    ended_with = generate(WishOptions(count=100_000, size=4, seed=1, output=path), clock)

    lines = path.read_text().splitlines()
    puzzles = [puzzle.grid for puzzle in read_any(lines) if puzzle.grid is not None]
    assert ended_with == code
    assert len(puzzles) == len(lines) > 0
    assert f"ended early, with {len(lines)} of 100000 puzzles" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_in_the_file_stays_where_nothing_is_made(tmp_path: Path) -> None:
    path = tmp_path / "old.txt"
    path.write_text(EASY)
    looks = itertools.count()

    def clock() -> float:
        if next(looks) == 3:
            signal.raise_signal(signal.SIGTERM)
        return 0.0

    ended_with = generate(WishOptions(clues=17, seed=1, output=path), clock)

    assert ended_with is ExitCode.TERMINATED
    assert path.read_text() == EASY


def begin_comparing(begin: Begin, tmp_path: Path) -> tuple["subprocess.Popen[str]", list[int]]:
    """Start a comparison that goes on for long, and return it and its processes once it solves."""
    (tmp_path / "puzzles.txt").write_text(f"{EASY}\n{HARD}\n" * 2500)
    solvers = ["--solver", "bitmask", "--solver", "propagation"]
    process = begin("compare", "puzzles.txt", *solvers, "--csv", "solves.csv", "--jobs", "2")
    path = tmp_path / "solves.csv"
    wait_until(lambda: path.exists() and path.read_text().count("\n") > 20)
    return process, children_of(process.pid)


def are_gone(processes: list[int]) -> bool:
    return not any(Path(f"/proc/{process}/cmdline").exists() for process in processes)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGKILL", -9)])
def test_the_processes_of_a_comparison_end_with_it_and_its_solves_are_kept(
    begin: Begin, tmp_path: Path, name: str, code: int
) -> None:
    process, workers = begin_comparing(begin, tmp_path)

    process.send_signal(getattr(signal, name))
    stdout, stderr = process.communicate()

    assert process.returncode == code
    assert len(workers) == 2
    wait_until(lambda: are_gone(workers))  # the kernel may take a moment
    assert len(load_solves(tmp_path / "solves.csv")) >= 20  # the header is a line, too
    assert "Traceback" not in stderr
    if name != "SIGKILL":
        assert stdout.startswith("## All puzzles")
        assert "of 10,000 solves; run it again for the others" in stderr


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
def test_a_signal_to_a_whole_comparison_is_the_parents_alone(begin: Begin, tmp_path: Path) -> None:
    _, workers = begin_comparing(begin, tmp_path)

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        os.kill(workers[0], number)
    before = (tmp_path / "solves.csv").read_text().count("\n")
    wait_until(lambda: (tmp_path / "solves.csv").read_text().count("\n") > before + 20)

    assert not are_gone(workers[:1])


def test_a_process_that_is_forgotten_does_not_keep_the_end_waiting(project: Path) -> None:
    script = """
from app.workers.child_process import ChildProcess, Talk
from planted_work import hang

if __name__ == "__main__":
    child = ChildProcess(hang, Talk())
    child.receive()
    print("ends", flush=True)
"""
    process = begin_python("-c", script, paths=(project, SUPPORT))
    present(process.stdout).readline()

    try:
        code = process.wait(30)
    finally:
        process.kill()
        process.communicate()

    assert code == 0


def test_a_camera_that_shows_nothing_more_does_not_keep_the_end_waiting() -> None:
    class Stalled:
        """Shows one picture, and then nothing until it is let go."""

        def __init__(self) -> None:
            self.is_released = self.is_seen = False

        def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
            return True

        def read(self) -> tuple[bool, Any]:
            if not self.is_seen:
                self.is_seen = True
                return True, [[[0, 0, 0]]]
            wait_until(lambda: stop())
            return False, None

        def get(self, what: int, /) -> float:
            return 30.0

        def release(self) -> None:
            self.is_released = True

    stop, camera = Stop(), Stalled()
    with watch_capture(camera, "nothing", is_stopping=stop) as source:
        shots = iter(source)
        next(shots)
        stop.set()

        left = list(shots)

    assert left == []
    assert camera.is_released
