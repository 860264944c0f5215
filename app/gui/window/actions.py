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
