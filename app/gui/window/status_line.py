"""Calm lines around the photo: how it stands and what to do next, and what is told only once."""

import enum
import itertools
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QProgressBar,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.gui.theme import Theme, theme_of
from app.gui.widgets import (
    Folding,
    capitalise,
    fill,
    follows_changes,
    keep_room,
    make_button,
    make_label,
    painting,
    put_words,
    tell,
)

_Line = tuple[tuple[float, float], ...]


class Severity(enum.Enum):
    """How it stands; each has a colour of the theme and a sign of its own, drawn in lines."""

    IDLE = "line", ()
    WORKING = "muted", (((7, 11), (7.1, 11)), ((11, 11), (11.1, 11)), ((15, 11), (15.1, 11)))
    GOOD = "accent", (((6.5, 11.5), (9.8, 14.8), (15.5, 7.8)),)
    DOUBTFUL = "amber", (((11, 6.2), (11, 11.8)), ((11, 15.4), (11, 15.5)))
    BAD = "red", (((7.6, 7.6), (14.4, 14.4)), ((14.4, 7.6), (7.6, 14.4)))

    def __init__(self, colour: str, sign: tuple[_Line, ...]) -> None:
        self.colour, self.sign = colour, sign


@dataclass(frozen=True)
class StatusMessage:
    """What the line says: a headline, what to do next, and up to two buttons.

    `StatusLine.action_wanted` tells the key of the button that was pressed; without a word, a
    button is not there.
    """

    severity: Severity = Severity.IDLE
    headline: str = ""
    detail: str = ""
    action: str = ""
    action_key: str = ""
    other: str = ""
    other_key: str = ""


def as_sentence(text: str) -> str:
    """Return what an error says as a sentence; nothing of nothing."""
    return capitalise(text.rstrip(".")) + "." if text else ""


@follows_changes
class StatusLine(Folding):
    """Shows a `StatusMessage`, and signals the key of a button that was pressed."""

    action_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.status = StatusMessage()
        """What is said now."""
        self._dot = _Dot(self)
        self._headline = make_label(factor=1.15, is_bold=True)
        self._detail = make_label()
        self._detail.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        wanted = self.action_wanted.emit
        self._button = make_button(act=lambda: wanted(self.status.action_key))
        self._other = make_button(act=lambda: wanted(self.status.other_key))
        self._progress = keep_room(QProgressBar(textVisible=False))
        self._progress.setFixedHeight(3)
        words = fill(QVBoxLayout(), self._headline, self._detail, spacing=2)
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        fill(self._line, (words, 1), self._button, self._other, spacing=12)
        row = fill(
            QHBoxLayout(),
            (self._dot, 0, Qt.AlignmentFlag.AlignVCenter),
            (self._line, 1),
            margins=(20, 9, 16, 11),
            spacing=12,
        )
        fill(QVBoxLayout(self), self._progress, row, margins=(0, 0, 0, 0), spacing=0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._refit()
        put_words(self._progress, name=lambda: self.tr("Progress"))
        put_words(self, name=lambda: self.tr("Status"))
        self.show_status(self.status)

    def _refit(self) -> None:
        """Keep room for two lines, so that the photo does not jump when a second one comes."""
        self.setMinimumHeight(3 + 20 + 2 + 2 * self.fontMetrics().lineSpacing() + 6)

    def _fold(self) -> None:
        """Put the buttons below the words where these would have too little width."""
        directions = QBoxLayout.Direction
        buttons = [one for one in (self._button, self._other) if not one.isHidden()]
        is_wide = 3 * sum(one.sizeHint().width() for one in buttons) <= self.width()
        self._line.setDirection(directions.LeftToRight if is_wide else directions.TopToBottom)

    def show_status(self, status: StatusMessage) -> None:
        """Say something else."""
        self.status = status
        self._dot.set_severity(status.severity)
        self._headline.setText(status.headline)
        self._detail.setText(status.detail)
        self._detail.setVisible(bool(status.detail))
        for button, word in ((self._button, status.action), (self._other, status.other)):
            button.setText(word)
            button.setVisible(bool(word))
        self._progress.setRange(0, 0 if status.severity is Severity.WORKING else 1)
        self._progress.setValue(0)
        self._progress.setVisible(status.severity is Severity.WORKING)
        self.setAccessibleDescription(f"{status.headline} {status.detail}".strip())


class _Dot(QWidget):
    """A coloured dot with a sign in it, so that colour does not speak alone."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._severity = Severity.IDLE
        self.setFixedSize(QSize(22, 22))

    def set_severity(self, severity: Severity) -> None:
        self._severity = severity
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting(self) as painter:
            paint_severity(painter, theme_of(self), self._severity)


def paint_severity(painter: QPainter, theme: Theme, severity: Severity) -> None:
    """Draw the dot of a severity with its sign into a square of 22 pixels."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(getattr(theme, severity.colour)))
    painter.drawEllipse(QRectF(1, 1, 20, 20))
    pen = QPen(QColor(theme.window), 2.2)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    for line in severity.sign:
        for (x0, y0), (x1, y1) in itertools.pairwise(line):
            painter.drawLine(QPointF(x0, y0), QPointF(x1, y1))


class NoticeBar(QWidget):
    """Says what a person should know, and waits for nothing."""

    def __init__(self) -> None:
        super().__init__()
        put_words(self, name=lambda: self.tr("Notice"))
        self._text = make_label()
        close = make_button(lambda: self.tr("Close"), self.hide, kind="link")
        fill(QHBoxLayout(self), (self._text, 1), close, margins=(20, 6, 16, 6), spacing=12)
        self.hide()

    def say(self, text: str) -> None:
        """Say something, in place of what was said before."""
        self.show()
        tell(self._text, text)
