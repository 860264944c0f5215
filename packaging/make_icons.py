"""Draws the program's icon in the sizes that desktops ask for.

    python packaging/make_icons.py

The drawing is `app/gui/icon/sudoku-lens.svg`; the pictures beside it are made of it, and those of
the phone page in `app/serve/page`.
"""

import os
import sys
from pathlib import Path
from typing import Final

ICON: Final = Path(__file__).parents[1] / "app" / "gui" / "icon" / "sudoku-lens.svg"
SIDES_PX: Final = (16, 24, 32, 48, 64, 128, 256)
PAGE: Final = ICON.parents[2] / "serve" / "page"
_PAPER: Final = "#f6f4f0"
_ROOM: Final = 0.1
"""Beside the drawing where phones cut icons to a shape of their own, as part of the side."""

_MASKABLE_ROOM: Final = 0.17
"""Nothing of the drawing may lie outside of a circle of four fifths of the side."""


def main() -> int:
    """Write a picture for every size."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QRectF, Qt
    from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    _application = QGuiApplication([])
    drawing = QSvgRenderer(str(ICON))
    clear = QColor(Qt.GlobalColor.transparent)
    wanted = [(ICON.with_name(f"{ICON.stem}-{side}.png"), side, 0.0, clear) for side in SIDES_PX]
    wanted += [(PAGE / f"icon-{side}.png", side, 0.0, clear) for side in (192, 512)]
    wanted.append((PAGE / "icon-180.png", 180, _ROOM, QColor(_PAPER)))
    wanted.append((PAGE / "icon-maskable-512.png", 512, _MASKABLE_ROOM, QColor(_PAPER)))
    for path, side, room, ground in wanted:
        picture = QImage(side, side, QImage.Format.Format_ARGB32)
        picture.fill(ground)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = room * side
        drawing.render(painter, QRectF(edge, edge, side - 2 * edge, side - 2 * edge))
        painter.end()
        if not picture.save(str(path)):
            print(f"{path} cannot be written", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
