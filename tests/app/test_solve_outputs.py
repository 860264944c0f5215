"""Where `solve` writes its pictures: names that are too long, stdout, and what is no picture."""

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_rig import RunCommand
from puzzles import EASY

from solver.grid import parse_grid
from training.pages.flat_board import render_board
from vision.media.images import load_image


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A folder's only file: a photo of a board."""
    image, _ = render_board(parse_grid(EASY))
    path = tmp_path / "board.png"
    cv2.imwrite(str(path), image)
    return path


def solve(
    project: Path, *arguments: str | Path, cwd: Path | None = None
) -> "subprocess.CompletedProcess[bytes]":
    """Run the command, with stdout as bytes."""
    return subprocess.run(
        [sys.executable, "-m", "app", "solve", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(project)},
        capture_output=True,
        check=False,
    )


def test_a_picture_that_cannot_be_written_leaves_the_next_photos_to_be_solved(
    sudoku_lens: RunCommand, board: Path
) -> None:
    second = board.with_name("second.png")
    second.write_bytes(board.read_bytes())
    (board.parent / "out" / "board-solved.png").mkdir(parents=True)

    done = sudoku_lens("solve", board, second, "-o", board.parent / "out")

    assert "board-solved.png cannot be written" in done.stderr
    assert f"Solved picture: {board.parent / 'out' / 'second-solved.png'}" in done.stdout
    assert done.stdout.count("solved; checked") == 2
    assert done.returncode == 2


def test_a_name_as_long_as_can_be_is_cut_for_the_solved_picture(
    sudoku_lens: RunCommand, board: Path
) -> None:
    first, second = (board.with_name(f"{'é' * 124}{end}.png") for end in "12")
    for photo in (first, second):
        photo.write_bytes(board.read_bytes())

    done = sudoku_lens("solve", first, second, "-o", "out", "--debug", "stages", cwd=board.parent)

    written = [path.name for path in (board.parent / "out").iterdir()]
    assert (done.stderr, done.returncode) == ("", 0)
    assert len(written) == 2
    assert all(name.startswith("é" * 80) for name in written)


def test_an_output_with_a_name_that_no_system_takes_is_a_wrong_usage(
    sudoku_lens: RunCommand, board: Path
) -> None:
    as_picture = sudoku_lens("solve", board, "-o", f"{'x' * 300}.png", cwd=board.parent)
    as_folder = sudoku_lens("solve", board, "-o", "x" * 300, cwd=board.parent)

    for done in (as_picture, as_folder):
        assert "File name too long; choose another" in done.stderr
        assert "Traceback" not in done.stderr
        assert done.returncode == 2


@pytest.mark.slow
def test_a_minus_writes_the_picture_to_stdout_and_the_status_to_stderr(
    project: Path, board: Path
) -> None:
    solve(project, board, "-o", board.with_name("solved.png"))

    done = solve(project, board, "-o", "-", cwd=board.parent)

    assert done.stdout.startswith(b"\x89PNG")
    shown = cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_COLOR)
    np.testing.assert_array_equal(shown, load_image(board.with_name("solved.png")))
    assert b"solved; checked, and the only solution" in done.stderr
    assert done.returncode == 0
    assert not (board.parent / "-").exists()


def test_a_minus_for_a_photo_that_is_not_solved_writes_nothing_to_stdout(
    project: Path, tmp_path: Path
) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((200, 200), 128, np.uint8))

    done = solve(project, tmp_path / "grey.png", "-o", "-")

    assert done.stdout == b""
    assert b"nothing solved, so no picture is written" in done.stderr
    assert done.returncode == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other pipes")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_enough_of_the_picture_ends_the_command_quietly(
    project: Path, newspaper: Path, unbuffered: str
) -> None:
    run = subprocess.Popen(
        [sys.executable, "-m", "app", "solve", "-q", newspaper, "-o", "-"],
        cwd=project,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert run.stdout is not None
    assert run.stderr is not None

    run.stdout.read(3)
    run.stdout.close()
    stderr = run.stderr.read()
    run.stderr.close()

    assert (run.wait(), stderr) == (141, b"")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("second.png",), "-o - is one picture for 2 photos; name a folder"),
        (("--json",), "--json and -o - both write to stdout; name a file after -o"),
    ],
)
def test_stdout_takes_one_picture_and_nothing_else(
    sudoku_lens: RunCommand, board: Path, more: tuple[str, ...], told: str
) -> None:
    done = sudoku_lens("solve", board, *more, "-o", "-")

    assert (done.stdout, done.stderr) == ("", f"sudoku-lens: {told}\n")
    assert done.returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_a_terminal_is_not_filled_with_the_bytes_of_a_picture(project: Path, board: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "app", "solve", board, "-o", "-"],
        env={**os.environ, "PYTHONPATH": str(project)},
        stdout=theirs,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(theirs)
    os.close(ours)

    assert b"-o - would fill the terminal with a picture; send stdout to a file" in done.stderr
    assert done.returncode == 2


@pytest.mark.parametrize("name", ["x.txt", "x.docx", "new/x.mp4"])
def test_a_file_that_is_no_picture_is_a_wrong_usage_that_names_the_formats(
    sudoku_lens: RunCommand, board: Path, name: str
) -> None:
    done = sudoku_lens("solve", board, "-o", name, cwd=board.parent)

    suffix = Path(name).suffix
    assert done.stderr == (
        f"sudoku-lens: cannot write {name} as {suffix}; end it with .bmp, .jpeg, .jpg, .png, .tif, "
        ".tiff or .webp, or with / for a folder\n"
    )
    assert done.returncode == 2
    assert list(board.parent.iterdir()) == [board]
