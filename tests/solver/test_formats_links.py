"""Links of f-puzzles and SudokuWiki, and the compression inside the first."""

import contextlib
import json
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.formats_links import (
    f_puzzles_link,
    is_link,
    parse_f_puzzles,
    parse_link,
    sudoku_wiki_link,
)
from solver.formats_lzstring import compress_to_base64, decompress_from_base64
from solver.grid import GridError, format_grid, parse_grid

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


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
    data = f_puzzles_link(parse_grid(PUZZLE)).partition("load=")[2]

    text = address.format(spoil(data))

    if " " not in text:
        assert is_link(text)
        assert format_grid(parse_link(text)) == PUZZLE
    else:
        assert format_grid(parse_f_puzzles(spoil(data))) == PUZZLE


def test_entries_of_a_solver_are_no_clues() -> None:
    grid: list[list[dict[str, Any]]] = [[{} for _ in range(9)] for _ in range(9)]
    grid[0][0] = {"value": 5, "given": True}
    grid[0][1] = {"value": 3}
    grid[0][2] = {"centerPencilMarks": [1, 2]}

    clues = parse_f_puzzles(f_puzzles_data(grid=grid))

    assert format_grid(clues) == "5" + "." * 80


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"killercage": [{"cells": ["R1C1"], "value": "5"}]}, r"beyond those of Sudoku \(killer"),
        ({"diagonal+": True, "antiknight": True}, r"\(antiknight, diagonal\+\)"),
        ({"grid": [[{}] * 7] * 7}, "a size that no grid has"),
        ({"grid": [[{"region": 3}] * 9] * 9}, "irregular boxes"),
        ({"grid": [[{"value": 12, "given": True}] * 9] * 9}, "digits beyond 1-9"),
        ({"grid": None}, "holds no grid"),
    ],
)
def test_what_is_no_classic_puzzle_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(GridError, match=message):
        parse_f_puzzles(f_puzzles_data(**changes))


def test_settings_and_names_are_no_rules() -> None:
    data = f_puzzles_data(
        title="One", author="Two", ruleset="Normal", antiknight=False, negative=[]
    )

    assert not parse_f_puzzles(data).any()


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("https://www.f-puzzles.com/?id=2xyz", "take the long link"),
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
    link = sudoku_wiki_link(parse_grid(PUZZLE))

    assert link == "https://www.sudokuwiki.org/sudoku.htm?bd=" + PUZZLE.replace(".", "0")
    np.testing.assert_array_equal(parse_link(link + "&x=1"), parse_grid(PUZZLE))


@pytest.mark.parametrize("text", [PUZZLE, PUZZLE.replace(".", "0"), "5 3 . | . 7 .", "", "A1.B"])
def test_a_grid_is_no_link(text: str) -> None:
    assert not is_link(text)
