"""Photos for the phone page, and the truth about them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from solver.grid import format_grid
from training.pages.flat_board import Puzzle, make_puzzle, render_board
from training.rendered.large_digits import NO_DATA, using_shapes_of
from training.rendered.rendered_photos import render_photo
from vision.media.images import save_image


@dataclass(frozen=True)
class Sheet:
    """A photo of a puzzle, and the truth about it.

    Attributes:
        path: its file.
        puzzle: what is printed.
        place: (3, 3) float64, carries a board of nine by nine onto the photo.
    """

    path: Path
    puzzle: Puzzle
    place: npt.NDArray[np.float64]

    @property
    def clues(self) -> str:
        """What is printed, as 81 signs."""
        return format_grid(self.puzzle.clues)

    @property
    def solution(self) -> str:
        """The solution, as 81 signs."""
        return format_grid(self.puzzle.solution)

    @property
    def empty(self) -> list[int]:
        """The cells where nothing is printed."""
        return [cell for cell, sign in enumerate(self.clues) if sign == "."]

    def at(self, column: float, row: float) -> tuple[float, float]:
        """Return where on the photo a place of the board is, in cells from its top left."""
        x, y, w = self.place @ (column, row, 1.0)
        return float(x / w), float(y / w)

    def middle(self, cell: int) -> tuple[float, float]:
        """Return the middle of a cell."""
        return self.at(cell % 9 + 0.5, cell // 9 + 0.5)


def make_sheet(folder: Path, seed: int = 1, *, has_lines: bool = True, clues: int = 30) -> Sheet:
    """Photograph a printed board aslant; without its lines nobody finds it."""
    puzzle = make_puzzle(seed, clues)
    page, corners = render_board(puzzle.clues, 560)
    if not has_lines:
        (left, top), (right, bottom) = corners[0], corners[2]
        for line in range(10):
            x, y = left + (right - left) * line / 9, top + (bottom - top) * line / 9
            for ends in ((x, top - 8, x, bottom + 8), (left - 8, y, right + 8, y)):
                here, there = (round(ends[0]), round(ends[1])), (round(ends[2]), round(ends[3]))
                cv2.line(page, here, there, (255, 255, 255), 11)
    side = page.shape[0]
    flat = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    seen = np.array([[150, 60], [860, 100], [890, 880], [90, 830]], np.float32)
    camera = cv2.getPerspectiveTransform(flat, seen)
    photo = cv2.warpPerspective(page, camera, (980, 940), borderValue=(110, 120, 130))
    path = folder / f"sheet-{seed}-{has_lines}.jpg"
    save_image(path, np.asarray(photo, np.uint8))
    (left, top), (right, _) = corners[0], corners[1]
    scale = (right - left) / 9
    onto_page = np.array([[scale, 0, left], [0, scale, top], [0, 0, 1]])
    return Sheet(path, puzzle, camera @ onto_page)


def save_rendered(path: Path, level: int, seed: int, boards: int = 1) -> Path:
    """Write a photo of a page, rendered from the project's shapes alone, and return its path."""
    save_image(path, _render(level, seed, boards))
    return path


@cache
def _render(level: int, seed: int, boards: int) -> npt.NDArray[np.uint8]:
    with using_shapes_of(NO_DATA):
        return render_photo(level, seed, boards).photo
