"""Choosing cells and saying what stands in them, by keys, by clicks, and on the pad."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.board.board_values import DIGIT_CHARS
from app.gui.board.access import announce_chosen_cell, say_cell
from app.gui.board.keys import CLEARING, STEPS, DigitPad, typed_digit
from app.gui.board.playing import PlayEntry
from app.gui.board.rule_bar import RuleEntry

if TYPE_CHECKING:
    from app.board.board_state import BoardState, PhotoState
    from app.gui.session.session import WindowSession
    from app.gui.window.main_window import Window


class CellEditor(QObject):
    """Knows which cell is chosen, on whichever of the two boards, and changes it.

    Signals:
        selected: the chosen cell, or None.

    Attributes:
        play: writes into boards that are being played.
        rules: corrects the rules of boards. In both, many cells can be chosen at once.
    """

    selected = Signal(object)

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        central_view = window.central_view
        self._window, self._room = window, central_view.room
        photo, clean = central_view.photo, central_view.clean
        self._photo, self._clean = photo, clean
        self.cell: int | None = None
        """The chosen cell."""
        self.cells: frozenset[int] = frozenset()
        """All chosen cells."""
        self._first: int | None = None
        self.play: PlayEntry = PlayEntry(self, window)
        self.rules = RuleEntry(self, window)
        self._pad = DigitPad(central_view.room)
        self._pad_at: QWidget | None = None
        photo.cell_clicked.connect(self._click_photo)
        clean.cell_clicked.connect(self._click_clean)
        for view in (photo, clean):
            view.nothing_clicked.connect(lambda: self.select(None))
            view.cell_added.connect(self.add)
            view.cell_reached.connect(lambda cell: self.add(cell, is_kept=True))
        photo.zoom.changed.connect(self._pad.hide)
        self._pad.digit_chosen.connect(self.set_digit)
        self._pad.kind_chosen.connect(self._set_kind)
        self._pad.reveal_wanted.connect(self.reveal)

    @property
    def session(self) -> "WindowSession":
        """What is open."""
        return self._window.opened

    @property
    def first(self) -> int | None:
        """The cell that was chosen first of all that are."""
        return self._first if self._first in self.cells else self.cell

    @property
    def side(self) -> int:
        """Of the board that is looked at; 9 where there is none."""
        board = self._board()
        return 9 if board is None else board.side

    @property
    def symbols(self) -> Sequence[str]:
        """What is written for each digit of the board that is looked at, from 1."""
        board = self._board()
        return DIGIT_CHARS[:9] if board is None else board.symbols

    @property
    def _all_cells(self) -> Sequence[int]:
        board = self._board()
        return range(81) if board is None else board.cells

    def begin(self) -> None:
        """Choose the first cell of the clean board, to type all of it."""
        self.select(0)
        self._clean.setFocus()

    def select(self, cell: int | None) -> None:
        """Choose a cell, or none."""
        self._choose(cell, frozenset() if cell is None else frozenset({cell}))

    def add(self, cell: int, *, is_kept: bool = False) -> None:
        """Choose one more cell in play, or leave one that was chosen, unless it `is_kept`."""
        if not (self.play.is_on or self.rules.is_on):
            if not is_kept:
                self.select(cell)
        elif cell in self.cells and not is_kept:
            left = self.cells - {cell}
            self._choose(min(left, default=None), left)
        else:
            self._choose(cell, self.cells | {cell})

    def choose_all(self) -> None:
        """Choose every cell."""
        cells = self._all_cells
        self._choose(cells[0] if self.cell is None else self.cell, frozenset(cells))

    def go(self, down: int, right: int, *, is_adding: bool) -> None:
        """Choose the cell next to the chosen one, or add it to all that are chosen."""
        before, first = self.cells, self.first
        self._step(down, right)
        if is_adding:
            self._choose(self.cell, self.cells | before)
            self._first = first

    def _choose(self, cell: int | None, cells: frozenset[int]) -> None:
        self._pad.hide()
        if (cell, cells) == (self.cell, self.cells):
            return
        if len(cells) < 2:
            self._first = cell
        is_other, self.cell, self.cells = cell != self.cell, cell, cells
        self._photo.set_selected(cell, cells)
        self._clean.set_selected(cell, cells)
        if self.rules.is_on:
            self.rules.refresh(self._board())
        if is_other:
            self.tell_reader()
            self.selected.emit(cell)

    def point_at(self, board: int, cell: int) -> None:
        """Choose a cell of one of the boards on the photo, without the pad."""
        self._pick(board)
        self.select(cell)

    def press(self, event: QKeyEvent) -> bool:
        """Handle a key; return False if it means nothing here."""
        key = Qt.Key(event.key())
        if self.play.is_paused:
            return False
        if self.play.is_on and self.play.press(event):
            return True
        if self.rules.is_on and self.rules.press(event):
            return True
        digit = typed_digit(event, self.symbols)
        plain = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
        if self._board() is None or event.modifiers() & ~plain:
            return False
        if key in STEPS:
            self._step(*STEPS[key])
        elif self.cell is None:
            return False
        elif digit is not None:
            self.set_digit(digit)
        elif key in CLEARING:
            self.set_digit(0)
        elif key == Qt.Key.Key_Space:
            self.reveal()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            shown = self._photo if self._photo.isVisible() else self._clean
            self._show_pad(self._pad_at or shown)
        elif key == Qt.Key.Key_Escape:
            self._pad.hide() if self._pad.isVisible() else self.select(None)
        else:
            return False
        return True

    def wants(self, event: QKeyEvent) -> bool:
        """Tell whether a key that is a shortcut of the window writes into the chosen cell."""
        if self.play.wants(event) or self.rules.wants(event):
            return True
        has_control = event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        if self.cell is None or self.play.is_paused or has_control:
            return False
        return event.text().isalpha() and typed_digit(event, self.symbols) is not None

    def leave_missing(self) -> None:
        """Choose no cell any more where the board has none of that number."""
        if self.cell is not None and not self.cells.issubset(self._all_cells):
            self.select(None)

    def set_digit(self, digit: int) -> None:
        """Say what stands in the chosen cell; 0 for nothing."""
        from app.board.board_edits import set_digit

        if self.cell is not None:
            self.act(partial(set_digit, cell=self.cell, digit=digit))

    def toggle_kind(self) -> None:
        """Take a printed digit for a written one, or the other way."""
        board = self._board()
        if board is not None and self.cell is not None:
            self._set_kind(bool(board.board.entries.flat[self.cell]))

    def reveal(self) -> None:
        """Let the solution of the chosen cell be seen."""
        if self.cell is not None:
            self.reveal_cell(self.cell)

    def reveal_cell(self, cell: int) -> None:
        """Let the solution of a cell be seen."""
        from app.board.board_edits import reveal

        self.act(lambda state: reveal(state, frozenset({cell})))

    def _set_kind(self, is_printed: bool) -> None:
        from app.board.board_edits import set_kind

        if self.cell is not None:
            self.act(partial(set_kind, cell=self.cell, is_printed=is_printed))

    def _click_photo(self, board: int, cell: int) -> None:
        # The first click on another board only picks it.
        if not self._pick(board):
            self._toggle(cell, self._photo)

    def _pick(self, board: int) -> bool:
        """Look at a board of the photo; return whether it was another one."""
        from app.board.board_edits import choose_board

        document = self._window.document
        is_other = document is not None and document.state.chosen != board
        if is_other:
            self.select(None)
            self.session.look(lambda state: choose_board(state, board))
        return is_other

    def _click_clean(self, cell: int) -> None:
        self._clean.setFocus(Qt.FocusReason.MouseFocusReason)
        self._toggle(cell, self._clean)

    def _toggle(self, cell: int, where: QWidget) -> None:
        if self._board() is None:
            return
        if cell == self.cell and self._pad.isVisible():
            self._pad.hide()
            return
        self.select(cell)
        if not (self.play.is_on or self.rules.is_on):  # there the keys stand below the boards
            self._show_pad(where)

    def _step(self, down: int, right: int) -> None:
        cells = self._all_cells
        if self.cell is None:
            self.select(cells[len(cells) // 2])
            return
        # As one writes: after the end of a row comes the next one. Between the grids of a samurai
        # lies what is no cell.
        cell = self.cell
        while (cell := (cell + (right or self.side * down)) % self.side**2) not in cells:
            pass
        self.select(cell)

    def _show_pad(self, where: QWidget) -> None:
        board = self._board()
        if board is None or self.cell is None:
            return
        self._pad_at = where
        if where is self._photo:
            rect, origin = self._photo.cell_rect(self.cell), self._photo.viewport()
        else:
            rect, origin = self._clean.cell_rect(self.cell), self._clean
        corner = origin.mapTo(self._room, QPoint(0, 0))
        digit = int(board.digits.flat[self.cell])
        self._pad.show_beside(
            rect.translated(corner) if isinstance(rect, QRectF) else rect,
            symbols=board.symbols,
            digit=digit,
            is_printed=not board.board.entries.flat[self.cell],
            can_reveal=board.solution is not None
            and not board.board.clues.flat[self.cell]
            and self.cell not in board.revealed,
        )

    def tell_reader(self) -> None:
        """Let screen readers say what the chosen cell holds."""
        cell, face = self.cell, self._clean.face
        text = ""
        if cell is not None and face is not None:
            text = say_cell(cell, face.cells[cell], face.side, face.symbols)
        for widget in (self._photo, self._clean):
            widget.setAccessibleDescription(text)
            if widget.hasFocus():
                announce_chosen_cell(widget, cell)

    def _board(self) -> "BoardState | None":
        document = self._window.document
        return None if document is None else document.board

    def act(self, change: "Callable[[PhotoState], PhotoState]") -> None:
        """Take a step in what is looked at, and let screen readers say the chosen cell."""
        self._pad.hide()
        self.session.act(change)
        self.tell_reader()
