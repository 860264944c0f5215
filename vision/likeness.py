"""Tells whether a board in another picture is the same one: whether its digits look the same.

Lines look alike on every board, so only what stands in the cells is compared.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import mesh_weights, weigh_mesh

Even = npt.NDArray[np.float32]
Points = npt.NDArray[np.float32]

_CELL_PX: Final = 14
_INNER: Final = slice(2, 12)
"""Of a cell on the sheet, what the lines around it do not reach."""

_SMEARS: Final = (4, 8, 12)
"""Lengths of motion blur that are allowed for, in pixels of the sheet."""

_INKED: Final = 0.05
"""Spread of an even picture in a cell from which something stands in it."""

_UNLIKE: Final = 0.35
"""Correlation below which a cell shows something else: another digit has 0.1 to 0.5, paper 0."""

_WEIGHTS: Final = mesh_weights((np.arange(9 * _CELL_PX) + 0.5) / _CELL_PX)


@dataclass(frozen=True, eq=False)
class BoardLook:
    """What stands in the cells of a board.

    Attributes:
        places: (126, 126, 2) float32, points of the picture for each pixel of the sheet.
        cells: (n,) int, those in which something stands.
        patches: (k, n, 100) float32, each of zero mean and unit length: the cells sharp, out of
            focus, and smeared in several directions.
    """

    places: Points
    cells: npt.NDArray[np.intp]
    patches: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Likeness:
    """How a board compares with its look.

    Attributes:
        typical: -1..1, correlation of a cell with its look, the median of all with ink.
        unlike: cells, 0..80, with ink in the look that show something else.
        count: how many cells were compared, those in view.
    """

    typical: float
    unlike: tuple[int, ...]
    count: int

    @property
    def share_unlike(self) -> float:
        """0..1, how many of the cells show something else.

        It tells boards apart better than `typical`: in two of 182 pairs of puzzles laid in the same
        place three in five digits were alike by chance, but no pair had less than a third unlike;
        of 900 frames of the same board in motion none had more than a sixteenth.
        """
        return len(self.unlike) / self.count if self.count else 1.0


def take_look(even: Even, lattice: Points) -> BoardLook:
    """Keep what stands in the cells of a board.

    Args:
        even: (H, W) float32, an even picture.
        lattice: (10, 10, 2) float32 in its pixels.
    """
    x, y = weigh_mesh(lattice, _WEIGHTS)
    places = np.stack([x, y], axis=-1)
    sheet = _sheet(even, places)
    sharp = _patches(sheet)
    spread = sharp.std(axis=1)
    cells = np.flatnonzero(spread > max(_INKED, 0.35 * float(np.quantile(spread, 0.9))))
    smeared = [np.asarray(cv2.filter2D(sheet, -1, kernel), np.float32) for kernel in _KERNELS]
    variants = [sharp, *map(_patches, smeared)]
    patches = np.stack([_normalised(variant[cells]) for variant in variants])
    return BoardLook(places, cells, patches)


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
    corners = places[::_CELL_PX, ::_CELL_PX].reshape(81, 2)[look.cells]
    ends = places[_CELL_PX - 1 :: _CELL_PX, _CELL_PX - 1 :: _CELL_PX].reshape(81, 2)[look.cells]
    both = np.concatenate([corners, ends], axis=1)
    shown = ((both >= 0) & (both <= (width - 1, height - 1) * 2)).all(axis=1)
    if not shown.any():
        return Likeness(0.0, (), 0)
    seen = _normalised(_patches(_sheet(even, places))[look.cells[shown]])
    correlations = np.einsum("kcp,cp->kc", look.patches[:, shown], seen)
    typical = np.median(correlations, axis=1)
    best = int(np.argmax(typical))
    unlike = look.cells[shown][correlations[best] < _UNLIKE]
    return Likeness(float(typical[best]), tuple(unlike.tolist()), int(shown.sum()))


def _sheet(even: Even, places: Points) -> Even:
    soft = cv2.blur(even, (3, 3))
    return np.asarray(
        cv2.remap(soft, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),  # type: ignore[call-overload]
        np.float32,
    )


def _patches(sheet: Even) -> Even:
    cells = sheet.reshape(9, _CELL_PX, 9, _CELL_PX).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(cells[:, :, _INNER, _INNER]).reshape(81, -1)


def _normalised(patches: Even) -> Even:
    level = patches - patches.mean(axis=1, keepdims=True)
    length = np.sqrt((level * level).sum(axis=1, keepdims=True))
    # Bare paper has next to no length, and must not be blown up to a likeness by chance.
    return np.asarray(level / np.maximum(length, 0.15), np.float32)


def _smear_kernels() -> list[Even]:
    kernels = [cv2.getGaussianKernel(7, 1.5) @ cv2.getGaussianKernel(7, 1.5).T]
    for length in _SMEARS:
        for angle in np.radians(range(0, 180, 30)):
            kernel = np.zeros((15, 15), np.float32)
            half = length / 2 * np.array([np.cos(angle), np.sin(angle)])
            ends = [tuple(int(v) for v in np.round((7 + s * half) * 16)) for s in (-1, 1)]
            cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
            kernels.append(kernel / kernel.sum())
    return [np.asarray(kernel, np.float32) for kernel in kernels]


_KERNELS: Final = _smear_kernels()
