"""Photos of newspaper pages with a Sudoku, made from nothing, with the exact truth beside them.

    python -m training.newspaper.newspaper_page --seed 7 -o samples/newspaper.jpg

makes the sample that the project ships: page, puzzle, pictures and prose are its own.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from solver.grid import Grid, draw_grid
from training.newspaper.bent_sheet import CameraStyle, place_sheet
from training.newspaper.newspaper_layout import PageStyle, lay_out_page
from training.newspaper.page_camera import photograph
from training.newspaper.printed_puzzle import make_puzzle
from vision.board import corners_from_lattice, lattice_from_corners
from vision.media.images import save_image

Image8 = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]


@dataclass(frozen=True)
class RenderStyle:
    """Everything about a rendered photo but its puzzle and its seed."""

    page: PageStyle = field(default_factory=PageStyle)
    camera: CameraStyle = field(default_factory=lambda: CameraStyle(aim=(0.47, 0.6)))
    paper: tuple[int, int, int] = (209, 219, 222)
    """BGR of newsprint."""
    ink_strength: float = 0.84
    """Share of the light that full ink takes away: newspaper black is a dark grey."""
    show_through: float = 0.07
    """Share of the reverse side's ink that is seen through the paper."""


@dataclass(frozen=True)
class RenderedPage:
    """A photo and the truth about it."""

    photo: Image8
    """(H, W, 3) uint8 BGR."""
    lattice: Points
    """(10, 10, 2) float32: the crossings of the board's lines, as `vision.board` has it."""
    clues: Grid
    """(9, 9) uint8."""

    @property
    def corners(self) -> Points:
        """(4, 2) float32: the outer crossings, clockwise from the puzzle's top left."""
        return corners_from_lattice(self.lattice)


def render_page(clues: Grid, seed: int, style: RenderStyle | None = None) -> RenderedPage:
    """Print clues on a newspaper page and photograph it.

    Args:
        clues: (9, 9) uint8, 0 = empty; the rules are not asked.
        seed: chooses everything that `style` leaves open; same seed, same picture.
        style: `RenderStyle()` when None.

    Raises:
        ValueError: if the clues have another shape or other digits.
    """
    style = style or RenderStyle()
    layout_rng, paper_rng, camera_rng = np.random.default_rng(seed).spawn(3)
    flat = lay_out_page(clues, layout_rng, style.page)
    page = _print_page(flat.image, style, paper_rng)
    sheet = place_sheet((page.shape[1], page.shape[0]), style.camera, camera_rng)
    crossings = lattice_from_corners(flat.corners).reshape(100, 2)
    lattice = sheet.project(crossings).reshape(10, 10, 2).astype(np.float32)
    return RenderedPage(photograph(page, sheet, camera_rng), lattice, clues.copy())


def _print_page(flat: Image8, style: RenderStyle, rng: np.random.Generator) -> Image8:
    """Bring ink onto newsprint: fibres, ink that spreads a little, the reverse shining through."""
    height, width = flat.shape[:2]
    ink = cv2.GaussianBlur(255 - flat, (0, 0), 0.7).astype(np.float32) / 255
    blotches = _noise(rng, width, height, 3) * 0.5 + _noise(rng, width, height, 30) * 0.5
    ink *= style.ink_strength * np.clip(1 + 0.06 * blotches, 0.8, 1.1)[:, :, None]
    reverse = cv2.GaussianBlur(np.roll(255 - flat[:, ::-1], 260, axis=0), (0, 0), 3.5)
    ink += style.show_through * reverse.astype(np.float32) / 255
    fibres = _noise(rng, width, height, 1) + _noise(rng, width, height, 4)
    fibres += 0.6 * _noise(rng, width, height, 120)
    paper = np.array(style.paper, np.float32) * (1 + 0.012 * fibres)[:, :, None]
    return np.asarray(np.clip(paper * (1 - ink) + 0.5, 0, 255), np.uint8)


def _noise(
    rng: np.random.Generator, width: int, height: int, grain_px: int
) -> npt.NDArray[np.float32]:
    """Return noise of unit strength, (height, width), whose specks have about that size."""
    rows, columns = height // grain_px + 2, width // grain_px + 2
    coarse = rng.standard_normal((rows, columns), np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC))


def main(arguments: Sequence[str] | None = None) -> None:
    """Make a puzzle, print and photograph it, and write the photo."""
    parser = argparse.ArgumentParser(description="Render a photo of a newspaper page.")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("-o", "--output", type=Path, default=Path("samples/newspaper.jpg"))
    options = parser.parse_args(arguments)
    puzzle = make_puzzle(options.seed)
    rendered = render_page(puzzle.clues, options.seed)
    save_image(options.output, rendered.photo)
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in rendered.corners)
    print(f"{options.output}: corners {corners}\n{draw_grid(puzzle.solution)}")


if __name__ == "__main__":
    main()
