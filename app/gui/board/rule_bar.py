"""Correcting by hand what kind a board is, its regions, and its cages with their sums."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from app.gui.board.keys import CLEARING, CONTROL, SHIFT, STEPS
from app.gui.widgets import (
    FoldingRow,
    ListBox,
    capitalise,
    fill,
    follows_changes,
    make_button,
    make_label,
    put_words,
)
from app.gui.window.preferences import window_words

if TYPE_CHECKING:
    from app.board.board_state import BoardState, PhotoState
    from app.gui.board.cell_editor import CellEditor
    from app.gui.window.main_window import Window
    from solver.rules import Kind

_RETURNS: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MOST_FIGURES: Final = 3
"""Of a sum: a row of 25 cells has 325."""


@follows_changes
class RuleBar(QWidget):
    """Offers the kinds of a board, and what can be done to its regions or cages.

    Signals:
        cells_wanted: the keys shall go back to the board.

    Attributes:
        kind: lists the kinds of `kinds`.
        sum: of the chosen cell's cage.
        join: has the chosen cells join the region or cage of the first of them.
        cage: makes a cage of the chosen cells.
        done: ends the correction.
    """

    cells_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kinds: tuple[Kind, ...] = ()
        self._has_regions = self._has_cages = False
        put_words(self, name=lambda: self.tr("Correct the rules"))
        self._text = make_label()
        self.kind = ListBox(
            lambda: [(_say_kind(kind), None) for kind in self.kinds],
            name=lambda: self.tr("&Kind").replace("&", ""),
        )
        self.sum = QLineEdit(maxLength=_MOST_FIGURES)
        self.sum.setFixedWidth(56)
        kind = make_label(lambda: self.tr("&Kind"), is_wrapped=False)
        self._sum_label = make_label(lambda: self.tr("S&um"), is_wrapped=False)
        for label, part in ((kind, self.kind), (self._sum_label, self.sum)):
            label.setBuddy(part)
        put_words(self.sum, name=lambda: self.tr("S&um").replace("&", ""))
        self.join = make_button(lambda: self.tr("&Join them"))
        self.cage = make_button(lambda: self.tr("&New cage"))
        self.done = make_button(lambda: self.tr("&Done"))
        for button in (self.join, self.cage, self.done):
            button.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        upper, lower = QWidget(), QWidget()
        named = kind, self.kind, self._sum_label, self.sum
        fill(QHBoxLayout(upper), *named, 1, margins=(0, 0, 0, 0), spacing=6)
        buttons = self.join, self.cage, 1, self.done
        fill(QHBoxLayout(lower), *buttons, margins=(0, 0, 0, 0), spacing=6)
        lines = FoldingRow(upper, lower, spacing_px=6, is_even=False)
        fill(QVBoxLayout(self), self._text, lines, margins=(12, 6, 12, 0), spacing=4)
        self._retranslate()
        self.hide()

    def show_board(self, held: "BoardState", cell: int | None, count: int) -> None:
        """Offer what can be done to a board, of which a cell and so many in all are chosen."""
        from app.board.board_edits import list_kinds, sum_at
        from solver.rules import Kind

        kind, kinds = held.board.kind, list_kinds(held.side)
        self._has_regions, self._has_cages = kind is Kind.JIGSAW, kind is Kind.KILLER
        if kinds != self.kinds:
            self.kinds = kinds
            self.kind.list_choices((_say_kind(one), None) for one in kinds)
        self.kind.setCurrentIndex(kinds.index(kind))
        for part in (self.cage, self._sum_label, self.sum):
            part.setVisible(self._has_cages)
        self.join.setVisible(self._has_regions or self._has_cages)
        self.join.setEnabled(count > 1)
        self.cage.setEnabled(cell is not None)
        total = None if cell is None else sum_at(held, cell)
        self.sum.setEnabled(total is not None)
        if not self.sum.hasFocus():
            self.sum.setText(str(total) if total else "")
        self._retranslate()

    def type_sum(self, figure: str) -> None:
        """Begin to type the sum of the chosen cell's cage."""
        if self._has_cages and self.sum.isEnabled():
            self.sum.setText(figure)
            self.sum.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Give the keys back to the board."""
        if event.key() == Qt.Key.Key_Escape and self.sum.hasFocus():
            self.cells_wanted.emit()
        else:
            super().keyPressEvent(event)

    def _retranslate(self) -> None:
        text = self.tr("Choose the kind that the page says or shows.")
        if self._has_regions:
            text = self.tr(
                "Drag from a cell of a region over cells that belong to it, then join them."
            )
        elif self._has_cages:
            text = self.tr(
                "Drag from a cell of a cage over cells that belong to it, then join them. Type the "
                "sum of the chosen cage."
            )
        self._text.setText(text)


def _say_kind(kind: "Kind") -> str:
    from app.help.help_words import KINDS

    return capitalise(window_words().look_up(KINDS[kind]))


class RuleEntry(QObject):
    """Turns keys and buttons into corrections of the rules, in the chosen cells.

    `is_on` tells whether the rules of the board that is looked at are being corrected.
    """

    def __init__(self, editor: "CellEditor", window: "Window") -> None:
        """Correct what the editor chooses, by the bar of its window."""
        super().__init__(editor)
        self._editor, self._window = editor, window
        self._bar, self._action = bar, action = (
            window.central_view.rule_bar,
            window.actions_of_window.rules,
        )
        self.is_on = False
        action.toggled.connect(self._turn)
        bar.kind.activated.connect(lambda number: self._name_kind(bar.kinds[number]))
        bar.join.clicked.connect(self.join)
        bar.cage.clicked.connect(self.begin_cage)
        bar.sum.returnPressed.connect(self._set_sum)
        bar.sum.returnPressed.connect(bar.cells_wanted)
        bar.done.clicked.connect(lambda: action.setChecked(False))

    def refresh(self, held: "BoardState | None") -> None:
        """Show what can be corrected of the board that is looked at."""
        can_be = False
        if held is not None:
            from app.board.board_edits import can_correct_rules  # loads NumPy

            can_be = can_correct_rules(held)
        self._action.setEnabled(can_be)
        if not can_be and self._action.isChecked():
            self._action.setChecked(False)
        self.is_on = can_be and self._action.isChecked()
        self._bar.setVisible(self.is_on)
        if self.is_on and held is not None:
            self._bar.show_board(held, self._editor.cell, len(self._editor.cells))

    def _turn(self, is_wanted: bool) -> None:
        if is_wanted:
            self._window.placement.end()
        self._editor.select(None)
        self._window.presenter.refresh()
        self._window.central_view.give_keys()

    def wants(self, event: QKeyEvent) -> bool:
        """Tell whether a key that is a shortcut of the window means something here."""
        has_control = bool(event.modifiers() & CONTROL)
        return self.is_on and has_control and Qt.Key(event.key()) in (*STEPS, *_RETURNS)

    def press(self, event: QKeyEvent) -> bool:
        """Handle a key; return False if it means nothing here."""
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        if modifiers & (Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier):
            return False
        if key in STEPS:
            self._editor.go(*STEPS[key], is_adding=bool(modifiers & (SHIFT | CONTROL)))
        elif key in _RETURNS:
            self.begin_cage() if modifiers & CONTROL else self.join()
        elif key in CLEARING:
            self._leave_cages()
        elif key == Qt.Key.Key_Escape:
            if self._editor.cell is None:
                self._action.setChecked(False)
            else:
                self._editor.select(None)
        elif event.text().isdecimal() and not modifiers & CONTROL:
            self._bar.type_sum(event.text())
        else:
            return False
        return True

    def join(self) -> None:
        """Put the chosen cells into the region or cage of the one that was chosen first."""
        from app.board.board_edits import join_cells

        first, cells = self._editor.first, self._editor.cells
        if first is not None and len(cells) > 1:
            self._act(lambda state: join_cells(state, first, cells))

    def begin_cage(self) -> None:
        """Let the chosen cells be a cage of their own."""
        from app.board.board_edits import begin_cage

        cells = self._editor.cells
        if cells:
            self._act(lambda state: begin_cage(state, cells))

    def _leave_cages(self) -> None:
        from app.board.board_edits import leave_cages

        cells = self._editor.cells
        self._act(lambda state: leave_cages(state, cells))

    def _set_sum(self) -> None:
        from app.board.board_edits import set_sum

        cell, written = self._editor.cell, self._bar.sum.text()
        if cell is not None and written.isdecimal():
            self._act(lambda state: set_sum(state, cell, int(written)))

    def _name_kind(self, kind: "Kind") -> None:
        from app.board.board_edits import name_kind

        self._act(lambda state: name_kind(state, kind))

    def _act(self, change: "Callable[[PhotoState], PhotoState]") -> None:
        if self.is_on:
            self._editor.act(change)
