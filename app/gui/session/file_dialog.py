"""The dialog that opens photos: the system's own, which shows them small, or Qt's with thumbnails
of ours.
"""

from functools import lru_cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QFileInfo, QSize, Qt
from PySide6.QtGui import QIcon, QImageReader, QPixmap
from PySide6.QtWidgets import QFileDialog, QFileIconProvider, QWidget

from app.gui.session.opening import SUFFIXES

translate = QCoreApplication.translate

_THUMB: Final = QSize(72, 72)
_MOST_BYTES: Final = 40_000_000
"""Larger files get no thumbnail, so that scrolling stays quick."""


class PhotoIcons(QFileIconProvider):
    """Shows photos as themselves."""

    def icon(self, info: QFileInfo | QFileIconProvider.IconType) -> QIcon:
        """Return a thumbnail where Qt can read the file, else the usual icon."""
        if isinstance(info, QFileInfo) and f".{info.suffix().lower()}" in SUFFIXES:
            made = _thumbnail(info.filePath(), info.lastModified().toMSecsSinceEpoch(), info.size())
            if made is not None:
                return made
        return super().icon(info)


def make_photo_dialog(parent: QWidget, folder: Path, *, is_native: bool = True) -> QFileDialog:
    """Return a dialog for several photos; `open` it and listen to `filesSelected`.

    Args:
        parent: the window that it belongs to.
        folder: where it begins.
        is_native: take the system's own dialog where there is one.
    """
    dialog = QFileDialog(parent, translate("PhotoDialog", "Open photos"), str(folder))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    patterns = " ".join(f"*{suffix}" for suffix in SUFFIXES)
    dialog.setNameFilters(
        [
            translate("PhotoDialog", "Photos") + f" ({patterns})",
            translate("PhotoDialog", "All files") + " (*)",
        ]
    )
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog, not is_native)
    if not is_native:
        icons = PhotoIcons()
        dialog.setIconProvider(icons)
        # The dialog does not own its provider.
        dialog.setProperty("icons", icons)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return dialog


@lru_cache(maxsize=500)
def _thumbnail(path: str, changed_ms: int, size: int) -> QIcon | None:
    if size > _MOST_BYTES:
        return None
    reader = QImageReader(path)
    reader.setAutoTransform(True)
    full = reader.size()
    if full.isValid():
        # JPEG is decoded at about this size, which takes a tenth of the time.
        reader.setScaledSize(full.scaled(_THUMB, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    return None if image.isNull() else QIcon(QPixmap.fromImage(image))
