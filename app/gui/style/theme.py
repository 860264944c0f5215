"""Colours and type: calm paper in the light theme, calm ink in the dark one, and one accent, the
colour in which solutions are written.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QWidget

import vision

THEMES: Final = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
    "contrast": Qt.ColorScheme.Dark,
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
