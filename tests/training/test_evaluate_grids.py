"""The evaluation of networks counts what became of each puzzle, and what it cost."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from puzzles import EASY, HARD, NO_SOLUTION, TWO_SOLUTIONS

from models.engine import Booleans, Float32
from models.grids import Digits, mask_probabilities
from solver.base import Limits
from solver.generation.generate import generate_puzzles
from solver.grid import parse_grid
from solver.neural.filling_policy import Filling, OnePass
from solver.neural.network_solver import Guided
from training.evaluation import grid_networks as evaluate_grids
from training.evaluation.grid_networks import (
    PLAYERS,
    PuzzleSet,
    main,
    measure,
    name_puzzles,
    read_file,
    summarize,
)


class Knowing:
    """Knows the solutions of the puzzles it may be asked, and errs in one cell if it shall."""

    name = "knowing"
    parameters = 1234

    def __init__(self, puzzles: PuzzleSet, wrong_cell: int | None = None) -> None:
        self.puzzles = puzzles
        self.wrong_cell = wrong_cell

    def judge(self, grids: Digits, candidates: Booleans, seed: int = 0) -> Float32:
        answers = np.full((len(grids), 81, 9), 1e-4, np.float32)
        for grid, answer in zip(grids, answers, strict=True):
            fits = ((self.puzzles.solutions == grid) | (grid == 0)).all(axis=1)
            solution = self.puzzles.solutions[int(fits.argmax())]
            answer[np.arange(81), solution - 1] = 1
            if self.wrong_cell is not None:
                answer[self.wrong_cell, solution[self.wrong_cell] - 1] = 0
        return mask_probabilities(answers, candidates)


def puzzles_of(*texts: str, name: str = "puzzles") -> PuzzleSet:
    return name_puzzles(name, np.stack([parse_grid(text).ravel() for text in texts]))


def test_a_network_that_knows_everything_scores_everything() -> None:
    puzzles = puzzles_of(EASY, HARD)

    for policy in (OnePass(), Filling("network-many", sure=0.99), Guided()):
        summary = summarize(measure(Knowing(puzzles), policy, puzzles, Limits(), 8))

        assert summary["n"] == 2
        assert summary["cells %"] == summary["empty cells %"] == summary["whole %"] == 100
        assert summary["wrong"] == 0


def test_a_wrong_cell_costs_the_puzzle_and_its_cell() -> None:
    puzzles = puzzles_of(HARD)
    # Every empty cell of this network's answer is right but one; the clues are 21.
    empty = int(np.flatnonzero(puzzles.clues[0] == 0)[1])

    scores = measure(Knowing(puzzles, empty), OnePass(), puzzles, Limits(), 8)

    summary = summarize(scores)
    assert summary["whole %"] == 0
    assert summary["wrong"] == 0  # it is known not to be the solution, so nothing is claimed
    assert summary["empty cells %"] == pytest.approx(100 * 59 / 60)
    assert summary["cells %"] == pytest.approx(100 * 80 / 81)


def test_a_puzzle_with_two_solutions_is_right_where_that_is_said() -> None:
    puzzles = puzzles_of(EASY, TWO_SOLUTIONS)

    scores = measure(Knowing(puzzles), Guided(), puzzles, Limits(), 8)

    assert puzzles.counts.tolist() == [1, 2]
    assert scores.counts["decided"].all()
    assert not scores.counts["wrong"].any()


def test_passes_and_guesses_are_counted_and_limited() -> None:
    puzzles, filling = puzzles_of(EASY, HARD), Filling("network-iterative", stops_early=False)
    network = Knowing(puzzles)

    filled = summarize(measure(network, filling, puzzles, Limits(), 8))
    guided = measure(network, Guided(), puzzles, Limits(), 8).counts
    cut = measure(network, filling, puzzles_of(HARD), Limits(iterations=10), 8).counts

    assert filled["passes"] == (51 + 60) / 2
    assert guided["passes"].tolist() == [0, 1]
    assert guided["guesses"].tolist() == guided["taken back"].tolist() == [0, 0]
    assert cut["passes"].tolist() == cut["right"].tolist() == [10]
    assert not cut["decided"].any()


def test_a_sample_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    made = generate_puzzles(20, seed=1).puzzles.reshape(-1, 81)
    file = tmp_path / "made.txt"
    file.write_text("\n".join("".join(map(str, clues)) for clues in made.tolist()))

    one, same, other = (read_file(file, 5, seed).clues.tolist() for seed in (1, 1, 2))

    assert len(one) == 5
    assert one == same != other
    assert read_file(file, None).clues.tolist() == made.tolist()


@pytest.fixture
def run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """Measures a network that knows some puzzles by the command, and returns what is printed."""

    def run_main(texts: Sequence[str], *options: str) -> str:
        file = tmp_path / "some.txt"
        file.write_text("\n".join(texts))
        network = Knowing(puzzles_of(*texts))
        monkeypatch.setattr(evaluate_grids, "load_network", lambda name: network)
        assert main(["--files", str(file), *options]) == 0
        return capsys.readouterr().out

    return run_main


def test_the_command_prints_a_row_for_each_policy(run: Callable[..., str]) -> None:
    policies = ("--policy", "network-once", "--policy", "network-guided")

    printed = run([EASY, HARD], *policies, "--network", "x.tflite")

    assert "knowing: 1,234 parameters" in printed
    assert "| knowing | network-once | some | 2 | 100.00 | 100.00 | 100.00 | 0 | 1.00 |" in printed
    assert "| knowing | network-guided | some | 2 |" in printed


@pytest.mark.parametrize("policy", ["deep-iterative", "alpha-sudoku"])
def test_a_network_can_be_measured_in_the_solvers_of_the_literature(
    run: Callable[..., str], policy: str
) -> None:
    printed = run([EASY, HARD, TWO_SOLUTIONS], "--policy", policy)

    row = next(line for line in printed.splitlines() if policy in line).split(" | ")
    assert f"| knowing | {policy} | some | 3 | 100.00 | 100.00 | 100.00 | 0 |" in printed
    assert float(row[8]) > 0  # passes
    assert float(row[10]) == 0  # guesses


def test_a_tree_search_without_end_leaves_a_puzzle_open() -> None:
    puzzles = puzzles_of(HARD, NO_SOLUTION)
    solver = PLAYERS["alpha-sudoku"]

    scores = measure(Knowing(puzzles_of(EASY)), solver, puzzles, Limits(iterations=1), 8)

    assert scores.policy == "alpha-sudoku"
    assert scores.counts["decided"].tolist() == [0, 1]
    assert scores.counts["right"][0] == 0
    assert not scores.counts["wrong"].any()


@pytest.mark.parametrize(("kind", "clues"), [("classic", "8"), ("jigsaw", "18")])
def test_the_same_weights_solve_smaller_grids_and_easy_jigsaws(
    kind: str, clues: str, keras: object, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["--kind", kind, "--side", "6", "--clues", clues, "--sample", "10"])

    *_, whole, _ = capsys.readouterr().out.splitlines()[-1].split("|")
    assert code == 0
    assert float(whole) >= 80


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        ("--side 4 --sample 1 --network grid.tflite", 4, "name a .keras file"),
        ("--files absent.txt", 3, "absent.txt"),
    ],
)
def test_what_is_missing_is_named(
    command: str, code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.split()) == code
    assert told in capsys.readouterr().err
