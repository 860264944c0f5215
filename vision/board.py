"""The board as the reader wants it: a flat grey square, and the 81 cells cut from it.

A **lattice** holds the 10×10 crossings of a board's lines: shape (10, 10, 2), float32, indexed
[horizontal line, vertical line], points (x, y) in pixels of the photo, [0, 0] being the board's
top left corner. Pixel centres have integer coordinates.
"""

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Points, mesh_weights, weigh_mesh

CELL_PX: Final = 28
"""Side of a cell on the rectified board, in pixels."""

MARGIN_PX: Final = 2
"""Paper kept around the rectified board, and around each cell that is cut from it, in pixels."""

CROP_PX: Final = CELL_PX + 2 * MARGIN_PX
"""Side of a cut cell, in pixels: the cell and a margin on each side."""

_BOARD_PX: Final = 9 * CELL_PX + 2 * MARGIN_PX
_MAX_SHRINK_STEPS: Final = 4
_WEIGHTS: Final = mesh_weights((np.arange(_BOARD_PX) - MARGIN_PX + 0.5) / CELL_PX)

Grey = npt.NDArray[np.uint8]


def lattice_from_corners(corners: Points) -> Points:
    """Return the lattice of a flat board seen in perspective.

    Args:
        corners: (4, 2) float, points (x, y), clockwise from the top left.

    Returns:
        (10, 10, 2) float32.
    """
    if corners.shape != (4, 2):
        raise ValueError(f"corners must be (4, 2), got {corners.shape}")
    square = np.array([[0, 0], [9, 0], [9, 9], [0, 9]], dtype=np.float32)
    homography = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    row, column = np.mgrid[0:10, 0:10].astype(np.float32)
    crossings = np.stack([column, row], axis=-1).reshape(1, 100, 2)
    return cv2.perspectiveTransform(crossings, homography).reshape(10, 10, 2).astype(np.float32)


def corners_from_lattice(lattice: Points) -> Points:
    """Return the four outer crossings, (4, 2) float32, clockwise from the top left."""
    return np.stack([lattice[0, 0], lattice[0, 9], lattice[9, 9], lattice[9, 0]])


def turn_lattice(lattice: Points, quarter_turns: int) -> Points:
    """Return the same board with its top left corner moved clockwise by so many corners.

    Turning a board is relabelling its crossings; no picture is touched.
    """
    return np.ascontiguousarray(np.rot90(lattice, k=quarter_turns, axes=(0, 1)))


def move_lattice(lattice: Points, right: float, down: float) -> Points:
    """Return the lattice moved within the board's own plane, by so many cells."""
    step_x, step_y = np.gradient(lattice, axis=1), np.gradient(lattice, axis=0)
    return np.asarray(lattice + right * step_x + down * step_y, np.float32)


def rectify(image: npt.NDArray[np.uint8], lattice: Points, *, is_denoised: bool = False) -> Grey:
    """Flatten a board through its lattice, so that bent pages come out straight.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
        lattice: (10, 10, 2) float32 in pixels of `image`.
        is_denoised: take the median of 3×3 pixels first, which takes single pixels of noise away
            and leaves edges.

    Returns:
        (256, 256) uint8 grey: nine cells of `CELL_PX` and a margin of `MARGIN_PX` around.

    Raises:
        ValueError: if the lattice has another shape.
    """
    return _sample(image, lattice, _WEIGHTS, CELL_PX, is_denoised=is_denoised)


def cut_middles(
    image: npt.NDArray[np.uint8], lattice: Points, zoom: float, *, is_denoised: bool = False
) -> Grey:
    """Cut the middle of each cell, for digits that are small in their cells.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
        lattice: (10, 10, 2) float32 in pixels of `image`.
        zoom: how many times as large as in `cut_cells` they shall be.
        is_denoised: as `rectify` takes it.

    Returns:
        (81, CROP_PX, CROP_PX) uint8, cells in reading order.

    Raises:
        ValueError: if the lattice has another shape.
    """
    within = 0.5 + (np.arange(CROP_PX) + 0.5 - CROP_PX / 2) / (CELL_PX * zoom)
    places = (np.arange(9)[:, None] + within).ravel()
    board = _sample(image, lattice, mesh_weights(places), CELL_PX * zoom, is_denoised=is_denoised)
    cells = board.reshape(9, CROP_PX, 9, CROP_PX).swapaxes(1, 2)
    return np.ascontiguousarray(cells.reshape(81, CROP_PX, CROP_PX))


def turn_cells(cells: Grey, quarter_turns: int) -> Grey:
    """Return the cells of a board that is turned as `numpy.rot90` turns it.

    Args:
        cells: (81, CROP_PX, CROP_PX) uint8, cells in reading order.
        quarter_turns: anticlockwise.
    """
    grid = np.rot90(cells.reshape(9, 9, CROP_PX, CROP_PX), quarter_turns)
    turned = np.rot90(grid, quarter_turns, axes=(2, 3))
    return np.ascontiguousarray(turned.reshape(81, CROP_PX, CROP_PX))


def _sample(
    image: npt.NDArray[np.uint8],
    lattice: Points,
    weights: npt.NDArray[np.float32],
    cell_px: float,
    *,
    is_denoised: bool,
) -> Grey:
    """Return the grey picture at places of the board, `cell_px` pixels of it to a cell."""
    if lattice.shape != (10, 10, 2):
        raise ValueError(f"lattice must be (10, 10, 2), got {lattice.shape}")
    patch, offset, scale = _shrunk_patch(image, lattice, cell_px)
    if patch.size == 0:
        return np.zeros((len(weights), len(weights)), np.uint8)
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
        board: (256, 256) uint8 as `rectify` returns it.

    Returns:
        (81, CROP_PX, CROP_PX) uint8, cells in reading order.

    Raises:
        ValueError: if the board has another shape.
    """
    if board.shape != (_BOARD_PX, _BOARD_PX):
        raise ValueError(f"board must be {(_BOARD_PX, _BOARD_PX)}, got {board.shape}")
    windows = np.lib.stride_tricks.sliding_window_view(board, (CROP_PX, CROP_PX))
    return np.ascontiguousarray(windows[::CELL_PX, ::CELL_PX].reshape(81, CROP_PX, CROP_PX))


def _shrunk_patch(
    image: npt.NDArray[np.uint8], lattice: Points, wanted_px: float
) -> tuple[Grey, npt.NDArray[np.float32], float]:
    """Return the grey part of the picture around the lattice, halved until a cell is near
    the size that is wanted, with its offset and scale: sampling a large picture itself would alias.
    """
    height, width = image.shape[:2]
    low = np.floor(lattice.min(axis=(0, 1))).astype(int) - 8
    high = np.ceil(lattice.max(axis=(0, 1))).astype(int) + 9
    left, top = max(int(low[0]), 0), max(int(low[1]), 0)
    right, bottom = min(int(high[0]), width), min(int(high[1]), height)
    offset = np.array([left, top], np.float32)
    if right <= left or bottom <= top:
        return np.zeros((0, 0), np.uint8), offset, 1.0
    patch = image[top:bottom, left:right]
    if patch.ndim == 3:
        patch = np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    spans = np.linalg.norm(
        np.diff(corners_from_lattice(lattice), axis=0, append=lattice[:1, 0]), axis=1
    )
    cell_px = float(np.median(spans)) / 9
    scale = 1.0
    for _ in range(_MAX_SHRINK_STEPS):
        if cell_px * scale < 1.6 * wanted_px or min(patch.shape) < 4:
            break
        even = patch[: patch.shape[0] // 2 * 2, : patch.shape[1] // 2 * 2]
        size = (even.shape[1] // 2, even.shape[0] // 2)
        patch = np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        scale /= 2
    return patch, offset, scale
