"""Writing into a board that is being played: digits, notes and colours, in one cell or in many."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from app.board.board_values import COLOURS, SIGNS, EntryMode
from app.gui.board.keys import CLEARING, STEPS, pressed_digit, typed_digit

if TYPE_CHECKING:
    from app.board.board_state import PhotoState
    from app.gui.board.cell_editor import CellEditor
    from app.gui.session.session import WindowSession

_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_CONTROL: Final = Qt.KeyboardModifier.ControlModifier
_MODES: Final = tuple(EntryMode)
_COLOUR_KEYS: Final = SIGNS[:COLOURS]


class PlayEntry(QObject):
    """Turns keys and buttons into strokes of play in the chosen cells.

    Signals:
        stroke_begun: a stroke is about to change the board.
        mode_changed: an `EntryMode`.

    Attributes:
        is_on: whether the board that is looked at is being played; the window says so.
        is_paused: whether it would be, but for a pause, so that no key may change it.
    """

    stroke_begun = Signal()
    mode_changed = Signal(object)

    def __init__(self, editor: "CellEditor") -> None:
        super().__init__(editor)
        self._editor = editor
        self._session: WindowSession | None = None
        self._mode = EntryMode.DIGIT
        self.is_on = self.is_paused = False

    @property
    def mode(self) -> EntryMode:
        """What a digit means that is typed without Shift and Ctrl."""
        return self._mode

    def use(self, session: "WindowSession") -> None:
        """Play what is open in this session."""
        self._session = session

    def set_mode(self, mode: EntryMode) -> None:
        """Choose what a digit means."""
        if mode is not self._mode:
            self._mode = mode
            self.mode_changed.emit(mode)

    def wants(self, event: QKeyEvent) -> bool:
        """Tell whether a key that is a shortcut of the window means something here."""
        if not self.is_on or self._editor.cell is None:
            return False
        modifiers = event.modifiers()
        if not modifiers & _CONTROL or modifiers & Qt.KeyboardModifier.AltModifier:
            return False
        digit = pressed_digit(event, self._editor.symbols)
        return bool(digit) or event.key() == Qt.Key.Key_A or Qt.Key(event.key()) in STEPS

    def press(self, event: QKeyEvent) -> bool:
        """Handle a key; return False if it means nothing in play."""
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        if modifiers & (Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier):
            return False
        has_shift, has_control = bool(modifiers & _SHIFT), bool(modifiers & _CONTROL)
        if key == Qt.Key.Key_Space and not has_control:
            step = -1 if has_shift else 1
            self.set_mode(_MODES[(_MODES.index(self._mode) + step) % len(_MODES)])
            return True
        if key in STEPS and (has_shift or has_control):
            self._editor.go(*STEPS[key], is_adding=True)
            return True
        if self._editor.cell is None:
            return False
        if has_control and key == Qt.Key.Key_A:
            self._editor.choose_all()
            return True
        if key in CLEARING and not has_control:
            self.erase()
            return True
        symbols = self._editor.symbols
        # On some keyboards digits are typed with Shift, which then means nothing else.
        is_typed = any(typed_digit(event, one) is not None for one in (symbols, _COLOUR_KEYS))
        mode = _mode_of(has_shift and not is_typed, has_control) or self._mode
        # Colours have numbers, whatever the board prints.
        digit = pressed_digit(event, _COLOUR_KEYS if mode is EntryMode.COLOUR else symbols)
        if digit is None:
            return pressed_digit(event, symbols) is not None  # no colour has this key
        if digit:
            self.write(digit, mode)
        elif not has_control:
            self.erase()
        return True

    def write(self, digit: int, mode: EntryMode | None = None) -> None:
        """Write a digit, or the colour of this number, into the chosen cells."""
        from app.board.board_edits import make_stroke

        cells, meant = sorted(self._editor.cells), mode or self._mode
        if digit > (COLOURS if meant is EntryMode.COLOUR else len(self._editor.symbols)):
            return
        self._act(lambda state: make_stroke(state, cells, meant, digit))

    def erase(self) -> None:
        """Take away what stands in the chosen cells."""
        from app.board.board_edits import erase

        cells, mode = sorted(self._editor.cells), self._mode
        self._act(lambda state: erase(state, cells, mode))

    def _act(self, change: "Callable[[PhotoState], PhotoState]") -> None:
        session = self._session
        document = None if session is None else session.current
        if session is None or document is None or not self.is_on:
            return
        old = document.state
        new = change(old)
        if new is not old:
            self.stroke_begun.emit()
            session.act(lambda _: new)
            self._editor.tell_reader()


def _mode_of(is_shifted: bool, has_control: bool) -> EntryMode | None:
    """Return what Shift and Ctrl make of a digit; None where neither is held."""
    if is_shifted and has_control:
        return EntryMode.COLOUR
    if is_shifted:
        return EntryMode.CORNER
    return EntryMode.CENTRE if has_control else None
