"""The history of puzzles: found again, deleted, brought back, and no trouble when it is broken."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kind_puzzles import make_kind
from present import present
from puzzles import CHAINS, EASY, EASY_SOLUTION_GRID

from app.board.history import VERSION, History, HistoryEntry, HistoryFault
from solver.grid import format_grid, parse_grid
from solver.human.walk import Level
from solver.rules import Kind, box_rules


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "data" / "history.sqlite", patience_seconds=0.01)


def entry_of(text: str, time: float = 1.0, source: str = "") -> HistoryEntry:
    solution = EASY_SOLUTION_GRID if text == EASY else None
    return HistoryEntry(parse_grid(text), np.zeros((9, 9), np.uint8), solution, time, source=source)


def add(history: History, entry: HistoryEntry) -> HistoryEntry:
    added = history.add(entry)
    assert isinstance(added, HistoryEntry)
    return added


def find(history: History, query: str = "") -> list[HistoryEntry]:
    found = history.find(query)
    assert isinstance(found, list)
    return found


def clues_in(history: History) -> list[str]:
    return [format_grid(entry.clues) for entry in find(history)]


def change_file(history: History, statement: str, *values: str) -> None:
    """Change the file of the history, as no history does."""
    with closing(sqlite3.connect(history.path, isolation_level=None)) as connection:
        connection.execute(statement, values)


def entry_of_kind(kind: Kind, side: int, seed: int = 1) -> HistoryEntry:
    clues = None if kind is Kind.KILLER else side * side // 2
    puzzle = make_kind(kind, side, clues=clues, seed=seed)
    entries = np.zeros_like(puzzle.clues)
    return HistoryEntry(puzzle.clues, entries, puzzle.solution, 1.0, rules=puzzle.rules)


@pytest.mark.parametrize(
    ("kind", "side"), [(Kind.CLASSIC, 12), (Kind.JIGSAW, 9), (Kind.DIAGONAL, 9), (Kind.KILLER, 6)]
)
def test_a_puzzle_of_a_kind_is_kept_with_its_rules(history: History, kind: Kind, side: int) -> None:
    entry = entry_of_kind(kind, side)
    entry.entries[0, 0] = side
    n_cells = side * side
    entry = replace(entry, revealed=frozenset({n_cells - 1}), thumbnail=b"photo")

    add(history, entry)
    (kept,) = find(history)

    assert kept.rules == entry.rules
    np.testing.assert_array_equal(kept.clues, entry.clues)
    np.testing.assert_array_equal(kept.entries, entry.entries)
    np.testing.assert_array_equal(present(kept.solution), entry.solution)
    assert (kept.revealed, kept.thumbnail) == (entry.revealed, b"photo")


def test_killers_without_clues_are_told_apart_by_their_cages(history: History) -> None:
    one, other = (entry_of_kind(Kind.KILLER, 4, seed) for seed in (1, 2))

    numbers = [add(history, entry).id for entry in (one, other, one)]

    assert numbers[0] == numbers[2] != numbers[1]
    assert len(find(history)) == 2


def test_the_same_clues_under_other_rules_are_another_puzzle(history: History) -> None:
    classic = entry_of(EASY)
    diagonal = replace(classic, solution=None, rules=box_rules(9, Kind.DIAGONAL))

    add(history, classic)
    add(history, diagonal)

    assert {entry.rules for entry in find(history)} == {box_rules(9), diagonal.rules}


def test_a_solution_that_breaks_a_cage_is_not_kept_for_one(history: History) -> None:
    killer = entry_of_kind(Kind.KILLER, 4)

    add(history, replace(killer, solution=present(killer.solution)[::-1].copy()))

    assert find(history)[0].solution is None


def test_a_puzzle_is_kept_with_all_that_is_known_of_it(history: History) -> None:
    known: dict[str, Any] = {"score": 1.2, "level": Level.EASY, "thumbnail": b"\xff\xd8"}
    known["revealed"] = frozenset({0, 80})
    entry = replace(entry_of(EASY, 12.5, "paper.jpg"), **known)
    entry.entries[0, 2] = 4

    added = add(history, entry)
    (kept,) = find(history)

    assert kept.id == added.id > 0
    assert format_grid(kept.clues) == EASY
    assert kept.entries.tolist() == entry.entries.tolist()
    assert present(kept.solution).tolist() == EASY_SOLUTION_GRID.tolist()
    assert (kept.time, kept.source) == (12.5, "paper.jpg")
    assert {name: getattr(kept, name) for name in known} == known


def test_a_history_that_was_never_used_is_empty_and_makes_no_file(history: History) -> None:
    assert find(history) == []
    assert history.delete(1) is None
    assert not history.path.exists()


def test_the_newest_puzzle_comes_first(history: History) -> None:
    for text, time in ((EASY, 2.0), (CHAINS, 1.0)):
        add(history, entry_of(text, time))

    assert clues_in(history) == [EASY, CHAINS]


def test_the_same_puzzle_is_brought_up_to_date_not_doubled(history: History) -> None:
    first = replace(entry_of(EASY, 1.0, "paper.jpg"), thumbnail=b"jpeg", score=1.2)
    second = entry_of(EASY, 5.0)
    second.entries[0, 2] = 4

    numbers = {add(history, first).id, add(history, second).id}
    (kept,) = find(history)

    assert len(numbers) == 1
    assert kept.time == 5.0
    assert kept.entries[0, 2] == 4
    assert (kept.source, kept.thumbnail, kept.score) == ("paper.jpg", b"jpeg", 1.2)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", 3),
        ("killer", 1),
        ("Kill", 1),
        ("jigsaw", 0),
        ("sunday", 1),
        ("SUNDAY", 1),
        ("extr", 1),
        ("7.1", 1),
        ("53..7....6", 1),
        ("530070000", 1),
        ("paper", 2),
        ("paper easy", 1),
        ("sunday easy", 0),
        ("%", 0),
        ("_", 0),
        ("'; DROP TABLE puzzles; --", 0),
    ],
)
def test_search_sees_source_kind_difficulty_and_clues(
    history: History, query: str, found: int
) -> None:
    add(history, entry_of_kind(Kind.KILLER, 4))
    add(history, replace(entry_of(EASY, source="paper.jpg"), score=1.2, level=Level.EASY))
    add(history, replace(entry_of(CHAINS, source="Sunday paper"), score=7.1, level=Level.EXTREME))

    assert len(find(history, query)) == found


def test_a_deleted_puzzle_can_be_brought_back(history: History) -> None:
    add(history, entry_of(CHAINS, 2.0))
    number = add(history, replace(entry_of(EASY, 1.0), thumbnail=b"jpeg")).id

    deleted = history.delete(number)

    assert isinstance(deleted, HistoryEntry)
    assert clues_in(history) == [CHAINS]
    assert isinstance(history.add(deleted), HistoryEntry)
    assert clues_in(history) == [CHAINS, EASY]
    assert (find(history)[1].id, find(history)[1].thumbnail) == (number, b"jpeg")


def test_a_deleted_puzzle_comes_back_although_its_number_was_taken(history: History) -> None:
    deleted = history.delete(add(history, entry_of(EASY, 1.0)).id)
    assert isinstance(deleted, HistoryEntry)
    add(history, entry_of(CHAINS, 2.0))

    restored = history.add(deleted)

    assert isinstance(restored, HistoryEntry)
    found = {entry.id: format_grid(entry.clues) for entry in find(history)}
    assert sorted(found.values()) == sorted([CHAINS, EASY])
    assert found[restored.id] == EASY


def test_a_puzzle_is_not_taken_for_the_one_that_had_its_number(history: History) -> None:
    first = add(history, entry_of(EASY, 1.0))
    history.delete(first.id)
    second = add(history, entry_of(CHAINS, 2.0))

    assert not history.contains(first)
    assert history.contains(second)
    assert history.delete(99) is None
    assert len(find(history)) == 1


def test_a_damaged_file_is_told_and_can_be_set_aside_with_what_it_lacks(history: History) -> None:
    history.path.parent.mkdir()
    history.path.write_bytes(b"this is no database " * 100)
    unwritten = history.path.with_name("history.sqlite-wal")

    assert history.add(entry_of(EASY)) is HistoryFault.DAMAGED
    unwritten.write_bytes(b"the last puzzles")
    aside = history.set_aside()

    assert isinstance(aside, Path)
    assert aside.read_bytes().startswith(b"this is no database")
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == b"the last puzzles"
    assert not unwritten.exists()
    assert isinstance(history.add(entry_of(EASY)), HistoryEntry)


def test_a_file_that_another_program_holds_is_told(history: History) -> None:
    add(history, entry_of(EASY))
    with closing(sqlite3.connect(history.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")

        assert history.add(entry_of(CHAINS)) is HistoryFault.LOCKED

    assert isinstance(history.add(entry_of(CHAINS)), HistoryEntry)


def test_a_full_disk_is_told_and_nothing_is_lost(history: History) -> None:
    add(history, entry_of(EASY))
    big = replace(entry_of(CHAINS), thumbnail=bytes(200_000))

    with closing(sqlite3.connect(history.path)) as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]

    assert replace(history, most_pages=pages + 2).add(big) is HistoryFault.FULL
    assert clues_in(history) == [EASY]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")

    assert History(blocked / "history.sqlite").add(entry_of(EASY)) is HistoryFault.UNREACHABLE


def test_a_file_of_a_later_version_is_left_alone(history: History) -> None:
    add(history, entry_of(EASY))
    change_file(history, "PRAGMA user_version = 99")

    assert history.add(entry_of(CHAINS)) is HistoryFault.TOO_NEW


def test_rows_that_hold_no_puzzle_are_passed_over(history: History) -> None:
    add(history, entry_of(EASY, 1.0))
    add(history, entry_of(CHAINS, 2.0))
    change_file(history, "UPDATE puzzles SET clues = 'nonsense' WHERE time = 2")

    assert clues_in(history) == [EASY]


def test_a_solution_that_breaks_the_rules_is_not_shown(history: History) -> None:
    add(history, entry_of(EASY))
    change_file(history, "UPDATE puzzles SET solution = ?", "1" * 81)

    assert find(history)[0].solution is None


def test_the_file_is_in_write_ahead_mode_and_knows_its_version(history: History) -> None:
    add(history, entry_of(EASY))

    with closing(sqlite3.connect(history.path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert connection.execute("PRAGMA user_version").fetchone()[0] == VERSION
