"""What is told of marks that may be several digits, seen how the player notes elsewhere."""

from collections.abc import Sequence

import numpy as np
import pytest

from app.recognition.noted_sets import choose_sets
from models.candidate_reader import N_DIGITS, N_MAPS, SeenCandidates

Mark = tuple[tuple[float, float], dict[int, float]]
"""Where it stands, x and y in its cell, and how likely it is which digit."""
ROW = [(0.2, 0.2), (0.4, 0.2), (0.6, 0.2), (0.8, 0.2)]
CORNERS = [(0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8), (0.5, 0.2)]


def _read(
    cells: Sequence[Sequence[Mark]],
    right: Sequence[int] | None = None,
    allowed: np.ndarray | None = None,
) -> list[str]:
    """Return the digits told of each cell."""
    marks = np.zeros((len(cells), N_DIGITS, N_MAPS), np.float32)
    marks[..., 0] = 1
    middles = np.full((len(cells), N_DIGITS, 2), 0.5, np.float32)
    for cell, standing in enumerate(cells):
        for number, (middle, chances) in enumerate(standing):
            middles[cell, number] = middle
            marks[cell, number, 0] = 1 - sum(chances.values())
            marks[cell, number, list(chances)] = list(chances.values())
    contents = np.tile(np.array([0, 0, 1], np.float32), (len(cells), 1))
    seen = SeenCandidates(marks, middles, contents)
    if allowed is None:
        allowed = np.ones((len(cells), N_DIGITS), np.bool_)
    digits = None if right is None else np.array(right, np.uint8)
    told = choose_sets(seen, seen.contents[:, 2], allowed, digits)
    return ["".join(str(digit) for digit in range(1, 10) if one >> digit & 1) for one in told]


def _stand(digits: str, places: Sequence[tuple[float, float]] = ROW) -> list[Mark]:
    return [(place, {int(digit): 1.0}) for place, digit in zip(places, digits, strict=False)]


UNSURE: dict[int, float] = {4: 0.35, 9: 0.65}


def test_digits_that_ascend_elsewhere_ascend_here() -> None:
    row = [*_stand("3"), (ROW[1], UNSURE), (ROW[2], {7: 1.0})]

    assert _read([_stand("258"), _stand("1349"), _stand("67"), row])[-1] == "347"
    assert _read([_stand("852"), _stand("9314"), _stand("76"), row])[-1] == "379"


def test_digits_that_have_their_own_places_elsewhere_have_them_here() -> None:
    own = [(0.2, 0.2), (0.5, 0.2), (0.8, 0.2), (0.2, 0.5), (0.5, 0.5), (0.8, 0.5), (0.2, 0.8),
           (0.5, 0.8), (0.8, 0.8)]  # fmt: skip
    others = [
        [(own[int(digit) - 1], {int(digit): 1.0}) for digit in cell]
        for cell in ("258", "37", "159", "46", "3568")
    ]

    assert _read([*others, [(own[3], UNSURE)]])[-1] == "4"
    assert _read([*others, [(own[8], {4: 0.65, 9: 0.35})]])[-1] == "9"


def test_the_corners_may_be_filled_first() -> None:
    others = [_stand(digits, CORNERS) for digits in ("12357", "24689", "13456")]

    told = _read([*others, [*_stand("1235", CORNERS), (CORNERS[4], {2: 0.55, 8: 0.45})]])

    assert told == ["12357", "24689", "13456", "12358"]


def test_what_the_clues_rule_out_is_noted_by_those_who_note_it_elsewhere() -> None:
    allowed = np.ones((10, 9), np.bool_)
    allowed[:, 8] = False
    row = [*_stand("3"), (ROW[1], UNSURE)]
    careful, careless = (
        [_stand(digits) for digits in cells] for cells in (("12", "45", "68"), ("19", "49", "69"))
    )

    assert _read([*3 * careful, row], allowed=allowed)[-1] == "34"
    assert _read([*3 * careless, row], allowed=allowed)[-1] == "39"


def test_the_right_digit_is_expected_of_those_who_note_it_elsewhere() -> None:
    others = [_stand("12"), _stand("45"), _stand("68"), _stand("157"), _stand("26")]
    row = [*_stand("3"), (ROW[1], UNSURE)]

    assert _read([*others, row], right=[1, 5, 6, 7, 2, 4])[-1] == "34"
    assert _read([*others, row], right=[3, 9, 2, 2, 7, 4])[-1] == "39"


def test_a_right_digit_that_is_clearly_not_noted_is_not_told() -> None:
    others = [_stand("12"), _stand("45"), _stand("68"), _stand("157"), _stand("26")]

    assert _read([*others, _stand("37")], right=[1, 5, 6, 7, 2, 4])[-1] == "37"


@pytest.mark.parametrize("right", [None, [5, 5]])
def test_two_marks_that_are_surely_one_digit_tell_nothing(right: list[int] | None) -> None:
    assert _read([_stand("55"), _stand("25")], right=right) == ["", "25"]


def test_what_may_be_anything_is_not_told() -> None:
    anything = dict.fromkeys(range(1, 10), 0.11)

    assert _read([[(ROW[0], anything)], _stand("25")]) == ["", "25"]
