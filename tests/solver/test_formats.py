"""Puzzles are read and written in the formats of other programs, friends and strangers."""

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from puzzles import EASY, HARD

from solver.formats import (
    KIND_FORMATS,
    MAX_ATTRIBUTE,
    Format,
    format_puzzle,
    parse_puzzle,
    read_any,
    write_any,
    write_opensudoku,
)
from solver.grid import Grid, GridError, format_grid, parse_grid
from solver.layout import LAYOUTS

ROWS = [EASY[start : start + 9] for start in range(0, 81, 9)]

grids = hnp.arrays(np.uint8, (9, 9), elements=st.integers(0, 9))
ANY_FORMAT = pytest.mark.parametrize("form", list(Format))


def read(text: str, suffix: str = "") -> list[str]:
    """Return each puzzle of a text on one line, or what is wrong with it."""
    return [
        format_grid(puzzle.grid) if puzzle.grid is not None else str(puzzle.error)
        for puzzle in read_any(text.splitlines(keepends=True), suffix)
    ]


def suffix_of(form: Format) -> str:
    return "" if form is Format.LINE else f".{form}"


@ANY_FORMAT
@settings(max_examples=50)
@given(grid=grids)
def test_a_puzzle_survives_writing_and_reading(form: Format, grid: Grid) -> None:
    text = "\n".join(format_puzzle(grid, form))

    np.testing.assert_array_equal(parse_puzzle(text), grid)
    assert read(text, suffix_of(form)) == [format_grid(grid)]


@ANY_FORMAT
@settings(max_examples=20)
@given(several=st.lists(grids, min_size=2, max_size=3))
def test_several_puzzles_survive_in_order(form: Format, several: list[Grid]) -> None:
    text = "\n".join(write_any(several, form, title="A <title> & more"))

    assert read(text) == [format_grid(grid) for grid in several]


@pytest.mark.parametrize("form", [Format.LINE, Format.F_PUZZLES])
@pytest.mark.parametrize("side", LAYOUTS)
def test_formats_without_a_fixed_size_take_every_size(form: Format, side: int) -> None:
    grid = np.full((side, side), side, np.uint8)

    np.testing.assert_array_equal(parse_puzzle(format_puzzle(grid, form)[0]), grid)


@pytest.mark.parametrize("form", sorted(set(Format) - KIND_FORMATS))
def test_formats_of_nine_refuse_other_sizes(form: Format) -> None:
    with pytest.raises(GridError, match="9×9 puzzles, not 4×4"):
        format_puzzle(np.zeros((4, 4), np.uint8), form)


def test_an_sdk_file_has_headers_and_sections() -> None:
    state = "\n".join("123456789" for _ in range(9))

    text = f"#ASomeone\n#LHard\n[Puzzle]\n{chr(10).join(ROWS)}\n[State]\n{state}\n"

    assert read(text, ".sdk") == [EASY]
    assert read(text) == [EASY]


def test_the_state_counts_where_an_sdk_file_has_no_puzzle() -> None:
    text = f"[State]\n{chr(10).join(ROWS)}\n"

    assert read(text, ".sdk") == [EASY]


def test_a_short_line_of_an_sdm_file_is_a_bad_puzzle() -> None:
    first, second = read(f"# easy ones\n53..7....\n{EASY}\n", ".SDM")

    assert "9 were found" in first
    assert second == EASY


def test_simple_sudokus_frame_of_asterisks_is_no_row_of_cells() -> None:
    boxes = [f"|{row[:3]}|{row[3:6]}|{row[6:]}|" for row in ROWS]
    frame, rule = "*-----------*", "|---+---+---|"

    text = "\n".join([frame, *boxes[:3], rule, *boxes[3:6], rule, *boxes[6:], frame])

    assert read(text, ".ss") == [EASY]
    assert format_puzzle(parse_grid(EASY), Format.SS) == text.split("\n")


def test_links_may_stand_among_lines() -> None:
    link = format_puzzle(parse_grid(HARD), Format.SUDOKU_WIKI)[0]

    puzzles = list(read_any([f"{EASY}\n", f"{link}\n", "\n", f"{HARD}\n", "nonsense\n"]))

    assert [puzzle.number for puzzle in puzzles] == [1, 2, 4, 5]
    assert [puzzle.error is None for puzzle in puzzles] == [True, True, True, False]


def test_an_xml_suffix_promises_xml() -> None:
    with pytest.raises(GridError, match="begins with <"):
        read(EASY, ".opensudoku")


def test_reading_is_lazy_and_a_text_without_puzzles_has_none() -> None:
    def endless() -> "list[str]":
        raise AssertionError("a line too many was read")

    lines = (line if line else endless()[0] for line in [EASY, HARD, ""])

    assert next(read_any(lines)).text == EASY
    assert read("") == read("\n \n") == []


def test_a_pasted_text_with_two_puzzles_is_refused() -> None:
    two = "\n".join(write_any([parse_grid(EASY), parse_grid(HARD)], Format.SS))

    with pytest.raises(GridError, match="several puzzles; give one"):
        parse_puzzle(two)


@given(text=st.text(max_size=200))
def test_any_text_is_a_grid_or_a_clear_error(text: str) -> None:
    with contextlib.suppress(GridError):
        assert len(parse_puzzle(text)) in LAYOUTS


DIGITS = EASY.replace(".", "0")


def test_games_are_found_in_folders_and_outside() -> None:
    text = f"""<?xml version='1.0' encoding='UTF-8' standalone='yes'?>
<opensudoku version="2">
  <name>Mine</name>
  <game data="{DIGITS}"/>
  <folder name="Easy" created="1">
    <game created="1" state="0" time="0" data="{DIGITS}" note=""/>
  </folder>
</opensudoku>
"""

    puzzles = list(read_any(text.splitlines(keepends=True)))

    assert [puzzle.number for puzzle in puzzles] == [4, 6]
    assert read(text) == [EASY, EASY]


@pytest.mark.parametrize(
    ("version", "notes"), [(1, "1,2,"), (1, "-"), (2, "7"), (3, "0"), (4, "0|3"), (5, "0|3|1")]
)
def test_a_begun_game_counts_by_its_clues(version: int, notes: str) -> None:
    cells = "".join(f"{d}|{notes}|0|" if d != "0" else f"4|{notes}|1|" for d in DIGITS)

    text = f'<opensudoku><game data="version: {version}&#10;{cells}"/></opensudoku>'

    assert read(text) == [EASY]


def test_a_bad_game_does_not_hide_the_next() -> None:
    text = f"""<opensudoku>
<game data="123"/>
<game/>
<game data="version: 1&#10;1|-|0|"/>
<game data="{"1" * (MAX_ATTRIBUTE + 1)}"/>
<game data="{DIGITS}"/>
</opensudoku>"""

    *bad, good = read(text)

    assert good == EASY
    assert "3 were found" in bad[0]
    assert "0 were found" in bad[1]
    assert "3 fields" in bad[2]
    assert "100,001 characters" in bad[3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<!DOCTYPE x [<!ENTITY a "b">]><opensudoku/>', "document type"),
        ('<!DOCTYPE x SYSTEM "file:///etc/hostname"><opensudoku/>', "document type"),
        ("<html></html>", "begins with <html>"),
        ("<opensudoku><game>", "damaged in line 1"),
        ("<opensudoku>&a;</opensudoku>", "damaged"),
        ("", "begins with <"),
    ],
)
def test_other_xml_is_refused(text: str, message: str) -> None:
    with pytest.raises(GridError, match=message):
        read(text, ".opensudoku")


def test_a_title_is_escaped() -> None:
    text = "\n".join(write_opensudoku([parse_grid(EASY)], 'Tom & "Jerry" <1>'))

    assert read(text) == [EASY]
    assert "Tom &amp; " in text
