"""What is done to what is looked at, and to any of the photos in the list; and asking before
something is lost.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from app.gui.board.cell_editor import CellEditor
from app.gui.photo.film_strip import FilmStrip

if TYPE_CHECKING:
    from app.gui.session.document import Document
    from app.gui.session.history_recorder import Keeping
    from app.gui.session.resuming import Resuming
    from app.gui.session.session import WindowSession
    from solver.rules import Rules


class Commands(QObject):
    """Does things in the session, once there is one.

    Signals:
        opened: a dialog.
    """

    opened = Signal(object)

    def __init__(self, window: QWidget, editor: CellEditor, strip: FilmStrip) -> None:
        super().__init__(window)
        self._window, self._editor, self._strip = window, editor, strip
        self._session: WindowSession | None = None
        self._veiled: list[tuple[Document, int]] = []

    def use(self, session: "WindowSession") -> None:
        """Work in this session."""
        self._session = session

    def type_puzzle(self) -> None:
        """Open an empty board, to type a puzzle into."""
        import numpy as np

        if self._session is not None:
            self._session.open_puzzle(np.zeros((9, 9), np.uint8), self.tr("Typed puzzle"))
            self._editor.begin()

    def make_puzzle(self) -> None:
        """Ask for a new puzzle."""
        from app.gui.window.new_puzzle_dialog import NewPuzzleDialog

        dialog = NewPuzzleDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.puzzle_made.connect(self._open_made)
        dialog.open()
        self.opened.emit(dialog)

    def choose(self, document: "Document") -> None:
        """Look at a document."""
        if self._session is not None:
            self._session.choose(document)

    def close(self) -> None:
        """Put away what is looked at."""
        if self._session is not None and self._session.current is not None:
            document = self._session.current
            # The history keeps how it is left, which the walk does not change.
            self.unveil(document)
            self.look_beside(document)
            self._session.close(document)

    def look_beside(self, document: "Document") -> None:
        """Look at the photo that is listed after one that goes, or at the one before the last."""
        if self._session is None or document is not self._session.current:
            return
        shown = self._strip.shown
        self._look_beyond(document, -1 if shown and shown[-1] is document else 1)

    def cancel(self) -> None:
        """Stop what is done for what is looked at."""
        if self._session is not None and self._session.current is not None:
            self._session.cancel(self._session.current)

    def search_again(self) -> None:
        """Find the boards of the photo anew."""
        if self._session is not None and self._session.current is not None:
            self._session.search(self._session.current)

    def next_photo(self) -> None:
        """Look at the photo after this one."""
        self._walk(1)

    def last_photo(self) -> None:
        """Look at the photo before this one."""
        self._walk(-1)

    def next_board(self) -> None:
        """Look at the next board of the photo."""
        self._walk_boards(1)

    def last_board(self) -> None:
        """Look at the board before this one."""
        self._walk_boards(-1)

    def answer(self, cell: int, digit: int) -> None:
        """Say what stands in a doubtful cell; 0 for nothing."""
        self._editor.select(cell)
        self._editor.set_digit(digit)

    def name_kind(self, kind: str) -> None:
        """Say of what kind the puzzle is that is looked at, which its picture does not show."""
        from app.board.board_edits import name_kind
        from solver.rules import Kind

        if self._session is not None:
            self._session.act(lambda state: name_kind(state, Kind(kind)))

    def undo(self) -> None:
        """Go back a step."""
        if self._session is not None:
            self._session.undo()

    def redo(self) -> None:
        """Take a step again."""
        if self._session is not None:
            self._session.redo()

    def show_solution(self, is_wanted: bool) -> None:
        """Reveal the whole solution, or keep it back."""
        from app.board.board_edits import hide, reveal_board

        if self._session is not None and self._session.current is not None:
            document = self._session.current
            number = document.state.chosen
            if number is None:
                return
            board = document, number
            self._veiled = [veiled for veiled in self._veiled if veiled != board]
            self._session.act(partial(reveal_board, number=number) if is_wanted else hide)

    def veil(self) -> None:
        """Keep the solution back until `unveil`, which is no step that could be undone."""
        from app.board.board_edits import hide

        document = None if self._session is None else self._session.current
        if self._session is None or document is None or document.state.chosen is None:
            return
        self._veiled.append((document, document.state.chosen))
        self._session.look(hide)

    def unveil(self, only: "Document | None" = None) -> None:
        """Show every solution again that was veiled, except where it was asked for meanwhile.

        Args:
            only: the document to do that in; in all of them where None.
        """
        from app.board.board_edits import reveal_board

        veiled = [one for one in self._veiled if only in (None, one[0])]
        self._veiled = [one for one in self._veiled if one not in veiled]
        if self._session is not None:
            for document, number in veiled:
                change = partial(reveal_board, number=number)
                self._session.look(change, document)

    def reveal_cell(self, cell: int) -> None:
        """Reveal the solution of a cell, or of the chosen one where it is negative."""
        wanted = self._editor.cell if cell < 0 else cell
        if wanted is not None:
            self._editor.reveal_cell(wanted)

    def _walk(self, step: int) -> None:
        if self._session is not None and self._session.current is not None:
            self._look_beyond(self._session.current, step)

    def _look_beyond(self, document: "Document", step: int) -> None:
        """Look at the photo that is listed so far below a document, where there is another."""
        found = self._strip.neighbour(document, step)
        for one in () if self._session is None else self._session.documents:
            if one is found:
                self.choose(one)
                break

    def _walk_boards(self, step: int) -> None:
        from app.board.board_edits import choose_board

        document = None if self._session is None else self._session.current
        if self._session is None or document is None or not document.state.boards:
            return
        chosen, count = document.state.chosen, len(document.state.boards)
        number = (step < 0) * (count - 1) if chosen is None else (chosen + step) % count
        self._editor.select(None)
        self._session.look(lambda state: choose_board(state, number))

    def _open_made(self, made: object) -> None:
        from solver.formats_kinds import KindPuzzle
        from solver.rules import box_rules

        if isinstance(made, KindPuzzle):
            rules = None if made.rules == box_rules(9) else made.rules
            self.open_given(made.clues, self.tr("New puzzle"), rules)

    def open_given(self, clues: object, name: str, rules: "Rules | None" = None) -> None:
        """Open a puzzle that is there to be solved by hand: (n, n) uint8, and rules of its own."""
        import numpy as np

        if self._session is not None:
            puzzle = np.asarray(clues, np.uint8)
            self._session.open_puzzle(puzzle, name, is_revealed=False, is_given=True, rules=rules)

    def open_practice(self, found: object, name: str) -> None:
        """Open a position to practise on."""
        from app.board.board_edits import note_centres
        from app.help.technique_practice import Practice

        if isinstance(found, Practice):
            self.open_given(found.grid, name, found.rules)
            if self._session is not None and any(found.notes):
                self._session.look(lambda state: note_centres(state, found.notes))


class PhotoCommands(QObject):
    """Does things to a document that need not be looked at; to that one where none is named.

    Signals:
        said: what was done.
        removed: the same of what undo takes back.
    """

    said = Signal(str)
    removed = Signal(str)

    def __init__(self, commands: "Commands") -> None:
        super().__init__(commands)
        self._commands = commands
        self._session: WindowSession | None = None

    def use(self, session: "WindowSession") -> None:
        """Work in this session."""
        self._session = session

    def turn(self, quarter_turns: int, document: "Document | None" = None) -> None:
        """Turn a photo clockwise."""
        document = document or self._current
        if self._session is not None and document is not None:
            self._session.turn(document, quarter_turns)

    def remove(self, document: "Document | None" = None) -> None:
        """Take a photo off the list, until undo brings it back; its file stays where it is."""
        session, document = self._session, document or self._current
        if session is None or document not in session.documents:
            return
        # The history keeps how it is left, which the walk does not change.
        self._commands.unveil(document)
        self._commands.look_beside(document)
        session.remove(document)
        is_file = document.path is not None
        text = self.tr("“{}” is off the list. Its file stays.")
        self.removed.emit(
            (text if is_file else self.tr("“{}” is off the list.")).format(document.name)
        )

    def show_folder(self, document: "Document | None" = None) -> None:
        """Open the folder of a photo's file in the system's own program for files."""
        document = document or self._current
        if document is not None and document.path is not None:
            folder = document.path.absolute().parent
            if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
                self.said.emit(self.tr("The photo lies in {}.").format(folder))

    def copy_solution(self, document: "Document | None" = None) -> None:
        """Put the solution of the board that is looked at on the clipboard."""
        from app.puzzles.puzzle_texts import write_solution

        document = document or self._current
        board = None if document is None else document.board
        if board is not None and board.solution is not None:
            QGuiApplication.clipboard().setText(write_solution(board.solution, board.rules))
            self.said.emit(self.tr("The solution is copied."))

    @property
    def _current(self) -> "Document | None":
        return None if self._session is None else self._session.current


class Closing(QObject):
    """Closes documents and lets the window close, once nothing is lost or a person agreed.

    Signals:
        opened: a dialog.
    """

    opened = Signal(object)

    def __init__(
        self, window: QWidget, commands: "Commands", keeping: "Keeping", resuming: "Resuming"
    ) -> None:
        super().__init__(window)
        self._window, self._commands = window, commands
        self._keeping, self._resuming = keeping, resuming
        self._session: WindowSession | None = None

    def use(self, session: "WindowSession") -> None:
        """Close what is open in this session."""
        self._session = session

    def close_document(self) -> None:
        """Put away what is looked at; ask first where that loses something."""
        document = None if self._session is None else self._session.current
        if document is None:
            return
        lost = self._describe_loss(document)
        if not lost:
            self._commands.close()
            return
        session = self._session

        def close() -> None:
            if session is not None and document in session.documents:
                self._commands.unveil(document)
                self._commands.look_beside(document)
                session.close(document)

        headline = self.tr("Close “{}”?").format(document.name)
        self._ask(headline, lost, self.tr("Close it"), self.tr("Keep it open"), close)

    def may_quit(self) -> bool:
        """Keep the session; return False where that failed, and a person is asked what to do."""
        self._commands.unveil()
        fault = self._resuming.finish()
        if fault is None:
            return True
        if not self._would_lose():
            self._resuming.abandon()
            return True

        def quit_all_the_same() -> None:
            self._resuming.abandon()
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

    def _would_lose(self) -> bool:
        documents = () if self._session is None else self._session.documents
        return any(self._describe_loss(document) for document in documents)

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
        if not all(self._keeping.holds(held) for held in touched):
            return self.tr("What you typed there is not in the history yet, and would be lost.")
        return ""

    def _ask(self, headline: str, text: str, yes: str, no: str, do: Callable[[], None]) -> None:
        box = QMessageBox(self._window)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(headline)
        box.setInformativeText(text)
        agree = box.addButton(yes, QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        agree.clicked.connect(do)
        box.open()
        self.opened.emit(box)
