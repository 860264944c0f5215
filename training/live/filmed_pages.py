"""What a live sequence is filmed of: printed pages of our own, and real photos laid flat."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from solver.grid import Grid
from training.evaluation.photo_verdicts import run_product
from training.newspaper.printed_puzzle import make_puzzle
from training.photos.photo_labels import PhotoLabel
from training.rendered.filled_board import choose_look, draw_board
from training.rendered.levels import LEVELS
from training.rendered.page_layout import lay_out_boards
from training.rendered.paper import print_page
from vision.board import corners_from_lattice, turn_lattice
from vision.classic_finder.find import find_boards
from vision.media.images import load_image

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]

Relief = Callable[[Floats], Floats]
"""Takes points (n, 2) of a page in sides of its board, from the board's middle, and returns their
height over the table (n,) in the same unit."""

_BOARD_PX: Final = 760
_LEVEL: Final = 2
_KINDS: Final = ("newspaper", "screen", "handfilled-partial")
_TRIES: Final = 6
_LABEL_MISS: Final = 0.4
"""How far a found corner may lie from a labelled one, in cells."""


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
    level = replace(LEVELS[_LEVEL], candidates=0.0)
    rng = np.random.default_rng([77, seed])
    puzzle = make_puzzle(seed + 1000, int(rng.integers(24, 34)))
    board = draw_board(puzzle, _BOARD_PX, choose_look(rng, medium), level, rng, is_paper=True)
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


def choose_photo_pages(folder: Path, labels: Sequence[PhotoLabel]) -> list[Page]:
    """Return one real photo of each kind, the first whose board the still picture shows well.

    It counts as shown well where the product solves it right, and finds its corners where they are
    labelled. The found lattice is the truth: labels know no crossings.
    """
    pages = []
    for kind in _KINDS:
        fitting = [
            label
            for label in labels
            if label.kind == kind and label.solution is not None and label.corners is not None
        ]
        for label in fitting[:: max(len(fitting) // _TRIES, 1)][:_TRIES]:
            page = _photo_page(folder, label)
            if page is not None:
                pages.append(page)
                break
    return pages


def _photo_page(folder: Path, label: PhotoLabel) -> Page | None:
    (report,) = run_product(folder, [label.file])
    assert label.solution is not None
    assert label.corners is not None
    solution = "".join(map(str, label.solution.ravel()))
    if not report["boards"] or report["boards"][0]["solution"] != solution:
        return None
    image = load_image(folder / label.file)
    candidates = find_boards(image, 1)
    side = float(np.linalg.norm(label.corners[1] - label.corners[0]))
    for quarter in range(4) if candidates else ():
        lattice = turn_lattice(candidates[0].lattice, quarter)
        miss = np.abs(corners_from_lattice(lattice) - label.corners).max()
        if miss < _LABEL_MISS * side / 9:
            break
    else:
        return None
    scale = min(_BOARD_PX / side, 2.0)
    mode = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    scaled = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=mode), np.uint8)
    moved = ((lattice + 0.5) * scale - 0.5).astype(np.float32)
    return Page(f"photo {label.file}", scaled, moved, label.solution)
