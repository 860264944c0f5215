"""Realistic photos of puzzle pages, made from nothing, with the exact truth about them.

`render_photo(level, seed)` draws a photo of one of five levels of hardness; the same level and
seed give the same photo where the same typefaces are at hand.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from solver.grid import Grid
from training.pages.flat_board import Puzzle, make_puzzle
from training.rendered.filled_board import (
    FlatBoard,
    choose_look,
    draw_board,
    pack_candidates,
    write_board,
)
from training.rendered.large_digits import Glyphs
from training.rendered.levels import LEVELS, Level, find_level
from training.rendered.light import Exposure, choose_exposure, print_page, take_photo
from training.rendered.page_layout import FlatPage, Surroundings, lay_out_boards
from training.rendered.pose import Pose, place_page, shortest_side
from training.rendered.writing import Mark, Writer, sketch_board
from vision.board import corners_from_lattice, lattice_from_corners
from vision.geometry import Image8, Points

MANY_BOARDS: Final = {2: (1, 2), 3: (3,), 4: (2,), 6: (2, 3)}
"""Boards on a page, and how many of them may stand side by side."""

_MOST_PAGE_PX: Final = 5e6

_SMALL_SIDE_PX: Final = (240, 440)
"""Shorter side of a small photo."""
_SMALL_CELL_PX: Final = 18
"""Least shortest side of a cell in one."""

_NEWSPAPER_SHARE: Final = (0.04, 0.1)
"""Of a whole page's photo that its board takes."""


@dataclass(frozen=True, eq=False)
class RenderedBoard:
    """A board in a photo, and the truth about it.

    Attributes:
        lattice: (10, 10, 2) float32, crossings (x, y) in pixels of the photo, [0, 0] being the
            puzzle's own top left corner.
        clues: (9, 9) uint8, printed.
        entries: (9, 9) uint8, handwritten as they stand, the writer's mistakes included.
        marks: (9, 9) uint8 of `training.rendered.writing.Mark`.
        candidates: (9, 9) uint16, bit d − 1 where d is noted.
        solution: (9, 9) uint8, the only one of the clues, if all are there.
    """

    lattice: Points
    clues: Grid
    entries: Grid
    marks: npt.NDArray[np.uint8]
    candidates: npt.NDArray[np.uint16]
    solution: Grid

    @property
    def corners(self) -> Points:
        """(4, 2) float32: the outer crossings, clockwise from the puzzle's top left."""
        return corners_from_lattice(self.lattice)


@dataclass(frozen=True)
class Circumstances:
    """What makes a photo hard; angles in degrees, lengths in cells unless they say pixels."""

    medium: str
    tilt: float
    turn: float
    bend: float
    """Farthest that a crossing lies from where the corners' homography puts it."""
    cell_px: float
    """Shortest side of any cell."""
    focus: float
    """Standard deviation of the defocus."""
    motion: float
    shadow: float
    brightness: float
    noise: float
    has_writing: bool
    has_candidates: bool
    is_dark: bool
    """Light digits on dark paper."""


@dataclass(frozen=True, eq=False)
class Shot:
    """A page as a camera took it.

    Attributes:
        photo: (H, W, 3) uint8 BGR.
        lattices: of each board, (n + 1, n + 1, 2) float32, crossings (x, y) in its pixels.
        pose: how the page lay.
        exposure: light and camera.
        cell_px: shortest side of any cell.
    """

    photo: Image8
    lattices: tuple[Points, ...]
    pose: Pose
    exposure: Exposure
    cell_px: float


@dataclass(frozen=True, eq=False)
class RenderedPhoto:
    """A photo and the truth about it.

    Attributes:
        photo: (H, W, 3) uint8 BGR.
        boards: none on a decoy.
        circumstances: what makes it hard.
    """

    photo: Image8
    boards: tuple[RenderedBoard, ...]
    circumstances: Circumstances


def render_photo(
    level: int,
    seed: int,
    boards: int = 1,
    turn: float | None = None,
    taken: int = 0,
    *,
    are_noted: bool = False,
) -> RenderedPhoto:
    """Print puzzles on a page or a screen and photograph it.

    Args:
        level: 1..5, as `training.rendered.levels.LEVELS` grades them.
        seed: chooses all else.
        boards: how many boards the page has: 1 or a key of `MANY_BOARDS`.
        turn: the camera's turn in degrees; drawn by the level when None.
        taken: leave a clue out of every puzzle, the first, second, … of a random order; its
            solution stays the one that it has with all clues. 0 leaves none out.
        are_noted: note candidates on every board.

    Raises:
        ValueError: if there is no such level, or pages have not so many boards.
    """
    chosen = find_level(level)
    if are_noted:
        chosen = replace(chosen, candidates=1.0)
    if boards != 1 and boards not in MANY_BOARDS:
        raise ValueError(f"boards must be 1 or one of {', '.join(map(str, MANY_BOARDS))}")
    rng = np.random.default_rng([level, seed, boards])
    medium = pick(chosen.media, rng)
    size = choose_size(chosen, boards, rng)
    columns = int(rng.choice(MANY_BOARDS[boards])) if boards > 1 else 1
    share = rng.uniform(*chosen.share) if boards == 1 else rng.uniform(0.75, 0.95)
    rows = -(-boards // columns)
    # Wide enough that no board's cells fall below the level's least.
    share = max(share, 1.25 * 9 * chosen.least_cell_px * max(rows, columns) / min(size))
    flat_px = int(np.clip(share * min(size) / max(rows, columns) * 1.05, 200, 1300))
    look = choose_look(rng, medium)
    is_paper = medium not in ("screen", "screenshot")
    flat = []
    for _ in range(boards):
        puzzle = make_puzzle(int(rng.integers(1 << 31)), int(rng.integers(23, 37)))
        flat.append(draw_board(_take_clue(puzzle, taken), flat_px, look, chosen, rng, is_paper))
    surround = float(rng.uniform(0.2, 1.3))
    surround = min(surround, (np.sqrt(_MOST_PAGE_PX / (columns * rows)) / flat_px - 1) / 2)
    images, lattices = [board.image for board in flat], [board.lattice for board in flat]
    around = choose_surroundings(medium, rng)
    page = lay_out_boards(images, lattices, columns, max(surround, 0.05), rng, around)
    return photograph_page(page, flat, medium, chosen, size, share, rng, turn)


def render_small_photo(level: int, seed: int) -> RenderedPhoto:
    """Print one puzzle on a bare page and photograph it in few pixels, to learn small digits from.

    The shortest sides of its cells are 16 to 31 pixels on 60 such photos, each of which took a
    tenth of a second to draw.

    Args:
        level: 1..5, for all but the sizes.
        seed: chooses all else.

    Raises:
        ValueError: if there is no such level.
    """
    chosen = replace(find_level(level), least_cell_px=_SMALL_CELL_PX)
    rng = np.random.default_rng([level, seed])
    medium = pick(chosen.media, rng)
    low, high = np.log(_SMALL_SIDE_PX)
    short_side = round(float(np.exp(rng.uniform(low, high))))
    long_side = round(1.15 * short_side)
    size = (long_side, short_side) if rng.random() < 0.5 else (short_side, long_side)
    share = 0.9
    is_paper = medium not in ("screen", "screenshot")
    puzzle = make_puzzle(int(rng.integers(1 << 31)), int(rng.integers(23, 37)))
    flat_px = round(share * short_side * 1.05)
    board = draw_board(puzzle, flat_px, choose_look(rng, medium), chosen, rng, is_paper)
    page = lay_out_boards([board.image], [board.lattice], 1, 0.12, rng, "nothing")
    return photograph_page(page, [board], medium, chosen, size, share, rng, None)


def render_newspaper(seed: int) -> RenderedPhoto:
    """Photograph a whole newspaper page of which one board takes 4 to 10 %, in 12 megapixels."""
    rng = np.random.default_rng(seed)
    area = rng.uniform(*_NEWSPAPER_SHARE)
    width, height = (4000, 3000) if rng.random() < 0.4 else (3000, 4000)
    share = float(np.sqrt(area * width * height)) / min(width, height)
    board_px = round(1.05 * share * min(width, height))
    puzzle = make_puzzle(int(rng.integers(1 << 31)), int(rng.integers(23, 37)))
    level, medium = LEVELS[3], "newspaper"
    board = draw_board(puzzle, board_px, choose_look(rng, medium), level, rng, True)
    surround = (1.2 * max(width, height) / board_px - 1) / 2
    page = lay_out_boards([board.image], [board.lattice], 1, surround, rng, "stories")
    return photograph_page(page, [board], medium, level, (width, height), share, rng, None)


def render_written(
    digits: Grid,
    level: int,
    rng: np.random.Generator,
    glyphs: Glyphs | None = None,
    is_soiled: npt.NDArray[np.bool_] | None = None,
    *,
    is_sketched: bool = False,
) -> tuple[Image8, Points]:
    """Write digits by hand into a board on a page, and photograph it.

    Args:
        digits: (9, 9) uint8, 0 = empty.
        level: 1..5.
        rng: chooses all else.
        glyphs: digits that are copied; the writer's own when None.
        is_soiled: (9, 9) bool, cells with something that is no digit; None for none.
        is_sketched: the board is drawn by hand, too, on a sheet of paper.

    Returns:
        The photo, (H, W, 3) uint8 BGR, and the board's lattice, (10, 10, 2) float32 in its pixels.
    """
    chosen = LEVELS[level]
    medium = pick(chosen.media, rng)
    if is_sketched:
        medium = "print"
    elif medium in ("screen", "screenshot"):  # nobody writes on these
        medium = "newspaper"
    look, size = choose_look(rng, medium), choose_size(chosen, 1, rng)
    share = max(rng.uniform(*chosen.share), 1.25 * 9 * chosen.least_cell_px / min(size))
    px = int(np.clip(share * min(size) * 1.05, 200, 1300))
    writer = Writer(rng, is_paper=True, glyphs=glyphs)
    if is_sketched:
        page = sketch_board(digits, px, writer, is_soiled)
    else:
        board, lattice = write_board(digits, px, look.style, writer, is_soiled)
        around = choose_surroundings(medium, rng)
        page = lay_out_boards([board], [lattice], 1, float(rng.uniform(0.2, 1.0)), rng, around)
    shot = shoot_page(page, medium, chosen, size, share, rng)
    return shot.photo, np.asarray(shot.lattices[0], np.float32)


def photograph_page(
    page: FlatPage,
    flat: list[FlatBoard],
    medium: str,
    level: Level,
    size: tuple[int, int],
    share: float,
    rng: np.random.Generator,
    turn: float | None,
) -> RenderedPhoto:
    """Show a page on its medium, lay it down and take the photo.

    Args:
        page: laid out flat.
        flat: its boards, in the order of `page.lattices`; none for decoys.
        medium, level, size, share, rng, turn: as `shoot_page` takes them.
    """
    shot = shoot_page(page, medium, level, size, share, rng, turn)
    pose, exposure = shot.pose, shot.exposure
    boards = []
    for lattice, board in zip(shot.lattices, flat, strict=True):
        told = board.clues, board.entries, board.marks, pack_candidates(board.noted)
        boards.append(RenderedBoard(lattice, *told, board.solution))
    marks = np.concatenate([board.marks.ravel() for board in flat] or [np.zeros(1, np.uint8)])
    facts = Circumstances(
        medium=medium,
        tilt=pose.tilt,
        turn=pose.turn,
        bend=max((_bend(lattice) for lattice in shot.lattices), default=0.0),
        cell_px=shot.cell_px,
        focus=exposure.focus_px / shot.cell_px,
        motion=exposure.motion_px / shot.cell_px,
        shadow=exposure.shadow,
        brightness=exposure.brightness,
        noise=exposure.noise,
        has_writing=bool((marks == Mark.WRITTEN).any()),
        has_candidates=bool((marks == Mark.CANDIDATES).any()),
        is_dark=bool(flat) and bool(np.median(flat[0].image) < 100),
    )
    return RenderedPhoto(shot.photo, tuple(boards), facts)


def shoot_page(
    page: FlatPage,
    medium: str,
    level: Level,
    size: tuple[int, int],
    share: float,
    rng: np.random.Generator,
    turn: float | None = None,
) -> Shot:
    """Show a page with boards of any side on its medium, lay it down and take the photo.

    Args:
        page: laid out flat; it may have no boards.
        medium: what the page is shown on.
        level: ranges of everything that is drawn.
        size: of the photo, width and height in pixels.
        share: side of the boards together, of the photo's shorter side.
        rng: chooses.
        turn: of the camera, in degrees; drawn by the level when None.
    """
    is_paper = medium not in ("screen", "screenshot")
    shown = print_page(page.image, medium, level, rng) if is_paper else page.image
    pose = place_page(page, medium, level, size, share, rng, turn)
    lattices = tuple(
        pose.sheet.project(lattice.reshape(-1, 2)).reshape(lattice.shape).astype(np.float32)
        for lattice in page.lattices
    )
    left, top, right, bottom = page.box
    outline = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    place = pose.sheet.project(outline).astype(np.float32)
    cells = [shortest_side(lattice) for lattice in lattices or (lattice_from_corners(place),)]
    exposure = choose_exposure(level, medium, min(cells), rng)
    photo = take_photo(shown, pose.sheet, exposure, medium, rng)
    return Shot(photo, lattices, pose, exposure, min(cells))


def _take_clue(puzzle: Puzzle, taken: int) -> Puzzle:
    if taken == 0:
        return puzzle
    filled = np.random.default_rng(0).permutation(np.flatnonzero(puzzle.clues))
    clues = puzzle.clues.copy()
    clues.flat[filled[(taken - 1) % len(filled)]] = 0
    return Puzzle(clues, puzzle.solution)


def pick(weights: Mapping[str, float], rng: np.random.Generator) -> str:
    """Return one of the names, by their weights."""
    shares = np.array(list(weights.values()), np.float64)
    return list(weights)[int(rng.choice(len(shares), p=shares / shares.sum()))]


def choose_surroundings(medium: str, rng: np.random.Generator, bare: float = 0.08) -> Surroundings:
    """Return what stands around the boards of a page; around a share on paper nothing does."""
    if medium in ("screen", "screenshot"):
        return "app" if rng.random() < 0.7 else "stories"
    return "nothing" if medium == "print" or rng.random() < bare else "stories"


def choose_size(level: Level, boards: int, rng: np.random.Generator) -> tuple[int, int]:
    """Return width and height of a photo in pixels; pages with more boards need more of them."""
    low, high = level.long_side_px
    if boards > 1:
        low = max(low, 1500)
    # Small photos are as likely as large ones.
    long_side = round(float(np.exp(rng.uniform(np.log(low), np.log(max(high, low + 300))))))
    short_side = round(long_side / float(rng.choice([4 / 3, 4 / 3, 1.5, 16 / 9])))
    return (long_side, short_side) if rng.random() < 0.4 else (short_side, long_side)


def _bend(lattice: Points) -> float:
    flat = lattice_from_corners(corners_from_lattice(lattice))
    side = np.linalg.norm(np.diff(lattice, axis=1), axis=2).mean()
    return float(np.linalg.norm(lattice - flat, axis=2).max() / side)
