"""What was open comes back at the next start: photos, typed puzzles, and what was written."""

import logging
import secrets
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal
from PySide6.QtGui import QImage

from app.board.saved_session import (
    FILE_NAME,
    SavedBoard,
    SavedDocument,
    SavedSession,
    load_session,
    save_session,
)
from app.gui.session.background import Portions
from app.gui.session.file_opener import sample_path
from vision.media.whole_files import open_whole

if TYPE_CHECKING:
    from app.board.board_state import PhotoState
    from app.board.timeline import Steps
    from app.gui.session.document import Document
    from app.gui.session.history_recorder import HistoryRecorder
    from app.gui.session.session import WindowSession

logger = logging.getLogger(__name__)

_PAUSE_MS: Final = 300
"""After a change before it is written: what a crash may cost."""

_MOST_WINDOWS: Final = 9
_SAMPLE: Final = ":sample"
"""Stands for the path of the sample page, which moves with the program."""


class Resuming(QObject):
    """Keeps a session on the disk while it changes, and opens it again at the next start.

    Each window that is open has a folder of its own, numbered from 1 and locked. A window takes up
    what is in every folder that no other one holds.

    Signals:
        failed: nothing can be written any more, such as on a full disk; told once, until it can.
    """

    failed = Signal()

    def __init__(self, parent: QObject, folder: Path, recorder: "HistoryRecorder") -> None:
        """Keep sessions in a folder; it is made when a window begins."""
        super().__init__(parent)
        self._root, self._recorder = folder, recorder
        self._folder: Path | None = None
        self._locks: list[QLockFile] = []
        self._others: list[Path] = []
        self._waiting: list[tuple[Path, SavedDocument]] = []
        self._portions = Portions(self)
        self._current: int | None = None
        self._is_asked_for = False
        self._session: WindowSession | None = None
        self._copies: dict[Document, str] = {}
        self._boards: WeakKeyDictionary[Document, tuple[PhotoState, tuple[SavedBoard, ...]]]
        self._steps: WeakKeyDictionary[Document, Steps]
        self._boards, self._steps = WeakKeyDictionary(), WeakKeyDictionary()
        self._written: SavedSession | None = None
        self._writing: Future[str | None] | None = None
        self._writer = ThreadPoolExecutor(1)  # which begins with what is first written
        self._copying: dict[str, Future[None]] = {}
        self._fault = ""
        self._timer = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._timer.timeout.connect(self._save)

    @property
    def is_waiting(self) -> bool:
        """Whether something will be opened once the networks are loaded."""
        return bool(self._waiting)

    def begin(self, photos: Sequence[Path]) -> tuple[list[Path], Path | None]:
        """Read what was open, where `photos` are to be opened now.

        Returns:
            Those of the photos that were not open, and the file that will be looked at, None where
            that is one of them, or no file.
        """
        self._take_folders()
        known = {document.path: number for number, (_, document) in enumerate(self._waiting)}
        new = [photo for photo in photos if str(photo.absolute()) not in known]
        if photos:
            self._current = known.get(str(photos[0].absolute()))
            self._is_asked_for = self._current is not None
        if self._current is None:
            return new, None
        folder, document = self._waiting[self._current]
        return new, _file_of(document, folder) if document.path else None

    def give_up(self) -> None:
        """Forget what waits; it stays on the disk."""
        self._waiting = []

    def set_session(self, session: "WindowSession") -> None:
        """Open what waits in this session, and follow it from now on.

        What a person opened meanwhile, or asked for at the start, stays what is looked at.
        """
        self._session = session
        waiting, self._waiting = self._waiting, []
        current = self._current if self._is_asked_for or session.current is None else None
        self._portions.add(
            partial(self._resume, session, folder, saved, is_chosen=number == current)
            for number, (folder, saved) in enumerate(waiting)
        )
        for signal in (session.added, session.removed, session.current_changed):
            signal.connect(self._note)
        session.changed.connect(self._follow)

    def finish(self) -> str | None:
        """Write the session as it is, and stop; return why that failed, in the system's words.

        Nothing is written, and nothing is said, where no session has begun.
        """
        self._timer.stop()
        self._portions.finish()
        if self._session is None:
            self._release()
            return None
        if self._folder is None:
            return self._fault or "the folder cannot be written to"
        failed = self._failed_copies().keys()
        # There may be room by now.
        self._copies = {one: name for one, name in self._copies.items() if name not in failed}
        self._copying = {}
        fault = self._start(self._collect(), self._folder).result()
        faults = [*filter(None, [fault]), *map(str, self._failed_copies().values())]
        if faults:
            return faults[0]
        self.abandon()
        return None

    def _failed_copies(self) -> dict[str, BaseException]:
        """Wait for the copies of pictures, and return what kept some from being written."""
        errors = {name: copying.exception() for name, copying in self._copying.items()}
        return {name: error for name, error in errors.items() if error is not None}

    def abandon(self) -> None:
        """Stop, and write no more."""
        self._session = None
        self._release()

    # --- reading

    def _take_folders(self) -> None:
        """Lock every folder that no other window holds, and read what is in it."""
        for number in range(1, _MOST_WINDOWS + 1):
            folder = self._root / str(number)
            if self._folder is not None and not (folder / FILE_NAME).exists():
                continue
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                self._fault = error.strerror or str(error)
                return
            lock = QLockFile(str(folder / "lock"))
            lock.setStaleLockTime(0)  # held as long as its process lives
            if not lock.tryLock(0):
                continue
            self._locks.append(lock)
            saved = load_session(folder)
            if self._folder is None:
                self._folder = folder
                self._current = saved.current
            else:
                self._others.append(folder)
            self._waiting += [(folder, document) for document in saved.documents]

    def _resume(
        self, session: "WindowSession", folder: Path, saved: SavedDocument, *, is_chosen: bool
    ) -> None:
        from app.board.board_forms import resume_clocks, resume_saved_puzzle

        self._recorder.know(board for board in saved.boards if board.is_solved)
        if not saved.path:
            state = resume_saved_puzzle(saved)
            clocks = resume_clocks(saved)
            session.resume_puzzle(
                state, saved.name, is_chosen=is_chosen, clocks=clocks, steps=saved.steps
            )
            return
        path = _file_of(saved, folder)
        source: Path | bytes = path
        if saved.is_copy:
            try:
                source = path.read_bytes()
            except OSError as error:
                logger.warning("a picture of the last session is gone: %s", error)
        document = session.open(source, saved.name, is_chosen=is_chosen, saved=saved)
        if saved.is_copy and folder == self._folder:
            self._copies[document] = saved.path

    # --- writing

    def _note(self, _: object) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _follow(self, document: "Document") -> None:
        if document.board is not None and document.board.is_given:
            self.keep_now()
        else:
            self._note(document)

    def keep_now(self) -> None:
        """Write the session without a pause, as after each stroke of play.

        What was to be written before is on the disk then, so that a crash costs one stroke at most.
        """
        self._timer.stop()
        if self._writing is not None:
            self._writing.result()
        self._save()

    def _save(self) -> None:
        if self._session is None or self._folder is None:
            return
        if self._portions.is_busy:
            # What is not opened yet would be missing.
            self._timer.start()
            return
        if self._writing is not None and self._writing.done():
            before, self._fault = self._fault, self._writing.result() or ""
            if self._fault and not before:
                self.failed.emit()
        saved = self._collect()
        if saved != self._written:
            self._start(saved, self._folder)

    def _start(self, saved: SavedSession, folder: Path) -> "Future[str | None]":
        self._written = saved
        self._writing = self._writer.submit(_write, folder, saved, tuple(self._others))
        return self._writing

    def _release(self) -> None:
        self._writer.shutdown()
        for lock in self._locks:
            lock.unlock()
        self._locks = []

    def _collect(self) -> SavedSession:
        assert self._session is not None
        documents = self._session.documents
        are_open = set(documents)
        self._copies = {one: name for one, name in self._copies.items() if one in are_open}
        current = self._session.current
        return SavedSession(
            tuple(self._describe(document) for document in documents),
            None if current is None else documents.index(current),
        )

    def _describe(self, document: "Document") -> SavedDocument:
        path, is_copy = "", False
        if document.path is not None:
            is_sample = document.path == sample_path()
            path = _SAMPLE if is_sample else str(document.path.absolute())
        elif not document.is_typed:
            path, is_copy = self._copy(document), True
        if document.saved is not None:
            # It is not read again yet.
            return replace(document.saved, path=path, is_copy=is_copy)
        return SavedDocument(
            document.name,
            path,
            is_copy,
            document.checksum,
            self._save_boards(document),
            document.state.chosen,
            document.turned,
            self._save_steps(document),
        )

    def _save_boards(self, document: "Document") -> tuple[SavedBoard, ...]:
        from app.board.board_forms import save_board

        state = document.state
        known = self._boards.get(document)
        if known is None or known[0] is not state:
            known = state, tuple(save_board(held) for held in state.boards)
            self._boards[document] = known
        if not document.clocks:
            return known[1]
        now, boards = time.monotonic(), list(known[1])
        for number, clock in document.clocks.items():
            if number < len(boards):
                seconds = round(clock.elapsed(now), 1)
                boards[number] = replace(boards[number], seconds=seconds, is_paused=clock.is_paused)
        return tuple(boards)

    def _save_steps(self, document: "Document") -> tuple[str, ...]:
        from app.board.timeline import Steps, write_steps

        self._steps[document] = write_steps(document.timeline, self._steps.get(document, Steps()))
        return self._steps[document].kept

    def _copy(self, document: "Document") -> str:
        """Return the name of the copy of a picture that has no file; it is written if need be."""
        from app.gui.session.document import from_qimage
        from vision.media.images import save_image

        known = self._copies.get(document)
        if known is not None or self._folder is None:
            return known or ""
        name = f"picture-{secrets.token_hex(8)}.png"
        path, source = self._folder / name, document.source
        if isinstance(source, QImage):
            self._copying[name] = self._writer.submit(save_image, path, from_qimage(source))
        elif isinstance(source, bytes):
            self._copying[name] = self._writer.submit(_write_bytes, path, source)
        self._copies[document] = name
        return name


def _write(folder: Path, saved: SavedSession, others: Sequence[Path]) -> str | None:
    """Write a session that took up those of other folders; return why that failed."""
    try:
        save_session(folder, saved)
    except OSError as error:
        logger.warning("the session cannot be kept: %s", error)
        return error.strerror or str(error)
    kept = {document.path for document in saved.documents if document.is_copy}
    for place in (folder, *others):
        for path in place.glob("picture-*"):
            if place != folder or path.name not in kept:
                path.unlink(missing_ok=True)
    for place in others:
        (place / FILE_NAME).unlink(missing_ok=True)
    return None


def _write_bytes(path: Path, data: bytes) -> None:
    with open_whole(path, 0o600) as file:
        file.write(data)


def _file_of(document: SavedDocument, folder: Path) -> Path:
    if document.path == _SAMPLE:
        return sample_path()
    return folder / document.path if document.is_copy else Path(document.path)
