import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from puzzles import DEEP, EASY_SOLUTION, HARD

from solver.base import Limits, Status
from solver.exact.bitmask import BitmaskSolver, count_solutions, find_solutions
from solver.exact.rule_search import search_rules
from solver.grid import Grid, check_solution, parse_grid, read_puzzles
from solver.rules import box_rules

SAMPLE = 150
"""Puzzles of a file, spread over it."""


def read_file(path: Path) -> Iterator[tuple[Grid, str]]:
    with path.open(encoding="utf-8") as lines:
        for item in read_puzzles(lines):
            assert item.grid is not None, f"{path.name} line {item.number}: {item.error}"
            yield item.grid, item.text


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "clues17.txt",
        "exchange_easy.csv",
        "exchange_hard.csv",
        "exchange_medium.csv",
        "gen_minimal_20k.txt",
        "hardest_1106.txt",
        "hardest_1905_se11.txt",
        "kaggle.csv",
        "norvig_hardest11.txt",
        "se_rated.csv",
        "top1465.txt",
        "top95.txt",
    ],
)
def test_the_puzzles_of_the_collections_are_solved(shared_data: Path, name: str) -> None:
    path = shared_data / "puzzles" / name
    solver = BitmaskSolver()
    puzzles = list(read_file(path))
    with path.open(encoding="utf-8") as lines:
        seconds = [line.strip().split(",")[1] for line in lines if "," in line]
    chosen = range(0, len(puzzles), max(1, len(puzzles) // SAMPLE))

    for number in chosen:
        result = solver.solve(puzzles[number][0], Limits())

        assert result.status is Status.SOLVED
        if seconds and len(seconds[number]) == 81:
            np.testing.assert_array_equal(result.solution, parse_grid(seconds[number]))
    assert len(chosen) > 10


def test_every_ambiguous_puzzle_is_told_with_two_right_solutions(shared_data: Path) -> None:
    solver = BitmaskSolver()
    for clues, _ in read_file(shared_data / "puzzles" / "many_solutions.txt"):
        result = solver.solve(clues, Limits())

        assert result.status is Status.AMBIGUOUS
        assert (result.examples[0] != result.examples[1]).any()
        assert not any(check_solution(clues, example) for example in result.examples)


def test_counts_agree_with_another_search(shared_data: Path) -> None:
    for clues, _ in list(read_file(shared_data / "puzzles" / "many_solutions.txt"))[::100]:
        other = search_rules(box_rules(9), clues.ravel().tolist(), 20)

        assert count_solutions(clues, 20) == other.found


def test_labelled_photos_have_the_number_of_solutions_on_their_label(shared_data: Path) -> None:
    with (shared_data / "photos" / "photos.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    counts = [count_solutions(parse_grid(row["puzzle"])) for row in rows]

    assert counts == [int(row["n_solutions"]) for row in rows]


def test_solutions_are_all_different_and_all_there_are() -> None:
    clues = parse_grid("." * 9 + EASY_SOLUTION[9:27] + "." * 9 + EASY_SOLUTION[36:])

    found = find_solutions(clues, limit=50)

    assert len({solution.tobytes() for solution in found}) == len(found)
    assert len(found) == search_rules(box_rules(9), clues.ravel().tolist(), 50).found
    assert not any(check_solution(clues, solution) for solution in found)


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="limit must be at least 1, got 0"):
        count_solutions(parse_grid(HARD), 0)


def test_the_clock_that_is_given_ends_the_search() -> None:
    ticks = iter(range(1000))
    solver = BitmaskSolver(clock=lambda: float(next(ticks)))

    result = solver.solve(parse_grid(HARD), Limits(seconds=5.5))

    assert result.status is Status.GAVE_UP
    assert result.note == "a limit was met"
    assert result.effort.nodes == 6


def test_clues_that_contradict_each_other_in_the_depth_take_few_nodes() -> None:
    result = BitmaskSolver().solve(parse_grid(DEEP), Limits(nodes=5_000))

    assert result.status is Status.UNSOLVABLE
