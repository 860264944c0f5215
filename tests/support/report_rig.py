"""A labelled photo of the easy puzzle, and what the product may report of it."""

from typing import Any, Final

import numpy as np
from puzzles import EASY, EASY_SOLUTION

from solver.grid import parse_grid
from training.photo_labels import PhotoLabel

CORNERS: Final = np.array([[10, 10], [190, 10], [190, 190], [10, 190]], np.float32)

LABEL: Final = PhotoLabel(
    file="a/b.jpg",
    source="a",
    kind="newspaper",
    group="g",
    digits=parse_grid(EASY),
    solution=parse_grid(EASY_SOLUTION),
    corners=CORNERS,
)


def board(**changes: Any) -> dict[str, Any]:
    """Return what is told of the board where all is well, but for some fields."""
    told = {
        "outcome": "solved",
        "corners": CORNERS.tolist(),
        "clues": EASY,
        "entries": "." * 81,
        "solution": EASY_SOLUTION,
        "confidence": 0.8,
        "corrected": [],
        "checked": None,
    }
    return told | changes


def report(*boards: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return the report of a photo with these boards; with none, of one with such a board."""
    told = list(boards) or [board(**changes)]
    seconds = {"find": 0.02, "read": 0.01}
    return {"outcome": told[0]["outcome"], "boards": told, "seconds": seconds}
