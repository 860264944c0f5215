"""Planted mistakes: one cell changes, and the counts say what the product made of it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from puzzles import EASY, EASY_SOLUTION
from report_rig import LABEL, report

from solver.grid import parse_grid
from training.evaluation.changed_cells import (
    CheckedPhoto,
    EntryFinding,
    choose_mistake,
    copy_cell,
    judge_check,
)
from training.pages.flat_board import render_board
from training.photo_labels import load_kinds, load_photo_labels
from vision.board import cut_cells, lattice_from_corners, rectify

FILLED = replace(LABEL, kind="handfilled-partial", digits=parse_grid(EASY_SOLUTION))


def checked(wrong: list[int] | None = None, solution: str = EASY_SOLUTION) -> dict[str, Any]:
    told = {"right": [3], "wrong": wrong or [], "unsure": [7], "told_apart": True}
    return report(checked=told, solution=solution)


def judge(planted: int | None, told: dict[str, Any]) -> EntryFinding:
    return judge_check(CheckedPhoto(FILLED, planted, "0.jpg"), told)


def test_a_copied_cell_shows_the_other_digit_and_the_rest_stays() -> None:
    photo, corners = render_board(parse_grid(EASY), 540)
    lattice = lattice_from_corners(corners)

    changed = copy_cell(photo, lattice, 0, 40)

    before, after = (cut_cells(rectify(one, lattice)) for one in (photo, changed))
    inner = (slice(6, -6), slice(6, -6))
    likeness = cv2.matchTemplate(after[40][inner], before[0][inner], cv2.TM_CCOEFF_NORMED)
    assert likeness[0, 0] > 0.9
    differing = {cell for cell in range(81) if (before[cell][inner] != after[cell][inner]).any()}
    assert differing == {40}


def test_a_mistake_is_an_entry_with_the_digit_of_another_entry() -> None:
    kinds = np.where(np.array(list(EASY)) == ".", "h", "p")

    for seed in range(20):
        chosen = choose_mistake(FILLED, kinds, np.random.default_rng(seed))

        assert chosen is not None
        assert EASY[chosen[0]] == EASY[chosen[1]] == "."
        assert EASY_SOLUTION[chosen[0]] != EASY_SOLUTION[chosen[1]]
    assert choose_mistake(FILLED, np.full(81, "p"), np.random.default_rng(1)) is None


@pytest.mark.parametrize(
    ("planted", "told", "finding"),
    [
        (5, checked([5]), EntryFinding.EXACT),
        (5, checked([5, 6]), EntryFinding.EXTRA),
        (5, checked(), EntryFinding.MISSED),
        (7, checked(), EntryFinding.UNSURE),
        (5, report(solution=None), EntryFinding.NOT_CHECKED),
        (5, checked([5], "1" + EASY_SOLUTION[1:]), EntryFinding.WRONG),
        (None, checked(), EntryFinding.EXACT),
        (None, checked([5]), EntryFinding.EXTRA),
        (None, {"boards": []}, EntryFinding.NOT_CHECKED),
    ],
)
def test_findings_compare_what_was_said_with_what_was_planted(
    planted: int | None, told: dict[str, Any], finding: EntryFinding
) -> None:
    assert judge(planted, told) is finding


def test_entries_are_labelled_on_every_hand_filled_photo(shared_data: Path) -> None:
    kinds = load_kinds()
    labels = load_photo_labels(shared_data / "photos")
    filled = [label for label in labels if label.kind.startswith("handfilled")]

    mistakes = [
        choose_mistake(label, kinds[label.file], np.random.default_rng(0)) for label in filled
    ]

    # Four puzzles have one entry, or entries of one digit.
    assert sum(mistake is None for mistake in mistakes) == 8
