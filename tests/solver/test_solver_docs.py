"""docs/solvers.md names every solver of the registry, and what is so of it."""

import re
from pathlib import Path
from typing import Final

import pytest

from solver.registry import load_solver, solver_names

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
ROW: Final = re.compile(r"^\| `([\w-]+)` \|.*\| (yes|no) \| \[\w+\]\((.+)\) \|$", re.MULTILINE)
TABLE: Final = ROW.findall((DOCS / "solvers.md").read_text(encoding="utf-8"))


def test_the_table_holds_the_solvers_there_are() -> None:
    assert sorted(name for name, _, _ in TABLE) == sorted(solver_names())


@pytest.mark.parametrize(("name", "is_complete", "page"), TABLE)
def test_a_row_says_what_is_so(name: str, is_complete: str, page: str) -> None:
    assert load_solver(name).is_complete == (is_complete == "yes")
    assert f"`{name}`" in (DOCS / page).read_text(encoding="utf-8")
