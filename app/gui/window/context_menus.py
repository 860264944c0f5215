"""What a right click offers: on a photo of the list, on the large photo, and on the clean board."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QWidget

from app.gui.board.cell_editor import CellEditor
from app.gui.window.actions import Actions
from app.gui.window.commands import PhotoCommands
from app.gui.window.desk import Desk

if TYPE_CHECKING:
    from app.gui.session.document import Document
    from app.gui.session.session import WindowSession
    from app.gui.window.commands import Commands

translate = QCoreApplication.translate


class ContextMenus(QObject):
    """Opens menus where the pointer is, or at what has the keys.

    Attributes:
        menu: the one that was opened last.
    """

    def __init__(
        self,
        desk: Desk,
        actions: Actions,
        editor: CellEditor,
        commands: "Commands",
        photo_commands: PhotoCommands,
    ) -> None:
        """Make the menus of a window's parts."""
        super().__init__(desk)
        self._desk, self._actions, self._editor = desk, actions, editor
        self._commands, self._photo_commands = commands, photo_commands
        self._session: WindowSession | None = None
        self.menu: QMenu | None = None
        for part, ask in (
            (desk.strip, self._ask_list),
            (desk.photo, self._ask_photo),
            (desk.clean, self._ask_board),
        ):
            part.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            part.customContextMenuRequested.connect(ask)

    def use(self, session: "WindowSession") -> None:
        """Offer what can be done in this session."""
        self._session = session

    def _ask_list(self, place: QPoint) -> None:
        strip, session = self._desk.strip, self._session
        key = strip.key_under(place)
        document = None
        if session is not None:
            document = next((one for one in session.documents if one is key), None)
        if document is not None:
            self._open(self._list_menu(document), strip, place)

    def _list_menu(self, document: "Document") -> QMenu:
        a, do = self._actions, self._photo_commands
        menu = QMenu(self._desk)
        board, has_photo = document.board, not document.is_typed
        is_solved = board is not None and board.solution is not None
        choices: tuple[tuple[str, Callable[[], object], bool] | None, ...] = (
            (translate("ContextMenus", "&Look at it"), partial(self._choose, document), True),
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
        for action in (
            a.reveal_cell, a.kind, a.rules, a.solution, None,
            a.help_panel, a.walk_panel, None,
            *more,
            a.copy_solution, a.copy_digits, a.copy_image, a.save_image, None,
            a.show_folder, a.remove,
        ):  # fmt: skip
            if action is None:
                menu.addSeparator()
            else:
                menu.addAction(action)
        return menu

    def _choose(self, document: "Document") -> None:
        self._commands.choose(document)

    def _open(self, menu: QMenu, part: QWidget, place: QPoint) -> None:
        if self.menu is not None:
            self.menu.deleteLater()
        inner = part.viewport() if isinstance(part, QAbstractScrollArea) else part
        self.menu = menu
        menu.popup(inner.mapToGlobal(place))
