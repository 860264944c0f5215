"""The bars above a board: which board is looked at, what is doubtful, and what is played with."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QIcon, QImage, QPixmap
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.board.board_values import COLOURS, DIGIT_CHARS, EntryMode
from app.gui.board.cell_painting import CELL_COLOURS
from app.gui.theme import digit_font
from app.gui.widgets import (
    FoldingRow,
    capitalise,
    empty_layout,
    enlarge,
    fill,
    follows_changes,
    painting,
    plain_text,
    put_words,
)

if TYPE_CHECKING:
    from app.board.board_state import BoardState, PhotoState
    from app.report.advice import UnsureCell

translate = QCoreApplication.translate
_PICTURE_PX: Final = 34
_LEAST_PX: Final = 26
_KEY_PX: Final = 44
"""Side of a key where there is room: what a finger hits."""
_HEIGHT_PX: Final = 40
_SWATCH_PX: Final = 20
_MOST_IN_ROW: Final = 13
"""Keys that stand side by side; a board of 12×12 has as many."""


def _bound_button(action: QAction, arrow: Qt.ArrowType = Qt.ArrowType.NoArrow) -> QToolButton:
    button = QToolButton(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonIconOnly, arrowType=arrow)
    button.setDefaultAction(action)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def name() -> None:
        button.setAccessibleName(plain_text(action))

    name()
    action.changed.connect(name)
    return button


def _arrow_buttons(back: QAction, forth: QAction) -> tuple[QToolButton, QToolButton]:
    return (
        _bound_button(back, Qt.ArrowType.LeftArrow),
        _bound_button(forth, Qt.ArrowType.RightArrow),
    )


@follows_changes
class BoardSwitch(QWidget):
    """Counts the boards of a photo; it is hidden where there is one at most."""

    def __init__(self, back: QAction, forth: QAction) -> None:
        """Make it; the actions look at the board before and at the next one."""
        super().__init__()
        self._count = 0
        self._chosen: int | None = None
        self._text = QLabel(self)
        arrows = _arrow_buttons(back, forth)
        row = 0, arrows[0], self._text, arrows[1], 0
        fill(QHBoxLayout(self), *row, margins=(12, 2, 12, 0), spacing=4)
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


@follows_changes
class DoubtBar(QWidget):
    """Asks what stands in the doubtful cells of a board, one after the other.

    Signals:
        answered: the cell, and the digit that stands there, 0 for none.
        looked_at: the cell that is asked for now, because a person went on to it.
    """

    answered = Signal(int, int)
    looked_at = Signal(int)

    def __init__(self) -> None:
        super().__init__()
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
        self._arrows = _arrow_buttons(self._back, self._forth)
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
        put_words(self, name=lambda: self.tr("Doubtful cells"))
        self._retranslate()
        self.hide()

    def show_board(self, held: "BoardState | None") -> None:
        """Ask for the doubtful cells of a board, or for nothing."""
        if held is self._held:
            return
        self._held = held
        questions: tuple[UnsureCell, ...] = ()
        if held is not None:
            from app.board.board_state import find_questions  # loads NumPy

            questions = find_questions(held)
        old = self._questions[self._number].cell if self._questions else -1
        self._questions = questions
        cells = [one.cell for one in questions]
        # After an answer the next cell follows, and the first one after the last.
        self._number = next((n for n, cell in enumerate(cells) if cell >= old), 0)
        self._show_question()
        if self._is_answering and questions:
            self.looked_at.emit(cells[self._number])

    def _retranslate(self) -> None:
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
        empty_layout(self._answers)
        self.setVisible(bool(self._questions))
        if not self._questions:
            return
        one = self._questions[self._number]
        row, column = divmod(one.cell, self._side)
        place = self.tr("Row {0}, column {1}").format(row + 1, column + 1)
        empty = translate("Advice", "empty")
        symbols = DIGIT_CHARS if self._held is None else self._held.symbols
        names = [symbols[digit - 1] if digit else empty for digit in one.digits]
        asked = names[0]
        if len(names) > 1:
            asked = translate("Advice", "{first} or {last}").format(
                first=", ".join(names[:-1]), last=names[-1]
            )
        self._text.setText(self.tr("{0}: {1}?").format(place, asked))
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
        button = QPushButton(capitalise(name), self)
        spoken = self.tr("Digit {}").format(name) if digit else self.tr("The cell is empty")
        button.setAccessibleName(spoken)
        button.clicked.connect(lambda: self._answer(digit))
        return button

    def _show_picture(self, cell: int) -> None:
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


@follows_changes
class PlayBar(QWidget):
    """The keys of play, in one line or in two.

    Signals:
        digit_chosen: 1..n, or the number of a colour.
        erasing_wanted: the chosen cells shall be empty.
    """

    digit_chosen = Signal(int)
    erasing_wanted = Signal()

    def __init__(self, modes: Iterable[QAction], switches: Iterable[QAction]) -> None:
        """Make it of what chooses each `EntryMode`, and of what else is switched in play."""
        super().__init__()
        self._mode = EntryMode.DIGIT
        put_words(self, name=lambda: translate("PlayBar", "Play"))
        self._tool_row, self._key_row = QWidget(self), QWidget(self)
        self._tools, self._keys = QHBoxLayout(self._tool_row), QGridLayout(self._key_row)
        self._buttons = [self._bind(action) for action in modes]
        self._tools.addSpacing(8)
        self._buttons += [self._bind(action) for action in switches]
        self._time = QLabel(self._tool_row, indent=6)
        self._tools.addWidget(self._time)
        self._tools.addStretch()
        self._symbols: tuple[str, ...] = tuple(DIGIT_CHARS[:9])
        self._digits = [self._number_key(number) for number in range(1, COLOURS + 1)]
        self._erase = put_words(
            self._key(),
            lambda: "⌫",
            name=lambda: translate("PlayBar", "Erase"),
            tip=lambda: translate("PlayBar", "Erase"),
        )
        self._erase.clicked.connect(self.erasing_wanted)
        self._place_keys()
        for row in (self._tools, self._keys):
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(2)
        rows = FoldingRow(self._tool_row, self._key_row, spacing_px=4, is_even=False)
        fill(QVBoxLayout(self), rows, margins=(12, 4, 12, 0))
        self.show_mode(self._mode)
        self.hide()

    def show_symbols(self, symbols: Sequence[str]) -> None:
        """Have keys for the digits of a board, from 1, and for the colours."""
        if tuple(symbols) == self._symbols:
            return
        self._symbols = tuple(symbols)
        for number in range(len(self._digits) + 1, len(symbols) + 1):
            self._digits.append(self._number_key(number))
        self._place_keys()
        self.show_mode(self._mode)

    def _place_keys(self) -> None:
        keys = [*self._digits[: max(len(self._symbols), COLOURS)], self._erase]
        rows = 1 if len(keys) <= _MOST_IN_ROW else 2
        width = -(-len(keys) // rows)
        for place, key in enumerate(keys):
            self._keys.addWidget(key, place // width, place % width)

    def show_mode(self, mode: EntryMode) -> None:
        """Show on the keys what they write."""
        self._mode = mode
        is_colour = mode is EntryMode.COLOUR
        count = COLOURS if is_colour else len(self._symbols)
        for number, key in enumerate(self._digits, start=1):
            is_wanted = number <= count
            key.setIcon(_swatch(number) if is_colour and is_wanted else QIcon())
            key.setText(self._symbols[number - 1] if is_wanted and not is_colour else "")
            key.setVisible(is_wanted)
        self._retranslate()

    def show_time(self, text: str) -> None:
        """Say how long the board was played, such as 4:05."""
        self._time.setText(text)
        self._time.setAccessibleName(translate("PlayBar", "Time {0}").format(text))

    def _retranslate(self) -> None:
        words = {
            EntryMode.DIGIT: translate("PlayBar", "Digit {0}"),
            EntryMode.CORNER: translate("PlayBar", "Corner mark {0}"),
            EntryMode.CENTRE: translate("PlayBar", "Centre mark {0}"),
        }.get(self._mode)
        if words is None:
            names = [say_colour(number) for number in range(1, COLOURS + 1)]
        else:
            names = [words.format(symbol) for symbol in self._symbols]
        for name, key in zip(names, self._digits, strict=False):
            key.setAccessibleName(name)
            key.setToolTip(name)
        self.show_time(self._time.text())

    def _bind(self, action: QAction) -> QToolButton:
        button = _bound_button(action)
        button.setMinimumSize(_LEAST_PX, _HEIGHT_PX)
        button.setIconSize(QSize(_SWATCH_PX, _SWATCH_PX))
        self._tools.addWidget(button)
        return button

    def _number_key(self, number: int) -> QToolButton:
        key = self._key()
        key.setFont(digit_font(19))
        enlarge(key, 1.55, is_bold=True)
        key.clicked.connect(lambda: self.digit_chosen.emit(number))
        return key

    def _key(self) -> QToolButton:
        key = QToolButton(self._key_row)
        # The chosen cells keep the keyboard.
        key.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        key.setMinimumSize(_LEAST_PX, _HEIGHT_PX)
        key.setMaximumWidth(2 * _KEY_PX)
        key.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        key.setIconSize(QSize(_SWATCH_PX, _SWATCH_PX))
        key.setProperty("kind", "key")
        return key


def say_colour(number: int) -> str:
    """Return the name of a colour 1..9."""
    return (
        translate("PlayBar", "red"),
        translate("PlayBar", "orange"),
        translate("PlayBar", "yellow"),
        translate("PlayBar", "green"),
        translate("PlayBar", "turquoise"),
        translate("PlayBar", "blue"),
        translate("PlayBar", "purple"),
        translate("PlayBar", "pink"),
        translate("PlayBar", "grey"),
    )[number - 1]


def _swatch(number: int) -> QIcon:
    pixmap = QPixmap(3 * _SWATCH_PX, 3 * _SWATCH_PX)
    pixmap.fill(QColor(0, 0, 0, 0))
    with painting(pixmap) as painter:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(CELL_COLOURS[number - 1])
        painter.drawRoundedRect(pixmap.rect(), 12, 12)
    pixmap.setDevicePixelRatio(3)
    return QIcon(pixmap)
