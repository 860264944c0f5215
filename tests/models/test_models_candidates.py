"""The reader of noted candidates, and the network that ships."""

import numpy as np
import pytest

from models.candidate_reader import CANDIDATES, CandidateReader, normalise_crops
from models.engine import WEIGHTS_DIR
from models.export import PARITY, measure_parity
from models.lookalike_reader import NOTHING
from training.digits.train_candidates import draw_candidate_cells


def test_no_crops_are_nothing() -> None:
    seen = CandidateReader.load().read(np.zeros((0, 56, 56), np.uint8))

    assert (seen.digits.shape, seen.contents.shape) == ((0, 9), (0, 3))


@pytest.mark.parametrize(
    "crops", [np.zeros((2, 32, 32), np.uint8), np.zeros((2, 56, 56)), np.zeros((56, 56), np.uint8)]
)
def test_crops_of_another_size_or_type_are_refused(crops: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"crops must be \(k, 56, 56\) uint8"):
        normalise_crops(crops)


def test_light_ink_on_dark_paper_looks_like_dark_ink_on_light_paper() -> None:
    crop = np.full((1, 56, 56), 200, np.uint8)
    crop[:, 20:30, 26:29] = 40

    assert normalise_crops(255 - crop) == pytest.approx(normalise_crops(crop), abs=0.01)


def test_blank_paper_holds_nothing() -> None:
    seen = CandidateReader.load().read(np.full((2, 56, 56), 230, np.uint8))

    assert seen.contents.argmax(axis=1).tolist() == [NOTHING, NOTHING]


def test_what_is_drawn_is_read() -> None:
    photos = [draw_candidate_cells(seed) for seed in (900_003, 900_004, 900_011)]
    crops, contents, masks = (np.concatenate(part) for part in zip(*photos, strict=True))

    seen = CandidateReader.load().read(crops)

    is_noted = contents == CANDIDATES
    wanted = masks[is_noted, None] >> np.arange(9) & 1
    assert (seen.contents.argmax(axis=1) == contents).mean() > 0.95
    assert ((seen.digits[is_noted] > 0.5) == (wanted > 0)).mean() > 0.95


@pytest.mark.slow  # TensorFlow is loaded
def test_both_engines_say_the_same() -> None:
    pytest.importorskip("keras", reason="the train extra is not installed")
    crops = draw_candidate_cells(900_003).crops

    weights = WEIGHTS_DIR / "candidates.keras"
    difference = measure_parity(weights, weights.with_suffix(".tflite"), normalise_crops(crops))

    assert difference <= PARITY
