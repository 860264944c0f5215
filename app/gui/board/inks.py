"""What boards are painted with: colours on light photos, on dark ones and on the clean board, and
the outlines of digits in a unit cell, each worked out once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainterPath,
    QPainterPathStroker,
    QPolygonF,
    QTransform,
)

from app.board.board_face import SIGNS
from app.gui.style.theme import Theme, digit_font

DIGIT_HEIGHT: Final = 0.56
"""Of large digits, in cells; what saved pictures have."""

_TWO_FIGURES: Final = 0.82
"""Height of a number of two figures, in heights of a digit; what saved pictures have."""

MOST_WIDTH: Final = 1.12
"""Of a number of two figures, in heights of a digit: as wide as badges have room for."""

_FONT_PX: Final = 200

_FINE: Final = 256.0
"""Side of the cell in which curves are cut into straight pieces, in pixels: cells are seldom shown
larger."""

_SHORTEST: Final = 3.0
"""Straight pieces of a digit that are shorter are left out where its halo is drawn, in the same
pixels: that takes a third of the time, and nothing of it is seen."""

_HALO: Final = 0.055


@dataclass(frozen=True)
class DigitInks:
    """With what a board is painted.

    Attributes:
        digit: the solution and what a step puts; and selection.
        paper: behind badges.
        note: small digits.
        amber: what is doubtful.
        red: what breaks the rules.
        halo: around what is written over a photo; None on the clean board.
        clue: printed digits; None on a photo, where they are to be seen.
        entry: written digits; None on a photo.
        is_multiplied: whether tints lie on paper like a marker's ink.
        written: what is written in play over a photo.
        colour_strength: of the colours that a person gives to cells, 0..1.
    """

    digit: QColor
    paper: QColor
    note: QColor
    amber: QColor
    red: QColor
    halo: QColor | None = None
    clue: QColor | None = None
    entry: QColor | None = None
    is_multiplied: bool = False
    written: QColor = field(default_factory=lambda: QColor(30, 80, 170))
    colour_strength: float = 0.5


ON_PAPER: Final = DigitInks(
    digit=QColor(10, 125, 70),
    paper=QColor(255, 255, 255),
    note=QColor(70, 74, 82),
    amber=QColor(255, 190, 70),
    red=QColor(240, 90, 80),
    halo=QColor(255, 255, 255),
    is_multiplied=True,
)
ON_DARK: Final = DigitInks(
    digit=QColor(110, 240, 150),
    paper=QColor(25, 25, 25),
    note=QColor(200, 204, 210),
    amber=QColor(240, 176, 64),
    red=QColor(240, 104, 95),
    halo=QColor(25, 25, 25),
    written=QColor(140, 190, 255),
)


def clean_inks(theme: Theme) -> DigitInks:
    """Return what the clean board is painted with."""
    return DigitInks(
        digit=QColor(theme.accent),
        paper=QColor(theme.paper),
        note=QColor(theme.muted),
        amber=QColor(theme.amber),
        red=QColor(theme.red),
        clue=QColor(theme.text),
        entry=QColor(theme.entry),
    )


def outline_digits() -> Iterator[Callable[[], object]]:
    """Yield steps that work out what digits look like, 4 ms each, before the first is painted."""
    for symbol in SIGNS[:9]:
        for outline in (glyph, rim):
            yield partial(outline, symbol, DIGIT_HEIGHT, (0.5, 0.5))


@lru_cache(maxsize=512)
def glyph(symbol: str, height: float, middle: tuple[float, float]) -> QPainterPath:
    """Return the outline of what stands for a digit in a unit cell, in short straight pieces."""
    return _small(_large_glyph(symbol, height, middle))


@lru_cache(maxsize=512)
def rim(symbol: str, height: float, middle: tuple[float, float]) -> QPainterPath:
    """Return the outline of it and its halo in a unit cell, in few straight pieces."""
    stroker = QPainterPathStroker()
    stroker.setWidth(2 * _FINE * _HALO * max(height / DIGIT_HEIGHT, 0.6))
    stroker.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    # Around each corner of the digit the halo is round, which takes many pieces.
    path = _thinned(_large_glyph(symbol, height, middle))
    return _small(stroker.createStroke(path).united(path))


@lru_cache(maxsize=512)
def _large_glyph(symbol: str, height: float, middle: tuple[float, float]) -> QPainterPath:
    """Return the outline of what stands for a digit in a cell whose side is `_FINE`."""
    font = digit_font(_FONT_PX)
    path = QPainterPath()
    path.addText(QPointF(0, 0), font, symbol)
    # The strokes of a digit overlap, which must leave no holes.
    path.setFillRule(Qt.FillRule.WindingFill)
    zero = QFontMetricsF(font).tightBoundingRect("0")
    scale = _FINE * height / zero.height()
    across = scale
    if len(symbol) > 1:
        scale *= _TWO_FIGURES
        across = min(scale, _FINE * height * MOST_WIDTH / path.boundingRect().width())
    move = QTransform.fromTranslate(_FINE * middle[0], _FINE * middle[1]).scale(across, scale)
    # Digits share a baseline, which middles of their own boxes would not.
    move.translate(-path.boundingRect().center().x(), -zero.center().y())
    return move.map(path).simplified()


def _thinned(path: QPainterPath) -> QPainterPath:
    """Return a path of straight pieces without its shortest ones."""
    thin = QPainterPath()
    thin.setFillRule(path.fillRule())
    for polygon in path.toSubpathPolygons():
        first, *others = (polygon.at(number) for number in range(polygon.size()))
        kept = [first]
        for point in others:
            if (point - kept[-1]).manhattanLength() >= _SHORTEST:
                kept.append(point)
        thin.addPolygon(QPolygonF(kept))
        thin.closeSubpath()
    return thin


def _small(path: QPainterPath) -> QPainterPath:
    """Return a path from a cell whose side is `_FINE` in a unit cell.

    Straight pieces stay straight in perspective, while Qt cuts each curve into hundreds.
    """
    flat = QPainterPath()
    flat.setFillRule(Qt.FillRule.WindingFill)
    for polygon in path.toSubpathPolygons():
        flat.addPolygon(polygon)
        flat.closeSubpath()
    flat.setFillRule(path.fillRule())
    return QTransform.fromScale(1 / _FINE, 1 / _FINE).map(flat)
