"""OpenSudoku's XML, from friends and from strangers."""

import pytest
from puzzles import EASY

from solver.formats import MAX_ATTRIBUTE, read_opensudoku, write_opensudoku
from solver.grid import GridError, format_grid, parse_grid

DIGITS = EASY.replace(".", "0")


def read(text: str) -> list[str]:
    return [
        format_grid(puzzle.grid) if puzzle.grid is not None else str(puzzle.error)
        for puzzle in read_opensudoku(text.splitlines(keepends=True))
    ]


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

    puzzles = list(read_opensudoku(text.splitlines(keepends=True)))

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
        ("", "damaged"),
    ],
)
def test_other_xml_is_refused(text: str, message: str) -> None:
    with pytest.raises(GridError, match=message):
        read(text)


def test_a_title_is_escaped() -> None:
    text = "\n".join(write_opensudoku([parse_grid(EASY)], 'Tom & "Jerry" <1>'))

    assert read(text) == [EASY]
    assert "Tom &amp; " in text
