"""Which photos a digit reader may be trained on when its score on the others must be honest."""

import hashlib
from pathlib import Path
from typing import Final

FOLDS: Final = 3


def fold_of(group: str) -> int:
    """Return the fold of a puzzle's photos, 0..FOLDS-1: the same on every machine, for ever.

    Photos of one puzzle share their group and so their fold. Fold model k is trained without
    fold k and scored on fold k.
    """
    return int.from_bytes(hashlib.sha256(group.encode()).digest()[:8], "big") % FOLDS


def reader_for(folder: Path, fold: int) -> Path:
    """Return the file of the reader that has not seen a fold, made as the shipped one is.

    Args:
        folder: where `training.digits.train_digit_kinds` wrote `kinds0.tflite` and the others.
        fold: 0..FOLDS-1.
    """
    return folder / f"kinds{fold}.tflite"
