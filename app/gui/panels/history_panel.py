"""The panel that lists the puzzles of the history: search, open, delete, and take that back."""

import re
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QByteArray, QDateTime, QLocale, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QKeySequence, QPainter, QPainterPath, QPixmap, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from app.board.board_values import say_seconds
from app.board.history import History, HistoryEntry, HistoryFault
from app.gui.board.keys import bind_key
from app.gui.board.printing import paint_puzzle
from app.gui.session.background import Background, MayGoOn, ending_with
from app.gui.theme import theme_of
from app.gui.widgets import FoldingRow, fill, follows_changes, make_button, make_label, put_words
from app.gui.window.preferences import window_words
from app.help import help_words as texts
from solver.human.technique_engine import GaveUpError
from solver.human.walk import Level, rate
from solver.rules import CLASSIC_RULES

_ENTRY: Final = Qt.ItemDataRole.UserRole


@follows_changes
class HistoryPanel(QWidget):
    """The puzzles that were solved, newest first.

    Signals:
        puzzle_chosen: a `HistoryEntry`, whose clues are to be solved and verified as if typed.
    """

    puzzle_chosen = Signal(object)

    def __init__(self, history: History) -> None:
        super().__init__()
        self._history = history
        self._deleted: HistoryEntry | None = None
        self._fault: HistoryFault | None = None
        self._is_stale = True
        self._unrated: list[HistoryEntry] = []
        self._background = Background(self)
        self._background.finished.connect(self._show_rated)
        self._build()
        self._retranslate()

    def show_added(self, done: HistoryEntry | HistoryFault) -> None:
        """Show what came of adding a puzzle.

        A classic one that is solved but not rated is rated in the background. What goes wrong is
        said in the panel and nowhere else.
        """
        added = self._take(done)
        is_rated = added is None or added.level is not None or added.rules != CLASSIC_RULES
        if added is not None and not is_rated and added.solution is not None:
            self._unrated.append(added)
            self._rate_next()

    def refresh(self) -> None:
        """Read the list anew."""
        found = self._history.find(self._to_english(self._search.text()))
        self._is_stale = False
        self._fault = found if isinstance(found, HistoryFault) else None
        entries = [] if isinstance(found, HistoryFault) else found
        chosen = self._chosen()
        self._list.clear()
        for entry in entries:
            item = QListWidgetItem(_draw_thumbnail(entry, self), self._describe(entry))
            item.setData(_ENTRY, entry)
            self._list.addItem(item)
            if chosen is not None and entry.id == chosen.id:
                self._list.setCurrentItem(item)
        self._show_state()

    def open_chosen(self) -> None:
        """Open the puzzle that is chosen."""
        entry = self._chosen()
        if entry is not None:
            self.puzzle_chosen.emit(entry)

    def delete_chosen(self) -> None:
        """Delete the puzzle that is chosen; it can be taken back."""
        entry = self._chosen()
        if entry is None:
            return
        row = self._list.currentRow()
        deleted = self._history.delete(entry.id)
        self._deleted = deleted if isinstance(deleted, HistoryEntry) else None
        self._take(deleted)
        self._list.setCurrentRow(min(row, self._list.count() - 1))
        self._list.setFocus()

    def take_back(self) -> None:
        """Put the puzzle back that was deleted last."""
        if self._deleted is not None:
            restored = self._history.add(self._deleted)
            if not isinstance(restored, HistoryFault):
                self._deleted = None
            self._take(restored)

    def begin_anew(self) -> None:
        """Put a damaged file aside and begin an empty history."""
        self._take(self._history.set_aside())

    # --- what the panel is made of

    def _build(self) -> None:
        put_words(self, name=lambda: self.tr("History"))
        self._search = put_words(
            QLineEdit(clearButtonEnabled=True), name=lambda: self.tr("Search the history")
        )
        self._search.setAcceptDrops(False)  # it would write a photo's address
        self._search.textChanged.connect(self.refresh)
        self._list = put_words(QListWidget(), name=lambda: self.tr("Puzzles, newest first"))
        self._list.setIconSize(QSize(SIDE_PX, SIDE_PX))
        self._list.setWordWrap(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.itemActivated.connect(self.open_chosen)
        # A list that gets the keys has a current row, but chooses none.
        self._list.currentItemChanged.connect(lambda item, _: item and item.setSelected(True))
        self._list.itemSelectionChanged.connect(self._show_state)
        self._list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._list.customContextMenuRequested.connect(self._open_menu)
        bind_key(self._list, QKeySequence.StandardKey.Delete, self.delete_chosen)
        bind_key(self._search, Qt.Key.Key_Down, self._go_to_list)
        self._message = make_label(at=Qt.AlignmentFlag.AlignTop)
        self._anew = make_button(lambda: self.tr("Begin a new history"), self.begin_anew)
        self._undo_text = make_label(lambda: self.tr("Deleted."), is_wrapped=False)
        self._undo = make_button(
            lambda: self.tr("Undo"),
            self.take_back,
            kind="link",
            name=lambda: self.tr("Put the deleted puzzle back"),
        )
        self._open = make_button(lambda: self.tr("Open"), self.open_chosen)
        self._delete = make_button(lambda: self.tr("Delete"), self.delete_chosen)
        undo = fill(QHBoxLayout(), self._undo_text, 0, self._undo)
        fill(
            QVBoxLayout(self),
            self._search,
            self._message,
            self._anew,
            (self._list, 1),
            undo,
            FoldingRow(self._open, self._delete),
            margins=(16, 14, 16, 16),
            spacing=10,
        )

    def _retranslate(self) -> None:
        self._search.setPlaceholderText(self.tr("Search: photo, difficulty, digits"))
        self._show_state()
        self._read_when_seen()

    def _restyle(self) -> None:
        self._read_when_seen()

    def showEvent(self, event: QShowEvent) -> None:
        """Read the list when it is first looked at."""
        super().showEvent(event)
        if self._is_stale:
            self.refresh()

    # --- what it shows

    def _take(self, done: object) -> HistoryEntry | None:
        self._read_when_seen()
        if isinstance(done, HistoryFault):
            self._fault = done
            self._show_state()
        return done if isinstance(done, HistoryEntry) else None

    def _rate_next(self) -> None:
        if not self._unrated or self._background.is_running:
            return
        entry, history = self._unrated[0], self._history

        def work(may_go_on: MayGoOn) -> object:
            try:
                rating = rate(entry.clues, ending_with(may_go_on))
            except GaveUpError:
                return None
            if not history.contains(entry):
                return None
            return history.rate(replace(entry, score=rating.score, level=rating.level))

        self._background.start(work)

    def _show_rated(self, done: object) -> None:
        self._unrated.pop(0)
        if done is not None:
            self._take(done)
        self._rate_next()

    def _read_when_seen(self) -> None:
        self._is_stale = True
        if self.isVisible():
            self.refresh()

    def _show_state(self) -> None:
        has_chosen = self._chosen() is not None
        self._open.setEnabled(has_chosen)
        self._delete.setEnabled(has_chosen)
        self._undo.setVisible(self._deleted is not None)
        self._undo_text.setVisible(self._deleted is not None)
        self._anew.setVisible(self._fault is HistoryFault.DAMAGED)
        text = self._say_fault() or self._say_empty()
        self._message.setText(text)
        self._message.setVisible(bool(text))

    def _say_empty(self) -> str:
        if self._list.count() or self._is_stale:
            return ""
        if self._search.text().strip():
            return self.tr("Nothing is found. Search for less.")
        return self.tr("Puzzles that are solved will stand here.")

    def _say_fault(self) -> str:
        if self._fault is None:
            return ""
        told = {
            HistoryFault.DAMAGED: self.tr("The history is damaged and cannot be read."),
            HistoryFault.LOCKED: self.tr(
                "Another program holds the history. Try again in a moment."
            ),
            HistoryFault.FULL: self.tr("The disk is full, so the history cannot be kept."),
            HistoryFault.UNREACHABLE: self.tr("The history cannot be opened or written to."),
            HistoryFault.TOO_NEW: self.tr(
                "A later version of Sudoku Lens wrote the history. Use that version to see it."
            ),
        }
        return told[self._fault]

    def _describe(self, entry: HistoryEntry) -> str:
        name = entry.source or self.tr("Puzzle of {0} clues").format(int((entry.clues > 0).sum()))
        when = QDateTime.fromSecsSinceEpoch(int(entry.time))
        date = QLocale().toString(when, QLocale.FormatType.ShortFormat)
        if entry.is_finished:
            date += " · " + self.tr("solved in {0}").format(say_seconds(entry.seconds))
        words = window_words()
        if entry.rules != CLASSIC_RULES:
            side = entry.rules.width
            date += f" · {words.look_up(texts.KINDS[entry.rules.kind])} {side}×{side}"
        if entry.level is None:
            return f"{name}\n{date}"
        level = words.look_up(texts.LEVELS[entry.level])
        score = "" if entry.score is None else f" {words.number(entry.score)}"
        return f"{name}\n{date} · {level}{score}"

    def _to_english(self, query: str) -> str:
        """Put levels, kinds and scores as they are in the file for those that people type."""
        words = window_words()
        if words.decimal_point != ".":
            query = re.sub(rf"(?<=\d){re.escape(words.decimal_point)}(?=\d|\s|$)", ".", query)
        names = {words.look_up(texts.LEVELS[level]).lower(): level.value for level in Level}
        names |= {words.look_up(name).lower(): kind.value for kind, name in texts.KINDS.items()}
        return " ".join(names.get(word.lower(), word) for word in query.split())

    def _chosen(self) -> HistoryEntry | None:
        items = self._list.selectedItems()
        entry = items[0].data(_ENTRY) if items else None
        return entry if isinstance(entry, HistoryEntry) else None

    def _open_menu(self, place: QPoint) -> None:
        """Offer what can be done with the puzzle that was pointed at, which is chosen then."""
        if self._list.itemAt(place) is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Open"), self.open_chosen)
        menu.addAction(self.tr("Delete"), self.delete_chosen)
        menu.popup(self._list.viewport().mapToGlobal(place))

    def _go_to_list(self) -> None:
        if self._list.count():
            self._list.setFocus()


SIDE_PX: Final = 56


def _draw_thumbnail(entry: HistoryEntry, widget: QWidget) -> QIcon:
    ratio = widget.devicePixelRatioF()
    side = round(SIDE_PX * ratio)
    drawn = QPixmap(side, side)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    painter.setRenderHints(
        QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
    )
    place = QRectF(0, 0, side, side)
    rounded = QPainterPath()
    rounded.addRoundedRect(place, 0.08 * side, 0.08 * side)
    painter.setClipPath(rounded)
    photo = QPixmap()
    if entry.thumbnail and photo.loadFromData(QByteArray(entry.thumbnail)):
        size = photo.size().scaled(drawn.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding)
        target = QRectF(0, 0, size.width(), size.height())
        target.moveCenter(place.center())
        painter.drawPixmap(target, photo, QRectF(photo.rect()))
    else:
        theme = theme_of(widget)
        painter.fillPath(rounded, QColor(theme.surface))
        margin = 0.06 * side
        inner = place.adjusted(margin, margin, -margin, -margin)
        paint_puzzle(painter, inner, entry.clues, rules=entry.rules, theme=theme)
    painter.end()
    drawn.setDevicePixelRatio(ratio)
    icon = QIcon(drawn)
    icon.addPixmap(drawn, QIcon.Mode.Selected)  # Qt would tint it
    return icon
