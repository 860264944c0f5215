"""The evaluation on rendered photos: right, wrong and unread boards are told apart."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import report_rig

from solver.grid import format_grid
from training.evaluation import photo_verdicts
from training.evaluation.rendered_pages import format_names, format_table, judge_photo, main
from training.rendered.rendered_photos import RenderedBoard, RenderedPhoto, render_photo

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def rendered() -> RenderedPhoto:
    return render_photo(1, 1)


def _told(board: RenderedBoard, **changes: Any) -> dict[str, Any]:
    shown = {"clues": format_grid(board.clues), "solution": format_grid(board.solution)}
    return report_rig.board(corners=board.corners.tolist(), **shown | changes)


def _report(*boards: dict[str, Any]) -> dict[str, Any]:
    return report_rig.report() | {"boards": list(boards)}


def test_another_solution_is_wrong_even_with_a_board_that_is_right(rendered: RenderedPhoto) -> None:
    board = rendered.boards[0]
    other = format_grid(np.roll(board.solution, 1, axis=1))
    elsewhere = (board.corners * 0.2).tolist()

    swapped = judge_photo("a", rendered, _report(_told(board, solution=other)))
    beside = judge_photo(
        "a", rendered, _report(_told(board), _told(board, solution=other) | {"corners": elsewhere})
    )

    assert swapped.is_wrong
    assert swapped.boards[0].stage.value == "WRONG shown"
    assert beside.is_wrong
    assert not beside.is_right


def test_a_solution_on_a_decoy_is_wrong_and_names_are_counted(rendered: RenderedPhoto) -> None:
    decoy = RenderedPhoto(rendered.photo, (), rendered.circumstances)
    told = [{"looks_like": "kakuro"}, {"looks_like": "suguru"}, {}]

    claimed = judge_photo("a", decoy, _report(_told(rendered.boards[0])))
    silent = [judge_photo("a", decoy, {**_report(), **named}) for named in told]

    assert claimed.is_wrong
    assert all(verdict.is_right for verdict in silent)
    assert "| kakuro | 3 | 1 | 1 |" in format_names([("kakuro", silent)])


def test_a_board_is_right_or_fails_at_a_stage(rendered: RenderedPhoto) -> None:
    board = rendered.boards[0]
    empty = format_grid(np.zeros((9, 9), np.uint8))
    reports = {
        "right": _report(_told(board)),
        "find": _report(),
        "read": _report(_told(board, solution=None, clues=empty)),
        "decode": _report(_told(board, solution=None)),
    }

    for stage, report in reports.items():
        verdict = judge_photo("a", rendered, report)
        assert verdict.boards[0].stage.value == stage
        assert verdict.boards[0].is_exact == (stage in ("right", "decode"))
        assert verdict.is_right == (stage == "right")
        assert not verdict.is_wrong
        assert verdict.seconds == pytest.approx(0.03)


def test_every_board_of_a_page_is_judged(rendered: RenderedPhoto) -> None:
    board = rendered.boards[0]
    moved = replace(board, lattice=board.lattice + np.float32(3000))
    two = RenderedPhoto(rendered.photo, (board, moved), rendered.circumstances)

    verdict = judge_photo("a", two, _report(_told(board)))

    assert [one.stage.value for one in verdict.boards] == ["right", "find"]
    assert "| **page** | 1 | 2 | 1 | 1 | 1 (50.0 %) | 0 | 0.03 / 0.03 |" in format_table(
        [("**page**", [verdict])]
    )


def test_the_command_prints_a_table_and_fails_on_a_wrong_solution(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    claims: list[dict[str, Any]] = []

    def run(folder: Path, files: Sequence[str], options: Sequence[str] = ()) -> Iterator[Any]:
        assert all((folder / file).is_file() for file in files)
        return iter(claims)

    monkeypatch.setattr(photo_verdicts, "run_product", run)
    truth = render_photo(1, 7).boards[0]
    wrong = format_grid(np.roll(truth.solution, 1, axis=0))

    claims[:] = [_report(_told(truth))]
    right_code = main(["--level", "1", "--count", "1", "--seed", "7", "--keep", str(tmp_path)])
    claims[:] = [_report(_told(truth, solution=wrong))]
    wrong_code = main(["--level", "1", "--count", "1", "--seed", "7"])
    claims[:] = [_report()]
    decoy_code = main(["--level", "1", "--decoys", "1"])

    printed = capsys.readouterr().out
    assert (right_code, wrong_code, decoy_code) == (0, 1, 0)
    assert "| **level 1** | 1 | 1 | 1 | 1 | 1 (100.0 %) | 0 |" in printed
    assert "| **all decoys** | 1 | 0 |" in printed
    assert {path.name for path in tmp_path.iterdir()} == {"level1-7.png"}
