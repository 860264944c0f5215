"""Training the network that solves grids: what it learns from, and a run in small."""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eager_training import training_eagerly

from models.export import ParityError
from models.grids import Digits, legal_candidates, load_grid_network, usual_geometry
from solver.exact.bulk.bulk_solver import find_faulty, solve_batch
from solver.generation.generate import generate_puzzles
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import format_grid
from solver.rules import Kind
from solver.symmetry import fingerprints, random_transformation
from training import shard_runs
from training.grids import export_grid, train_grid
from training.grids.train_grid import (
    GridRecipe,
    SizeClass,
    SizePuzzles,
    load_size_pools,
    region_numbers,
    train_on,
)
from training.grids.training_puzzles import (
    KINDS,
    Mix,
    PuzzlePools,
    draw_puzzles,
    load_pools,
    load_test_fingerprints,
)

pytestmark = pytest.mark.slow

SMALL = {"features": 4, "hidden": 4, "segment_hidden": 4, "cell_hidden": 4, "messages": 4}


def write_lines(path: Path, puzzles: Digits) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(format_grid(puzzle.reshape(9, 9)) + "\n" for puzzle in puzzles)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like the real one; the first ten puzzles for training are tests in disguise."""
    folder = tmp_path_factory.mktemp("puzzles")
    tests = generate_puzzles(10, seed=1).puzzles
    random = np.random.default_rng(2)
    disguised = [random_transformation(random).apply(puzzle) for puzzle in tests]
    write_lines(folder / "tests.txt", tests.reshape(-1, 81))
    for seed, name in enumerate(("clues17", "hardest_1905_se11")):
        fresh = generate_puzzles(40, seed=3 + seed).puzzles
        both = np.concatenate([disguised, fresh]).reshape(-1, 81)
        write_lines(folder / "train" / f"{name}.txt.gz", both)
    return folder


@pytest.fixture(scope="module")
def pools(data: Path) -> PuzzlePools:
    return load_pools(data, data / "cache.npz", n_generated=400)


def test_no_puzzle_of_a_test_file_is_learnt_in_any_disguise(data: Path, pools: PuzzlePools) -> None:
    tests = load_test_fingerprints(data)

    for part in (pools.train, pools.watch):
        for puzzles in part.values():
            assert not tests & set(fingerprints(puzzles.clues).tolist())
    assert len(pools.train["clues17"].clues) + len(pools.watch["clues17"].clues) == 40


def test_what_is_watched_is_not_learnt(pools: PuzzlePools) -> None:
    learnt = {bytes(clues) for kind in KINDS for clues in pools.train[kind].clues}

    for kind in KINDS:
        assert len(pools.watch[kind].clues) > 0
        assert not learnt & set(map(bytes, pools.watch[kind].clues))


def test_what_is_bred_from_the_solutions_that_are_watched_is_not_learnt(pools: PuzzlePools) -> None:
    learnt = set(map(bytes, pools.train["bred"].solutions))

    assert learnt
    for kind in ("bred", "tough"):
        assert not learnt & set(map(bytes, pools.watch[kind].solutions))


def test_a_run_without_puzzles_ends_with_a_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["--out", str(tmp_path / "run"), "--puzzles", str(tmp_path / "nowhere")]

    assert train_grid.main(command) == 3

    assert "say where with --puzzles" in capsys.readouterr().err


def test_puzzles_show_right_cells_and_strike_wrong_candidates(pools: PuzzlePools) -> None:
    mix = Mix((1,) * len(KINDS), revealed=(0.5,) * len(KINDS), struck=0.5)

    drawn = draw_puzzles(pools.train, mix, 300, np.random.default_rng(0))

    assert drawn.allowed is not None
    assert not find_faulty(drawn.clues, drawn.solutions).any()
    assert (solve_batch(drawn.clues).counts == 1).all()
    right = drawn.allowed[np.arange(300)[:, None], np.arange(81), drawn.solutions - 1]
    assert right.all()
    is_struck = (~drawn.allowed).any(axis=(1, 2))
    assert 0.35 < is_struck.mean() < 0.65
    n_clues = (drawn.clues > 0).sum(axis=1)
    assert n_clues.max() > 30 > n_clues.min()


def test_a_run_learns_goes_on_and_ships(
    pools: PuzzlePools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is compiled for long: the iterations of a step, and of a pass that solves nothing yet.
    for module in (train_grid, export_grid):
        monkeypatch.setattr(module, "ITERATIONS_A_RUN", 4)
    monkeypatch.setattr(export_grid, "ITERATIONS", 16)
    monkeypatch.setattr(export_grid, "_COMPARED", 16)
    losses = []
    from training.grids.trainee import Turns

    train_on_batch = Turns.train_on_batch

    def note(self: Any, inputs: Any, **options: Any) -> Any:
        means = train_on_batch(self, inputs, **options)
        losses.append(means["loss"])
        self.reset_metrics()
        return means

    monkeypatch.setattr(Turns, "train_on_batch", note)
    recipe = GridRecipe(tmp_path / "run", steps=30, batch=8, options=SMALL, rate=0.2)
    train_on(recipe, pools, {})
    with training_eagerly():
        trained = train_on(replace(recipe, steps=60), pools, {})
    export_grid.export_runs([tmp_path / "run"], "small", tmp_path / "weights")

    assert len(losses) == 60
    assert np.mean(losses[-10:]) < 0.8 * np.mean(losses[:3])
    card = json.loads((tmp_path / "weights" / "small.json").read_text(encoding="utf-8"))
    assert card["training"]["steps"] == 60
    expected = load_weights(trained)
    for one, other in zip(expected, load_weights(tmp_path / "weights/small.keras"), strict=True):
        np.testing.assert_array_equal(one, other)
    network = load_grid_network("small", folder=tmp_path / "weights")
    assert network.parameters == card["parameters"] == sum(one.size for one in expected)
    grids = pools.watch["minimal"].clues[:16]
    judged = network.judge(grids, legal_candidates(grids))
    np.testing.assert_allclose(judged.sum(axis=-1), 1, atol=1e-4)


def test_a_run_that_is_stopped_has_its_card(
    pools: PuzzlePools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: Any) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(train_grid, "run_steps", stop)
    with pytest.raises(KeyboardInterrupt):
        train_on(GridRecipe(tmp_path / "run", batch=8, options=SMALL), pools, {})

    card = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert card["training"]["recipe"]["batch"] == 8


def load_weights(path: Path) -> list[Any]:
    keras = pytest.importorskip("keras")
    return [np.asarray(one) for one in keras.saving.load_model(path, compile=False).get_weights()]


def save_run(path: Path, seed: int = 0, **options: int) -> None:
    """Write a network and its card as a run leaves them."""
    keras = pytest.importorskip("keras")
    from models.grid_net import GridNetOptions, build_grid_net

    keras.utils.set_random_seed(seed)
    build_grid_net(GridNetOptions(**SMALL | options), 2).save(path.with_suffix(".keras"))
    card = {"training": {"steps": seed}}
    path.with_suffix(".json").write_text(json.dumps(card), encoding="utf-8")


def test_a_comparison_that_fails_leaves_the_old_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_run(tmp_path / "run")
    folder = tmp_path / "weights"
    folder.mkdir()
    for ending in ("keras", "tflite", "json"):
        (folder / f"grid.{ending}").write_text("old", encoding="utf-8")

    def fail(*_: object) -> None:
        raise ParityError("they differ")

    monkeypatch.setattr(export_grid, "compare_engines", fail)
    with pytest.raises(ParityError):
        export_grid.export_runs([tmp_path / "run"], "grid", folder)

    assert {path.read_text(encoding="utf-8") for path in folder.iterdir()} == {"old"}
    assert len(list(folder.iterdir())) == 3


def test_the_mean_of_two_runs_ships(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_grid, "compare_engines", write_no_tflite)
    save_run(tmp_path / "one", seed=1)
    save_run(tmp_path / "two", seed=2)

    export_grid.export_runs([tmp_path / "two", tmp_path / "one.keras"], "both", tmp_path)

    one, two, both = (load_weights(tmp_path / f"{name}.keras") for name in ("one", "two", "both"))
    for first, second, mean in zip(one, two, both, strict=True):
        np.testing.assert_allclose(mean, (first + second) / 2, atol=1e-7)
    card = json.loads((tmp_path / "both.json").read_text(encoding="utf-8"))
    assert card["training"] == {"mean_of": [{"steps": 2}, {"steps": 1}]}


def test_networks_of_two_sizes_have_no_mean(tmp_path: Path) -> None:
    save_run(tmp_path / "small")
    save_run(tmp_path / "large", features=6)

    with pytest.raises(ValueError, match="one size"):
        export_grid.export_runs([tmp_path / "small", tmp_path / "large"], "both", tmp_path)
    with pytest.raises(FileNotFoundError, match=r"no .*nowhere\.keras"):
        export_grid.export_runs([tmp_path / "nowhere.keras"], "both", tmp_path)


def write_no_tflite(name: str, folder: Path, features: int) -> float:
    """Stand in for the comparison of the engines, which takes seconds and is tested elsewhere."""
    (folder / f"{name}.tflite").write_bytes(b"")
    return 0.0


def test_a_thought_goes_on_where_the_last_step_ended() -> None:
    keras = pytest.importorskip("keras")
    from models.grid_net import CandidateBlock
    from training.grids.trainee import GridTrainee

    keras.utils.set_random_seed(1)
    block = CandidateBlock(SMALL, iterations=2)
    block.build()
    trainee = GridTrainee(block, 3)
    trainee.compile()
    made = generate_puzzles(3, seed=9)
    noise = np.random.default_rng(0).standard_normal((3, 729), np.float32)
    clues, solutions = made.puzzles.reshape(-1, 81), made.solutions.reshape(-1, 81)
    given, legal, target = (
        one.reshape(3, 729).astype(np.float32)
        for one in (
            clues[:, :, None] == np.arange(1, 10),
            legal_candidates(clues),
            solutions[:, :, None] == np.arange(1, 10),
        )
    )
    geometry = usual_geometry(81)
    inputs = {
        "given": given,
        "legal": legal,
        "target": target,
        "is_new": np.ones((3, 1), np.float32),
        "noise": noise,
        "segments": geometry.segments,
        "units": geometry.units,
    }

    trainee.test_on_batch(inputs)
    trainee.test_on_batch(inputs | {"is_new": np.zeros((3, 1), np.float32)})

    given, legal = given.reshape(-1, 1), legal.reshape(-1, 1)
    features = np.zeros((3 * 729, 4), np.float32)
    features[:, 0] = noise.ravel()
    probabilities = np.zeros((3 * 729, 1), np.float32)
    told = block.embed_clues(given, legal)
    for _ in range(4):
        features, probabilities, _ = block.iterate(
            features, probabilities, told, legal, (geometry.segments, geometry.units)
        )
    np.testing.assert_allclose(np.asarray(trainee.features), np.asarray(features), atol=1e-4)


def test_puzzles_of_other_sides_are_made_once_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {"16": SizeClass(200, side=4, clues=(7, 10))}
    monkeypatch.setattr(train_grid, "SIZE_CLASSES", wanted)

    made = load_size_pools(tmp_path)["16"]
    kept = load_size_pools(tmp_path, seed=1)["16"]

    assert made.clues.shape == made.solutions.shape == made.regions.shape == (200, 16)
    assert ((made.clues == 0) | (made.clues == made.solutions)).all()
    assert set((made.clues > 0).sum(axis=1).tolist()) <= {7, 8, 9}
    assert len(np.unique(made.clues[:100], axis=0)) > 50
    assert (made.clues[:100] != made.clues[100:]).any()
    np.testing.assert_array_equal(kept.clues, made.clues)


def test_jigsaws_and_other_sides_are_learnt_by_a_network_that_grows(
    pools: PuzzlePools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_runs, "_AVERAGED_EVERY", 1)
    sizes = {}
    for name, kind, side, clues in (("j9", Kind.JIGSAW, 9, 40), ("16", Kind.CLASSIC, 16, 150)):
        (made,) = generate_kind(1, KindOptions(kind, side, clues=clues), seed=7)
        rows = made.clues, np.asarray(made.solution), np.array(region_numbers(made.rules))
        sizes[name] = SizePuzzles(*(row.reshape(1, -1).astype(np.uint8) for row in rows))
    save_run(tmp_path / "begun")
    recipe = GridRecipe(
        tmp_path / "run",
        steps=3,
        batch=2,
        jigsaws=1,
        sixteens=1,
        init=tmp_path / "begun.keras",
        options={"hidden": SMALL["hidden"] + 2},
    )

    with training_eagerly():
        train_on(recipe, pools, sizes)

    with np.load(tmp_path / "run.npz") as stored:
        assert int(stored["step"]) == 3
    card = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert card["training"]["recipe"]["options"] == SMALL | {"hidden": SMALL["hidden"] + 2}
    assert card["training"]["recipe"]["init"] == "begun.keras"
    # The head has the same shape in both.
    before, after = (load_weights(tmp_path / name)[-1] for name in ("begun.keras", "run.keras"))
    assert (before != after).any()
