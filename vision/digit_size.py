"""How large the digits of a board are in their cells, and where they stand."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from vision.board import CELL_PX, CROP_PX, MARGIN_PX, cut_middles, move_lattice
from vision.geometry import Float32, Floats, Grey, Points

_RIM_PX: Final = MARGIN_PX + 3
"""Of a cut cell, where its lines are."""

_EVERY: Final = 3
"""Pixels from one to the next that is asked for the paper's tone."""

_LEAST_CONTRAST: Final = 0.25
"""Of ink, in shares of the paper's brightness."""

_LEAST_SHARE: Final = 0.5
"""Of the contrast of a board's clearest cells, for a cell to count as filled."""

_FEWEST: Final = 12
"""Filled cells from which the digits' size is known."""

_SMALL: Final = 0.38
"""Heights in cells below which digits are small: those of newspapers and screens have 0.45 to 0.65,
and from 0.3 down the digit reader takes them for pencil marks or dirt."""

_WANTED: Final = 0.42
"""Height that small digits are enlarged to."""

_MOST_ZOOM: Final = 2.2

_MOST_OF_THEM: Final = (0.2, 0.8)
"""Quantiles between which the heights are compared: dirt and notes are among them."""

_MOST_SPREAD: Final = 0.4
"""Between these, in shares of the median height: old-style figures without ascender or descender
have two thirds of the height of the others."""

_MOST_ASIDE: Final = 0.12
"""Cells by which the middle of a digit may lie above or below where those of the board stand; by
which they stand aside of the middles of cells, as in spreadsheets, before that is made good."""

_LINE_PX: Final = 2
"""Half of a line between cells, in pixels of a cut cell."""


class Placement(NamedTuple):
    """How the digits of a board stand in its cells.

    Attributes:
        zoom: by which cells have to be enlarged for the digit reader.
        right: cells from the middle of a cell to the middles of its digits.
        down: the same downwards.
    """

    zoom: float = 1.0
    right: float = 0.0
    down: float = 0.0

    @property
    def is_usual(self) -> bool:
        """Whether cells are read as they are."""
        return self == PLACED

    def turn(self, quarter_turns: int) -> "Placement":
        """Return it for a board that is turned as `numpy.rot90` turns it."""
        right, down = self.right, self.down
        for _ in range(quarter_turns % 4):
            right, down = down, -right
        return Placement(self.zoom, right, down)


PLACED: Final = Placement()


def find_digits(cells: Grey) -> Placement:
    """Return how the digits stand in the cells of a board; mostly as usual.

    Digits of a board are of one typeface, taller than wide, and stand alike in their cells. Other
    small print, such as the numbers of a table, is not enlarged.

    Args:
        cells: (n², CROP_PX, CROP_PX) uint8 as `vision.board.cut_cells` returns them.
    """
    heights, widths, *asides = _measure_ink(cells)
    if len(heights) < _FEWEST:
        return PLACED
    height = float(np.median(heights))
    low, high = np.quantile(heights, _MOST_OF_THEM)
    right, down = (float(np.median(aside)) for aside in asides)
    aside = np.quantile(np.abs(asides[1] - down), _MOST_OF_THEM[1])
    if max(abs(right), abs(down)) <= _MOST_ASIDE:
        right = down = 0.0
    # Of tiny digits a pixel is more than that share.
    is_alike = high - low <= max(_MOST_SPREAD * height, 1.5 / CELL_PX)
    is_print = is_alike and aside <= _MOST_ASIDE and np.median(widths) <= height
    if not is_print:
        return PLACED
    return Placement(min(_WANTED / height, _MOST_ZOOM) if height < _SMALL else 1.0, right, down)


def cut_digits(
    image: Grey, lattice: Points, placement: Placement, *, is_denoised: bool = False
) -> Grey:
    """Cut each cell so that its digit stands in the middle, in the usual size.

    Args:
        placement: of the digits.

    Returns:
        (n², CROP_PX, CROP_PX) uint8, cells in reading order.
    """
    zoom, right, down = placement
    if right == down == 0:
        return cut_middles(image, lattice, zoom, is_denoised=is_denoised)
    moved = move_lattice(lattice, right, down)
    cells = cut_middles(image, moved, zoom, is_denoised=is_denoised)
    # A cell's lines, and what stands beyond, are paper now.
    places = (np.arange(CROP_PX) + 0.5 - CROP_PX / 2) / (CELL_PX * zoom)
    most = 0.5 - _LINE_PX / CELL_PX
    is_within = np.ix_(*(np.abs(places + aside) < most for aside in (down, right)))
    within = cells[:, is_within[0], is_within[1]]
    alone = np.repeat(_find_paper(within).astype(np.uint8), CROP_PX**2).reshape(cells.shape)
    alone[:, is_within[0], is_within[1]] = within
    return alone


def _measure_ink(cells: Grey) -> list[Floats]:
    """Return height and width of the ink in each filled cell, and where it stands, in cells.

    That is by how much its middle is to the right of the middle of the cell, and below.
    """
    inner = cells[:, _RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX]
    paper = _find_paper(inner)
    flat = inner.reshape(len(cells), -1)
    dark, light = (one(axis=1).astype(np.float32) for one in (flat.min, flat.max))
    # Ink is what lies further from the paper: light on dark cells.
    furthest = np.where(paper - dark >= light - paper, dark, light)
    contrast = np.abs(paper - furthest) / np.maximum(np.maximum(paper, furthest), 1)
    least = max(_LEAST_CONTRAST, _LEAST_SHARE * float(np.percentile(contrast, 90)))
    is_filled = contrast > least
    away = np.abs(inner[is_filled] - paper[is_filled, None, None])
    ink = away > (np.abs(paper - furthest) / 2)[is_filled, None, None]
    top, bottom = _span(ink.any(axis=2))
    left, right = _span(ink.any(axis=1))
    middle = inner.shape[1] / 2
    aside = [(left + right) / 2 - middle, (top + bottom) / 2 - middle]
    return [one / CELL_PX for one in (bottom - top, right - left, *aside)]


def _find_paper(inner: Grey) -> Float32:
    """Return the tone of the paper of cells, (n²,), which takes most of each."""
    some = inner.reshape(len(inner), -1)[:, ::_EVERY]
    middle = some.shape[1] // 2
    return np.partition(some, middle, axis=1)[:, middle].astype(np.float32)


def _span(is_ink: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return the first and the last line of ink of each row, the last excluded."""
    last = is_ink.shape[1] - is_ink[:, ::-1].argmax(axis=1)
    return is_ink.argmax(axis=1).astype(np.float64), last.astype(np.float64)
