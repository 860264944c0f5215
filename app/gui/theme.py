"""Colours, type and icons: calm paper in the light theme, calm ink in the dark one, and one accent,
the colour in which solutions are written. The icons are lines in the colour of the text.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Any, Final

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget

import vision

THEMES: Final = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
    "contrast": Qt.ColorScheme.Dark,
}

_SIDE_PX: Final = 24


@dataclass(frozen=True)
class Theme:
    """The colours of the window, as `#rrggbb`."""

    window: str
    surface: str
    raised: str
    text: str
    muted: str
    line: str
    accent: str
    on_accent: str
    accent_soft: str
    canvas: str
    paper: str
    paper_line: str
    paper_bold: str
    entry: str
    amber: str
    red: str


_COLOURS: Final = """
window      #f6f4f0 #1d1f22 #000000
surface     #ffffff #26292d #000000
raised      #efece6 #2f3338 #262626
text        #23262b #eceae6 #ffffff
muted       #6a6e75 #9ea2a9 #e6e6e6
line        #e0dcd3 #383c42 #ffffff
accent      #0a7d46 #55cf90 #ffe14d
on_accent   #ffffff #0d2418 #000000
accent_soft #dcefe4 #21402f #3d3600
canvas      #e7e4dd #131416 #000000
paper       #ffffff #26292d #000000
paper_line  #c9c5bc #484c53 #a6a6a6
paper_bold  #3a3d42 #b9bcc2 #ffffff
entry       #4a6fa5 #8fb4e8 #7fd4ff
amber       #d98a00 #f0b040 #ffb84d
red         #c8322b #f0685f #ff8f87
"""
_NAMES, *_TABLE = zip(*map(str.split, _COLOURS.split("\n")[1:-1]), strict=True)
LIGHT, DARK, CONTRAST = (Theme(**dict(zip(_NAMES, colours, strict=True))) for colours in _TABLE)


def theme_of(widget: QWidget | None = None) -> Theme:
    """Return the colours that are in use."""
    colour = (widget or QApplication).palette().color(QPalette.ColorRole.Window)
    if not colour.alpha():
        # A style sheet lets the background of the window be seen.
        colour = QApplication.palette().color(QPalette.ColorRole.Window)
    if colour.name() == CONTRAST.window:
        return CONTRAST
    return DARK if colour.lightness() < 128 else LIGHT


def apply_theme(app: QApplication, name: str = "system") -> None:
    """Give the application the palette and style of one of `THEMES`, or the system's, if new."""
    hints = app.styleHints()
    if name in THEMES and hints.colorScheme() != THEMES[name]:
        # Frames and dialogs that the system draws follow where it lets them.
        hints.setColorScheme(THEMES[name])
    scheme = THEMES.get(name, Qt.ColorScheme.Unknown)
    if scheme == Qt.ColorScheme.Unknown:
        scheme = hints.colorScheme()
    theme = DARK if scheme == Qt.ColorScheme.Dark else LIGHT
    if name == "contrast" or (name == "system" and wants_contrast(app)):
        theme = CONTRAST
    palette, sheet = _palette(theme), _style_sheet(theme)
    if app.palette() == palette and app.styleSheet() == sheet:
        return  # every widget that there is would be dressed anew
    app.setStyle("Fusion")
    app.setPalette(palette)
    app.setStyleSheet(sheet)


def wants_contrast(app: Any) -> bool:
    """Tell whether the system asks for high contrast; `app` has style hints, as applications do."""
    return _preference(app, "contrastPreference") == "HighContrast"


def wants_motion(app: Any) -> bool:
    """Tell whether the system lets things move."""
    return _preference(app, "motionPreference") != "ReducedMotion"


def _preference(app: Any, name: str) -> str:
    """Return what the system prefers, "" where Qt is too old to know: before 6.10, or 6.12."""
    accessibility = getattr(app.styleHints(), "accessibility", None)
    preference = getattr(accessibility() if accessibility else None, name, None)
    return "" if preference is None else str(preference().name)


def digit_font(size_px: int) -> QFont:
    """Return the face in which digits are written, the same as in saved pictures."""
    font = QFont(_digit_family())
    font.setPixelSize(size_px)
    font.setWeight(QFont.Weight.Bold)
    return font


@lru_cache(maxsize=1)
def _digit_family() -> str:
    path = Path(vision.__path__[0]) / "fonts" / "Nunito-Bold.ttf"
    families = QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(path)))
    return families[0] if families else QApplication.font().family()


def _palette(theme: Theme) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for roles, colour in (
        ((role.Window, role.Button), theme.window),
        ((role.Base, role.ToolTipBase), theme.surface),
        ((role.AlternateBase,), theme.raised),
        ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText), theme.text),
        ((role.PlaceholderText,), theme.muted),
        ((role.Highlight, role.Accent, role.Link), theme.accent),
        ((role.HighlightedText,), theme.on_accent),
        ((role.Mid, role.Dark), theme.line),
        ((role.Light, role.Midlight), theme.raised),
    ):
        for one in roles:
            palette.setColor(one, QColor(colour))
    for one in (role.WindowText, role.Text, role.ButtonText):
        faded = QColor(theme.muted)
        faded.setAlpha(140)
        palette.setColor(QPalette.ColorGroup.Disabled, one, faded)
    return palette


def _style_sheet(theme: Theme) -> str:
    text = Path(__file__).with_name("style.qss").read_text(encoding="utf-8")
    return Template(text).substitute(vars(theme))


def icon(name: str, ink: str, chosen_ink: str | None = None) -> QIcon:
    """Return an icon of `icon/shapes.json` in a colour, and in another where it is switched on."""
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


@lru_cache(maxsize=1)
def _shapes() -> dict[str, str]:
    """Return the elements of SVG that each icon is drawn with, by its name."""
    text = Path(__file__).with_name("icon").joinpath("shapes.json").read_text(encoding="utf-8")
    shapes: dict[str, str] = json.loads(text)
    return shapes


def _draw(name: str, ink: str) -> QPixmap:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="INK" '
        'stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">'
        f"{_shapes()[name]}</svg>"
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
