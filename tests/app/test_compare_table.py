"""The tables and plots of a comparison."""

from pathlib import Path

import pytest

from app.compare.comparison_table import (
    clues_of,
    difficulty_of,
    effort_units,
    format_tables,
    group_solves,
    summarize,
)
from app.compare.solve_records import Solve, Verdict

CLUES = "." * 81


def solve(
    solver: str = "one",
    verdict: Verdict = Verdict.RIGHT,
    nodes: int = 1,
    iterations: int = 0,
    rating: float | None = None,
    n_clues: int = 30,
    file: str = "easy.csv",
    clues: str = CLUES,
    seconds: float = 0.001,
    passes: int = 0,
) -> Solve:
    return Solve(
        *(solver, file, 1, clues, n_clues, rating, None, None, None, verdict, "solved"),
        *(seconds, nodes, 0, iterations, passes),
    )


def rows_of(tables: str, title: str) -> dict[str, list[str]]:
    """Return the cells of one table's rows by what stands first in each."""
    table = tables.split(f"{title}\n\n")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.split("\n")]
    return {row[0]: row for row in rows}


def test_a_summary_counts_what_was_right_and_what_it_cost() -> None:
    solves = [solve(nodes=n, seconds=n / 1000) for n in range(1, 101)]
    solves += [solve("two", Verdict.OPEN, nodes=0, iterations=7), solve("two", Verdict.WRONG, 0)]

    one, two = summarize(solves, effort_units(solves))

    assert (one.solver, one.n, one.right, one.wrong) == ("one", 100, 100, 0)
    assert one.unit == "nodes"
    assert one.effort == pytest.approx((50.5, 95.05, 100))
    assert one.seconds == pytest.approx((0.0505, 0.09505))
    assert (two.right_percent, two.wrong, two.unit) == (0, 1, "iterations")


def test_a_solver_has_one_unit_in_every_group() -> None:
    solves = [solve(iterations=1, nodes=0), solve(nodes=0, n_clues=17)]

    tables = format_tables(solves)

    assert tables.count("| iterations |") == 4
    assert "nodes" not in tables


@pytest.mark.parametrize(
    ("n_clues", "band"),
    [
        (17, "17 clues"),
        (18, "18–21 clues"),
        (25, "22–25 clues"),
        (33, "30–33 clues"),
        (34, "34+ clues"),
        (80, "34+ clues"),
    ],
)
def test_clues_come_in_bands(n_clues: int, band: str) -> None:
    assert clues_of(solve(n_clues=n_clues)) == band


def test_difficulty_is_the_rating_or_else_the_file() -> None:
    assert difficulty_of(solve(rating=7.3)) == "SE 7.0–7.9"
    assert difficulty_of(solve(file="top.1465.txt")) == "top.1465"


def test_large_grids_have_a_band_of_their_own() -> None:
    assert clues_of(solve(clues="." * 256)) == "16×16"


def test_bands_ascend_behind_the_files() -> None:
    ratings = [9.1, 5.0, None, 10.2]

    groups = group_solves([solve(rating=rating) for rating in ratings], difficulty_of)

    assert list(groups) == ["easy", "SE 5.0–5.9", "SE 9.0–9.9", "SE 10.0–10.9"]


def test_tables_are_markdown_with_as_many_columns_in_every_row() -> None:
    solves = [solve(name, rating=rating) for name in ("one", "two") for rating in (None, 5.1, 7.2)]

    tables = [part for part in format_tables(solves).split("\n\n") if part.startswith("|")]

    assert len(tables) == 9
    for table in tables:
        rows = table.split("\n")
        assert len(rows) == 4
        assert len({row.count("|") for row in rows}) == 1
        assert len({len(row) for row in rows}) == 1
        assert set(rows[1]) == set("| -:") or set(rows[1]) == set("| -")


def test_passes_have_a_column_where_a_solver_counts_them() -> None:
    solves = [solve("exact"), *(solve("network", passes=n, n_clues=17) for n in (3, 5, 9))]
    solves.append(solve("network", n_clues=40))

    whole = rows_of(format_tables(solves), "## All puzzles")
    easy = rows_of(format_tables(solves), "## By clues: 34+ clues")

    assert whole["solver"][-1] == easy["solver"][-1] == "passes"
    assert (whole["exact"][-1], whole["network"][-1]) == ("–", "4")
    assert easy["network"][-1] == "0"
    assert rows_of(format_tables(solves[:1]), "## All puzzles")["solver"][-1] == "95th ms"


def test_four_plots_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib, which the extra train has")
    from app.compare.comparison_table import save_plots

    solves = [solve("one"), solve("two", Verdict.OPEN, 900), solve("three", nodes=0)]

    paths = save_plots(solves, tmp_path / "plots")

    assert [path.name for path in paths] == [
        "iterations.png",
        "failures-by-difficulty.png",
        "failures-by-clues.png",
        "success-by-limit.png",
    ]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)


@pytest.mark.parametrize("name", ["hard clues", "SE hard", "big ×2", "SE –"])
def test_a_file_may_be_called_like_a_band(name: str) -> None:
    solves = [solve(file=f"{name}.txt"), solve(rating=5.2)]

    assert list(group_solves(solves, difficulty_of)) == [name, "SE 5.0–5.9"]
