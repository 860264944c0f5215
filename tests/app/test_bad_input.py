"""Every input that cannot be solved ends with a clear message and the documented exit code."""

import json
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_rig import RunCommand
from picture_rig import jpeg_of_scans
from puzzles import EASY

from solver.grid import parse_grid
from training.pages.flat_board import render_board


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of its own, where relative names are short."""
    return tmp_path


def write_board(path: Path, grid: str) -> Path:
    image, _ = render_board(parse_grid(grid))
    cv2.imwrite(str(path), image)
    return path


def write_cut_photo(path: Path) -> None:
    """Write a photo of a board that lacks the last tenth of its bytes, and with it some lawn."""
    board, _ = render_board(parse_grid(EASY))
    paper = board if board.ndim == 3 else cv2.cvtColor(board, cv2.COLOR_GRAY2BGR)
    lawn = np.random.default_rng(5).normal(150, 20, (paper.shape[0] // 4, *paper.shape[1:]))
    whole = cv2.imencode(".jpg", np.vstack([paper, lawn.astype(np.uint8)]))[1].tobytes()
    path.write_bytes(whole[: len(whole) * 9 // 10])


def huge_png_header(width: int, height: int) -> bytes:
    """Return a PNG whose header promises more pixels than any memory holds."""
    chunks = [b"\x89PNG\r\n\x1a\n"]
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    for kind, data in ((b"IHDR", header), (b"IDAT", zlib.compress(b"")), (b"IEND", b"")):
        checksum = struct.pack(">I", zlib.crc32(kind + data))
        chunks.append(struct.pack(">I", len(data)) + kind + data + checksum)
    return b"".join(chunks)


def assert_ends_well(done: "subprocess.CompletedProcess[str]", code: int, message: str) -> None:
    assert "Traceback" not in done.stderr
    assert message in done.stderr + done.stdout
    assert done.returncode == code


def test_a_missing_file_is_named(sudoku_lens: RunCommand, folder: Path) -> None:
    done = sudoku_lens("solve", "nowhere.jpg", cwd=folder)

    assert_ends_well(done, 3, "nowhere.jpg does not exist; check the name")
    assert done.stdout == "nowhere.jpg: no picture could be read\n"


def test_a_folder_is_no_photo(sudoku_lens: RunCommand, folder: Path) -> None:
    done = sudoku_lens("solve", folder)

    assert_ends_well(done, 3, f"sudoku-lens: {folder} is a folder; give a picture file\n")
    assert done.stderr.count("\n") == 1


def test_an_empty_file_is_no_photo(sudoku_lens: RunCommand, folder: Path) -> None:
    (folder / "empty.jpg").touch()

    done = sudoku_lens("solve", "empty.jpg", cwd=folder)

    assert_ends_well(done, 3, "empty.jpg is empty")


def test_a_truncated_jpeg_is_damaged(sudoku_lens: RunCommand, folder: Path) -> None:
    image, _ = render_board(parse_grid(EASY))
    whole = cv2.imencode(".jpg", image)[1].tobytes()
    (folder / "cut.jpg").write_bytes(whole[:700])

    done = sudoku_lens("solve", "cut.jpg", cwd=folder)

    assert_ends_well(done, 3, "cut.jpg cannot be decoded")


@pytest.mark.slow
def test_a_photo_cut_at_nine_tenths_is_tried_with_a_warning(
    sudoku_lens: RunCommand, folder: Path
) -> None:
    write_cut_photo(folder / "cut.jpg")

    done = sudoku_lens("solve", "--json", "cut.jpg", cwd=folder)
    hushed = sudoku_lens("solve", "--quiet", "cut.jpg", cwd=folder)

    assert_ends_well(done, 0, "cut.jpg: the file is cut short, and its last part is missing; copy")
    assert done.stderr.count("\n") == 1
    assert "cut short" in json.loads(done.stdout)["warnings"][0]
    assert hushed.stderr == ""


def test_the_pages_of_a_tiff_that_are_not_read_are_named(
    sudoku_lens: RunCommand, folder: Path
) -> None:
    image, _ = render_board(parse_grid(EASY))
    cv2.imwritemulti(str(folder / "pages.tif"), [image, image])

    done = sudoku_lens("solve", "pages.tif", cwd=folder)

    assert_ends_well(done, 0, "pages.tif: only the first of 2 pages is read; save the others as")


def test_a_batch_reports_a_photo_that_is_cut_short(sudoku_lens: RunCommand, folder: Path) -> None:
    write_cut_photo(folder / "cut.jpg")

    done = sudoku_lens("batch", "--json", "cut.jpg", cwd=folder)

    assert "cut short" in json.loads(done.stdout.splitlines()[0])["warnings"][0]


def test_a_jpeg_of_a_thousand_scans_is_refused(sudoku_lens: RunCommand, folder: Path) -> None:
    (folder / "scans.jpg").write_bytes(jpeg_of_scans(1_000))

    done = sudoku_lens("solve", "scans.jpg", cwd=folder)

    assert_ends_well(
        done, 3, "scans.jpg cannot be decoded: it has more than 100 scans; copy or export it again"
    )


def test_text_named_jpg_is_no_picture(sudoku_lens: RunCommand, folder: Path) -> None:
    (folder / "text.jpg").write_text("This is no picture.\n")

    done = sudoku_lens("solve", "text.jpg", cwd=folder)

    assert_ends_well(done, 3, "text.jpg is not a picture")


def test_one_pixel_is_too_small(sudoku_lens: RunCommand, folder: Path) -> None:
    cv2.imwrite(str(folder / "dot.png"), np.zeros((1, 1, 3), np.uint8))

    done = sudoku_lens("solve", "dot.png", cwd=folder)

    assert_ends_well(done, 3, "dot.png is too small: 1×1")


def test_a_huge_picture_is_refused_by_its_header(sudoku_lens: RunCommand, folder: Path) -> None:
    (folder / "huge.png").write_bytes(huge_png_header(40_000, 40_000))

    done = sudoku_lens("solve", "huge.png", cwd=folder)

    assert_ends_well(done, 3, "huge.png is too large: 40000×40000")


def test_a_picture_without_a_board_says_so(sudoku_lens: RunCommand, folder: Path) -> None:
    noise = np.random.default_rng(5).normal(150, 12, (480, 640, 3))
    cv2.imwrite(str(folder / "wall.jpg"), noise.astype(np.uint8))

    done = sudoku_lens("solve", "wall.jpg", "-o", "wall-solved.jpg", cwd=folder)

    assert_ends_well(done, 1, "no board was found")
    assert not (folder / "wall-solved.jpg").exists()


@pytest.mark.slow
def test_a_blank_board_is_not_solved(sudoku_lens: RunCommand, folder: Path) -> None:
    write_board(folder / "blank.png", "." * 81)

    done = sudoku_lens("solve", "blank.png", "-o", "blank-solved.png", cwd=folder)
    report = sudoku_lens("solve", "--json", "blank.png", cwd=folder)

    assert_ends_well(done, 1, "blank.png: more than one solution, no digits were found on it (")
    assert json.loads(report.stdout)["outcome"] == "ambiguous"
    assert not (folder / "blank-solved.png").exists()


@pytest.mark.slow
def test_two_equal_digits_in_a_row_leave_the_old_output_intact(
    sudoku_lens: RunCommand, folder: Path
) -> None:
    write_board(folder / "wrong.png", EASY[:2] + "5" + EASY[3:])
    (folder / "solved.png").write_bytes(b"what stood there before")

    done = sudoku_lens("solve", "wrong.png", "-o", "solved.png", cwd=folder)
    report = sudoku_lens("solve", "--json", "wrong.png", cwd=folder)

    message = "no solution: the clues contradict each other, 31 clues, equal ones: 5 in r1c1, r1c3"
    assert_ends_well(done, 1, message)
    assert json.loads(report.stdout)["outcome"] == "no_solution"
    assert (folder / "solved.png").read_bytes() == b"what stood there before"


def test_eighty_characters_are_counted(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", EASY[:80])

    assert_ends_well(done, 3, "a grid has 81 cells, but 80 were found")
    assert done.stdout == "bad_puzzle\n"


def test_letters_in_a_puzzle_are_named(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", EASY[:40] + "Q" + EASY[41:])

    assert_ends_well(done, 3, "Q")
    assert done.stdout == "bad_puzzle\n"


def test_a_puzzle_without_solution_is_not_solved(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", "55" + "." * 79)

    assert_ends_well(done, 1, "no_solution")


def test_a_puzzle_with_many_solutions_is_ambiguous(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", "1" + "." * 80)

    assert_ends_well(done, 1, "ambiguous")


def test_a_file_that_is_not_there_is_no_puzzle(sudoku_lens: RunCommand, folder: Path) -> None:
    done = sudoku_lens("puzzle", "puzzles.txt", cwd=folder)

    assert_ends_well(done, 3, "there is no file puzzles.txt")


def test_a_photo_is_no_puzzle_file(sudoku_lens: RunCommand, folder: Path) -> None:
    write_board(folder / "board.png", EASY)

    done = sudoku_lens("puzzle", "board.png", cwd=folder)

    assert_ends_well(done, 3, "sudoku-lens solve board.png")


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_a_file_without_puzzles_says_so(sudoku_lens: RunCommand, folder: Path, text: str) -> None:
    (folder / "empty.txt").write_text(text)

    done = sudoku_lens("puzzle", "empty.txt", cwd=folder)

    assert_ends_well(done, 3, "empty.txt holds no puzzle")


def test_an_output_below_a_file_is_refused_before_any_work(
    sudoku_lens: RunCommand, folder: Path
) -> None:
    photo = write_board(folder / "board.png", EASY)
    in_the_way = folder / "file"
    in_the_way.write_text("old")

    done = sudoku_lens("solve", photo, "-o", in_the_way / "solved.png")

    assert_ends_well(done, 2, "is not a folder")
    assert done.stdout == ""
    assert in_the_way.read_text() == "old"


def test_an_output_whose_name_is_a_folder_leaves_it_intact(
    sudoku_lens: RunCommand, folder: Path
) -> None:
    photo = write_board(folder / "board.png", EASY)
    (folder / "out" / "board-solved.png").mkdir(parents=True)
    (folder / "out" / "board-solved.png" / "old").touch()

    done = sudoku_lens("solve", photo, "-o", folder / "out")

    assert_ends_well(done, 2, "board-solved.png cannot be written")
    assert [path.name for path in (folder / "out").iterdir()] == ["board-solved.png"]
    assert (folder / "out" / "board-solved.png" / "old").exists()


def test_one_picture_cannot_hold_two_photos(sudoku_lens: RunCommand, folder: Path) -> None:
    done = sudoku_lens("solve", "a.jpg", "b.jpg", "-o", "solved.jpg", cwd=folder)

    assert_ends_well(done, 2, "name a folder")


def test_the_photo_itself_is_never_replaced(sudoku_lens: RunCommand, folder: Path) -> None:
    photo = write_board(folder / "board.png", EASY)
    before = photo.read_bytes()

    done = sudoku_lens("solve", "board.png", "-o", "board.png", cwd=folder)

    assert_ends_well(done, 2, "would replace the photo itself")
    assert photo.read_bytes() == before


@pytest.mark.parametrize("arguments", [["solve", ""], ["solve", "board.png", ""], ["puzzle", ""]])
def test_an_empty_name_is_wrong_usage(
    sudoku_lens: RunCommand, folder: Path, arguments: list[str]
) -> None:
    write_board(folder / "board.png", EASY)

    done = sudoku_lens(*arguments, cwd=folder)

    assert_ends_well(done, 2, "is empty; ")
    assert done.stdout == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--weights", "board.png"], 2, "--weights board.png is no network; give a .tflite or"),
        (["--weights", "none.tflite"], 4, "none.tflite does not exist; check the name"),
        (["--weights", "none.keras"], 4, "none.keras does not exist; check the name"),
        (["--weights", "text.tflite"], 4, "text.tflite cannot be read"),
        (
            ["--engine", "keras", "--weights", "text.tflite"],
            2,
            "--engine keras cannot run text.tflite; give a .keras file, or leave --engine out",
        ),
    ],
)
def test_weights_that_do_not_fit_are_named_as_typed(
    sudoku_lens: RunCommand, folder: Path, options: list[str], code: int, message: str
) -> None:
    write_board(folder / "board.png", EASY)
    (folder / "text.tflite").write_text("This is no network.\n")

    done = sudoku_lens("solve", "board.png", *options, cwd=folder)

    assert_ends_well(done, code, message)
    assert "reinstall" not in done.stderr


def test_an_unknown_solver_is_answered_with_the_known_ones(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", EASY, "--solver", "oracle")

    assert_ends_well(done, 2, "there is no solver oracle; choose one of: ")


def test_the_worst_of_several_photos_gives_the_exit_code(
    sudoku_lens: RunCommand, folder: Path
) -> None:
    write_board(folder / "good.png", EASY)

    done = sudoku_lens("solve", "good.png", "missing.png", cwd=folder)

    assert done.returncode == 3
    assert "good.png: solved" in done.stdout


@pytest.mark.parametrize(
    ("missing", "named"),
    [("*.tflite", "digits.tflite"), ("digits_small.tflite", "digits_small.tflite")],
)
def test_missing_weights_are_named(
    missing: str, named: str, sudoku_lens_process: RunCommand, project: Path, folder: Path
) -> None:
    photo = write_board(folder / "board.png", EASY)
    for package in ("app", "models", "solver", "vision"):
        leave_out = shutil.ignore_patterns(missing, "*.keras", "__pycache__")
        shutil.copytree(project / package, folder / package, ignore=leave_out)

    done = sudoku_lens_process("solve", photo, cwd=folder, environment={"PYTHONPATH": str(folder)})

    assert_ends_well(done, 4, f"weights {named} are not in ")
    assert "reinstall sudoku-lens" in done.stderr
