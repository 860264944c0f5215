"""Simple line icons of our own, drawn in the colour of the text; no icon theme is needed."""

from typing import Final

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

_SIDE_PX: Final = 24

_SHAPES: Final = {
    "open": '<path d="M3 7.5V18a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2V9.5a2 2 0 0 0-2-2h-7l-2-3H5a2 2 0 0 '
    '0-2 2z"/>',
    "paste": '<rect x="5" y="5" width="14" height="16" rx="2"/><path d="M9 5V3.5h6V5M9 11h6M9 '
    '15h4"/>',
    "camera": '<path d="M4 8h3l2-3h6l2 3h3a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9a1 1 0 '
    '0 1 1-1z"/><circle cx="12" cy="13.5" r="3.6"/>',
    "live": '<rect x="2.5" y="6.5" width="13" height="11" rx="2"/><path d="M15.5 10.8l6-3.3v9'
    'l-6-3.3"/>',
    "phone": '<rect x="7" y="2.5" width="10" height="19" rx="2.2"/><path d="M10.8 18.5h2.4"/>',
    "pause": '<path d="M8.5 5.5v13M15.5 5.5v13"/>',
    "mirror": '<path d="M12 3.5v17" stroke-dasharray="2.4 2.6"/><path d="M9 7.5L3.5 17H9zM15 7.5'
    'L20.5 17H15z"/>',
    "photo": '<rect x="3" y="4.5" width="18" height="15" rx="2"/><circle cx="8.5" cy="9.5" '
    'r="1.6"/><path d="M4 17l5-4.5 3.5 3 3-2.5 4.5 4"/>',
    "board": '<rect x="3.5" y="3.5" width="17" height="17" rx="2"/><path d="M9.2 3.5v17M14.8 '
    '3.5v17M3.5 9.2h17M3.5 14.8h17"/>',
    "both": '<rect x="3" y="4.5" width="18" height="15" rx="2"/><path d="M12 4.5v15M12 9.5h9M12 '
    '14.5h9M16.5 4.5v15"/>',
    "eye": '<path d="M2.5 12S6 5.8 12 5.8 21.5 12 21.5 12 18 18.2 12 18.2 2.5 12 2.5 12z"/><circle '
    'cx="12" cy="12" r="2.8"/>',
    "hint": '<path d="M9 18h6M10 21h4M12 3a6.2 6.2 0 0 0-3.8 11.1c.6.5.9 1.1.9 1.9h5.8c0-.8.3'
    '-1.4.9-1.9A6.2 6.2 0 0 0 12 3z"/>',
    "walk": '<path d="M8 5.5v13l10.5-6.5z"/>',
    "undo": '<path d="M8.5 5L4 9.5 8.5 14M4 9.5h10a5.5 5.5 0 0 1 0 11h-3"/>',
    "redo": '<path d="M15.5 5L20 9.5 15.5 14M20 9.5H10a5.5 5.5 0 0 0 0 11h3"/>',
    "corners": '<path d="M5 6l13-1.5 1.5 13.5L6.5 19z"/><circle cx="5" cy="6" r="2" '
    'fill="INK"/><circle cx="18" cy="4.5" r="2" fill="INK"/><circle cx="19.5" cy="18" r="2" '
    'fill="INK"/><circle cx="6.5" cy="19" r="2" fill="INK"/>',
    "fit": '<path d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5"/>',
    "near": '<circle cx="10.5" cy="10.5" r="6.5"/><path d="M15.5 15.5L21 21M7.5 10.5h6'
    'M10.5 7.5v6"/>',
    "far": '<circle cx="10.5" cy="10.5" r="6.5"/><path d="M15.5 15.5L21 21M7.5 10.5h6"/>',
    "share": '<path d="M12 15V4M8 7.5L12 3.5l4 4M5 12v7a1.5 1.5 0 0 0 1.5 1.5h11A1.5 '
    '1.5 0 0 0 19 19v-7"/>',
    "history": '<path d="M4 12a8 8 0 1 0 2.6-5.9L4 8.5M4 4v4.5h4.5M12 8v4.5l3 2"/>',
    "new": '<path d="M12 5v14M5 12h14"/>',
    "type": '<path d="M4 17.5V20h2.5L18.5 8 16 5.5 4 17.5zM14 7.5l2.5 2.5"/>',
    "print": '<path d="M7 9V3.5h10V9M7 17H4.5V9.5h15V17H17"/><rect x="7" y="14" width="10" '
    'height="6.5"/>',
    "close": '<path d="M6 6l12 12M18 6L6 18"/>',
    "read": '<path d="M4 6h16M4 12h10M4 18h7"/><path d="M15 17l2 2 4-4.5"/>',
    "preferences": '<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/>'
    '<circle cx="9" cy="17" r="2"/>',
    "menu": '<path d="M4 7h16M4 12h16M4 17h16"/>',
    "solve": '<rect x="3.5" y="3.5" width="17" height="17" rx="2"/><path d="M7.5 16.5l.8-3 6.7-6.7'
    ' 2.2 2.2-6.7 6.7z"/>',
    "digit": '<rect x="3.5" y="3.5" width="17" height="17" rx="2"/><path d="M10 9.2l3-2.2v10"/>',
    "corner": '<rect x="3.5" y="3.5" width="17" height="17" rx="2"/>'
    '<path d="M6.6 7.6l1.4-1v3.8M15.8 '
    '7.6l1.4-1v3.8M6.6 14.6l1.4-1v3.8"/>',
    "centre": '<rect x="3.5" y="3.5" width="17" height="17" rx="2"/>'
    '<path d="M7.3 11l1.4-1v4.4M11.6 '
    '11l1.4-1v4.4M15.9 11l1.4-1v4.4"/>',
    "colour": '<rect x="3.5" y="3.5" width="17" height="17" rx="2"/>'
    '<path d="M4 18.5L18.5 4h0a2 2 0 '
    '0 1 2 2v12.5a2 2 0 0 1-2 2H6z" fill="INK"/>',
    "conflict": '<path d="M12 4.5l8.5 15h-17zM12 10.5v4M12 17v.2"/>',
    "save": '<path d="M12 4v11M8 11.5l4 4 4-4M5 19.5h14"/>',
    "copy": '<rect x="8.5" y="8.5" width="12" height="12" rx="2"/><path d="M15.5 8.5V5.5a2 2 '
    '0 0 0-2-2h-8a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h3"/>',
}


def icon(name: str, ink: str, chosen_ink: str | None = None) -> QIcon:
    """Return an icon of `_SHAPES` in a colour, and in another where it is switched on."""
    made, drawn = QIcon(), _draw(name, ink)
    made.addPixmap(drawn)
    if chosen_ink is not None:
        made.addPixmap(_draw(name, chosen_ink), QIcon.Mode.Normal, QIcon.State.On)
    faded = QPixmap(drawn.size())
    faded.setDevicePixelRatio(drawn.devicePixelRatio())
    faded.fill(Qt.GlobalColor.transparent)
    painter = QPainter(faded)
    painter.setOpacity(0.35)
    painter.drawPixmap(0, 0, drawn)
    painter.end()
    made.addPixmap(faded, QIcon.Mode.Disabled)
    return made


def _draw(name: str, ink: str) -> QPixmap:
    """Draw for screens of any density: three pixels for each of an ordinary one."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="INK" '
        'stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">'
        f"{_SHAPES[name]}</svg>"
    ).replace("INK", ink)
    ratio = 3
    pixmap = QPixmap(_SIDE_PX * ratio, _SIDE_PX * ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(svg.encode())).render(
        painter, QRectF(0, 0, _SIDE_PX * ratio, _SIDE_PX * ratio)
    )
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
