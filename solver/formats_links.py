"""Puzzles inside links: f-puzzles (also as SudokuPad passes them on) and SudokuWiki."""

import json
import re
from typing import Any, Final
from urllib.parse import unquote

import numpy as np

from solver.formats_lzstring import compress_to_base64, decompress_from_base64
from solver.grid import Grid, GridError, as_grid, format_grid, parse_grid
from solver.layout import LAYOUTS

_F_PUZZLES: Final = "https://www.f-puzzles.com/?load="
_SUDOKU_WIKI: Final = "https://www.sudokuwiki.org/sudoku.htm?bd="

_LINK: Final = re.compile(r"\s*(https?://|www\.|[\w.-]+\.[a-z]{2,6}/)", re.IGNORECASE)
_F_PUZZLES_DATA: Final = re.compile(
    r"[?&]load=([^&#\s]+)|[/=]fpuz(?:zles)?((?:N4I|%4E)[^&#\s?]+)", re.IGNORECASE
)
_F_PUZZLES_ID: Final = re.compile(r"f-puzzles\.com/?\?id=", re.IGNORECASE)
_SUDOKU_WIKI_DATA: Final = re.compile(r"[?&]bd=([^&#\s]*)", re.IGNORECASE)

_WITHOUT_RULES: Final = frozenset(
    {"size", "title", "author", "ruleset", "grid", "solution", "successMessage"}
    | {"highlightConflicts", "disabledlogic", "truecandidatesoptions"}
)
"""The parts of f-puzzles' JSON that are descriptions and settings; drawings may stand for rules."""


def is_link(text: str) -> bool:
    """Return whether the text begins as an address in the web does."""
    return _LINK.match(text) is not None


def parse_link(text: str) -> Grid:
    """Read the clues out of a link; nothing is fetched.

    Returns:
        (side, side) uint8.

    Raises:
        GridError: if the link holds no puzzle, or one with rules beyond those of Sudoku.
    """
    found = _F_PUZZLES_DATA.search(text)
    if found:
        return parse_f_puzzles(found[1] or found[2])
    if _F_PUZZLES_ID.search(text):
        raise GridError(
            "this f-puzzles link has only a number that the site knows; open it, choose Export, "
            "and take the long link"
        )
    found = _SUDOKU_WIKI_DATA.search(text)
    if found:
        return _parse_sudoku_wiki(unquote(found[1]))
    raise GridError(
        "no puzzle is written in this link; links like "
        f"{_F_PUZZLES}… and {_SUDOKU_WIKI}… can be read"
    )


def f_puzzles_link(grid: Grid, title: str = "") -> str:
    """Return the link that opens the puzzle on f-puzzles.com."""
    rows = [[{"value": int(d), "given": True} if d else {} for d in row] for row in as_grid(grid)]
    puzzle: dict[str, Any] = {"size": len(rows), "grid": rows}
    if title:
        puzzle["title"] = title
    return _F_PUZZLES + compress_to_base64(json.dumps(puzzle, separators=(",", ":")))


def sudoku_wiki_link(grid: Grid) -> str:
    """Return the link that opens the puzzle in SudokuWiki's solver.

    Raises:
        GridError: for another size than 9×9, which that solver does not have.
    """
    if as_grid(grid).shape != (9, 9):
        raise GridError(f"SudokuWiki takes 9×9 puzzles, not {len(grid)}×{len(grid)}")
    return _SUDOKU_WIKI + format_grid(grid).replace(".", "0")


def parse_f_puzzles(data: str) -> Grid:
    """Read the compressed part of an f-puzzles link.

    Returns:
        (side, side) uint8: the given digits only.

    Raises:
        GridError: if it cannot be read, or has rules beyond those of Sudoku.
    """
    # A plus sign in an address is often turned into a blank on the way.
    data = unquote(data).replace(" ", "+")
    try:
        puzzle = json.loads(decompress_from_base64(data))
    except (ValueError, RecursionError):
        raise GridError(
            "the f-puzzles link is damaged or cut short; copy the whole link once more"
        ) from None
    if not isinstance(puzzle, dict) or not isinstance(puzzle.get("grid"), list):
        raise GridError("the f-puzzles link holds no grid; export the puzzle once more")
    rules = sorted(name for name in puzzle.keys() - _WITHOUT_RULES if puzzle[name])
    if rules:
        raise GridError(
            f"the f-puzzles link has rules beyond those of Sudoku ({', '.join(rules)}); "
            "only classic puzzles can be read"
        )
    return _read_cells(puzzle["grid"])


def _read_cells(rows: list[Any]) -> Grid:
    side = len(rows)
    if side not in LAYOUTS or not all(isinstance(row, list) and len(row) == side for row in rows):
        sizes = ", ".join(f"{size}×{size}" for size in LAYOUTS)
        raise GridError(f"the f-puzzles grid has a size that no grid has; take one of {sizes}")
    cells = [cell if isinstance(cell, dict) else {} for row in rows for cell in row]
    box_of = LAYOUTS[side].units_of_cell[:, 2] - 2 * side
    regions = [cell.get("region", box) for cell, box in zip(cells, box_of.tolist(), strict=True)]
    if regions != box_of.tolist():
        raise GridError("the f-puzzles grid has irregular boxes; only classic puzzles can be read")
    digits = [cell.get("value") or 0 if cell.get("given") else 0 for cell in cells]
    if not all(isinstance(digit, int) and 0 <= digit <= side for digit in digits):
        raise GridError(f"the f-puzzles grid has digits beyond 1-{side}; export it once more")
    return np.array(digits, np.uint8).reshape(side, side)


def _parse_sudoku_wiki(board: str) -> Grid:
    if re.fullmatch(r"[0-9.]{81}", board):
        return parse_grid(board)
    raise GridError(
        f"the part bd= of the SudokuWiki link has {len(board)} characters instead of 81 digits; "
        "on the site choose the short link, without candidates"
    )
