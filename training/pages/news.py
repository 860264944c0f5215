"""What fills a page around puzzles: small-town news without end, and a press picture.

Sentences are put together from phrases written for this project. The picture is made from nothing:
sky, sea, hills and a lighthouse, screened into dots.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Image8

_PHRASES: Final = Path(__file__).with_name("phrases.txt")
"""A kind of phrase in brackets, then one a line; a word in braces stands for one of that kind."""


def write_text(rng: np.random.Generator, characters: int) -> str:
    """Return sentences of at least so many characters, in paragraphs parted by line breaks."""
    sentences: list[str] = []
    length = 0
    paragraph_left = int(rng.integers(2, 5))
    while length < characters:
        sentence = pick_phrase(rng, "sentence")
        paragraph_left -= 1
        end = "\n" if paragraph_left == 0 else " "
        paragraph_left = paragraph_left or int(rng.integers(2, 5))
        sentences.append(sentence + end)
        length += len(sentence) + 1
    return "".join(sentences).strip()


def pick_phrase(rng: np.random.Generator, kind: str) -> str:
    """Return a random phrase of a kind, such as "headline", with its blanks filled in."""
    choices = _load_phrases()[kind.removesuffix("_first")]
    phrase = choices[int(rng.integers(len(choices)))]
    phrase = re.sub(r"{(\w+)}", lambda blank: pick_phrase(rng, blank[1]), phrase)
    return phrase[0].upper() + phrase[1:] if kind.endswith(("_first", "sentence")) else phrase


@cache
def _load_phrases() -> dict[str, list[str]]:
    parts = re.split(r"\[(\w+)\]\n", _PHRASES.read_text(encoding="utf-8"))
    return {
        kind: text.strip().split("\n") for kind, text in zip(parts[1::2], parts[2::2], strict=True)
    }


_DOT_PX: Final = 5.2


def draw_seascape(rng: np.random.Generator, width: int, height: int) -> Image8:
    """Return (height, width) uint8 grey, 255 = bare paper, with a halftone screen at 45 degrees."""
    y = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    sky = 0.92 - 0.3 * (1 - y) + 0.13 * _clouds(rng, width, height)
    waves = _clouds(rng, width, height, flat=9)
    horizon = 0.62
    sea = 0.45 + 0.25 * (y - horizon) + 0.16 * waves
    picture = np.where(y < horizon, sky, sea).astype(np.float32)
    _fill_hills(picture, rng, horizon)
    _draw_lighthouse(picture, round(width * rng.uniform(0.25, 0.75)), round(height * horizon))
    return _screen(np.clip(picture, 0.03, 0.97))


def _clouds(
    rng: np.random.Generator, width: int, height: int, flat: float = 2.5
) -> npt.NDArray[np.float32]:
    """Return smooth noise of several scales around 0, stretched sideways."""
    total = np.zeros((height, width), np.float32)
    for octave in range(1, 6):
        rows, columns = max(round(3 * octave * flat / 2), 2), 3 * octave
        coarse = rng.normal(0, 1 / octave, (rows, columns)).astype(np.float32)
        total += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(total / 2, np.float32)


def _fill_hills(picture: npt.NDArray[np.float32], rng: np.random.Generator, horizon: float) -> None:
    height, width = picture.shape
    x = np.linspace(0, 1, width, dtype=np.float32)
    for shade, size in ((0.55, 0.16), (0.3, 0.09)):
        phase = rng.uniform(0, 6, 3)
        ridge = sum(np.sin(x * (3 + 5 * i) + phase[i]) / (i + 1.5) for i in range(3))
        top = (horizon - size * np.clip(0.5 + 0.6 * ridge, 0.05, None)) * height
        rows = np.arange(height, dtype=np.float32)[:, None]
        inside = (rows > top[None, :]) & (rows < horizon * height + 4)
        picture[inside] = shade + 0.05 * rng.standard_normal(int(inside.sum()))


def _draw_lighthouse(picture: npt.NDArray[np.float32], x: int, base: int) -> None:
    tall = round(base * 0.78)
    for band in range(6):
        top, bottom = base - tall * (band + 1) // 6, base - tall * band // 6
        half = [round(26 - 2.6 * step) for step in (band, band + 1)]
        quad = [
            (x - half[0], bottom),
            (x + half[0], bottom),
            (x + half[1], top),
            (x - half[1], top),
        ]
        shade = 0.12 if band % 2 else 0.95
        cv2.fillConvexPoly(picture, np.array(quad, np.int32), shade, cv2.LINE_AA)
    lamp = base - tall
    cv2.rectangle(picture, (x - 16, lamp - 8), (x + 16, lamp), 0.05, -1)
    cv2.rectangle(picture, (x - 9, lamp - 30), (x + 9, lamp - 8), 0.85, -1)
    cv2.ellipse(picture, (x, lamp - 30), (13, 12), 0, 180, 360, 0.05, -1, cv2.LINE_AA)


def _screen(picture: npt.NDArray[np.float32]) -> Image8:
    """Turn tones into dots of ink, as an offset press prints them."""
    height, width = picture.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    step = np.float32(np.pi / _DOT_PX * np.sqrt(0.5))
    dots = (np.cos((x + y) * step * 2) + np.cos((x - y) * step * 2)) / 4 + 0.5
    # A narrow ramp instead of a hard threshold keeps the dots' edges soft.
    ink = np.clip((dots - picture) * 5 + 0.5, 0, 1)
    return np.asarray(255 - 255 * ink, np.uint8)
