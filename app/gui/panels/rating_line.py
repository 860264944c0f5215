"""A line that says how hard a puzzle is, worked out in the background."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.gui.language import window_words
from app.gui.session.background import Background, MayGoOn, ending_with
from app.help.assistance import tell_rating
from solver.grid import Grid
from solver.human.technique_engine import GaveUpError


class RatingLine(QLabel):
    """Rates a puzzle when it is first looked at, and not while nobody does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clues: Grid | None = None
        self._rated: bytes | None = None
        self._background = Background(self)
        self._background.finished.connect(self._show)
        self.setWordWrap(True)
        self.setAccessibleName(self.tr("Difficulty"))

    def set_clues(self, clues: Grid | None) -> None:
        """Say what is rated: (9, 9) uint8 with exactly one solution, or None for nothing."""
        self._clues = None if clues is None else clues.copy()
        self._refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.setAccessibleName(self.tr("Difficulty"))
            self._rated = None
            self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Rate only when someone looks."""
        super().showEvent(event)
        self._refresh()

    def _refresh(self) -> None:
        clues = self._clues
        if clues is None:
            self._background.cancel()
            self._rated = None
            self.setText("")
            return
        if clues.tobytes() == self._rated or not self.isVisible():
            return
        self._rated = clues.tobytes()
        self.setText(self.tr("Difficulty: …"))
        words = window_words()

        def rate(may_go_on: MayGoOn) -> object:
            try:
                return tell_rating(clues, words, ending_with(may_go_on))
            except GaveUpError:
                return None

        self._background.start(rate)

    def _show(self, told: object) -> None:
        self.setText(self.tr("Difficulty: {0}").format(told) if isinstance(told, str) else "")
