"""The menu that hands a puzzle on: to the clipboard, to files of every format, and to paper."""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QFileInfo, QStandardPaths, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox, QWidget

from app.gui.board.printing import AnswerPlace, PrintedPage, draw_pdf, open_print_preview
from app.gui.session.document import to_qimage
from app.gui.widgets import follows_changes, make_file_dialog
from app.puzzles.puzzle_texts import (
    SUFFIXES,
    Content,
    suggest_name,
    write_puzzle,
    write_text,
)
from app.recognition.outcome import Outcome
from app.recognition.results import PhotoResult
from app.report.report_pictures import draw_solutions, save_picture, save_whole
from solver.charset import DIGIT_CHARS
from solver.formats import KIND_FORMATS, Format
from solver.formats_kinds import KindPuzzle, format_cells
from solver.grid import Grid
from solver.rules import CLASSIC_RULES, Kind, Rules
from vision.geometry import Image8

if TYPE_CHECKING:
    from app.gui.session.document import Document

MakePicture = Callable[[], Image8 | None]
"""Draws the solved photo, (H, W, 3) BGR uint8, when it is asked for; None where there is none."""

_FILES: Final = (Format.LINE, Format.SDM, Format.SDK, Format.SS, Format.OPENSUDOKU)
_LINKS: Final = (Format.F_PUZZLES, Format.SUDOKU_PAD, Format.SUDOKU_WIKI)

Save = Callable[[Path], str | None]
"""Writes a file; returns what kept it from that."""


@dataclass(frozen=True, eq=False)
class Shared:
    """What can be handed on.

    Attributes:
        clues: (n, n) uint8, as the solution, which is verified; None where there is nothing.
        source: name of the photo or file, after which files are named.
        make_picture: draws the solved photo; None where there is no photo.
    """

    clues: Grid | None = None
    solution: Grid | None = None
    source: str = ""
    make_picture: MakePicture | None = None
    rules: Rules = CLASSIC_RULES
    symbols: Sequence[str] = DIGIT_CHARS

    @property
    def puzzle(self) -> KindPuzzle | None:
        """The clues with their rules."""
        return None if self.clues is None else KindPuzzle(self.rules, self.clues)

    @property
    def is_classic(self) -> bool:
        """Whether there is a puzzle of 9×9 by the usual rules."""
        return self.clues is not None and self.rules == CLASSIC_RULES

    @property
    def formats(self) -> Set[Format]:
        """In which it can be written: links hold a single grid."""
        if self.clues is None:
            return frozenset()
        if self.rules == CLASSIC_RULES:
            return frozenset(Format)
        is_samurai = self.rules.kind is Kind.SAMURAI
        return KIND_FORMATS.difference(_LINKS) if is_samurai else KIND_FORMATS


def _what_is_shared(document: "Document | None") -> Shared:
    held = None if document is None else document.board
    if document is None or held is None or held.pending is not None or not held.has_puzzle:
        return Shared()
    image = document.image

    def draw() -> Image8 | None:
        if image is None:
            return None
        # All boards as they are now, corrected or not; only what is verified is drawn.
        boards = tuple(one.board for one in document.state.boards if one.solution is not None)
        return draw_solutions(image, PhotoResult(Outcome.SOLVED, boards, (), {}))

    return Shared(
        clues=held.board.clues,
        solution=held.solution,
        source=document.name,
        make_picture=None if image is None else draw,
        rules=held.board.rules,
        symbols=held.symbols,
    )


@follows_changes
class ShareMenu(QMenu):
    """Copy, save, print: what of the present puzzle can be had elsewhere.

    Signals:
        said: what was done, such as "Copied.", or why it was not, and what to do.
    """

    said = Signal(str)

    def __init__(self, parent: QWidget | None = None, *, uses_native_dialogs: bool = True) -> None:
        super().__init__(parent)
        self._shared = Shared()
        self._uses_native = uses_native_dialogs
        location = QStandardPaths.StandardLocation.DocumentsLocation
        self._folder = Path(QStandardPaths.writableLocation(location) or ".")
        """Where dialogs begin: among the user's documents, or where was saved last."""
        self.aboutToShow.connect(self._retranslate)
        self._retranslate()

    def set_shared(self, shared: Shared) -> None:
        """Say what is handed on, and offered as soon as the menu is opened."""
        self._shared = shared

    def show_document(self, document: "Document | None") -> None:
        """Hand on the board of this document that is looked at, or nothing."""
        self.set_shared(_what_is_shared(document))

    def copy_picture(self) -> None:
        """Put the solved photo on the clipboard."""
        picture = self._make_picture()
        if picture is not None:
            QGuiApplication.clipboard().setImage(to_qimage(picture))
            self.said.emit(self.tr("The picture is copied."))

    def copy_puzzle(self) -> None:
        """Put the clues on the clipboard: their cells, or JSON with rules of their own."""
        if self._shared.puzzle is not None:
            self._copy(write_text(self._shared.puzzle), self.tr("The puzzle is copied."))

    def copy_solution(self) -> None:
        """Put the solution on the clipboard, a character a cell."""
        if self._shared.solution is not None:
            text = format_cells(self._shared.rules, self._shared.solution)
            self._copy(text, self.tr("The solution is copied."))

    def copy_link(self, form: Format) -> None:
        """Put the link that opens the puzzle on a site on the clipboard."""
        if self._shared.puzzle is not None:
            self._copy(write_puzzle(self._shared.puzzle, form), self.tr("The link is copied."))

    def _copy(self, text: str, told: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.said.emit(told)

    def save_solved_picture(self) -> None:
        """Ask for a name, and save the solved photo."""
        image = self._make_picture()
        if image is None:
            return
        self._ask(
            self.tr("Save the solved picture"),
            suggest_name(self._shared.source, Content.PICTURE, ".jpg"),
            [self.tr("JPEG (*.jpg *.jpeg)"), self.tr("PNG (*.png)"), self.tr("WebP (*.webp)")],
            lambda path: save_picture(path, image),
        )

    def save_puzzle(self, form: Format) -> None:
        """Ask for a name, and save the clues in a format."""
        if self._shared.puzzle is None:
            return
        text = write_puzzle(self._shared.puzzle, form, Path(self._shared.source).stem)
        self._ask(
            self.tr("Save the puzzle"),
            suggest_name(self._shared.source, Content.PUZZLE, SUFFIXES[form]),
            [f"{self._name(form)} (*{SUFFIXES[form]})"],
            lambda path: save_whole(path, text),
        )

    def print_puzzle(self) -> None:
        """Open the preview of the puzzle without its solution."""
        self.print_page(AnswerPlace.NOWHERE)

    def print_page(self, answer: AnswerPlace | None) -> None:
        """Open the preview of what is printed; None prints the solved photo."""
        page = self._make_page(answer)
        if page is not None:
            open_print_preview(page, self.parentWidget())

    def save_page(self, answer: AnswerPlace | None) -> None:
        """Ask for a name, and save what would be printed as PDF; None saves the solved photo."""
        page = self._make_page(answer)
        if page is None:
            return
        contents = {AnswerPlace.FILLED_IN: Content.SOLUTION, None: Content.PICTURE}
        self._ask(
            self.tr("Save as PDF"),
            suggest_name(self._shared.source, contents.get(answer, Content.PUZZLE), ".pdf"),
            [self.tr("PDF (*.pdf)")],
            lambda path: save_whole(path, draw_pdf(page)),
        )

    # --- what the menu is made of

    def _retranslate(self) -> None:
        """Offer all there is, in the language of now; what is missing cannot be chosen."""
        for menu in self.findChildren(QMenu):
            menu.deleteLater()
        self.clear()
        shared, offer = self._shared, self._offer
        has_puzzle, has_solution = shared.clues is not None, shared.solution is not None
        has_picture = shared.make_picture is not None and has_solution
        puzzle, solution = self.tr("Copy the p&uzzle"), self.tr("Copy the &solution")
        if shared.is_classic or not has_puzzle:
            puzzle = self.tr("Copy the p&uzzle (81 characters)")
            solution = self.tr("Copy the &solution (81 characters)")
        offer(self, self.tr("Copy the &picture"), self.copy_picture, has_picture)
        offer(self, puzzle, self.copy_puzzle, has_puzzle)
        offer(self, solution, self.copy_solution, has_solution)
        self._offer_forms(self.tr("Copy a &link"), _LINKS, self.copy_link)
        self.addSeparator()
        save = self.tr("Sa&ve the solved picture…")
        offer(self, save, self.save_solved_picture, has_picture)
        self._offer_forms(self.tr("Save the puzzle &as"), _FILES, self.save_puzzle)
        self.addSeparator()
        is_answered = has_puzzle and has_solution
        for title, act in (
            (self.tr("P&rint"), self.print_page),
            (self.tr("Save as P&DF"), self.save_page),
        ):
            menu = self.addMenu(title)
            menu.setEnabled(has_puzzle or has_picture)
            for text, answer, can_be in (
                (self.tr("The &puzzle…"), AnswerPlace.NOWHERE, has_puzzle),
                (
                    self.tr("The puzzle, with a &small solution below…"),
                    AnswerPlace.BELOW,
                    is_answered,
                ),
                (self.tr("The s&olution…"), AnswerPlace.FILLED_IN, is_answered),
                (self.tr("The solved p&hoto…"), None, has_picture),
            ):
                offer(menu, text, partial(act, answer), can_be)

    def _offer(self, menu: QMenu, text: str, act: Callable[[], None], can_be: bool) -> None:
        action = menu.addAction(text)
        action.triggered.connect(lambda: act())
        action.setEnabled(can_be)

    def _offer_forms(
        self, title: str, forms: Sequence[Format], act: Callable[[Format], None]
    ) -> None:
        menu = self.addMenu(title)
        possible = self._shared.formats
        menu.setEnabled(not possible.isdisjoint(forms))
        for form in forms:
            self._offer(menu, self._name(form), partial(act, form), form in possible)

    def _name(self, form: Format) -> str:
        return {
            Format.LINE: self.tr("Line of text"),
            Format.SDM: self.tr("Collection"),
            Format.SDK: self.tr("SadMan Sudoku"),
            Format.SS: self.tr("Simple Sudoku"),
            Format.OPENSUDOKU: self.tr("OpenSudoku"),
            Format.F_PUZZLES: self.tr("f-puzzles"),
            Format.SUDOKU_PAD: "SudokuPad",
            Format.SUDOKU_WIKI: self.tr("SudokuWiki"),
        }[form]

    # --- what it does

    def _make_picture(self) -> Image8 | None:
        make = self._shared.make_picture
        if make is None or self._shared.solution is None:
            return None
        return make()

    def _make_page(self, answer: AnswerPlace | None) -> PrintedPage | None:
        shared = self._shared
        title = Path(shared.source).stem
        if answer is None:
            picture = self._make_picture()
            return None if picture is None else PrintedPage(title, picture=to_qimage(picture))
        if shared.clues is None:
            return None
        page = PrintedPage(title, shared.clues, shared.solution, answer)
        return replace(page, rules=shared.rules, symbols=shared.symbols)

    # --- how it saves, in dialogs that block nothing

    def _ask(self, title: str, name: str, filters: Sequence[str], save: Save) -> None:
        """Open a dialog, and save when a name was chosen."""
        dialog = make_file_dialog(
            self.parentWidget(), title, str(self._folder), filters, is_native=self._uses_native
        )
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        if not self._uses_native:
            # It asks before it replaces a file, by the name with its ending. Of the dialogs of
            # systems some have asked by then, by the name without.
            dialog.setDefaultSuffix(_ending_of(filters[0]).removeprefix("."))
            dialog.filterSelected.connect(
                lambda chosen: dialog.setDefaultSuffix(_ending_of(chosen).removeprefix("."))
            )
        dialog.selectFile(name)
        dialog.fileSelected.connect(
            lambda chosen: self._take(Path(chosen), _ending_of(dialog.selectedNameFilter()), save)
        )
        dialog.open()

    def _take(self, path: Path, ending: str, save: Save) -> None:
        """Save under a name that was chosen, with an ending if it has none: a date ends in one."""
        if path.suffix[1:].isalpha():
            self._save(path, save)
            return
        whole = path.with_name(path.name + ending)
        if not QFileInfo.exists(str(whole)):  # of a name that is too long, saving tells
            self._save(whole, save)
            return
        yes, no = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No
        text = self.tr("{0} is there already. Replace it?").format(whole.name)
        box = QMessageBox(QMessageBox.Icon.Question, "", text, yes | no, self.parentWidget())
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setDefaultButton(no)
        box.finished.connect(lambda answer: self._save(whole, save) if answer == yes else None)
        box.open()

    def _save(self, path: Path, save: Save) -> None:
        fault = save(path)
        if fault is None:
            self._folder = path.parent
            told = self.tr("Saved as {0}.")
        else:
            told = self.tr("{0} was not saved: {1}. Choose another name or place.")
        self.said.emit(told.format(path.name, fault))


def _ending_of(name_filter: str) -> str:
    """Return the first ending that a filter of a dialog names, such as `.jpg`."""
    return "." + name_filter.partition("*.")[2].rstrip(")").split()[0]
