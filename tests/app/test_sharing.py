"""What is handed on: texts in every format, names that every system takes, whole files."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
from kind_puzzles import make_kind
from PIL import Image
from puzzles import EASY

from app.puzzles.puzzle_texts import (
    LINKS,
    Content,
    read_text,
    suggest_name,
    write_puzzle,
    write_text,
)
from app.report.report_pictures import encode_thumbnail, save_picture, save_whole
from solver.formats import Format
from solver.formats_kinds import KindPuzzle, parse_kind_puzzle
from solver.grid import GridError
from solver.layout import Layout
from solver.rules import CLASSIC_RULES, Kind, box_rules, samurai_rules
from vision.media.images import load_image


def test_a_samurai_is_read_back_unless_it_is_too_large_to_be_shown() -> None:
    def text_of(*grids: tuple[int, int]) -> str:
        rules = samurai_rules(grids)
        return write_text(KindPuzzle(rules, np.zeros((rules.width,) * 2, np.uint8)))

    found = read_text(text_of((0, 0), (6, 6)))

    assert found.rules == samurai_rules(((0, 0), (6, 6)))
    with pytest.raises(GridError, match="25×25"):
        read_text(text_of(*((6 * place, 6 * place) for place in range(5))))


@pytest.mark.parametrize("side", [4, 6, 8, 12, 16])
def test_a_puzzle_of_another_side_is_its_cells_and_read_back(side: int) -> None:
    puzzle = make_kind(Kind.CLASSIC, side=side, seed=1)

    text = write_text(puzzle)
    found = read_text(text)

    assert len(text) == side**2
    assert np.array_equal(found.clues, puzzle.clues)
    assert found.rules == puzzle.rules


def test_a_classic_puzzle_has_no_rules_of_its_own() -> None:
    assert write_text(parse_kind_puzzle(EASY)) == EASY
    assert read_text(EASY).rules == CLASSIC_RULES
    assert read_text(json.dumps({"kind": "classic", "clues": EASY})).rules == CLASSIC_RULES


def test_boxes_that_stand_upright_are_told() -> None:
    rules = box_rules(6, boxes=Layout(3, 2))
    clues = np.zeros((6, 6), np.uint8)

    assert read_text(write_text(KindPuzzle(rules, clues))).rules == rules


@pytest.mark.parametrize(
    "text", ["", "hello", "1234", "1234567812345678", "[" * 9000, '{"kind": "samurai"}', "-" * 441]
)
def test_a_text_that_is_no_puzzle_is_refused(text: str) -> None:
    with pytest.raises(GridError):
        read_text(text)


@pytest.mark.parametrize("form", sorted(LINKS))
def test_a_link_is_one_line_to_paste(form: Format) -> None:
    text = write_puzzle(parse_kind_puzzle(EASY), form)

    assert text.startswith("https://")
    assert "\n" not in text


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("/home/me/newspaper.jpg", "newspaper-solved.png"),
        ("C:\\photos\\Sunday 5.jpg", "Sunday 5-solved.png"),
        ("", "sudoku-solved.png"),
        ("NUL.jpg", "sudoku-solved.png"),
        ("...", "sudoku-solved.png"),
        ('a<b>:"c|d?.heic', "a-b-c-d-solved.png"),
        ("x" * 300, "x" * 60 + "-solved.png"),
    ],
)
def test_a_suggested_name_is_one_that_every_system_takes(source: str, name: str) -> None:
    assert suggest_name(source, Content.PICTURE, ".png") == name


@pytest.mark.parametrize("data", ["Zürich\n", b"\x00\x01"])
def test_a_file_is_written_whole_over_what_was_there(tmp_path: Path, data: str | bytes) -> None:
    path = tmp_path / "puzzle.txt"
    path.write_text("old")

    assert save_whole(path, data) is None
    assert path.read_bytes() == (data if isinstance(data, bytes) else data.encode())
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    fault = save_whole(tmp_path / "missing" / "puzzle.txt", "text")

    assert fault == "No such file or directory"


def test_a_folder_in_the_way_is_told_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "puzzle.txt").mkdir()

    assert save_whole(tmp_path / "puzzle.txt", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["puzzle.txt"]


def test_a_picture_is_saved_in_the_format_of_its_name(tmp_path: Path) -> None:
    image = np.full((80, 100, 3), (10, 200, 30), np.uint8)

    assert save_picture(tmp_path / "solved.png", image) is None
    assert load_image(tmp_path / "solved.png").tolist() == image.tolist()
    assert save_picture(tmp_path / "solved.gif", image)


@pytest.mark.parametrize("shape", [(300, 600, 3), (300, 600)])
def test_a_thumbnail_is_a_small_jpeg_in_true_colours(shape: tuple[int, ...]) -> None:
    image = np.zeros(shape, np.uint8)
    image[..., 0] = 200  # blue where there are colours

    picture = Image.open(io.BytesIO(encode_thumbnail(image)))

    assert (picture.format, picture.size) == ("JPEG", (160, 80))
    if len(shape) == 3:
        red, _, blue = np.asarray(picture.convert("RGB"))[40, 80].tolist()
        assert blue > 150 > red
