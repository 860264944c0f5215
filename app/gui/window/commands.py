"""What is done to what is looked at, and to any of the photos in the list; asking before something
is lost; and the menus behind a right click.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QMessageBox, QWidget

from app.gui.window.menus import put_actions

if TYPE_CHECKING:
    from app.gui.session.document import Document
    from app.gui.session.session import WindowSession
    from app.gui.window.main_window import Window
    from solver.formats_kinds import KindPuzzle


class Commands(QObject):
    """Does what actions ask for, which are off until there is a session.

    What is done to a document is done to the one that is looked at where none is named.
    """

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window = window
        self._hidden: list[tuple[Document, int]] = []

    @property
    def _session(self) -> "WindowSession":
        return self._window.opened

    @property
    def _current(self) -> "Document | None":
        return self._window.document

    # --- opening, choosing, closing

    def type_puzzle(self) -> None:
        """Open an empty board, to type a puzzle into."""
        import numpy as np

        self._session.open_puzzle(np.zeros((9, 9), np.uint8), self.tr("Typed puzzle"))
        self._window.editor.begin()

    def make_puzzle(self) -> None:
        """Ask for a new puzzle."""
        from app.gui.window.new_puzzle_dialog import NewPuzzleDialog

        dialog = NewPuzzleDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.puzzle_made.connect(self._open_made)
        dialog.open()
        self._window.notice = dialog

    def _open_made(self, made: object) -> None:
        from solver.formats_kinds import KindPuzzle

        if isinstance(made, KindPuzzle):
            self.open_given(made, self.tr("New puzzle"))

    def open_given(self, puzzle: "KindPuzzle", name: str) -> None:
        """Open a puzzle that is there to be solved by hand."""
        self._session.open_puzzle(
            puzzle.clues, name, is_revealed=False, is_given=True, rules=puzzle.rules
        )

    def open_practice(self, found: object, name: str) -> None:
        """Open a position to practise on."""
        from app.board.board_edits import note_centres
        from app.help.technique_lessons import Practice

        if isinstance(found, Practice):
            self.open_given(found.puzzle, name)
            if any(found.notes):
                self._session.look(lambda state: note_centres(state, found.notes))

    def walk(self, step: int) -> None:
        """Look at the photo that is listed so far below this one, where there is one."""
        if self._current is not None:
            self._look_beyond(self._current, step)

    def walk_boards(self, step: int) -> None:
        """Look at the board of the photo that comes so far after this one."""
        from app.board.board_edits import choose_board

        document = self._current
        if document is None or not document.state.boards:
            return
        chosen, count = document.state.chosen, len(document.state.boards)
        number = (step < 0) * (count - 1) if chosen is None else (chosen + step) % count
        self._window.editor.select(None)
        self._session.look(lambda state: choose_board(state, number))

    def remove(self, document: "Document | None" = None) -> None:
        """Take a photo off the list, until undo brings it back; its file stays where it is."""
        document = document or self._current
        if document is None or document not in self._session.documents:
            return
        self._leave(document)
        self._session.remove(document)
        is_file = document.path is not None
        text = self.tr("“{}” is off the list. Its file stays.")
        self._window.presenter.offer_undo(
            (text if is_file else self.tr("“{}” is off the list.")).format(document.name)
        )

    def close_document(self) -> None:
        """Put away what is looked at; ask first where that loses something."""
        document = self._current
        if document is None:
            return

        def close() -> None:
            if document in self._session.documents:
                self._leave(document)
                self._session.close(document)

        lost = self._describe_loss(document)
        if lost:
            headline = self.tr("Close “{}”?").format(document.name)
            self._ask(headline, lost, self.tr("Close it"), self.tr("Keep it open"), close)
        else:
            close()

    def may_quit(self) -> bool:
        """Keep the session; return False where that failed, and a person is asked what to do."""
        self.reveal_solution()
        self._window.placement.end()
        resuming, session = self._window.resuming, self._window.session
        fault = resuming.finish()
        if fault is None:
            return True
        if not any(map(self._describe_loss, () if session is None else session.documents)):
            resuming.abandon()
            return True

        def quit_all_the_same() -> None:
            resuming.abandon()
            self._window.close()

        self._ask(
            self.tr("Quit all the same?"),
            self.tr(
                "What is open cannot be kept for the next start: {}. Save what you need first."
            ).format(fault),
            self.tr("Quit"),
            self.tr("Do not quit"),
            quit_all_the_same,
        )
        return False

    def _leave(self, document: "Document") -> None:
        """Look at another photo than one that goes: the next one in the list, or the one before."""
        # The history keeps how it is left, which the walk does not change.
        self.reveal_solution(document)
        if document is self._current:
            shown = self._window.strip.shown
            self._look_beyond(document, -1 if shown and shown[-1] is document else 1)

    def _look_beyond(self, document: "Document", step: int) -> None:
        found = self._window.strip.neighbour(document, step)
        if found is not None:
            self._session.choose(found)

    def _describe_loss(self, document: "Document") -> str:
        """Say what is nowhere else than in an open document; nothing where nothing is."""
        from app.board.board_state import take_notes

        if document.path is None and not document.is_typed:
            return self.tr("The picture is in no file, and would be lost.")
        touched = (
            held
            for held in document.state.boards
            if held.by_hand
            or held.is_kind_named
            or held.pencil != take_notes(held.board)
            or (held.is_typed and held.digits.any())
        )
        if not all(self._window.history_recorder.holds(held) for held in touched):
            return self.tr("What you typed there is not in the history yet, and would be lost.")
        return ""

    def _ask(self, headline: str, text: str, yes: str, no: str, do: Callable[[], None]) -> None:
        box = QMessageBox(self._window, informativeText=text)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Question)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(headline)
        agree = box.addButton(yes, QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        agree.clicked.connect(do)
        box.open()
        self._window.notice = box

    # --- the photo

    def cancel(self) -> None:
        """Stop what is done for what is looked at."""
        if self._current is not None:
            self._session.cancel(self._current)

    def search_again(self) -> None:
        """Find the boards of the photo anew."""
        if self._current is not None:
            self._session.search(self._current)
            self._window.presenter.refresh()

    def turn(self, quarter_turns: int, document: "Document | None" = None) -> None:
        """Turn a photo clockwise."""
        document = document or self._current
        if document is not None:
            if document is self._current:
                self._window.placement.end()  # the corners are those of the photo as it lay
            self._session.turn(document, quarter_turns)

    def show_folder(self, document: "Document | None" = None) -> None:
        """Open the folder of a photo's file in the system's own program for files."""
        document = document or self._current
        if document is not None and document.path is not None:
            folder = document.path.absolute().parent
            if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
                self._window.presenter.say(self.tr("The photo lies in {}.").format(folder))

    def copy_solution(self, document: "Document | None" = None) -> None:
        """Put the solution of the board that is looked at on the clipboard."""
        from solver.formats_kinds import format_cells

        document = document or self._current
        board = None if document is None else document.board
        if board is not None and board.solution is not None:
            QGuiApplication.clipboard().setText(format_cells(board.board.rules, board.solution))
            self._window.presenter.say(self.tr("The solution is copied."))

    # --- the board

    def answer(self, cell: int, digit: int) -> None:
        """Say what stands in a doubtful cell; 0 for nothing."""
        self._window.editor.select(cell)
        self._window.editor.set_digit(digit)

    def name_kind(self, kind: str) -> None:
        """Say of what kind the puzzle is that is looked at, which its picture does not show."""
        from app.board.board_edits import name_kind
        from solver.rules import Kind

        self._session.act(lambda state: name_kind(state, Kind(kind)))

    def show_solution(self, is_wanted: bool) -> None:
        """Reveal the whole solution, or keep it back."""
        from app.board.board_edits import hide, reveal_board

        document = self._current
        if document is None or document.state.chosen is None:
            return
        number = document.state.chosen
        self._hidden = [hidden for hidden in self._hidden if hidden != (document, number)]
        self._session.act(partial(reveal_board, number=number) if is_wanted else hide)

    def hide_solution(self) -> None:
        """Keep the solution back until `reveal_solution`, which is no step that could be undone."""
        from app.board.board_edits import hide

        document = self._current
        if document is not None and document.state.chosen is not None:
            self._hidden.append((document, document.state.chosen))
            self._session.look(hide)

    def reveal_solution(self, only: "Document | None" = None) -> None:
        """Show again each solution that was hidden and not asked for meanwhile."""
        from app.board.board_edits import reveal_board

        hidden = [one for one in self._hidden if only in (None, one[0])]
        self._hidden = [one for one in self._hidden if one not in hidden]
        for document, number in hidden:
            self._session.look(partial(reveal_board, number=number), document)


class ContextMenus(QObject):
    """Opens menus where the pointer is, or at what has the keys."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window, self._central_view = window, window.central_view
        self._actions, self._editor = window.actions_of_window, window.editor
        self.menu: QMenu | None = None
        for part, ask in (
            (self._central_view.strip, self._ask_list),
            (self._central_view.photo, self._ask_photo),
            (self._central_view.clean, self._ask_board),
        ):
            part.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            part.customContextMenuRequested.connect(ask)

    def _ask_list(self, place: QPoint) -> None:
        strip = self._central_view.strip
        document: Document | None = strip.key_under(place)
        if document is not None:
            self._open(self._list_menu(document), strip, place)

    def _list_menu(self, document: "Document") -> QMenu:
        a, do = self._actions, self._window.commands
        menu = QMenu(self._central_view)
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
        photo, a = self._central_view.photo, self._actions
        if photo.picture is None or photo.is_placing:
            return
        found = photo.cell_under(place)
        if found is not None:
            self._editor.point_at(*found)
        picture = (a.turn_left, a.turn_right, a.fit, a.board_near, None)
        self._open(self._board_menu((*picture, a.place, a.search_again, None)), photo, place)

    def _ask_board(self, place: QPoint) -> None:
        clean = self._central_view.clean
        self._editor.select(clean.cell_under(place))
        self._open(self._board_menu(()), clean, place)

    def _board_menu(self, more: tuple[QAction | None, ...]) -> QMenu:
        a, menu = self._actions, QMenu(self._central_view)
        put_actions(menu, a.reveal_cell, a.kind, a.rules, a.solution, None)
        put_actions(menu, a.help_panel, a.walk_panel, None, *more)
        put_actions(menu, a.copy_solution, a.copy_digits, a.copy_image, a.save_image, None)
        put_actions(menu, a.show_folder, a.remove)
        return menu

    def _open(self, menu: QMenu, part: QWidget, place: QPoint) -> None:
        if self.menu is not None:
            self.menu.deleteLater()
        inner = part.viewport() if isinstance(part, QAbstractScrollArea) else part
        self.menu = menu
        menu.popup(inner.mapToGlobal(place))
