"""The reader of boards begins with a reader of single cells, and learns from whole boards."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from eager_training import training_eagerly

from models.digits import CLASSES, DigitReader
from models.engine import LiteRtEngine
from training.digits import train_real_boards
from training.digits.photo_cells import RealCells
from training.digits.train_board_digits import (
    BoardCells,
    BoardRecipe,
    begin_with,
    draw_boards,
    train,
    weigh_kinds,
)
from training.digits.train_real_boards import (
    RealBoardRecipe,
    _block_of,
    leave_out,
    real_boards,
)
from training.photo_labels import EMPTY, FOLDS, HANDWRITTEN, PRINTED, UNKNOWN

pytestmark = pytest.mark.usefixtures("keras")


PRINT, HAND = slice(1, 10), slice(10, 19)


def make_boards(count: int, seed: int = 0) -> BoardCells:
    """Return boards of noise, in which every third cell holds a digit, half of them by hand."""
    rng = np.random.default_rng(seed)
    digits = np.zeros((count, 81), np.uint8)
    digits[:, ::3] = rng.integers(1, 10, (count, 27))
    is_written = np.zeros((count, 81), np.bool_)
    is_written[:, ::6] = True
    cells = rng.integers(0, 256, (81 * count, 32, 32), np.uint8)
    flags = is_written.ravel()
    return BoardCells.of(cells, digits.ravel(), may_print=~flags, may_write=flags)


def keep_small(folder: Path, boards: BoardCells) -> None:
    """Keep boards as an earlier run keeps those of small photos."""
    folder.mkdir()
    np.savez(
        folder / "small_0-000.npz",
        cells=boards.cells.reshape(-1, 32, 32),
        digits=boards.digits.ravel(),
        is_written=boards.kinds().ravel() == 2,
    )


def test_it_begins_with_what_a_reader_of_single_cells_sees() -> None:
    import keras

    from models.digits import build_board_net, build_digits_net

    keras.utils.set_random_seed(3)
    trained, network = build_digits_net(), build_board_net()
    last = next(one for one in trained.layers if getattr(one, "kernel_size", 0) == (4, 4))
    (kernel,) = last.get_weights()
    narrow, wide = kernel[..., :40], np.random.default_rng(0).normal(size=(40, 80))
    last.set_weights([narrow @ wide])
    cells = np.random.default_rng(1).uniform(-1, 1.5, (300, 32, 32, 1)).astype(np.float32)

    begin_with(network, trained, cells)

    seen, wanted = (
        keras.Model(one.input, one.get_layer(index=at).output)(cells[:50], training=False)
        for one, at in ((network, _find_features(network)), (trained, _find_features(trained)))
    )
    np.testing.assert_allclose(seen, wanted, atol=1e-3)
    assert np.asarray(wanted).std() > 0.01


def _find_features(network: object) -> int:
    return next(
        at
        for at, layer in enumerate(network.layers)  # type: ignore[attr-defined]
        if type(layer).__name__ == "GlobalAveragePooling2D"
    )


def test_an_answer_depends_on_the_other_cells_and_not_on_their_places() -> None:
    from models.digits import build_board_net

    network = build_board_net()
    cells = np.random.default_rng(2).uniform(-1, 1.5, (16, 32, 32, 1)).astype(np.float32)

    together = np.asarray(network(cells))

    np.testing.assert_allclose(np.asarray(network(cells[::-1]))[::-1], together, atol=1e-5)
    assert np.abs(np.asarray(network(cells[:8])) - together[:8]).max() > 1e-4


def test_boards_that_follow_each_other_do_not_see_each_other() -> None:
    from models.digits import build_board_net

    several, single = build_board_net(81), build_board_net()
    single.set_weights(several.get_weights())
    cells = np.random.default_rng(2).uniform(-1, 1.5, (162, 32, 32, 1)).astype(np.float32)

    told = np.asarray(several(cells))

    np.testing.assert_allclose(np.asarray(single(cells[:81])), told[:81], atol=1e-5)
    np.testing.assert_allclose(np.asarray(single(cells[81:])), told[81:], atol=1e-5)


def test_kinds_of_cells_count_whichever_are_more_frequent() -> None:
    boards = make_boards(20)

    _, target, counts = draw_boards(np.random.default_rng(0), boards, 200, weigh_kinds(boards))

    kinds = target[:, 0] > 0, (target[:, PRINT] > 0).any(axis=1), (target[:, HAND] > 0).any(axis=1)
    assert all((one.sum() > 0) for one in kinds)
    empty, printed, written = (counts[one].sum() / counts.sum() for one in kinds)
    assert empty == pytest.approx(0.3, abs=0.02)
    assert printed == pytest.approx(0.5, abs=0.03)
    assert written == pytest.approx(0.2, abs=0.02)


def test_digits_of_turned_boards_ask_for_an_even_answer() -> None:
    boards = make_boards(3)

    cells, target, counts = draw_boards(np.random.default_rng(0), boards, 300, weigh_kinds(boards))

    is_even = (target[:, CLASSES] == 1).reshape(300, 81)
    is_filled = (target[:, 0] == 0).reshape(300, 81)
    is_out = (counts == 0).reshape(300, 81)
    turned = is_even.any(axis=1)
    assert 3 <= turned.sum() <= 30
    assert not (is_even & ~is_filled).any()
    assert (is_even | is_out)[turned][is_filled[turned]].all()
    assert not is_out[~turned].any()
    kept = {board.tobytes() for board in boards.cells.reshape(-1, 32, 32)}
    shown = cells.reshape(300, 81, 32, 32)[turned][is_even[turned]]
    assert all(cell.tobytes() not in kept for cell in shown)


def test_a_run_ends_with_a_network_for_boards_of_any_side(tmp_path: Path) -> None:
    from models.digits import build_digits_net

    boards = make_boards(2)
    pools = tmp_path / "pools"
    keep_small(pools, boards)
    build_digits_net().save(tmp_path / "cells.keras")
    recipe = BoardRecipe(
        out=tmp_path / "boards",
        samples=pools,
        init=tmp_path / "cells.keras",
        data_root=tmp_path,
        small=200,
        steps=1,
        batch=1,
    )

    with training_eagerly():
        exported = train(recipe)
        train(replace(recipe, out=tmp_path / "more", init=exported.with_suffix(".keras")))

    reader = DigitReader(LiteRtEngine(exported))
    for count in (81, 16):
        told = reader.read(boards.cells[0, :count])
        assert told.shape == (count, CLASSES)
        np.testing.assert_allclose(told.sum(axis=1), 1, atol=1e-3)


def test_a_run_says_what_it_begins_with(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="--init"):
        train(BoardRecipe(out=tmp_path / "boards", init=None))


def make_real(count: int) -> RealCells:
    """Return noise as the cells of photos, whose digits are printed, by hand and not labelled."""
    rng = np.random.default_rng(4)
    digits = np.zeros((count, 81), np.uint8)
    digits[:, ::3] = rng.integers(1, 10, (count, 27))
    kinds = np.full((count, 81), EMPTY)
    kinds[:, ::9], kinds[:, 3::9], kinds[:, 6::9] = PRINTED, HANDWRITTEN, UNKNOWN
    return RealCells(
        rng.integers(0, 256, (count, 2, 81, 32, 32), np.uint8),
        digits,
        np.array(["donshel"] * count),
        np.arange(count) % FOLDS,
        np.array([f"{number}.jpg" for number in range(count)]),
        kinds,
    )


def test_who_wrote_a_digit_stays_open_where_nobody_labelled_it() -> None:
    boards = real_boards(make_real(2))

    assert boards.cells.shape == (4, 81, 32, 32)
    allowed = [boards.target[..., part].sum(axis=-1) for part in (PRINT, HAND)]
    for first, kinds in ((0, [1, 0]), (3, [0, 1]), (6, [1, 1]), (1, [0, 0]), (4, [0, 0])):
        for one, kind in zip(allowed, kinds, strict=True):
            assert (one[:, first::9] == kind).all()
    assert (boards.target[:, 1::3, 0] == 1).all()


def test_photos_of_a_fold_are_left_out_cut_by_cut() -> None:
    real = make_real(4)
    folds = np.repeat(real.fold, 2)  # two cuts of each, which are looked at twice
    seen = {"seen": np.concatenate([folds, folds])}

    for fold in range(FOLDS):
        learnt = leave_out(fold, seen, real)["seen"]

        assert fold not in learnt
        assert len(learnt) == 2 * 2 * (real.fold != fold).sum()


def test_what_is_taught_alone_tells_what_the_whole_network_does() -> None:
    import keras

    from models.digits import build_board_net

    network = build_board_net()
    cells = np.random.default_rng(2).uniform(-1, 1.5, (81, 32, 32, 1)).astype(np.float32)
    seen = network.get_layer(index=_find_features(network)).output

    told = _block_of(network)(keras.Model(network.input, seen)(cells)[None])

    np.testing.assert_allclose(np.asarray(told), np.asarray(network(cells)), atol=1e-5)


def test_real_photos_change_only_what_sees_cells_beside_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import keras

    from models.digits import build_board_net

    keep_small(tmp_path / "pools", make_boards(2))
    before = build_board_net()
    before.save(tmp_path / "look.keras")
    monkeypatch.setattr(train_real_boards, "load_real_cells", lambda *_: make_real(3))
    monkeypatch.setattr(train_real_boards, "FOLDS", 0)
    recipe = RealBoardRecipe(
        out=tmp_path / "kinds",
        samples=tmp_path / "pools",
        init=tmp_path / "look.keras",
        data_root=tmp_path,
        small=200,
        steps=2,
        batch=4,
        rate=10.0,
        temperature=1.0,
    )

    with training_eagerly():
        exported = train_real_boards.train(recipe)

    assert exported == tmp_path / "kinds-boards.tflite"
    after = keras.saving.load_model(exported.with_suffix(".keras"), compile=False)
    features = _find_features(before)
    are_alike = [
        all(
            np.allclose(weight, other, atol=1e-2)
            for weight, other in zip(layer.get_weights(), new.get_weights(), strict=True)
        )
        for layer, new in zip(before.layers, after.layers, strict=True)
    ]
    assert all(are_alike[:features])
    assert not all(are_alike[features:])
