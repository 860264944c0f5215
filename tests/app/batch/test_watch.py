"""Folders that are watched: what comes is met once, when it has stopped growing."""

import json
import signal
from concurrent.futures import Future
from pathlib import Path

import pytest
from command_rig import PROJECT, SUPPORT, begin_python

from app.batch.inputs import watch_files
from app.batch.run_progress import RunSummary, showing_batch
from app.batch.sources import InputFile
from app.terminal.exit_codes import Stop


class Folder:
    """A watched folder, in which things happen from look to look."""

    def __init__(self, path: Path, *events: dict[str, str]) -> None:
        self.path = path
        self.events = list(events)
        self.stop = Stop()

    def list_files(self) -> list[InputFile]:
        if not self.events:
            self.stop.set()
            return []
        for name, text in self.events.pop(0).items():
            (self.path / name).write_text(text)
        paths = sorted(self.path.iterdir())
        return [InputFile(str(path), path.name, "photo", 0, path.name, "") for path in paths]

    def met(self) -> list[str]:
        watched = watch_files(
            lambda: iter(self.list_files()), self.stop, poll_seconds=0, nap=lambda _: None
        )
        return [found.file for found in watched if found is not None]


def test_what_has_stopped_growing_is_met_once(tmp_path: Path) -> None:
    folder = Folder(tmp_path, {"a.jpg": "half"}, {"a.jpg": "whole now"}, {}, {}, {})

    assert folder.met() == ["a.jpg"]


def test_what_comes_later_and_what_changes_is_met(tmp_path: Path) -> None:
    folder = Folder(tmp_path, {"a.jpg": "one"}, {}, {"b.jpg": "two"}, {}, {"a.jpg": "anew"}, {})

    assert folder.met() == ["a.jpg", "b.jpg", "a.jpg"]


def test_a_watch_ends_with_ctrl_c_and_has_worked_off_what_came(tmp_path: Path) -> None:
    (tmp_path / "album").mkdir()
    watching = "from planted_work import watch; watch()"
    run = begin_python("-c", watching, cwd=tmp_path, paths=(PROJECT, SUPPORT))
    assert run.stdout is not None

    told = []
    for name in ("a", "b"):
        (tmp_path / "album" / f"{name}.jpg").write_text(f"solved {name}")
        told.append(json.loads(run.stdout.readline())["file"])
    run.send_signal(signal.SIGINT)
    run.communicate()

    assert run.returncode == 130
    assert told == ["album/a.jpg", "album/b.jpg"]
    assert len((tmp_path / "report.jsonl").read_text().splitlines()) == 2


def test_a_log_gets_a_line_every_thirty_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = 0.0
    tally, counting = RunSummary(), Future[int]()
    counting.set_result(300)

    with showing_batch(tally, counting, clock=lambda: seconds) as show:
        for _ in range(7):
            seconds += 10
            for _ in range(20):
                tally.add("solved", is_known=False)
            tally.add("no_board", is_known=False)
            show()

    assert capsys.readouterr().err.splitlines() == [
        "sudoku-lens: 63 of 300, 2.1 a second, about 1 min 53 s left; 60 solved, 3 no_board",
        "sudoku-lens: 126 of 300, 2.1 a second, about 1 min 23 s left; 120 solved, 6 no_board",
    ]


def test_what_was_known_before_does_not_count_as_speed(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = 0.0
    tally = RunSummary()

    with showing_batch(tally, Future(), clock=lambda: seconds) as show:
        tally.add("solved", is_known=True)
        seconds = 31.0
        show()

    assert capsys.readouterr().err == "sudoku-lens: 1; 1 solved\n"


def test_of_very_many_messages_the_first_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    tally = RunSummary()

    for number in range(1000):
        tally.complain(f"{number} cannot be read")

    assert len(capsys.readouterr().err.splitlines()) == 21
    assert tally.worst == 3
