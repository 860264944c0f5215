"""The pixels of video frames, as cameras and decoders lay them out in memory.

Following a board needs brightness alone, which most cameras deliver as a plane of its own; colours
are for showing. Both are made here at once, for as little work as possible.

Letters: H, W height and width of a frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

import cv2
import numpy as np

from vision.geometry import Image8


class Layout(Enum):
    """How pixels of most cameras lie in memory, by the names that are usual for it."""

    NV12 = auto()
    """Brightness; then U and V in turns, for two by two pixels each."""
    I420 = auto()
    """Brightness; then U; then V, for two by two pixels each."""
    I422 = auto()
    """Brightness; then U; then V, for two pixels beside each other."""
    YUYV = auto()
    """Two pixels beside each other in four bytes: Y U Y V."""


@dataclass(frozen=True, eq=False)
class VideoPicture:
    """One frame.

    Attributes:
        grey: (H, W) uint8, what boards are found and followed in.
        colour: (H, W, 4) uint8 in the order B, G, R and one byte without meaning, what is shown.
    """

    grey: Image8
    colour: Image8

    @property
    def bgr(self) -> Image8:
        """The frame as a photo: (H, W, 3) uint8 BGR, pixels of its own."""
        return np.ascontiguousarray(self.colour[:, :, :3])


@dataclass(frozen=True, eq=False)
class Plane:
    """One plane of a frame in memory: (n,) uint8, and how many bytes lie from row to row."""

    data: Image8
    stride: int


def unpack_frame(
    layout: Layout, planes: Sequence[Plane], width: int, height: int, *, is_full_range: bool = False
) -> VideoPicture:
    """Copy a frame out of the memory of a camera or a decoder.

    Colours are taken for those of ITU-R BT.601, as cameras of computers deliver them.

    Args:
        layout: of the pixels.
        planes: in the layout's order.
        width: of the frame; a last odd column is left out, as colours come for pairs of pixels.
        height: of the frame; likewise.
        is_full_range: whether brightness goes from 0 to 255, not from 16 to 235.

    Raises:
        ValueError: if a plane is missing or too small.
    """
    width, height = width // 2 * 2, height // 2 * 2
    brightness, both = _split(layout, planes, width, height)
    grey = brightness.copy()
    luma = grey
    if is_full_range:
        # OpenCV converts what has the range of television only.
        luma = _rescale(grey, 219 / 255, 16)
        both = _rescale(both, 224 / 255, 128 * (1 - 224 / 255))
    colour = cv2.cvtColorTwoPlane(luma, both, cv2.COLOR_YUV2BGRA_NV12)
    return VideoPicture(grey, np.asarray(colour, np.uint8))


def from_bgra(colour: Image8) -> VideoPicture:
    """Return the frame with these pixels, (H, W, 4) uint8, which are kept."""
    return VideoPicture(np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGRA2GRAY), np.uint8), colour)


def from_bgr(image: Image8) -> VideoPicture:
    """Return the frame that shows a picture, (H, W, 3) uint8 BGR."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    colour = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)
    return VideoPicture(np.asarray(grey, np.uint8), np.asarray(colour, np.uint8))


def turn_picture(
    picture: VideoPicture, quarter_turns: int, *, is_upside_down: bool
) -> VideoPicture:
    """Return a frame as it is meant to be seen.

    Args:
        picture: as it lies in memory.
        quarter_turns: to be turned by, clockwise.
        is_upside_down: whether its rows come from the bottom to the top.
    """
    if quarter_turns % 4 == 0 and not is_upside_down:
        return picture
    grey, colour = picture.grey, picture.colour
    if is_upside_down:
        grey, colour = grey[::-1], colour[::-1]
    grey, colour = (np.rot90(pixels, -quarter_turns) for pixels in (grey, colour))
    return VideoPicture(np.ascontiguousarray(grey), np.ascontiguousarray(colour))


def _split(
    layout: Layout, planes: Sequence[Plane], width: int, height: int
) -> tuple[Image8, Image8]:
    """Return brightness (H, W), and U and V (H / 2, W / 2, 2)."""
    if layout is Layout.YUYV:
        rows = _rows(planes, 0, 2 * width, height)
        # One row of colours in two is enough to show them.
        return rows[:, ::2], np.stack([rows[::2, 1::4], rows[::2, 3::4]], axis=-1)
    brightness = _rows(planes, 0, width, height)
    if layout is Layout.NV12:
        both = _rows(planes, 1, width, height // 2)
        return brightness, np.ascontiguousarray(both).reshape(height // 2, width // 2, 2)
    step = 2 if layout is Layout.I422 else 1
    u, v = (_rows(planes, at, width // 2, height // 2 * step)[::step] for at in (1, 2))
    return brightness, np.stack([u, v], axis=-1)


def _rescale(pixels: Image8, factor: float, offset: float) -> Image8:
    return np.asarray(cv2.convertScaleAbs(pixels, alpha=factor, beta=offset), np.uint8)


def _rows(planes: Sequence[Plane], at: int, width: int, height: int) -> Image8:
    """Return the part of a plane that shows something: (height, width) uint8, not copied."""
    if at >= len(planes):
        raise ValueError(f"plane {at} is missing, got {len(planes)} planes")
    data, stride = planes[at].data, planes[at].stride
    needed = stride * (height - 1) + width
    if stride < width or data.size < needed:
        raise ValueError(
            f"plane {at} must have {needed} bytes, got {data.size} by rows of {stride}"
        )
    if data.size < stride * height:
        # The last row may end where its pixels do.
        data = np.concatenate([data, np.zeros(stride * height - data.size, np.uint8)])
    return data[: stride * height].reshape(height, stride)[:, :width]
