"""How a cell is painted, on the photo in perspective and on the clean board alike.

Everything is drawn in a unit square and carried into place by the cell's own transform. A solution
appears in a short wave.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
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
from PySide6.QtGui import (
    QColor,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPen,
    QTransform,
)

from app.board.board_values import BoardFace, CellFace, Doubt
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
_BADGE: Final = QRectF(0.66, 0.05, 0.29, 0.34)
"""Where in a photographed cell the digit stands that was taken for what is printed there."""

_WAVE_MS = 520

_SPREAD = 0.55
"""Share of the time by which the last cell begins after the first."""


def paint_tint(
    painter: QPainter,
    place: QTransform,
    inks: DigitInks,
    doubt: Doubt | None,
    mark: Mark | None,
) -> None:
    """Tint a cell for a doubt, and over it for a mark of a highlight."""
    for colour, strength in (_doubt_tint(inks, doubt), _mark_tint(inks, mark)):
        if colour is not None:
            _fill(painter, place, inks, colour, strength)


def _fill(
    painter: QPainter, place: QTransform, inks: DigitInks, colour: QColor, strength: float
) -> None:
    painter.save()
    if inks.is_multiplied:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
    painter.setOpacity(painter.opacity() * strength)
    painter.fillPath(place.map(_box(0.02)), colour)
    painter.restore()


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


def paint_growing(
    painter: QPainter, place: QTransform, inks: DigitInks, symbol: str, share: float
) -> None:
    """Write a digit of the solution as far as it has appeared, 0..1."""
    painter.save()
    painter.setOpacity(painter.opacity() * share)
    grown = QTransform.fromTranslate(0.5, 0.5).scale(0.8 + 0.2 * share, 0.8 + 0.2 * share)
    paint_digit(painter, grown.translate(-0.5, -0.5) * place, symbol, inks.digit, inks.halo)
    painter.restore()


def group_notes(highlight: Highlight) -> dict[int, list[Note]]:
    """Return the notes of each cell that has some."""
    notes = defaultdict(list)
    for note in highlight.notes:
        notes[note.cell].append(note)
    return dict(notes)


def paint_notes(
    painter: QPainter, place: QTransform, inks: DigitInks, notes: list[Note], board: BoardFace
) -> None:
    """Write small digits at their places in a cell: in rows of three, of large sides more."""
    columns = max(3, ceil(sqrt(len(board.symbols))))
    top = _BELOW_SUMS if board.cages else 0.05
    step, down = 0.9 / columns, (0.95 - top) / columns
    height = _NOTE_HEIGHT * down / 0.3
    for note in notes:
        symbol, kind = board.symbols[note.digit - 1], note.kind
        row, column = divmod(note.digit - 1, columns)
        middle = (0.05 + step * (column + 0.5), top + down * (row + 0.5))
        if kind is NoteKind.PLACED:
            painter.fillPath(place.map(_disc(middle, down / 2)), inks.digit)
            paint_digit(painter, place, symbol, inks.paper, None, height, middle)
            continue
        colour = {NoteKind.REASON: inks.digit, NoteKind.REMOVED: _strong_red(inks)}.get(
            kind, inks.note
        )
        paint_digit(painter, place, symbol, colour, inks.halo, height, middle)
        if kind is NoteKind.REMOVED:
            painter.fillPath(place.map(_strike(middle, down)), colour)


def paint_colour(painter: QPainter, place: QTransform, inks: DigitInks, colour: int) -> None:
    """Fill a cell with one of the colours 1..9 that a person gives to cells."""
    _fill(painter, place, inks, CELL_COLOURS[colour - 1], inks.colour_strength)


def paint_cover(painter: QPainter, place: QTransform, inks: DigitInks) -> None:
    """Cover what a photo shows in a cell and what holds no more."""
    painter.fillPath(place.map(_box(0.08)), inks.paper)


def paint_pencil(
    painter: QPainter,
    place: QTransform,
    inks: DigitInks,
    face: CellFace,
    symbols: Sequence[str],
) -> None:
    """Write what a person noted into a cell: digits in the corners, and lines in the middle."""
    ink = inks.entry or inks.written
    corners = _CORNERS[1:] if face.cage_sum else _CORNERS
    written = [symbols[digit - 1] for digit in face.corner]
    is_crowded = len(written) > _FEW_CORNERS and any(len(symbol) > 1 for symbol in written)
    height = _NOTE_HEIGHT * (_SMALLER if is_crowded else 1)
    for symbol, middle in zip(written, corners, strict=False):
        paint_digit(painter, place, symbol, ink, inks.halo, height, middle)
    for symbol, height, middle in _lay_lines([symbols[digit - 1] for digit in face.centre]):
        paint_digit(painter, place, symbol, ink, inks.halo, height, middle)


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


def paint_sign(
    painter: QPainter, place: QTransform, inks: DigitInks, doubt: Doubt | None, mark: Mark | None
) -> None:
    """Say by a tick, a cross or a question mark what a tint says by its colour alone."""
    if mark is Mark.BAD or (doubt is Doubt.CONFLICT and mark is not Mark.GOOD):
        painter.fillPath(place.map(_lines(_CROSS)), _strong_red(inks))
    elif mark is Mark.GOOD:
        painter.fillPath(place.map(_lines(_TICK)), inks.digit)
    elif doubt is not None or mark is Mark.UNSURE:
        painter.fillPath(place.map(_question_mark()), _badge_ink(inks, Doubt.UNSURE))


def paint_focus(painter: QPainter, place: QRectF, colour: QColor) -> None:
    """Draw the line around what keys go to."""
    painter.setPen(QPen(colour, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(place.adjusted(2, 2, -2, -2))


def paint_badge(
    painter: QPainter,
    place: QTransform,
    inks: DigitInks,
    face: CellFace,
    symbols: Sequence[str],
) -> None:
    """Say in the corner of a photographed cell what its print was taken for, and how."""
    digit = face.clue or face.entry
    painter.fillPath(place.map(_badge()), inks.digit if face.is_by_hand else inks.paper)
    colour = inks.paper if face.is_by_hand else _badge_ink(inks, face.doubt)
    middle = (_BADGE.center().x(), _BADGE.center().y())
    if digit:
        paint_digit(painter, place, symbols[digit - 1], colour, None, _BADGE_HEIGHT, middle)
    else:
        painter.fillPath(place.map(_disc(middle, 0.045)), colour)


def paint_wrong_entry(painter: QPainter, place: QTransform, inks: DigitInks, symbol: str) -> None:
    """Write a wrong entry small and struck out beside the solution, with a cross before it."""
    colour = _strong_red(inks)
    middle = (_BADGE.center().x(), _BADGE.center().y())
    paint_digit(painter, place, symbol, colour, inks.halo, _BADGE_HEIGHT, middle)
    painter.fillPath(place.map(_strike(middle)), colour)
    painter.fillPath(place.map(_lines(_CROSS_BESIDE)), colour)


@lru_cache(maxsize=4)
def _box(inset: float) -> QPainterPath:
    path = QPainterPath()
    path.addRect(QRectF(inset, inset, 1 - 2 * inset, 1 - 2 * inset))
    return path


@lru_cache(maxsize=1)
def _badge() -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(_BADGE, 0.08, 0.08)
    return path


@lru_cache(maxsize=32)
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


def _doubt_tint(inks: DigitInks, doubt: Doubt | None) -> tuple[QColor | None, float]:
    if doubt is None:
        return None, 0.0
    if doubt is Doubt.CONFLICT:
        return inks.red, 0.6 if inks.is_multiplied else 0.4
    return inks.amber, 0.6 if inks.is_multiplied else 0.32


def _mark_tint(inks: DigitInks, mark: Mark | None) -> tuple[QColor | None, float]:
    if mark is None:
        return None, 0.0
    gentle = 0.32 if inks.is_multiplied else 0.2
    colour, strength = {
        Mark.UNIT: (inks.digit, gentle * 0.5),
        Mark.PATTERN: (inks.digit, gentle),
        Mark.TARGET: (inks.amber, gentle * 1.9),
        Mark.GOOD: (inks.digit, gentle),
        Mark.BAD: (inks.red, gentle * 1.7),
        Mark.UNSURE: (inks.amber, gentle * 1.3),
    }[mark]
    return colour, strength


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

    def begin(self, old: BoardFace | None, new: BoardFace | None, *, is_still: bool) -> None:
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
