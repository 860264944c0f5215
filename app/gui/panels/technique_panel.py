"""The pages on techniques: what each says, a picture of it, and puzzles to practise it on;
and the line that says how hard a puzzle is, worked out in the background.
"""

import secrets
from functools import partial

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.board.board_forms import face_of_puzzle
from app.gui.board.clean_board import CleanBoard
from app.gui.session.background import Background, MayGoOn, ending_with
from app.gui.widgets import (
    ListBox,
    capitalise,
    fill,
    follows_changes,
    make_button,
    make_label,
    put_words,
    tell,
)
from app.gui.window.preferences import window_words
from app.help import technique_lessons as lessons
from app.help.assistance import Progress, name_rating
from app.help.technique_lessons import (
    LESSONS,
    SEARCH_SECONDS,
    Pattern,
    Practice,
    find_pattern,
    find_practice,
)
from solver.grid import Grid
from solver.human.position import Technique
from solver.human.technique_engine import GaveUpError
from solver.human.walk import rate

_PICTURE_PX = 288


@follows_changes
class TechniquePanel(QWidget):
    """A page for each technique, the easiest first.

    Signals:
        practice_found: a `Practice`, a position that needs the technique next, to be solved by
            hand, and its name.
    """

    practice_found = Signal(object, str)

    def __init__(self, seed: int | None = None, search_seconds: float = SEARCH_SECONDS) -> None:
        """Make the panel; a seed leads to the same practice each time.

        `search_seconds` is for looking among new puzzles, before a stored position is taken.
        """
        super().__init__()
        self._seed, self._search_seconds = seed, search_seconds
        self._progress: Progress | None = None
        self._is_stale = True
        self._looking, self._searching = Background(self), Background(self)
        self._looking.finished.connect(self._show_pattern)
        self._searching.finished.connect(self._end_practice)
        self._build()
        self._retranslate()

    @property
    def technique(self) -> Technique:
        """The one whose page is open."""
        return list(LESSONS)[self._names.currentIndex()]

    def show_technique(self, technique: Technique) -> None:
        """Open the page of a technique."""
        self._names.setCurrentIndex(list(LESSONS).index(technique))

    def set_board(self, progress: Progress | None) -> None:
        """Say which board is at hand; None where none is looked at."""
        if not _is_same(self._progress, progress):
            self._progress = progress
            self._look()

    def practise(self) -> None:
        """Look for a position that needs this technique next, or stop looking."""
        if self._searching.is_running:
            self._searching.cancel()
            self._show_search()
            return
        seed = secrets.randbits(32) if self._seed is None else self._seed
        find = partial(find_practice, self.technique, seed, seconds=self._search_seconds)
        self._searching.start(find)
        self._show_search()

    # --- what the panel is made of

    def _build(self) -> None:
        put_words(self, name=lambda: self.tr("Techniques"))
        self._names = ListBox(
            lambda: [(capitalise(window_words().technique(one)), None) for one in LESSONS],
            name=lambda: self.tr("Technique"),
        )
        self._names.setMaxVisibleItems(20)
        adjusted = ListBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self._names.setSizeAdjustPolicy(adjusted)
        self._names.currentIndexChanged.connect(self._open_page)
        text = partial(make_label, is_copied=True, at=Qt.AlignmentFlag.AlignTop)
        self._what, self._spot, self._effect = text(), text(), text()
        self._told = text(name=lambda: self.tr("What the picture shows"))
        self._caption = make_label(is_bold=True)
        self._picture = CleanBoard()
        self._picture.is_still = True
        self._picture.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._picture.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._picture.setFixedHeight(_PICTURE_PX)
        self._practise = make_button(act=self.practise, kind="primary")
        self._practise.setMinimumHeight(38)
        self._message = make_label()
        fill(
            QVBoxLayout(self),
            self._names,
            self._what,
            self._caption,
            self._picture,
            self._told,
            make_label(lambda: window_words().say(lessons.SPOT), is_bold=True),
            self._spot,
            make_label(lambda: window_words().say(lessons.EFFECT), is_bold=True),
            self._effect,
            self._practise,
            self._message,
            0,
            margins=(16, 14, 16, 16),
            spacing=8,
        )

    def _retranslate(self) -> None:
        self._open_page()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw the picture when it is first looked at."""
        super().showEvent(event)
        if self._is_stale:
            self._look()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop looking for what nobody waits for."""
        super().hideEvent(event)
        self._searching.cancel()
        self._show_search()

    # --- what it shows

    def _open_page(self) -> None:
        lesson = LESSONS[self.technique].tell(window_words())
        for label, text in zip((self._what, self._spot, self._effect), lesson, strict=True):
            label.setText(text)
        self._searching.cancel()
        self._show_search()
        self._look()

    def _look(self) -> None:
        """Look for the technique on the board at hand, once somebody sees the page."""
        self._is_stale = not self.isVisible()
        if self._is_stale:
            self._looking.cancel()
            return
        technique, progress, words = self.technique, self._progress, window_words()

        def work(may_go_on: MayGoOn) -> object:
            return find_pattern(technique, progress, words, ending_with(may_go_on))

        self._looking.start(work)

    def _show_pattern(self, found: object) -> None:
        if not isinstance(found, Pattern):
            return
        words = window_words()
        caption = lessons.ON_BOARD if found.is_at_hand else lessons.EXAMPLE
        self._caption.setText(words.say(caption))
        self._picture.show_face(face_of_puzzle(found.puzzle, found.symbols))
        self._picture.set_highlight(found.told.highlight)
        self._picture.setAccessibleDescription(found.told.text)
        tell(self._told, found.told.text)

    def _show_search(self) -> None:
        is_running = self._searching.is_running
        self._practise.setText(self.tr("Stop") if is_running else self.tr("Practise it"))
        text = ""
        if is_running:
            text = self.tr("Looking for a puzzle that needs this next. It may take a while.")
        tell(self._message, text)
        self._message.setVisible(bool(text))

    def _end_practice(self, found: object) -> None:
        self._show_search()
        if isinstance(found, Practice):
            text = self.tr("Practice: {}")
            if not found.is_next:
                text = self.tr("Practice: {} (easier steps come first)")
            name = text.format(self._names.currentText())
            self.practice_found.emit(found, name)


def _is_same(one: Progress | None, other: Progress | None) -> bool:
    if one is None or other is None:
        return one is other
    is_known = (one.solution is None) == (other.solution is None)
    is_alike = is_known and (one.rules, one.notes) == (other.rules, other.notes)
    return is_alike and np.array_equal(one.grid, other.grid)


@follows_changes
class RatingLine(QLabel):
    """Rates a puzzle when it is first looked at, and not while nobody does."""

    def __init__(self) -> None:
        super().__init__()
        self._clues: Grid | None = None
        self._rated: bytes | None = None
        self._background = Background(self)
        self._background.finished.connect(self._show)
        self.setWordWrap(True)
        self._retranslate()

    def set_clues(self, clues: Grid | None) -> None:
        """Say what is rated: (9, 9) uint8 with exactly one solution, or None for nothing."""
        self._clues = None if clues is None else clues.copy()
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Rate only when someone looks."""
        super().showEvent(event)
        self._refresh()

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Difficulty"))
        self._rated = None
        self._refresh()

    def _refresh(self) -> None:
        clues = self._clues
        if clues is None:
            self._background.cancel()
            self._rated = None
            self.setText("")
            return
        if clues.tobytes() == self._rated or not self.isVisible():
            return
        self._rated = clues.tobytes()
        self.setText(self.tr("Difficulty: …"))
        words = window_words()

        def work(may_go_on: MayGoOn) -> object:
            try:
                rating = rate(clues, ending_with(may_go_on))
                return name_rating(rating, words, is_full=bool(clues.all()))
            except GaveUpError:
                return None

        self._background.start(work)

    def _show(self, told: object) -> None:
        self.setText(self.tr("Difficulty: {0}").format(told) if isinstance(told, str) else "")
