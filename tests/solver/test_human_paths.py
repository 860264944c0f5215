"""Whole paths: every step of real puzzles is held against the solution."""

import random
import re
from functools import lru_cache
from pathlib import Path

import pytest

from solver.grid import parse_grid, read_puzzles
from solver.human.position import Technique
from solver.human.reasons import explain
from solver.human.technique_engine import Options, TechniqueOrder
from solver.human.walk import rate, solve_path
from training.evaluation.human_techniques import TimedPath, spearman, walk

MINIMAL = (
    "6..8........9.1.2..24.......9...81..5..3..68......7...4.3...5...5...2.71.........",
    ".7....19...5....8.9......3....69..17.2..53.......12.6..3..2.87.7.8..6....4......6",
    "....352.4...2..........6.3...8.9.4.64....392...5..83..72.....8...3.7..1...68.....",
    "4.1....76.....1....26.8.5...6..23.4.1.....9..34...........4...52..7...........892",
    "8..56.....43.7...51......2.93..2..8...8.9..5..7.8....1........8...2..419.....6...",
    ".1.9.6.....9.1...4..32....91.....8...2.35.4...8...1.73....2.........43..7.18.9...",
    ".7..5...11...23..5.2..7.3.........7.73.8.......5...6.....76.8....49......9...5.3.",
    ".3.....6......62..6...4.9.725.......8..7......9..8..15......4....1..3...7...2.8..",
    "8.....6......72..3.1.8...749...57...2..9.......632.........4356.....9...54..6..8.",
)
"""Minimal puzzles that this project generated, whose paths meet nearly every technique."""

RARE = {
    Technique.DIRECT_CLAIMING,
    Technique.HIDDEN_QUAD,
    Technique.REMOTE_PAIR,
    Technique.DYNAMIC_FORCING_PLUS,
}

SAMPLES = {
    "exchange_easy.csv": 20,
    "exchange_medium.csv": 20,
    "exchange_hard.csv": 20,
    "se_rated.csv": 16,
    "top95.txt": 4,
    "clues17.txt": 16,
    "gen_minimal_20k.txt": 12,
    "hardest_1106.txt": 5,
    "hardest_1905_se11.txt": 5,
}


@lru_cache
def walk_of(text: str, order: TechniqueOrder) -> TimedPath:
    """Return a path that several tests look at."""
    return walk(parse_grid(text), order)


@pytest.mark.slow
@pytest.mark.parametrize("order", TechniqueOrder)
@pytest.mark.parametrize("text", MINIMAL)
def test_every_step_is_true_and_new(text: str, order: TechniqueOrder) -> None:
    walked = walk_of(text, order)

    assert walked.unsound == ()
    assert walked.is_solved


@pytest.mark.slow
def test_nearly_every_technique_is_met() -> None:
    met = {
        step.technique
        for text in MINIMAL
        for order in TechniqueOrder
        for step in walk_of(text, order).steps
    }

    assert {one for one in Technique if one.rating} - met <= RARE


@pytest.mark.slow
@pytest.mark.parametrize("order", TechniqueOrder)
def test_without_uniqueness_its_techniques_are_not_used(order: TechniqueOrder) -> None:
    banned = re.compile(r"unique|rectangle|BUG")
    used = {
        step.technique.label
        for text in MINIMAL[::2]
        for step in solve_path(parse_grid(text), Options(order, assume_unique=False)).steps
    }

    assert not [label for label in used if banned.search(label)]


def test_sentences_name_cells_by_row_and_column_and_end() -> None:
    for text in MINIMAL:
        for step in walk_of(text, TechniqueOrder.TEACHING).steps:
            told = explain(step)
            assert re.search(r"\br[1-9]c[1-9]\b", told)
            assert told.endswith(".")
            assert "{" not in told
            assert step.cells == tuple(sorted(set(step.cells)))
            for _, digit in (*step.placements, *step.eliminations):
                assert 1 <= digit <= 9


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_walked_without_a_false_step(name: str, shared_data: Path) -> None:
    with (shared_data / "puzzles" / name).open(encoding="utf-8") as lines:
        grids = [item.grid for item in read_puzzles(lines) if item.grid is not None]

    walks = [
        walk(clues, order)
        for clues in random.Random(7).sample(grids, SAMPLES[name])
        for order in TechniqueOrder
    ]

    assert [walked.unsound for walked in walks if walked.unsound] == []
    if not name.startswith("hardest"):
        assert sum(walked.is_solved for walked in walks) >= 0.95 * len(walks)


@pytest.mark.slow
def test_ratings_agree_with_sudoku_explainer(shared_data: Path) -> None:
    lines = (shared_data / "puzzles" / "se_rated.csv").read_text(encoding="utf-8").splitlines()
    sample = [line.split(",") for line in random.Random(3).sample(lines, 25)]

    scores = [rate(parse_grid(text)).score for text, _ in sample]

    assert spearman(scores, [float(se) for _, se in sample]) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("exchange_easy.csv", 0.0, 1.5),
        ("exchange_medium.csv", 1.5, 2.5),
        ("exchange_hard.csv", 2.5, 5),
    ],
)
def test_ratings_fall_into_the_classes_of_the_exchange(
    name: str, low: float, high: float, shared_data: Path
) -> None:
    lines = (shared_data / "puzzles" / name).read_text(encoding="utf-8").splitlines()
    sample = random.Random(3).sample(lines, 30)

    scores = [rate(parse_grid(line.split(",")[0])).score for line in sample]

    assert sum(low <= score < high for score in scores) >= 0.9 * len(scores)
