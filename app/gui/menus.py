"""Where the actions stand: in the menus and in the toolbar."""

from PySide6.QtCore import QCoreApplication, QObject, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from app.gui.actions import Actions
from app.gui.language import SYSTEM
from app.gui.theme import THEMES
from app.languages import LANGUAGES

translate = QCoreApplication.translate


class Menus(QObject):
    """The menu bar of a window.

    Signals:
        theme_chosen: one of `app.gui.theme.THEMES`.
        language_chosen: one of `app.languages.LANGUAGES`, or `SYSTEM`.

    Attributes:
        recent: the menu of files that were open lately; the window fills it.
    """

    theme_chosen = Signal(str)
    language_chosen = Signal(str)

    def __init__(self, window: QMainWindow, actions: Actions, theme: str, language: str) -> None:
        """Fill the menu bar of a window; `theme` is the one that is chosen now."""
        super().__init__(window)
        bar = window.menuBar()
        a = actions
        file = bar.addMenu(self.tr("&File"))
        file.addAction(a.open)
        self.recent = file.addMenu(self.tr("Open &recent"))
        file.addActions([a.paste, a.sample, a.live])
        file.addSeparator()
        file.addActions([a.type_puzzle, a.new_puzzle])
        file.addSeparator()
        file.addAction(a.save_image)
        self._file, self._after_share = file, file.addSeparator()
        file.addActions([a.close, a.quit])
        edit = bar.addMenu(self.tr("&Edit"))
        edit.addActions([a.undo, a.redo])
        edit.addSeparator()
        edit.addActions([a.copy_image, a.copy_digits])
        board = bar.addMenu(self.tr("&Board"))
        board.addActions([a.solution, a.reveal_cell, a.kind, a.badges])
        board.addSeparator()
        board.addActions([a.help_panel, a.walk_panel, a.history_panel])
        board.addSeparator()
        board.addActions([a.place, a.place_other, a.search_again])
        view = bar.addMenu(self.tr("&View"))
        view.addActions([a.view_photo, a.view_both, a.view_board])
        view.addSeparator()
        view.addActions([a.fit, a.board_near, a.near, a.far, a.pixels])
        view.addSeparator()
        view.addActions([a.next_board, a.next_photo, a.last_photo])
        view.addSeparator()
        self._add_themes(view, theme)
        self._add_languages(view, language)
        view.addActions([a.motion, a.reveal_at_once, a.full_screen])
        help_menu = bar.addMenu(self.tr("&Help"))
        help_menu.addActions([a.shortcuts, a.about])

    def put_share(self, share: QMenu) -> None:
        """Put in the menu of what can be handed on."""
        share.setTitle(self.tr("S&hare"))
        self._file.insertMenu(self._after_share, share)

    def _add_themes(self, view: QMenu, chosen: str) -> None:
        names = {
            "system": self.tr("Like the &system"),
            "light": self.tr("&Light"),
            "dark": self.tr("&Dark"),
        }
        told = {name: names[name] for name in THEMES}
        self._add_choices(view.addMenu(self.tr("&Theme")), told, chosen, self.theme_chosen)

    def _add_languages(self, view: QMenu, chosen: str) -> None:
        names = {SYSTEM: self.tr("Like the &system"), **LANGUAGES}
        self._add_choices(view.addMenu(self.tr("Lan&guage")), names, chosen, self.language_chosen)

    def _add_choices(
        self, menu: QMenu, names: dict[str, str], chosen: str, signal: SignalInstance
    ) -> None:
        group = QActionGroup(self)
        for name, text in names.items():
            action = QAction(text, self)
            action.setCheckable(True)
            action.setChecked(name == chosen)
            action.triggered.connect(lambda _=False, name=name: signal.emit(name))
            group.addAction(action)
            menu.addAction(action)


def make_toolbar(window: QMainWindow, actions: Actions) -> tuple[QToolBar, QToolButton]:
    """Put what is used most over the photo; return the bar, and its button for sharing."""
    bar = _ToolBar(translate("Menus", "Tools"), window)
    bar.setObjectName("tools")
    bar.setMovable(False)
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    bar.setIconSize(QSize(20, 20))
    for action in (actions.open, actions.live, actions.type_puzzle):
        bar.addAction(action)
    bar.addSeparator()
    bar.addActions([actions.undo, actions.redo])
    bar.addWidget(_spring())
    bar.addActions([actions.solution, actions.help_panel, actions.walk_panel])
    bar.addWidget(_spring())
    bar.addActions([actions.view_photo, actions.view_both, actions.view_board])
    bar.addSeparator()
    sharing = QToolButton()
    sharing.setEnabled(False)
    sharing.setToolTip(translate("Menus", "Share"))
    sharing.setAccessibleName(translate("Menus", "Share"))
    sharing.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    bar.addWidget(sharing)
    for action in (
        actions.open, actions.live, actions.solution, actions.help_panel, actions.walk_panel
    ):  # fmt: skip
        button = bar.widgetForAction(action)
        if isinstance(button, QToolButton):
            bar.give_words(button)
    for action in actions:
        button = bar.widgetForAction(action)
        if isinstance(button, QToolButton):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setAccessibleName(action.text().replace("&", "").rstrip("…"))
    window.addToolBar(bar)
    return bar, sharing


class _ToolBar(QToolBar):
    """Drops the words beside its signs where there is no room for both."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self._wordy: list[QToolButton] = []
        self._full_px = 0

    def give_words(self, button: QToolButton) -> None:
        """Let a button have words as long as there is room."""
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._wordy.append(button)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the words away, or give them back."""
        super().resizeEvent(event)
        has_words = self._full_px == 0
        wanted_px = self.sizeHint().width() if has_words else self._full_px
        has_room = self.width() >= wanted_px
        if has_room == has_words:
            return
        self._full_px = 0 if has_room else wanted_px
        style = Qt.ToolButtonStyle
        for button in self._wordy:
            button.setToolButtonStyle(
                style.ToolButtonTextBesideIcon if has_room else style.ToolButtonIconOnly
            )


def _spring() -> QWidget:
    spring = QWidget()
    spring.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return spring
