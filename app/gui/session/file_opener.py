"""How photos and puzzles come into the window: the system's dialog, dropping, pasting, the sample,
and what was open before.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakSet

from PySide6.QtCore import (
    QCoreApplication,
    QLoggingCategory,
    QMimeData,
    QObject,
    QRectF,
    QSettings,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QGuiApplication, QImage, QImageReader, QPaintEvent, QPen
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from app.gui.session.background import Portions
from app.gui.theme import theme_of
from app.gui.widgets import make_file_dialog, painting
from app.gui.window.status_line import as_sentence

if TYPE_CHECKING:
    from app.board.history import HistoryEntry
    from app.gui.session.document import Document
    from app.gui.session.session import WindowSession
    from app.gui.window.main_window import Window
    from solver.formats_kinds import KindPuzzle

SUFFIXES: Final = (
    ".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".tif", ".tiff", ".bmp", ".gif", ".avif",
)  # fmt: skip
"""What the dialog offers; other files may be dropped, and are judged by their content."""

_PUZZLE_SUFFIXES: Final = (
    ".sdk", ".sdm", ".ss", ".opensudoku", ".xml", ".txt", ".json", ".csv",
)  # fmt: skip
"""Files that hold puzzles without a photo, as the dialog offers them."""

_HEAD_BYTES: Final = 256

_MOST_PUZZLES: Final = 12
"""Of a collection; more of them would bury what else is open."""

_MOST_RECENT: Final = 12
_RECENT_KEY: Final = "opened/recent"

_LONGEST_TEXT: Final = 100_000
"""A killer of 25×25 with its cages has some 5,000 characters, a collection of a thousand 82,000."""

_FEWEST_CELLS: Final = 16
"""That a text has which is meant as a puzzle."""

_CELLS: Final = re.compile(r"[\d\s._*xX?·|+=¦,;-]+")

translate = QCoreApplication.translate


def sample_path() -> Path:
    """Return the page that ships with the program; this project drew it itself."""
    return Path(__file__).parents[1] / "sample.jpg"


def quiet_qt() -> None:
    """Keep Qt from writing to the terminal which libraries it does without, and what files lack.

    What matters to people is told by the window itself.
    """
    QLoggingCategory.setFilterRules(
        "qt.multimedia.symbolsresolver=false\nqt.multimedia.ffmpeg.info=false\n"
        "qt.gui.imageio.*=false"
    )


def holds_photos(data: QMimeData) -> bool:
    """Tell whether something that is dragged or pasted may be opened."""
    return data.hasImage() or bool(files_in(data))


def files_in(data: QMimeData) -> list[Path]:
    """Return the files and folders that are dragged or pasted."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def _image_in(data: QMimeData) -> QImage | None:
    if not data.hasImage():
        return None
    image = data.imageData()
    return image if isinstance(image, QImage) and not image.isNull() else None


def recent_files(settings: QSettings) -> list[Path]:
    """Return the files that were opened lately, the last first, as far as they still exist."""
    stored = settings.value(_RECENT_KEY, [])
    # A single value comes back from a file as a string.
    names = stored if isinstance(stored, list) else [stored]
    return [path for name in names if name and (path := Path(str(name))).is_file()]


def unfold(path: Path) -> list[Path]:
    """Return the pictures in a folder, by name, if it may be read; of a file, itself."""
    try:
        inner = sorted(path.iterdir()) if path.is_dir() else None
    except OSError:
        return []
    return [path] if inner is None else [one for one in inner if one.suffix.lower() in SUFFIXES]


def _holds_text(path: Path) -> bool:
    """Tell whether a file that is not named as a picture is a text, and so can hold puzzles."""
    from app.terminal.named_files import find_encoding

    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        return False
    head = b""
    if path.is_file():
        with suppress(OSError), path.open("rb") as file:  # who reads it tells what is wrong
            head = file.read(_HEAD_BYTES)
    return find_encoding(head) is not None if head else suffix in _PUZZLE_SUFFIXES


class FileOpener(QObject):
    """Takes photos and puzzles, and has the window open them as soon as it can."""

    def __init__(self, window: "Window") -> None:
        """Make it for a window, whose menu of recent files it fills."""
        super().__init__(window)
        self._window, self._settings = window, window.settings
        self._recent = window.menus.recent
        self._unproved: WeakSet[Document] = WeakSet()
        self._portions = Portions(self)
        self.dialog: QDialog | None = None
        self.retranslate()

    def set_session(self, session: "WindowSession") -> None:
        """Follow what comes of the files that are opened."""
        session.changed.connect(self._remember)

    def begin(self, photos: Sequence[Path]) -> QImage | None:
        """Open photos and folders of photos, or the sample page on the very first start.

        Return the first of them as Qt reads it, or None; it is shown until the pipeline has it.
        """
        paths = list(photos)
        if not paths and not self._settings.value("opened/has_started", False, bool):
            paths = [sample_path()]
        self._settings.setValue("opened/has_started", True)
        files = self.open_files(paths)
        return read_picture(files[0]) if files else None

    def open_files(self, paths: Sequence[Path]) -> list[Path]:
        """Open photos, and those of folders; the first of them is looked at. Return the files."""
        files: list[Path] = []
        for path in paths:
            found = unfold(path)
            if not found:
                self._tell_empty(path)
            files += found
        sample = self.tr("Sample page")
        self._open_all([(path, sample if path == sample_path() else path.name) for path in files])
        return files

    def open_sample(self) -> None:
        """Open the page that ships with the program."""
        self.open_files([sample_path()])

    def resume_entry(self, entry: "HistoryEntry", name: str) -> None:
        """Open a puzzle of the history as it was left."""
        from app.board.board_state import begin_puzzle, cells_of
        from app.board.board_values import PlayClock

        session, revealed = self._window.opened, entry.revealed
        if revealed is None:
            # It was kept before that was noted; what had no photo may be there to be solved.
            is_shown = bool(entry.source) and session.is_revealing
            revealed = cells_of(entry.clues) if is_shown else frozenset()
        state = begin_puzzle(
            entry.clues,
            entry.entries,
            revealed=revealed,
            is_given=True,
            pencil=entry.pencil,
            rules=entry.rules,
        )
        clock = PlayClock(entry.seconds, has_begun=entry.seconds > 0)
        session.resume_puzzle(state, name, clocks={0: clock})

    def take(self, data: QMimeData) -> bool:
        """Open what was dropped or pasted; return False where there is nothing to open."""
        paths = files_in(data)
        if paths:
            self.open_files(paths)
            return True
        image = _image_in(data)
        if image is not None:
            self._open_all([(image, self.tr("Pasted picture"))])
            return True
        return self._take_text(data.text())

    def paste(self) -> None:
        """Open what is in the clipboard."""
        # Whatever its type says, there is none where nothing was ever copied.
        data: QMimeData | None = QGuiApplication.clipboard().mimeData()
        if data is None or not self.take(data):
            text = self.tr("There is no photo and no puzzle in the clipboard")
            self._window.presenter.say(text)

    def ask(self) -> None:
        """Let photos be chosen."""
        folder = str(self._settings.value("opened/folder", str(Path.home())))
        is_native = bool(self._settings.value("window/native_dialogs", True, bool))
        kinds = {
            translate("PhotoDialog", "Photos"): SUFFIXES,
            translate("PhotoDialog", "Puzzles"): _PUZZLE_SUFFIXES,
        }
        filters = [
            *(f"{name} ({' '.join(f'*{one}' for one in kind)})" for name, kind in kinds.items()),
            translate("PhotoDialog", "All files") + " (*)",
        ]
        title = translate("PhotoDialog", "Open photos")
        dialog = make_file_dialog(self._window, title, folder, filters, is_native=is_native)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(self._open_selected)
        self.dialog = dialog
        dialog.open()

    def retranslate(self) -> None:
        """Name what stands in the menu of recent files in the language of now."""
        self._show_recent(recent_files(self._settings))

    def _take_text(self, text: str) -> bool:
        if self._window.session is None or len(text) > _LONGEST_TEXT:
            return False
        from app.puzzles.puzzle_texts import read_texts
        from solver.grid import GridError

        try:
            self._open_puzzles(read_texts(text), self.tr("Pasted puzzle"))
        except GridError as error:
            fault = self._say_fault(text, error)
            if fault:
                self._window.presenter.say(*fault)
            return bool(fault)
        return True

    def _say_fault(self, text: str, error: Exception) -> tuple[str, str] | None:
        """Return what is wrong with a text that is meant as a puzzle, and what more is known."""
        from solver.charset import count_cells
        from solver.formats_links import is_link

        if is_link(text):
            return self.tr("This link cannot be opened"), as_sentence(str(error))
        if text.lstrip().startswith("{"):
            return self.tr("This text cannot be opened"), as_sentence(str(error))
        count = sum(map(count_cells, text.splitlines()))
        if count < _FEWEST_CELLS or not _CELLS.fullmatch(text):
            return None
        return (
            self.tr("{} cells were found; a puzzle of 9×9 has 81").format(count),
            self.tr("Write every cell, row by row, with a dot for an empty one."),
        )

    def _open_puzzles(
        self, puzzles: "Iterator[KindPuzzle]", name: str, *, is_chosen: bool = True
    ) -> bool:
        """Open the puzzles of a text or a file, the first ones of many; return False for none."""
        session, first = self._window.opened, list(itertools.islice(puzzles, _MOST_PUZZLES + 1))
        if not first:
            return False
        opened = [
            session.open_puzzle(
                one.clues, f"{name} {number}" if len(first) > 1 else name, rules=one.rules
            )
            for number, one in enumerate(first[:_MOST_PUZZLES], start=1)
        ]
        if is_chosen:
            session.choose(opened[0])
        if len(first) > len(opened):
            told = self.tr("{} holds more puzzles; the first {} are open.")
            self._window.central_view.notice.say(told.format(name, len(opened)))
        return True

    def _open_puzzle_file(self, path: Path, *, is_chosen: bool) -> bool:
        from app.puzzles.puzzle_texts import read_file
        from app.terminal.exit_codes import InputError

        try:
            has_puzzles = self._open_puzzles(read_file(path), path.name, is_chosen=is_chosen)
        except InputError as error:
            self._window.central_view.notice.say(as_sentence(str(error)))
            return False
        if has_puzzles:
            self._remember_file(path)
        else:
            told = self.tr("There is no puzzle in {}. Open a photo, or another file of puzzles.")
            self._window.central_view.notice.say(told.format(path.name))
        return has_puzzles

    def _tell_empty(self, folder: Path) -> None:
        told = self.tr("There is no photo in {}. Open another folder, or choose photos.")
        self._window.central_view.notice.say(told.format(folder.resolve().name or folder))

    def _open_selected(self, names: list[str]) -> None:
        paths = [Path(name) for name in names]
        if paths:
            self._settings.setValue("opened/folder", str(paths[0].parent))
        self.open_files(paths)

    def _open_all(self, named: "Sequence[tuple[Path | QImage, str]]") -> None:
        opened: list[str] = []  # what is looked at is the first that holds something

        def open_next(source: Path | QImage, name: str) -> None:
            if self._open(source, name, is_chosen=not opened):
                opened.append(name)

        steps = [partial(open_next, source, name) for source, name in named]
        if steps:
            self._window.when_open(partial(self._portions.add, steps))

    def _open(self, source: Path | QImage, name: str, *, is_chosen: bool) -> bool:
        """Open a photo, or the puzzles of a file; return False where it holds none."""
        if isinstance(source, Path) and _holds_text(source):
            return self._open_puzzle_file(source, is_chosen=is_chosen)
        document = self._window.opened.open(source, name, is_chosen=is_chosen)
        if document.path not in (None, sample_path()):
            self._unproved.add(document)
        return True

    def _remember(self, document: "Document") -> None:
        """Put a file among the recent ones once it turned out to be a picture."""
        if document.path is None or document.pixels is None or document not in self._unproved:
            return
        self._unproved.discard(document)
        self._remember_file(document.path)

    def _remember_file(self, path: Path) -> None:
        path = path.absolute()
        others = (old for old in recent_files(self._settings) if old != path)
        paths = [path, *others][:_MOST_RECENT]
        self._settings.setValue(_RECENT_KEY, [str(one) for one in paths])
        self._show_recent(paths)

    def _show_recent(self, paths: Sequence[Path]) -> None:
        self._recent.clear()
        for path in paths:
            action = self._recent.addAction(path.name.replace("&", "&&"))
            action.setToolTip(str(path))
            action.triggered.connect(lambda _=False, path=path: self.open_files([path]))
        self._recent.setEnabled(bool(paths))
        if paths:
            self._recent.addSeparator()
            self._recent.addAction(self.tr("&Forget these")).triggered.connect(self._forget)

    def _forget(self) -> None:
        self._settings.remove(_RECENT_KEY)
        self.retranslate()
        self._window.presenter.refresh()


def read_picture(path: Path, filling: QSize | None = None) -> QImage | None:
    """Return a picture as Qt reads it, upright, just `filling` a size; None where Qt cannot."""
    quiet_qt()
    reader = QImageReader(str(path))
    reader.setAutoTransform(True)
    if filling is not None and reader.size().isValid():
        expanding = Qt.AspectRatioMode.KeepAspectRatioByExpanding
        reader.setScaledSize(reader.size().scaled(filling, expanding))
    picture = reader.read()
    return None if picture.isNull() else picture


class DropHint(QWidget):
    """Lies over its parent, and lets everything through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_over(self) -> None:
        """Appear."""
        self.setGeometry(self.window().rect())
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a frame and a word."""
        theme = theme_of(self)
        with painting(self) as painter:
            veil = QColor(theme.window)
            veil.setAlpha(205)
            painter.fillRect(self.rect(), veil)
            frame = QRectF(self.rect()).adjusted(22, 22, -22, -22)
            painter.setPen(QPen(QColor(theme.accent), 3, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(frame, 18, 18)
            font = self.font()
            font.setPointSizeF(font.pointSizeF() * 1.8)
            font.setBold(True)
            painter.setFont(font)
            painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, self.tr("Drop to open"))
