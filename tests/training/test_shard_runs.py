"""Trainings on kept samples: each goes on where it stopped, and draws no shard twice."""

import importlib
import logging
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from command_rig import PROJECT
from eager_training import training_eagerly

from models.candidate_reader import CANDIDATES
from training.digits import train_hands
from training.shard_runs import load_shards

_RNG: Final = np.random.default_rng(0)


def _grey(*shape: int) -> np.ndarray:
    return _RNG.integers(0, 256, shape).astype(np.uint8)


_CLASSES: Final = np.tile(np.arange(3, dtype=np.uint8), 10)
_DIGITS: Final = np.tile(np.arange(1, 10, dtype=np.uint8), 10)
TRAININGS: Final[dict[str, tuple[str, dict[str, Any], str]]] = {
    "training.boards.train_cages": (
        "cages",
        {"crops": _grey(30, 72, 72), "sums": _CLASSES, "walls": np.tile(_CLASSES, (4, 1)).T % 2},
        "walls",
    ),
    "training.boards.train_lookalikes": (
        "lookalikes",
        {"frames": _grey(30, 192, 192), "labels": _CLASSES},
        "named",
    ),
    "training.digits.train_candidates": (
        "candidates",
        {
            "crops": _grey(30, 68, 68),
            "contents": _CLASSES,
            "places": np.where(
                (_CLASSES == CANDIDATES)[:, None, None] & (np.arange(9) == 4)[:, None],
                np.full(2, 20, np.float16),
                np.float16(np.nan),
            ),
        },
        "exactly",
    ),
    "training.digits.train_hands": (
        "hands",
        {"shapes": _grey(90, 28, 28), "digits": _DIGITS},
        "MNIST's test part",
    ),
    "training.symbols.train_symbols": (
        "symbols",
        {"cells": _grey(30, 32, 32), "classes": _CLASSES},
        "held out",
    ),
}
"""The name of a training's shards, what a shard may hold, and what the score speaks of."""
_TAUGHT: Final = ("candidates", "hands")
"""Those that learn from wider networks."""

_COMPILED: Final = ("cages", "symbols")
"""One of two outputs, and one as the others are; XLA takes longer than all of their steps."""


@pytest.mark.parametrize("module", TRAININGS)
def test_a_training_goes_on_where_it_stopped(
    module: str, keras: object, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    name, arrays, scored = TRAININGS[module]
    main = importlib.import_module(module).main
    caplog.set_level(logging.INFO)
    for number in range(4):
        np.savez(tmp_path / f"{name}-{number:03}.npz", **arrays)
    command = ["--out", str(tmp_path / "net"), "--samples", str(tmp_path)]
    command += ["--batch", "8", "--save-every", "1"]
    if name == "hands":
        parts = {f"{axis}_{part}": one for part in ("train", "test") for axis, one in
                 zip("xy", arrays.values(), strict=True)}  # fmt: skip
        np.savez(tmp_path / "mnist.npz", **parts)
        command += ["--digits", str(tmp_path)]
    if name in _TAUGHT:
        command += ["--teachers", "1", "--minutes", "60"]

    with training_eagerly():
        assert main([*command, "--steps", "1"]) == 0
    with nullcontext() if name in _COMPILED else training_eagerly():
        assert main([*command, "--steps", "2"]) == 0

    assert "going on from step 1" in caplog.text
    assert scored in caplog.text
    assert (tmp_path / "net.keras").is_file()
    with np.load(tmp_path / f"net{'-varied' * (name in _TAUGHT)}.npz") as stored:
        assert int(stored["step"]) == 2


def test_a_checkpoint_of_another_network_is_named(
    keras: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, arrays, _ = TRAININGS["training.symbols.train_symbols"]
    for number in range(4):
        np.savez(tmp_path / f"{name}-{number:03}.npz", **arrays)
    np.savez(tmp_path / "net.npz", step=1, weight0=np.zeros(2))
    main = importlib.import_module("training.symbols.train_symbols").main

    assert main(["--out", str(tmp_path / "net"), "--samples", str(tmp_path), "--batch", "8"]) == 3

    told = capsys.readouterr().err
    assert "net.npz is of another network" in told
    assert "--out" in told


def test_a_network_and_what_varies_its_examples_are_compiled(keras: Any, tmp_path: Path) -> None:
    shapes, digits = TRAININGS["training.digits.train_hands"][1].values()
    recipe = train_hands.HandRecipe(tmp_path / "net", steps=1, batch=8, teachers=0)

    def draw(rng: np.random.Generator) -> tuple[Any, Any]:
        return [shapes[:8], *train_hands.HAND_CHANCES.draw(rng, 8)], digits[:8].astype(np.float32)

    kept = train_hands.HANDS.train(recipe, draw, lambda _: "")

    assert keras.saving.load_model(kept, compile=False).name == "hands"
    assert (tmp_path / "net-varied.npz").is_file()


@pytest.mark.parametrize("module", TRAININGS)
def test_too_few_samples_are_refused(
    module: str, keras: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["--out", str(tmp_path / "net"), "--samples", str(tmp_path)]

    assert importlib.import_module(module).main(command) == 3

    assert "draw more of them first" in capsys.readouterr().err


@pytest.mark.slow  # photos are drawn in another process
def test_a_shard_that_is_there_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train_cages = importlib.import_module("training.boards.train_cages")
    monkeypatch.setitem(vars(train_cages.CAGES), "photos", 2)
    command = ["--out", str(tmp_path / "net"), "--samples", str(tmp_path), "--draw", "1"]
    assert train_cages.main([*command, "--faces", str(tmp_path)]) == 3
    command += ["--faces", str(PROJECT / "training" / "fonts")]

    assert train_cages.main(command) == 0
    file = tmp_path / "cages-000.npz"
    first = file.stat().st_mtime_ns
    assert train_cages.main(command) == 0

    assert file.stat().st_mtime_ns == first
    assert len(load_shards([file])["crops"]) == 2 * 81
