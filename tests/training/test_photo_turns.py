"""Turned photos show the same board, with corners that turn along."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from puzzles import EASY, EASY_SOLUTION

from solver.grid import parse_grid
from training.evaluation import photo_verdicts
from training.photo_labels import PhotoLabel, turn_photo, turn_photos
from vision.geometry import Image8
from vision.media.images import load_image, save_image


def _photo() -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    return np.random.default_rng(1).integers(0, 255, (60, 100, 3)).astype(np.uint8)


_CORNERS = np.array([[20, 10], [80, 12], [78, 50], [22, 48]], np.float32)


@pytest.mark.parametrize(("degrees", "k"), [(90, -1), (180, 2), (270, 1)])
def test_quarter_turns_move_every_pixel_and_corner_exactly(degrees: float, k: int) -> None:
    photo = _photo()

    turned, corners = turn_photo(photo, _CORNERS, degrees)

    assert np.array_equal(turned, np.rot90(photo, k))
    assert corners is not None
    for (x, y), (new_x, new_y) in zip(_CORNERS, corners, strict=True):
        assert np.array_equal(photo[int(y), int(x)], turned[round(new_y), round(new_x)])


def test_a_canvas_holds_all_of_a_photo_turned_by_any_angle() -> None:
    photo = np.full((60, 100, 3), 200, np.uint8)
    whole = np.array([[0, 0], [99, 0], [99, 59], [0, 59]], np.float32)

    turned, corners = turn_photo(photo, whole, 30)

    assert corners is not None
    assert corners.min() >= -1
    assert (corners.max(axis=0) <= np.array(turned.shape[1::-1])).all()
    assert (turned == 200).all()


def test_copies_are_upright_before_they_are_turned_and_random_turns_repeat(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    exif = Image.Exif()
    exif[0x0112] = 6  # lies on its side: to be turned clockwise by 90 degrees
    Image.fromarray(_photo()).resize((200, 120)).save(tmp_path / "a" / "b.jpg", exif=exif)
    label = PhotoLabel("a/b.jpg", "a", "screen", "g", parse_grid("." * 81), None, _CORNERS)

    (quarter,) = turn_photos(tmp_path, [label], 90, 0, tmp_path / "90")
    angles = [
        turn_photos(tmp_path, [label], None, seed, tmp_path / name)[0].corners
        for seed, name in ((5, "first"), (5, "again"), (6, "other"))
    ]

    assert load_image(tmp_path / "a" / "b.jpg").shape[:2] == (200, 120)
    assert load_image(tmp_path / "90" / quarter.file).shape[:2] == (120, 200)
    first, again, other = np.array(angles)
    assert np.array_equal(first, again)
    assert not np.allclose(first, other)


def test_a_command_with_several_turns_ends_with_a_row_for_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    save_image(tmp_path / "a" / "b.jpg", _photo().repeat(4, axis=0).repeat(4, axis=1))
    (tmp_path / "photos.csv").write_text(
        f"file,puzzle,corners,kind,group\na/b.jpg,{'.' * 81},,newspaper,g\n"
    )
    seen: list[Image8] = []

    def run(folder: Path, files: Sequence[str], options: Sequence[str]) -> Iterator[dict[str, Any]]:
        seen.extend(load_image(folder / file) for file in files)
        board = {"clues": EASY, "entries": "." * 81, "solution": EASY_SOLUTION}
        yield {"outcome": "solved", "boards": [board], "seconds": {}}

    monkeypatch.setattr(photo_verdicts, "run_product", run)

    code = photo_verdicts.main([str(tmp_path), "--turn", "0", "--turn", "180"])

    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    # The label knows of no solution.
    assert code == 1
    assert rows[-2:] == [
        "| 0° | 1 | 0/0 | 62.96 % | 0 | 0 (0.0 %) | 1 |",
        "| 180° | 1 | 0/0 | 62.96 % | 0 | 0 (0.0 %) | 1 |",
    ]
    upright, turned = (one.astype(int) for one in seen)
    assert np.abs(np.rot90(turned, 2) - upright).mean() < np.abs(turned - upright).mean() / 2
