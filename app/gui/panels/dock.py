"""The panels beside the photo, one at a time: hints, techniques, the walk, and the history."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QApplication, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from app.gui.widgets import fill, in_scroll_area

if TYPE_CHECKING:
    from app.board.board_state import BoardState
    from app.gui.panels.technique_panel import TechniquePanel
    from app.gui.window.main_window import Window
    from app.help.assistance import Progress

Follow = Callable[["BoardState | None", "Progress | None"], None]
"""Tells a panel of the board that is looked at."""

LEAST_PHOTO_PX: Final = 300
"""Width below which a photo beside a panel is hardly seen."""

_WIDTH_PX: Final = 320
_MOST_WIDTH_PX: Final = 400
"""Where the window is four times as wide."""
_WIDTH_CHARS: Final = 44
"""Of average width; at the usual size of text that is less than the least width."""


class SidePanels(QWidget):
    """Holds the panels, and shows the one whose action is switched on.

    The panels are made when they are first wanted, so that the window appears without them.
    """

    def __init__(self, window: "Window") -> None:
        """Make it for a window, which does what the panels ask for."""
        super().__init__(window)
        self._window, self._actions = window, window.actions_of_window
        actions = self._actions
        self._stack = QStackedWidget()
        self._techniques: TechniquePanel | None = None
        self._board: BoardState | None = None
        self._which: object = None
        self._panels: dict[QAction, QScrollArea] = {}
        self._followers: list[Follow] = []
        self._makers: dict[QAction, Callable[[], QWidget]] = {
            actions.help_panel: self._make_help,
            actions.technique_panel: self._make_techniques,
            actions.walk_panel: self._make_walk,
            actions.history_panel: window.history_recorder.panel,
        }
        fill(QVBoxLayout(self), self._stack, margins=(0, 0, 0, 0))
        self.fit(0)
        self.hide()
        one_at_most = QActionGroup(self)
        one_at_most.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
        for switch in self._makers:
            one_at_most.addAction(switch)
            switch.toggled.connect(partial(self._turn, switch))
        actions.walk_panel.toggled.connect(
            lambda is_on: None if is_on else window.commands.reveal_solution()
        )

    def show_board(self, board: "BoardState | None", which: object) -> None:
        """Tell the panels which board is looked at, and what tells it from others."""
        self._board, self._which = board, which
        self._tell()

    def fit(self, window_px: int) -> None:
        """Be as wide as text of this size wants, and at most half as wide as the window.

        Only a word that would be cut off takes more, as long as the photo is seen beside it.
        """
        wanted = self.fontMetrics().averageCharWidth() * _WIDTH_CHARS
        needed = min(self._needed_px(), window_px - LEAST_PHOTO_PX)
        usual = max(_WIDTH_PX, min(window_px // 4, _MOST_WIDTH_PX))
        self.setFixedWidth(max(usual, min(wanted, window_px // 2), needed))

    def _needed_px(self) -> int:
        area = self._stack.currentWidget()
        panel = area.widget() if isinstance(area, QScrollArea) else None
        if not isinstance(area, QScrollArea) or panel is None:
            return 0
        return panel.minimumSizeHint().width() + area.verticalScrollBar().sizeHint().width()

    def _turn(self, switch: QAction, is_on: bool) -> None:
        if is_on:
            if switch not in self._panels:
                self._panels[switch] = in_scroll_area(self._makers[switch]())
                self._stack.addWidget(self._panels[switch])
            self._stack.setCurrentWidget(self._panels[switch])
            self._tell()
        is_open = any(one.isChecked() for one in self._makers)
        focused = QApplication.focusWidget()
        had_keys = focused is not None and self.isAncestorOf(focused)
        self.setVisible(is_open)
        if had_keys and not is_open:
            # Qt would give them to the first button of the window.
            self._window.central_view.give_keys()
        self._window.central_view.fit()

    def _make_help(self) -> QWidget:
        from app.gui.panels.help_panel import HelpPanel

        panel, do, editor = HelpPanel(), self._window.commands, self._window.editor
        panel.highlight_changed.connect(self._window.central_view.set_highlight)
        panel.reveal_all_requested.connect(lambda: do.show_solution(True))
        panel.reveal_cell_requested.connect(editor.reveal_cell)
        panel.hide_requested.connect(lambda: do.show_solution(False))
        panel.technique_wanted.connect(self._show_technique)
        editor.selected.connect(panel.set_selected)
        panel.set_selected(editor.cell)

        def follow(held: "BoardState | None", progress: "Progress | None") -> None:
            revealed = held.revealed if held is not None and progress is not None else ()
            panel.set_board(progress, revealed=revealed, unsure=_unsure_entries(held))

        self._followers.append(follow)
        return panel

    def _make_techniques(self) -> QWidget:
        from app.gui.panels.technique_panel import TechniquePanel

        self._techniques = panel = TechniquePanel()
        panel.practice_found.connect(self._begin_practice)
        self._followers.append(lambda _, progress: panel.set_board(progress))
        return panel

    def _make_walk(self) -> QWidget:
        from app.gui.panels.walk_panel import WalkPanel

        panel = WalkPanel()
        panel.highlight_changed.connect(self._window.central_view.set_highlight)
        panel.hide_requested.connect(self._window.commands.hide_solution)

        def follow(held: "BoardState | None", progress: "Progress | None") -> None:
            is_open = held is not None and held.solution is not None and held.is_open
            panel.set_board(progress, is_open=is_open, which=self._which)

        self._followers.append(follow)
        return panel

    def _show_technique(self, technique: object) -> None:
        from solver.human.position import Technique

        self._actions.technique_panel.setChecked(True)
        if self._techniques is not None and isinstance(technique, Technique):
            self._techniques.show_technique(technique)

    def _begin_practice(self, found: object, name: str) -> None:
        """Have a position opened; hints lead on there, while the page would give it away."""
        self._window.commands.open_practice(found, name)
        self._actions.help_panel.setChecked(True)

    def _tell(self) -> None:
        if self._panels:
            progress = _progress_of(self._board)
            for follow in self._followers:
                follow(self._board, progress)


def _progress_of(held: "BoardState | None") -> "Progress | None":
    """Return what help is about; None while the board waits for an outcome."""
    from app.help.assistance import Progress

    if held is None or held.pending is not None:
        return None
    board = held.board
    return Progress(
        board.clues,
        board.entries,
        held.solution,
        board.rules,
        held.symbols,
        notes=held.pencil.centre[: board.clues.size],
    )


def _unsure_entries(held: "BoardState | None") -> tuple[int, ...]:
    """Return the cells whose entry looks wrong but may be misread, which nobody set by hand."""
    from app.report.photo_report import check_entries

    if held is None or held.solution is None:
        return ()
    checked = check_entries(held.board)
    unsure = () if checked is None else checked.unsure
    return tuple(cell for cell in unsure if cell not in held.by_hand)
