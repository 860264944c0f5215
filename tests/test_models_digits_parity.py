"""Keras and LiteRT must compute the same probabilities, and export must refuse when not."""

from pathlib import Path

import numpy as np
import pytest

from models.digits import DigitReader, normalise_cells
from models.engine import WEIGHTS_DIR
from models.export import PARITY, ParityError, export_litert, measure_parity

keras = pytest.importorskip("keras", reason="the train extra is not installed")

PHOTOS = Path("../shared/data/photos")


def test_both_engines_agree_on_real_cells() -> None:
    if not PHOTOS.is_dir():
        pytest.skip(f"{PHOTOS} is not there")
    import cv2

    from training.digit_real_cells import find_lattice, load_labels
    from vision.board import cut_cells, rectify

    cells = []
    for photo in load_labels(PHOTOS)[::90]:
        image = np.asarray(cv2.imread(str(PHOTOS / photo.file)), np.uint8)
        cells.append(cut_cells(rectify(image, find_lattice(image, photo.corners))))
    stacked = np.concatenate(cells)

    litert, reference = DigitReader.load("litert"), DigitReader.load("keras")

    assert len(stacked) >= 81 * 5
    assert np.abs(litert.read(stacked) - reference.read(stacked)).max() <= PARITY


def test_both_engines_agree_on_drawn_cells() -> None:
    from training.digit_glyphs import GLYPH_PX, select_glyphs
    from training.rendered_cells import GlyphStock, render_cell

    shapes = np.zeros((9, GLYPH_PX, GLYPH_PX), np.uint8)
    for digit in range(1, 10):  # nine different bars are enough: the engines see crops, not digits
        shapes[digit - 1, 4:24, 3 + digit : 9 + digit] = 255
        shapes[digit - 1, 2 * digit : 2 * digit + 3, 4:22] = 255
    glyphs = select_glyphs(shapes, np.arange(1, 10, dtype=np.uint8))
    rng = np.random.default_rng(5)
    drawn = [render_cell(rng, "printed", GlyphStock(glyphs, None))[0] for _ in range(200)]

    inputs = normalise_cells(np.stack(drawn))

    difference = measure_parity(WEIGHTS_DIR / "digits.keras", WEIGHTS_DIR / "digits.tflite", inputs)
    assert difference <= PARITY


def test_an_export_that_differs_is_refused_and_the_old_file_kept(tmp_path: Path) -> None:
    inputs = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)
    cell = keras.Input((3,))
    noisy = keras.Model(cell, keras.layers.Dense(2)(cell))
    noisy.layers[-1].set_weights([np.full((3, 2), np.nan, np.float32), np.zeros(2, np.float32)])
    noisy.save(tmp_path / "noisy.keras")
    target = tmp_path / "noisy.tflite"
    target.write_bytes(b"old")

    with pytest.raises(ParityError, match="do not ship"):
        export_litert(tmp_path / "noisy.keras", target, inputs)

    assert target.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["noisy.keras", "noisy.tflite"]
