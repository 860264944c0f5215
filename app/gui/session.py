"""What is open in the window: the photos, what is known of each, and the jobs that find it out.

This module loads what the line needs; the window imports it once the worker has done so.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from app.board_face import BoardFace
from app.board_state import (
    BoardState,
    Pending,
    PhotoState,
    Timeline,
    amend,
    begin_photo,
    begin_puzzle,
    face_of,
    record,
    redo,
    settle,
    undo,
)
from app.gui.worker import Work, Worker
from app.outcome import Outcome
from app.pipeline import Pipeline
from app.results import BoardResult, PhotoResult
from app.timing import StageClock
from vision.images import ImageError, load_image
from vision.overlay import is_dark_board

Image8 = npt.NDArray[np.uint8]
Source = Path | bytes
"""A file, or its bytes."""


@dataclass(eq=False)
class Document:
    """A photo that is open, or a puzzle without one.

    Attributes:
        name: what it is called.
        path: where it is from; None for what was pasted or typed.
        image: (H, W, 3) uint8 BGR upright, once it is loaded; None for a puzzle without a photo.
        picture: the same for Qt.
        timeline: its boards, as they are and as they were.
        result: what came of the photo before anything was corrected.
        outcome: how the photo ended; None while it is worked on.
        seconds: what the line took, last time.
        stage: of the line, while it runs; "" else.
        message: why the file cannot be shown, if so.
        job: what the worker does for it now.
        is_cancelled: whether that was called off.
        is_typed: whether it is a puzzle without a photo.
    """

    name: str
    path: Path | None = None
    image: Image8 | None = None
    picture: QImage | None = None
    timeline: Timeline = field(default_factory=lambda: Timeline(PhotoState()))
    result: PhotoResult | None = None
    outcome: Outcome | None = None
    seconds: float = 0.0
    stage: str = ""
    message: str = ""
    job: int | None = None
    is_cancelled: bool = False
    is_typed: bool = False

    @property
    def state(self) -> PhotoState:
        """What is known now."""
        return self.timeline.present

    @property
    def board(self) -> BoardState | None:
        """The board that is looked at."""
        return self.state.board

    @property
    def is_working(self) -> bool:
        """Whether something is still to be found out."""
        return self.job is not None

    def faces(self) -> list[BoardFace]:
        """Return what the boards show."""
        return [face_of(held, is_dark=self._is_dark(held)) for held in self.state.boards]

    def _is_dark(self, held: BoardState) -> bool:
        return self.image is not None and is_dark_board(self.image, held.board.lattice)


class _Loaded(NamedTuple):
    image: Image8
    picture: QImage


class Session(QObject):
    """The open documents.

    Signals:
        added, removed: a document.
        changed: a document, whatever changed in it but its stage.
        stage_changed: a document whose work has come to another stage.
        current_changed: the document that is looked at, or None.
    """

    added = Signal(object)
    removed = Signal(object)
    changed = Signal(object)
    stage_changed = Signal(object)
    current_changed = Signal(object)

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self._documents: list[Document] = []
        self._current: Document | None = None
        self._numbers = itertools.count(1)
        self.is_revealing = True
        worker.stage_begun.connect(self._tell_stage)

    @property
    def documents(self) -> tuple[Document, ...]:
        """All that is open, in the order of opening."""
        return tuple(self._documents)

    @property
    def current(self) -> Document | None:
        """What is looked at."""
        return self._current

    def open(self, source: Source | QImage, name: str, *, is_chosen: bool = True) -> Document:
        """Open a photo: it is loaded and solved by the worker."""
        document = Document(name, source if isinstance(source, Path) else None)

        def load(_: Pipeline, clock: StageClock) -> _Loaded:
            with clock.stage("load"):
                if isinstance(source, QImage):
                    image = from_qimage(source)
                else:
                    image = load_image(source, name=name)
                return _Loaded(image, to_qimage(image))

        def show(loaded: object) -> None:
            assert isinstance(loaded, _Loaded)
            document.image, document.picture = loaded
            self.search(document)

        # Begun before it is shown, so that it never looks as if nothing were done for it.
        self._start(document, load, show, expected=(ImageError,), is_urgent=is_chosen)
        self._add(document, is_chosen=is_chosen)
        return document

    def open_puzzle(
        self,
        clues: npt.NDArray[np.integer],
        name: str,
        *,
        is_revealed: bool | None = None,
        is_given: bool = False,
    ) -> Document:
        """Open a puzzle without a photo; an empty one waits for digits.

        Args:
            clues: (9, 9) integers 0..9.
            name: what it is called.
            is_revealed: whether its solution is shown; as is usual when None.
            is_given: whether the clues stand fast, and what is typed are entries.
        """
        is_shown = self.is_revealing if is_revealed is None else is_revealed
        state = begin_puzzle(clues, is_revealed=is_shown, is_given=is_given)
        document = Document(name, timeline=Timeline(state), is_typed=True)
        self._run_on(document)
        self._add(document, is_chosen=True)
        return document

    def search(self, document: Document) -> None:
        """Find and solve the boards of a document's photo, from the beginning."""
        image = document.image
        if image is None:
            return

        def solve(pipeline: Pipeline, clock: StageClock) -> object:
            return pipeline.solve_photo(image, clock)

        def show(result: object) -> None:
            assert isinstance(result, PhotoResult)
            document.result, document.outcome = result, result.outcome
            document.seconds = sum(result.seconds.values())
            state = begin_photo(result, is_revealed=self.is_revealing)
            document.timeline = Timeline(state)

        document.outcome, document.is_cancelled = None, False
        self._start(document, solve, show)

    def cancel(self, document: Document) -> None:
        """Stop what is done for a document."""
        if document.job is not None:
            self._worker.cancel(document.job)
            document.job, document.stage, document.is_cancelled = None, "", True
            self.changed.emit(document)

    def choose(self, document: Document | None) -> None:
        """Look at another document; its work goes first."""
        if document is self._current:
            return
        self._current = document
        if document is not None and document.job is not None:
            self._worker.hurry(document.job)
        self.current_changed.emit(document)

    def close(self, document: Document) -> None:
        """Put a document away, and look at its neighbour."""
        if document.job is not None:
            self._worker.cancel(document.job)
        place = self._documents.index(document)
        self._documents.remove(document)
        self.removed.emit(document)
        if document is self._current:
            left = self._documents
            self.choose(left[min(place, len(left) - 1)] if left else None)

    def act(self, change: Callable[[PhotoState], PhotoState]) -> None:
        """Take a step in the current document, which can be undone."""
        document = self._current
        if document is not None:
            self._move(document, record(document.timeline, change(document.state)))

    def look(self, change: Callable[[PhotoState], PhotoState]) -> None:
        """Change what is looked at in the current document, which is no step."""
        document = self._current
        if document is not None:
            self._move(document, amend(document.timeline, change(document.state)))

    def undo(self) -> None:
        """Go back a step in the current document."""
        if self._current is not None:
            self._move(self._current, undo(self._current.timeline))

    def redo(self) -> None:
        """Take the step again that was undone."""
        if self._current is not None:
            self._move(self._current, redo(self._current.timeline))

    def _add(self, document: Document, *, is_chosen: bool) -> None:
        self._documents.append(document)
        self.added.emit(document)
        if is_chosen or self._current is None:
            self.choose(document)

    def _move(self, document: Document, timeline: Timeline) -> None:
        if timeline is document.timeline:
            return
        document.timeline = timeline
        self._run_on(document)
        self.changed.emit(document)

    def _run_on(self, document: Document) -> None:
        """Send the first pending board down the line, from where it must run on."""
        if document.job is not None:
            self._worker.cancel(document.job)
            document.job, document.stage = None, ""
        held = next((held for held in document.state.boards if held.pending), None)
        if held is None:
            return
        image, board = document.image, held.board

        def solve(pipeline: Pipeline, clock: StageClock) -> object:
            if held.pending is Pending.READ and image is not None:
                return pipeline.solve_lattice(image, board.lattice, clock), clock.seconds()
            return pipeline.solve_clues(board.clues, board.lattice, clock), clock.seconds()

        def show(found: object) -> None:
            assert isinstance(found, tuple)
            result, seconds = found
            assert isinstance(result, BoardResult)
            document.seconds = sum(seconds.values())
            document.timeline = amend(document.timeline, settle(document.state, held, result))
            self._run_on(document)

        self._start(document, solve, show)

    def _start(
        self,
        document: Document,
        work: Work,
        show: Callable[[object], None],
        expected: tuple[type[Exception], ...] = (),
        *,
        is_urgent: bool = False,
    ) -> None:
        def done(result: object) -> None:
            document.job, document.stage, document.message = None, "", ""
            show(result)
            self.changed.emit(document)

        def failed(error: Exception) -> None:
            document.job, document.stage = None, ""
            document.outcome, document.message = Outcome.BAD_IMAGE, str(error)
            self.changed.emit(document)

        document.job = self._worker.submit(
            work,
            done,
            failed,
            expected=expected,
            is_urgent=is_urgent or document is self._current,
        )

    def _tell_stage(self, key: int, stage: str) -> None:
        for document in self._documents:
            if document.job == key and document.stage != stage:
                document.stage = stage
                self.stage_changed.emit(document)


def to_qimage(image: Image8) -> QImage:
    """Return a picture of Qt with pixels of its own, in the format that is painted fastest."""
    height, width = image.shape[:2]
    data = np.ascontiguousarray(image).data
    borrowed = QImage(data, width, height, 3 * width, QImage.Format.Format_BGR888)
    return borrowed.convertToFormat(QImage.Format.Format_RGB32)


def from_qimage(picture: QImage) -> Image8:
    """Return the pixels of a picture of Qt, (H, W, 3) uint8 BGR, what is transparent over white.

    Raises:
        ImageError: if there are no pixels.
    """
    if picture.isNull():
        raise ImageError("the picture is empty; copy it again")
    flat = picture
    if picture.hasAlphaChannel():
        flat = QImage(picture.size(), QImage.Format.Format_RGB32)
        flat.fill(0xFFFFFFFF)
        from PySide6.QtGui import QPainter

        painter = QPainter(flat)
        painter.drawImage(0, 0, picture)
        painter.end()
    flat = flat.convertToFormat(QImage.Format.Format_BGR888)
    rows = np.frombuffer(flat.constBits(), np.uint8).reshape(flat.height(), flat.bytesPerLine())
    pixels = rows[:, : 3 * flat.width()].reshape(flat.height(), flat.width(), 3)
    return np.ascontiguousarray(pixels)
