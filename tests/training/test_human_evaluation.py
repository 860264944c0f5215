"""The measurement of the technique engine."""

import math
from pathlib import Path

import pytest
from puzzles import EASY, EASY_SOLUTION

from solver.generation.generate_kinds import KindOptions
from solver.grid import parse_grid
from solver.human.position import Position, Step, Technique
from solver.human.technique_engine import TechniqueOrder
from solver.rules import Kind
from training.evaluation import human_techniques
from training.evaluation.human_techniques import (
    is_sound,
    main,
    measure_file,
    measure_kind,
    spearman,
    walk,
)


def test_spearman_looks_at_order_only_and_shares_ranks_among_equals() -> None:
    assert spearman([1, 2, 3, 4], [10, 100, 1000, 10000]) == pytest.approx(1)
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
    # Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: covariance 4.5 over the root of 4.5 times 5.
    assert spearman([1, 2, 2, 3], [1, 2, 3, 4]) == pytest.approx(4.5 / (4.5 * 5) ** 0.5)
    assert math.isnan(spearman([1, 1], [1, 2]))


@pytest.mark.parametrize(
    ("placements", "eliminations", "verdict"),
    [
        (((2, 4),), (), True),
        (((2, 1),), (), False),
        ((), ((2, 1),), True),
        ((), ((2, 4),), False),
        ((), ((2, 9),), False),
        ((), (), False),
    ],
)
def test_a_step_is_sound_if_it_is_true_and_changes_something(
    placements: tuple[tuple[int, int], ...],
    eliminations: tuple[tuple[int, int], ...],
    verdict: bool,
) -> None:
    step = Step(Technique.NAKED_PAIR, (2,), (), placements, eliminations, 3.0)
    position = Position.from_grid(parse_grid(EASY))

    # r1c3 is 4; of its other digits, 1 is a candidate and 9 is not.
    assert is_sound(step, position, list(map(int, EASY_SOLUTION))) is verdict


def test_a_walk_times_every_step() -> None:
    ticks = iter(range(1000))

    walked = walk(parse_grid(EASY), TechniqueOrder.RATING, lambda: float(next(ticks)))

    assert walked.is_solved
    assert walked.score == 1.2
    assert set(walked.seconds) == {1.0}
    assert len(walked.seconds) == len(walked.steps) == 51


def test_a_file_is_sampled_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rated.csv"
    path.write_text("".join(f"{EASY},{score}\n" for score in (1.2, 1.3, 9.0)), encoding="utf-8")

    assert len(measure_file(path, 2)) == 2
    assert main([str(path)]) == 0

    report = capsys.readouterr().out
    assert "rated.csv: 3 puzzles, solved 100.00 % (teaching order)" in report
    assert "same rating 33.33 %, within a tenth 66.67 %" in report
    assert "SE 9.x: 1 of 1 solved" in report


def test_a_missing_file_is_an_input_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nowhere.txt"]) == 3
    assert "no such file: nowhere.txt" in capsys.readouterr().err


def test_other_kinds_have_a_line_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(human_techniques, "OF_KINDS", {"killer 4×4": KindOptions(Kind.KILLER, 4)})

    code = main(["--kinds", "2"])

    assert capsys.readouterr().out.splitlines()[-1].startswith("| killer 4×4 | 2 | 2 | 0 |")
    assert code == 0


def test_a_samurai_is_walked_as_a_whole() -> None:
    walks = measure_kind(KindOptions(Kind.SAMURAI, n_grids=2, clues=90), 1)

    assert len(walks) == 1
    assert all(one.steps and not one.unsound for one in walks)
