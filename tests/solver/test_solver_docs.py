"""docs/solvers.md names every solver of the registry, and what is so of it."""

import re
from pathlib import Path
from typing import Final

import pytest

from solver.registry import load_solver, solver_names

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
GROUP: Final = re.compile(r"^On \[\w+\]\((.+?)\)(.*):\n\n((?:- .+\n)+)", re.MULTILINE)
LIST: Final = [
    (
        line.split("`")[1],
        "incomplete" not in f"{of_all} {line}" or line.endswith("; complete"),
        page,
    )
    for page, of_all, lines in GROUP.findall((DOCS / "solvers.md").read_text(encoding="utf-8"))
    for line in lines.splitlines()
]


def test_the_list_holds_the_solvers_there_are() -> None:
    assert sorted(name for name, _, _ in LIST) == sorted(solver_names())


@pytest.mark.parametrize(("name", "is_complete", "page"), LIST)
def test_a_line_says_what_is_so(name: str, is_complete: bool, page: str) -> None:
    assert load_solver(name).is_complete == is_complete
    assert f"`{name}`" in (DOCS / page).read_text(encoding="utf-8")
