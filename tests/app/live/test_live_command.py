"""`sudoku-lens live` as users run it."""

import json
import signal
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_rig import RunCommand, begin_python, room_for, run_python
from present import present

from solver.grid import format_grid
from training.pages.flat_board import make_puzzle, render_board
from vision.media.camera import open_source

pytestmark = pytest.mark.slow

VIDEO_AND_REPORT = ("-m", "app", "live", "in.avi", "-o", "out.mp4", "--report", "-")


def _write_video(path: Path, frames: int, *, is_blank: bool = False) -> str:
    """Write a board that moves slowly, and return its solution."""
    puzzle = make_puzzle(1, 30)
    image, _ = render_board(puzzle.clues, 360)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (640, 480))
    for number in range(frames):
        frame = np.full((480, 640, 3), 90, np.uint8)
        if not is_blank:
            left, top = 60 + number % 100, 30
            frame[top : top + len(image), left : left + image.shape[1]] = image
        writer.write(frame)
    writer.release()
    return format_grid(puzzle.solution)


def _frames_of(path: Path) -> int:
    with open_source(str(path)) as source:
        return sum(1 for _ in source)


def test_the_live_view_of_a_video_is_written_and_reported(
    sudoku_lens: RunCommand, tmp_path: Path
) -> None:
    solution = _write_video(tmp_path / "in.avi", 12)

    done = sudoku_lens("live", "in.avi", "-o", "new/out.mp4", "--report", "-", cwd=tmp_path)

    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, len(lines)) == (0, 12)
    assert _frames_of(tmp_path / "new" / "out.mp4") == 12
    assert lines[-1]["state"] == "solved"
    assert lines[-1]["solution"] == solution
    assert lines[-1]["opacity"] == 1.0
    assert len(lines[-1]["lattice"]) == 10
    assert "12 frames" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.avi", "new"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("frames", [2, 40])
def test_a_report_for_which_there_is_no_space_is_told_by_its_name(
    sudoku_lens: RunCommand, tmp_path: Path, frames: int
) -> None:
    _write_video(tmp_path / "in.avi", frames)

    done = sudoku_lens("live", "in.avi", "--report", "/dev/full", cwd=tmp_path)

    assert done.returncode == 2
    assert "/dev/full" in done.stderr
    assert "stdout" not in done.stderr
    assert "Traceback" not in done.stderr


def test_answers_can_be_held_back_as_from_a_camera(sudoku_lens: RunCommand, tmp_path: Path) -> None:
    _write_video(tmp_path / "in.avi", 12)

    done = sudoku_lens("live", "in.avi", "--delay", "0.2", "--report", "-", "-q", cwd=tmp_path)

    shown = [json.loads(line)["opacity"] > 0 for line in done.stdout.splitlines()]
    assert shown[:6] == [False] * 6
    assert done.stderr == ""


def test_a_video_without_a_board_ends_with_1(sudoku_lens: RunCommand, tmp_path: Path) -> None:
    _write_video(tmp_path / "in.avi", 4, is_blank=True)

    done = sudoku_lens("live", "in.avi", cwd=tmp_path)

    assert done.returncode == 1
    assert "a solution on 0 of them, no puzzles" in done.stderr


def test_the_duration_ends_a_run(sudoku_lens: RunCommand, tmp_path: Path) -> None:
    _write_video(tmp_path / "in.avi", 12)

    done = sudoku_lens(
        "live", "in.avi", "--duration", "0.1", "--report", "seen.jsonl", cwd=tmp_path
    )

    assert len((tmp_path / "seen.jsonl").read_text().splitlines()) == 3
    assert done.returncode in (0, 1)


def contents(folder: Path) -> dict[Path, bytes | None]:
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["gone.mp4"], 3, "gone.mp4 does not exist"),
        (["notes.txt"], 3, "no video that can be played"),
        (["99"], 3, "there is no camera 99"),
        (["in.avi", "-o", "out.gif"], 2, "no video's name"),
        (["in.avi", "-o", "in.avi"], 2, "would replace the source"),
        (["in.avi", "--report", "in.avi"], 2, "would replace the source"),
        (["in.avi", "-o", "notes.txt/out.mp4"], 2, "is not a folder"),
        (["in.avi", "--report", "."], 2, "is a folder"),
        (["in.avi", "-o", "out.avi", "--report", "out.avi"], 2, "name two files"),
        (["frames", "--report", "frames/1.png"], 2, "would replace a picture of the source"),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_code(
    sudoku_lens: RunCommand, tmp_path: Path, arguments: list[str], code: int, told: str
) -> None:
    _write_video(tmp_path / "in.avi", 2)
    (tmp_path / "notes.txt").write_text("notes")
    (tmp_path / "frames").mkdir()
    (tmp_path / "frames" / "1.png").write_bytes(b"a picture")
    before = contents(tmp_path)

    done = sudoku_lens("live", *arguments, cwd=tmp_path)

    assert (done.returncode, done.stdout) == (code, "")
    assert told in done.stderr
    assert contents(tmp_path) == before


def test_a_full_disk_is_told_and_no_video_is_claimed(tmp_path: Path) -> None:
    _write_video(tmp_path / "in.avi", 6)

    with room_for(8_000):
        done = run_python("-m", "app", "live", "in.avi", "-o", "out.avi", cwd=tmp_path)

    assert done.returncode == 2
    assert "is the disk full?" in done.stderr
    assert "video: out.avi" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["in.avi"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGHUP", 143)])
def test_a_run_ended_early_leaves_a_playable_video(tmp_path: Path, name: str, code: int) -> None:
    _write_video(tmp_path / "in.avi", 900)
    with begin_python(*VIDEO_AND_REPORT, cwd=tmp_path) as process:
        for _ in range(20):
            present(process.stdout).readline()
        process.send_signal(getattr(signal, name))
        process.communicate()

    assert process.returncode == code
    assert 20 <= _frames_of(tmp_path / "out.mp4") < 900
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.avi", "out.mp4"]


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is of Unix")
def test_what_a_killed_run_has_left_is_removed_by_the_next(tmp_path: Path) -> None:
    _write_video(tmp_path / "in.avi", 300)
    with begin_python(*VIDEO_AND_REPORT, cwd=tmp_path) as process:
        present(process.stdout).readline()
        process.kill()
        process.communicate()
    left = [path.name for path in tmp_path.iterdir()]

    run_python(*VIDEO_AND_REPORT, "--duration", "0.1", cwd=tmp_path)

    assert len(left) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.avi", "out.mp4"]
