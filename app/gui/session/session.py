"""What is open in the window, and the jobs that find out what is on each photo.

This module loads what the pipeline needs; the window imports it once the worker has done so.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Signal

from app.board.board_forms import resume_clocks, resume_saved_photo
from app.board.board_state import Pending, PhotoState, begin_photo, begin_puzzle, cells_of
from app.board.board_values import PlayClock
from app.board.saved_session import SavedDocument
from app.board.timeline import Timeline, amend, read_past, record, redo, settle_all, undo
from app.gui.session.background import Rank, Work, Worker
from app.gui.session.document import Document, Pixels, Source, load_pixels
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.recognition.results import PhotoResult
from app.recognition.timing import StageClock
from solver.rules import CLASSIC_RULES, Kind, Rules
from vision.media.images import ImageError

_MOST_AWAKE: Final = 4
"""Photos whose pixels are kept; others are loaded again when they are looked at. One of 12
megapixels takes 100 MB with all that Qt needs."""

_MOST_REMOVED: Final = 100
"""Documents that can be put back; of one that was pasted, the picture is kept."""


class WindowSession(QObject):
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
        self._seen: list[Document] = []
        self.current: Document | None = None
        """What is looked at."""
        self._removed: list[tuple[int, Document]] = []
        self._is_removal_last = False
        self.is_revealing = True
        worker.stage_begun.connect(self._tell_stage)

    def reveal_at_once(self, is_wanted: bool) -> None:
        """Show solutions as soon as they are there, or keep them back."""
        self.is_revealing = is_wanted

    @property
    def documents(self) -> tuple[Document, ...]:
        """All that is open, in the order of opening."""
        return tuple(self._documents)

    def open(
        self,
        source: Source,
        name: str,
        *,
        is_chosen: bool = True,
        saved: SavedDocument | None = None,
    ) -> Document:
        """Open a photo: it is loaded and solved by the worker, and then as it was `saved`."""
        document = Document(name, source, saved=saved)
        if saved is not None:
            document.turns = document.turned = saved.turns
        if isinstance(source, Path):
            with suppress(OSError):  # what is wrong with the file is told when it is read
                document.date = source.stat().st_mtime
        # Begun before it is shown, so that it never looks as if nothing were done for it.
        rank = Rank.LOOKED_AT if is_chosen else Rank.NEW
        self._load(document, partial(self.search, document), rank)
        self._add(document, is_chosen=is_chosen)
        return document

    def open_solved(
        self, data: bytes, name: str, result: PhotoResult, *, is_chosen: bool = True
    ) -> Document:
        """Open a photo with what came of it elsewhere; nothing is solved here.

        Args:
            data: the picture file's bytes. One that is open already only gets the new result.
            result: of the very pixels that `vision.media.images.load_image` makes of the bytes.
        """
        known = next((one for one in self._documents if one.source == data), None)
        document = known or Document(name, data)

        show = partial(self._show_result, document, result)
        if known is None:
            self._load(document, show, Rank.LOOKED_AT if is_chosen else Rank.NEW)
            self._add(document, is_chosen=is_chosen)
        else:
            document.turns = 0  # as the result has it
            self._load(document, show, Rank.BEGUN)
            if is_chosen:
                self.choose(document)
        return document

    def open_puzzle(
        self,
        clues: npt.NDArray[np.integer],
        name: str,
        *,
        is_revealed: bool | None = None,
        is_given: bool = False,
        rules: Rules | None = None,
    ) -> Document:
        """Open a puzzle without a photo; an empty one waits for digits.

        Args:
            clues: (n, n) integers 0..n.
            is_revealed: whether its solution is shown; as is usual when None.
            is_given: whether the clues stand fast, and what is typed are entries.
            rules: None for those of its side with the usual boxes.
        """
        is_shown = self.is_revealing if is_revealed is None else is_revealed
        state = begin_puzzle(
            clues,
            revealed=cells_of(clues) if is_shown else frozenset(),
            is_given=is_given,
            rules=rules,
        )
        return self.resume_puzzle(state, name)

    def resume_puzzle(
        self,
        state: PhotoState,
        name: str,
        *,
        is_chosen: bool = True,
        clocks: dict[int, PlayClock] | None = None,
        steps: Sequence[str] = (),
    ) -> Document:
        """Open a puzzle without a photo in a state of its own, such as it was left in."""
        timeline = Timeline(state, read_past(state, steps))
        document = Document(name, timeline=timeline, clocks=clocks or {})
        self._run_on(document)
        self._add(document, is_chosen=is_chosen)
        return document

    def search(self, document: Document) -> None:
        """Find and solve the boards of a document's photo, from the beginning.

        Where its pixels are not there, they are loaded; boards that are known stay as they are.
        """
        image = document.image
        if image is None:
            if not document.is_typed:
                self._wake(document)
            return

        document.outcome = None
        show = partial(self._show_result, document)
        self._start(document, lambda pipeline, clock: pipeline.solve_photo(image, clock), show)
        document.is_searching, document.is_search_dropped = True, False

    def turn(self, document: Document, quarter_turns: int) -> None:
        """Turn a photo clockwise, and its boards with it."""
        if document.is_typed or document.saved is not None:
            return  # the boards of one that is not read again yet lie as it was left
        document.turns = (document.turns + quarter_turns) % 4
        self._wake(document)
        self.changed.emit(document)

    def cancel(self, document: Document) -> None:
        """Stop what is done for a document."""
        if document.job is not None:
            self._worker.cancel(document.job)
            document.end_work()
            document.is_cancelled = True
            self.changed.emit(document)

    def choose(self, document: Document | None) -> None:
        """Look at another document; its work goes first."""
        if document is self.current:
            return
        self.current = document
        if document is not None:
            self._seen = [*(one for one in self._seen if one is not document), document]
            if document.job is not None:
                self._worker.hurry(document.job)
            elif document.pixels is None and document.result is not None:
                self._load(document, partial(self._run_on, document), Rank.LOOKED_AT)
        self._let_sleep()
        self.current_changed.emit(document)

    def close(self, document: Document) -> None:
        """Put a document away, and look at its neighbour."""
        if document.job is not None:
            self._worker.cancel(document.job)
        place = self._documents.index(document)
        self._documents.remove(document)
        self._seen = [one for one in self._seen if one is not document]
        self.removed.emit(document)
        if document is self.current:
            left = self._documents
            self.choose(left[min(place, len(left) - 1)] if left else None)

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to go back, or something that was taken off the list."""
        return bool(self._removed or (self.current and self.current.timeline.past))

    def remove(self, document: Document) -> None:
        """Put a document away until `undo` brings it back."""
        place = self._documents.index(document)
        self._removed = [*self._removed, (place, document)][-_MOST_REMOVED:]
        self._is_removal_last = True
        self.close(document)
        document.job, document.stage, document.pixels = None, "", None

    def _put_back(self) -> None:
        """Open again what was removed last, where it was."""
        place, document = self._removed.pop()
        self._documents.insert(min(place, len(self._documents)), document)
        if document.is_typed:
            self._run_on(document)
        else:
            self._wake(document)
        self.added.emit(document)
        self.choose(document)

    def _wake(self, document: Document) -> None:
        is_new = document.is_searching or not (document.result or document.state.boards)
        document.pixels = None  # until then nothing is done for its boards
        rank = Rank.LOOKED_AT if document is self.current else Rank.NEW
        self._load(document, partial(self.search if is_new else self._run_on, document), rank)

    def act(self, change: Callable[[PhotoState], PhotoState]) -> None:
        """Take a step in the current document, which can be undone."""
        document, self._is_removal_last = self.current, False
        if document is not None:
            self._move(document, record(document.timeline, change(document.state)))

    def look(
        self, change: Callable[[PhotoState], PhotoState], document: Document | None = None
    ) -> None:
        """Change what is looked at in a document, the current one if None, which is no step."""
        document = document or self.current
        if document is not None and document in self._documents:
            self._move(document, amend(document.timeline, change(document.state)))

    def undo(self) -> None:
        """Go back a step in the current document, or put back what was removed since."""
        has_past = self.current is not None and self.current.timeline.past
        if self._removed and (self._is_removal_last or not has_past):
            self._put_back()
        elif self.current is not None:
            self._move(self.current, undo(self.current.timeline))

    def redo(self) -> None:
        """Take the step again that was undone."""
        if self.current is not None:
            self._move(self.current, redo(self.current.timeline))

    def _add(self, document: Document, *, is_chosen: bool) -> None:
        self._documents.append(document)
        self.added.emit(document)
        if is_chosen or self.current is None:
            self.choose(document)

    def _move(self, document: Document, timeline: Timeline) -> None:
        if timeline is document.timeline:
            return
        document.timeline = timeline
        document.is_cancelled = document.is_search_dropped = False
        self._run_on(document)
        self.changed.emit(document)

    def _run_on(self, document: Document) -> None:
        """Send the first pending board through the pipeline, from where it must run on."""
        if document.pixels is None and not document.is_typed:
            return  # it is being loaded, and this follows
        held = next((held for held in document.state.boards if held.pending), None)
        if document.is_searching and held is None:
            return  # what is only looked at ends no search
        if document.job is not None:
            self._worker.cancel(document.job)
            document.job, document.stage = None, ""
        if document.is_searching:
            document.is_searching, document.is_search_dropped = False, True
            document.outcome = None if document.result is None else document.result.outcome
        if held is None:
            return
        image, board = document.image, held.board

        def solve(pipeline: Pipeline, clock: StageClock) -> object:
            if held.pending is not Pending.READ or image is None:
                result = pipeline.solve_clues(board.clues, board.lattice, clock, board.rules)
            elif board.rules == CLASSIC_RULES:  # its lines may tell another side
                result = pipeline.solve_corners(image, board.corners, clock)
            elif board.kind is Kind.SAMURAI:
                result = pipeline.solve_samurai(image, board.lattice, board.rules, clock)
            else:
                result = pipeline.solve_lattice(image, board.lattice, clock)
            return result, sum(clock.seconds().values())

        def show(found: object) -> None:
            assert isinstance(found, tuple)
            result, document.seconds = found
            document.timeline = settle_all(document.timeline, held, result)
            self._run_on(document)

        self._start(document, solve, show)

    def _show_result(self, document: Document, result: object) -> None:
        assert isinstance(result, PhotoResult)
        document.result, document.outcome = result, result.outcome
        document.seconds = sum(result.seconds.values())
        state = begin_photo(result, is_revealed=self.is_revealing)
        past: tuple[PhotoState, ...] = ()
        saved, document.saved = document.saved, None
        if saved is not None and saved.checksum in (None, document.checksum):
            state = resume_saved_photo(state, saved)
            past = read_past(state, saved.steps)
            document.clocks = resume_clocks(saved)
        is_first = not document.state.boards and not document.timeline.past
        timeline = document.timeline
        document.timeline = Timeline(state, past) if is_first else record(timeline, state)
        if saved is not None:
            self._run_on(document)
        self._let_sleep()

    def _load(self, document: Document, then: Callable[[], None], rank: Rank) -> None:
        source, name, turns = document.source, document.name, document.turns
        assert source is not None

        def load(_: Pipeline, clock: StageClock) -> object:
            with clock.stage("load"):
                return load_pixels(source, name, turns)

        def show(pixels: object) -> None:
            assert isinstance(pixels, Pixels)
            if document.take_pixels(pixels):
                self.search(document)
            else:
                then()

        self._start(document, load, show, rank)

    def _let_sleep(self) -> None:
        """Forget the pixels of photos that were not looked at lately."""
        awake = set(map(id, self._seen[-_MOST_AWAKE:]))
        for document in self._documents:
            if id(document) not in awake and not document.is_working:
                document.pixels = None

    def _start(
        self,
        document: Document,
        work: Work,
        show: Callable[[object], None],
        rank: Rank = Rank.BEGUN,
    ) -> None:
        if document.job is not None:
            self._worker.cancel(document.job)
        document.is_cancelled, document.has_failed, document.message = False, False, ""

        def done(result: object) -> None:
            document.end_work()
            show(result)
            self.changed.emit(document)

        def failed(error: Exception) -> None:
            document.end_work()
            if isinstance(error, ImageError):
                document.outcome = Outcome.BAD_IMAGE
                document.fault, document.message = error.fault, str(error)
            else:
                document.has_failed = True
            self.changed.emit(document)

        if document is self.current:
            rank = Rank.LOOKED_AT
        document.job = self._worker.submit(work, done, failed, rank, expected=(ImageError,))

    def _tell_stage(self, key: int, stage: str) -> None:
        for document in self._documents:
            if document.job == key and document.stage != stage:
                document.stage = stage
                self.stage_changed.emit(document)
