"""What the detector learns from: scenes, samples, and the maps of a picture."""

from pathlib import Path

import numpy as np
import pytest
from detector_rig import as_maps

from models.board_detector import BOARD, CORNER, INPUT_PX, SIDES, STRIDE, U, V
from training.boards.evaluate_detector import judge_picture
from training.boards.sample_cache import (
    draw_example,
    encode_sample,
    load_samples,
    make_maps,
    save_samples,
)
from training.boards.scenes import LONG_SIDE_PX, draw_scene, dress_board
from training.pages.flat_board import make_puzzle, render_board
from vision.board import lattice_from_corners
from vision.finder.fit import fit_boards
from vision.geometry import Points

SCENES = 8


def lattice_at(left: float, top: float, cell: float, side: int, turn: float = 0.0) -> Points:
    steps = np.arange(side + 1) * cell
    x, y = np.meshgrid(steps, steps)
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    turned = np.stack([cos * x - sin * y + left, sin * x + cos * y + top], axis=2)
    return turned.astype(np.float32)


@pytest.mark.slow  # photos are drawn
@pytest.mark.parametrize("seed", range(SCENES))
def test_a_scene_shows_its_boards_whole(seed: int) -> None:
    scene = draw_scene(seed)

    height, width = scene.photo.shape
    assert max(height, width) == LONG_SIDE_PX
    assert len(scene.kinds) == len(scene.lattices)
    for lattice in scene.lattices:
        assert len(lattice) - 1 in SIDES
        assert (lattice >= 0).all()
        assert (lattice <= (width - 1, height - 1)).all()


def test_what_is_printed_around_a_board_leaves_it_where_its_lattice_says() -> None:
    board, corners = render_board(make_puzzle(5).clues, 180)
    lattice = lattice_from_corners(corners)
    for seed in range(12):
        page, (moved, *others) = dress_board(board, (lattice,), np.random.default_rng(seed))

        left, top = np.round(moved[0, 0] - lattice[0, 0]).astype(int)
        (x, y), (right, bottom) = np.round(lattice[[0, -1], [0, -1]]).astype(int)
        part = page[top + y : top + bottom, left + x : left + right]
        assert np.array_equal(part, board[y:bottom, x:right])
        for other in others:
            assert (other >= 0).all()
            assert (other < page.shape[1::-1]).all()
            side = np.linalg.norm(other[0, -1] - other[0, 0])
            assert side < 0.6 * np.linalg.norm(lattice[0, -1] - lattice[0, 0])


def test_samples_are_read_as_they_were_written(tmp_path: Path) -> None:
    photo = np.tile(np.arange(200, dtype=np.uint8), (100, 1))
    boards = [lattice_at(10, 10, 4, 9), lattice_at(60, 30, 5, 6)]
    samples = [encode_sample(photo, boards, fold=2), encode_sample(photo, [])]

    save_samples(tmp_path / "a.npz", samples)
    first, second = load_samples(tmp_path / "a.npz")

    assert [len(one) for one in first.lattices] == [10, 7]
    assert np.array_equal(first.lattices[1], boards[1])
    assert (first.fold, second.fold, second.lattices) == (2, -1, ())
    assert np.abs(first.decode().astype(int) - photo).max() < 6
    assert [file.name for file in tmp_path.iterdir()] == ["a.npz"]


@pytest.mark.parametrize("turn", [0, 30, -40, 100, 170])
def test_maps_tell_u_to_the_right_and_v_down_however_a_board_is_turned(turn: float) -> None:
    lattice = lattice_at(150, 120, 12, 9, turn)

    maps = make_maps([lattice])

    is_board = maps[..., BOARD] > 0
    y, x = np.nonzero(is_board)
    assert is_board.sum() == pytest.approx((9 * 12 / STRIDE) ** 2, rel=0.12)
    u, v = maps[y, x, U], maps[y, x, V]
    assert np.corrcoef(x, u)[0, 1] > 0.7
    assert np.corrcoef(y, v)[0, 1] > 0.7
    assert (maps[y, x, 5] == SIDES.index(9)).all()
    corners = lattice[[0, 0, -1, -1], [0, -1, -1, 0]]
    for at in np.round((corners + 0.5) / STRIDE - 0.5).astype(int):
        assert maps[at[1], at[0], CORNER] > 0.6


@pytest.mark.parametrize("side", SIDES)
def test_boards_are_found_again_in_maps_without_fault(side: int) -> None:
    lattice = lattice_at(60, 40, 180 / side, side, 12)

    (found,) = fit_boards(as_maps(make_maps([lattice])), SIDES)

    placements, beside = judge_picture("all", [lattice], [found])
    assert placements[0].overlap > 0.95
    assert placements[0].is_side_right
    assert beside == 0
    assert found.score > 0.9
    assert placements[0].error * 180 / side < STRIDE / 2


def test_boards_that_share_boxes_are_told_apart() -> None:
    places = [(6, 6), (0, 0), (0, 12), (12, 0), (12, 12)]
    lattices = [lattice_at(20 + 12 * column, 20 + 12 * row, 12, 9) for row, column in places]

    found = fit_boards(as_maps(make_maps(lattices)), SIDES)

    placements, beside = judge_picture("samurai", lattices, found)
    assert all(one.overlap > 0.9 for one in placements)
    assert beside == 0


def test_an_empty_picture_and_places_that_do_not_agree_show_no_board() -> None:
    maps = make_maps([lattice_at(60, 60, 20, 9)])
    maps[..., U : V + 1] = np.random.default_rng(0).random(maps[..., U : V + 1].shape)

    assert fit_boards(as_maps(maps), SIDES) == fit_boards(as_maps(make_maps([])), SIDES) == []


def test_places_that_lie_on_a_line_are_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    flat = np.diag([1.0, 0.0, 1.0]), None
    monkeypatch.setattr("vision.finder.fit.cv2.findHomography", lambda *_, **__: flat)

    assert fit_boards(as_maps(make_maps([lattice_at(60, 60, 20, 9)])), SIDES) == []


def test_a_sample_is_seen_anew_each_time_with_its_board_in_view() -> None:
    photo = np.full((400, 300), 200, np.uint8)
    sample = encode_sample(photo, [lattice_at(60, 100, 18, 9)])
    rng = np.random.default_rng(0)

    examples = [draw_example(sample, rng) for _ in range(12)]

    assert all(image.shape == (INPUT_PX, INPUT_PX) for image, _ in examples)
    assert not np.array_equal(examples[0][0], examples[1][0])
    seen = [float(maps[..., BOARD].sum()) for _, maps in examples]
    assert min(seen) > 100
    assert max(seen) > 1.5 * min(seen)
