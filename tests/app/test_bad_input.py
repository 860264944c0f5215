"""Every input that cannot be solved ends with a clear message and the documented exit code."""

import json
import shlex
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_rig import RunCommand
from picture_rig import jpeg_of_scans, png_header
from puzzles import EASY

from solver.grid import parse_grid
from training.pages.flat_board import render_board


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


def assert_ends_well(done: "subprocess.CompletedProcess[str]", code: int, message: str) -> None:
    assert "Traceback" not in done.stderr
    assert message in done.stderr + done.stdout
    assert done.returncode == code


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files that cannot be solved, each named by what is wrong with it."""
    folder = tmp_path_factory.mktemp("shelf")
    whole = cv2.imencode(".jpg", render_board(parse_grid(EASY))[0])[1].tobytes()
    noise = np.random.default_rng(5).normal(150, 12, (480, 640, 3)).astype(np.uint8)
    for name, data in {
        "empty.jpg": b"",
        "cut.jpg": whole[:700],
        "scans.jpg": jpeg_of_scans(1_000),
        "text.jpg": b"This is no picture.\n",
        "huge.png": png_header(40_000, 40_000, 8, 2),
        "empty.txt": b"",
        "lines.txt": b"\n\n",
        "text.tflite": b"This is no network.\n",
    }.items():
        (folder / name).write_bytes(data)
    cv2.imwrite(str(folder / "dot.png"), np.zeros((1, 1, 3), np.uint8))
    cv2.imwrite(str(folder / "wall.jpg"), noise)
    write_board(folder / "board.png", EASY)
    return folder


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("solve nowhere.jpg", 3, "nowhere.jpg does not exist; check the name"),
        ("solve http://a.b/c.jpg", 3, "`sudoku-lens batch` takes addresses"),
        (f"solve {EASY}", 3, "`sudoku-lens puzzle` solves text"),
        (f"solve {'.' * 256}", 3, "`sudoku-lens puzzle` solves text"),
        ("puzzle --bulk nowhere.txt", 3, "there is no file nowhere.txt"),
        ("generate --grids 3", 2, "--grids is for samurais"),
        (
            "solve .",
            3,
            "sudoku-lens: . is a folder; give a picture file; `sudoku-lens batch` solves folders\n",
        ),
        ("solve empty.jpg", 3, "empty.jpg is empty"),
        ("solve cut.jpg", 3, "cut.jpg cannot be decoded"),
        ("solve scans.jpg", 3, "scans.jpg cannot be decoded: it has more than 100 scans; copy or"),
        ("solve text.jpg", 3, "text.jpg is not a picture"),
        ("solve dot.png", 3, "dot.png is too small: 1×1"),
        ("solve huge.png", 3, "huge.png is too large: 40000×40000"),
        ("solve wall.jpg -o wall-solved.jpg", 1, "no board was found"),
        ("solve a.jpg b.jpg -o solved.jpg", 2, "name a folder"),
        ("solve board.png -o board.png", 2, "would replace the photo itself"),
        ("solve board.png -o text.jpg/solved.png", 2, "is not a folder"),
        ("puzzle puzzles.txt", 3, "there is no file puzzles.txt"),
        ("puzzle board.png", 3, "sudoku-lens solve board.png"),
        ("puzzle empty.txt", 3, "empty.txt holds no puzzle"),
        ("puzzle lines.txt", 3, "lines.txt holds no puzzle"),
        (f"puzzle {EASY[:80]}", 3, "a grid has 81 cells, but 80 were found"),
        (f"puzzle {EASY[:40]}Q{EASY[41:]}", 3, "Q"),
        (f"puzzle 55{'.' * 79}", 1, "no_solution"),
        (f"puzzle 1{'.' * 80}", 1, "ambiguous"),
        ("slove", 2, "No such command 'slove'"),
        ("x" * 300, 2, "No such command"),
        ("solve board.png --reveal", 2, "--reveal goes with --check"),
        ("solve board.png --reader tesseract --engine keras", 2, "leave them out"),
        (f"solve board.png -o {'x' * 300}.png", 2, "File name too long; choose another"),
        (f"solve board.png -o {'x' * 300}", 2, "File name too long; choose another"),
        ("batch . --output-dir text.jpg/out", 2, "text.jpg is not a folder"),
        ("solve board.png --weights board.png", 2, "--weights board.png is no network; give a"),
        ("solve board.png --weights none.tflite", 4, "none.tflite does not exist; check the name"),
        ("solve board.png --weights none.keras", 4, "none.keras does not exist; check the name"),
        ("solve board.png --weights text.tflite", 4, "text.tflite cannot be read"),
        pytest.param(
            "solve board.png --engine keras --weights text.tflite",
            2,
            "--engine keras cannot run text.tflite; give a .keras file, or leave --engine out",
            marks=pytest.mark.slow,
        ),
        (f"puzzle {EASY} --solver oracle", 2, "there is no solver oracle; choose one of: "),
        (f"puzzle {EASY} --hint --limit-seconds 3", 2, "leave --limit-seconds out"),
        (f"puzzle {EASY} --format line --limit-seconds 3", 2, "leave --limit-seconds out"),
        (f"puzzle {EASY} --count=1000000000000000000000", 2, "--count"),
        (f"puzzle {EASY} --hint --rate", 2, "--hint and --rate exclude each other"),
        (f"puzzle {EASY} --rate --solver bitmask", 2, "leave --solver out"),
        (f"puzzle {EASY} --format line --json", 2, "leave --json out"),
        (f"puzzle {EASY} --bulk --json", 2, "without --json"),
        (f"puzzle {'.' * 16} --kind diagonal --rate", 2, "are for classic puzzles"),
        (f"puzzle {'.' * 16} --kind diagonal --bulk", 2, "classic puzzles only"),
        (f"puzzle {'.' * 16} --kind diagonal --solver dfs", 2, "choose bitmask or"),
        (f"puzzle {'.' * 36} --box 2x7", 2, "write rows x columns"),
        *((f"{command} ''", 2, "is empty; ") for command in ("solve", "solve board.png", "puzzle")),
        ("generate --kind killer --clues 5", 2, "a killer has no clues"),
        ("generate --kind jigsaw --difficulty hard", 2, "is for classic puzzles"),
        ("generate --kind jigsaw --format sdk", 2, "sdk holds no jigsaw puzzles"),
        ("generate --kind samurai --format fpuzzles", 2, "holds no samurai puzzles"),
        ("generate --kind jigsaw --box 3x3", 2, "boxes of its own"),
        ("generate --kind windoku --side 6", 2, "square boxes"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(
    sudoku_lens: RunCommand, shelf: Path, command: str, code: int, message: str
) -> None:
    before = {path.name: path.read_bytes() for path in shelf.iterdir()}

    done = sudoku_lens(*shlex.split(command), cwd=shelf)

    assert_ends_well(done, code, message)
    assert done.stdout == "" or code != 2
    assert "Value error" not in done.stderr
    assert "reinstall" not in done.stderr
    assert {path.name: path.read_bytes() for path in shelf.iterdir()} == before


def test_stdout_tells_of_the_bad_as_of_the_solved(sudoku_lens: RunCommand, shelf: Path) -> None:
    missing = sudoku_lens("solve", "nowhere.jpg", cwd=shelf)
    short = sudoku_lens("puzzle", EASY[:80])

    assert missing.stdout == "nowhere.jpg: no picture could be read\n"
    assert missing.stderr.count("\n") == 1
    assert short.stdout == "bad_puzzle\n"


@pytest.mark.slow
def test_a_photo_cut_at_nine_tenths_is_tried_with_a_warning(
    sudoku_lens: RunCommand, tmp_path: Path
) -> None:
    write_cut_photo(tmp_path / "cut.jpg")

    done = sudoku_lens("solve", "--json", "cut.jpg", cwd=tmp_path)
    hushed = sudoku_lens("solve", "--quiet", "cut.jpg", cwd=tmp_path)

    assert_ends_well(done, 0, "cut.jpg: the file is cut short, and its last part is missing; copy")
    assert done.stderr.count("\n") == 1
    assert "cut short" in json.loads(done.stdout)["warnings"][0]
    assert hushed.stderr == ""


def test_a_batch_reports_a_photo_that_is_cut_short(sudoku_lens: RunCommand, tmp_path: Path) -> None:
    write_cut_photo(tmp_path / "cut.jpg")

    done = sudoku_lens("batch", "--json", "cut.jpg", cwd=tmp_path)

    assert "cut short" in json.loads(done.stdout.splitlines()[0])["warnings"][0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("grid", "outcome", "message"),
    [
        ("." * 81, "ambiguous", "wrong.png: more than one solution, no digits were found on it ("),
        (
            f"{EASY[:2]}5{EASY[3:]}",
            "no_solution",
            "no solution: the clues contradict each other, 31 clues, equal ones: 5 in r1c1, r1c3",
        ),
    ],
    ids=["blank", "equal digits"],
)
def test_a_board_that_is_not_solved_leaves_the_old_output_intact(
    sudoku_lens: RunCommand, tmp_path: Path, grid: str, outcome: str, message: str
) -> None:
    write_board(tmp_path / "wrong.png", grid)
    (tmp_path / "solved.png").write_bytes(b"what stood there before")

    done = sudoku_lens("solve", "wrong.png", "-o", "solved.png", cwd=tmp_path)
    report = sudoku_lens("solve", "--json", "wrong.png", cwd=tmp_path)

    assert_ends_well(done, 1, message)
    assert json.loads(report.stdout)["outcome"] == outcome
    assert (tmp_path / "solved.png").read_bytes() == b"what stood there before"


def test_the_worst_of_several_photos_sets_the_code(sudoku_lens: RunCommand, shelf: Path) -> None:
    done = sudoku_lens("solve", "board.png", "missing.png", cwd=shelf)

    assert done.returncode == 3
    assert "board.png: solved" in done.stdout
