"""The hand-weighted network: its rules are sound, its forms agree, and bad files are refused."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from arrays import Float32
from command_rig import run_python

from models.constraint import KerasSearch, LiteRtSearch, NetworkSearch, Runner, begin_search
from models.engine import WEIGHTS_DIR, EngineError
from solver.generation.generate import GenerateOptions, generate_puzzles
from solver.layout import LAYOUTS

ROWS, COLUMNS, BOXES = LAYOUTS[9].rows, LAYOUTS[9].columns, LAYOUTS[9].boxes


@pytest.fixture(scope="module")
def rules(keras: object) -> Any:
    from models.constraint_net import build_rules_net

    return build_rules_net()


def sweep(rules: Any, candidates: Float32) -> Float32:
    """Apply the rules once to (9, 81) candidates."""
    return np.asarray(rules(candidates[None, :, None]))[0, :, 0]


def all_candidates() -> Float32:
    return np.ones((9, 81), np.float32)


def test_both_forms_agree_on_puzzles_and_solve_as_many(keras: object) -> None:
    from models.export import PARITY
    from training.grids.export_constraint import compare, sample_puzzles

    puzzles = sample_puzzles(64)
    forms: tuple[Runner, Runner] = (LiteRtSearch(), KerasSearch())

    one, other = (form.run(begin_search(puzzles), 64).counts for form in forms)

    assert compare(*forms, puzzles) < PARITY
    np.testing.assert_array_equal(one, other)
    assert (np.bincount(one, minlength=3) > 0).all()


def test_a_form_that_differs_is_noticed() -> None:
    from training.grids.export_constraint import compare, sample_puzzles

    class Wrong:
        def run(self, state: NetworkSearch, rounds: int) -> NetworkSearch:
            right = LiteRtSearch().run(state, rounds)
            return NetworkSearch(right.levels, right.solutions, right.tally + np.float32(0.001))

    assert compare(LiteRtSearch(), Wrong(), sample_puzzles(2)) > 1e-4


def test_a_search_in_many_runs_is_the_search_in_one() -> None:
    from training.grids.export_constraint import sample_puzzles

    network, puzzles = LiteRtSearch(), sample_puzzles(16)

    whole = network.run(begin_search(puzzles), 30)
    parts = begin_search(puzzles)
    for _ in range(30):
        parts = network.run(parts, 1)

    for left, right in zip(whole.arrays(), parts.arrays(), strict=True):
        np.testing.assert_array_equal(left, right)


def test_a_sweep_strikes_nothing_that_the_solution_needs(rules: Any) -> None:
    made = generate_puzzles(64, GenerateOptions(), seed=4)
    x = np.minimum(begin_search(made.puzzles.reshape(-1, 81)).levels, 1)
    needed = made.solutions.reshape(-1, 1, 1, 81) == np.arange(1, 10)[:, None, None]

    before = x.sum()
    for _ in range(6):
        x = np.asarray(rules(x))

    assert (x[needed] == 1).all()
    assert x.sum() < before / 2
    assert set(np.unique(x)) == {0, 1}


def test_a_naked_single_is_struck_from_its_peers(rules: Any) -> None:
    x = all_candidates()
    x[:, 40] = 0
    x[6, 40] = 1

    left = sweep(rules, x)

    peers = sorted({*ROWS[4], *COLUMNS[4], *BOXES[4]} - {40})
    assert left[6, peers].sum() == 0
    assert left.sum() == x.sum() - 20


@pytest.mark.parametrize("unit", [ROWS[2], COLUMNS[7], BOXES[3]])
def test_a_hidden_single_is_placed(rules: Any, unit: npt.NDArray[np.intp]) -> None:
    x = all_candidates()
    x[3, unit[1:]] = 0

    left = sweep(rules, x)

    assert left[:, unit[0]].tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("box", [0, 4, 8])
@pytest.mark.parametrize("lines", [ROWS, COLUMNS])
@pytest.mark.parametrize("is_locked_by_line", [False, True])
def test_a_digit_that_a_box_and_a_line_lock_in_one_another_leaves_the_rest_of_the_other(
    rules: Any, lines: npt.NDArray[np.intp], box: int, *, is_locked_by_line: bool
) -> None:
    line = next(set(line) for line in lines if set(line) & set(BOXES[box]))
    locking, other = set(BOXES[box]), line
    if is_locked_by_line:
        locking, other = other, locking
    x = all_candidates()
    x[7, sorted(locking - other)] = 0

    left = sweep(rules, x)

    assert left[7, sorted(other - locking)].sum() == 0
    assert left.sum() == x.sum() - 6


@pytest.mark.parametrize("unit", [ROWS[5], COLUMNS[0], BOXES[8]])
@pytest.mark.parametrize("pair", [(0, 1), (2, 7), (7, 8)])
def test_a_naked_pair_is_struck_from_the_rest_of_its_unit(
    rules: Any, unit: npt.NDArray[np.intp], pair: tuple[int, int]
) -> None:
    first, second, *others = unit[[0, 4, 1, 2, 3, 5, 6, 7, 8]]
    x = all_candidates()
    x[:, [first, second]] = 0
    for digit in pair:
        x[digit, [first, second]] = 1

    left = sweep(rules, x)

    for digit in range(9):
        assert left[digit, others].sum() == (0 if digit in pair else 7)
        assert left[digit, [first, second]].sum() == (2 if digit in pair else 0)


def test_both_files_are_small() -> None:
    files = list(WEIGHTS_DIR.glob("constraint.*"))

    assert {path.suffix for path in files} == {".keras", ".tflite"}
    assert sum(path.stat().st_size for path in files) <= 200_000


def test_a_missing_file_is_named_with_what_to_do(tmp_path: Path, keras: object) -> None:
    for form in (LiteRtSearch, KerasSearch):
        with pytest.raises(EngineError, match=r"constraint\.x is not in .*export_constraint"):
            form(tmp_path / "constraint.x")


def test_a_damaged_archive_is_refused(tmp_path: Path, keras: object) -> None:
    """An archive of something else, and the network's own with bytes of a member or all its end."""
    with zipfile.ZipFile(tmp_path / "letter.keras", "w") as archive:
        archive.writestr("letter.txt", "This is no network.")
    whole = WEIGHTS_DIR / "constraint.keras"
    with zipfile.ZipFile(whole) as archive:
        member = archive.getinfo("config.json")
    start = member.header_offset + 30 + len(member.filename)
    intact = whole.read_bytes()
    damaged = bytearray(intact)
    damaged[start + 20 : start + 60] = bytes(40)
    (tmp_path / "damaged.keras").write_bytes(damaged)
    with zipfile.ZipFile(tmp_path / "packed.keras", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("config.json", "{}" * 1000)
    packed = bytearray((tmp_path / "packed.keras").read_bytes())
    packed[45:50] = b"\xff" * 5
    (tmp_path / "packed.keras").write_bytes(packed)
    (tmp_path / "short.keras").write_bytes(intact[: len(intact) // 2])

    for name in ("letter", "damaged", "packed", "short"):
        with pytest.raises(EngineError, match=rf"{name}\.keras cannot be read .*reinstall"):
            KerasSearch(tmp_path / f"{name}.keras")


@pytest.mark.parametrize("form", ["LiteRtSearch", "KerasSearch"])
def test_loading_and_running_write_nothing(form: str, keras: object) -> None:
    code = (
        "import numpy as np\n"
        f"from models.constraint import {form}, begin_search\n"
        f"network = {form}()\n"
        "for n in (1, 3):\n"
        "    network.run(begin_search(np.zeros((n, 81), np.uint8)), 2)\n"
    )

    done = run_python("-c", code, check=True)

    assert (done.stdout, done.stderr) == ("", "")


def test_a_file_of_something_else_is_refused(tmp_path: Path, keras: object) -> None:
    (tmp_path / "letter").write_bytes(b"This is no network.")

    for form in (LiteRtSearch, KerasSearch):
        with pytest.raises(EngineError, match="letter cannot be read"):
            form(tmp_path / "letter")
    with pytest.raises(EngineError, match="is no network that searches"):
        LiteRtSearch(WEIGHTS_DIR / "digits.tflite")
    with pytest.raises(EngineError, match="is no network that searches"):
        KerasSearch(WEIGHTS_DIR / "digits.keras")
