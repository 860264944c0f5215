"""The panel that helps without giving everything away: hints, single cells, candidates, checks."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

import numpy as np
from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.gui.panels.technique_panel import RatingLine
from app.gui.theme import theme_of
from app.gui.widgets import (
    FoldingRow,
    fill,
    follows_changes,
    keep_room,
    make_button,
    make_label,
    painting,
    put_words,
    tell,
)
from app.gui.window.preferences import window_words
from app.help.assistance import (
    HelpMessage,
    Progress,
    check_written,
    is_same_puzzle,
    show_candidates,
    suggest_cell,
)
from app.help.hints import Depth, HintSession
from app.help.technique_lessons import LESSONS
from app.report.board_marks import Highlight, lay_over
from solver.grid import Grid
from solver.rules import CLASSIC_RULES

_GAP: Final = 10
translate = QCoreApplication.translate


@follows_changes
class HelpPanel(QWidget):
    """Hints that deepen with each click, and everything else short of the solution.

    While the panel is hidden, its highlight is None.

    Signals:
        highlight_changed: the `Highlight` to draw, or None for nothing.
        reveal_all_requested: the whole solution shall be shown.
        reveal_cell_requested: one cell shall be shown: the selected one if it is empty, else the
            one that helps most.
        hide_requested: a hint was asked for while the whole solution lies open.
        technique_wanted: the page on a technique, of which the hint speaks.
    """

    highlight_changed = Signal(object)
    reveal_all_requested = Signal()
    reveal_cell_requested = Signal(int)
    hide_requested = Signal()
    technique_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._progress: Progress | None = None
        self._own: Progress | None = None
        self._unsure: frozenset[int] = frozenset()
        self._is_open = False
        self._selected: int | None = None
        self._hint_session = HintSession()
        self._told: HelpMessage | None = None
        self._shown: Highlight | None = None
        self._build()
        self._refresh()

    def set_board(
        self,
        progress: Progress | None,
        *,
        revealed: Collection[int] = (),
        unsure: Collection[int] = (),
    ) -> None:
        """Say what the help is about; a hint that was begun goes on if the clues are the same.

        Args:
            progress: None where no board is looked at.
            revealed: cells whose solution is shown; hints count them as known, but if nothing
                is left to find they ask to hide them.
            unsure: cells whose entry may be misread, and is not called wrong.
        """
        old = self._progress
        if progress is None:
            self._progress = self._own = None
            self._reset()
            self._refresh()
            return
        self._own = progress
        shown, self._is_open = _add_revealed(self._own, revealed)
        self._progress = replace(self._own, entries=shown)
        self._unsure = frozenset(unsure)
        if old is None or not is_same_puzzle(old, self._progress):
            self._reset()
        elif not np.array_equal(old.entries, shown):
            # What was said holds for another state.
            self._hint_session.follow()
            self._told = None
        self._refresh()

    def set_selected(self, cell: int | None) -> None:
        """Say which cell is selected, or None."""
        self._selected = cell
        self._refresh_reveal()

    def ask_for_hint(self) -> None:
        """Do what the hint button does: begin a hint, deepen it, or go on to the next."""
        progress = self._progress
        if progress is None:
            return
        if self._is_open and progress.solution is not None:
            self.hide_requested.emit()
            progress = self._progress or progress  # the window may have set it anew
        self._told = self._hint_session.ask(progress, window_words())
        self._refresh()

    def check_entries(self) -> None:
        """Mark the entries as right or wrong."""
        if self._own is None:
            return
        self._hint_session.end()
        self._told = check_written(self._own, window_words(), self._unsure)
        self._refresh()

    def clear_highlight(self) -> None:
        """Take back what was said; steps that were told are forgotten, too."""
        self._reset()
        self._refresh()

    # --- what the panel is made of

    def _build(self) -> None:
        put_words(self, name=lambda: self.tr("Help"))
        self._rating = RatingLine()
        self._hint = make_button(act=self.ask_for_hint, kind="primary")
        self._hint.setMinimumHeight(38)
        self._dots = StrengthDots()
        self._clear = keep_room(
            make_button(
                lambda: self.tr("Clear"),
                self.clear_highlight,
                kind="link",
                tip=lambda: self.tr("Take the marks off the board, and begin hints anew"),
            )
        )
        self._text = make_label(
            name=lambda: self.tr("Hint"), factor=1.1, is_copied=True, at=Qt.AlignmentFlag.AlignTop
        )
        self._text.setMinimumHeight(self._text.fontMetrics().lineSpacing() * 5)
        self._text.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._about = make_button(
            lambda: self.tr("What is this technique?"),
            lambda: self.technique_wanted.emit(self._hint_session.technique),
            kind="link",
        )
        self._about.setStyleSheet("padding-left: 0")  # its words begin where the text does
        self._check = make_button(lambda: self.tr("Check my entries"), self.check_entries)
        self._one = make_button(act=self._ask_for_cell)
        self._all = make_button(lambda: self.tr("Reveal all"), self.reveal_all_requested.emit)
        self._candidates = CandidateChoice()
        self._candidates.changed.connect(self._refresh_highlight)
        fill(
            QVBoxLayout(self),
            self._rating,
            self._hint,
            fill(QHBoxLayout(), self._dots, 0, self._clear),
            self._text,
            (self._about, 0, Qt.AlignmentFlag.AlignLeft),
            1,
            self._check,
            FoldingRow(self._one, self._all),
            self._candidates,
            margins=(16, 14, 16, 16),
            spacing=_GAP,
        )

    def _retranslate(self) -> None:
        if self._hint_session.depth is not None:
            self._told = self._hint_session.tell(window_words())
        elif self._told is not None and self._own is not None:
            self._told = check_written(self._own, window_words(), self._unsure)
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw again what was drawn."""
        super().showEvent(event)
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """Leave the board to whatever is shown instead."""
        super().hideEvent(event)
        self._refresh_highlight()

    # --- what it shows

    def _reset(self) -> None:
        self._hint_session.begin_anew()
        self._told = None

    def _refresh(self) -> None:
        progress = self._progress
        has_board = progress is not None
        has_solution = progress is not None and progress.solution is not None
        self._hint.setEnabled(has_board)
        self._hint.setText(self._name_next())
        self._dots.set_depth(int(self._hint_session.depth or 0))
        self._clear.setVisible(self._told is not None or self._hint_session.has_taken)
        self._about.setVisible(self._hint_session.technique in LESSONS)
        self._check.setEnabled(has_board)
        self._all.setEnabled(has_solution and not self._is_open)
        self._candidates.setEnabled(has_board)
        tell(self._text, self._say())
        self._refresh_reveal()
        is_rated = progress is not None and has_solution and progress.rules == CLASSIC_RULES
        self._rating.set_clues(progress.clues if progress is not None and is_rated else None)
        self._refresh_highlight()

    def _say(self) -> str:
        if self._told is not None:
            return self._told.text
        if self._progress is None:
            return self.tr("Open a photo or a puzzle, and help is at hand.")
        return self.tr(
            "A hint says first where to look, then the technique and its cells, then the step."
        )

    def _name_next(self) -> str:
        if self._hint_session.has_told_step:
            return self.tr("Next hint")
        if not self._hint_session.can_deepen:
            return self.tr("Hint")
        if self._hint_session.depth is Depth.LOOK:
            return self.tr("Which cells?")
        return self.tr("Show the step")

    def _refresh_reveal(self) -> None:
        cell = self._cell_to_reveal()
        self._one.setEnabled(cell is not None and not self._is_open)
        if cell is not None and cell == self._selected:
            self._one.setText(self.tr("Reveal this cell"))
        else:
            self._one.setText(self.tr("Reveal a cell"))

    def _cell_to_reveal(self) -> int | None:
        progress = self._progress
        if progress is None or progress.solution is None:
            return None
        grid = progress.grid
        is_there = self._selected is not None and self._selected < grid.size
        if is_there and not grid.ravel()[self._selected]:
            return self._selected
        position = progress.open_position()
        return None if position.is_solved else suggest_cell(position)

    def _ask_for_cell(self) -> None:
        cell = self._cell_to_reveal()
        if cell is not None:
            self.reveal_cell_requested.emit(cell)

    def _refresh_highlight(self) -> None:
        shown = self._compose() if self.isVisible() else None
        if shown != self._shown:
            self._shown = shown
            self.highlight_changed.emit(shown)

    def _compose(self) -> Highlight | None:
        progress = self._progress
        if progress is None:
            return None
        shown = Highlight() if self._told is None else self._told.highlight
        if self._candidates.is_any:
            after_logic = self._candidates.is_after_logic
            shown = lay_over(show_candidates(progress, after_logic=after_logic), shown)
        return None if shown.is_empty else shown


def _add_revealed(own: Progress, revealed: Collection[int]) -> tuple[Grid, bool]:
    """Return the entries with what is revealed, and whether the whole solution lies open."""
    entries = own.written
    if own.solution is None or not revealed:
        return entries, False
    missing = np.flatnonzero(own.grid.ravel() == 0).tolist()
    if missing and set(missing) <= set(revealed):
        return entries, True
    for cell in set(revealed) & set(missing):
        if not entries.ravel()[cell]:
            entries.ravel()[cell] = own.solution.ravel()[cell]
    return entries, False


class StrengthDots(QWidget):
    """As many dots are filled as the hint is strong."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0

    def set_depth(self, depth: int) -> None:
        """Fill so many dots."""
        self._depth = depth
        self.setAccessibleName(self.tr("Strength of the hint: {0} of 3").format(depth))
        self.update()

    def sizeHint(self) -> QSize:
        """Return room for three dots."""
        return QSize(48, 16)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the dots."""
        theme = theme_of(self)
        with painting(self) as painter:
            painter.setPen(Qt.PenStyle.NoPen)
            for number in range(3):
                painter.setBrush(QColor(theme.accent if number < self._depth else theme.line))
                painter.drawEllipse(2 + 15 * number, self.height() // 2 - 4, 8, 8)


class CandidateChoice(QWidget):
    """Three buttons, of which one is down; it signals that another one is."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._none = make_button(
            lambda: translate("HelpPanel", "None"),
            name=lambda: translate("HelpPanel", "No candidates"),
        )
        self._all = make_button(
            lambda: translate("HelpPanel", "All"),
            name=lambda: translate("HelpPanel", "All candidates"),
            tip=lambda: translate("HelpPanel", "Every digit that no row, column or box rules out"),
        )
        self._left = make_button(
            lambda: translate("HelpPanel", "After logic"),
            name=lambda: translate("HelpPanel", "Candidates that logic leaves"),
            tip=lambda: translate(
                "HelpPanel", "What locked candidates, pairs, triples and fish leave of them"
            ),
        )
        group = QButtonGroup(self)
        for button in (self._none, self._all, self._left):
            button.setCheckable(True)
            group.addButton(button)
        self._none.setChecked(True)
        group.buttonToggled.connect(lambda _, is_down: self.changed.emit() if is_down else None)
        fill(
            QVBoxLayout(self),
            make_label(lambda: translate("HelpPanel", "Candidates"), is_wrapped=False),
            FoldingRow(self._none, self._all, self._left, spacing_px=6),
            margins=(0, 0, 0, 0),
            spacing=_GAP,
        )

    @property
    def is_any(self) -> bool:
        """Whether candidates are shown at all."""
        return not self._none.isChecked()

    @property
    def is_after_logic(self) -> bool:
        """Whether only those are shown that logic leaves."""
        return self._left.isChecked()
