"""The bars above a board: which of a photo's boards is looked at, and one question for each cell
that was not read for sure, answered by one click: 6, 9 or 8?
"""

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QAction, QImage, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from app.board.board_values import SIGNS
from app.gui.widgets import fill, follows_changes

if TYPE_CHECKING:
    from app.board.board_state import BoardState, PhotoState
    from app.report.advice import UnsureCell


translate = QCoreApplication.translate

_PICTURE_PX: Final = 34


@follows_changes
class BoardSwitch(QWidget):
    """Counts the boards of a photo; it is hidden where there is one at most."""

    def __init__(self, back: QAction, forth: QAction, parent: QWidget | None = None) -> None:
        """Make it; the actions look at the board before and at the next one."""
        super().__init__(parent)
        self._count = 0
        self._chosen: int | None = None
        self._text = QLabel(self)
        row = fill(QHBoxLayout(self), 0, margins=(12, 2, 12, 0), spacing=4)
        for action, arrow in ((back, Qt.ArrowType.LeftArrow), (forth, Qt.ArrowType.RightArrow)):
            if arrow is Qt.ArrowType.RightArrow:
                row.addWidget(self._text)
            row.addWidget(arrow_button(action, arrow))
        row.addStretch()
        self.hide()

    def show_state(self, state: "PhotoState | None") -> None:
        """Say which board of a photo is looked at."""
        self._count = 0 if state is None else len(state.boards)
        self._chosen = None if state is None else state.chosen
        self._retranslate()
        self.setVisible(self._count > 1)

    def _retranslate(self) -> None:
        if self._chosen is None:
            text = self.tr("{0} boards").format(self._count)
        else:
            text = self.tr("Board {0} of {1}").format(self._chosen + 1, self._count)
        self._text.setText(text)
        self.setAccessibleName(text)


def arrow_button(action: QAction, arrow: Qt.ArrowType) -> QToolButton:
    """Return a small button with an arrow that does what an action does."""
    button = QToolButton()
    button.setDefaultAction(action)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    button.setArrowType(arrow)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def name() -> None:
        button.setAccessibleName(action.text().replace("&", ""))

    name()
    action.changed.connect(name)
    return button


@follows_changes
class DoubtBar(QWidget):
    """Asks what stands in the doubtful cells of a board, one after the other.

    Signals:
        answered: the cell, and the digit that stands there, 0 for none.
        looked_at: the cell that is asked for now, because a person went on to it.
    """

    answered = Signal(int, int)
    looked_at = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._held: BoardState | None = None
        self._questions: tuple[UnsureCell, ...] = ()
        self._number = 0
        self._is_answering = False
        self._picture, self._text, self._count = QLabel(self), QLabel(self), QLabel(self)
        self._picture.setFixedSize(QSize(_PICTURE_PX, _PICTURE_PX))
        self._text.setWordWrap(True)
        self._back, self._forth = QAction(self), QAction(self)
        self._back.triggered.connect(lambda: self._step(-1))
        self._forth.triggered.connect(lambda: self._step(1))
        self._arrows = (
            arrow_button(self._back, Qt.ArrowType.LeftArrow),
            arrow_button(self._forth, Qt.ArrowType.RightArrow),
        )
        self._answers = QHBoxLayout()
        self._answers.setSpacing(4)
        fill(
            QHBoxLayout(self),
            self._picture,
            (self._text, 1),
            self._answers,
            self._arrows[0],
            self._count,
            self._arrows[1],
            margins=(20, 4, 12, 2),
            spacing=8,
        )
        self._retranslate()
        self.hide()

    def show_board(self, held: "BoardState | None") -> None:
        """Ask for the doubtful cells of a board, or for nothing."""
        if held is self._held:
            return
        self._held = held
        questions = _find_questions(held)
        old = self._questions[self._number].cell if self._questions else -1
        self._questions = questions
        cells = [one.cell for one in questions]
        # After an answer the next cell follows, and the first one after the last.
        self._number = next((n for n, cell in enumerate(cells) if cell >= old), 0)
        self._show_question()
        if self._is_answering and questions:
            self.looked_at.emit(cells[self._number])

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Doubtful cells"))
        self._back.setText(self.tr("Previous doubtful cell"))
        self._forth.setText(self.tr("Next doubtful cell"))
        self._show_question()

    @property
    def _side(self) -> int:
        return 9 if self._held is None else self._held.side

    def _step(self, step: int) -> None:
        self._number = (self._number + step) % len(self._questions)
        self._show_question()
        self.looked_at.emit(self._questions[self._number].cell)

    def _answer(self, digit: int) -> None:
        self._is_answering = True
        self.answered.emit(self._questions[self._number].cell, digit)
        self._is_answering = False

    def _show_question(self) -> None:
        while (item := self._answers.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.setVisible(bool(self._questions))
        if not self._questions:
            return
        one = self._questions[self._number]
        row, column = divmod(one.cell, self._side)
        place = self.tr("Row {0}, column {1}").format(row + 1, column + 1)
        empty = translate("Advice", "empty")
        symbols = SIGNS if self._held is None else self._held.symbols
        names = [symbols[digit - 1] if digit else empty for digit in one.digits]
        asked = names[0]
        if len(names) > 1:
            asked = translate("Advice", "{first} or {last}").format(
                first=", ".join(names[:-1]), last=names[-1]
            )
        self._text.setText(f"{place}: {asked}?")
        for digit, name in zip(one.digits, names, strict=True):
            answer = self._make_answer(digit, name)
            self._answers.addWidget(answer)
            answer.show()
        is_many = len(self._questions) > 1
        self._count.setText(
            self.tr("{0} of {1}").format(self._number + 1, len(self._questions)) if is_many else ""
        )
        for widget in (*self._arrows, self._count):
            widget.setVisible(is_many)
        self._show_picture(one.cell)

    def _make_answer(self, digit: int, name: str) -> QPushButton:
        button = QPushButton(name[:1].upper() + name[1:], self)
        spoken = self.tr("Digit {}").format(name) if digit else self.tr("The cell is empty")
        button.setAccessibleName(spoken)
        button.clicked.connect(lambda: self._answer(digit))
        return button

    def _show_picture(self, cell: int) -> None:
        """Show the cell as it was photographed."""
        reading = None if self._held is None else self._held.board.reading
        self._picture.setVisible(reading is not None)
        if reading is None:
            return
        board = reading.board
        height, width = board.shape
        side = height / self._side
        row, column = divmod(cell, self._side)
        top, left, size = round(row * side), round(column * side), round(side)
        seen = QImage(board.tobytes(), width, height, width, QImage.Format.Format_Grayscale8)
        ratio = self.devicePixelRatioF()
        picture = QPixmap.fromImage(seen.copy(left, top, size, size)).scaled(
            round(_PICTURE_PX * ratio),
            round(_PICTURE_PX * ratio),
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        picture.setDevicePixelRatio(ratio)
        self._picture.setPixmap(picture)


def _find_questions(held: "BoardState | None") -> "tuple[UnsureCell, ...]":
    if held is None:
        return ()
    from app.board.board_state import (
        find_questions,  # loads NumPy, which the empty window does without
    )

    return find_questions(held)
