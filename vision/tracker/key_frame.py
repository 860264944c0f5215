"""Frames of a live picture, and the key frame: how a board looked once.

A frame comes with its halvings, and with what can be told of it at a glance. A key frame is
prepared for later frames to be registered to it. Whether these show the same board is told by its
digits: lines look alike on every board, so only what stands in the cells is compared.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.board import corners_from_lattice
from vision.geometry import Grey, Matrix, Points, halve, mesh_weights, weigh_mesh
from vision.tracker.alignment import Target, choose_target, normalize_contrast

Even = npt.NDArray[np.float32]

_CELL_PX: Final = 18
_INNER: Final = slice(3, 15)
"""Of a cell on the sheet, what the lines around it do not reach."""

_SMEARS: Final = (5, 10, 15)
"""Lengths of motion blur that are allowed for, in pixels of the sheet."""

_ANGLES: Final = range(0, 180, 30)
_LONG_SMEARS: Final = 2 + len(_ANGLES)
"""Number of the first patches with the second length; the first two are sharp and out of focus."""

_INKED: Final = 0.05
"""Spread of an even picture in a cell from which something stands in it."""


@dataclass(frozen=True, eq=False)
class AppearanceModel:
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
class AppearanceMatch:
    """How a board compares with its model.

    Attributes:
        unlike: cells, 0..n² − 1, with ink in the model that show something else.
        blur: which of the model's patches they were compared with.
        cells: (m,) int, those that were compared: in view, with ink in the model.
        kept: (m, 144) float32, the model's patches of them, of that blur.
        seen: (m, 144) float32, what the frame shows there, of zero mean and unit length.
    """

    unlike: tuple[int, ...]
    blur: int
    cells: npt.NDArray[np.intp]
    kept: npt.NDArray[np.float32]
    seen: npt.NDArray[np.float32]

    @property
    def count(self) -> int:
        """How many cells were compared."""
        return len(self.cells)

    @property
    def share_unlike(self) -> float:
        """0..1, how many of the cells show something else.

        It tells boards apart better than a mean match: two puzzles laid in the same place may
        share more than half of their digits by chance.
        """
        return len(self.unlike) / self.count if self.count else 1.0

    @property
    def is_smeared(self) -> bool:
        """Whether motion smears digits over half of a cell or more: they are read as others."""
        return self.blur >= _LONG_SMEARS

    def shows_digits(self, digits: npt.NDArray[np.uint8]) -> bool:
        """Tell whether each digit in view looks like itself, and less like all others of the board.

        `share_unlike` lets pass a puzzle of which one clue differs; this does not.

        Args:
            digits: (n²,) uint8, what stood in the cells of the model; 0 where that is unknown.
        """
        if not self.count:
            return False
        here = digits[self.cells]
        alike = cv2.gemm(self.kept, self.seen, 1, self.kept, 0, flags=cv2.GEMM_2_T)
        own = alike.diagonal()
        others = np.where(here[:, None] != here, alike, -1).max(axis=0)
        return bool((own >= _CLOSE).all() and (own - others >= _APART).all())


def model_appearance(even: Even, lattice: Points) -> AppearanceModel:
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
    return AppearanceModel(places, sheets, cells, patches)


def match_appearance(
    model: AppearanceModel, even: Even, homography: npt.NDArray[np.float64]
) -> AppearanceMatch:
    """Compare a board in a picture with its model, allowing for blur.

    Args:
        model: of the board.
        even: (H, W) float32, the picture.
        homography: (3, 3) float64, from the picture of the model to this one.
    """
    moved = cv2.perspectiveTransform(model.places.reshape(-1, 1, 2), homography)
    places = np.asarray(moved, np.float32).reshape(model.places.shape)
    height, width = even.shape
    corners = places[::_CELL_PX, ::_CELL_PX].reshape(-1, 2)[model.cells]
    ends = places[_CELL_PX - 1 :: _CELL_PX, _CELL_PX - 1 :: _CELL_PX].reshape(-1, 2)[model.cells]
    both = np.concatenate([corners, ends], axis=1)
    shown = ((both >= 0) & (both <= (width - 1, height - 1) * 2)).all(axis=1)
    if not shown.any():
        nothing = model.patches[0, :0]
        return AppearanceMatch((), 0, model.cells[:0], nothing, nothing)
    sheet = _sheet(even, places)
    # The lines, which all boards share, tell the blur: digits would choose what flatters them.
    coarse = _coarse(sheet)[:, None]
    blur = int(np.argmax(cv2.gemm(model.sheets, coarse, 1, coarse, 0)))
    cells, kept = model.cells[shown], model.patches[blur, shown]
    seen = _normalised(_patches(sheet)[cells])
    unlike = cells[(kept * seen).sum(axis=1) < _UNLIKE[blur]]
    return AppearanceMatch(tuple(unlike.tolist()), blur, cells, kept, seen)


def draw_appearance(model: AppearanceModel, lattice: Points) -> tuple[Even, Points]:
    """Draw a board's sharp sheet into a lattice, its bend left out.

    Args:
        model: of the board.
        lattice: (n + 1, n + 1, 2) float32, where it lies.

    Returns:
        The box around the lattice, (h, w) float32, 0 beside the board; and its corner (x, y).
    """
    side = (len(lattice) - 1) * _CELL_PX // 2
    low = np.floor(lattice.min(axis=(0, 1)))
    width, height = (np.ceil(lattice.max(axis=(0, 1))) - low + 1).astype(int).tolist()
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.25
    outline = (corners_from_lattice(lattice) - low).astype(np.float32)
    sheet = model.sheets[0].reshape(side, side)
    drawn = cv2.warpPerspective(
        sheet, cv2.getPerspectiveTransform(square, outline), (width, height)
    )
    return np.asarray(drawn, np.float32), low


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
        for angle in np.radians(_ANGLES):
            kernel = np.zeros((19, 19), np.float32)
            half = length / 2 * np.array([np.cos(angle), np.sin(angle)])
            ends = [tuple(int(v) for v in np.round((9 + s * half) * 16)) for s in (-1, 1)]
            cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
            kernels.append(kernel / kernel.sum())
    return [np.asarray(kernel, np.float32) for kernel in kernels]


_KERNELS: Final = _smear_kernels()
_UNLIKE: Final = (0.8, 0.75, *(limit for limit in (0.7, 0.6, 0.5) for _ in _ANGLES))
"""Correlation below which a cell shows something else, by the blur: of the same digit 99 in 100
have more than 0.93 where the frame is sharp, 0.8, 0.6 and 0.55 in longer and longer smears; another
digit has 0.6 in the median."""

_CLOSE: Final = 0.9
"""Correlation from which a digit surely looks like itself: an 8 has 0.9 with a 6 or a 9."""

_APART: Final = 0.02
"""By how much another digit of the board must look less like it: of 426 blurred boards that came
back, 94 in 100 have that in every cell, and none of those of which one clue was changed
(one-off)."""


_LEVELS: Final = 4


@dataclass(frozen=True, eq=False)
class Frame:
    """A grey frame and its halvings, `levels[0]` being (H, W) uint8."""

    levels: tuple[Grey, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        height, width = self.levels[0].shape
        return width, height


def prepare_frame(image: npt.NDArray[np.uint8]) -> Frame:
    """Make a frame ready to be followed.

    Args:
        image: (H, W) grey or (H, W, 3) BGR uint8.
    """
    if image.ndim == 3:
        image = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    levels = [image]
    while len(levels) < _LEVELS and min(levels[-1].shape) >= 64:
        levels.append(halve(levels[-1]))
    return Frame(tuple(levels))


def measure_sharpness(frame: Frame) -> float:
    """Return how much detail a frame has, in grey levels; a tenth of it is left in a pan."""
    level = frame.levels[min(2, len(frame.levels) - 1)]
    detail = cv2.Laplacian(level, cv2.CV_16S)
    return float(cv2.norm(detail, cv2.NORM_L1)) / detail.size


def measure_change(before: Frame, frame: Frame) -> float:
    """Return how much a coarse pixel changes from one frame to the next, in grey levels."""
    earlier, later = before.levels[-1], frame.levels[-1]
    return float(cv2.norm(earlier, later, cv2.NORM_L1)) / later.size


def level_matrix(level: int) -> Matrix:
    """Return the matrix from pixels of a frame to those of a level of its pyramid."""
    scale = 0.5**level
    shift = 0.5 * scale - 0.5
    return np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1.0]])


def at_level(lattice: Points, level: int) -> Points:
    """Return points of a frame in pixels of a level of its pyramid."""
    return np.asarray((lattice + 0.5) * 0.5**level - 0.5, np.float32)


_FINE_CELL_PX: Final = 34
"""Most pixels a cell may have on the level of the pyramid where boards are registered."""

_PIXELS_A_CELL: Final = 32
_LEAST_PIXELS: Final = 400
_CORNERS: Final = 90


@dataclass(frozen=True, eq=False)
class KeyFrame:
    """A board as it was seen once: what later frames are registered to.

    Attributes:
        lattice: (n + 1, n + 1, 2) float32 in pixels of the frame.
        level: of the pyramid on which it is registered.
        targets: coarse and fine, in unit coordinates of the board.
        to_unit: (3, 3), pixels of the frame to unit coordinates.
        corners: (n, 1, 2) float32, places that are easily followed, in pixels of the frame.
        appearance: what stands in the cells, its places in pixels of that level.
    """

    lattice: Points
    level: int
    targets: tuple[Target, Target]
    to_unit: Matrix
    corners: Points
    appearance: AppearanceModel


def take_key_frame(frame: Frame, lattice: Points) -> KeyFrame | None:
    """Keep how a board looks now, or return None where too little of it is in the frame.

    Args:
        frame: that shows the board.
        lattice: (n + 1, n + 1, 2) float32 in its pixels.
    """
    width, height = frame.size
    inside = (lattice >= 0).all(axis=2) & (lattice <= (width - 1, height - 1)).all(axis=2)
    if inside.mean() < 0.9:
        return None
    cell_px = mean_cell_px(lattice)
    level = 0
    while level + 2 < len(frame.levels) and cell_px / 2**level > _FINE_CELL_PX:
        level += 1
    corners = corners_from_lattice(lattice).astype(np.float64)
    middle, reach = corners.mean(axis=0), float(np.abs(corners - corners.mean(axis=0)).max())
    to_unit = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, reach]]) / reach
    coarse = _target(frame.levels[level + 1], level + 1, lattice, to_unit, cell_px)
    fine = _target(frame.levels[level], level, lattice, to_unit, cell_px)
    if coarse is None or fine is None:
        return None
    whole = level_matrix(level)
    seeds = _corners_to_follow(frame.levels[level], at_level(lattice, level), cell_px / 2**level)
    if len(seeds):
        seeds = cv2.perspectiveTransform(seeds, np.linalg.inv(whole)).astype(np.float32)
    even = normalize_contrast(frame.levels[level], round(cell_px / 2**level))
    model = model_appearance(even, at_level(lattice, level))
    return KeyFrame(lattice, level, (coarse, fine), to_unit, seeds, model)


def _target(
    grey: Grey, level: int, lattice: Points, to_unit: Matrix, cell_px: float
) -> Target | None:
    """Choose steep pixels of every cell and of the paper close around the board, if it has any."""
    cell = cell_px / 2**level
    even = normalize_contrast(grey, round(cell))
    here = at_level(lattice, level)
    outline = corners_from_lattice(here)
    side = len(lattice) - 1
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * side
    to_cells = cv2.getPerspectiveTransform(outline, square)
    low = np.maximum(np.floor(here.min(axis=(0, 1)) - 0.3 * cell).astype(int), 1)
    high = np.ceil(here.max(axis=(0, 1)) + 0.3 * cell).astype(int) + 1
    high = np.minimum(high, (even.shape[1] - 1, even.shape[0] - 1))
    columns, rows = np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1]))
    places = np.stack([columns, rows], axis=-1).reshape(-1, 1, 2).astype(np.float32)
    in_cells = cv2.perspectiveTransform(places, to_cells)[:, 0]
    within = ((in_cells > -0.25) & (in_cells < side + 0.25)).all(axis=1)
    down = cv2.Sobel(even, cv2.CV_32F, 0, 1, ksize=3)
    right = cv2.Sobel(even, cv2.CV_32F, 1, 0, ksize=3)
    # Both flanks of a line must be taken alike, else blur would pull the board to one side: so
    # steepness is smoothed, and chance decides among the steep pixels of a cell.
    steepness = cv2.blur(cv2.magnitude(right, down), (5, 5))
    steep = np.asarray(steepness, np.float32)[rows, columns].ravel()
    if not within.any():
        return None
    index = np.flatnonzero(within & (steep > np.median(steep[within])))
    cells = np.clip(np.floor(in_cells[index]), 0, side - 1).astype(int) @ (1, side)
    lot = np.random.default_rng(0).random(len(index), np.float32)
    order = index[np.lexsort((lot, cells))]
    ordered = np.sort(cells)
    rank = np.arange(len(ordered)) - np.searchsorted(ordered, ordered)
    chosen = np.zeros(even.shape, np.bool_)
    kept = order[rank < _PIXELS_A_CELL]
    if len(kept) < _LEAST_PIXELS:
        return None
    chosen[rows.ravel()[kept], columns.ravel()[kept]] = True
    return choose_target(even, chosen, to_unit @ np.linalg.inv(level_matrix(level)))


def _corners_to_follow(grey: Grey, lattice: Points, cell_px: float) -> Points:
    mask = np.zeros(grey.shape, np.uint8)
    outline = cv2.convexHull(np.round(lattice.reshape(-1, 2)).astype(np.int32))
    cv2.fillConvexPoly(mask, outline, 255)
    mask = np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8)), np.uint8)
    found = cv2.goodFeaturesToTrack(grey, _CORNERS, 0.02, max(0.5 * cell_px, 4), mask=mask)
    # The stub promises an array, but there is none where nothing is found.
    return np.zeros((0, 1, 2), np.float32) if found is None else np.asarray(found, np.float32)


def mean_cell_px(lattice: Points) -> float:
    """Return the side of a cell, from the area that the outer corners span."""
    area = max(cv2.contourArea(corners_from_lattice(lattice)), 1.0)
    return float(np.sqrt(area)) / (len(lattice) - 1)
