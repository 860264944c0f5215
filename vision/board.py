"""The board as the reader wants it: a flat grey square, and the cells cut from it.

A **lattice** holds the crossings of the lines of a board of side n: shape (n + 1, n + 1, 2),
float32, indexed [horizontal line, vertical line], points (x, y) in pixels of the photo, [0, 0]
being the board's top left corner. Pixel centres have integer coordinates. An `image` is (H, W) grey
or (H, W, 3) BGR uint8. What has another shape raises a ValueError.
"""

import math
from functools import cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Grey, Image8, Points, halve, mesh_weights, sample_mesh, weigh_mesh

CLASSIC_SIDE: Final = 9
"""Side of the usual boards; others are looked for where none of these shows."""

CELL_PX: Final = 28
"""Side of a cell on the rectified board, in pixels."""

MARGIN_PX: Final = 2
"""Paper kept around the rectified board, and around each cell that is cut from it, in pixels."""

CROP_PX: Final = CELL_PX + 2 * MARGIN_PX
"""Side of a cut cell, in pixels: the cell and a margin on each side."""

_MAX_SHRINK_STEPS: Final = 4


def lattice_from_corners(corners: Points, side: int = 9) -> Points:
    """Return the lattice of a flat board seen in perspective.

    Args:
        corners: (4, 2) float, points (x, y), clockwise from the top left.
        side: n.

    Returns:
        (n + 1, n + 1, 2) float32.
    """
    if corners.shape != (4, 2):
        raise ValueError(f"corners must be (4, 2), got {corners.shape}")
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * side
    homography = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    row, column = np.mgrid[: side + 1, : side + 1].astype(np.float32)
    crossings = np.stack([column, row], axis=-1)
    flat = cv2.perspectiveTransform(crossings.reshape(1, -1, 2), homography)
    return flat.reshape(crossings.shape).astype(np.float32)


def corners_from_lattice(lattice: Points) -> Points:
    """Return the four outer crossings, (4, 2) float32, clockwise from the top left."""
    return np.stack([lattice[0, 0], lattice[0, -1], lattice[-1, -1], lattice[-1, 0]])


def resample_lattice(lattice: Points, side: int) -> Points:
    """Return the lattice of a board of another side on the same paper, (side + 1, side + 1, 2)."""
    at = np.linspace(0, len(lattice) - 1, side + 1)
    return sample_mesh(lattice, at, at)


def turn_lattice(lattice: Points, quarter_turns: int) -> Points:
    """Return the same board with its top left corner moved clockwise by so many corners.

    Turning a board is relabelling its crossings; no picture is touched.
    """
    return np.ascontiguousarray(np.rot90(lattice, k=quarter_turns, axes=(0, 1)))


def begin_top_left(lattice: Points) -> Points:
    """Turn a lattice so that it begins at the corner nearest to the photo's own top left."""
    return turn_lattice(lattice, int(np.argmin(corners_from_lattice(lattice).sum(axis=1))))


def move_lattice(lattice: Points, right: float, down: float) -> Points:
    """Return the lattice moved within the board's own plane, by so many cells."""
    step_x, step_y = np.gradient(lattice, axis=1), np.gradient(lattice, axis=0)
    return np.asarray(lattice + right * step_x + down * step_y, np.float32)


def extend_lattice(lattice: Points, *, to_right: bool, down: bool) -> Points:
    """Return the lattice with one more column and row of cells, (n + 2, n + 2, 2) float32.

    Args:
        lattice: (n + 1, n + 1, 2) float32.
        to_right: the column lies to the right of the others, else to their left.
        down: the row lies below the others, else above.
    """
    rows, columns = (0, 1) if down else (1, 0), (0, 1) if to_right else (1, 0)
    # Mirrored at its edge, a line lies as far outside as the one before it lies inside.
    extended = np.pad(lattice, (rows, columns, (0, 0)), "reflect", reflect_type="odd")
    return np.asarray(extended, np.float32)


def rectify(image: Image8, lattice: Points, *, is_denoised: bool = False) -> Grey:
    """Flatten a board through its lattice, so that bent pages come out straight.

    Args:
        is_denoised: take the median of 3×3 pixels first, which takes single pixels of noise away
            and leaves edges.

    Returns:
        (S, S) uint8 grey: n cells of `CELL_PX` and a margin of `MARGIN_PX` around; 256 pixels for
        nine cells.
    """
    weights = _weigh_pixels(len(lattice) - 1)
    return _sample(image, lattice, weights, CELL_PX, is_denoised=is_denoised)


def show_board(image: Image8, lattice: Points, cell_px: int) -> Image8:
    """Flatten a board in the colours of the photo, without the paper around it.

    Args:
        cell_px: side of a cell, in pixels.

    Returns:
        (n · cell_px, n · cell_px) uint8 with the channels of `image`.
    """
    side = len(lattice) - 1
    weights = mesh_weights((np.arange(side * cell_px) + 0.5) / cell_px, side)
    return _sample(image, lattice, weights, cell_px, is_grey=False)


def cut_middles(image: Image8, lattice: Points, zoom: float, *, is_denoised: bool = False) -> Grey:
    """Cut the middle of each cell, for digits that are small in their cells.

    Args:
        zoom: how many times as large as in `cut_cells` they shall be.

    Returns:
        (n², CROP_PX, CROP_PX) uint8, cells in reading order.
    """
    return cut_windows(image, lattice, CELL_PX * zoom, CROP_PX, is_denoised=is_denoised)


def cut_windows(
    image: Image8, lattice: Points, cell_px: float, crop_px: int, *, is_denoised: bool = False
) -> Grey:
    """Cut a square around the middle of each cell.

    Args:
        cell_px: side of a cell, in pixels of a square.
        crop_px: side of a square, in pixels.

    Returns:
        (n², crop_px, crop_px) uint8, cells in reading order.
    """
    side = len(lattice) - 1
    within = 0.5 + (np.arange(crop_px) + 0.5 - crop_px / 2) / cell_px
    weights = mesh_weights((np.arange(side)[:, None] + within).ravel(), side)
    board = _sample(image, lattice, weights, cell_px, is_denoised=is_denoised)
    cells = board.reshape(side, crop_px, side, crop_px).swapaxes(1, 2)
    return np.ascontiguousarray(cells.reshape(-1, crop_px, crop_px))


def turn_cells(cells: Grey, quarter_turns: int) -> Grey:
    """Return the cells of a board that is turned as `numpy.rot90` turns it.

    Args:
        cells: (n², h, h) uint8, cells in reading order.
        quarter_turns: anticlockwise.
    """
    side = math.isqrt(len(cells))
    grid = np.rot90(cells.reshape(side, side, *cells.shape[1:]), quarter_turns)
    turned = np.rot90(grid, quarter_turns, axes=(2, 3))
    return np.ascontiguousarray(turned.reshape(cells.shape))


@cache
def _weigh_pixels(side: int) -> npt.NDArray[np.float32]:
    """Return the weights of a rectified board's pixels."""
    pixels = np.arange(side * CELL_PX + 2 * MARGIN_PX)
    return mesh_weights((pixels - MARGIN_PX + 0.5) / CELL_PX, side)


def _sample(
    image: Image8,
    lattice: Points,
    weights: npt.NDArray[np.float32],
    cell_px: float,
    *,
    is_grey: bool = True,
    is_denoised: bool = False,
) -> Image8:
    """Return the picture at places of the board, `cell_px` pixels of it to a cell."""
    if lattice.ndim != 3 or lattice.shape[0] != lattice.shape[1] or lattice.shape[2] != 2:
        raise ValueError(f"lattice must be (n + 1, n + 1, 2), got {lattice.shape}")
    patch, offset, scale = _shrunk_patch(image, lattice, cell_px, is_grey=is_grey)
    if patch.size == 0:
        return np.zeros((len(weights), len(weights), *patch.shape[2:]), np.uint8)
    if is_denoised:
        patch = np.asarray(cv2.medianBlur(patch, 3), np.uint8)
    x, y = weigh_mesh((lattice - offset + 0.5) * scale - 0.5, weights)
    return np.asarray(
        cv2.remap(patch, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        dtype=np.uint8,
    )


def cut_cells(board: Grey) -> Grey:
    """Cut a rectified board into its cells, each with a margin that shows its lines.

    Args:
        board: (S, S) uint8 as `rectify` returns it.

    Returns:
        (n², CROP_PX, CROP_PX) uint8, cells in reading order.
    """
    if board.ndim != 2 or board.shape[0] != board.shape[1] or len(board) % CELL_PX != 2 * MARGIN_PX:
        raise ValueError(f"board must be a square of whole cells and margins, got {board.shape}")
    windows = np.lib.stride_tricks.sliding_window_view(board, (CROP_PX, CROP_PX))
    return np.ascontiguousarray(windows[::CELL_PX, ::CELL_PX].reshape(-1, CROP_PX, CROP_PX))


def _shrunk_patch(
    image: Image8, lattice: Points, wanted_px: float, *, is_grey: bool
) -> tuple[Image8, npt.NDArray[np.float32], float]:
    """Return the part of the picture around the lattice, halved until a cell is near the size
    that is wanted, with its offset and scale: sampling a large picture itself would alias.
    """
    height, width = image.shape[:2]
    low = np.floor(lattice.min(axis=(0, 1))).astype(int) - 8
    high = np.ceil(lattice.max(axis=(0, 1))).astype(int) + 9
    left, top = max(int(low[0]), 0), max(int(low[1]), 0)
    right, bottom = min(int(high[0]), width), min(int(high[1]), height)
    offset = np.array([left, top], np.float32)
    patch = image[top : max(bottom, top), left : max(right, left)]
    if patch.size == 0:
        return patch[..., 0] if is_grey and patch.ndim == 3 else patch, offset, 1.0
    if is_grey and patch.ndim == 3:
        patch = np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), np.uint8)
    spans = np.linalg.norm(
        np.diff(corners_from_lattice(lattice), axis=0, append=lattice[:1, 0]), axis=1
    )
    cell_px = float(np.median(spans)) / (len(lattice) - 1)
    scale = 1.0
    for _ in range(_MAX_SHRINK_STEPS):
        if cell_px * scale < 1.6 * wanted_px or min(patch.shape[:2]) < 4:
            break
        patch = halve(patch)
        scale /= 2
    return patch, offset, scale
