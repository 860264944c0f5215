"""Rendered photos: the same seed gives the same photo, and truth and picture agree."""

from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from solver.grid import check_solution
from training.pages.flat_board import make_puzzle
from training.rendered import rendered_photos
from training.rendered.filled_board import BoardLook, FlatBoard, choose_look, draw_board
from training.rendered.large_digits import NO_DATA, data_faces, using_shapes_of, written_glyphs
from training.rendered.levels import LEVELS, Level
from training.rendered.page_layout import FlatPage, lay_out_boards
from training.rendered.photographed_decoys import DECOYS, render_decoy
from training.rendered.pose import Sheet, place_page
from training.rendered.rendered_photos import (
    RenderedPhoto,
    photograph_page,
    render_newspaper,
    render_photo,
)
from training.rendered.writing import Mark, Writer, sketch_board

pytestmark = pytest.mark.slow

_SMALL = Level(
    media={"scan": 1}, long_side_px=(640, 641), share=(0.9, 0.9), written=1.0, candidates=1.0,
    corrections=0.3, jpeg_quality=(95, 95),
)  # fmt: skip
"""A sharp scan of a board that someone has filled in."""


def _page_of(level: Level, seed: int, rng: np.random.Generator) -> tuple[FlatBoard, FlatPage]:
    board = draw_board(make_puzzle(seed), 480, BoardLook(), level, rng, is_paper=True)
    return board, lay_out_boards([board.image], [board.lattice], 1, 0.2, rng, "nothing")


def _photo_of(level: Level, seed: int) -> RenderedPhoto:
    rng = np.random.default_rng(seed)
    board, page = _page_of(level, seed, rng)
    return photograph_page(page, [board], "scan", level, (640, 640), 0.85, rng, turn=None)


@pytest.fixture(scope="module")
def scan() -> RenderedPhoto:
    return _photo_of(Level(media={"scan": 1}, turn=(1.0, 1.5)), 3)


def _ink_offsets(photo: npt.NDArray[np.uint8], lattice: npt.NDArray[np.float32]) -> list[float]:
    """Return how far the darkest place across each line lies from it, between the crossings."""
    grey = photo.astype(np.float64).mean(axis=2)
    offsets = []
    for axis in (0, 1):
        lines = lattice if axis == 0 else lattice.transpose(1, 0, 2)
        for line in lines:
            for start, end in pairwise(line):
                middle, along = (start + end) / 2, (end - start) / np.linalg.norm(end - start)
                across = np.array([-along[1], along[0]])
                steps = np.arange(-6, 6.5, 0.5)
                points = np.round(middle + steps[:, None] * across).astype(int)
                darkness = 255 - grey[points[:, 1], points[:, 0]]
                darkness = np.clip(darkness - np.median(darkness) - 15, 0, None)
                if darkness.sum() > 0:
                    offsets.append(float((darkness * steps).sum() / darkness.sum()))
    return offsets


@pytest.mark.parametrize("level", [1, 5])
def test_a_level_and_a_seed_name_one_photo(level: int) -> None:
    first, again, other = (render_photo(level, seed) for seed in (4, 4, 5))

    np.testing.assert_array_equal(first.photo, again.photo)
    np.testing.assert_array_equal(first.boards[0].lattice, again.boards[0].lattice)
    assert first.circumstances == again.circumstances
    assert not np.array_equal(first.boards[0].solution, other.boards[0].solution)


def test_the_truth_lies_on_the_lines_of_a_sharp_scan(scan: RenderedPhoto) -> None:
    offsets = _ink_offsets(scan.photo, scan.boards[0].lattice)

    assert len(offsets) > 150
    assert abs(np.median(offsets)) < 0.35
    assert np.median(np.abs(offsets)) < 0.5


def test_the_truth_follows_a_bent_page_that_is_tilted_and_turned() -> None:
    bent = Level(
        media={"print": 1}, tilt=(35, 35), turn=(60, 60), bend=(0.03, 0.03), lens=(-0.03, -0.03)
    )

    rendered = _photo_of(bent, 5)
    truth = rendered.boards[0].lattice
    rng = np.random.default_rng(5)
    _, page = _page_of(bent, 5, rng)
    pose = place_page(page, "print", bent, (900, 900), 0.85, rng)

    back = pose.sheet.page_points(pose.sheet.project(page.lattices[0].reshape(-1, 2)))
    assert np.abs(back - page.lattices[0].reshape(-1, 2)).max() < 0.05
    assert np.median(np.abs(_ink_offsets(rendered.photo, truth))) < 0.6


def test_no_fold_hides_a_part_of_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    steep = Level(
        media={"newspaper": 1}, tilt=(60, 60), bend=(0.05, 0.05), fold=1.0, least_cell_px=8
    )
    _, page = _page_of(steep, 1, np.random.default_rng(0))
    (left, top), (right, bottom) = page.lattices[0][0, 0], page.lattices[0][9, 9]
    x, y = np.meshgrid(np.linspace(left, right, 181), np.linspace(top, bottom, 181))
    places = np.stack([x.ravel(), y.ravel()], axis=1)

    def misplaced(seed: int) -> float:
        fold = np.random.default_rng(seed)
        pose = place_page(page, "newspaper", steep, (900, 900), 0.85, fold)
        shown = pose.sheet.page_points(pose.sheet.project(places))
        return float(np.abs(shown - places).max() / ((right - left) / 9))

    assert max(misplaced(seed) for seed in range(3, 8)) < 0.1
    # Without the check, one of these folds hides some.
    monkeypatch.setattr("training.rendered.pose._is_shown_whole", lambda page, sheet: True)
    assert max(misplaced(seed) for seed in range(3, 8)) > 0.5


def test_clues_entries_and_marks_agree_with_the_solution() -> None:
    rendered = _photo_of(_SMALL, 6)
    board = rendered.boards[0]

    assert not check_solution(board.clues, board.solution)
    assert not (board.entries[board.clues > 0]).any()
    written = board.entries > 0
    np.testing.assert_array_equal(board.marks == Mark.PRINTED, board.clues > 0)
    np.testing.assert_array_equal(
        written, (board.marks == Mark.WRITTEN) | (board.marks == Mark.CORRECTED)
    )
    assert (board.entries[written] == board.solution[written]).mean() > 0.8
    assert rendered.circumstances.has_writing


def test_every_mark_leaves_ink_in_its_cell_and_empty_cells_have_none() -> None:
    look = choose_look(np.random.default_rng(2), "newspaper")
    rng = np.random.default_rng(8)
    half = Level(written=1.0, candidates=1.0, corrections=0.2)

    board = draw_board(make_puzzle(8), 450, BoardLook(look.style), half, rng, is_paper=True)

    low = round(float(board.lattice[0, 0, 0]))
    cells = board.image[low : low + 450, low : low + 450].mean(axis=2).reshape(9, 50, 9, 50)
    inner = cells[:, 5:-5, :, 5:-5]
    contrast = inner.max(axis=(1, 3)) - inner.min(axis=(1, 3))
    np.testing.assert_array_equal(contrast > 25, board.marks != Mark.EMPTY)


@pytest.mark.parametrize("boards", [2, 4])
def test_a_page_of_several_boards_has_them_side_by_side(boards: int) -> None:
    rendered = render_photo(2, 3, boards)

    height, width = rendered.photo.shape[:2]
    assert len(rendered.boards) == boards
    middles = [board.lattice.mean(axis=(0, 1)) for board in rendered.boards]
    side = np.linalg.norm(rendered.boards[0].corners[1] - rendered.boards[0].corners[0])
    for index, middle in enumerate(middles):
        assert all(np.linalg.norm(middle - other) > 0.8 * side for other in middles[:index])
    for board in rendered.boards:
        assert board.lattice.min() > 0
        assert (board.lattice < [width, height]).all()
    assert len({board.solution.tobytes() for board in rendered.boards}) == boards


def test_on_a_whole_newspaper_the_board_is_a_small_part(monkeypatch: pytest.MonkeyPatch) -> None:
    def take_photo(_page: object, sheet: Sheet, *_: object) -> npt.NDArray[np.uint8]:
        return np.zeros((sheet.camera.height, sheet.camera.width, 3), np.uint8)

    # Ink, light and noise of so many pixels take ten seconds.
    monkeypatch.setattr(rendered_photos, "print_page", lambda flat, *_: flat)
    monkeypatch.setattr(rendered_photos, "take_photo", take_photo)
    rendered = render_newspaper(5)

    height, width = rendered.photo.shape[:2]
    assert {height, width} == {3000, 4000}
    share = cv2.contourArea(rendered.boards[0].corners) / (height * width)
    assert 0.03 < share < 0.12
    assert rendered.circumstances.medium == "newspaper"


@pytest.mark.parametrize("kind", list(DECOYS))
def test_a_decoy_has_no_board_and_is_drawn_alike_by_a_seed(kind: str) -> None:
    first, again = (DECOYS[kind](np.random.default_rng(1)) for _ in range(2))
    rendered = render_decoy(kind, 1, level=1)

    assert rendered.boards == ()
    np.testing.assert_array_equal(first, again)
    assert rendered.photo.std() > 5


def test_levels_grow_harder() -> None:
    levels = [LEVELS[number] for number in sorted(LEVELS)]

    for easier, harder in pairwise(levels):
        assert harder.tilt[1] >= easier.tilt[1]
        assert harder.focus_cells[1] >= easier.focus_cells[1]
        assert harder.noise[1] >= easier.noise[1]
        assert harder.exposure[0] <= easier.exposure[0]
        assert harder.bend[1] >= easier.bend[1]


def test_pages_can_be_rendered_without_the_data_folder() -> None:
    with using_shapes_of(NO_DATA):
        assert data_faces() == ()
        assert written_glyphs() is None
        rendered = _photo_of(_SMALL, 9)

    assert (rendered.boards[0].marks == Mark.WRITTEN).any()


@pytest.mark.parametrize("side", [4, 9])
@pytest.mark.parametrize("seed", range(6))
def test_a_sketch_has_its_lines_where_its_lattice_is(side: int, seed: int) -> None:
    empty = np.zeros((side, side), np.uint8)

    sheet = sketch_board(empty, 450, Writer(np.random.default_rng(seed), is_paper=True))

    (lattice,) = sheet.lattices
    grey = sheet.image.mean(axis=2)
    places = np.round(lattice.reshape(-1, 2)).astype(int)
    paper = np.median(grey)
    darkest = [grey[y - 3 : y + 4, x - 3 : x + 4].min() for x, y in places.tolist()]
    assert max(darkest) < paper - 40
    assert (np.ptp(lattice, axis=(0, 1)) > 400).all()


def test_digits_of_a_sketch_stand_in_their_cells() -> None:
    digits = np.zeros((9, 9), np.uint8)
    digits[2, 6] = 8

    written, empty = (
        sketch_board(grid, 450, Writer(np.random.default_rng(3), is_paper=True))
        for grid in (digits, 0 * digits)
    )

    changed = np.abs(written.image.astype(int) - empty.image).max(axis=2) > 30
    y, x = np.nonzero(changed)
    middle = written.lattices[0][2:4, 6:8].mean(axis=(0, 1))
    assert len(y) > 50
    assert np.abs(np.array([x.mean(), y.mean()]) - middle).max() < 15
