import json
from contextlib import suppress
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kind_puzzles import make_kind
from puzzles import pattern

from solver.formats_kinds import (
    KindPuzzle,
    draw_kind,
    format_cells,
    format_kind_puzzle,
    parse_kind_puzzle,
    read_cages,
    read_regions,
)
from solver.generation.generate_kinds import draw_cages
from solver.grid import GridError
from solver.layout import Layout
from solver.rules import Cage, Kind, box_rules, killer_rules, samurai_rules

REGIONS = "AAABACBBCCDBCDDD"
CAGES = "[[3, [0, 1]], [7, [2, 3]]]"


@pytest.mark.parametrize("kind", Kind)
def test_a_written_puzzle_of_any_kind_reads_back(kind: Kind) -> None:
    clues = {Kind.SAMURAI: 80, Kind.KILLER: None}.get(kind, 30)
    puzzle = make_kind(kind, clues=clues, n_grids=2, seed=1)

    read = parse_kind_puzzle(format_kind_puzzle(puzzle))

    assert read.rules == puzzle.rules
    assert (read.clues == puzzle.clues).all()


def test_boxes_that_are_not_the_usual_ones_are_written_as_regions() -> None:
    puzzle = KindPuzzle(box_rules(6, boxes=Layout(3, 2)), np.zeros((6, 6), np.uint8))

    text = format_kind_puzzle(puzzle)

    assert json.loads(text)["regions"].startswith("AABBCCAABBCC")
    assert parse_kind_puzzle(text).rules == puzzle.rules


def test_cells_with_their_rules_beside_them_are_a_puzzle() -> None:
    jigsaw = parse_kind_puzzle("12..\n....\n....\n...4", Kind.JIGSAW, regions=REGIONS)
    killer = parse_kind_puzzle("." * 16, Kind.KILLER, cages=CAGES)
    diagonal = parse_kind_puzzle("." * 64, Kind.DIAGONAL)

    assert jigsaw.rules.regions[0] == (0, 1, 2, 4)
    assert jigsaw.clues[0].tolist() == [1, 2, 0, 0]
    assert killer.rules.cages == (Cage(3, (0, 1)), Cage(7, (2, 3)))
    assert len(diagonal.rules.units) == 26


@pytest.mark.parametrize("grids", [((0, 0), (6, 6)), ((0, 3), (3, 0)), ((0, 0), (0, 12), (6, 6))])
def test_places_without_cells_tell_a_samurais_grids(grids: tuple[tuple[int, int], ...]) -> None:
    rules = samurai_rules(grids)
    text = format_cells(rules, np.zeros((rules.width, rules.width), np.uint8))

    assert parse_kind_puzzle(text, Kind.SAMURAI).rules == rules


@pytest.mark.parametrize(
    ("text", "told", "complaint"),
    [
        ("." * 80, {}, "80 cells make no square grid"),
        ("." * 49, {}, "the side must be 4, 6, 8, 9, 10, 12, 16 or 25, got 7"),
        ("5" + "." * 15, {}, "'5' at row 1, column 1 is no digit; use 1-4"),
        ("." * 16, {"kind": Kind.JIGSAW}, "give 16 characters"),
        ("." * 36, {"kind": Kind.JIGSAW, "regions": REGIONS}, "36 cells, but 16"),
        ("." * 16, {"kind": Kind.KILLER}, "a killer has cages"),
        ("." * 16, {"cages": CAGES}, "a killer has cages"),
        ("." * 16, {"kind": Kind.KILLER, "cages": "[[3, [0, 1]"}, "cannot be read"),
        ("." * 16, {"kind": Kind.KILLER, "cages": "[[3, [0, 1.5]]]"}, "cannot be read"),
        ("." * 16, {"regions": REGIONS}, "say that the kind is jigsaw"),
        ("." * 16, {"kind": Kind.JIGSAW, "regions": "A" * 16}, "16 characters with 1 names"),
        ("." * 441, {"kind": Kind.SAMURAI}, "two to five grids"),
        ('{"clues": "...."', {}, "no JSON"),
        ('{"kind": "samba", "clues": "...."}', {}, "must be one of classic"),
        ('{"kind": "classic"}', {}, "has no clues"),
        ('{"clues": "....", "thermo": [1]}', {}, "not known: thermo"),
        ('{"clues": 4}', {}, "must be a text"),
        ('{"side": 9, "clues": "................"}', {}, "the side is 9"),
        ('{"kind": "diagonal", "clues": "."}', {"kind": Kind.KILLER}, "leave the kind out"),
    ],
)
def test_what_is_no_puzzle_is_told_why(text: str, told: dict[str, object], complaint: str) -> None:
    with pytest.raises(GridError, match=complaint):
        parse_kind_puzzle(text, **told)  # type: ignore[arg-type]  # of several types


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=40) | st.text('{}[]":,.-0123456789clueskindjgaw ', max_size=60))
def test_any_text_is_a_puzzle_or_refused(text: str) -> None:
    for kind in Kind:
        with suppress(GridError):
            parse_kind_puzzle(text, kind, regions=text, cages=text)


def test_regions_are_named_by_any_characters() -> None:
    assert read_regions("1122 1122 3344 3344")[1] == [2, 3, 6, 7]


def test_cages_are_told_with_their_cells_in_any_order() -> None:
    assert read_cages("[[5, [3, 2]]]") == [Cage(5, (2, 3))]


def test_a_jigsaw_is_drawn_with_lines_around_its_regions() -> None:
    puzzle = parse_kind_puzzle("12.." + "." * 12, Kind.JIGSAW, regions=REGIONS)

    lines = draw_kind(puzzle.rules, puzzle.clues).splitlines()

    assert lines[:5] == [
        "+---+---+---+---+",
        "| 1   2   . | . |",
        "+   +---+---+   +",
        "| . | . | .   . |",
        "+---+   +---+   +",
    ]


def test_a_killer_is_drawn_with_the_sums_of_its_cages() -> None:
    rules = killer_rules([Cage(3, (0, 1)), Cage(5, (2, 6))], 4)

    lines = draw_kind(rules, np.zeros((4, 4), np.uint8)).splitlines()

    assert lines[0] == "+3--+---+5--+---+"
    assert lines[1] == "| .   . | . : . |"


def test_clues_are_set_in_bold_where_they_are_told() -> None:
    rules = box_rules(4)
    clues = np.zeros((4, 4), np.uint8)
    clues[0, 0] = 3

    assert "\x1b[1m3\x1b[0m" in draw_kind(rules, clues, clues)
    assert "\x1b" not in draw_kind(rules, clues)


def test_drawing_holds_every_sum() -> None:
    cages = draw_cages(pattern(9).ravel().tolist(), 9, Random(2))

    drawn = draw_kind(killer_rules(cages), pattern(9))

    assert len(drawn.splitlines()) == 19
    assert all(str(cage.total) in drawn for cage in cages)
