"""Tables of figures in Markdown, written and read."""

import re
from collections.abc import Iterable


def format_table(heads: str, rows: Iterable[Iterable[object]]) -> str:
    """Return a table, its heads told as `one | other`."""
    return "\n".join([format_head(heads), *map(format_row, rows)])


def format_head(heads: str) -> str:
    """Return the two lines above the rows of a table; the first head may be empty."""
    return f"| {heads.lstrip()} |\n" + "|---" * (heads.count(" | ") + 1) + "|"


def format_row(cells: Iterable[object]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def read_table(text: str) -> dict[str, dict[str, str]]:
    """Return the first cell of every row of the Markdown tables in a text, and its cells by head.

    Of two rows of one name the first counts.
    """
    rows: dict[str, dict[str, str]] = {}
    heads: list[str] = []
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if not line.startswith("|"):
            heads = []
            continue
        cells = [cell.strip().strip("*") for cell in line.strip().strip("|").split("|")]
        if not heads:
            is_ruled = number + 1 < len(lines) and re.fullmatch(r"[|\-: ]+", lines[number + 1])
            heads = cells if is_ruled else []
        elif not set(line) <= set("|-: "):
            rows.setdefault(cells[0], dict(zip(heads[1:], cells[1:], strict=False)))
    return rows
