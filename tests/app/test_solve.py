"""`sudoku-lens solve` as users run it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_rig import RunCommand, begin_python, run_python
from puzzles import EASY, EASY_SOLUTION

from solver.grid import draw_grid, parse_grid
from training.evaluation.changed_cells import choose_mistake, copy_cell
from training.pages.flat_board import render_board
from training.photo_labels import load_kinds, load_photo_labels, locate_board, shrink_photo
from vision.media.images import load_image, save_image


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A folder's only file: a photo of a board."""
    image, _ = render_board(parse_grid(EASY))
    path = tmp_path / "board.png"
    cv2.imwrite(str(path), image)
    return path


def test_the_solved_grid_and_its_status_are_printed(sudoku_lens: RunCommand, board: Path) -> None:
    done = sudoku_lens("solve", "board.png", cwd=board.parent)

    assert draw_grid(parse_grid(EASY_SOLUTION)) in done.stdout
    assert done.stdout.startswith("board.png: solved; checked, and the only solution, 30 clues")
    assert (done.returncode, done.stderr) == (0, "")
    assert list(board.parent.iterdir()) == [board]


def test_the_overlay_changes_the_empty_cells_only(sudoku_lens: RunCommand, board: Path) -> None:
    output = board.parent / "new" / "solved.png"

    done = sudoku_lens("solve", board, "-o", output)

    before, after = cv2.imread(str(board)), cv2.imread(str(output))
    assert before is not None
    assert after is not None
    changed = (before != after).any(axis=2)
    _, corners = render_board(parse_grid(EASY))
    low, cell = corners[0], (corners[2] - corners[0]) / 9
    for index, clue in enumerate(EASY):
        x, y = (low + cell * (index % 9 + 0.15, index // 9 + 0.15)).astype(int)
        width, height = (0.7 * cell).astype(int)
        assert changed[y : y + height, x : x + width].any() == (clue == "."), index
    assert f"Solved picture: {output}" in done.stdout


def test_the_report_is_one_json_line_a_photo(sudoku_lens: RunCommand, board: Path) -> None:
    done = sudoku_lens("solve", "--json", board, "missing.jpg")

    solved, missing = map(json.loads, done.stdout.splitlines())
    assert list(solved) == ["file", "outcome", "boards", "seconds"]
    assert solved["file"] == str(board)
    assert solved["boards"][0]["clues"] == EASY
    assert solved["boards"][0]["solution"] == EASY_SOLUTION
    assert solved["boards"][0]["entries"] == "." * 81
    assert np.array(solved["boards"][0]["corners"]).shape == (4, 2)
    assert missing["outcome"] == "bad_image"
    assert missing["boards"] == []


def test_a_photo_is_read_from_stdin(board: Path) -> None:
    done = run_python("-m", "app", "solve", "-", "--json", input=board.read_bytes(), text=False)

    report = json.loads(done.stdout)
    assert report["file"] == "stdin"
    assert report["outcome"] == "solved"


def test_debug_writes_a_picture_of_every_stage(sudoku_lens: RunCommand, board: Path) -> None:
    sudoku_lens("solve", board, "--debug", board.parent / "stages")

    pictures = sorted((board.parent / "stages").iterdir())
    assert [path.name for path in pictures] == [
        "board-1-candidates.png",
        "board-2-board.png",
        "board-3-cells.png",
        "board-4-solved.png",
    ]
    assert all(cv2.imread(str(path)) is not None for path in pictures)


def test_an_unsolved_board_shows_what_was_read(sudoku_lens: RunCommand, tmp_path: Path) -> None:
    wrong = "535" + EASY[3:]
    cv2.imwrite(str(tmp_path / "wrong.png"), render_board(parse_grid(wrong))[0])

    done = sudoku_lens("solve", "wrong.png", "-o", "out", cwd=tmp_path)

    assert done.returncode == 1
    assert "no solution: the clues contradict each other" in done.stdout
    assert draw_grid(parse_grid(wrong)) in done.stdout
    assert "compare with the photo" in done.stdout
    assert "out/wrong-solved.png is not written" in done.stderr.replace("\\", "/")
    assert not (tmp_path / "out").exists()


def test_quiet_and_verbose_change_stderr_only(sudoku_lens: RunCommand, board: Path) -> None:
    quiet = sudoku_lens("solve", "-q", "--json", board)
    verbose = sudoku_lens("solve", "-vv", "--json", board)

    assert quiet.stderr == ""
    assert "candidate scored" in verbose.stderr
    assert json.loads(quiet.stdout)["boards"] == json.loads(verbose.stdout)["boards"]


def test_other_weights_can_be_named(
    sudoku_lens: RunCommand, board: Path, project: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "other.tflite"
    copy.write_bytes((project / "models" / "weights" / "digits.tflite").read_bytes())

    found = sudoku_lens("solve", "--json", "--weights", copy, board)
    missing = sudoku_lens("solve", "--json", "--weights", tmp_path / "none.tflite", board)

    assert json.loads(found.stdout)["outcome"] == "solved"
    assert missing.returncode == 4
    assert "none.tflite" in missing.stderr


@pytest.mark.slow
def test_the_keras_engine_reads_the_same(sudoku_lens: RunCommand, board: Path) -> None:
    pytest.importorskip("keras", reason="the train extra is not installed")

    done = sudoku_lens("solve", "--engine", "keras", "--json", board)

    assert json.loads(done.stdout)["boards"][0]["clues"] == EASY


def test_check_keeps_the_solution_back_and_ends_well_where_nothing_is_wrong(
    sudoku_lens: RunCommand, board: Path
) -> None:
    kept = sudoku_lens("solve", "--check", board)
    shown = sudoku_lens("solve", "--check", "--reveal", board)

    assert "nothing to check: no entries by hand were found" in kept.stdout
    assert draw_grid(parse_grid(EASY)) in kept.stdout
    assert draw_grid(parse_grid(EASY_SOLUTION)) not in kept.stdout
    assert draw_grid(parse_grid(EASY_SOLUTION)) in shown.stdout
    assert (kept.returncode, shown.returncode) == (0, 0)


def test_a_planted_mistake_on_a_real_page_is_the_only_wrong_entry(
    sudoku_lens: RunCommand, shared_data: Path, tmp_path: Path
) -> None:
    file = "alexkubiesa/val_01_25_iphone_14_0.jpg"
    photos = shared_data / "photos"
    [label] = [one for one in load_photo_labels(photos) if one.file == file]
    image, label = shrink_photo(load_image(photos / file), label, 1200)
    mistake = choose_mistake(label, load_kinds()[file], np.random.default_rng(0))
    assert mistake is not None
    changed = copy_cell(image, locate_board(image, label), mistake[1], mistake[0])
    save_image(tmp_path / "mistake.png", changed)

    done = sudoku_lens("solve", "--check", "--json", tmp_path / "mistake.png")

    [solved] = json.loads(done.stdout)["boards"]
    assert done.returncode == 1
    assert solved["checked"]["wrong"] == [mistake[0]]
    assert solved["checked"]["unsure"] == []
    assert solved["solution"] is None


def test_a_picture_that_cannot_be_written_leaves_the_next_photos_to_be_solved(
    sudoku_lens: RunCommand, board: Path
) -> None:
    second = board.with_name("second.png")
    second.write_bytes(board.read_bytes())
    (board.parent / "out" / "board-solved.png").mkdir(parents=True)

    done = sudoku_lens("solve", board, second, "-o", board.parent / "out")

    names = sorted(path.name for path in (board.parent / "out").iterdir())
    assert names == ["board-solved.png", "second-solved.png"]
    assert "board-solved.png cannot be written" in done.stderr
    assert f"Solved picture: {board.parent / 'out' / 'second-solved.png'}" in done.stdout
    assert done.stdout.count("solved; checked") == 2
    assert done.returncode == 2


def test_a_name_of_full_length_is_cut_for_the_picture(sudoku_lens: RunCommand, board: Path) -> None:
    first, second = (board.with_name(f"{'é' * 124}{end}.png") for end in "12")
    for photo in (first, second):
        photo.write_bytes(board.read_bytes())

    done = sudoku_lens("solve", first, second, "-o", "out", "--debug", "stages", cwd=board.parent)

    written = [path.name for path in (board.parent / "out").iterdir()]
    assert (done.stderr, done.returncode) == ("", 0)
    assert len(written) == 2
    assert all(name.startswith("é" * 80) for name in written)


@pytest.mark.slow
def test_a_minus_writes_the_picture_to_stdout_and_the_status_to_stderr(
    sudoku_lens: RunCommand, board: Path
) -> None:
    sudoku_lens("solve", board, "-o", board.with_name("solved.png"))

    done = run_python("-m", "app", "solve", board, "-o", "-", cwd=board.parent, text=False)

    assert done.stdout.startswith(b"\x89PNG")
    shown = cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_COLOR)
    np.testing.assert_array_equal(shown, load_image(board.with_name("solved.png")))
    assert b"solved; checked, and the only solution" in done.stderr
    assert done.returncode == 0
    assert not (board.parent / "-").exists()


def test_a_minus_for_a_photo_that_is_not_solved_writes_nothing_to_stdout(
    sudoku_lens: RunCommand, tmp_path: Path
) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((200, 200), 128, np.uint8))

    done = sudoku_lens("solve", tmp_path / "grey.png", "-o", "-")

    assert done.stdout == ""
    assert "nothing solved, so no picture is written" in done.stderr
    assert done.returncode == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other pipes")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_enough_of_the_picture_ends_the_command_quietly(
    project: Path, newspaper: Path, unbuffered: str
) -> None:
    run = begin_python(
        *("-m", "app", "solve", "-q", newspaper, "-o", "-"),
        cwd=project,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        text=False,
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
