"""Which digits of a photo are printed and which are handwritten, as a person saw them.

`labels/handwriting.csv` holds a line a photo: its file below the photos' folder, and 81 marks in
the puzzle's own reading order. Whoever labelled looked at the flattened boards, several times
enlarged and in colour.
"""

import csv
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

LABELS: Final = Path(__file__).parents[1] / "labels" / "handwriting.csv"

EMPTY: Final = "."
PRINTED: Final = "p"
HANDWRITTEN: Final = "h"
UNKNOWN: Final = "?"
"""A digit of which not even a person can tell."""

_MARKS: Final = frozenset((EMPTY, PRINTED, HANDWRITTEN, UNKNOWN))

Kinds = npt.NDArray[np.str_]


def load_kinds(path: Path = LABELS) -> dict[str, Kinds]:
    """Return the marks of every labelled photo, (81,) of one letter each, by its file.

    Raises:
        ValueError: if a line has not 81 of the marks, or a photo comes twice.
        OSError: if there is no such file.
    """
    kinds: dict[str, Kinds] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            name, marks = row["file"], row["kinds"]
            if name in kinds:
                raise ValueError(f"{path}: {name} comes twice")
            if len(marks) != 81 or not set(marks) <= _MARKS:
                raise ValueError(f"{path}: {name} needs 81 of {sorted(_MARKS)}, got {marks!r}")
            kinds[name] = np.array(list(marks))
    return kinds
