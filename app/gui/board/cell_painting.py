"""How a cell is painted, on the photo in perspective and on the clean board alike.

Everything is drawn in a unit square and carried into place by the cell's own transform. A solution
appears in a short wave.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from math import ceil, sqrt
from typing import Final

from PySide6.QtCore import (
    QAbstractAnimation,
    QEasingCurve,
    QObject,
    QPointF,
    QRectF,
    Qt,
    QVariantAnimation,
)
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPainterPathStroker, QTransform

from app.board.board_values import BoardViewModel, Doubt
from app.gui.board.outlines import DIGIT_HEIGHT, MOST_WIDTH, DigitInks, glyph, rim
from app.gui.theme import digit_font
from app.report.board_marks import Highlight, Mark, Note, NoteKind

_FONT_PX: Final = 200
_NOTE_HEIGHT: Final = 0.2
_BELOW_SUMS: Final = 0.25
"""How far down the notes of a killer begin, in cells."""
_BADGE_HEIGHT: Final = 0.24
_CORNERS: Final = (
    (0.17, 0.2), (0.83, 0.2), (0.17, 0.8), (0.83, 0.8), (0.5, 0.2), (0.5, 0.8), (0.34, 0.2),
    (0.66, 0.2), (0.34, 0.8),
)  # fmt: skip
"""Where in a cell the first corner mark stands, the second one, and so on."""
_CENTRE_HEIGHT: Final = 0.24
_CENTRE_ROW: Final = 0.88
"""How wide a line of centre marks may be, in cells."""
_MOST_IN_LINE: Final = 9
"""Digits in a line; what is more goes into another one."""
_LINE: Final = 1.5
"""From a line to the next one, in heights of a digit."""
_DIGIT_WIDTH: Final = 0.82
"""Of a digit and the gap after it, in heights of the digit."""
_NUMBER_WIDTH: Final = MOST_WIDTH + 0.3
"""Of a number of two figures and the gap after it, likewise."""
_FEW_CORNERS: Final = 6
_SMALLER: Final = 0.7
"""Share of their height that more than few corner marks have where numbers are among them."""
CELL_COLOURS: Final = tuple(
    map(
        QColor,
        (
            "#e5534b", "#f0883e", "#f2cc60", "#57ab5a", "#39c5bb", "#539bf5", "#b083f0", "#f28fb5",
            "#8b949e",
        ),
    )
)  # fmt: skip
"""What a person may give to cells, numbered from 1."""
_COLOUR_STRENGTH: Final = 0.5
_BADGE: Final = QRectF(0.66, 0.05, 0.29, 0.34)
"""Where in a photographed cell the digit stands that was taken for what is printed there."""
_BADGE_MIDDLE: Final = (_BADGE.center().x(), _BADGE.center().y())

_WAVE_MS = 520

_SPREAD = 0.55
"""Share of the time by which the last cell begins after the first."""


def paint_digit(
    painter: QPainter,
    place: QTransform,
    symbol: str,
    colour: QColor,
    halo: QColor | None = None,
    height: float = DIGIT_HEIGHT,
    middle: tuple[float, float] = (0.5, 0.5),
) -> None:
    """Write what stands for a digit into a cell; a number of two figures is a little smaller."""
    if halo is not None:
        painter.fillPath(place.map(rim(symbol, height, middle)), halo)
    painter.fillPath(place.map(glyph(symbol, height, middle)), colour)


def group_notes(highlight: Highlight) -> dict[int, list[Note]]:
    """Return the notes of each cell that has some."""
    notes = defaultdict(list)
    for note in highlight.notes:
        notes[note.cell].append(note)
    return dict(notes)


class CellPainter:
    """Paints what one cell of a board shows, part by part."""

    def __init__(
        self,
        painter: QPainter,
        place: QTransform,
        inks: DigitInks,
        board: BoardViewModel,
        highlight: Highlight,
        cell: int,
    ) -> None:
        """`place` carries the unit square onto the cell."""
        self._painter, self._place, self._inks = painter, place, inks
        self.write = partial(paint_digit, painter, place)
        """Writes what stands for a digit, as `paint_digit` does."""
        self._board = board
        self.face = board.cells[cell]
        self.put = highlight.digits.get(cell, 0)
        """The digit that a highlight shows here, or 0."""
        self._mark = highlight.marks.get(cell)

    @property
    def is_wrong(self) -> bool:
        """Whether an entry stands here that is not what belongs here."""
        face = self.face
        return face.is_wrong or (face.entry != 0 and self.put not in (0, face.entry))

    def symbol(self, digit: int) -> str:
        """Return what stands for a digit."""
        return self._board.symbols[digit - 1]

    def fill(self, path: QPainterPath, colour: QColor) -> None:
        """Fill a path of the unit square."""
        self._painter.fillPath(self._place.map(path), colour)

    def tint(self) -> None:
        """Tint the cell for a doubt, and over it for a mark of a highlight."""
        if self.face.doubt is not None:
            self._wash(*_doubt_tint(self._inks, self.face.doubt))
        if self._mark is not None:
            self._wash(*_mark_tint(self._inks, self._mark))

    def colour(self) -> None:
        """Fill the cell with the one of the colours 1..9 that a person gave it."""
        if self.face.colour:
            self._wash(CELL_COLOURS[self.face.colour - 1], _COLOUR_STRENGTH)

    def _wash(self, colour: QColor, strength: float) -> None:
        self._painter.save()
        if self._inks.is_multiplied:
            self._painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        self._painter.setOpacity(self._painter.opacity() * strength)
        self.fill(_box(0.02), colour)
        self._painter.restore()

    def cover(self) -> None:
        """Cover what a photo shows here and what holds no more."""
        self.fill(_box(0.08), self._inks.paper)

    def solution(self, share: float) -> None:
        """Write the digit of the solution as far as it has appeared, 0..1."""
        painter, inks = self._painter, self._inks
        painter.save()
        painter.setOpacity(painter.opacity() * share)
        grown = QTransform.fromTranslate(0.5, 0.5).scale(0.8 + 0.2 * share, 0.8 + 0.2 * share)
        place, symbol = grown.translate(-0.5, -0.5) * self._place, self.symbol(self.face.solution)
        paint_digit(painter, place, symbol, inks.digit, inks.halo)
        painter.restore()

    def notes(self, notes: list[Note]) -> None:
        """Write small digits at their places: in rows of three, of large sides more."""
        inks = self._inks
        columns = max(3, ceil(sqrt(len(self._board.symbols))))
        top = _BELOW_SUMS if self._board.cages else 0.05
        step, down = 0.9 / columns, (0.95 - top) / columns
        height = _NOTE_HEIGHT * down / 0.3
        for note in notes:
            symbol, kind = self.symbol(note.digit), note.kind
            row, column = divmod(note.digit - 1, columns)
            middle = (0.05 + step * (column + 0.5), top + down * (row + 0.5))
            if kind is NoteKind.PLACED:
                self.fill(_disc(middle, down / 2), inks.digit)
                self.write(symbol, inks.paper, None, height, middle)
                continue
            colour = {NoteKind.REASON: inks.digit, NoteKind.REMOVED: _strong_red(inks)}.get(
                kind, inks.note
            )
            self.write(symbol, colour, inks.halo, height, middle)
            if kind is NoteKind.REMOVED:
                self.fill(_strike(middle, down), colour)

    def pencil(self) -> None:
        """Write what a person noted: digits in the corners, and lines in the middle."""
        face, ink = self.face, self._inks.entry or self._inks.written
        corners = _CORNERS[1:] if face.cage_sum else _CORNERS
        written = list(map(self.symbol, face.corner))
        is_crowded = len(written) > _FEW_CORNERS and any(len(symbol) > 1 for symbol in written)
        height = _NOTE_HEIGHT * (_SMALLER if is_crowded else 1)
        for symbol, middle in zip(written, corners, strict=False):
            self.write(symbol, ink, self._inks.halo, height, middle)
        for symbol, height, middle in _lay_lines(list(map(self.symbol, face.centre))):
            self.write(symbol, ink, self._inks.halo, height, middle)

    def sign(self) -> None:
        """Say by a tick, a cross or a question mark what a tint says by its colour alone."""
        mark, doubt = self._mark, self.face.doubt
        if mark is Mark.BAD or (doubt is Doubt.CONFLICT and mark is not Mark.GOOD):
            self.fill(_lines(_CROSS), _strong_red(self._inks))
        elif mark is Mark.GOOD:
            self.fill(_lines(_TICK), self._inks.digit)
        elif doubt is not None or mark is Mark.UNSURE:
            self.fill(_question_mark(), _badge_ink(self._inks, Doubt.UNSURE))

    def badge(self) -> None:
        """Say in the corner of a photographed cell what its print was taken for, and how."""
        face, inks, digit = self.face, self._inks, self.face.clue or self.face.entry
        self.fill(_badge(), inks.digit if face.is_by_hand else inks.paper)
        colour = inks.paper if face.is_by_hand else _badge_ink(inks, face.doubt)
        if digit:
            self.write(self.symbol(digit), colour, None, _BADGE_HEIGHT, _BADGE_MIDDLE)
        else:
            self.fill(_disc(_BADGE_MIDDLE, 0.045), colour)

    def hand_mark(self) -> None:
        """Draw the short line under a digit that a person set."""
        line = self._place.mapRect(QRectF(0.32, 0.88, 0.36, 0.045))
        self._painter.fillRect(line, self._inks.digit)

    def wrong_entry(self) -> None:
        """Write the entry small and struck out beside the solution, with a cross before it."""
        colour, symbol = _strong_red(self._inks), self.symbol(self.face.entry)
        self.write(symbol, colour, self._inks.halo, _BADGE_HEIGHT, _BADGE_MIDDLE)
        self.fill(_strike(_BADGE_MIDDLE), colour)
        self.fill(_lines(_CROSS_BESIDE), colour)


def _lay_lines(symbols: Sequence[str]) -> Iterator[tuple[str, float, tuple[float, float]]]:
    """Yield each centre mark with its height and its middle."""
    room = sum(map(_width_of, symbols))
    n_lines = max(ceil(room / (_MOST_IN_LINE * _DIGIT_WIDTH) - 1e-6), 1)
    each = ceil(len(symbols) / n_lines) or 1
    lines = [symbols[start : start + each] for start in range(0, len(symbols), each)]
    widest = max((sum(map(_width_of, line)) for line in lines), default=_DIGIT_WIDTH)
    height = min(_CENTRE_HEIGHT, _CENTRE_ROW / widest)
    for number, line in enumerate(lines):
        y = 0.5 + (number - (len(lines) - 1) / 2) * _LINE * height
        x = 0.5 - height * sum(map(_width_of, line)) / 2
        for symbol in line:
            width = height * _width_of(symbol)
            yield symbol, height, (x + width / 2, y)
            x += width


def _width_of(symbol: str) -> float:
    """Return the width of a note and the gap after it, in heights of a digit."""
    return _DIGIT_WIDTH if len(symbol) == 1 else _NUMBER_WIDTH


def _box(inset: float) -> QPainterPath:
    path = QPainterPath()
    path.addRect(QRectF(inset, inset, 1 - 2 * inset, 1 - 2 * inset))
    return path


def _badge() -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(_BADGE, 0.08, 0.08)
    return path


def _disc(middle: tuple[float, float], radius: float) -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(QPointF(*middle), radius, radius)
    return path


@lru_cache(maxsize=16)
def _strike(middle: tuple[float, float], step: float = 0.3) -> QPainterPath:
    """Return a line through a note; `step` is how far notes stand from each other."""
    x, y = middle
    path = QPainterPath(QPointF(x - 0.4 * step, y + step / 3))
    path.lineTo(x + 0.4 * step, y - step / 3)
    return _stroker(0.035).createStroke(path)


def _stroker(width: float) -> QPainterPathStroker:
    stroker = QPainterPathStroker()
    stroker.setWidth(width)
    stroker.setCapStyle(Qt.PenCapStyle.RoundCap)
    stroker.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return stroker


_TICK: Final = (((0.74, 0.86), (0.81, 0.93), (0.94, 0.77)),)
_CROSS: Final = (((0.77, 0.77), (0.93, 0.93)), ((0.93, 0.77), (0.77, 0.93)))
"""In the lower right corner of a cell, where neither a badge nor a note of 9 hides them."""

_CROSS_BESIDE: Final = (((0.09, 0.1), (0.25, 0.26)), ((0.25, 0.1), (0.09, 0.26)))
"""In the upper left corner, before a wrong entry that is struck out."""


@lru_cache(maxsize=3)
def _lines(lines: tuple[tuple[tuple[float, float], ...], ...]) -> QPainterPath:
    path = QPainterPath()
    for (x, y), *others in lines:
        path.moveTo(x, y)
        for other in others:
            path.lineTo(*other)
    return _stroker(0.055).createStroke(path).simplified()


@lru_cache(maxsize=1)
def _question_mark() -> QPainterPath:
    path = QPainterPath()
    path.addText(QPointF(0, 0), digit_font(_FONT_PX), "?")
    box = path.boundingRect()
    scale = 0.22 / box.height()
    return QTransform(
        scale, 0, 0, scale, 0.86 - scale * box.center().x(), 0.84 - scale * box.center().y()
    ).map(path)


def _doubt_tint(inks: DigitInks, doubt: Doubt) -> tuple[QColor, float]:
    if doubt is Doubt.CONFLICT:
        return inks.red, 0.6 if inks.is_multiplied else 0.4
    return inks.amber, 0.6 if inks.is_multiplied else 0.32


def _mark_tint(inks: DigitInks, mark: Mark) -> tuple[QColor, float]:
    gentle = 0.32 if inks.is_multiplied else 0.2
    return {
        Mark.UNIT: (inks.digit, gentle * 0.5),
        Mark.PATTERN: (inks.digit, gentle),
        Mark.TARGET: (inks.amber, gentle * 1.9),
        Mark.GOOD: (inks.digit, gentle),
        Mark.BAD: (inks.red, gentle * 1.7),
        Mark.UNSURE: (inks.amber, gentle * 1.3),
    }[mark]


def _strong_red(inks: DigitInks) -> QColor:
    return QColor(200, 40, 34) if inks.is_multiplied else inks.red


def _badge_ink(inks: DigitInks, doubt: Doubt | None) -> QColor:
    if doubt is Doubt.CONFLICT:
        return _strong_red(inks)
    if doubt is not None:
        return QColor(160, 92, 0) if inks.is_multiplied else inks.amber
    return inks.note


class Reveal(QVariantAnimation):
    """Tells how far each cell's digit has appeared, 0..1, and signals `valueChanged` meanwhile."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setStartValue(0.0)
        self.setEndValue(1.0)
        self.setDuration(_WAVE_MS)
        self._fresh: frozenset[int] = frozenset()
        self._side = 9

    def begin(
        self, old: BoardViewModel | None, new: BoardViewModel | None, *, is_still: bool
    ) -> None:
        """Let the digits appear that `new` shows and `old` does not, at once if `is_still`."""
        self.stop()
        wanted = [] if new is None else [face.solution for face in new.cells]
        shown = [] if old is None else [face.solution for face in old.cells]
        if len(shown) != len(wanted):
            shown = [0] * len(wanted)
        self._side = 9 if new is None else new.side
        self._fresh = frozenset(
            cell for cell, digit in enumerate(wanted) if digit and digit != shown[cell]
        )
        if is_still or not self._fresh:
            self._fresh = frozenset()
            return
        self.start()

    def share(self, cell: int) -> float:
        """Return how far the digit of a cell has appeared."""
        if cell not in self._fresh or self.state() == QAbstractAnimation.State.Stopped:
            return 1.0
        row, column = divmod(cell, self._side)
        delay = _SPREAD * (row + column) / (2 * self._side - 2)
        time = (float(self.currentValue() or 0.0) - delay) / (1 - _SPREAD)
        return QEasingCurve(QEasingCurve.Type.OutCubic).valueForProgress(min(max(time, 0.0), 1.0))
