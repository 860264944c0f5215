"""Draws the signs that the phone page writes over photos: outlines of the face of saved pictures.

    python packaging/make_page_glyphs.py

It writes `app/serve/page/glyphs.js`: each figure, and the letters of large boards, as an SVG path
in which the height of a zero is 1000, its middle at (0, 0), so that pages can carry it into a cell
of any perspective.
"""

import os
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
FACE: Final = ROOT / "vision" / "fonts" / "Nunito-Bold.ttf"
TARGET: Final = ROOT / "app" / "serve" / "page" / "glyphs.js"
_FONT_PX: Final = 1000
_SIGNS: Final = "0123456789ABCDEFGHIJKLMNOP"


def main() -> int:
    """Write the module."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication, QPainterPath

    _application = QGuiApplication([])
    families = QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(FACE)))
    font = QFont(families[0])
    font.setPixelSize(_FONT_PX)
    font.setWeight(QFont.Weight.Bold)

    def outline(sign: str) -> QPainterPath:
        path = QPainterPath()
        path.addText(QPointF(0, 0), font, sign)
        return path

    zero = outline("0").boundingRect()
    scale = 1000 / zero.height()
    lines = [
        "// The figures, and the letters of large boards, as outlines; made by",
        "// packaging/make_page_glyphs.py.",
        "export const GLYPHS = {",
    ]
    for sign in _SIGNS:
        path = outline(sign)
        # Signs share a baseline, which middles of their own boxes would not.
        middle = (path.boundingRect().center().x(), zero.center().y())
        points = [
            (round((at.x - middle[0]) * scale), round((at.y - middle[1]) * scale), at.type)
            for at in (path.elementAt(number) for number in range(path.elementCount()))
        ]
        lines.append(f'  {sign}: "{_as_svg(points)}",')
    TARGET.write_text("\n".join([*lines, "};", ""]), encoding="utf-8")
    return 0


def _as_svg(points: list[tuple[int, int, object]]) -> str:
    from PySide6.QtGui import QPainterPath

    kinds = QPainterPath.ElementType
    letters = {kinds.MoveToElement: "M", kinds.LineToElement: "L", kinds.CurveToElement: "C"}
    parts: list[str] = []
    for x, y, kind in points:
        if kind is kinds.MoveToElement and parts:
            parts.append("Z")
        parts.append(f"{letters.get(kind, '')}{x},{y}")
    return " ".join([*parts, "Z"])


if __name__ == "__main__":
    sys.exit(main())
