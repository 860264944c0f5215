"""A tiny training run from its first step to an exported network, whole and interrupted."""

import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from eager_training import training_eagerly

from models.digits import DigitReader
from models.engine import LiteRtEngine
from training.digits.train_digits import DigitRecipe, train
from training.rendered.large_digits import GLYPH_PX

pytestmark = pytest.mark.usefixtures("keras")


@pytest.fixture
def recipe(tmp_path: Path) -> DigitRecipe:
    """Return a recipe over a data folder with a few made-up SVHN digits."""
    digits_dir = tmp_path / "data" / "digits"
    digits_dir.mkdir(parents=True)
    rng = np.random.default_rng(0)
    shapes = rng.integers(0, 256, (10, GLYPH_PX, GLYPH_PX), dtype=np.uint8)
    cells = rng.integers(0, 256, (60, 32, 32), dtype=np.uint8)
    labels = np.arange(60) % 10
    np.savez(
        digits_dir / "svhn_gray32.npz",
        x_train=cells,
        y_train=labels,
        x_test=cells[:2],
        y_test=labels[:2],
    )
    names = np.array(["a"] * 10)
    np.savez(digits_dir / "fonts_gray28.npz", x=shapes, y=np.arange(10), font=names)
    np.savez(digits_dir / "printed_gray28.npz", x=shapes, y=np.arange(10), f=names)
    return DigitRecipe(
        data=("svhn",),
        out=tmp_path / "out" / "tiny",
        steps=8,
        pool_cells=60,
        batch=16,
        data_root=tmp_path / "data",
        samples=tmp_path / "pools",
    )


def test_a_run_goes_on_where_it_stopped_to_an_exported_network(
    recipe: DigitRecipe, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    train(replace(recipe, steps=4))
    with training_eagerly():
        exported = train(recipe)

    assert "going on from step 4" in caplog.text
    with np.load(recipe.out.with_name(f"{recipe.out.name}-run.npz")) as stored:
        assert int(stored["step"]) == recipe.steps > 4
    cells = np.random.default_rng(1).integers(0, 256, (20, 32, 32), dtype=np.uint8)
    read = DigitReader(LiteRtEngine(exported)).read(cells)
    np.testing.assert_allclose(read.sum(axis=1), 1, atol=1e-3)
