"""Training the network that solves grids: what it learns from, and a run in small."""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from eager_training import training_eagerly

from models.grids import legal_candidates, load_grid_network, usual_geometry
from solver.exact.bulk.bulk_solver import find_faulty, solve_batch
from solver.generation.generate import generate_puzzles
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import format_grid
from solver.rules import Kind
from solver.symmetry import fingerprints, random_transformation
from training.grids import train_sizes
from training.grids.training_puzzles import (
    KINDS,
    Digits,
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


def test_no_puzzle_of_a_test_file_is_learnt_in_whatever_disguise(
    data: Path, pools: PuzzlePools
) -> None:
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


def test_a_stored_pool_is_read_again(data: Path, pools: PuzzlePools) -> None:
    again = load_pools(data, data / "cache.npz", n_generated=400)

    for kind in KINDS:
        np.testing.assert_array_equal(again.train[kind].clues, pools.train[kind].clues)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="say where with --puzzles"):
        load_pools(tmp_path / "nowhere", tmp_path / "cache.npz", n_generated=10)


def test_a_run_without_puzzles_ends_with_a_message(tmp_path: Path) -> None:
    from training.grids.train_grid import main

    with pytest.raises(SystemExit, match=r"^train_grid: no folder of puzzles .*--puzzles"):
        main(["--out", str(tmp_path / "run"), "--puzzles", str(tmp_path / "nowhere")])


def test_puzzles_are_drawn_with_right_cells_shown_and_wrong_candidates_struck(
    pools: PuzzlePools,
) -> None:
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


def test_only_the_kinds_with_a_share_are_drawn(pools: PuzzlePools) -> None:
    mix = Mix((0, 0, 1, 0, 0, 0), revealed=(0,) * len(KINDS), struck=0)

    drawn = draw_puzzles(pools.train, mix, 50, np.random.default_rng(0))

    known = set(map(bytes, pools.train["clues17"].clues))
    assert set(map(bytes, drawn.clues)) <= known


def test_a_run_learns_stops_goes_on_and_ships(
    pools: PuzzlePools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("keras")
    from training.grids import export_grid, train_grid
    from training.grids.train_grid import GridRecipe, GridRun, checkpoint_of

    # What is compiled for long: the iterations of a step, and of a pass that solves nothing yet.
    monkeypatch.setattr(train_grid, "ITERATIONS", 4)
    monkeypatch.setattr(train_grid, "_LOOKS", (4, 8))
    monkeypatch.setattr(export_grid, "ITERATIONS", 16)
    monkeypatch.setattr(export_grid, "_COMPARED", 16)
    recipe = GridRecipe(tmp_path / "run", steps=60, batch=8, options=SMALL, learning_rate=0.04)
    slower = replace(recipe, learning_rate=0.03)

    first = GridRun(recipe, pools)
    losses = []
    while first.progress < 0.5:
        first.advance()
        losses.append(first.last_loss)
    state = first.watch()
    assert first.watch() == state
    first.save()
    second = GridRun(slower, pools)
    assert second.resume()
    while second.progress < 1:
        second.advance()
        losses.append(second.last_loss)
    second.save()
    with np.load(checkpoint_of(recipe)) as stored:
        averages = [stored[f"average{i}"] for i in range(len(second.block.get_weights()))]
    card = export_grid.export_runs([tmp_path / "run"], "small", tmp_path / "weights")

    assert (first.step, second.step) == (30, 60)
    assert np.mean(losses[-10:]) < 0.8 * np.mean(losses[:3])
    assert second.processor_seconds > first.processor_seconds > 0
    assert [stage["from_step"] for stage in card["training"]["stages"]] == [0, 30]
    assert state.keys() == set(KINDS)
    loaded = keras_weights(tmp_path / "weights" / "small.keras")
    for expected, actual in zip(averages, loaded, strict=True):
        np.testing.assert_array_equal(actual, expected)
    small = str(tmp_path / "weights" / "small.keras")
    third = GridRun(replace(recipe, out=tmp_path / "third", init=small), pools)
    for expected, actual in zip(averages, third.block.get_weights(), strict=True):
        np.testing.assert_array_equal(actual, expected)
    wider = replace(recipe, out=tmp_path / "wider", init=small, options=SMALL | {"hidden": 6})
    grown = GridRun(wider, pools)
    for expected, actual in zip(averages, grown.block.get_weights(), strict=True):
        np.testing.assert_array_equal(actual[tuple(map(slice, expected.shape))], expected)
    network = load_grid_network("small", folder=tmp_path / "weights")
    assert network.parameters == card["parameters"] == sum(one.size for one in averages)
    grids = pools.watch["minimal"].clues[:16]
    judged = network.judge(grids, legal_candidates(grids))
    np.testing.assert_allclose(judged.sum(axis=-1), 1, atol=1e-4)


def keras_weights(path: Path) -> list[Any]:
    import keras

    return [np.asarray(weight) for weight in keras.saving.load_model(path).get_weights()]


def test_a_comparison_that_fails_leaves_the_old_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pools: PuzzlePools
) -> None:
    pytest.importorskip("keras")
    from models.export import ParityError
    from training.grids import export_grid
    from training.grids.train_grid import GridRecipe, GridRun

    GridRun(GridRecipe(tmp_path / "run", steps=1, batch=2, options=SMALL), pools).save()
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


def test_the_mean_of_a_run_and_what_it_began_with_ships(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pools: PuzzlePools
) -> None:
    keras = pytest.importorskip("keras")
    from training.grids import export_grid
    from training.grids.train_grid import GridRecipe, GridRun

    monkeypatch.setattr(export_grid, "compare_engines", write_no_tflite)
    GridRun(GridRecipe(tmp_path / "one", steps=1, batch=2, options=SMALL), pools).save()
    export_grid.export_runs([tmp_path / "one"], "one", tmp_path)
    GridRun(GridRecipe(tmp_path / "two", steps=1, batch=2, options=SMALL, seed=2), pools).save()
    export_grid.export_runs([tmp_path / "two"], "two", tmp_path)

    card = export_grid.export_runs([tmp_path / "two", tmp_path / "one.keras"], "both", tmp_path)

    one, two, both = (
        keras.saving.load_model(tmp_path / f"{name}.keras", compile=False).get_weights()
        for name in ("one", "two", "both")
    )
    for first, second, mean in zip(one, two, both, strict=True):
        np.testing.assert_allclose(mean, (first + second) / 2, atol=1e-7)
    seeds = [run["stages"][0]["recipe"]["seed"] for run in card["training"]["mean_of"]]
    assert seeds == [2, 1]


def test_networks_of_two_sizes_have_no_mean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pools: PuzzlePools
) -> None:
    pytest.importorskip("keras")
    from training.grids import export_grid
    from training.grids.train_grid import GridRecipe, GridRun

    monkeypatch.setattr(export_grid, "compare_engines", write_no_tflite)
    for name, features in (("small", 4), ("large", 6)):
        options = SMALL | {"features": features}
        GridRun(GridRecipe(tmp_path / name, steps=1, batch=2, options=options), pools).save()

    with pytest.raises(ValueError, match="one size"):
        export_grid.export_runs([tmp_path / "small", tmp_path / "large"], "both", tmp_path)
    with pytest.raises(FileNotFoundError, match=r"no .*nowhere\.keras"):
        export_grid.export_runs([tmp_path / "nowhere.keras"], "both", tmp_path)


def write_no_tflite(name: str, folder: Path, features: int) -> None:
    """Stand in for the comparison of the engines, which takes seconds and is tested elsewhere."""
    (folder / f"{name}.tflite").write_bytes(b"")


def test_a_checkpoint_of_another_size_is_refused(pools: PuzzlePools, tmp_path: Path) -> None:
    pytest.importorskip("keras")
    from training.grids.train_grid import GridRecipe, GridRun

    GridRun(GridRecipe(tmp_path / "run", steps=1, batch=2, options=SMALL), pools).save()
    wider = GridRun(GridRecipe(tmp_path / "run", batch=2, options=SMALL | {"hidden": 6}), pools)

    with pytest.raises(ValueError, match="another size"):
        wider.resume()


def test_a_checkpoint_of_another_optimizer_is_refused(pools: PuzzlePools, tmp_path: Path) -> None:
    pytest.importorskip("keras")
    from training.grids.train_grid import GridRecipe, GridRun

    begun = GridRecipe(tmp_path / "run", steps=1, batch=2, options=SMALL, optimizer="adam")
    GridRun(begun, pools).save()

    with pytest.raises(ValueError, match="go on with --optimizer adam"):
        GridRun(replace(begun, optimizer="muon"), pools).resume()


def test_a_run_of_before_there_was_a_choice_of_optimizers_goes_on(
    pools: PuzzlePools, tmp_path: Path
) -> None:
    pytest.importorskip("keras")
    from training.grids.train_grid import GridRecipe, GridRun, checkpoint_of

    recipe = GridRecipe(tmp_path / "run", batch=2, options=SMALL, optimizer="adam")
    run = GridRun(recipe, pools)
    with training_eagerly():
        run.advance()
    run.save()
    with np.load(checkpoint_of(recipe)) as stored:
        arrays = dict(stored)
    stages = json.loads(str(arrays["stages"]))
    del stages[-1]["recipe"]["optimizer"]
    np.savez(checkpoint_of(recipe), **arrays | {"stages": json.dumps(stages)})

    again = GridRun(recipe, pools)
    assert again.resume()

    assert len(again.stages) == 1


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


def test_a_log_is_drawn_with_the_kinds_that_it_names(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from training.grids.train_grid import draw_run

    entries = [
        {"minutes": 5, "loss": 0.6, "minimal": [0.1, 0.2, 0.5]},
        {"minutes": 10, "loss": 0.5, "minimal": [0.1, 0.2, 0.75], "tough": [0.0, 0.1, 0.25]},
    ]
    log = tmp_path / "run.log"
    log.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")

    solved = draw_run(log).axes[0]

    drawn = {line.get_label(): list(line.get_ydata()) for line in solved.get_lines()}
    assert drawn == {"minimal": [50, 75], "tough": [25]}


def test_puzzles_of_other_sides_are_made_once_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {"16": train_sizes.SizeClass(200, side=4, clues=(7, 10))}
    monkeypatch.setattr(train_sizes, "SIZE_CLASSES", wanted)

    made = train_sizes.load_size_pools(tmp_path)["16"]
    kept = train_sizes.load_size_pools(tmp_path, seed=1)["16"]

    assert made.clues.shape == made.solutions.shape == made.regions.shape == (200, 16)
    assert ((made.clues == 0) | (made.clues == made.solutions)).all()
    assert set((made.clues > 0).sum(axis=1).tolist()) <= {7, 8, 9}
    assert len(np.unique(made.clues[:100], axis=0)) > 50
    assert (made.clues[:100] != made.clues[100:]).any()
    np.testing.assert_array_equal(kept.clues, made.clues)


def test_jigsaws_and_other_sides_are_learnt(pools: PuzzlePools, tmp_path: Path) -> None:
    keras = pytest.importorskip("keras")
    from models.grid_net import GridNetOptions, build_grid_net
    from training.grids.train_sizes import SizePuzzles, SizesRecipe, region_numbers, train

    sizes = {}
    for name, kind, side, clues in (("j9", Kind.JIGSAW, 9, 40), ("16", Kind.CLASSIC, 16, 150)):
        (made,) = generate_kind(1, KindOptions(kind, side, clues=clues), seed=7)
        rows = made.clues, np.asarray(made.solution), np.array(region_numbers(made.rules))
        sizes[name] = SizePuzzles(*(row.reshape(1, -1).astype(np.uint8) for row in rows))
    begun = tmp_path / "begun.keras"
    build_grid_net(GridNetOptions(**SMALL), 2).save(begun)
    wider = {**SMALL, "hidden": SMALL["hidden"] + 2}
    recipe = SizesRecipe(
        tmp_path / "run", 1e-4, nines=2, jigsaws=1, sixteens=1, init=begun, options=wider
    )

    with training_eagerly():
        train(recipe, pools, sizes)
        train(recipe, pools, sizes)

    card = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert card["training"]["steps"] == 2
    assert card["training"]["recipe"]["options"] == wider
    assert card["training"]["recipe"]["init"] == "begun.keras"
    # The head has the same shape in both.
    before, after = (
        keras.saving.load_model(file, compile=False).get_layer("block").get_weights()[-1]
        for file in (begun, tmp_path / "run.keras")
    )
    assert (before != after).any()
