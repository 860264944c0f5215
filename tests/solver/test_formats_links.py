"""Links of f-puzzles and SudokuWiki, and the compression inside the first."""

import contextlib
import json
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from puzzles import EASY

from solver.formats_kinds import KindPuzzle
from solver.formats_links import (
    compress_to_base64,
    decompress_from_base64,
    f_puzzles_link,
    is_link,
    parse_f_puzzles,
    parse_link,
    sudoku_pad_link,
    sudoku_wiki_link,
)
from solver.generation.generate_kinds import KindOptions, generate_kind
from solver.grid import GridError, format_grid, parse_grid
from solver.layout import USUAL_BOXES, Layout
from solver.rules import Kind, box_rules, samurai_rules


def f_puzzles_data(**changes: Any) -> str:
    """Return the compressed part of a link with a blank grid and these parts beside it."""
    puzzle = {"size": 9, "grid": [[{} for _ in range(9)] for _ in range(9)], **changes}
    return compress_to_base64(json.dumps(puzzle))


@pytest.mark.parametrize(
    ("text", "compressed"),
    [
        # Written by the original, as its ports in other languages quote it in their tests.
        (
            "Žluťoučký kůň úpěl ďábelské ódy!",
            "r6ABsK6KaAD2aLCADWBfgBPQ9oCAlAZAvgDobEARlB4QAEOAjAUxAGd4BL5AZ4BMBPAQiA==",
        ),
        ("你好", "gbyl9NI="),
        ("𝔓", "qwbmRdo="),
        ("", "Q==="),
    ],
)
def test_the_compression_agrees_with_the_original(text: str, compressed: str) -> None:
    assert compress_to_base64(text) == compressed
    assert decompress_from_base64(compressed) == text


@given(text=st.one_of(st.text(), st.text("ab", max_size=2000)))
def test_any_text_survives_compression(text: str) -> None:
    assert decompress_from_base64(compress_to_base64(text)) == text


@given(data=st.text("ABCDwxyz0189+/=", max_size=100))
def test_damaged_compression_is_refused_or_read_but_never_crashes(data: str) -> None:
    with contextlib.suppress(ValueError):
        assert isinstance(decompress_from_base64(data), str)


def test_a_short_text_that_swells_is_refused() -> None:
    compressed = compress_to_base64("a" * 1_000_001)

    assert len(compressed) < 10_000
    with pytest.raises(ValueError, match="longer than 1,000,000"):
        decompress_from_base64(compressed)


@pytest.mark.parametrize(
    "address",
    [
        "https://www.f-puzzles.com/?load={}",
        "f-puzzles.com/?load={}",
        "https://sudokupad.app/fpuzzles{}",
        "https://sudokupad.app/?puzzleid=fpuz{}",
    ],
)
@pytest.mark.parametrize("spoil", [str, quote, lambda data: data.replace("+", " ")])
def test_a_puzzle_is_read_from_the_link_however_it_was_passed_on(address: str, spoil: Any) -> None:
    link = f_puzzles_link(KindPuzzle(box_rules(9), parse_grid(EASY)))
    data = link.partition("load=")[2]

    text = address.format(spoil(data))

    if " " not in text:
        assert is_link(text)
        assert format_grid(parse_link(text).clues) == EASY
    else:
        assert format_grid(parse_f_puzzles(spoil(data)).clues) == EASY


def test_entries_of_a_solver_are_no_clues() -> None:
    grid: list[list[dict[str, Any]]] = [[{} for _ in range(9)] for _ in range(9)]
    grid[0][0] = {"value": 5, "given": True}
    grid[0][1] = {"value": 3}
    grid[0][2] = {"centerPencilMarks": [1, 2]}

    puzzle = parse_f_puzzles(f_puzzles_data(grid=grid))

    assert format_grid(puzzle.clues) == "5" + "." * 80


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"diagonal+": True, "antiknight": True, "thermometer": [{"lines": []}]},
            "not known: antiknight, thermometer; only",
        ),
        ({"cage": [{"cells": ["R1C1"], "value": "5"}]}, "not known: cage"),
        ({"diagonal+": True}, r"diagonal\+ alone"),
        (
            {"diagonal+": True, "diagonal-": True, "killercage": [{"cells": ["R1C1"], "value": 5}]},
            "diagonal and killer at once",
        ),
        ({"extraregion": [{"cells": ["R1C1", "R1C2"]}]}, r"extraregion\) that are no windows"),
        ({"killercage": [{"cells": ["R1C1"]}]}, "a killer cage with 'nothing' for a sum"),
        ({"killercage": [{"cells": ["R1C1"], "value": "x"}]}, "a killer cage with 'x' for a sum"),
        ({"killercage": [{"cells": ["R1C1"], "value": "46"}]}, "1 cells and the sum 46"),
        ({"killercage": [{"cells": ["R10C1"], "value": "4"}]}, "cells that the grid does not have"),
        ({"killercage": [{"value": "4"}]}, "cells that the grid does not have"),
        ({"killercage": ["R1C1"]}, "a damaged killercage"),
        ({"grid": [[{}] * 7] * 7}, "a size that no grid has"),
        ({"grid": [[{"region": 3}] * 9] * 9}, "81 characters with 1 names"),
        ({"grid": [[{"region": None}] * 9] * 9}, "cells in no region"),
        ({"grid": [[{"value": 12, "given": True}] * 9] * 9}, "digits beyond 1-9"),
        ({"grid": None}, "holds no grid"),
    ],
)
def test_what_cannot_be_read_is_named_and_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(GridError, match=message):
        parse_f_puzzles(f_puzzles_data(**changes))


def test_settings_and_names_are_no_rules() -> None:
    data = f_puzzles_data(
        title="One", author="Two", ruleset="Normal", antiknight=False, negative=[]
    )

    puzzle = parse_f_puzzles(data)

    assert puzzle.rules.is_classic
    assert not puzzle.clues.any()


def generated(kind: Kind, side: int, boxes: Layout | None = None) -> KindPuzzle:
    clues = None if kind is Kind.KILLER else side * side // 2
    return next(iter(generate_kind(1, KindOptions(kind, side, boxes, clues), seed=3)))


@pytest.mark.parametrize("write", [f_puzzles_link, sudoku_pad_link])
@pytest.mark.parametrize(
    ("kind", "side", "boxes"),
    [
        *((Kind.CLASSIC, side, None) for side in USUAL_BOXES if side < 16),
        *((Kind.JIGSAW, side, None) for side in (6, 9, 10)),
        *((Kind.DIAGONAL, side, None) for side in (8, 9)),
        (Kind.WINDOKU, 9, None),
        (Kind.KILLER, 6, None),
        *((kind, 6, Layout(3, 2)) for kind in (Kind.CLASSIC, Kind.KILLER)),
    ],
)
def test_a_link_holds_the_rules_of_its_puzzle(
    write: Any, kind: Kind, side: int, boxes: Layout | None
) -> None:
    puzzle = generated(kind, side, boxes)

    again = parse_link(write(puzzle, "A title"))

    assert again.rules.kind is kind
    assert set(again.rules.units) == set(puzzle.rules.units)
    assert set(again.rules.cages) == set(puzzle.rules.cages)
    np.testing.assert_array_equal(again.clues, puzzle.clues)


def test_the_data_of_a_link_has_the_names_that_f_puzzles_has() -> None:
    puzzle = generated(Kind.KILLER, 4)
    data = unquote(sudoku_pad_link(puzzle).partition("fpuzzles")[2])

    told = json.loads(decompress_from_base64(data))

    cage = puzzle.rules.cages[0]
    names = [f"R{cell // 4 + 1}C{cell % 4 + 1}" for cell in cage.cells]
    assert told["size"] == 4
    assert told["killercage"][0] == {"cells": names, "value": str(cage.total)}


def test_no_link_holds_a_samurai() -> None:
    rules = samurai_rules()
    puzzle = KindPuzzle(rules, np.zeros((21, 21), np.uint8))

    with pytest.raises(GridError, match="no samurai; write it as text"):
        f_puzzles_link(puzzle)


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("https://www.f-puzzles.com/?id=2xyz", "take the long link"),
        ("https://sudokupad.app/qz1x8kk3f5", "take the long link"),
        ("https://www.f-puzzles.com/?load=N4IgzglgXgpi", "damaged"),
        ("https://www.f-puzzles.com/?load=N4Ig!", "damaged"),
        ("https://www.f-puzzles.com/?load=4AAA", "link is damaged or cut short; copy the whole"),
        ("https://www.sudokuwiki.org/sudoku.htm?bd=S9B0102", "7 characters instead of 81"),
        ("https://example.org/", "no puzzle is written in this link"),
    ],
)
def test_a_link_that_cannot_be_read_says_what_to_do(link: str, message: str) -> None:
    with pytest.raises(GridError, match=message):
        parse_link(link)


def test_sudoku_wikis_link_is_its_digits() -> None:
    link = sudoku_wiki_link(parse_grid(EASY))

    assert link == "https://www.sudokuwiki.org/sudoku.htm?bd=" + EASY.replace(".", "0")
    np.testing.assert_array_equal(parse_link(link + "&x=1").clues, parse_grid(EASY))


@pytest.mark.parametrize("text", [EASY, EASY.replace(".", "0"), "5 3 . | . 7 .", "", "A1.B"])
def test_a_grid_is_no_link(text: str) -> None:
    assert not is_link(text)
