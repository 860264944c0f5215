"""What the live view looks like: the frame with the solution lying on its board."""

import numpy as np
import numpy.typing as npt

from app.live.live_view import LiveView
from app.report.board_symbols import NUMBERS, symbols_of
from vision.drawing.overlay import draw_digits

Image8 = npt.NDArray[np.uint8]

_OPAQUE = 0.995


def draw_view(image: Image8, view: LiveView) -> Image8:
    """Return the frame with the view's digits on it; the frame itself where there are none.

    Args:
        image: (H, W, 3) uint8 BGR, the frame of the view, which stays as it is.
        view: what `LiveSession.advance` returned for it.
    """
    lattice = view.lattice
    if lattice is None or view.opacity <= 0 or not view.digits.any():
        return image
    symbols = NUMBERS if view.result is None else symbols_of(view.result)
    drawn = draw_digits(image, lattice, view.digits, symbols=symbols)
    if view.opacity >= _OPAQUE:
        return drawn
    height, width = image.shape[:2]
    low = np.clip(np.floor(lattice.min(axis=(0, 1))), 0, (width, height)).astype(int)
    high = np.clip(np.ceil(lattice.max(axis=(0, 1))) + 1, 0, (width, height)).astype(int)
    part = (slice(low[1], high[1]), slice(low[0], high[0]))
    share = np.uint16(round(256 * view.opacity))
    mixed = drawn[part].astype(np.uint16) * share + image[part] * (np.uint16(256) - share)
    drawn[part] = (mixed >> 8).astype(np.uint8)
    return drawn
