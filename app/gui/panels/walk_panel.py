"""The panel that plays a human solution: forth and back, by slider, list, buttons and keys."""

from functools import partial
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app.gui.board.keys import bind_key
from app.gui.session.background import Background
from app.gui.widgets import (
    FoldingRow,
    fill,
    follows_changes,
    make_button,
    make_label,
    put_words,
    tell,
)
from app.gui.window.preferences import window_words
from app.help.assistance import Progress, is_same_puzzle
from app.help.hints import WalkStep, walk
from app.report.board_marks import Highlight

STEP_MS: Final = 1600
"""How long a step stands while the walk plays: long enough to read a short sentence."""


@follows_changes
class WalkPanel(QWidget):
    """The steps from the clues to the solution, each with its pattern on the board.

    They are worked out in the background when the panel is first seen; while it is hidden, its
    highlight is None.

    Signals:
        highlight_changed: the `Highlight` to draw, with all digits put so far; None for nothing.
        hide_requested: the walk begins while the whole solution lies open, which would give away
            every step; when the panel is closed, it may lie open again.
    """

    highlight_changed = Signal(object)
    hide_requested = Signal()

    def __init__(self, step_ms: int = STEP_MS) -> None:
        super().__init__()
        self._progress: Progress | None = None
        self._steps: tuple[WalkStep, ...] = ()
        self._shown: Highlight | None = None
        self._wanted = 0
        self._is_open = False
        self._which: object = None
        self._background = Background(self)
        self._background.finished.connect(self._show_walk)
        self._timer = QTimer(self, interval=step_ms)
        self._timer.timeout.connect(self._play_on)
        self._build()
        self._retranslate()

    def set_board(
        self, progress: Progress | None, *, is_open: bool = False, which: object = None
    ) -> None:
        """Say what is walked through; nothing begins anew if it is the same puzzle.

        Args:
            is_open: whether the whole solution is shown.
            which: tells this board from others, of the same puzzle too.
        """
        self._is_open = is_open
        is_other, self._which = which != self._which, which
        old, self._progress = self._progress, progress
        if not is_same_puzzle(old, progress):
            self._forget()
        elif old and progress and (old.entries != progress.entries).any():
            self._forget(keep=self.number)  # only what is drawn over has changed
        self._begin_if_seen()
        self._refresh()
        if is_other and self.isVisible():
            # On the same board it was asked for, and may stay open beside the walk.
            self._ask_to_hide()

    @property
    def number(self) -> int:
        """Which step is shown; 0 is the puzzle as it was given."""
        return self._slider.value()

    def go_to(self, number: int) -> None:
        """Show a step; one that does not exist is the nearest."""
        self._slider.setValue(number)

    def step(self, by: int) -> None:
        """Show a step that comes so far after this one, or before it."""
        self.go_to(self.number + by)

    def toggle_play(self) -> None:
        """Play, or stop playing; at the end, playing begins anew."""
        if self._timer.isActive():
            self._timer.stop()
        elif self._steps:
            if self.number == self._slider.maximum():
                self.go_to(0)
            self._timer.start()
        self._refresh_play()

    # --- what the panel is made of

    def _build(self) -> None:
        put_words(self, name=lambda: self.tr("Solution step by step"))
        self._text = make_label(
            name=lambda: self.tr("This step"), factor=1.1, at=Qt.AlignmentFlag.AlignTop
        )
        self._text.setMinimumHeight(self._text.fontMetrics().lineSpacing() * 5)
        self._slider = put_words(QSlider(Qt.Orientation.Horizontal), name=lambda: self.tr("Steps"))
        self._slider.setPageStep(5)
        self._slider.valueChanged.connect(self._show_step)
        self._count = QLabel()
        self._back = make_button(
            lambda: self.tr("Back"),
            lambda: self.step(-1),
            tip=lambda: self.tr("One step back (left arrow)"),
        )
        self._play = make_button(
            act=self.toggle_play,
            kind="primary",
            tip=lambda: self.tr("Play the steps one after the other (K)"),
        )
        self._forth = make_button(
            lambda: self.tr("Next"),
            lambda: self.step(1),
            tip=lambda: self.tr("One step on (right arrow)"),
        )
        self._list = put_words(QListWidget(), name=lambda: self.tr("List of steps"))
        self._list.setUniformItemSizes(True)
        self._list.currentRowChanged.connect(self._choose_row)
        for key, act in (
            (Qt.Key.Key_Left, lambda: self.step(-1)),
            (Qt.Key.Key_Right, lambda: self.step(1)),
            (Qt.Key.Key_Home, lambda: self.go_to(0)),
            (Qt.Key.Key_End, lambda: self.go_to(self._slider.maximum())),
            (Qt.Key.Key_K, self.toggle_play),
        ):
            bind_key(self, key, act, with_parts=True)
        fill(
            QVBoxLayout(self),
            FoldingRow(self._back, self._play, self._forth),
            fill(QHBoxLayout(), (self._slider, 1), self._count),
            self._text,
            (self._list, 1),
            margins=(16, 14, 16, 16),
            spacing=10,
        )

    def _retranslate(self) -> None:
        self._forget(keep=self.number)
        self._begin_if_seen()
        self._refresh()

    def _refresh_play(self) -> None:
        self._play.setText(self.tr("Pause") if self._timer.isActive() else self.tr("Play"))

    def showEvent(self, event: QShowEvent) -> None:
        """Work the steps out when they are first looked at."""
        super().showEvent(event)
        self._begin_if_seen()
        self._refresh()
        self._ask_to_hide()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop playing, and leave the board to whatever is shown instead."""
        super().hideEvent(event)
        self._timer.stop()
        self._refresh_play()
        self._refresh_highlight()

    # --- what it shows

    def _forget(self, keep: int = 0) -> None:
        self._background.cancel()
        self._timer.stop()
        self._steps = ()
        self._wanted = keep

    def _begin_if_seen(self) -> None:
        progress = self._progress
        is_due = not self._steps and not self._background.is_running
        if not is_due or not self.isVisible() or progress is None or progress.solution is None:
            return
        self._background.start(partial(walk, progress, window_words()))

    def _show_walk(self, found: object) -> None:
        self._steps = found if isinstance(found, tuple) else ()
        self._refresh()
        if self._steps:
            self.go_to(self._wanted)
            self._ask_to_hide()

    def _ask_to_hide(self) -> None:
        if self._steps and self._is_open:
            self.hide_requested.emit()

    def _refresh(self) -> None:
        steps = self._steps
        if self._list.count() != len(steps) or not steps:
            with QSignalBlocker(self._list), QSignalBlocker(self._slider):
                self._list.clear()
                for number, step in enumerate(steps):
                    is_step = 0 < number < len(steps) - 1
                    title = f"{number}. {step.title}" if is_step else step.title
                    item = QListWidgetItem(title)
                    item.setToolTip(title)
                    self._list.addItem(item)
                self._slider.setRange(0, max(len(steps) - 1, 0))
                self._slider.setValue(0)
        for widget in (self._slider, self._play, self._back, self._forth, self._list):
            widget.setEnabled(bool(steps))
        self._refresh_play()
        self._show_step(self.number)

    def _show_step(self, number: int) -> None:
        if not self._steps:
            tell(self._text, self._say_why_empty())
            self._count.setText("")
        else:
            last = len(self._steps) - 1
            tell(self._text, self._steps[number].text)
            self._count.setText(f"{number} / {last}")
            self._back.setEnabled(number > 0)
            self._forth.setEnabled(number < last)
            with QSignalBlocker(self._list):
                self._list.setCurrentRow(number)
            if number == last and self._timer.isActive():
                self._timer.stop()
                self._refresh_play()
        self._refresh_highlight()

    def _say_why_empty(self) -> str:
        if self._progress is None:
            return self.tr("Open a photo or a puzzle to see it solved step by step.")
        if self._progress.solution is None:
            return self.tr("No solution of this puzzle has been verified, so there are no steps.")
        return self.tr("Looking for the steps …")

    def _choose_row(self, row: int) -> None:
        if row >= 0:
            self._timer.stop()
            self._refresh_play()
            self.go_to(row)

    def _play_on(self) -> None:
        if self.number == self._slider.maximum():
            self.toggle_play()
        else:
            self.step(1)

    def _refresh_highlight(self) -> None:
        shown = None
        if self._steps and self.isVisible():
            shown = self._steps[self.number].highlight
        if shown is not None and shown.is_empty:
            shown = None
        if shown != self._shown:
            self._shown = shown
            self.highlight_changed.emit(shown)
