"""Labelled photos turned by an angle, as a camera that is held askew takes them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from training.photos.photo_labels import PhotoLabel
from vision.geometry import Points
from vision.media.images import load_image, save_image

RANDOM_DEGREES: Final = 45.0
"""A random turn is at most so far to either side; photos turned further are taken upright."""

Image8 = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Turn:
    """How far photos are turned clockwise, in degrees; None is another random angle for each."""

    degrees: float | None

    @property
    def name(self) -> str:
        """What tables call it."""
        if self.degrees is None:
            return f"random, up to {RANDOM_DEGREES:g}°"
        return f"{self.degrees:g}°"


def parse_turn(text: str) -> Turn:
    """Return the turn that is meant by an angle in degrees, or by `random`.

    Raises:
        ValueError: if it is neither.
    """
    if text == "random":
        return Turn(None)
    try:
        degrees = float(text)
    except ValueError:
        degrees = math.nan
    if not math.isfinite(degrees):
        raise ValueError(f"a turn is an angle in degrees or random, got {text!r}")
    return Turn(degrees % 360)


def turn_photos(
    folder: Path, labels: Sequence[PhotoLabel], turn: Turn, seed: int, target: Path
) -> list[PhotoLabel]:
    """Write turned copies of photos, upright first as their EXIF orientation says.

    Args:
        folder: of the photos.
        labels: of them.
        turn: how far.
        seed: of random turns; a photo's angle depends on it and on the photo's place in the list.
        target: folder for the copies, JPEG without an orientation.

    Returns:
        The labels of the copies, their corners turned too.

    Raises:
        vision.media.images.ImageError: if a photo cannot be read, or a copy not be written.
    """
    turned = []
    for number, label in enumerate(labels):
        degrees = turn.degrees
        if degrees is None:
            generator = np.random.default_rng([seed, number])
            degrees = float(generator.uniform(-RANDOM_DEGREES, RANDOM_DEGREES))
        file = str(Path(label.file).with_suffix(".jpg"))
        photo, corners = turn_photo(load_image(folder / label.file), label.corners, degrees)
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        save_image(target / file, photo)
        turned.append(replace(label, file=file, corners=corners))
    return turned


def turn_photo(
    image: Image8, corners: Points | None, degrees: float
) -> tuple[Image8, Points | None]:
    """Turn a photo clockwise on a canvas that holds all of it; its edges are continued outwards.

    Args:
        image: (H, W, 3) BGR uint8.
        corners: (4, 2) float32, points (x, y) in pixels of the image, or None.
        degrees: any angle; quarter turns lose nothing.

    Returns:
        The picture and its corners.
    """
    height, width = image.shape[:2]
    cosine, sine = _exact(math.cos(math.radians(degrees))), _exact(math.sin(math.radians(degrees)))
    new_width = round(abs(width * cosine) + abs(height * sine))
    new_height = round(abs(width * sine) + abs(height * cosine))
    matrix = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0]], np.float64)
    middle = np.array([width - 1, height - 1]) / 2
    matrix[:, 2] = np.array([new_width - 1, new_height - 1]) / 2 - matrix[:, :2] @ middle
    turned = cv2.warpAffine(
        image,
        matrix,
        (new_width, new_height),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if corners is not None:
        corners = (corners @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32)
    return np.asarray(turned, np.uint8), corners


def _exact(value: float) -> float:
    """Bring the cosine of a quarter turn, which is off by rounding, to 0 or 1."""
    return float(round(value)) if abs(value - round(value)) < 1e-9 else value
