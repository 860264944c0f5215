"""A board is followed to a fraction of a pixel, and another board is told from it."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from arrays import Image8, Points
from present import present

from training.pages.flat_board import make_puzzle, render_board
from vision.board import corners_from_lattice, lattice_from_corners
from vision.tracker.key_frame import Frame, KeyFrame, prepare_frame, take_key_frame
from vision.tracker.tracking import Track, find_again, follow, is_stale, move_points

Matrix = npt.NDArray[np.float64]

_SIZE = (800, 600)


def _page(seed: int = 1) -> tuple[Image8, Points]:
    image, corners = render_board(make_puzzle(seed).clues, 400)
    return image, lattice_from_corners(corners)


def _camera(x: float = 0.0, y: float = 0.0, scale: float = 0.9, tilt: float = 0.0) -> Matrix:
    turned = np.array([[scale, -0.05, 150 + x], [0.05, scale, 80 + y], [tilt, 0, 1]])
    return np.asarray(turned, np.float64)


def _shoot(page: Image8, camera: Matrix, noise: float = 3.0, seed: int = 0) -> Image8:
    seen = cv2.warpPerspective(page, camera, _SIZE, borderValue=(90, 100, 110))
    grain = np.random.default_rng(seed).normal(0, noise, seen.shape)
    return np.asarray(np.clip(seen + grain, 0, 255), np.uint8)


def _keep(page: Image8, lattice: Points, camera: Matrix | None = None) -> tuple[Frame, KeyFrame]:
    """Return a frame that shows the page, and what is kept of its board."""
    camera = _camera() if camera is None else camera
    frame = prepare_frame(_shoot(page, camera))
    key = present(take_key_frame(frame, move_points(lattice, camera)))
    return frame, key


def _followed(page: Image8, lattice: Points, cameras: list[Matrix]) -> list[Track | None]:
    """Return the tracks of the frames after the first, which is the key frame."""
    before, key = _keep(page, lattice, cameras[0])
    homography, tracks = np.eye(3), []
    for number, camera in enumerate(cameras[1:], start=1):
        frame = prepare_frame(_shoot(page, camera, seed=number))
        track = follow(key, before, homography, frame)
        tracks.append(track)
        if track is not None:
            before, homography = frame, track.homography
    return tracks


def _miss(track: Track | None, lattice: Points, camera: Matrix) -> float:
    assert track is not None
    away = corners_from_lattice(track.lattice) - corners_from_lattice(move_points(lattice, camera))
    return float(np.linalg.norm(away, axis=1).max())


def test_a_moving_board_is_followed_to_a_fraction_of_a_pixel() -> None:
    page, lattice = _page()
    cameras = [
        _camera(15 * n, 20 * np.sin(n), 0.9 + 0.03 * np.sin(n), 1e-4 * np.sin(2 * n))
        for n in range(8)
    ]

    tracks = _followed(page, lattice, cameras)

    misses = [_miss(track, lattice, cam) for track, cam in zip(tracks, cameras[1:], strict=True)]
    assert max(misses) < 0.6


def test_a_still_board_does_not_jitter() -> None:
    page, lattice = _page()

    tracks = _followed(page, lattice, [_camera()] * 8)

    places = [corners_from_lattice(track.lattice) for track in tracks if track is not None]
    assert len(places) == 7
    assert float(np.std(places, axis=0).max()) < 0.05


def test_a_board_smeared_by_motion_is_followed() -> None:
    page, lattice = _page()
    before, key = _keep(page, lattice)
    moments = [
        _shoot(page, _camera(24 + 24 * share), noise=0) for share in np.linspace(-0.5, 0.5, 9)
    ]
    smeared = np.mean(moments, axis=0).astype(np.uint8)

    track = present(follow(key, before, np.eye(3), prepare_frame(smeared)))

    assert _miss(track, lattice, _camera(24)) < 1.0
    assert track.match.share_unlike < 0.1


def test_a_bent_board_keeps_its_bend() -> None:
    page, lattice = _page()
    rows, columns = np.mgrid[0 : page.shape[0], 0 : page.shape[1]].astype(np.float32)
    bent = cv2.remap(page, columns, rows + 6 * np.sin(columns / 60), cv2.INTER_LINEAR)
    bent_lattice = lattice.copy()
    bent_lattice[..., 1] -= 6 * np.sin(lattice[..., 0] / 60)
    cameras = [_camera(), _camera(12, 5), _camera(20, 9, 0.95)]

    tracks = _followed(np.asarray(bent, np.uint8), bent_lattice, cameras)

    away = present(tracks[-1]).lattice - move_points(bent_lattice, cameras[-1])
    assert float(np.linalg.norm(away, axis=2).max()) < 0.6


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_another_puzzle_in_the_same_place_is_seen_to_be_another(seed: int) -> None:
    page, lattice = _page()
    other, _ = _page(seed)
    before, key = _keep(page, lattice)

    track = follow(key, before, np.eye(3), prepare_frame(_shoot(other, _camera())))

    assert track is None or track.match.share_unlike > 0.25


def test_a_third_of_the_digits_tells_another_puzzle() -> None:
    clues = make_puzzle(1).clues
    image, corners = render_board(clues, 400)
    lattice = lattice_from_corners(corners)
    changed = clues.copy()
    for cell in np.flatnonzero(clues.ravel())[::3]:
        changed.flat[cell] = changed.flat[cell] % 9 + 1
    before, key = _keep(image, lattice)

    other = prepare_frame(_shoot(render_board(changed, 400)[0], _camera()))
    track = present(follow(key, before, np.eye(3), other))

    assert track.match.share_unlike > 0.25


def test_the_same_puzzle_in_other_light_is_the_same() -> None:
    page, lattice = _page()
    before, key = _keep(page, lattice)
    dim = _shoot(page, _camera()) * np.linspace(0.25, 0.7, _SIZE[0])[None, :, None]

    track = present(follow(key, before, np.eye(3), prepare_frame(dim.astype(np.uint8))))

    assert track.match.unlike == ()


def test_a_hand_on_the_page_hides_some_cells_only() -> None:
    page, lattice = _page()
    before, key = _keep(page, lattice)
    covered = _shoot(page, _camera())
    cv2.circle(covered, (420, 520), 130, (120, 150, 190), -1)

    track = present(follow(key, before, np.eye(3), prepare_frame(covered)))

    assert _miss(track, lattice, _camera()) < 0.6
    assert 0 < len(track.match.unlike) < track.match.count / 2


def test_a_board_that_has_gone_is_lost() -> None:
    page, lattice = _page()
    before, key = _keep(page, lattice)
    table = np.random.default_rng(1).normal(120, 30, (_SIZE[1], _SIZE[0])).astype(np.uint8)

    assert follow(key, before, np.eye(3), prepare_frame(table)) is None


@pytest.mark.parametrize(("x", "blur", "is_lost"), [(440, 1, False), (440, 5, True), (0, 5, False)])
def test_half_of_a_board_is_followed_only_where_it_is_clear(
    x: float, blur: float, is_lost: bool
) -> None:
    page, lattice = _page()
    _, key = _keep(page, lattice)
    camera = _camera(x)
    guess = camera @ np.linalg.inv(_camera())
    blurred = cv2.GaussianBlur(_shoot(page, camera), (0, 0), blur)
    frame = prepare_frame(np.asarray(blurred, np.uint8))

    track = follow(key, frame, guess, frame)

    assert (track is None) is is_lost


@pytest.mark.parametrize("camera", [_camera(180, 60), _camera(-230, -60), _camera(0, 0, 0.86)])
def test_a_board_that_was_away_is_found_again(camera: Matrix) -> None:
    page, lattice = _page()
    _, key = _keep(page, lattice)

    track = present(find_again(key, np.eye(3), prepare_frame(_shoot(page, camera, seed=1))))

    assert _miss(track, lattice, camera) < 0.6
    assert track.match.unlike == ()


def test_nothing_is_found_again_on_a_table() -> None:
    page, lattice = _page()
    _, key = _keep(page, lattice)
    table = np.random.default_rng(1).normal(120, 30, (_SIZE[1], _SIZE[0])).astype(np.uint8)

    assert find_again(key, np.eye(3), prepare_frame(table)) is None


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_another_puzzle_is_not_found_again_as_the_one_that_left(seed: int) -> None:
    page, lattice = _page()
    other, _ = _page(seed)
    _, key = _keep(page, lattice)

    track = find_again(key, np.eye(3), prepare_frame(_shoot(other, _camera(90, 40))))

    assert track is None or track.match.share_unlike > 0.25


def test_a_digit_that_looks_like_another_of_the_board_is_noticed() -> None:
    clues = make_puzzle(1).clues
    row, column = np.argwhere(clues == 8)[0]
    changed = clues.copy()
    changed[row, column] = 6
    image, corners = render_board(clues, 400)
    _, key = _keep(image, lattice_from_corners(corners))
    pages = (image, render_board(changed, 400)[0])

    tracks = [
        present(find_again(key, np.eye(3), prepare_frame(_shoot(page, _camera(40, 20)))))
        for page in pages
    ]

    assert [track.match.shows_digits(clues.ravel()) for track in tracks] == [True, False]


def test_a_long_smear_is_told_from_a_short_one() -> None:
    page, lattice = _page()
    before, key = _keep(page, lattice)
    smeared = [
        prepare_frame(np.asarray(cv2.blur(_shoot(page, _camera(), noise=0), (px, 1)), np.uint8))
        for px in (7, 27)
    ]

    short, long = [present(follow(key, before, np.eye(3), frame)) for frame in smeared]

    assert not short.match.is_smeared
    assert long.match.is_smeared


def test_a_board_that_is_half_outside_is_no_key_frame() -> None:
    page, lattice = _page()
    camera = _camera(-350)

    frame = prepare_frame(_shoot(page, camera))

    assert take_key_frame(frame, move_points(lattice, camera)) is None


def test_blank_paper_is_no_key_frame() -> None:
    _, lattice = _page()
    blank = np.full((_SIZE[1], _SIZE[0]), 200, np.uint8)

    assert take_key_frame(prepare_frame(blank), move_points(lattice, _camera())) is None


@pytest.mark.parametrize("guess", [np.full((3, 3), np.nan), np.diag([1e-3, 1e-3, 1.0])])
def test_a_guess_that_shows_no_board_is_passed_over(guess: Matrix) -> None:
    page, lattice = _page()
    before, key = _keep(page, lattice)
    blank = prepare_frame(np.full((_SIZE[1], _SIZE[0]), 200, np.uint8))

    assert follow(key, blank, guess, before) is None


def test_a_board_that_came_nearer_wants_a_new_key_frame() -> None:
    page, lattice = _page()
    cameras = [_camera(scale=0.8 + 0.06 * n) for n in range(6)]

    tracks = _followed(page, lattice, cameras)

    _, key = _keep(page, lattice, cameras[0])
    assert not is_stale(key, present(tracks[0]))
    assert is_stale(key, present(tracks[-1]))
