"""Build the hand-weighted network anew: `python -m training.grids.export_constraint`.

Writes `models/weights/constraint.keras` and `constraint.tflite`. Nothing is trained; a minute. The
LiteRT file is put in place only if it agrees with Keras on puzzles, at several points of the
search.
"""

import argparse
import os
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.constraint import KerasSearch, LiteRtSearch, Runner, begin_search
from models.engine import WEIGHTS_DIR
from models.export import PARITY, ParityError
from models.grids import Digits
from solver.generation.generate import GenerateOptions, generate_puzzles

_ROUNDS: Final = (1, 1, 2, 4, 8, 48)
"""Of the runs after each of which the two are compared."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Build the hand-weighted network anew.")
    parser.add_argument("--folder", type=Path, default=WEIGHTS_DIR, help="where to write")
    options = parser.parse_args(arguments)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    puzzles = sample_puzzles(256)
    difference = write_network(options.folder, puzzles)
    for name in ("constraint.keras", "constraint.tflite"):
        print(f"{name}: {(options.folder / name).stat().st_size:,} bytes")
    print(f"largest difference: {difference:.1e}")
    return 0


def sample_puzzles(count: int) -> Digits:
    """Return (count, 81) puzzles: minimal ones, a quarter of them with a digit changed."""
    puzzles: Digits = generate_puzzles(count, GenerateOptions(), seed=1).puzzles.reshape(-1, 81)
    for number, puzzle in enumerate(puzzles[::4]):
        cell = np.flatnonzero(puzzle)[number % 20]
        puzzle[cell] = puzzle[cell] % 9 + 1
    return puzzles


def write_network(folder: Path, puzzles: Digits) -> float:
    """Write both forms, and return the largest difference between them.

    Raises:
        ParityError: if they differ by more than `PARITY`; the LiteRT file is then left as it was.
    """
    import tensorflow as tf
    from tensorflow.lite.tools import flatbuffer_utils

    from models.constraint_net import build_constraint_net

    network = build_constraint_net()
    folder.mkdir(parents=True, exist_ok=True)
    save_compressed(network, folder / "constraint.keras")
    content = tf.lite.TFLiteConverter.from_keras_model(network).convert()
    # A quarter of the file would be names of tensors.
    flat = flatbuffer_utils.read_model_from_bytearray(bytearray(content))
    flatbuffer_utils.strip_strings(flat)
    draft = folder / "constraint.draft.tflite"
    flatbuffer_utils.write_model(flat, str(draft))
    difference = compare(KerasSearch(folder / "constraint.keras"), LiteRtSearch(draft), puzzles)
    if not difference <= PARITY:  # also catches NaN
        draft.unlink()
        raise ParityError(f"the two forms differ by {difference:.1e}, more than {PARITY:.0e}")
    draft.replace(folder / "constraint.tflite")
    return difference


def save_compressed(network: Any, path: Path) -> None:
    """Save a Keras file whose members are compressed, as Keras itself does not do."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.keras"
        network.save(plain)
        with (
            zipfile.ZipFile(plain) as source,
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target,
        ):
            for member in source.namelist():
                target.writestr(member, source.read(member))


def compare(first: Runner, second: Runner, puzzles: Digits) -> float:
    """Return the largest difference between two runtimes in any state on the way."""
    state = other = begin_search(puzzles)
    largest = 0.0
    for rounds in _ROUNDS:
        state, other = first.run(state, rounds), second.run(other, rounds)
        for left, right in zip(state.arrays(), other.arrays(), strict=True):
            largest = max(largest, float(np.abs(left - right).max()))
    return largest


if __name__ == "__main__":
    sys.exit(main())
