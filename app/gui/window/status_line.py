"""Calm lines around the photo: how it stands and what to do next, and what is told only once."""

import enum
import itertools
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.gui.theme import Theme, theme_of
from app.gui.widgets import enlarge, fill, follows_changes, painting, tell


class Mood(enum.Enum):
    """How it stands; each has a colour and a sign of its own."""

    IDLE = enum.auto()
    WORKING = enum.auto()
    GOOD = enum.auto()
    DOUBTFUL = enum.auto()
    BAD = enum.auto()


@dataclass(frozen=True)
class StatusMessage:
    """What the line says: a headline, what to do next, and up to two buttons.

    `StatusLine.action_wanted` tells the key of the button that was pressed; without a word, a
    button is not there.
    """

    mood: Mood = Mood.IDLE
    headline: str = ""
    detail: str = ""
    action: str = ""
    action_key: str = ""
    other: str = ""
    other_key: str = ""


def as_sentence(text: str) -> str:
    """Return what an error says as a sentence; nothing of nothing."""
    return text[:1].upper() + text[1:].rstrip(".") + "." if text else ""


@follows_changes
class StatusLine(QWidget):
    """Shows a `StatusMessage`, and signals the key of a button that was pressed."""

    action_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.status = StatusMessage()
        """What is said now."""
        self._dot = _Dot(self)
        self._headline = QLabel(self)
        enlarge(self._headline, 1.15, is_bold=True)
        self._headline.setWordWrap(True)
        self._detail = QLabel(self, wordWrap=True)
        self._detail.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._button = QPushButton(self)
        self._button.clicked.connect(lambda: self.action_wanted.emit(self.status.action_key))
        self._other = QPushButton(self)
        self._other.clicked.connect(lambda: self.action_wanted.emit(self.status.other_key))
        self._progress = QProgressBar(self)
        self._progress.setRange(0, 0)
        self._progress.setTextVisible(False)
        self._progress.setFixedHeight(3)
        policy = self._progress.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._progress.setSizePolicy(policy)
        words = fill(QVBoxLayout(), self._headline, self._detail, spacing=2)
        row = fill(
            QHBoxLayout(),
            (self._dot, 0, Qt.AlignmentFlag.AlignVCenter),
            (words, 1),
            (self._button, 0, Qt.AlignmentFlag.AlignVCenter),
            (self._other, 0, Qt.AlignmentFlag.AlignVCenter),
            margins=(20, 9, 16, 11),
            spacing=12,
        )
        fill(QVBoxLayout(self), self._progress, row, margins=(0, 0, 0, 0), spacing=0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._refit()
        self._retranslate()
        self.show_status(self.status)

    def _refit(self) -> None:
        """Keep room for two lines, so that the photo does not jump when a second one comes."""
        self.setMinimumHeight(3 + 20 + 2 + 2 * self.fontMetrics().lineSpacing() + 6)

    def _retranslate(self) -> None:
        self._progress.setAccessibleName(self.tr("Progress"))
        self.setAccessibleName(self.tr("Status"))

    def show_status(self, status: StatusMessage) -> None:
        """Say something else."""
        self.status = status
        self._dot.set_mood(status.mood)
        self._headline.setText(status.headline)
        self._detail.setText(status.detail)
        self._detail.setVisible(bool(status.detail))
        self._button.setText(status.action)
        self._button.setVisible(bool(status.action))
        self._other.setText(status.other)
        self._other.setVisible(bool(status.other))
        self._progress.setRange(0, 0 if status.mood is Mood.WORKING else 1)
        self._progress.setValue(0)
        self._progress.setVisible(status.mood is Mood.WORKING)
        self.setAccessibleDescription(f"{status.headline} {status.detail}".strip())


class _Dot(QWidget):
    """A coloured dot with a sign in it, so that colour does not speak alone."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._mood = Mood.IDLE
        self.setFixedSize(QSize(22, 22))

    def set_mood(self, mood: Mood) -> None:
        self._mood = mood
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            paint_mood(painter, theme_of(self), self._mood)


def paint_mood(painter: QPainter, theme: Theme, mood: Mood) -> None:
    """Draw the dot of a mood with its sign into a square of 22 pixels."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(_mood_colour(theme, mood)))
    painter.drawEllipse(QRectF(1, 1, 20, 20))
    pen = QPen(QColor(theme.window), 2.2)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    for line in _SIGNS[mood]:
        for (x0, y0), (x1, y1) in itertools.pairwise(line):
            painter.drawLine(QPointF(x0, y0), QPointF(x1, y1))


def _mood_colour(theme: Theme, mood: Mood) -> str:
    return {
        Mood.IDLE: theme.line,
        Mood.WORKING: theme.muted,
        Mood.GOOD: theme.accent,
        Mood.DOUBTFUL: theme.amber,
        Mood.BAD: theme.red,
    }[mood]


_Line = tuple[tuple[float, float], ...]
_SIGNS: dict[Mood, tuple[_Line, ...]] = {
    Mood.IDLE: (),
    Mood.WORKING: (((7, 11), (7.1, 11)), ((11, 11), (11.1, 11)), ((15, 11), (15.1, 11))),
    Mood.GOOD: (((6.5, 11.5), (9.8, 14.8), (15.5, 7.8)),),
    Mood.DOUBTFUL: (((11, 6.2), (11, 11.8)), ((11, 15.4), (11, 15.5))),
    Mood.BAD: (((7.6, 7.6), (14.4, 14.4)), ((14.4, 7.6), (7.6, 14.4))),
}


@follows_changes
class NoticeBar(QWidget):
    """Says what a person should know, and waits for nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = QLabel(self, wordWrap=True)
        self._close = QPushButton(self)
        self._close.setProperty("kind", "link")
        self._close.clicked.connect(self.hide)
        fill(QHBoxLayout(self), (self._text, 1), self._close, margins=(20, 6, 16, 6), spacing=12)
        self._retranslate()
        self.hide()

    def say(self, text: str) -> None:
        """Say something, in place of what was said before."""
        self.show()
        tell(self._text, text)

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Notice"))
        self._close.setText(self.tr("Close"))
