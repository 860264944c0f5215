"""What is open in the window, as a file that the next start reads; free of Qt and of NumPy."""

import contextlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from types import NoneType
from typing import Any, Final, get_args, get_origin, get_type_hints

from app.board.board_values import DIGIT_CHARS, MOST_SIDE, Pencil, Row, pencil_from_rows
from vision.media.whole_files import open_whole

FILE_NAME: Final = "session.json"
_DAMAGED: Final = "session-damaged.json"
_VERSION: Final = 1
_CLASSIC_CELLS: Final = 81
NO_CELL: Final = "-"
"""The sign of a place between the grids of a samurai."""

_SIDES: Final = (4, 6, 8, 9, 10, 12, 16, 25)


@dataclass(frozen=True)
class SavedBoard:
    """A board as it was left.

    Attributes:
        clues: n² characters, 1-9 and then A, B, C…, `.` for an empty cell, `-` where a samurai has
            no cell.
        entries: likewise, where something is written that does not count as a clue.
        is_solved: whether it was solved, and is in the history therefore.
        corners: of a photo's board, four points (x, y) in pixels of the upright photo, clockwise
            from the puzzle's own top left; none for a puzzle without a photo.
        pencil: what was noted beside digits, as `app.board.board_values.pencil_rows` returns it.
        rules: JSON with `kind`, `side`, `regions` and `cages`; "" for the classic ones.
        groups: of regions or cages that do not fit yet, the number of each cell's; else none.
        sums: of such cages, by their numbers.
        alphabet: name of the one that its digits are printed in; "" where all are figures, or no
            print is known.
    """

    clues: str
    entries: str
    by_hand: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()
    is_given: bool = False
    is_solved: bool = False
    corners: tuple[tuple[float, float], ...] = ()
    pencil: tuple[Row, ...] = ()
    seconds: float = 0.0
    is_paused: bool = False
    rules: str = ""
    is_kind_named: bool = False
    alphabet: str = ""
    groups: tuple[int, ...] = ()
    sums: tuple[int, ...] = ()

    @property
    def is_classic(self) -> bool:
        """Whether it is a 9×9 by the usual rules."""
        return not self.rules and len(self.clues) == _CLASSIC_CELLS

    @property
    def notes(self) -> Pencil:
        """What was noted, without what makes no sense."""
        n_digits = 9 if NO_CELL in self.clues else None
        return pencil_from_rows(self.pencil, math.isqrt(len(self.clues)), n_digits)


@dataclass(frozen=True)
class SavedDocument:
    """A photo, or a puzzle without one.

    Attributes:
        path: the photo's file; "" for a puzzle without a photo.
        is_copy: whether that file is the program's own copy of a picture that has no other, in
            the folder of the session and named without it.
        checksum: of the pixels that the boards are of; None where they are not known.
        boards: best first.
        chosen: the one that was looked at.
        turns: quarter turns clockwise that a person turned the photo by.
        steps: that undo goes back over, as `app.board.timeline` tells them.
    """

    name: str
    path: str = ""
    is_copy: bool = False
    checksum: int | None = None
    boards: tuple[SavedBoard, ...] = ()
    chosen: int | None = None
    turns: int = 0
    steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class SavedSession:
    """All that was open, in its order, and the number of what was looked at."""

    documents: tuple[SavedDocument, ...] = ()
    current: int | None = None


def save_session(folder: Path, session: SavedSession) -> None:
    """Write a session into a folder, whole or not at all; the folder is made if need be.

    Raises:
        OSError: if that fails; what was written before is still there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"version": _VERSION, **vars(session)}, default=vars, ensure_ascii=False)
    with open_whole(folder / FILE_NAME, 0o600) as file:
        file.write(text.encode())


def load_session(folder: Path) -> SavedSession:
    """Return the session of a folder, or an empty one.

    A file that cannot be read as one is set aside as `session-damaged.json`; of one that can,
    documents that make no sense are left out, and a copy with them is kept there.
    """
    path = folder / FILE_NAME
    try:
        data = path.read_bytes()
        told = json.loads(data)
    except OSError:
        return SavedSession()
    except (ValueError, RecursionError):
        return _set_aside(path)
    is_known = isinstance(told, dict) and told.get("version") == _VERSION
    if not is_known or not isinstance(told.get("documents"), list):
        return _set_aside(path)
    documents: list[SavedDocument] = []
    place = None
    for number, one in enumerate(told["documents"]):
        with contextlib.suppress(TypeError, ValueError, OverflowError):
            document: SavedDocument = _read(SavedDocument, one)
            if _makes_sense(document):
                place = len(documents) if number == told.get("current") else place
                documents.append(document)
    if len(documents) < len(told["documents"]):
        with contextlib.suppress(OSError):
            path.with_name(_DAMAGED).write_bytes(data)
    return SavedSession(tuple(documents), place)


def _set_aside(path: Path) -> SavedSession:
    """Keep a damaged file for whoever can read it, out of the way of the next one."""
    with contextlib.suppress(OSError):  # then it will be written over
        path.replace(path.with_name(_DAMAGED))
    return SavedSession()


def _read(kind: Any, told: Any) -> Any:
    """Return a value of JSON as a type: a dataclass of this file, a tuple, or a plain one.

    Raises:
        TypeError, ValueError, OverflowError: if it is none. A field that is missing has its
            default.
    """
    inner = get_args(kind)
    if kind in (SavedBoard, SavedDocument):
        kinds = get_type_hints(kind)
        fields = {name: one for name, one in dict(told).items() if name in kinds}
        return kind(**{name: _read(kinds[name], one) for name, one in fields.items()})
    if get_origin(kind) is tuple:
        is_any_length = Ellipsis in inner
        if not isinstance(told, list) or not (is_any_length or len(told) == len(inner)):
            raise TypeError(f"{told!r} is no {kind}")
        return tuple(map(_read, repeat(inner[0]) if is_any_length else inner, told))
    if NoneType in inner:
        return None if told is None else _read(inner[0], told)
    if kind is float and type(told) is int:
        return float(told)
    if type(told) is not kind:
        raise TypeError(f"{told!r} is no {kind}")
    return told


def read_board(told: Any) -> SavedBoard:
    """Return a board from the JSON of its fields.

    Raises:
        TypeError, ValueError, OverflowError: if it is none.
    """
    board: SavedBoard = _read(SavedBoard, told)
    if not _is_board(board):
        raise ValueError(f"{told!r} is no board")
    return board


def _makes_sense(document: SavedDocument) -> bool:
    path, boards = document.path, document.boards
    is_puzzle = len(boards) == 1 and not boards[0].corners
    is_complete = all(board.corners for board in boards) if path else is_puzzle
    is_chosen = document.chosen in (None, *range(len(boards)))
    is_whole = is_complete and is_chosen and document.turns in range(4) and "\0" not in path
    return is_whole and all(map(_is_board, boards))


def _is_board(board: SavedBoard) -> bool:
    n_cells, corners = len(board.clues), board.corners
    are_grids = len(board.entries) == n_cells and all(map(_is_grid, (board.clues, board.entries)))
    are_cells = all(0 <= cell < n_cells for cell in (*board.by_hand, *board.revealed))
    is_placed = not corners or (len(corners) == 4 and 1 < _area(corners) < math.inf)
    are_numbers = min((*board.groups, *board.sums), default=0) >= -1
    return are_grids and are_cells and is_placed and are_numbers and 0 <= board.seconds < math.inf


def _area(points: Sequence[tuple[float, float]]) -> float:
    pairs = zip(points, (*points[1:], points[0]), strict=True)
    return abs(sum(x * down - across * y for (x, y), (across, down) in pairs)) / 2


def _is_grid(text: str) -> bool:
    side = math.isqrt(len(text))
    if len(text) != side**2 or not (side in _SIDES or (NO_CELL in text and side <= MOST_SIDE)):
        return False
    return set(text) <= {".", "0", NO_CELL, *DIGIT_CHARS[:side]}
