"""Everything that can be done in the window, each with its name, icon and keys; and where
it stands, in the menus and in the toolbar.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QObject, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QMainWindow,
    QMenu,
    QMenuBar,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from app.gui.theme import Theme, icon
from app.gui.widgets import Retold, Say, plain_text
from app.gui.window.preferences import SETTING, SYSTEM, Appearance
from app.terminal.languages import LANGUAGES

if TYPE_CHECKING:
    from app.gui.window.main_window import Window

translate = QCoreApplication.translate

PLAY_MENU: Final = "play"
"""Name of the menu of what is done in play."""


def _make(
    parent: QObject,
    text: str,
    keys: str = "",
    icon_name: str = "",
    tip: str = "",
    *,
    is_switch: bool = False,
) -> QAction:
    action = QAction(text, parent, checkable=is_switch)
    action.setShortcuts([QKeySequence(key) for key in keys.split()])
    action.setProperty("icon_name", icon_name)
    shown = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    plain = (tip or text).replace("&", "").rstrip("…")
    action.setToolTip(f"{plain} ({shown})" if shown else plain)
    return action


class Actions(QObject):
    """The window's actions; the menus, the toolbar and the shortcut sheet are made of them."""

    def __init__(self, parent: QObject) -> None:
        """Make the actions; the window connects them."""
        super().__init__(parent)
        make, switch = partial(_make, parent), partial(_make, parent, is_switch=True)
        self.open = make(self.tr("&Open…"), "Ctrl+O", "open", self.tr("Open photos"))
        self.paste = make(
            self.tr("&Paste"), "Ctrl+V", "paste", self.tr("Paste a photo or its file")
        )
        self.sample = make(self.tr("Sample &page"), "", "photo")
        self.live = switch(self.tr("&Live"), "Ctrl+L", "live", self.tr("Camera, video or address"))
        self.phone = switch(
            self.tr("&Use my phone…"),
            "Ctrl+U",
            "phone",
            self.tr("Take photos with a phone near by"),
        )
        self.type_puzzle = make(self.tr("&Type a puzzle"), "Ctrl+T", "type")
        self.new_puzzle = make(self.tr("&New puzzle…"), "Ctrl+N", "new")
        self.close = make(self.tr("&Close"), "Ctrl+W", "close")
        self.remove = make(self.tr("&Remove from the list"), "Del")
        self.show_folder = make(self.tr("Show in its &folder"))
        self.quit = make(self.tr("&Quit"), "Ctrl+Q")
        self.undo = make(self.tr("&Undo"), "Ctrl+Z", "undo")
        self.redo = make(self.tr("&Redo"), "Ctrl+Shift+Z Ctrl+Y", "redo")
        self.copy_image = make(self.tr("Copy the solved &picture"), "Ctrl+C", "copy")
        self.copy_digits = make(self.tr("Copy the &digits"), "Ctrl+Shift+C")
        self.copy_solution = make(self.tr("Copy the s&olution"))
        self.save_image = make(self.tr("&Save the solved picture…"), "Ctrl+S", "save")
        self.print_puzzle = make(self.tr("Pr&int the puzzle…"), "Ctrl+P")
        self.solution = switch(self.tr("&Solution"), "S", "eye", self.tr("Show the solution"))
        self.reveal_cell = make(self.tr("Solution of the &cell"))
        self.kind = make(self.tr("Printed or &handwritten"), "K")
        self.rules = switch(self.tr("Correct kind, regions and ca&ges"), "E")
        self.badges = switch(self.tr("Digits as they were &read"), "R", "read")
        self.place = switch(self.tr("Place the &board"), "P", "corners")
        self.place_other = make(self.tr("Place &another board"), "Shift+P")
        self.search_again = make(self.tr("&Find the boards again"), "F5")
        self.view_photo = switch(self.tr("&Photo"), "Ctrl+1", "photo")
        self.view_both = switch(self.tr("Photo &and board"), "Ctrl+2", "both")
        self.view_board = switch(self.tr("&Clean board"), "Ctrl+3", "board")
        self.fit = make(self.tr("&Whole photo"), "Ctrl+0 F", "fit")
        self.near = make(self.tr("Zoom &in"), "Ctrl++ Ctrl+=", "near")
        self.far = make(self.tr("Zoom &out"), "Ctrl+-", "far")
        self.turn_left = make(self.tr("Turn &left"), "Ctrl+Shift+R")
        self.turn_right = make(self.tr("Turn &right"), "Ctrl+R")
        self.board_near = make(self.tr("Zoom to the &board"), "B")
        self.pixels = make(self.tr("Original si&ze"), "Ctrl+Alt+0")
        self.next_board = make(self.tr("Ne&xt board"), "N")
        self.last_board = make(self.tr("Previo&us board"), "Shift+N")
        self.next_photo = make(self.tr("Next p&hoto"), "Ctrl+PgDown PgDown")
        self.last_photo = make(self.tr("Pre&vious photo"), "Ctrl+PgUp PgUp")
        self.help_panel = switch(self.tr("&Hints"), "H", "hint", self.tr("Hints and checks"))
        self.walk_panel = switch(self.tr("&Step by step"), "W", "walk")
        self.technique_panel = switch(self.tr("&Techniques"), "Shift+H")
        self.history_panel = switch(self.tr("&History"), "Ctrl+H", "history")
        self.play = switch(self.tr("&Play"), "G", "solve", self.tr("Solve this puzzle yourself"))
        self.pause = switch(self.tr("P&ause"), "T", "pause")
        self.conflicts = switch(self.tr("Mark digits that stand &twice"), "C", "conflict")
        self.mode_digit = switch(self.tr("Write &digits"), "", "digit")
        self.mode_corner = switch(
            self.tr("Write co&rner marks"),
            "",
            "corner",
            self.tr("Write corner marks, as Shift and a digit do"),
        )
        self.mode_centre = switch(
            self.tr("Write c&entre marks"),
            "",
            "centre",
            self.tr("Write centre marks, as Ctrl and a digit do"),
        )
        self.mode_colour = switch(
            self.tr("&Colour cells"),
            "",
            "colour",
            self.tr("Colour cells, as Ctrl, Shift and a digit do"),
        )
        self.full_screen = switch(self.tr("&Full screen"), "F11")
        self.preferences = make(self.tr("Pre&ferences…"), "Ctrl+,", "preferences")
        self.motion = switch(self.tr("Less &motion"))
        self.reveal_at_once = switch(self.tr("Show solutions at &once"))
        self.shortcuts = make(self.tr("&Keyboard shortcuts"), "? F1")
        self.about = make(self.tr("&About Sudoku Lens"))
        # Where the list has the keys; on a board the same key empties a cell.
        self.remove.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        for some in (self.views, self.modes):
            one_of_them = QActionGroup(parent)
            for action in some:
                one_of_them.addAction(action)
        self.preferences.setMenuRole(QAction.MenuRole.PreferencesRole)
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        self.about.setMenuRole(QAction.MenuRole.AboutRole)

    def __iter__(self) -> Iterator[QAction]:
        return (one for one in vars(self).values() if isinstance(one, QAction))

    @property
    def views(self) -> tuple[QAction, QAction, QAction]:
        """The switches of photo, both, and clean board, in the order of `central_view.VIEWS`."""
        return self.view_photo, self.view_both, self.view_board

    @property
    def modes(self) -> tuple[QAction, ...]:
        """What chooses each `app.board.board_values.EntryMode`, in their order."""
        return self.mode_digit, self.mode_corner, self.mode_centre, self.mode_colour

    def retranslate(self) -> None:
        """Name the actions in the language of now."""
        owner = QObject()
        for action, named in zip(self, Actions(owner), strict=True):
            action.setText(named.text())
            action.setToolTip(named.toolTip())

    def colour(self, theme: Theme) -> None:
        """Draw the icons for a theme."""
        for action in self:
            name = action.property("icon_name")
            if name:
                action.setIcon(icon(name, theme.text, theme.accent))


def put_actions(place: QMenu | QToolBar, *actions: QAction | None) -> None:
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
        put_actions(
            file, a.paste, a.sample, a.live, a.phone, None, a.type_puzzle, a.new_puzzle, None
        )
        put_actions(file, a.save_image, a.print_puzzle)
        self._file, self._after_share = file, file.addSeparator()
        put_actions(file, a.show_folder, a.remove, a.close, a.quit)
        edit = self._menu(bar, lambda: self.tr("&Edit"))
        put_actions(edit, a.undo, a.redo, None, a.copy_image, a.copy_digits, a.copy_solution, None)
        put_actions(edit, a.preferences)
        board = self._menu(bar, lambda: self.tr("&Board"))
        put_actions(board, a.solution, a.reveal_cell, a.kind, a.rules, a.badges, None)
        put_actions(board, a.help_panel, a.technique_panel, a.walk_panel, a.history_panel, None)
        put_actions(board, a.place, a.place_other, a.search_again)
        play = self._menu(bar, lambda: self.tr("&Play"))
        play.setObjectName(PLAY_MENU)
        put_actions(play, a.play, a.pause, a.conflicts, None, *a.modes)
        view = self._menu(bar, lambda: self.tr("&View"))
        put_actions(view, *a.views, None, a.fit, a.board_near, a.near, a.far, a.pixels, None)
        put_actions(view, a.turn_left, a.turn_right, None)
        put_actions(view, a.next_board, a.last_board, a.next_photo, a.last_photo, None)
        self._add_themes(view, appearance)
        self._add_languages(view, appearance)
        put_actions(view, a.motion, a.reveal_at_once, a.full_screen)
        put_actions(self._menu(bar, lambda: self.tr("&Help")), a.shortcuts, a.about)

    def put_share(self, share: QMenu) -> None:
        """Put in the menu of what can be handed on."""
        Retold(share, lambda: self.tr("S&hare"), share.setTitle)
        self._file.insertMenu(self._after_share, share)

    def _menu(self, within: QMenuBar | QMenu, say: Say) -> QMenu:
        menu = within.addMenu("")
        Retold(menu, say, menu.setTitle)
        return menu

    def _add_themes(self, view: QMenu, appearance: Appearance) -> None:
        names: dict[str, Say] = {
            "system": lambda: self.tr("Like the &system"),
            "light": lambda: self.tr("&Light"),
            "dark": lambda: self.tr("&Dark"),
            "contrast": lambda: self.tr("High &contrast"),
        }
        menu = self._menu(view, lambda: self.tr("&Theme"))
        self.themes = self._add_choices(menu, names, appearance.theme_name, appearance.choose)

    def _add_languages(self, view: QMenu, appearance: Appearance) -> None:
        names: dict[str, Say] = {SYSTEM: lambda: self.tr("Like the &system")}
        names |= {code: partial(str, name) for code, name in LANGUAGES.items()}
        menu = self._menu(view, lambda: self.tr("Lan&guage"))
        chosen = str(appearance.settings.value(SETTING, SYSTEM))
        self.languages = self._add_choices(menu, names, chosen, appearance.speak)

    def _add_choices(
        self,
        menu: QMenu,
        names: dict[str, Say],
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
        put_actions(self, a.open, a.live, a.type_puzzle, None, a.undo, a.redo)
        self.addWidget(_spring())
        put_actions(self, a.play, a.solution, a.help_panel, a.walk_panel)
        self.addWidget(_spring())
        put_actions(self, *a.views, None)
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
