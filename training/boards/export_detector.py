"""Puts a trained detector in its place, models/weights, for both engines.

python -m training.boards.export_detector build/boards/base.keras
"""

import os
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.boards.maps import normalise_photo
from models.engine import WEIGHTS_DIR
from models.export import export_litert
from training.boards.sample_cache import encode_sample
from training.boards.scenes import draw_scene
from training.boards.targets import show_whole

PARITY: Final = 0.1
"""Largest difference of any logit or place that 16-bit weights may make: a place of the map that
is unsure, at 0.5, then moves by 0.025."""

_SCENES: Final = 4


def export_detector(trained: Path, folder: Path = WEIGHTS_DIR) -> float:
    """Write a trained network, without what only training needs, for both engines.

    Args:
        trained: the `.keras` file of `training.boards.train_detector`.
        folder: where `boards.keras` and `boards.tflite` go.

    Returns:
        The largest difference between the engines over the maps of drawn scenes.

    Raises:
        models.export.ParityError: if it is above `PARITY`.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    import keras

    model: Any = keras.saving.load_model(trained, compile=False)
    draft = folder / "boards.draft.keras"
    model.save(draft)
    scenes = (draw_scene(seed) for seed in range(_SCENES))
    shown = [show_whole(encode_sample(one.photo, one.lattices))[0] for one in scenes]
    inputs = normalise_photo(np.stack(shown))
    try:
        tflite = folder / "boards.tflite"
        difference = export_litert(draft, tflite, inputs, is_half=True, most=PARITY)
        draft.replace(folder / "boards.keras")
    finally:
        draft.unlink(missing_ok=True)
    return difference


def main() -> int:
    """Run from the command line."""
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_file():
        print(
            "name the trained network: python -m training.boards.export_detector FILE",
            file=sys.stderr,
        )
        return 2
    difference = export_detector(Path(sys.argv[1]))
    print(f"{WEIGHTS_DIR / 'boards.tflite'}: the engines differ by {difference:.1e}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
