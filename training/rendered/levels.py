"""How hard a rendered photo is: one table of ranges for each of five levels.

    python -m training.rendered.levels

prints it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from training.evaluate import make_table

Range = tuple[float, float]
"""Least and greatest value of what is drawn evenly in between."""


@dataclass(frozen=True)
class Level:
    """Ranges that a photo's circumstances are drawn from; angles in degrees.

    What blurs is measured in cells of the board, as what can be read hangs on that alone.
    """

    media: Mapping[str, float] = field(default_factory=dict)
    """Weights of newspaper, magazine, book, print, scan, screenshot and screen."""
    long_side_px: Range = (1000, 2000)
    share: Range = (0.5, 0.9)
    """Side of the boards together, as a share of the photo's shorter side."""
    least_cell_px: float = 20.0
    """Shortest side of any cell."""
    tilt: Range = (0, 10)
    turn: Range = (-5, 5)
    any_turn: float = 0.0
    """How often the camera is turned any way at all."""
    bend: Range = (0, 0)
    """Height of waves and curl, in widths of the page."""
    fold: float = 0.0
    """How often the page has a crease."""
    lens: Range = (0, 0)
    """Radial distortion at half the photo's width, as a share; below 0 is a barrel."""
    exposure: Range = (0.9, 1.0)
    """Brightness of white paper, 1 = full scale."""
    unevenness: Range = (0, 0.1)
    """Share of the light lost from one side of the photo to the other."""
    shadow: Range = (0, 0)
    """Share of the light that shadows take."""
    glare: float = 0.0
    """How often a lamp is mirrored in the paper or screen."""
    focus_cells: Range = (0, 0)
    """Standard deviation of the defocus, in cells."""
    motion_cells: Range = (0, 0)
    """Length of the smear, in cells."""
    motion: float = 0.0
    """How often the camera moved."""
    noise: Range = (0, 1)
    """Standard deviation of the sensor's noise, in grey levels of a photo in full light."""
    jpeg_quality: Range = (90, 96)
    ink: Range = (0.85, 1.0)
    """Share of the light that full ink takes away."""
    show_through: Range = (0, 0.02)
    moire: Range = (0, 0)
    """Depth of the pattern that a screen's pixels make with the sensor's."""
    written: float = 0.0
    """How often someone has begun to fill the board in."""
    candidates: float = 0.0
    """How often there are pencilled candidates."""
    tallest_candidate: float = 0.3
    """Height of those by hand at most, in cells."""
    corrections: float = 0.0
    """Share of the entries that are crossed out or overwritten."""


_RANGES: Final[Mapping[str, Sequence[Any]]] = {
    "media": (
        {"screenshot": 3, "scan": 4},
        {"newspaper": 4, "magazine": 2, "book": 2, "print": 3, "screen": 1},
        {"newspaper": 5, "magazine": 2, "book": 3, "print": 3, "screen": 2},
        {"newspaper": 5, "magazine": 2, "book": 4, "print": 3, "screen": 2},
        {"newspaper": 5, "magazine": 2, "book": 4, "print": 3, "screen": 2},
    ),
    "long_side_px": ((640, 1800), (900, 2600), (800, 3000), (700, 2600), (640, 2400)),
    "share": ((0.5, 0.95), (0.55, 0.9), (0.35, 0.9), (0.25, 0.9), (0.2, 0.85)),
    "least_cell_px": (22, 24, 20, 18, 20),
    "tilt": ((0, 0), (0, 14), (5, 28), (15, 45), (25, 60)),
    "turn": ((-1.5, 1.5), (-6, 6), (-15, 15), (-30, 30), (-45, 45)),
    "any_turn": (0.0, 0.0, 0.1, 0.25, 0.35),
    "bend": ((0, 0), (0, 0.008), (0.0, 0.02), (0.008, 0.035), (0.015, 0.05)),
    "fold": (0.0, 0.0, 0.2, 0.4, 0.5),
    "lens": ((0, 0), (-0.01, 0.005), (-0.025, 0.015), (-0.04, 0.02), (-0.05, 0.03)),
    "exposure": ((0.95, 1.0), (0.8, 1.0), (0.6, 1.0), (0.45, 1.0), (0.35, 0.95)),
    "unevenness": ((0, 0.1), (0, 0.2), (0.1, 0.4), (0.2, 0.55), (0.3, 0.65)),
    "shadow": ((0, 0), (0, 0.12), (0.0, 0.35), (0.15, 0.5), (0.25, 0.6)),
    "glare": (0.0, 0.0, 0.15, 0.25, 0.35),
    "focus_cells": ((0, 0), (0.0, 0.02), (0.01, 0.04), (0.02, 0.055), (0.03, 0.07)),
    "motion_cells": ((0, 0), (0, 0), (0.03, 0.09), (0.05, 0.13), (0.06, 0.15)),
    "motion": (0.0, 0.0, 0.3, 0.4, 0.5),
    "noise": ((0, 1), (0.5, 2), (1, 4), (2, 6), (3, 7)),
    "jpeg_quality": ((90, 96), (85, 95), (75, 93), (60, 90), (50, 88)),
    "ink": ((0.85, 1.0), (0.75, 0.95), (0.65, 0.95), (0.6, 0.9), (0.6, 0.9)),
    "show_through": ((0, 0.02), (0, 0.04), (0, 0.08), (0.02, 0.12), (0.03, 0.14)),
    "moire": ((0, 0), (0.02, 0.08), (0.04, 0.15), (0.05, 0.2), (0.08, 0.25)),
    "written": (0.15, 0.3, 0.4, 0.45, 0.5),
    "candidates": (0.1, 0.15, 0.25, 0.3, 0.35),
    "corrections": (0.0, 0.0, 0.03, 0.06, 0.08),
}
"""Of each level, from 1 to 5."""

LEVELS: Final[Mapping[int, Level]] = {
    number + 1: Level(**{name: ranges[number] for name, ranges in _RANGES.items()})
    for number in range(5)
}
"""1 clean scans and screenshots, 2 good photos, 3 ordinary phone photos, 4 hard ones, 5 in bad
light, bent and moved."""


def find_level(number: int) -> Level:
    """Return the level of a number.

    Raises:
        ValueError: if there is no such level.
    """
    if number not in LEVELS:
        raise ValueError(f"level must be one of {', '.join(map(str, LEVELS))}, got {number}")
    return LEVELS[number]


def format_levels() -> str:
    """Return the ranges of all levels as a Markdown table, a row for each kind of hardness."""
    names = [one.name for one in fields(Level)]
    rows = ([name, *(_cell(getattr(level, name)) for level in LEVELS.values())] for name in names)
    return make_table(" | " + " | ".join(f"level {number}" for number in LEVELS), rows)


def _cell(value: float | Range | Mapping[str, float]) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {weight:g}" for name, weight in value.items())
    if isinstance(value, tuple):
        return f"{value[0]:g} … {value[1]:g}"
    return f"{value:g}"


if __name__ == "__main__":
    print(format_levels())
