"""Colours, type and icons: calm paper in the light theme, calm ink in the dark one, and one accent,
the colour in which solutions are written. The icons are lines in the colour of the text.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
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


LIGHT: Final = Theme(
    window="#f6f4f0",
    surface="#ffffff",
    raised="#efece6",
    text="#23262b",
    muted="#6a6e75",
    line="#e0dcd3",
    accent="#0a7d46",
    on_accent="#ffffff",
    accent_soft="#dcefe4",
    canvas="#e7e4dd",
    paper="#ffffff",
    paper_line="#c9c5bc",
    paper_bold="#3a3d42",
    entry="#4a6fa5",
    amber="#d98a00",
    red="#c8322b",
)
DARK: Final = Theme(
    window="#1d1f22",
    surface="#26292d",
    raised="#2f3338",
    text="#eceae6",
    muted="#9ea2a9",
    line="#383c42",
    accent="#55cf90",
    on_accent="#0d2418",
    accent_soft="#21402f",
    canvas="#131416",
    paper="#26292d",
    paper_line="#484c53",
    paper_bold="#b9bcc2",
    entry="#8fb4e8",
    amber="#f0b040",
    red="#f0685f",
)


CONTRAST: Final = Theme(
    window="#000000",
    surface="#000000",
    raised="#262626",
    text="#ffffff",
    muted="#e6e6e6",
    line="#ffffff",
    accent="#ffe14d",
    on_accent="#000000",
    accent_soft="#3d3600",
    canvas="#000000",
    paper="#000000",
    paper_line="#a6a6a6",
    paper_bold="#ffffff",
    entry="#7fd4ff",
    amber="#ffb84d",
    red="#ff8f87",
)


def is_dark(widget: QWidget | None = None) -> bool:
    """Tell whether the window is drawn dark."""
    return theme_of(widget) is not LIGHT


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
    """Give the application a palette and a style.

    Args:
        app: the application.
        name: one of `THEMES`; "system" takes what the system has now.
    """
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
    app.setStyle("Fusion")
    app.setPalette(_palette(theme))
    app.setStyleSheet(_style_sheet(theme))


def wants_contrast(app: Any) -> bool:
    """Tell whether the system asks for high contrast; `app` has style hints, as applications do."""
    accessibility = getattr(app.styleHints(), "accessibility", None)  # since Qt 6.10
    preference = getattr(accessibility() if accessibility else None, "contrastPreference", None)
    return preference is not None and bool(preference().name == "HighContrast")


def wants_motion(app: QApplication) -> bool:
    """Tell whether the system lets things move."""
    hints = app.styleHints()
    accessibility = getattr(hints, "accessibility", None)  # since Qt 6.10
    preference = getattr(accessibility() if accessibility else None, "motionPreference", None)
    if preference is not None:  # since Qt 6.12
        return bool(preference().name != "ReducedMotion")
    return True


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
    return f"""
    QToolTip {{ background: {theme.surface}; color: {theme.text};
        border: 1px solid {theme.line}; padding: 4px 6px; }}
    QMainWindow::separator {{ background: {theme.line}; width: 1px; height: 1px; }}
    QSplitter::handle {{ background: {theme.line}; }}
    QMenuBar {{ background: {theme.window}; padding: 2px 8px; }}
    QMenuBar::item {{ padding: 5px 9px; border-radius: 6px; background: transparent; }}
    QMenuBar::item:selected {{ background: {theme.raised}; }}
    QMenu {{ background: {theme.surface}; border: 1px solid {theme.line}; padding: 6px; }}
    QMenu::item {{ padding: 6px 26px 6px 12px; border-radius: 5px; }}
    QMenu::item:selected {{ background: {theme.accent_soft}; color: {theme.text}; }}
    QMenu::item:disabled {{ color: {theme.muted}; }}
    QMenu::separator {{ height: 1px; background: {theme.line}; margin: 5px 8px; }}
    QMenu::icon {{ padding-left: 8px; }}
    QToolBar {{ background: {theme.window}; border: none; border-bottom: 1px solid {theme.line};
        padding: 7px 12px; spacing: 3px; }}
    QToolBar::separator {{ background: {theme.line}; width: 1px; margin: 6px 7px; }}
    QToolButton {{ border: none; border-radius: 8px; padding: 6px 10px; color: {theme.text}; }}
    QToolButton:disabled {{ color: {theme.muted}; }}
    QToolButton:hover {{ background: {theme.raised}; }}
    QToolButton:checked {{ background: {theme.accent_soft}; }}
    QToolButton:pressed {{ background: {theme.line}; }}
    QToolButton:focus {{ outline: none; border: 2px solid {theme.accent}; padding: 4px 8px; }}
    QToolButton#qt_menubar_ext_button, QToolButton#qt_toolbar_ext_button {{ padding: 0; }}
    QToolButton::menu-indicator {{ image: none; }}
    QPushButton {{ border: 1px solid {theme.line}; border-radius: 8px; padding: 6px 14px;
        background: {theme.surface}; color: {theme.text}; }}
    QPushButton:hover {{ background: {theme.raised}; }}
    QPushButton:checked {{ background: {theme.accent_soft}; border-color: {theme.accent}; }}
    QPushButton:focus {{ border: 2px solid {theme.accent}; padding: 5px 13px; }}
    QPushButton:disabled {{ color: {theme.muted}; }}
    QPushButton[kind="primary"] {{ background: {theme.accent}; color: {theme.on_accent};
        border-color: {theme.accent}; }}
    QPushButton[kind="primary"]:focus {{ border: 2px solid {theme.text}; }}
    QPushButton[kind="primary"]:disabled {{ background: {theme.raised}; color: {theme.muted};
        border-color: {theme.line}; }}
    QPushButton[kind="digit"] {{ padding: 0; border-color: transparent; }}
    QPushButton[kind="digit"]:hover {{ background: {theme.accent_soft}; }}
    QPushButton[kind="link"] {{ border: none; background: transparent; color: {theme.accent};
        padding: 4px 8px; }}
    QPushButton[kind="link"]:hover {{ background: {theme.accent_soft}; }}
    QPushButton[kind="link"]:focus {{ border: 2px solid {theme.accent}; padding: 2px 6px; }}
    QCheckBox {{ spacing: 9px; padding: 2px; border: 2px solid transparent; border-radius: 6px; }}
    QCheckBox:focus {{ border-color: {theme.accent}; }}
    QCheckBox:disabled {{ color: {theme.muted}; }}
    QCheckBox::indicator {{ width: 14px; height: 14px; border: 1px solid {theme.muted};
        border-radius: 4px; background: {theme.surface}; }}
    QCheckBox::indicator:checked {{ background: {theme.accent}; border-color: {theme.accent}; }}
    QLineEdit, QComboBox, QSpinBox {{ border: 1px solid {theme.line}; border-radius: 7px;
        selection-background-color: {theme.accent};
        padding: 5px 8px; background: {theme.surface}; }}
    QLineEdit:focus, QComboBox:focus, QSpinBox:focus {{ border: 2px solid {theme.accent};
        padding: 4px 7px; }}
    QListView {{ border: 2px solid transparent; border-radius: 8px; background: transparent;
        outline: none; }}
    QListView:focus {{ border-color: {theme.accent}; }}
    QSlider {{ border: 2px solid transparent; border-radius: 8px; }}
    QSlider:focus {{ border-color: {theme.accent}; }}
    FilmStrip::item {{ border-radius: 10px; padding: 5px 0; color: {theme.muted}; }}
    FilmStrip::item:hover {{ background: {theme.raised}; }}
    FilmStrip::item:selected {{ background: {theme.accent_soft}; color: {theme.text}; }}
    QScrollBar:vertical {{ background: transparent; width: 10px; margin: 2px; }}
    QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 2px; }}
    QScrollBar::handle {{ background: {theme.line}; border-radius: 3px; min-height: 28px;
        min-width: 28px; }}
    QScrollBar::handle:hover {{ background: {theme.muted}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QTabBar::tab {{ padding: 8px 14px; border: none; color: {theme.muted};
        border-bottom: 2px solid transparent; background: transparent; }}
    QTabBar::tab:selected {{ color: {theme.text}; border-bottom-color: {theme.accent}; }}
    QTabBar::tab:hover {{ color: {theme.text}; }}
    QTabWidget::pane {{ border: none; border-top: 1px solid {theme.line}; }}
    QProgressBar {{ border: none; background: {theme.line}; border-radius: 1px; max-height: 3px; }}
    QProgressBar::chunk {{ background: {theme.accent}; }}
    """


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
