"""Draws the program's icon in the sizes that desktops ask for.

    python packaging/make_icons.py

The drawing is `app/gui/icon/sudoku-lens.svg`; the pictures beside it are made of it.
"""

import os
import sys
from pathlib import Path
from typing import Final

ICON: Final = Path(__file__).parents[1] / "app" / "gui" / "icon" / "sudoku-lens.svg"
SIDES_PX: Final = (16, 24, 32, 48, 64, 128, 256)


def main() -> int:
    """Write a picture for every size."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QRectF, Qt
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    _application = QGuiApplication([])
    drawing = QSvgRenderer(str(ICON))
    for side in SIDES_PX:
        picture = QImage(side, side, QImage.Format.Format_ARGB32)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        drawing.render(painter, QRectF(0, 0, side, side))
        painter.end()
        path = ICON.with_name(f"{ICON.stem}-{side}.png")
        if not picture.save(str(path)):
            print(f"{path} cannot be written", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
