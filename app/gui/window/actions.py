"""Everything that can be done in the window, each with its name, icon and keys."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from app.gui.theme import Theme, icon

translate = QCoreApplication.translate


@dataclass(frozen=True)
class Actions:
    """The window's actions; the menus, the toolbar and the shortcut sheet are made of them."""

    open: QAction
    paste: QAction
    sample: QAction
    live: QAction
    phone: QAction
    type_puzzle: QAction
    new_puzzle: QAction
    close: QAction
    remove: QAction
    show_folder: QAction
    quit: QAction
    undo: QAction
    redo: QAction
    copy_image: QAction
    copy_digits: QAction
    copy_solution: QAction
    save_image: QAction
    solution: QAction
    reveal_cell: QAction
    kind: QAction
    rules: QAction
    badges: QAction
    place: QAction
    place_other: QAction
    search_again: QAction
    view_photo: QAction
    view_both: QAction
    view_board: QAction
    fit: QAction
    near: QAction
    far: QAction
    turn_left: QAction
    turn_right: QAction
    board_near: QAction
    pixels: QAction
    next_board: QAction
    last_board: QAction
    next_photo: QAction
    last_photo: QAction
    help_panel: QAction
    walk_panel: QAction
    technique_panel: QAction
    history_panel: QAction
    play: QAction
    pause: QAction
    conflicts: QAction
    mode_digit: QAction
    mode_corner: QAction
    mode_centre: QAction
    mode_colour: QAction
    full_screen: QAction
    preferences: QAction
    motion: QAction
    reveal_at_once: QAction
    shortcuts: QAction
    about: QAction

    def __iter__(self) -> Iterator[QAction]:
        return (getattr(self, field.name) for field in fields(self))

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
        for action, named in zip(self, make_actions(owner), strict=True):
            action.setText(named.text())
            action.setToolTip(named.toolTip())

    def colour(self, theme: Theme) -> None:
        """Draw the icons for a theme."""
        for action in self:
            name = action.property("icon_name")
            if name:
                action.setIcon(icon(name, theme.text, theme.accent))


def make_actions(parent: QObject) -> Actions:
    """Make the actions; the window connects them."""

    def make(
        text: str, keys: str = "", icon_name: str = "", *, is_switch: bool = False, tip: str = ""
    ) -> QAction:
        action = QAction(text, parent)
        action.setShortcuts([QKeySequence(key) for key in keys.split()])
        action.setCheckable(is_switch)
        action.setProperty("icon_name", icon_name)
        shown = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        plain = (tip or text).replace("&", "").rstrip("…")
        action.setToolTip(f"{plain} ({shown})" if shown else plain)
        return action

    actions = Actions(
        open=make(
            translate("Actions", "&Open…"),
            "Ctrl+O",
            "open",
            tip=translate("Actions", "Open photos"),
        ),
        paste=make(
            translate("Actions", "&Paste"),
            "Ctrl+V",
            "paste",
            tip=translate("Actions", "Paste a photo or its file"),
        ),
        sample=make(translate("Actions", "Sample &page"), "", "photo"),
        live=make(
            translate("Actions", "&Live"),
            "Ctrl+L",
            "live",
            is_switch=True,
            tip=translate("Actions", "Camera, video or address"),
        ),
        phone=make(
            translate("Actions", "&Use my phone…"),
            "Ctrl+U",
            "phone",
            is_switch=True,
            tip=translate("Actions", "Take photos with a phone near by"),
        ),
        type_puzzle=make(translate("Actions", "&Type a puzzle"), "Ctrl+T", "type"),
        new_puzzle=make(translate("Actions", "&New puzzle…"), "Ctrl+N", "new"),
        close=make(translate("Actions", "&Close"), "Ctrl+W", "close"),
        remove=make(translate("Actions", "&Remove from the list"), "Del"),
        show_folder=make(translate("Actions", "Show in its &folder")),
        quit=make(translate("Actions", "&Quit"), "Ctrl+Q"),
        undo=make(translate("Actions", "&Undo"), "Ctrl+Z", "undo"),
        redo=make(translate("Actions", "&Redo"), "Ctrl+Shift+Z Ctrl+Y", "redo"),
        copy_image=make(translate("Actions", "Copy the solved &picture"), "Ctrl+C", "copy"),
        copy_digits=make(translate("Actions", "Copy the &digits"), "Ctrl+Shift+C"),
        copy_solution=make(translate("Actions", "Copy the s&olution")),
        save_image=make(translate("Actions", "&Save the solved picture…"), "Ctrl+S", "save"),
        solution=make(
            translate("Actions", "&Solution"),
            "S",
            "eye",
            is_switch=True,
            tip=translate("Actions", "Show the solution"),
        ),
        reveal_cell=make(translate("Actions", "Solution of the &cell")),
        kind=make(translate("Actions", "Printed or &handwritten"), "K"),
        rules=make(
            translate("Actions", "Correct kind, regions and ca&ges"),
            "E",
            is_switch=True,
        ),
        badges=make(translate("Actions", "Digits as they were &read"), "R", "read", is_switch=True),
        place=make(translate("Actions", "Place the &board"), "P", "corners", is_switch=True),
        place_other=make(translate("Actions", "Place &another board"), "Shift+P"),
        search_again=make(translate("Actions", "&Find the boards again"), "F5"),
        view_photo=make(translate("Actions", "&Photo"), "Ctrl+1", "photo", is_switch=True),
        view_both=make(translate("Actions", "Photo &and board"), "Ctrl+2", "both", is_switch=True),
        view_board=make(translate("Actions", "&Clean board"), "Ctrl+3", "board", is_switch=True),
        fit=make(translate("Actions", "&Whole photo"), "Ctrl+0 F", "fit"),
        near=make(translate("Actions", "Zoom &in"), "Ctrl++ Ctrl+=", "near"),
        far=make(translate("Actions", "Zoom &out"), "Ctrl+-", "far"),
        turn_left=make(translate("Actions", "Turn &left"), "Ctrl+Shift+R"),
        turn_right=make(translate("Actions", "Turn &right"), "Ctrl+R"),
        board_near=make(translate("Actions", "Zoom to the &board"), "B"),
        pixels=make(translate("Actions", "Original si&ze"), "Ctrl+Alt+0"),
        next_board=make(translate("Actions", "Ne&xt board"), "N"),
        last_board=make(translate("Actions", "Previo&us board"), "Shift+N"),
        next_photo=make(translate("Actions", "Next p&hoto"), "Ctrl+PgDown PgDown"),
        last_photo=make(translate("Actions", "Pre&vious photo"), "Ctrl+PgUp PgUp"),
        help_panel=make(
            translate("Actions", "&Hints"),
            "H",
            "hint",
            is_switch=True,
            tip=translate("Actions", "Hints and checks"),
        ),
        walk_panel=make(translate("Actions", "&Step by step"), "W", "walk", is_switch=True),
        technique_panel=make(translate("Actions", "&Techniques"), "Shift+H", is_switch=True),
        history_panel=make(translate("Actions", "&History"), "Ctrl+H", "history", is_switch=True),
        play=make(
            translate("Actions", "&Play"),
            "G",
            "solve",
            is_switch=True,
            tip=translate("Actions", "Solve this puzzle yourself"),
        ),
        pause=make(translate("Actions", "P&ause"), "T", "pause", is_switch=True),
        conflicts=make(
            translate("Actions", "Mark digits that stand &twice"), "C", "conflict", is_switch=True
        ),
        mode_digit=make(translate("Actions", "Write &digits"), "", "digit", is_switch=True),
        mode_corner=make(
            translate("Actions", "Write co&rner marks"),
            "",
            "corner",
            is_switch=True,
            tip=translate("Actions", "Write corner marks, as Shift and a digit do"),
        ),
        mode_centre=make(
            translate("Actions", "Write c&entre marks"),
            "",
            "centre",
            is_switch=True,
            tip=translate("Actions", "Write centre marks, as Ctrl and a digit do"),
        ),
        mode_colour=make(
            translate("Actions", "&Colour cells"),
            "",
            "colour",
            is_switch=True,
            tip=translate("Actions", "Colour cells, as Ctrl, Shift and a digit do"),
        ),
        full_screen=make(translate("Actions", "&Full screen"), "F11", is_switch=True),
        preferences=make(translate("Actions", "Pre&ferences…"), "Ctrl+,", "preferences"),
        motion=make(translate("Actions", "Less &motion"), "", is_switch=True),
        reveal_at_once=make(translate("Actions", "Show solutions at &once"), "", is_switch=True),
        shortcuts=make(translate("Actions", "&Keyboard shortcuts"), "? F1"),
        about=make(translate("Actions", "&About Sudoku Lens")),
    )
    # Where the list has the keys; on a board the same key empties a cell.
    actions.remove.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    views = QActionGroup(parent)
    for action in actions.views:
        views.addAction(action)
    modes = QActionGroup(parent)
    for action in actions.modes:
        modes.addAction(action)
    actions.preferences.setMenuRole(QAction.MenuRole.PreferencesRole)
    actions.quit.setMenuRole(QAction.MenuRole.QuitRole)
    actions.about.setMenuRole(QAction.MenuRole.AboutRole)
    return actions
