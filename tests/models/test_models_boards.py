"""The detector's input and output, and the files of its training."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from arrays import Float32
from eager_training import training_eagerly
from present import present

from models.board_detector import (
    CHANNELS,
    CORNER,
    FIRST_SIDE,
    INPUT_PX,
    SIDES,
    STRIDE,
    BoardDetector,
    normalise_photo,
)
from models.engine import WEIGHTS_DIR, EngineError
from models.export import measure_parity
from training.boards.sample_cache import encode_sample, save_samples, show_whole
from training.boards.scenes import draw_scene
from training.boards.train_detector import PARITY, main

PLACES = INPUT_PX // STRIDE


class GivenEngine:
    """Gives the same logits for every picture, and keeps what it was given."""

    def __init__(self, output: Float32) -> None:
        self._output = output
        self.given: Float32 | None = None

    def run(self, inputs: Float32) -> Float32:
        self.given = inputs
        return np.stack([self._output] * len(inputs))


def test_light_changes_nothing_that_the_network_is_given() -> None:
    rng = np.random.default_rng(0)
    paper = rng.integers(60, 250, (INPUT_PX, INPUT_PX)).astype(np.float64)

    bright, dim = (normalise_photo((paper * share).astype(np.uint8)) for share in (1.0, 0.5))

    assert bright.shape == (INPUT_PX, INPUT_PX, 1)
    assert abs(float(bright.mean())) < 1e-4
    assert float(bright.std()) == pytest.approx(1, abs=1e-3)
    assert float(np.abs(bright - dim).mean()) < 0.1


def test_a_blank_picture_is_no_division_by_zero() -> None:
    blank = normalise_photo(np.full((2, 8, 8), 255, np.uint8))

    assert np.isfinite(blank).all()
    assert np.abs(blank).max() < 1e-3


def test_maps_hold_probabilities_and_places() -> None:
    output = np.zeros((PLACES, PLACES, CHANNELS), np.float32)
    output[..., 1], output[..., 2] = 0.25, 0.75
    output[..., CORNER] = 4
    output[..., FIRST_SIDE + SIDES.index(9)] = 50
    engine = GivenEngine(output)

    first, second = BoardDetector(engine).detect(np.zeros((2, INPUT_PX, INPUT_PX), np.uint8))

    assert present(engine.given).shape == (2, INPUT_PX, INPUT_PX, 1)
    assert (first.board == 0.5).all()
    assert (first.places == (0.25, 0.75)).all()
    assert first.corner.min() > 0.95
    assert second.sides[..., SIDES.index(9)].min() > 0.99
    assert np.allclose(second.sides.sum(axis=2), 1)


def test_pictures_of_another_size_are_refused() -> None:
    detector = BoardDetector(GivenEngine(np.zeros((PLACES, PLACES, CHANNELS), np.float32)))

    with pytest.raises(ValueError, match="got \\(1, 64, 64\\)"):
        detector.detect(np.zeros((1, 64, 64), np.uint8))


def test_missing_weights_say_where_training_is_described(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="model_card_boards"):
        BoardDetector.load(weights=tmp_path / "none.tflite")


@pytest.mark.slow  # TensorFlow is loaded
def test_both_engines_see_the_same() -> None:
    scene = draw_scene(11)
    picture, _ = show_whole(encode_sample(scene.photo, scene.lattices))
    inputs = normalise_photo(picture[None])

    difference = measure_parity(WEIGHTS_DIR / "boards.keras", WEIGHTS_DIR / "boards.tflite", inputs)

    assert (WEIGHTS_DIR / "boards.tflite").stat().st_size < 1_000_000
    assert difference < PARITY


@pytest.fixture
def uncompiled(keras: object) -> Iterator[None]:
    """Lets TensorFlow run steps as they stand: to compile one takes a minute, and pays for many."""
    with training_eagerly():
        yield


@pytest.mark.usefixtures("uncompiled")
def test_a_training_goes_on_where_it_was_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lattice = (np.stack(np.meshgrid(np.arange(10), np.arange(10)), axis=2) * 20 + 60).astype(
        np.float32
    )
    sample = encode_sample(np.full((320, 320), 200, np.uint8), [lattice])
    save_samples(tmp_path / "scenes-000.npz", [sample])
    command = ["--out", str(tmp_path / "net"), "--samples", str(tmp_path), "--batch", "2"]

    first = main([*command, "--steps", "1", "--save-every", "1"])
    with np.load(tmp_path / "net.npz") as stored:
        before = int(stored["step"]), stored["weight0"]
    again = main([*command, "--steps", "2", "--save-every", "1"])
    with np.load(tmp_path / "net.npz") as stored:
        after = int(stored["step"]), stored["weight0"]

    assert (first, again) == (0, 0)
    assert (before[0], after[0]) == (1, 2)
    assert not np.array_equal(before[1], after[1])
    assert (tmp_path / "net.keras").is_file()
    assert not list(tmp_path.glob("*.part*"))
    assert "net.keras" in capsys.readouterr().out


def test_a_training_without_samples_says_how_to_make_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--out", str(tmp_path / "net"), "--samples", str(tmp_path)]) == 3
    assert "training.boards.sample_cache" in capsys.readouterr().err
