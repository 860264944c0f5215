"""What outlives the window: the history of solved puzzles."""

import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, QStandardPaths, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.gui.session.file_opener import sample_path

if TYPE_CHECKING:
    from app.board.board_state import BoardState
    from app.board.board_values import Pencil
    from app.board.history import HistoryEntry, HistoryFault
    from app.board.saved_session import SavedBoard
    from app.gui.panels.history_panel import HistoryPanel
    from app.gui.session.document import Document
    from solver.rules import Rules

_PAUSE_MS: Final = 400
"""After a change before it is written."""

_FILE_NAME: Final = "history.sqlite"

_LOOK_MS: Final = 20
"""Between two looks whether something was written."""

_Key = tuple[bytes, "Rules"]
"""What a puzzle is told from others by: its clues and its rules."""

_Added = Future["HistoryEntry | HistoryFault"]

_MOST_CORRECTED: Final = 1 / 8
"""Of the cells, in which clues may differ from those before; two puzzles differ in far more."""

_Left = tuple[bytes, frozenset[int], "Pencil"]
"""What a puzzle that is known already is left with: entries, what is revealed, and notes."""


class HistoryRecorder(QObject):
    """Writes solved puzzles into the history, and opens what is chosen there."""

    puzzle_chosen = Signal(object, str)

    def __init__(self, parent: QWidget, folder: Path | None = None) -> None:
        """Keep the history in a folder; in the user's own when None."""
        super().__init__(parent)
        data = QStandardPaths.StandardLocation.AppDataLocation
        self.folder = folder or Path(QStandardPaths.writableLocation(data))
        """The folder for what outlives the window."""
        self._panel: HistoryPanel | None = None
        self._kept: dict[_Key, _Left] = {}
        self._changed: dict[_Key, tuple[Document, BoardState]] = {}
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.flush)
        # A disk may take its time, and hundreds of photos come one after the other.
        self._writer: ThreadPoolExecutor | None = None
        self._adding: list[tuple[_Added, _Key, _Left]] = []
        self._added: dict[_Key, _Added] = {}
        # What each board of a document was when it was solved last.
        self._solved: WeakKeyDictionary[Document, dict[int, _Key]] = WeakKeyDictionary()
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._tell_added)

    def can_write(self) -> bool:
        """Try whether files can be written into the folder, which is made if it is not there."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder):
                return True
        except OSError:
            return False

    def know(self, boards: "Iterable[SavedBoard]") -> None:
        """Take solved boards of the last session for known: the history was told of them then."""
        from app.board.board_forms import read_rules
        from solver.formats_kinds import read_cells

        for board in boards:
            rules = read_rules(board)
            clues, entries = (read_cells(text, rules) for text in (board.clues, board.entries))
            left = entries.tobytes(), frozenset(board.revealed), board.notes
            self._kept[clues.tobytes(), rules] = left

    def panel(self) -> "HistoryPanel":
        """Return the panel that shows the history."""
        if self._panel is None:
            from app.board.history import History
            from app.gui.panels.history_panel import HistoryPanel

            self._panel = HistoryPanel(History(self.folder / _FILE_NAME))
            self._panel.puzzle_chosen.connect(self._open)
        return self._panel

    def remember(self, document: "Document") -> None:
        """Keep what is solved in a document in the history, as it is left; not the sample page."""
        from app.board.board_edits import is_finished

        if document.path == sample_path():
            return
        solved = self._solved.setdefault(document, {})
        for number, held in enumerate(document.state.boards):
            key = _key(held)
            if held.solution is None or self._kept.get(key) == _left(held):
                self._changed.pop(key, None)
            elif key in self._kept and not is_finished(held):
                # Whoever types fast is not held up by each digit.
                self._changed[key] = document, held
                self._pause.start()
            else:
                self._changed.pop(key, None)
                self._write(document, held, self._supersede(document, number, key))
            if held.solution is not None:
                solved[number] = key

    def flush(self, _: object = None) -> None:
        """Write what was changed in puzzles that the history holds."""
        self._pause.stop()
        changed, self._changed = self._changed, {}
        for document, held in changed.values():
            self._write(document, held)

    @property
    def is_writing(self) -> bool:
        """Whether something is on its way to the disk."""
        return bool(self._adding)

    def finish(self) -> None:
        """Write everything, and wait for it."""
        self.flush()
        while self._adding:
            self._tell_next()
        if self._writer is not None:
            self._writer.shutdown()
            self._writer = None

    def holds(self, held: "BoardState") -> bool:
        """Tell whether the history holds a board as it is now."""
        self.finish()
        return self._kept.get(_key(held)) == _left(held)

    def _write(
        self, document: "Document", held: "BoardState", former: _Added | None = None
    ) -> None:
        key, left = _key(held), _left(held)
        if self._writer is None:
            self._writer = ThreadPoolExecutor(1)
        future = self._writer.submit(_add, self.folder / _FILE_NAME, document, held, former)
        self._added[key] = future
        self._kept[key] = left
        self._adding.append((future, key, left))
        self._look.start()

    def _supersede(self, document: "Document", number: int, key: _Key) -> _Added | None:
        """Return what was written of a board before its clues or its rules were corrected."""
        import numpy as np

        old_key = self._solved[document].get(number, key)
        added = self._added.get(old_key)
        if added is None or old_key == key:
            return None
        is_elsewhere = any(
            old_key == other and (one, place) != (document, number)
            for one, boards in self._solved.items()
            for place, other in boards.items()
        )
        old, new = (np.frombuffer(clues, np.uint8) for clues, _ in (old_key, key))
        if is_elsewhere or old.size != new.size or (old != new).mean() > _MOST_CORRECTED:
            return None
        self._kept.pop(old_key, None)
        self._changed.pop(old_key, None)
        return self._added.pop(old_key)

    def _tell_added(self) -> None:
        """Show one that was written: the panel may be seen, and has something to do for each."""
        if self._adding and self._adding[0][0].done():
            self._tell_next()
        if not self._adding:
            self._look.stop()

    def _tell_next(self) -> None:
        """Wait for the next, and show it; what failed, as on a locked file, is tried again."""
        from app.board.history import HistoryEntry

        future, key, left = self._adding.pop(0)
        added = future.result()
        if not isinstance(added, HistoryEntry) and self._kept.get(key) == left:
            del self._kept[key]
        self.panel().show_added(added)

    def _open(self, entry: object) -> None:
        from app.board.history import HistoryEntry

        if isinstance(entry, HistoryEntry):
            changed = self._changed.get((entry.clues.tobytes(), entry.rules))
            if changed is not None:
                _, held = changed
                entry = replace(
                    entry, entries=held.board.entries, revealed=held.revealed, pencil=held.pencil
                )
            self.puzzle_chosen.emit(entry, entry.source or self.tr("From the history"))


def _add(
    path: Path, document: "Document", held: "BoardState", former: _Added | None
) -> "HistoryEntry | HistoryFault":
    """Write a board, in place of what was written of it before it was corrected."""
    # The panel is needed afterwards; loaded here it does not hold up the window.
    import app.gui.panels.history_panel  # noqa: F401
    from app.board.history import History, HistoryEntry

    history = History(path)
    added = history.add(_entry(document, held))
    old = None if former is None else former.result()
    if isinstance(added, HistoryEntry) and isinstance(old, HistoryEntry) and old.id != added.id:
        history.delete(old.id)
    return added


def _entry(document: "Document", held: "BoardState") -> "HistoryEntry":
    from app.board.history import HistoryEntry
    from app.report.report_pictures import encode_thumbnail

    reading = held.board.reading
    thumbnail = None if reading is None else encode_thumbnail(reading.board)
    number = next((n for n, one in enumerate(document.state.boards) if one is held), -1)
    clock = document.clocks.get(number)
    return HistoryEntry(
        clues=held.board.clues,
        entries=held.board.entries,
        solution=held.solution,
        time=time.time(),
        source="" if document.is_typed else document.name,
        thumbnail=thumbnail,
        revealed=held.revealed,
        seconds=0.0 if clock is None else clock.elapsed(time.monotonic()),
        pencil=held.pencil,
        rules=held.board.rules,
    )


def _key(held: "BoardState") -> _Key:
    return held.board.clues.tobytes(), held.board.rules


def _left(held: "BoardState") -> _Left:
    return held.board.entries.tobytes(), held.revealed, held.pencil
