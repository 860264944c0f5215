import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from solver.generation.generate import GenerateOptions, generate_puzzles
from solver.grid import format_grid
from solver.symmetry import fingerprints, random_transformation
from training.grids import published_puzzles
from training.grids.published_puzzles import PuzzleFileError, load_puzzles


@pytest.fixture(scope="module")
def puzzles() -> list[tuple[str, str]]:
    """Puzzles of 30 clues and their solutions, with dots for empty cells."""
    made = generate_puzzles(7, GenerateOptions(clues=30), seed=1)
    return [
        (format_grid(puzzle), format_grid(solution))
        for puzzle, solution in zip(made.puzzles, made.solutions, strict=True)
    ]


def zeros(puzzle: str) -> str:
    return puzzle.replace(".", "0")


def lines_of(form: str, puzzles: list[tuple[str, str]]) -> list[str]:
    """Write the puzzles as the file of this form has them."""
    if form == "1M":
        return ["quizzes,solutions", *(f"{zeros(p)},{s}" for p, s in puzzles)]
    if form == "9M":
        return ["puzzle,solution", *(f"{zeros(p)},{s}" for p, s in puzzles)]
    if form == "3M":
        rows = [f"{i},{p},{s},30,{i / 2}" for i, (p, s) in enumerate(puzzles, start=1)]
        return ["id,puzzle,solution,clues,difficulty", *rows]
    return ["quizzes,solutions,clue_numbers", *(f"{zeros(p)},{s},30" for p, s in puzzles)]


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["1M", "9M", "3M", "4M"])
@pytest.mark.parametrize("is_packed", [False, True])
def test_each_form_is_read_plain_and_packed(
    tmp_path: Path, puzzles: list[tuple[str, str]], form: str, is_packed: bool
) -> None:
    path = write(tmp_path / "puzzles.csv", lines_of(form, puzzles))
    if is_packed:
        packed = path.with_suffix(".csv.gz")
        packed.write_bytes(gzip.compress(path.read_bytes()))
        path = packed

    found = load_puzzles(path)

    assert [format_grid(grid.reshape(9, 9)) for grid in found.clues] == [p for p, _ in puzzles]
    assert [format_grid(grid.reshape(9, 9)) for grid in found.solutions] == [s for _, s in puzzles]


def test_a_file_is_read_block_by_block(
    tmp_path: Path, puzzles: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "puzzles.csv", lines_of("3M", puzzles))

    monkeypatch.setattr(published_puzzles, "_LINES_AT_ONCE", 3)

    assert len(load_puzzles(path).clues) == 7


def test_windows_line_ends_and_blank_lines_do_no_harm(
    tmp_path: Path, puzzles: list[tuple[str, str]]
) -> None:
    path = tmp_path / "puzzles.csv"
    path.write_bytes(
        "\r\n".join(["\ufeffpuzzle,solution", *lines_of("9M", puzzles)[1:], ""]).encode()
    )

    assert len(load_puzzles(path).clues) == len(puzzles)


def test_puzzles_of_test_files_are_left_out_in_whatever_disguise(
    tmp_path: Path, puzzles: list[tuple[str, str]]
) -> None:
    path = write(tmp_path / "puzzles.csv", lines_of("9M", puzzles))
    whole = load_puzzles(path)
    disguised = random_transformation(3).apply(whole.clues[4].reshape(9, 9)).reshape(1, 81)
    excluded = set(fingerprints(disguised).tolist())

    kept = load_puzzles(path, excluded=excluded)

    np.testing.assert_array_equal(kept.clues, np.delete(whole.clues, 4, axis=0))
    np.testing.assert_array_equal(kept.solutions, np.delete(whole.solutions, 4, axis=0))


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda p, s: f"{p[:-1]},{s},30", "is no grid of 81 digits and dots"),
        (lambda p, s: f"{p},{s}1,30", "is no grid of 81 digits and dots"),
        (lambda p, s: f"ä{p[1:]},{s},30", "is no grid of 81 digits and dots"),
        (lambda p, s: f"{p},{s[1:]}{s[0]},30", "breaks a rule or changes a clue"),
        (lambda p, s: f"{p},{p},30", "breaks a rule or changes a clue"),
        (lambda p, s: p, "'' is no grid"),
    ],
)
def test_a_bad_line_is_refused_by_its_number_and_with_what_to_do(
    tmp_path: Path, puzzles: list[tuple[str, str]], spoil: Callable[[str, str], str], complaint: str
) -> None:
    lines = lines_of("4M", puzzles)
    lines[5] = spoil(*puzzles[4])
    path = write(tmp_path / "puzzles.csv", lines)

    with pytest.raises(PuzzleFileError, match=f"puzzles.csv:6: .*{complaint}.*; take the line out"):
        load_puzzles(path)


def test_a_file_that_does_not_name_its_columns_is_refused(
    tmp_path: Path, puzzles: list[tuple[str, str]]
) -> None:
    path = write(tmp_path / "puzzles.csv", lines_of("4M", puzzles)[1:])

    with pytest.raises(PuzzleFileError, match=r"puzzles\.csv:1: .*add that line"):
        load_puzzles(path)


def test_puzzle_and_solution_need_no_names(tmp_path: Path, puzzles: list[tuple[str, str]]) -> None:
    lines = lines_of("9M", puzzles)[1:]
    path = write(tmp_path / "puzzles.csv", lines)
    spoiled = write(tmp_path / "spoiled.csv", [*lines[:2], "1,2"])

    assert len(load_puzzles(path).clues) == len(puzzles)
    with pytest.raises(PuzzleFileError, match=r"spoiled\.csv:3: '1' is no grid"):
        load_puzzles(spoiled)
