"""Choosing a cell and saying what stands in it, by keys, by clicks, and on the pad."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.gui.board_access import tell_chosen_cell
from app.gui.clean_board import CleanBoard
from app.gui.digit_pad import DigitPad
from app.gui.photo_view import PhotoView

if TYPE_CHECKING:
    from app.board_state import BoardState, PhotoState
    from app.gui.session import Session

_STEPS: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_CLEARING: Final = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Period)


class CellEditor(QObject):
    """Knows which cell is chosen, on whichever of the two boards, and changes it.

    Signals:
        selected: the chosen cell 0..80, or None.
    """

    selected = Signal(object)

    def __init__(self, photo: PhotoView, clean: CleanBoard, room: QWidget) -> None:
        """Watch both boards; the pad floats over `room`, which holds them."""
        super().__init__(room)
        self._photo, self._clean, self._room = photo, clean, room
        self._session: Session | None = None
        self._cell: int | None = None
        self._pad = DigitPad(room)
        self._pad_at: QWidget | None = None
        photo.cell_clicked.connect(self._click_photo)
        photo.nothing_clicked.connect(lambda: self.select(None))
        photo.view_changed.connect(self._pad.hide)
        clean.cell_clicked.connect(self._click_clean)
        clean.nothing_clicked.connect(lambda: self.select(None))
        self._pad.digit_chosen.connect(self._choose_digit)
        self._pad.kind_chosen.connect(self._set_kind)
        self._pad.reveal_wanted.connect(self.reveal)

    @property
    def cell(self) -> int | None:
        """The chosen cell."""
        return self._cell

    def use(self, session: "Session") -> None:
        """Change what is open in this session."""
        self._session = session

    def begin(self) -> None:
        """Choose the first cell of the clean board, to type all of it."""
        self.select(0)
        self._clean.setFocus()

    def select(self, cell: int | None) -> None:
        """Choose a cell, or none."""
        self._pad.hide()
        if cell != self._cell:
            self._cell = cell
            self._photo.set_selected(cell)
            self._clean.set_selected(cell)
            self._tell_reader()
            self.selected.emit(cell)

    def press(self, event: QKeyEvent) -> bool:
        """Handle a key; return False if it means nothing here."""
        key = Qt.Key(event.key())
        digit = _digit_of(event)
        plain = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
        if self._board() is None or event.modifiers() & ~plain:
            return False
        if key in _STEPS:
            self._step(*_STEPS[key])
        elif self._cell is None:
            return False
        elif digit is not None:
            self.set_digit(digit)
        elif key in _CLEARING:
            self.set_digit(0)
        elif key == Qt.Key.Key_Space:
            self.reveal()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._show_pad(self._pad_at or self._first_board())
        elif key == Qt.Key.Key_Escape:
            self._pad.hide() if self._pad.isVisible() else self.select(None)
        else:
            return False
        return True

    def set_digit(self, digit: int) -> None:
        """Say what stands in the chosen cell; 0 for nothing."""
        from app.board_state import set_digit

        self._pad.hide()
        if self._cell is not None:
            cell = self._cell
            self._act(lambda state: set_digit(state, cell, digit))
            self._tell_reader()

    def toggle_kind(self) -> None:
        """Take a printed digit for a written one, or the other way."""
        board = self._board()
        if board is not None and self._cell is not None:
            self._set_kind(bool(board.board.entries.flat[self._cell]))

    def reveal(self) -> None:
        """Let the solution of the chosen cell be seen."""
        if self._cell is not None:
            self.reveal_cell(self._cell)

    def reveal_cell(self, cell: int) -> None:
        """Let the solution of a cell be seen."""
        from app.board_state import reveal

        self._pad.hide()
        self._act(lambda state: reveal(state, frozenset({cell})))
        self._tell_reader()

    def _choose_digit(self, digit: int) -> None:
        self.set_digit(digit)

    def _set_kind(self, is_printed: bool) -> None:
        from app.board_state import set_kind

        self._pad.hide()
        if self._cell is not None:
            cell = self._cell
            self._act(lambda state: set_kind(state, cell, is_printed=is_printed))

    def _click_photo(self, board: int, cell: int) -> None:
        from app.board_state import choose_board

        session = self._session
        if session is None or session.current is None:
            return
        if session.current.state.chosen != board:
            # The first click on another board only picks it.
            self.select(None)
            session.look(lambda state: choose_board(state, board))
            return
        self._toggle(cell, self._photo)

    def _click_clean(self, cell: int) -> None:
        self._clean.setFocus(Qt.FocusReason.MouseFocusReason)
        self._toggle(cell, self._clean)

    def _toggle(self, cell: int, where: QWidget) -> None:
        if self._board() is None:
            return
        if cell == self._cell and self._pad.isVisible():
            self._pad.hide()
            return
        self.select(cell)
        self._show_pad(where)

    def _step(self, down: int, right: int) -> None:
        if self._cell is None:
            self.select(40)
            return
        if right:
            # As one writes: after the end of a row comes the next one.
            self.select((self._cell + right) % 81)
        else:
            self.select((self._cell + 9 * down) % 81)

    def _show_pad(self, where: QWidget) -> None:
        board = self._board()
        if board is None or self._cell is None:
            return
        self._pad_at = where
        if where is self._photo:
            rect, origin = self._photo.cell_rect(self._cell), self._photo.viewport()
        else:
            rect, origin = self._clean.cell_rect(self._cell), self._clean
        corner = origin.mapTo(self._room, QPoint(0, 0))
        digit = int(board.digits.flat[self._cell])
        self._pad.show_beside(
            rect.translated(corner) if isinstance(rect, QRectF) else rect,
            digit=digit,
            is_printed=not board.board.entries.flat[self._cell],
            can_reveal=board.solution is not None
            and not board.board.clues.flat[self._cell]
            and self._cell not in board.revealed,
        )

    def _first_board(self) -> QWidget:
        return self._photo if self._photo.isVisible() else self._clean

    def _tell_reader(self) -> None:
        """Let screen readers say what the chosen cell holds."""
        board, cell = self._board(), self._cell
        text = ""
        if cell is not None and board is not None:
            row, column = divmod(cell, 9)
            text = self.tr("Row {}, column {}").format(row + 1, column + 1)
            text += f": {self._told(cell)}"
        for widget in (self._photo, self._clean):
            widget.setAccessibleDescription(text)
            if widget.hasFocus():
                tell_chosen_cell(widget, cell)

    def _told(self, cell: int) -> str:
        board = self._board()
        if board is None:
            return ""
        clue, entry = int(board.board.clues.flat[cell]), int(board.board.entries.flat[cell])
        if clue:
            return self.tr("{}, clue").format(clue)
        if cell in board.wrong_entries:
            right = int(board.shown.flat[cell])
            return self.tr("{}, solution; the entry {} is wrong").format(right, entry)
        if entry:
            return self.tr("{}, entry").format(entry)
        if board.solution is not None and cell in board.revealed:
            return self.tr("{}, solution").format(int(board.solution.flat[cell]))
        return self.tr("empty")

    def _board(self) -> "BoardState | None":
        session = self._session
        if session is None or session.current is None:
            return None
        return session.current.board

    def _act(self, change: "Callable[[PhotoState], PhotoState]") -> None:
        if self._session is not None:
            self._session.act(change)


def _digit_of(event: QKeyEvent) -> int | None:
    text = event.text()
    return int(text) if len(text) == 1 and text in "0123456789" else None
