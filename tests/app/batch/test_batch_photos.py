"""Batches of real pictures: the same results as `solve`, whatever happens on the way."""

import json
from pathlib import Path
from typing import Any

import cv2
import pytest
from board_styles import BOARD_STYLES
from command_rig import RunCommand
from puzzles import EASY

from solver.grid import parse_grid
from training.pages.flat_board import render_board
from vision.media.images import load_image


@pytest.fixture(scope="module")
def album(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Boards in several looks, and files that are no photos of boards in several ways."""
    folder = tmp_path_factory.mktemp("photos") / "album"
    folder.mkdir()
    for style in ("plain", "dark", "tinted"):
        image, _ = render_board(parse_grid(EASY), 300, BOARD_STYLES[style])
        cv2.imwrite(str(folder / f"{style}.jpg"), image)
    cv2.imwrite(str(folder / "empty.png"), render_board(parse_grid("." * 81), 300)[0] * 0 + 255)
    whole = (folder / "plain.jpg").read_bytes()
    (folder / "truncated.jpg").write_bytes(whole[: len(whole) // 2])
    (folder / "nothing.jpg").touch()
    (folder / "text.jpg").write_text("this is no picture")
    return folder


def read_lines(text: str) -> dict[str, dict[str, Any]]:
    """Return reports by file, without what only one of the commands tells, or differs."""
    reports = map(json.loads, text.splitlines())
    return {
        Path(report["file"]).name: {**report, "seconds": None, "error": None} for report in reports
    }


def read_overlays(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".sqlite"}


@pytest.mark.slow
def test_a_batch_tells_and_draws_what_solve_does(
    sudoku_lens: RunCommand, album: Path, tmp_path: Path
) -> None:
    solved, batch = tmp_path / "solved", tmp_path / "batch"

    one = sudoku_lens("solve", "--json", "-o", f"{solved}/", *sorted(album.iterdir()))
    all_at_once = sudoku_lens(
        "batch", album, "--json", "-o", batch, "--report", tmp_path / "report.jsonl"
    )

    reports = read_lines(all_at_once.stdout)
    assert reports == read_lines(one.stdout)
    assert read_lines((tmp_path / "report.jsonl").read_text()) == reports
    for path in solved.iterdir():
        # Linear algebra on one thread rounds otherwise than on several.
        drawn, wanted = load_image(batch / path.name), load_image(path)
        assert cv2.absdiff(drawn, wanted).mean() < 0.01
    assert sorted(read_overlays(batch)) == [
        "dark-solved.jpg",
        "plain-solved.jpg",
        "tinted-solved.jpg",
    ]
    assert one.returncode == all_at_once.returncode == 3


def test_what_is_no_picture_is_told_with_its_cause(
    sudoku_lens: RunCommand, album: Path, tmp_path: Path
) -> None:
    bad = [album / name for name in ("nothing.jpg", "text.jpg", "truncated.jpg")]

    done = sudoku_lens("batch", *bad, "--report", tmp_path / "report.jsonl", "--jobs", "1")

    lines = (tmp_path / "report.jsonl").read_text().splitlines()
    assert [json.loads(line)["error"].partition(";")[0] for line in lines] == [
        "the photo is empty",
        "the photo is not a picture",
        "the photo cannot be decoded: it is cut short",
    ]
    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 3
