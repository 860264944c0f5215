"""What boards are painted with: the inks of light photos, of dark ones and of the clean board; the
outlines of digits, each worked out once; the lines between cells, around regions and cages.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import product
from math import isqrt
from typing import Any, Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPen,
    QPolygonF,
    QRegion,
    QTransform,
)

from app.board.board_values import DIGIT_CHARS, BoardViewModel
from app.gui.theme import Theme, digit_font

DIGIT_HEIGHT: Final = 0.56
"""Of large digits, in cells; what saved pictures have."""

_TWO_FIGURES: Final = 0.82
"""Height of a number of two figures, in heights of a digit; what saved pictures have."""

MOST_WIDTH: Final = 1.12
"""Of a number of two figures, in heights of a digit: as wide as badges have room for."""

_FONT_PX: Final = 200

PIXEL_CENTRE: Final = 0.5
"""Lattices have pixel centres at integers, painters and scenes have pixel corners there."""

_FINE: Final = 256.0
"""Side of the cell in which curves are cut into straight pieces, in pixels: cells are seldom shown
larger."""

_SHORTEST: Final = 3.0
"""Straight pieces of a digit that are shorter are left out where its halo is drawn, in the same
pixels: that takes a third of the time, and nothing of it is seen."""

_HALO: Final = 0.055

_INSET: Final = 0.08
"""From the edge of a cell to the line, in cells."""

_SUM_HEIGHT: Final = 0.24
"""Of the font of sums, in cells."""

_LEAST_FONT_PX: Final = 6
_DOTS: Final = (2.0, 2.5)

_Line = tuple[tuple[float, float], ...]
"""Points x, y in cells of the board."""


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


def cosmetic_pen(colour: QColor, width_px: float) -> QPen:
    """Return a pen for lines with round corners that are as wide at any zoom."""
    pen = QPen(colour, width_px)
    pen.setCosmetic(True)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


def outline_board(lattice: Sequence[Sequence[Any]]) -> QPainterPath:
    """Return the outline of a board in the scene: through all crossings at its edge.

    `lattice` has n + 1 lines of n + 1 points (x, y), in pixels of the photo.
    """
    around = [
        *lattice[0],
        *(line[-1] for line in lattice[1:]),
        *lattice[-1][-2::-1],
        *(line[0] for line in lattice[-2:0:-1]),
    ]
    path = QPainterPath()
    path.addPolygon(QPolygonF([scene_point(x, y) for x, y in around]))
    path.closeSubpath()
    return path


def scene_point(x: float, y: float) -> QPointF:
    """Return where a point of a lattice lies in the scene."""
    return QPointF(x + PIXEL_CENTRE, y + PIXEL_CENTRE)


def outline_digits() -> Iterator[Callable[[], object]]:
    """Yield steps that work out what digits look like, 4 ms each, before the first is painted."""
    for symbol in DIGIT_CHARS[:9]:
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


@lru_cache(maxsize=16)
def lines_of(regions: tuple[int, ...]) -> tuple[list[QLineF], list[QLineF]]:
    """Return the lines between the cells of a region, and those around regions, in cells.

    Args:
        regions: number of the region of each place, -1 where there is no cell.
    """
    n = isqrt(len(regions))

    def region_at(row: int, column: int) -> int:
        return regions[row * n + column] if 0 <= row < n and 0 <= column < n else -1

    thin: list[QLineF] = []
    bold: list[QLineF] = []
    for row, column in product(range(n + 1), repeat=2):
        here = region_at(row, column)
        for other, line in (
            (region_at(row - 1, column), QLineF(column, row, column + 1, row)),
            (region_at(row, column - 1), QLineF(column, row, column, row + 1)),
        ):
            if other != here:
                bold.append(line)
            elif here >= 0:
                thin.append(line)
    return thin, bold


def paint_cages(painter: QPainter, board: QRectF, face: BoardViewModel, ink: QColor) -> None:
    """Draw the cages of a board into its square; the lines leave room for the sums."""
    if not face.cages:
        return
    side = board.width() / face.side
    font = digit_font(max(round(_SUM_HEIGHT * side), _LEAST_FONT_PX))
    metrics = QFontMetricsF(font)
    sums: dict[int, QRectF] = {}
    for cell, one in enumerate(face.cells):
        if one.cage_sum:
            row, column = divmod(cell, face.side)
            left, top = board.x() + column * side + 1.5, board.y() + row * side + 0.5
            width = metrics.horizontalAdvance(str(one.cage_sum)) + 2
            sums[cell] = QRectF(left, top, width, metrics.ascent())
    painter.save()
    free = QRegion(board.toAlignedRect())
    for place in sums.values():
        free -= QRegion(place.toAlignedRect())
    painter.setClipRegion(free, Qt.ClipOperation.IntersectClip)
    lines = QPainterPath()
    for line in outline_cages(face.cages, face.side):
        first, *others = [QPointF(board.x() + x * side, board.y() + y * side) for x, y in line]
        lines.moveTo(first)
        for point in others:
            lines.lineTo(point)
    pen = QPen(ink, 1.0)
    pen.setDashPattern(_DOTS)
    painter.strokePath(lines, pen)
    painter.restore()
    painter.setFont(font)
    painter.setPen(ink)
    for cell, place in sums.items():
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(face.cells[cell].cage_sum))


def outline_cages(cages: Sequence[int], side: int) -> Iterator[_Line]:
    """Yield the lines around the cages of a board, a little inside of their cells.

    `cages` has the number of each cell's cage, -1 for none.
    """

    def is_inside(cage: int, row: int, column: int) -> bool:
        is_on_board = 0 <= row < side and 0 <= column < side
        return is_on_board and cages[row * side + column] == cage

    for cell, cage in enumerate(cages):
        if cage < 0:
            continue
        row, column = divmod(cell, side)
        up, down, left, right = (
            is_inside(cage, row + down, column + right)
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1))
        )
        top, bottom = row + _INSET, row + 1 - _INSET
        start, end = column + _INSET, column + 1 - _INSET
        # Up to the edge where the cage goes on, so that the line does, too.
        x0, x1 = (column if left else start), (column + 1 if right else end)
        y0, y1 = (row if up else top), (row + 1 if down else bottom)
        if not up:
            yield (x0, top), (x1, top)
        if not down:
            yield (x0, bottom), (x1, bottom)
        if not left:
            yield (start, y0), (start, y1)
        if not right:
            yield (end, y0), (end, y1)
        for is_corner, down_by, right_by in (
            (up and left, -1, -1), (up and right, -1, 1),
            (down and left, 1, -1), (down and right, 1, 1),
        ):  # fmt: skip
            if is_corner and not is_inside(cage, row + down_by, column + right_by):
                y, edge_y = (top, row) if down_by < 0 else (bottom, row + 1)
                x, edge_x = (start, column) if right_by < 0 else (end, column + 1)
                yield (edge_x, y), (x, y), (x, edge_y)
