"""Films a page: a camera on a path, with a shutter that smears, light that changes, and noise.

Filmed are printed pages of our own, and real photos laid flat. Where the board is in each frame is
known exactly, as the middle of the exposure has it. The sequences of the live benchmark are what a
hand, a page and a lamp do in ten seconds.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from solver.grid import Grid
from training.pages.flat_board import make_puzzle
from training.photo_labels import scale_points
from training.rendered.filled_board import choose_look, draw_board
from training.rendered.levels import LEVELS
from training.rendered.light import coarse_pixels, print_page, spread_places
from training.rendered.page_layout import lay_out_boards
from training.rendered.pose import Floats, apply_homography, invert_bend, turn_axes
from vision.board import corners_from_lattice
from vision.geometry import Image8, Points, halve

Relief = Callable[[Floats], Floats]
"""Takes points (n, 2) of a page in sides of its board, from the board's middle, and returns their
height over the table (n,) in the same unit."""

BOARD_PX: Final = 760


@dataclass(frozen=True, eq=False)
class Page:
    """A flat page with one board that counts.

    Attributes:
        name: for the report.
        image: (H, W, 3) uint8 BGR.
        lattice: (10, 10, 2) float32 in its pixels, the puzzle's own top left first.
        solution: (9, 9) uint8.
        relief: how the page is bent; flat when None.
    """

    name: str
    image: Image8
    lattice: Points
    solution: Grid
    relief: Relief | None = None


def print_live_page(seed: int, medium: str = "newspaper") -> Page:
    """Print a page with a board on paper; the same seed prints the same page."""
    level = replace(LEVELS[2], candidates=0.0)
    rng = np.random.default_rng([77, seed])
    puzzle = make_puzzle(seed + 1000, int(rng.integers(24, 34)))
    board = draw_board(puzzle, BOARD_PX, choose_look(rng, medium), level, rng, is_paper=True)
    page = lay_out_boards([board.image], [board.lattice], 1, 0.45, rng)
    image = print_page(page.image, medium, level, rng)
    return Page(f"{medium} {seed}", image, page.lattices[0], board.solution)


def bend_page(page: Page, height: float) -> Page:
    """Return the page with a wave and a curl in it, so high in sides of the board."""

    def relief(points: Floats) -> Floats:
        x, y = np.clip(points[:, 0], -1.2, 1.2), np.clip(points[:, 1], -1.2, 1.2)
        wave = np.sin(3.0 * x + 0.6 * y + 0.4) + 0.4 * np.sin(4.2 * x - 1.3 * y + 2.0)
        return np.asarray(height * wave / 1.4, np.float64)

    return replace(page, name=f"bent {page.name}", relief=relief)


WIDTH: Final = 1280
HEIGHT: Final = 720
RATE: Final = 30.0
"""Frames a second."""

_FOCAL_PX: Final = 1100.0
_STEP: Final = 16
_ROUNDS: Final = 8
_TABLE: Final = (96, 112, 120)
_SMEAR_PX: Final = 2.5
"""Motion during the exposure from which a further moment of it is drawn."""


@dataclass(frozen=True)
class CameraPose:
    """How a board stands before the camera: pixels, and degrees."""

    x: float = 0.0
    y: float = 0.0
    side: float = 470.0
    """Of the board, seen from straight above."""
    tilt: float = 0.0
    pan: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True)
class Light:
    """How bright a frame is: a gain, and how much of the light a shadow takes up to a column."""

    gain: float = 1.0
    shadow: float = 0.0
    edge: float = 0.0


@dataclass(frozen=True, eq=False)
class Moment:
    """What lies before the camera at a time."""

    page: Page
    pose: CameraPose
    light: Light = Light()


CameraPath = Callable[[float], Moment]
"""Takes seconds."""


@dataclass(frozen=True, eq=False)
class FrameTruth:
    """What a frame really shows.

    Attributes:
        lattice: (10, 10, 2) float32 in pixels of the frame, wherever that is.
        solution: (9, 9) uint8.
        is_visible: whether the whole board is in the frame.
    """

    lattice: Points
    solution: Grid
    is_visible: bool


def film(
    path: CameraPath, frames: int, seed: int, *, exposure: float, noise: float
) -> Iterator[tuple[Image8, FrameTruth]]:
    """Yield the frames of a camera on a path, (720, 1280, 3) uint8 BGR, and their truths.

    Args:
        path: what lies where at a time.
        frames: how many.
        seed: of the noise.
        exposure: share of a frame's time that the shutter is open.
        noise: standard deviation in grey levels.
    """
    rng = np.random.default_rng(seed)
    grain = rng.normal(0, noise, (HEIGHT + 64, WIDTH + 64, 3)).astype(np.float32)
    pyramids: dict[str, list[Image8]] = {}
    for number in range(frames):
        seconds = number / RATE
        moment = path(seconds)
        page = moment.page
        if page.name not in pyramids:
            smaller = halve(page.image)
            pyramids[page.name] = [page.image, smaller, halve(smaller)]
        pyramid = pyramids[page.name]
        crossings = project(page, moment.pose, page.lattice.reshape(-1, 2))
        lattice: Points = crossings.reshape(10, 10, 2).astype(np.float32)
        # A page that is swapped is not smeared into the next one.
        half = exposure / RATE / 2
        ends = [path(seconds - half), path(seconds + half)]
        poses = [end.pose if end.page is page else moment.pose for end in ends]
        count = _moments(page, poses)
        lit = np.zeros((HEIGHT, WIDTH, 3), np.float32)
        for share in np.linspace(-1, 1, count) if count > 1 else (0.0,):
            seen = path(seconds + share * half)
            pose = seen.pose if seen.page is page else moment.pose
            cv2.accumulate(_see(page, pyramid, pose), lit)
        lit *= moment.light.gain / count
        if moment.light.shadow > 0:
            columns = np.arange(WIDTH, dtype=np.float32)
            covered = np.clip((moment.light.edge * WIDTH - columns) / 60 + 0.5, 0, 1)
            lit *= np.asarray(1 - moment.light.shadow * covered, np.float32)[None, :, None]
        y, x = (int(value) for value in rng.integers(0, 64, 2))
        lit += grain[y : y + HEIGHT, x : x + WIDTH]
        corners = corners_from_lattice(lattice)
        inside = (corners >= 2).all() and (corners <= (WIDTH - 3, HEIGHT - 3)).all()
        image = np.clip(lit + 0.5, 0, 255).astype(np.uint8)
        yield image, FrameTruth(lattice, page.solution, bool(inside))


def project(page: Page, pose: CameraPose, points: npt.NDArray[np.floating]) -> Floats:
    """Return where points (n, 2) of a page, in its pixels, are in the frame."""
    middle, side = _board_of(page)
    plane = (np.asarray(points, np.float64) - middle) / side
    height = np.zeros(len(plane)) if page.relief is None else page.relief(plane)
    return _project_plane(plane, height, pose)


def _project_plane(plane: Floats, height: Floats, pose: CameraPose) -> Floats:
    distance = _FOCAL_PX / pose.side
    turned = np.column_stack([plane, -height]) @ turn_axes(pose.tilt, -pose.pan, pose.turn).T
    seen = turned[:, :2] * (_FOCAL_PX / (distance + turned[:, 2:]))
    middle = ((WIDTH - 1) / 2 + pose.x, (HEIGHT - 1) / 2 + pose.y)
    return np.asarray(seen + middle, np.float64)


def _board_of(page: Page) -> tuple[Floats, float]:
    corners = corners_from_lattice(page.lattice).astype(np.float64)
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return corners.mean(axis=0), float(sides.mean())


def _flat_homography(page: Page, pose: CameraPose) -> Floats:
    middle, side = _board_of(page)
    plane = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64) / 2
    seen = _project_plane(plane, np.zeros(4), pose)
    on_page = (plane * side + middle).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(on_page, seen.astype(np.float32)), np.float64)


def _moments(page: Page, poses: list[CameraPose]) -> int:
    corners = corners_from_lattice(page.lattice)
    start, end = (project(page, pose, corners) for pose in poses)
    motion = float(np.linalg.norm(end - start, axis=1).max())
    return int(np.clip(np.ceil(motion / _SMEAR_PX), 1, 15))


def _see(page: Page, pyramid: list[Image8], pose: CameraPose) -> Image8:
    """Return the sharp picture of a page, (720, 1280, 3) uint8."""
    level = int(np.clip(np.round(np.log2(_board_of(page)[1] / pose.side)), 0, 2))
    source, scale = pyramid[level], 0.5**level
    into = np.array([[scale, 0, scale / 2 - 0.5], [0, scale, scale / 2 - 0.5], [0, 0, 1]])
    flat = _flat_homography(page, pose)
    if page.relief is None:
        matrix = flat @ np.linalg.inv(into)
        seen = cv2.warpPerspective(source, matrix, (WIDTH, HEIGHT), borderValue=_TABLE)
        return np.asarray(seen, np.uint8)
    places = scale_points(_page_places(page, pose, flat), scale)
    full = spread_places(places, WIDTH, HEIGHT, _STEP)
    x, y = (np.ascontiguousarray(full[:, :, axis]) for axis in (0, 1))
    return np.asarray(cv2.remap(source, x, y, cv2.INTER_LINEAR, borderValue=_TABLE), np.uint8)


def _page_places(page: Page, pose: CameraPose, flat: Floats) -> Floats:
    """Return the page's points for every 16th pixel of the frame, beginning 16 before the first."""
    pixels = coarse_pixels(WIDTH, HEIGHT, _STEP)

    def miss(points: Floats) -> Floats:
        return project(page, pose, points) - apply_homography(flat, points)

    return invert_bend(flat, miss, pixels.reshape(-1, 2), _ROUNDS).reshape(pixels.shape)


@dataclass(frozen=True, eq=False)
class Scenario:
    """A sequence that can be filmed.

    Attributes:
        name: what happens in it.
        path: what lies before the camera at a time.
        exposure: share of a frame's time that the shutter is open.
        is_still: whether nothing moves, so that jitter can be told.
    """

    name: str
    path: CameraPath
    exposure: float = 0.4
    is_still: bool = False


def rendered_scenarios() -> dict[str, Callable[[], Scenario]]:
    """Return what makes each sequence of rendered pages, by name."""
    printed = print_live_page
    return {
        "still": lambda: Scenario("still", partial(_still, printed(0)), is_still=True),
        "hand shake": lambda: Scenario("hand shake", partial(_hand, printed(1))),
        "tilt": lambda: Scenario("tilt", partial(_tilting, printed(2, "magazine"))),
        "zoom": lambda: Scenario("zoom", partial(_zooming, printed(3))),
        "motion blur": lambda: Scenario("motion blur", partial(_jerks, printed(4, "print")), 0.9),
        "light": lambda: Scenario("light", partial(_lamp, printed(5))),
        "leaves and returns": lambda: Scenario("leaves and returns", partial(_leaving, printed(6))),
        "page changes": lambda: Scenario(
            "page changes", partial(_changing, [printed(7), printed(8)])
        ),
        "bent page": lambda: Scenario("bent page", partial(_circling, bend_page(printed(9), 0.06))),
    }


def photo_scenarios(pages: Sequence[Page]) -> dict[str, Callable[[], Scenario]]:
    """Return what makes each sequence of real photos, by name."""
    paths = (_hand, _tilting, _leaving)
    return {
        page.name: partial(Scenario, page.name, partial(path, page))
        for page, path in zip(pages, paths, strict=False)
    }


@lru_cache(maxsize=64)
def _waves(seed: int, slow_hz: float, fast_hz: float) -> Callable[[float], float]:
    """Return a smooth wandering of unit strength: a sum of sines, slower ones stronger."""
    rng, count = np.random.default_rng([5, seed]), 6
    rates = np.exp(rng.uniform(np.log(slow_hz), np.log(fast_hz), count))
    phases = rng.uniform(0, 2 * np.pi, count)
    weights = 1 / rates
    weights /= np.sqrt((weights**2).sum() / 2)
    return lambda seconds: float((weights * np.sin(2 * np.pi * rates * seconds + phases)).sum())


def _shaken(pose: CameraPose, seconds: float, strength: float, seed: int = 0) -> CameraPose:
    """Return the pose as a hand holds it: the palm drifts, the fingers tremble."""
    drift = [_waves(seed + n, 0.15, 1.2)(seconds) * strength for n in range(6)]
    tremble = [_waves(100 + seed + n, 4.0, 10.0)(seconds) * strength for n in range(2)]
    return replace(
        pose,
        x=pose.x + 18 * drift[0] + 2.5 * tremble[0],
        y=pose.y + 12 * drift[1] + 2.5 * tremble[1],
        side=pose.side * (1 + 0.02 * drift[2]),
        tilt=pose.tilt + 1.5 * drift[3],
        pan=pose.pan + 1.5 * drift[4],
        turn=pose.turn + 1.2 * drift[5],
    )


def _still(page: Page, _: float) -> Moment:
    return Moment(page, CameraPose(x=12.3, y=-5.7, side=482.0, tilt=14.0, pan=-9.0, turn=3.0))


def _hand(page: Page, seconds: float) -> Moment:
    base = CameraPose(side=460.0, tilt=12.0, pan=6.0, turn=-4.0)
    return Moment(page, _shaken(base, seconds, 1.0))


def _tilting(page: Page, seconds: float) -> Moment:
    swing = 2 * np.pi * seconds / 5
    base = CameraPose(
        side=440.0,
        tilt=34 * np.sin(swing),
        pan=30 * np.sin(1.3 * swing + 1),
        turn=15 * np.sin(0.7 * swing),
    )
    return Moment(page, _shaken(base, seconds, 0.6, seed=20))


def _zooming(page: Page, seconds: float) -> Moment:
    side = 430.0 * np.exp(0.42 * np.sin(2 * np.pi * seconds / 4))
    return Moment(page, _shaken(CameraPose(side=side, tilt=8.0), seconds, 0.5, seed=30))


def _jerks(page: Page, seconds: float) -> Moment:
    """Move in jerks: half a second still, then quickly to another place."""
    rng = np.random.default_rng(3)
    stops = rng.uniform((-260, -70), (260, 70), (40, 2))
    leg = int(max(seconds, 0) / 0.8)
    within = max(seconds, 0) / 0.8 - leg
    share = np.clip((within - 0.5) / 0.5, 0, 1)
    share = share * share * (3 - 2 * share)
    x, y = stops[leg] * (1 - share) + stops[leg + 1] * share
    base = CameraPose(x=float(x), y=float(y), side=440.0, tilt=10.0, turn=5.0)
    return Moment(page, _shaken(base, seconds, 0.4, seed=40))


def _lamp(page: Page, seconds: float) -> Moment:
    """Let the camera's exposure hunt, a lamp be switched off and on, and a shadow pass."""
    gain = 0.85 + 0.25 * np.sin(2 * np.pi * seconds / 3)
    if 4.0 <= seconds < 6.0:
        gain *= 0.55
    edge = (seconds - 6.0) / 3.0
    light = Light(float(gain), 0.45 if 0 <= edge <= 1.2 else 0.0, float(edge))
    base = CameraPose(side=455.0, tilt=10.0, pan=-8.0)
    return Moment(page, _shaken(base, seconds, 0.7, seed=50), light)


def _leaving(page: Page, seconds: float) -> Moment:
    """Turn the camera away and back, twice: to the side, then upwards."""
    side = _bump(seconds, 2.5, 4.5)
    up = _bump(seconds, 6.0, 8.0)
    base = CameraPose(x=1100 * side, y=-760 * up, side=450.0, tilt=10.0, turn=-3.0)
    return Moment(page, _shaken(base, seconds, 0.6, seed=60))


def _bump(seconds: float, start: float, end: float) -> float:
    """Return 0 outside of the time and 1 in its middle half, smooth between."""
    ramp = (end - start) / 4
    share = float(np.clip(min(seconds - start, end - seconds) / ramp, 0, 1))
    return share * share * (3 - 2 * share)


def _changing(pages: Sequence[Page], seconds: float) -> Moment:
    """Lay another page in the same place, then the first again; then pull one away sideways."""
    base = CameraPose(side=450.0, tilt=9.0, turn=2.0)
    pose = _shaken(base, seconds, 0.6, seed=70)
    if seconds < 7.5:
        return Moment(pages[int(2.5 <= seconds < 5.0)], pose)
    away = float(np.clip((seconds - 7.5) / 0.4, 0, 1))
    if away < 1:
        return Moment(pages[0], replace(pose, x=pose.x + 1150 * away * away))
    back = float(np.clip((seconds - 7.9) / 0.4, 0, 1))
    return Moment(pages[1], replace(pose, x=pose.x - 1150 * (1 - back) ** 2))


def _circling(page: Page, seconds: float) -> Moment:
    swing = 2 * np.pi * seconds / 6
    base = CameraPose(side=450.0, tilt=16 * np.sin(swing), pan=16 * np.cos(swing))
    return Moment(page, _shaken(base, seconds, 0.6, seed=80))
