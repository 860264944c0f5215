"""Tells whether a board in another picture is the same one: whether its digits look the same.

Lines look alike on every board, so only what stands in the cells is compared.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Points, mesh_weights, weigh_mesh

Even = npt.NDArray[np.float32]

_CELL_PX: Final = 18
_INNER: Final = slice(3, 15)
"""Of a cell on the sheet, what the lines around it do not reach."""

_SMEARS: Final = (5, 10, 15)
"""Lengths of motion blur that are allowed for, in pixels of the sheet."""

_INKED: Final = 0.05
"""Spread of an even picture in a cell from which something stands in it."""


@dataclass(frozen=True, eq=False)
class BoardLook:
    """What stands in the cells of a board.

    Attributes:
        places: (18 n, 18 n, 2) float32, points of the picture for each pixel of the sheet.
        sheets: (k, (9 n)²) float32, every other pixel of the board, of unit length: sharp, out of
            focus, and smeared in several directions.
        cells: (n,) int, those in which something stands.
        patches: (k, n, 144) float32, each of zero mean and unit length, cut from the same.
    """

    places: Points
    sheets: npt.NDArray[np.float32]
    cells: npt.NDArray[np.intp]
    patches: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Likeness:
    """How a board compares with its look.

    Attributes:
        typical: -1..1, correlation of a cell with its look, the median of all with ink.
        unlike: cells, 0..n² − 1, with ink in the look that show something else.
        count: how many cells were compared, those in view.
        blur: which of the look's patches they were compared with.
    """

    typical: float
    unlike: tuple[int, ...]
    count: int
    blur: int = 0

    @property
    def share_unlike(self) -> float:
        """0..1, how many of the cells show something else.

        It tells boards apart better than `typical`: two puzzles laid in the same place may share
        more than half of their digits by chance.
        """
        return len(self.unlike) / self.count if self.count else 1.0


def take_look(even: Even, lattice: Points) -> BoardLook:
    """Keep what stands in the cells of a board.

    Args:
        even: (H, W) float32, an even picture.
        lattice: (n + 1, n + 1, 2) float32 in its pixels.
    """
    x, y = weigh_mesh(lattice, _weights(len(lattice) - 1))
    places = np.stack([x, y], axis=-1)
    sheet = _sheet(even, places)
    sharp = _patches(sheet)
    spread = sharp.std(axis=1)
    cells = np.flatnonzero(spread > max(_INKED, 0.35 * float(np.quantile(spread, 0.9))))
    variants = [sheet]
    variants += [np.asarray(cv2.filter2D(sheet, -1, kernel), np.float32) for kernel in _KERNELS]
    sheets = np.stack([_coarse(variant) for variant in variants])
    patches = np.stack([_normalised(_patches(variant)[cells]) for variant in variants])
    return BoardLook(places, sheets, cells, patches)


def compare_look(look: BoardLook, even: Even, homography: npt.NDArray[np.float64]) -> Likeness:
    """Compare a board in a picture with its look, allowing for blur.

    Args:
        look: of the board.
        even: (H, W) float32, the picture.
        homography: (3, 3) float64, from the picture of the look to this one.
    """
    moved = cv2.perspectiveTransform(look.places.reshape(-1, 1, 2), homography)
    places = np.asarray(moved, np.float32).reshape(look.places.shape)
    height, width = even.shape
    corners = places[::_CELL_PX, ::_CELL_PX].reshape(-1, 2)[look.cells]
    ends = places[_CELL_PX - 1 :: _CELL_PX, _CELL_PX - 1 :: _CELL_PX].reshape(-1, 2)[look.cells]
    both = np.concatenate([corners, ends], axis=1)
    shown = ((both >= 0) & (both <= (width - 1, height - 1) * 2)).all(axis=1)
    if not shown.any():
        return Likeness(0.0, (), 0)
    sheet = _sheet(even, places)
    # The lines, which all boards share, tell the blur: digits would choose what flatters them.
    blur = int(np.argmax((look.sheets * _coarse(sheet)).sum(axis=1)))
    seen = _normalised(_patches(sheet)[look.cells[shown]])
    correlations = (look.patches[blur, shown] * seen).sum(axis=1)
    unlike = look.cells[shown][correlations < _UNLIKE[blur]]
    return Likeness(float(np.median(correlations)), tuple(unlike.tolist()), int(shown.sum()), blur)


@lru_cache(maxsize=8)
def _weights(side: int) -> npt.NDArray[np.float32]:
    return mesh_weights((np.arange(side * _CELL_PX) + 0.5) / _CELL_PX, side)


def _sheet(even: Even, places: Points) -> Even:
    soft = cv2.blur(even, (3, 3))
    return np.asarray(
        cv2.remap(soft, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),  # type: ignore[call-overload]
        np.float32,
    )


def _patches(sheet: Even) -> Even:
    side = len(sheet) // _CELL_PX
    cells = sheet.reshape(side, _CELL_PX, side, _CELL_PX).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(cells[:, :, _INNER, _INNER]).reshape(side * side, -1)


def _coarse(sheet: Even) -> Even:
    part = sheet[::2, ::2].ravel()
    return np.asarray(part / max(float(np.sqrt((part * part).sum())), 1e-6), np.float32)


def _normalised(patches: Even) -> Even:
    level = patches - patches.mean(axis=1, keepdims=True)
    length = np.sqrt((level * level).sum(axis=1, keepdims=True))
    # Bare paper has next to no length, and must not be blown up to a likeness by chance.
    return np.asarray(level / np.maximum(length, 0.15), np.float32)


def _smear_kernels() -> list[Even]:
    kernels = [cv2.getGaussianKernel(9, 2.0) @ cv2.getGaussianKernel(9, 2.0).T]
    for length in _SMEARS:
        for angle in np.radians(range(0, 180, 30)):
            kernel = np.zeros((19, 19), np.float32)
            half = length / 2 * np.array([np.cos(angle), np.sin(angle)])
            ends = [tuple(int(v) for v in np.round((9 + s * half) * 16)) for s in (-1, 1)]
            cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
            kernels.append(kernel / kernel.sum())
    return [np.asarray(kernel, np.float32) for kernel in kernels]


_KERNELS: Final = _smear_kernels()
_UNLIKE: Final = (0.8, 0.75, *(limit for limit in (0.7, 0.6, 0.5) for _ in range(6)))
"""Correlation below which a cell shows something else, by the blur: of the same digit 99 in 100
have more than 0.93 where the frame is sharp, 0.8, 0.6 and 0.55 in longer and longer smears; another
digit has 0.6 in the median."""
