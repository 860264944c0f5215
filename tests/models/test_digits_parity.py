"""Keras and LiteRT must compute the same, exports lose nothing, and others are refused."""

import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from command_rig import run_python

from app.recognition.readers import load_readers
from models.digits import BOARD_DIGITS, DigitReader, boards_beside
from models.engine import WEIGHTS_DIR, EngineError, EngineKind, load_engine
from models.export import PARITY, ParityError, export_litert, round_weights
from training.photo_labels import load_photo_labels, locate_board
from vision.board import cut_cells, rectify

pytestmark = pytest.mark.usefixtures("keras")

NETWORKS = ("digits", BOARD_DIGITS)


@pytest.mark.parametrize("name", NETWORKS)
def test_both_engines_agree_on_real_cells(name: str, shared_data: Path) -> None:
    photos, cells = shared_data / "photos", []
    labels = [label for label in load_photo_labels(photos) if label.corners is not None]
    for label in labels[::90]:
        image = np.asarray(cv2.imread(str(photos / label.file)), np.uint8)
        cells.append(cut_cells(rectify(image, locate_board(image, label))))
    stacked = np.concatenate(cells)

    litert = DigitReader.load("litert", name=name)
    reference = DigitReader.load("keras", name=name)

    assert len(stacked) >= 81 * 5
    assert np.abs(litert.read(stacked) - reference.read(stacked)).max() <= PARITY


def test_a_board_network_goes_with_the_weights_beside_it(tmp_path: Path) -> None:
    own = tmp_path / "kinds0.tflite"
    own.write_bytes((WEIGHTS_DIR / "digits.tflite").read_bytes())
    _, shipped = load_readers("network", "litert", own)
    own.with_name("kinds0-boards.tflite").write_bytes(b"no network")

    assert boards_beside(own) == tmp_path / "kinds0-boards.tflite"
    with pytest.raises(EngineError, match="kinds0-boards"):
        load_readers("network", "litert", own)

    cells = np.random.default_rng(1).integers(0, 256, (81, 32, 32), np.uint8)
    assert shipped.boards is not None
    told = DigitReader.load(name=BOARD_DIGITS).read(cells)
    np.testing.assert_allclose(shipped.boards.read(cells), told)


def test_a_differing_export_is_refused_and_the_old_file_kept(keras: Any, tmp_path: Path) -> None:
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


def save_network(folder: Path, kind: EngineKind, takes: tuple[int, ...], gives: int) -> None:
    """Write a network of other shapes, which is valid in itself, as `other`."""
    import keras

    cell = keras.Input(takes)
    flat = keras.layers.Flatten()(cell)
    network = keras.Model(cell, keras.layers.Dense(gives, activation="softmax")(flat))
    if kind == "keras":
        network.save(folder / "other.keras")
        return
    import tensorflow as tf

    content = tf.lite.TFLiteConverter.from_keras_model(network).convert()
    (folder / "other.tflite").write_bytes(content)


@pytest.mark.parametrize("kind", ["litert", "keras"])
@pytest.mark.parametrize(
    ("takes", "gives", "reason"),
    [
        ((28, 28, 1), 19, "it takes 28×28×1, not 32×32×1"),
        ((32, 32, 3), 19, "it takes 32×32×3, not 32×32×1"),
        ((1024,), 19, "it takes 1024, not 32×32×1"),
        ((32, 32, 1), 10, "it gives 10, not 19"),
    ],
)
def test_a_network_of_other_shapes_is_refused_when_it_is_opened(
    kind: EngineKind, takes: tuple[int, ...], gives: int, reason: str, tmp_path: Path
) -> None:
    save_network(tmp_path, kind, takes, gives)

    with pytest.raises(EngineError, match=f"other.* is no network that reads cells: {reason};"):
        load_engine("other", kind, folder=tmp_path)


def test_a_keras_archive_of_something_else_is_broken(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "other.keras", "w") as archive:
        archive.writestr("letter.txt", "This is no network.")

    with pytest.raises(EngineError, match=r"other\.keras cannot be read"):
        load_engine("other", "keras", folder=tmp_path)


def test_opening_keras_writes_nothing() -> None:
    code = "from models.digits import DigitReader; DigitReader.load('keras')"

    done = run_python("-c", code, check=True)

    assert (done.stdout, done.stderr) == ("", "")


def build_net(keras: Any) -> Any:
    layers = keras.layers
    taken = layers.Input((12, 12, 1))
    x = layers.BatchNormalization()(layers.Conv2D(6, 3, use_bias=False)(taken))
    x = layers.BatchNormalization()(layers.DepthwiseConv2D(3, use_bias=False)(layers.ReLU()(x)))
    x = layers.BatchNormalization()(layers.Dense(8, use_bias=False)(layers.Flatten()(x)))
    network = keras.Model(taken, layers.Dense(4, activation="softmax")(x))
    rng = np.random.default_rng(3)
    for layer in network.layers:
        if isinstance(layer, layers.BatchNormalization):
            n = layer.get_weights()[0].shape
            gains, others = rng.uniform(0.2, 3, (2, *n)), rng.normal(0, 1, (2, *n))
            layer.set_weights([gains[0], *others, gains[1]])
    return network


def test_rounded_weights_lose_nothing_as_16_bit_numbers(keras: Any, tmp_path: Path) -> None:
    network = build_net(keras)
    inputs = np.random.default_rng(4).normal(0, 1, (64, 12, 12, 1)).astype(np.float32)
    before = np.asarray(network(inputs, training=False))
    network.save(tmp_path / "raw.keras")
    raw = export_litert(
        tmp_path / "raw.keras", tmp_path / "raw.tflite", inputs, is_half=True, most=1
    )

    round_weights(network)

    network.save(tmp_path / "net.keras")
    rounded = export_litert(
        tmp_path / "net.keras", tmp_path / "net.tflite", inputs, is_half=True, most=PARITY
    )
    assert rounded < raw / 10
    assert np.asarray(network(inputs, training=False)) == pytest.approx(before, abs=0.02)
