"""What outlives the window: the history of solved puzzles."""

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, Signal
from PySide6.QtWidgets import QWidget

from app.gui.opening import sample_path

if TYPE_CHECKING:
    from app.board_state import BoardState
    from app.gui.document import Document
    from app.gui.history_panel import HistoryPanel
    from app.history_table import HistoryEntry


class Keeping(QObject):
    """Writes solved puzzles into the history, and opens what is chosen there.

    Signals:
        puzzle_chosen: the clues, (9, 9) uint8, and the name of a puzzle of the history.
    """

    puzzle_chosen = Signal(object, str)

    def __init__(self, parent: QWidget, folder: Path | None = None) -> None:
        """Keep the history in a folder; in the user's own when None."""
        super().__init__(parent)
        self._folder = folder or _data_folder()
        self._panel: HistoryPanel | None = None
        self._kept: set[bytes] = set()

    @property
    def folder(self) -> Path:
        """Where the history is kept."""
        return self._folder

    def can_write(self) -> bool:
        """Try whether files can be written into the folder, which is made if it is not there."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self._folder):
                return True
        except OSError:
            return False

    def panel(self) -> "HistoryPanel":
        """Return the panel that shows the history."""
        if self._panel is None:
            from app.gui.history_panel import HistoryPanel
            from app.history import History

            self._panel = HistoryPanel(History(self._folder / "history.sqlite"))
            self._panel.puzzle_chosen.connect(self._open)
        return self._panel

    def remember(self, document: "Document") -> None:
        """Add what is solved in a document to the history, once; not the sample page."""
        if document.path == sample_path():
            return
        for held in document.state.boards:
            key = held.board.clues.tobytes()
            if held.solution is None or key in self._kept:
                continue
            # What could not be written, as while another program writes, is tried again.
            if self.panel().remember(_entry(document, held)) is not None:
                self._kept.add(key)

    def _open(self, entry: object) -> None:
        from app.history_table import HistoryEntry

        if isinstance(entry, HistoryEntry):
            self.puzzle_chosen.emit(entry.clues, entry.source or self.tr("From the history"))


def _entry(document: "Document", held: "BoardState") -> "HistoryEntry":
    from app.history_table import HistoryEntry
    from app.sharing import encode_thumbnail

    reading = held.board.reading
    thumbnail = None if reading is None else encode_thumbnail(reading.board)
    return HistoryEntry(
        clues=held.board.clues,
        entries=held.board.entries,
        solution=held.solution,
        time=time.time(),
        source="" if document.is_typed else document.name,
        thumbnail=thumbnail,
    )


def _data_folder() -> Path:
    kind = QStandardPaths.StandardLocation.AppDataLocation
    return Path(QStandardPaths.writableLocation(kind))
