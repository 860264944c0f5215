"""The digit reader's contract: what goes in, what comes out, and what must not change it."""

import sys
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from models.digits import CLASSES, DigitReader, merge_kinds, normalise_cells
from models.engine import EngineError, EngineKind, UInt8, load_engine


def draw_seven(paper: int = 230, ink: int = 40) -> UInt8:
    """Return one cell with a plain printed 7, (1, 32, 32) uint8."""
    cell = np.full((1, 32, 32), paper, np.uint8)
    cell[0, 8:11, 10:22] = ink
    for step in range(14):
        column = 20 - step // 2
        cell[0, 10 + step, column : column + 3] = ink
    return cell


@pytest.fixture(scope="module")
def reader() -> DigitReader:
    return DigitReader.load()


def test_paper_becomes_zero_and_ink_one() -> None:
    normal = normalise_cells(draw_seven())

    assert normal.shape == (1, 32, 32, 1)
    assert normal.dtype == np.float32
    assert normal[0, 2, 2, 0] == 0
    assert normal[0, 9, 12, 0] == 1


@given(paper=st.integers(140, 250), contrast=st.integers(40, 130))
@example(paper=30, contrast=-190)
def test_neither_light_nor_white_on_dark_changes_a_clear_cell(paper: int, contrast: int) -> None:
    expected = normalise_cells(draw_seven())

    actual = normalise_cells(draw_seven(paper, paper - contrast))

    np.testing.assert_allclose(actual, expected, atol=1e-6)


def test_noise_of_an_empty_cell_is_not_stretched_into_ink() -> None:
    noise = np.random.default_rng(0).normal(200, 3, (50, 32, 32)).astype(np.uint8)

    normal = normalise_cells(noise)

    assert np.abs(normal).max() < 0.8
    assert normal.std() < 0.2


@pytest.mark.parametrize("count", [1, 7, 81, 162])
def test_every_row_is_a_distribution_whatever_their_number(reader: DigitReader, count: int) -> None:
    cells = np.random.default_rng(count).integers(0, 256, (count, 32, 32), dtype=np.uint8)

    likely = reader.read(cells)

    assert likely.shape == (count, CLASSES)
    assert likely.dtype == np.float32
    assert likely.min() >= 0
    np.testing.assert_allclose(likely.sum(axis=1), 1, atol=1e-5)


def test_a_cell_reads_the_same_alone_and_among_others(reader: DigitReader) -> None:
    cells = np.random.default_rng(3).integers(0, 256, (81, 32, 32), dtype=np.uint8)
    cells[40] = draw_seven()[0]

    together, alone = reader.read(cells)[40], reader.read(cells[40:41])[0]

    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_a_clear_seven_and_a_white_cell_are_read(reader: DigitReader) -> None:
    cells = np.concatenate([draw_seven(), np.full((1, 32, 32), 240, np.uint8)])

    likely = merge_kinds(reader.read(cells))

    assert likely.argmax(axis=1).tolist() == [7, 0]


def test_merging_kinds_adds_printed_and_handwritten() -> None:
    likely = np.zeros((1, CLASSES), np.float32)
    likely[0, [0, 4, 13]] = 0.2, 0.5, 0.3

    merged = merge_kinds(likely)

    assert merged.shape == (1, 10)
    np.testing.assert_allclose(merged[0, [0, 4]], [0.2, 0.8], atol=1e-6)


@pytest.mark.parametrize("kind", ["litert", "keras"])
def test_missing_weights_say_what_to_do(kind: EngineKind, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"are not in .*; name other weights, or train"):
        load_engine("digits", kind, folder=tmp_path)


def test_missing_weights_of_ours_are_a_broken_installation() -> None:
    with pytest.raises(EngineError, match=r"are not in .*; reinstall sudoku-lens, or train"):
        load_engine("no_such_network")


@pytest.mark.parametrize("kind", ["litert", "keras"])
def test_broken_weights_say_what_to_do(kind: EngineKind, tmp_path: Path) -> None:
    suffix = {"litert": ".tflite", "keras": ".keras"}[kind]
    (tmp_path / f"digits{suffix}").write_bytes(b"not a network")

    with pytest.raises(EngineError, match=r"cannot be read .*; name other weights") as refused:
        load_engine("digits", kind, folder=tmp_path)

    assert "not found" not in str(refused.value)


def test_the_network_opens_where_there_is_no_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)

    reader = DigitReader.load()

    assert reader.read(draw_seven()).shape == (1, CLASSES)


def test_opening_the_network_writes_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    DigitReader.load()

    captured = capfd.readouterr()

    assert (captured.out, captured.err) == ("", "")


@pytest.mark.parametrize(
    ("module", "kind", "advice"),
    [
        ("ai_edge_litert.interpreter", "litert", "pip install ai-edge-litert"),
        ("keras", "keras", r"sudoku-lens\[train\]"),
    ],
)
def test_a_missing_package_says_what_to_install(
    module: str, kind: EngineKind, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)  # what Python keeps for "not importable"

    with pytest.raises(EngineError, match=advice):
        load_engine("digits", kind)


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(ValueError, match="got 'onnx'"):
        load_engine("digits", cast(EngineKind, "onnx"))
