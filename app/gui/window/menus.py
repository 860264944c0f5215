"""Where the actions stand: in the menus, in the toolbar, and behind a right click."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QMainWindow,
    QMenu,
    QMenuBar,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from app.gui.widgets import Retold, plain_text
from app.gui.window.actions import Actions
from app.gui.window.preferences import SETTING, SYSTEM
from app.terminal.languages import LANGUAGES

if TYPE_CHECKING:
    from app.gui.session.document import Document
    from app.gui.window.main_window import Window
    from app.gui.window.preferences import Appearance

translate = QCoreApplication.translate


PLAY_MENU: Final = "play"
"""Name of the menu of what is done in play."""


def _put(place: QMenu | QToolBar, *actions: QAction | None) -> None:
    """Put actions into a menu or a bar, with a line wherever None stands."""
    for action in actions:
        if action is None:
            place.addSeparator()
        else:
            place.addAction(action)


class Menus(QObject):
    """The menu bar of a window.

    Attributes:
        recent: the menu of files that were open lately; the window fills it.
    """

    def __init__(self, window: "Window") -> None:
        """Fill the menu bar of a window, whose appearance is chosen there, too."""
        super().__init__(window)
        bar, a, appearance = window.menuBar(), window.actions_of_window, window.appearance
        file = self._menu(bar, lambda: self.tr("&File"))
        file.addAction(a.open)
        self.recent = self._menu(file, lambda: self.tr("Open &recent"))
        _put(file, a.paste, a.sample, a.live, a.phone, None, a.type_puzzle, a.new_puzzle, None)
        _put(file, a.save_image, a.print_puzzle)
        self._file, self._after_share = file, file.addSeparator()
        _put(file, a.show_folder, a.remove, a.close, a.quit)
        edit = self._menu(bar, lambda: self.tr("&Edit"))
        _put(edit, a.undo, a.redo, None, a.copy_image, a.copy_digits, a.copy_solution, None)
        _put(edit, a.preferences)
        board = self._menu(bar, lambda: self.tr("&Board"))
        _put(board, a.solution, a.reveal_cell, a.kind, a.rules, a.badges, None)
        _put(board, a.help_panel, a.technique_panel, a.walk_panel, a.history_panel, None)
        _put(board, a.place, a.place_other, a.search_again)
        play = self._menu(bar, lambda: self.tr("&Play"))
        play.setObjectName(PLAY_MENU)
        _put(play, a.play, a.pause, a.conflicts, None, *a.modes)
        view = self._menu(bar, lambda: self.tr("&View"))
        _put(view, *a.views, None, a.fit, a.board_near, a.near, a.far, a.pixels, None)
        _put(view, a.turn_left, a.turn_right, None)
        _put(view, a.next_board, a.last_board, a.next_photo, a.last_photo, None)
        self._add_themes(view, appearance)
        self._add_languages(view, appearance)
        _put(view, a.motion, a.reveal_at_once, a.full_screen)
        _put(self._menu(bar, lambda: self.tr("&Help")), a.shortcuts, a.about)

    def put_share(self, share: QMenu) -> None:
        """Put in the menu of what can be handed on."""
        Retold(share, lambda: self.tr("S&hare"), share.setTitle)
        self._file.insertMenu(self._after_share, share)

    def _menu(self, within: QMenuBar | QMenu, say: Callable[[], str]) -> QMenu:
        menu = within.addMenu("")
        Retold(menu, say, menu.setTitle)
        return menu

    def _add_themes(self, view: QMenu, appearance: "Appearance") -> None:
        names: dict[str, Callable[[], str]] = {
            "system": lambda: self.tr("Like the &system"),
            "light": lambda: self.tr("&Light"),
            "dark": lambda: self.tr("&Dark"),
            "contrast": lambda: self.tr("High &contrast"),
        }
        menu = self._menu(view, lambda: self.tr("&Theme"))
        self.themes = self._add_choices(menu, names, appearance.theme_name, appearance.choose)

    def _add_languages(self, view: QMenu, appearance: "Appearance") -> None:
        names: dict[str, Callable[[], str]] = {SYSTEM: lambda: self.tr("Like the &system")}
        names |= {code: partial(str, name) for code, name in LANGUAGES.items()}
        menu = self._menu(view, lambda: self.tr("Lan&guage"))
        chosen = str(appearance.settings.value(SETTING, SYSTEM))
        self.languages = self._add_choices(menu, names, chosen, appearance.speak)

    def _add_choices(
        self,
        menu: QMenu,
        names: dict[str, Callable[[], str]],
        chosen: str,
        choose: Callable[[str], None],
    ) -> dict[str, QAction]:
        group = QActionGroup(self)
        actions = {}
        for name, say in names.items():
            action = QAction(self, checkable=True, checked=name == chosen)
            Retold(menu, say, action.setText)
            action.triggered.connect(lambda _=False, name=name: choose(name))
            group.addAction(action)
            menu.addAction(action)
            actions[name] = action
        return actions


class ToolBar(QToolBar):
    """What is used most, over the photo; without words beside the signs where these have no room.

    Attributes:
        sharing: the button of the menu of what can be handed on.
    """

    def __init__(self, window: QMainWindow, actions: Actions) -> None:
        super().__init__(window)
        self._full_px = 0
        self.setObjectName("tools")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setIconSize(QSize(20, 20))
        a = actions
        _put(self, a.open, a.live, a.type_puzzle, None, a.undo, a.redo)
        self.addWidget(_spring())
        _put(self, a.play, a.solution, a.help_panel, a.walk_panel)
        self.addWidget(_spring())
        _put(self, *a.views, None)
        self._buttons = {
            action: button
            for action in self.actions()
            if isinstance(button := self.widgetForAction(action), QToolButton)
        }
        for button in self._buttons.values():
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        wordy = a.open, a.live, a.play, a.solution, a.help_panel, a.walk_panel
        self._wordy = [self._buttons[action] for action in wordy]
        self.sharing = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.sharing.setEnabled(False)
        self.addWidget(self.sharing)
        self._set_words(has_words=True)
        self.retranslate()
        window.addToolBar(self)

    def retranslate(self) -> None:
        """Name the bar and its buttons in the language of now, after the actions."""
        self.setWindowTitle(translate("Menus", "Tools"))
        for action, button in self._buttons.items():
            button.setAccessibleName(plain_text(action))
        self.sharing.setToolTip(translate("Menus", "Share"))
        self.sharing.setAccessibleName(translate("Menus", "Share"))
        if self._full_px:
            # How much room the new words need is seen once they are there.
            self._full_px = 0
            self._set_words(has_words=True)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the words away, or give them back."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        has_words = self._full_px == 0
        wanted_px = self.sizeHint().width() if has_words else self._full_px
        has_room = self.width() >= wanted_px
        if has_room == has_words:
            return
        self._full_px = 0 if has_room else wanted_px
        self._set_words(has_words=has_room)

    def _set_words(self, *, has_words: bool) -> None:
        style = Qt.ToolButtonStyle
        # Without words the signs move together, so that all of them fit into the least window.
        self.setStyleSheet("" if has_words else "QToolButton { padding: 6px 7px; }")
        for button in self._wordy:
            button.setToolButtonStyle(
                style.ToolButtonTextBesideIcon if has_words else style.ToolButtonIconOnly
            )


def _spring() -> QWidget:
    spring = QWidget()
    spring.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return spring


class ContextMenus(QObject):
    """Opens menus where the pointer is, or at what has the keys."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window, self._desk = window, window.desk
        self._actions, self._editor = window.actions_of_window, window.editor
        self.menu: QMenu | None = None
        for part, ask in (
            (self._desk.strip, self._ask_list),
            (self._desk.photo, self._ask_photo),
            (self._desk.clean, self._ask_board),
        ):
            part.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            part.customContextMenuRequested.connect(ask)

    def _ask_list(self, place: QPoint) -> None:
        strip = self._desk.strip
        document: Document | None = strip.key_under(place)
        if document is not None:
            self._open(self._list_menu(document), strip, place)

    def _list_menu(self, document: "Document") -> QMenu:
        a, do = self._actions, self._window.commands
        menu = QMenu(self._desk)
        board, has_photo = document.board, not document.is_typed
        is_solved = board is not None and board.solution is not None
        choices: tuple[tuple[str, Callable[[], object], bool] | None, ...] = (
            (self.tr("&Look at it"), partial(self._window.opened.choose, document), True),
            None,
            (a.turn_left.text(), partial(do.turn, -1, document), has_photo),
            (a.turn_right.text(), partial(do.turn, 1, document), has_photo),
            None,
            (a.copy_solution.text(), partial(do.copy_solution, document), is_solved),
            (a.show_folder.text(), partial(do.show_folder, document), document.path is not None),
            None,
            (a.remove.text(), partial(do.remove, document), True),
        )
        for choice in choices:
            if choice is None:
                menu.addSeparator()
                continue
            text, act, is_possible = choice
            action = menu.addAction(text)
            action.triggered.connect(lambda _=False, act=act: act())
            action.setEnabled(is_possible)
        return menu

    def _ask_photo(self, place: QPoint) -> None:
        photo, a = self._desk.photo, self._actions
        if photo.picture is None or photo.is_placing:
            return
        found = photo.cell_under(place)
        if found is not None:
            self._editor.point_at(*found)
        picture = (a.turn_left, a.turn_right, a.fit, a.board_near, None)
        self._open(self._board_menu((*picture, a.place, a.search_again, None)), photo, place)

    def _ask_board(self, place: QPoint) -> None:
        clean = self._desk.clean
        self._editor.select(clean.cell_under(place))
        self._open(self._board_menu(()), clean, place)

    def _board_menu(self, more: tuple[QAction | None, ...]) -> QMenu:
        a, menu = self._actions, QMenu(self._desk)
        _put(menu, a.reveal_cell, a.kind, a.rules, a.solution, None)
        _put(menu, a.help_panel, a.walk_panel, None, *more)
        _put(menu, a.copy_solution, a.copy_digits, a.copy_image, a.save_image, None)
        _put(menu, a.show_folder, a.remove)
        return menu

    def _open(self, menu: QMenu, part: QWidget, place: QPoint) -> None:
        if self.menu is not None:
            self.menu.deleteLater()
        inner = part.viewport() if isinstance(part, QAbstractScrollArea) else part
        self.menu = menu
        menu.popup(inner.mapToGlobal(place))
