"""Play in the window: strokes of digits, notes and colours, when a board is played, its time, its
pause, and what is shown meanwhile.
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.board.board_values import (
    COLOURS,
    DIGIT_CHARS,
    EntryMode,
    PlayClock,
    begin_clock,
    pause_clock,
    run_clock,
    say_seconds,
)
from app.gui.board.keys import CLEARING, CONTROL, SHIFT, STEPS, pressed_digit, typed_digit
from app.gui.widgets import fill, keep_switch, make_button, make_label, put_words

if TYPE_CHECKING:
    from app.board.board_state import PhotoState
    from app.gui.board.cell_editor import CellEditor
    from app.gui.session.document import Document
    from app.gui.window.main_window import Window

_MODES: Final = tuple(EntryMode)
_COLOUR_KEYS: Final = DIGIT_CHARS[:COLOURS]
_TICK_MS: Final = 250
_MODE: Final = "play/mode"


class PlayEntry(QObject):
    """Turns keys and buttons into strokes of play in the chosen cells.

    Attributes:
        is_on: whether the board that is looked at is being played; the window says so.
        is_paused: whether it would be, but for a pause, so that no key may change it.
    """

    def __init__(self, editor: "CellEditor", window: "Window") -> None:
        super().__init__(editor)
        self._editor, self._window = editor, window
        self.mode = EntryMode.DIGIT
        """What a digit means that is typed without Shift and Ctrl."""
        self.is_on = self.is_paused = False

    def set_mode(self, mode: EntryMode) -> None:
        """Choose what a digit means."""
        if mode is not self.mode:
            self.mode = mode
            self._window.playing.show_mode(mode)

    def wants(self, event: QKeyEvent) -> bool:
        """Tell whether a key that is a shortcut of the window means something here."""
        if not self.is_on or self._editor.cell is None:
            return False
        modifiers = event.modifiers()
        if not modifiers & CONTROL or modifiers & Qt.KeyboardModifier.AltModifier:
            return False
        digit = pressed_digit(event, self._editor.symbols)
        return bool(digit) or event.key() == Qt.Key.Key_A or Qt.Key(event.key()) in STEPS

    def press(self, event: QKeyEvent) -> bool:
        """Handle a key; return False if it means nothing in play."""
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        if modifiers & (Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier):
            return False
        has_shift, has_control = bool(modifiers & SHIFT), bool(modifiers & CONTROL)
        if key == Qt.Key.Key_Space and not has_control:
            step = -1 if has_shift else 1
            self.set_mode(_MODES[(_MODES.index(self.mode) + step) % len(_MODES)])
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
        mode = _mode_of(has_shift and not is_typed, has_control) or self.mode
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

        cells, meant = sorted(self._editor.cells), mode or self.mode
        if digit > (COLOURS if meant is EntryMode.COLOUR else len(self._editor.symbols)):
            return
        self._act(lambda state: make_stroke(state, cells, meant, digit))

    def erase(self) -> None:
        """Take away what stands in the chosen cells."""
        from app.board.board_edits import erase

        cells, mode = sorted(self._editor.cells), self.mode
        self._act(lambda state: erase(state, cells, mode))

    def _act(self, change: "Callable[[PhotoState], PhotoState]") -> None:
        session = self._editor.session
        if session.current is None or not self.is_on:
            return
        old = session.current.state
        new = change(old)
        if new is not old:
            self._window.playing.begin_clock()
            self._editor.act(lambda _: new)


def _mode_of(is_shifted: bool, has_control: bool) -> EntryMode | None:
    if is_shifted and has_control:
        return EntryMode.COLOUR
    if is_shifted:
        return EntryMode.CORNER
    return EntryMode.CENTRE if has_control else None


class Playing(QObject):
    """Brings the parts of play in line with what is looked at, and keeps the time."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        actions, settings, central_view = (
            window.actions_of_window,
            window.settings,
            window.central_view,
        )
        self._window, self._settings, self._central_view = window, settings, central_view
        self._actions, self._entry = actions, window.editor.play
        self._running: tuple[Document, int] | None = None
        self._at: Document | None = None
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self._tell_time)
        actions.play.triggered.connect(self._turn)
        actions.pause.triggered.connect(self.pause)
        keep_switch(settings, "play/conflicts", actions.conflicts)
        actions.conflicts.toggled.connect(lambda: window.presenter.refresh())
        for action, mode in zip(actions.modes, EntryMode, strict=True):
            action.triggered.connect(lambda _=False, mode=mode: self._entry.set_mode(mode))
        central_view.play_bar.digit_chosen.connect(self._entry.write)
        central_view.play_bar.erasing_wanted.connect(self._entry.erase)
        window.installEventFilter(self)
        known = str(settings.value(_MODE, EntryMode.DIGIT.value))
        mode = next((one for one in EntryMode if one.value == known), EntryMode.DIGIT)
        self._entry.mode = mode
        self.show_mode(mode)

    @property
    def are_conflicts_wanted(self) -> bool:
        """Whether entries that break the rules are marked."""
        return self._actions.conflicts.isChecked()

    def refresh(self, document: "Document | None", *, is_seen: bool) -> None:
        """Show what belongs to play, and let the time run or stand.

        `is_seen` tells whether the boards of the document are, and not another page.
        """
        held = None if document is None else document.board
        is_played = is_over = False
        if held is not None:
            from app.board import board_edits  # loads NumPy, which the empty window does without

            is_played, is_over = board_edits.is_played(held), board_edits.is_finished(held)
        is_on = is_played and is_seen
        clock = self._clock(document)
        is_paused = is_on and clock.is_paused
        self._entry.is_on, self._entry.is_paused = is_on and not is_paused, is_paused
        self._central_view.play_bar.show_symbols(DIGIT_CHARS[:9] if held is None else held.symbols)
        self._central_view.play_bar.setVisible(is_on)
        self._central_view.cover_boards(is_paused)
        actions = self._actions
        has_puzzle = held is not None and held.has_puzzle
        actions.play.setEnabled(is_seen and has_puzzle)
        actions.play.setChecked(is_on)
        actions.pause.setEnabled(is_on and clock.has_begun and not is_over)
        actions.pause.setChecked(is_paused)
        for action in (actions.conflicts, *actions.modes):
            action.setEnabled(is_on)
        self._at = document if is_on and not is_over else None
        self._run(self._at)
        self._tell_time()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the time stand while the window is hidden or minimised."""
        kinds = QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.WindowStateChange
        if watched is self._window and event.type() in kinds and self._window.session is not None:
            self._run(self._at)
            if not self._is_seen():
                self._window.resuming.keep_now()
        return super().eventFilter(watched, event)

    # --- what is done

    def _turn(self, is_wanted: bool) -> None:
        from app.board.board_edits import begin_play, end_play

        self._window.opened.act(begin_play if is_wanted else end_play)
        self._window.presenter.refresh()
        self._central_view.give_keys()

    def pause(self, is_wanted: bool) -> None:
        """Let the time stand, or run again."""
        document = self._window.document
        if document is None or document.state.chosen is None:
            return
        clock = pause_clock(self._clock(document), time.monotonic(), is_paused=is_wanted)
        document.clocks[document.state.chosen] = clock
        self._window.presenter.refresh()
        self._window.resuming.keep_now()
        if not is_wanted:
            self._central_view.give_keys()

    def show_mode(self, mode: EntryMode) -> None:
        """Show what a digit means from now on, and keep it."""
        self._settings.setValue(_MODE, mode.value)
        self._central_view.play_bar.show_mode(mode)
        for action, one in zip(self._actions.modes, EntryMode, strict=True):
            action.setChecked(one is mode)

    # --- the time

    def begin_clock(self) -> None:
        """Note that the board that is looked at is about to be changed in play."""
        document = self._window.document
        if document is not None and document.state.chosen is not None:
            document.clocks[document.state.chosen] = begin_clock(self._clock(document))

    def _clock(self, document: "Document | None") -> PlayClock:
        number = None if document is None else document.state.chosen
        if document is None or number is None:
            return PlayClock()
        return document.clocks.get(number, PlayClock())

    def _is_seen(self) -> bool:
        return self._window.isVisible() and not self._window.isMinimized()

    def _run(self, document: "Document | None") -> None:
        """Let the clock of this document's board run, and no other."""
        now, is_running = time.monotonic(), False
        number = None if document is None else document.state.chosen
        new = None if document is None or number is None else (document, number)
        for where in filter(None, (self._running, new)):
            clocks, place = where[0].clocks, where[1]
            if place in clocks:
                is_played = where == new and self._is_seen()
                clocks[place] = run_clock(clocks[place], now, is_played=is_played)
                is_running = clocks[place].since is not None
        self._running = new
        if is_running != self._timer.isActive():
            self._timer.start() if is_running else self._timer.stop()

    def _tell_time(self) -> None:
        document = self._window.document
        elapsed = self._clock(document).elapsed(time.monotonic())
        self._central_view.play_bar.show_time(say_seconds(elapsed))


class PauseScreen(QWidget):
    """Hides the boards, so that nobody goes on thinking while the time stands."""

    def __init__(self, go_on: Callable[[], object]) -> None:
        """Make it; `go_on` lets the time run again."""
        super().__init__()
        put_words(self, name=lambda: self.tr("Pause"))
        text = make_label(lambda: self.tr("Paused"), factor=1.6, is_wrapped=False)
        button = make_button(lambda: self.tr("Go on"), go_on, kind="primary")
        button.setMinimumSize(140, 44)
        self.setFocusProxy(button)
        centre = Qt.AlignmentFlag.AlignHCenter
        fill(QVBoxLayout(self), 0, (text, 0, centre), (button, 0, centre), 0)
