"""Everything that can be done in the window, each with its name, icon and keys."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from app.gui.theme import Theme, icon


def _make(
    parent: QObject,
    text: str,
    keys: str = "",
    icon_name: str = "",
    *,
    is_switch: bool = False,
    tip: str = "",
) -> QAction:
    action = QAction(text, parent)
    action.setShortcuts([QKeySequence(key) for key in keys.split()])
    action.setCheckable(is_switch)
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
        make = partial(_make, parent)
        self.open = make(self.tr("&Open…"), "Ctrl+O", "open", tip=self.tr("Open photos"))
        self.paste = make(
            self.tr("&Paste"), "Ctrl+V", "paste", tip=self.tr("Paste a photo or its file")
        )
        self.sample = make(self.tr("Sample &page"), "", "photo")
        self.live = make(
            self.tr("&Live"),
            "Ctrl+L",
            "live",
            is_switch=True,
            tip=self.tr("Camera, video or address"),
        )
        self.phone = make(
            self.tr("&Use my phone…"),
            "Ctrl+U",
            "phone",
            is_switch=True,
            tip=self.tr("Take photos with a phone near by"),
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
        self.solution = make(
            self.tr("&Solution"), "S", "eye", is_switch=True, tip=self.tr("Show the solution")
        )
        self.reveal_cell = make(self.tr("Solution of the &cell"))
        self.kind = make(self.tr("Printed or &handwritten"), "K")
        self.rules = make(self.tr("Correct kind, regions and ca&ges"), "E", is_switch=True)
        self.badges = make(self.tr("Digits as they were &read"), "R", "read", is_switch=True)
        self.place = make(self.tr("Place the &board"), "P", "corners", is_switch=True)
        self.place_other = make(self.tr("Place &another board"), "Shift+P")
        self.search_again = make(self.tr("&Find the boards again"), "F5")
        self.view_photo = make(self.tr("&Photo"), "Ctrl+1", "photo", is_switch=True)
        self.view_both = make(self.tr("Photo &and board"), "Ctrl+2", "both", is_switch=True)
        self.view_board = make(self.tr("&Clean board"), "Ctrl+3", "board", is_switch=True)
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
        self.help_panel = make(
            self.tr("&Hints"), "H", "hint", is_switch=True, tip=self.tr("Hints and checks")
        )
        self.walk_panel = make(self.tr("&Step by step"), "W", "walk", is_switch=True)
        self.technique_panel = make(self.tr("&Techniques"), "Shift+H", is_switch=True)
        self.history_panel = make(self.tr("&History"), "Ctrl+H", "history", is_switch=True)
        self.play = make(
            self.tr("&Play"),
            "G",
            "solve",
            is_switch=True,
            tip=self.tr("Solve this puzzle yourself"),
        )
        self.pause = make(self.tr("P&ause"), "T", "pause", is_switch=True)
        self.conflicts = make(
            self.tr("Mark digits that stand &twice"), "C", "conflict", is_switch=True
        )
        self.mode_digit = make(self.tr("Write &digits"), "", "digit", is_switch=True)
        self.mode_corner = make(
            self.tr("Write co&rner marks"),
            "",
            "corner",
            is_switch=True,
            tip=self.tr("Write corner marks, as Shift and a digit do"),
        )
        self.mode_centre = make(
            self.tr("Write c&entre marks"),
            "",
            "centre",
            is_switch=True,
            tip=self.tr("Write centre marks, as Ctrl and a digit do"),
        )
        self.mode_colour = make(
            self.tr("&Colour cells"),
            "",
            "colour",
            is_switch=True,
            tip=self.tr("Colour cells, as Ctrl, Shift and a digit do"),
        )
        self.full_screen = make(self.tr("&Full screen"), "F11", is_switch=True)
        self.preferences = make(self.tr("Pre&ferences…"), "Ctrl+,", "preferences")
        self.motion = make(self.tr("Less &motion"), "", is_switch=True)
        self.reveal_at_once = make(self.tr("Show solutions at &once"), "", is_switch=True)
        self.shortcuts = make(self.tr("&Keyboard shortcuts"), "? F1")
        self.about = make(self.tr("&About Sudoku Lens"))
        # Where the list has the keys; on a board the same key empties a cell.
        self.remove.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        views = QActionGroup(parent)
        for action in self.views:
            views.addAction(action)
        modes = QActionGroup(parent)
        for action in self.modes:
            modes.addAction(action)
        self.preferences.setMenuRole(QAction.MenuRole.PreferencesRole)
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        self.about.setMenuRole(QAction.MenuRole.AboutRole)

    def __iter__(self) -> Iterator[QAction]:
        return (one for one in vars(self).values() if isinstance(one, QAction))

    @property
    def views(self) -> tuple[QAction, QAction, QAction]:
        """The switches of photo, both, and clean board, in the order of `desk.VIEWS`."""
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
