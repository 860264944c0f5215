"""The lines of a board: those between cells, around regions, and around cages with their sums."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import isqrt
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QRegion

from app.board.board_values import BoardFace
from app.gui.style.theme import digit_font

_INSET: Final = 0.08
"""From the edge of a cell to the line, in cells."""

_SUM_HEIGHT: Final = 0.24
"""Of the font of sums, in cells."""

_LEAST_FONT_PX: Final = 6
_DOTS: Final = (2.0, 2.5)

Line = tuple[tuple[float, float], ...]
"""Points x, y in cells of the board."""


@lru_cache(maxsize=16)
def lines_of(regions: tuple[int, ...]) -> tuple[list[QLineF], list[QLineF]]:
    """Return the lines between the cells of a region, and those around regions.

    Args:
        regions: number of the region of each place, -1 where there is no cell.

    Returns:
        In units of cells, from the board's top left.
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


def paint_cages(painter: QPainter, board: QRectF, face: BoardFace, ink: QColor) -> None:
    """Draw the cages of a board into its square; the lines leave room for the sums."""
    if not face.cages:
        return
    side = board.width() / face.side
    font = digit_font(max(round(_SUM_HEIGHT * side), _LEAST_FONT_PX))
    metrics = QFontMetricsF(font)
    sums = {
        cell: (QRectF(0, 0, metrics.horizontalAdvance(str(one.cage_sum)) + 2, metrics.ascent()))
        for cell, one in enumerate(face.cells)
        if one.cage_sum
    }
    for cell, place in sums.items():
        row, column = divmod(cell, face.side)
        place.moveTo(board.x() + column * side + 1.5, board.y() + row * side + 0.5)
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


def outline_cages(cages: Sequence[int], side: int) -> Iterator[Line]:
    """Yield the lines around the cages of a board, a little inside of their cells.

    Args:
        cages: number of the cage of each cell, -1 for none.
        side: of the board.
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
