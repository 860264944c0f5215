"""What is open in the window, as a file that the next start reads; free of Qt and of NumPy."""

import contextlib
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeGuard

from app.board.board_values import MOST_SIDE, SIGNS, Pencil, Row, pencil_from_rows, pencil_rows
from vision.media.whole_files import open_whole

FILE_NAME: Final = "session.json"
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
        return _read_notes(self.pencil, self.clues)


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
    whatever makes no sense is left out.
    """
    path = folder / FILE_NAME
    try:
        told = json.loads(path.read_bytes())
    except OSError:
        return SavedSession()
    except (ValueError, RecursionError):
        return _set_aside(path)
    if not isinstance(told, dict) or told.get("version") != _VERSION:
        return _set_aside(path)
    documents: list[SavedDocument] = []
    numbers: dict[int, int] = {}
    for number, one in enumerate(_items(told.get("documents"))):
        document = _read_document(one)
        if document is not None:
            numbers[number] = len(documents)
            documents.append(document)
    current = told.get("current")
    place = numbers.get(current) if isinstance(current, int) else None
    return SavedSession(tuple(documents), place)


def _set_aside(path: Path) -> SavedSession:
    """Keep a damaged file for whoever can read it, out of the way of the next one."""
    with contextlib.suppress(OSError):  # then it will be written over
        path.replace(path.with_name("session-damaged.json"))
    return SavedSession()


def _read_document(told: Any) -> SavedDocument | None:
    if not isinstance(told, dict) or not isinstance(told.get("name"), str):
        return None
    path, checksum, chosen = told.get("path", ""), told.get("checksum"), told.get("chosen")
    found = [_read_board(one) for one in _items(told.get("boards"))]
    boards = tuple(board for board in found if board is not None)
    if not isinstance(path, str) or "\0" in path:
        return None
    if not path and (len(boards) != 1 or boards[0].corners):
        return None
    if path and not all(board.corners for board in boards):
        return None
    return SavedDocument(
        name=told["name"],
        path=path,
        is_copy=told.get("is_copy") is True,
        checksum=checksum if _is_count(checksum) else None,
        boards=boards,
        chosen=chosen if chosen in range(len(boards)) else None,
        turns=told["turns"] if told.get("turns") in range(4) else 0,
        steps=tuple(one for one in _items(told.get("steps")) if isinstance(one, str)),
    )


def _read_board(told: Any) -> SavedBoard | None:
    if not isinstance(told, dict):
        return None
    clues, entries = told.get("clues"), told.get("entries")
    if not (_is_grid(clues) and _is_grid(entries) and len(clues) == len(entries)):
        return None
    n_cells, rules, alphabet = len(clues), told.get("rules"), told.get("alphabet")
    corners = _read_corners(told.get("corners"))
    if corners is None:
        return None
    return SavedBoard(
        clues=str(clues),
        entries=str(entries),
        by_hand=_read_cells(told.get("by_hand"), n_cells),
        revealed=_read_cells(told.get("revealed"), n_cells),
        is_given=told.get("is_given") is True,
        is_solved=told.get("is_solved") is True,
        corners=corners,
        pencil=pencil_rows(_read_notes(told.get("pencil"), clues)),
        seconds=_read_seconds(told.get("seconds")),
        is_paused=told.get("is_paused") is True,
        rules=rules if isinstance(rules, str) else "",
        is_kind_named=told.get("is_kind_named") is True,
        alphabet=alphabet if isinstance(alphabet, str) else "",
        groups=_read_numbers(told.get("groups")),
        sums=_read_numbers(told.get("sums")),
    )


def _read_notes(told: Any, clues: str) -> Pencil:
    n_digits = 9 if NO_CELL in clues else None
    return pencil_from_rows(told, math.isqrt(len(clues)), n_digits)


def _read_corners(told: Any) -> tuple[tuple[float, float], ...] | None:
    """Return four corners around some area, or none; None where they are neither."""
    points = []
    for point in _items(told):
        if not isinstance(point, list) or len(point) != 2 or not all(map(_is_number, point)):
            return None
        points.append((float(point[0]), float(point[1])))
    if not points:
        return ()
    return tuple(points) if len(points) == 4 and _area(points) > 1 else None


def _area(points: list[tuple[float, float]]) -> float:
    following = [*points[1:], points[0]]
    pairs = zip(points, following, strict=True)
    return abs(sum(x * down - across * y for (x, y), (across, down) in pairs)) / 2


def _read_cells(told: Any, n_cells: int) -> tuple[int, ...]:
    return tuple(cell for cell in _items(told) if _is_count(cell) and cell < n_cells)


def _read_numbers(told: Any) -> tuple[int, ...]:
    return tuple(one for one in _items(told) if isinstance(one, int) and one >= -1)


def _read_seconds(told: Any) -> float:
    return float(told) if _is_number(told) and told > 0 else 0.0


def _items(told: Any) -> Iterable[Any]:
    return told if isinstance(told, list) else []


def _is_grid(told: Any) -> TypeGuard[str]:
    if not isinstance(told, str):
        return False
    side = math.isqrt(len(told))
    if len(told) != side**2 or not (side in _SIDES or (NO_CELL in told and side <= MOST_SIDE)):
        return False
    return set(told) <= {".", "0", NO_CELL, *SIGNS[:side]}


def _is_count(told: Any) -> bool:
    return isinstance(told, int) and not isinstance(told, bool) and told >= 0


def _is_number(told: Any) -> bool:
    return isinstance(told, int | float) and not isinstance(told, bool) and math.isfinite(told)
