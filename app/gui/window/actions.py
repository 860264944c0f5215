"""Everything that can be done in the window, each with its name, icon and keys."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from app.gui.theme import Theme, icon

translate = QCoreApplication.translate


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


class Actions:
    """The window's actions; the menus, the toolbar and the shortcut sheet are made of them."""

    def __init__(self, parent: QObject) -> None:
        """Make the actions; the window connects them."""
        make = partial(_make, parent)
        self.open = make(
            translate("Actions", "&Open…"),
            "Ctrl+O",
            "open",
            tip=translate("Actions", "Open photos"),
        )
        self.paste = make(
            translate("Actions", "&Paste"),
            "Ctrl+V",
            "paste",
            tip=translate("Actions", "Paste a photo or its file"),
        )
        self.sample = make(translate("Actions", "Sample &page"), "", "photo")
        self.live = make(
            translate("Actions", "&Live"),
            "Ctrl+L",
            "live",
            is_switch=True,
            tip=translate("Actions", "Camera, video or address"),
        )
        self.phone = make(
            translate("Actions", "&Use my phone…"),
            "Ctrl+U",
            "phone",
            is_switch=True,
            tip=translate("Actions", "Take photos with a phone near by"),
        )
        self.type_puzzle = make(translate("Actions", "&Type a puzzle"), "Ctrl+T", "type")
        self.new_puzzle = make(translate("Actions", "&New puzzle…"), "Ctrl+N", "new")
        self.close = make(translate("Actions", "&Close"), "Ctrl+W", "close")
        self.remove = make(translate("Actions", "&Remove from the list"), "Del")
        self.show_folder = make(translate("Actions", "Show in its &folder"))
        self.quit = make(translate("Actions", "&Quit"), "Ctrl+Q")
        self.undo = make(translate("Actions", "&Undo"), "Ctrl+Z", "undo")
        self.redo = make(translate("Actions", "&Redo"), "Ctrl+Shift+Z Ctrl+Y", "redo")
        self.copy_image = make(translate("Actions", "Copy the solved &picture"), "Ctrl+C", "copy")
        self.copy_digits = make(translate("Actions", "Copy the &digits"), "Ctrl+Shift+C")
        self.copy_solution = make(translate("Actions", "Copy the s&olution"))
        self.save_image = make(translate("Actions", "&Save the solved picture…"), "Ctrl+S", "save")
        self.solution = make(
            translate("Actions", "&Solution"),
            "S",
            "eye",
            is_switch=True,
            tip=translate("Actions", "Show the solution"),
        )
        self.reveal_cell = make(translate("Actions", "Solution of the &cell"))
        self.kind = make(translate("Actions", "Printed or &handwritten"), "K")
        self.rules = make(
            translate("Actions", "Correct kind, regions and ca&ges"),
            "E",
            is_switch=True,
        )
        self.badges = make(
            translate("Actions", "Digits as they were &read"), "R", "read", is_switch=True
        )
        self.place = make(translate("Actions", "Place the &board"), "P", "corners", is_switch=True)
        self.place_other = make(translate("Actions", "Place &another board"), "Shift+P")
        self.search_again = make(translate("Actions", "&Find the boards again"), "F5")
        self.view_photo = make(translate("Actions", "&Photo"), "Ctrl+1", "photo", is_switch=True)
        self.view_both = make(
            translate("Actions", "Photo &and board"), "Ctrl+2", "both", is_switch=True
        )
        self.view_board = make(
            translate("Actions", "&Clean board"), "Ctrl+3", "board", is_switch=True
        )
        self.fit = make(translate("Actions", "&Whole photo"), "Ctrl+0 F", "fit")
        self.near = make(translate("Actions", "Zoom &in"), "Ctrl++ Ctrl+=", "near")
        self.far = make(translate("Actions", "Zoom &out"), "Ctrl+-", "far")
        self.turn_left = make(translate("Actions", "Turn &left"), "Ctrl+Shift+R")
        self.turn_right = make(translate("Actions", "Turn &right"), "Ctrl+R")
        self.board_near = make(translate("Actions", "Zoom to the &board"), "B")
        self.pixels = make(translate("Actions", "Original si&ze"), "Ctrl+Alt+0")
        self.next_board = make(translate("Actions", "Ne&xt board"), "N")
        self.last_board = make(translate("Actions", "Previo&us board"), "Shift+N")
        self.next_photo = make(translate("Actions", "Next p&hoto"), "Ctrl+PgDown PgDown")
        self.last_photo = make(translate("Actions", "Pre&vious photo"), "Ctrl+PgUp PgUp")
        self.help_panel = make(
            translate("Actions", "&Hints"),
            "H",
            "hint",
            is_switch=True,
            tip=translate("Actions", "Hints and checks"),
        )
        self.walk_panel = make(translate("Actions", "&Step by step"), "W", "walk", is_switch=True)
        self.technique_panel = make(translate("Actions", "&Techniques"), "Shift+H", is_switch=True)
        self.history_panel = make(
            translate("Actions", "&History"), "Ctrl+H", "history", is_switch=True
        )
        self.play = make(
            translate("Actions", "&Play"),
            "G",
            "solve",
            is_switch=True,
            tip=translate("Actions", "Solve this puzzle yourself"),
        )
        self.pause = make(translate("Actions", "P&ause"), "T", "pause", is_switch=True)
        self.conflicts = make(
            translate("Actions", "Mark digits that stand &twice"), "C", "conflict", is_switch=True
        )
        self.mode_digit = make(translate("Actions", "Write &digits"), "", "digit", is_switch=True)
        self.mode_corner = make(
            translate("Actions", "Write co&rner marks"),
            "",
            "corner",
            is_switch=True,
            tip=translate("Actions", "Write corner marks, as Shift and a digit do"),
        )
        self.mode_centre = make(
            translate("Actions", "Write c&entre marks"),
            "",
            "centre",
            is_switch=True,
            tip=translate("Actions", "Write centre marks, as Ctrl and a digit do"),
        )
        self.mode_colour = make(
            translate("Actions", "&Colour cells"),
            "",
            "colour",
            is_switch=True,
            tip=translate("Actions", "Colour cells, as Ctrl, Shift and a digit do"),
        )
        self.full_screen = make(translate("Actions", "&Full screen"), "F11", is_switch=True)
        self.preferences = make(translate("Actions", "Pre&ferences…"), "Ctrl+,", "preferences")
        self.motion = make(translate("Actions", "Less &motion"), "", is_switch=True)
        self.reveal_at_once = make(
            translate("Actions", "Show solutions at &once"), "", is_switch=True
        )
        self.shortcuts = make(translate("Actions", "&Keyboard shortcuts"), "? F1")
        self.about = make(translate("Actions", "&About Sudoku Lens"))
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
        return iter(vars(self).values())

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
