"""Rendered newspaper photos: what the truth says is what the picture shows."""

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from training.newspaper.bent_sheet import CameraStyle, Sheet, place_sheet
from training.newspaper.news_words import pick_phrases, write_text
from training.newspaper.newspaper_layout import PAGE_HEIGHT, PAGE_WIDTH, PageStyle
from training.newspaper.newspaper_page import RenderedPage, RenderStyle, main, render_page
from training.newspaper.page_camera import photograph
from training.newspaper.printed_puzzle import make_puzzle
from vision.board import cut_cells, lattice_from_corners, rectify
from vision.media.images import load_image

pytestmark = pytest.mark.slow

_SAMPLE = Path(__file__).parents[2] / "samples" / "newspaper.jpg"
_PUZZLE = make_puzzle(3)


@pytest.fixture(scope="module")
def rendered() -> RenderedPage:
    return render_page(_PUZZLE.clues, seed=3)


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    return place_sheet((PAGE_WIDTH, PAGE_HEIGHT), CameraStyle(), np.random.default_rng(5))


def _darkness_across(
    photo: npt.NDArray[np.uint8], start: npt.NDArray[np.float32], end: npt.NDArray[np.float32]
) -> float:
    """Return how far, in pixels, the dark line between two crossings lies from where it should."""
    along = (end - start) / np.linalg.norm(end - start)
    steps = np.linspace(-5, 5, 41, dtype=np.float32)
    offsets = steps[:, None] * np.array([-along[1], along[0]], np.float32)
    places = np.linspace(0.2, 0.8, 15, dtype=np.float32)
    points = (start + places[:, None] * (end - start))[:, None] + offsets[None]
    grey = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY).astype(np.float32)
    profile = cv2.remap(grey, points[:, :, 0], points[:, :, 1], cv2.INTER_LINEAR).mean(axis=0)
    ink = np.clip(np.percentile(profile, 75) - profile - 8, 0, None)
    assert ink.max() > 25, "no line is there"
    return float((ink * steps).sum() / ink.sum())


def test_the_truth_lies_on_the_lines_that_the_photo_shows(rendered: RenderedPage) -> None:
    lattice = rendered.lattice

    offsets = [
        _darkness_across(rendered.photo, line[i], line[i + 1])
        for line in [*lattice, *lattice.transpose(1, 0, 2)]
        for i in range(9)
    ]

    assert lattice.shape == (10, 10, 2)
    assert lattice.dtype == np.float32
    assert np.median(np.abs(offsets)) < 0.2
    assert np.abs(offsets).max() < 1.0


def test_digits_stand_in_the_cells_of_the_clues_and_in_no_others(rendered: RenderedPage) -> None:
    cells = cut_cells(rectify(rendered.photo, rendered.lattice)).astype(np.float32)

    inner = cells[:, 7:-7, 7:-7].reshape(81, -1)
    contrast = np.percentile(inner, 90, axis=1) - inner.min(axis=1)

    np.testing.assert_array_equal(contrast > 70, _PUZZLE.clues.ravel() > 0)
    np.testing.assert_array_equal(rendered.clues, _PUZZLE.clues)


def test_the_page_bends_more_than_a_homography_can_follow(rendered: RenderedPage) -> None:
    flat = lattice_from_corners(rendered.corners)

    bend = np.linalg.norm(rendered.lattice - flat, axis=2)

    assert 1 < bend.max() < 30


def test_the_board_stands_upright_and_whole_in_the_photo(rendered: RenderedPage) -> None:
    height, width = rendered.photo.shape[:2]
    corners = rendered.corners

    assert (height, width) == (1200, 1600)
    assert (corners > 20).all()
    assert (corners < (width - 20, height - 20)).all()
    assert corners[0, 0] < corners[1, 0]
    assert corners[0, 1] < corners[3, 1]
    assert cv2.contourArea(corners) > 400**2


def test_a_seed_names_one_picture() -> None:
    style = RenderStyle(camera=CameraStyle(width=640, height=480, aim=(0.47, 0.6)))

    first = render_page(_PUZZLE.clues, 1, style)
    again = render_page(_PUZZLE.clues, 1, style)
    other = render_page(_PUZZLE.clues, 2, style)

    np.testing.assert_array_equal(first.photo, again.photo)
    np.testing.assert_array_equal(first.lattice, again.lattice)
    assert np.abs(first.photo.astype(int) - other.photo).mean() > 5


def test_a_page_without_crossword_has_another_story_instead() -> None:
    camera = CameraStyle(width=640, height=480, aim=(0.47, 0.6))

    with_crossword = render_page(_PUZZLE.clues, 1, RenderStyle(camera=camera))
    without = render_page(
        _PUZZLE.clues, 1, RenderStyle(camera=camera, page=PageStyle(has_crossword=False))
    )

    assert (with_crossword.photo[:, 340:] != without.photo[:, 340:]).any()


def test_clues_that_are_no_grid_are_refused() -> None:
    with pytest.raises(ValueError, match="grid must be"):
        render_page(np.zeros((8, 9), np.uint8), 1)


def test_places_on_the_page_and_in_the_photo_belong_together(sheet: Sheet) -> None:
    rng = np.random.default_rng(1)
    on_page = rng.uniform((0, 0), (PAGE_WIDTH, PAGE_HEIGHT), (500, 2))

    back = sheet.page_points(sheet.project(on_page))

    np.testing.assert_allclose(back, on_page, atol=0.01)


def test_a_flat_sheet_is_a_homography() -> None:
    flat = place_sheet((900, 900), CameraStyle(bend=0.0), np.random.default_rng(2))
    corners = flat.project(np.array([[0, 0], [900, 0], [900, 900], [0, 900]], np.float64))

    lattice = flat.project(np.argwhere(np.ones((10, 10)))[:, ::-1] * 100.0).reshape(10, 10, 2)

    expected = lattice_from_corners(corners.astype(np.float32))
    np.testing.assert_allclose(lattice, expected, atol=0.01)


def test_the_nearer_foot_of_the_page_is_larger() -> None:
    tilted = place_sheet((900, 900), CameraStyle(bend=0.0, pan=0, turn=0), np.random.default_rng(2))
    corners = tilted.project(np.array([[0, 0], [900, 0], [900, 900], [0, 900]], np.float64))

    assert corners[2, 0] - corners[3, 0] > 1.1 * (corners[1, 0] - corners[0, 0])


def test_marks_on_the_page_come_out_where_the_sheet_says(sheet: Sheet) -> None:
    page = np.full((PAGE_HEIGHT, PAGE_WIDTH, 3), 230, np.uint8)
    marks = np.array([[500, 900], [1500, 900], [1000, 1400], [500, 1900], [1500, 1900]])
    for x, y in marks:
        cv2.circle(page, (int(x), int(y)), 10, (20, 20, 20), -1, cv2.LINE_AA)

    photo = photograph(page, sheet, np.random.default_rng(8))

    for x, y in sheet.project(marks.astype(np.float64)):
        left, top = int(x) - 14, int(y) - 14
        patch = photo[top : top + 29, left : left + 29].astype(np.float64).mean(axis=2)
        ink = np.clip(np.median(patch) - 40 - patch, 0, None)
        rows, columns = np.indices(patch.shape)
        seen = ((ink * columns).sum() / ink.sum() + left, (ink * rows).sum() / ink.sum() + top)
        assert np.hypot(seen[0] - x, seen[1] - y) < 0.3


def test_text_is_long_enough_and_never_the_same_twice() -> None:
    rng = np.random.default_rng(4)

    texts = [write_text(rng, 600) for _ in range(5)]

    assert all(len(text) >= 600 for text in texts)
    assert not any("{" in text for text in texts)
    assert len(set(texts)) == 5
    assert len(set(pick_phrases(rng, "headline", 4))) == 4


@pytest.mark.slow
def test_the_shipped_sample_is_what_the_command_makes(tmp_path: Path) -> None:
    made = tmp_path / "newspaper.jpg"

    main(["--seed", "7", "-o", str(made)])

    assert _SAMPLE.stat().st_size <= 500_000
    # Other releases of the imaging libraries draw letters a little otherwise, up to a pixel off.
    shapes = [
        cv2.resize(load_image(path), (100, 75), interpolation=cv2.INTER_AREA).astype(int)
        for path in (made, _SAMPLE)
    ]
    assert np.abs(shapes[0] - shapes[1]).mean() < 2
    rendered = render_page(make_puzzle(7).clues, 7)
    boards = [rectify(load_image(path), rendered.lattice).astype(int) for path in (made, _SAMPLE)]
    assert np.abs(boards[0] - boards[1]).mean() < 3
