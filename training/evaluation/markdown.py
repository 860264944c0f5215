"""Tables of figures in Markdown."""

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
