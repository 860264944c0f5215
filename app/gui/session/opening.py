"""Where photos come from: the dialog, what is dropped, what is pasted, and what was open before."""

from pathlib import Path
from typing import Final

from PySide6.QtCore import QLoggingCategory, QMimeData, QSettings
from PySide6.QtGui import QImage

SUFFIXES: Final = (
    ".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".tif", ".tiff", ".bmp", ".gif", ".avif",
)  # fmt: skip
"""What the dialog offers; other files may be dropped, and are judged by their content."""

_MOST_RECENT: Final = 12
_RECENT_KEY: Final = "opened/recent"


def sample_path() -> Path:
    """Return the page that ships with the program; this project drew it itself."""
    return Path(__file__).parents[1] / "sample.jpg"


def quiet_qt() -> None:
    """Keep Qt from writing to the terminal which libraries it does without, and what files lack.

    What matters to people is told by the window itself.
    """
    QLoggingCategory.setFilterRules(
        "qt.multimedia.symbolsresolver=false\nqt.multimedia.ffmpeg.info=false\n"
        "qt.gui.imageio.*=false"
    )


def holds_photos(data: QMimeData) -> bool:
    """Tell whether something that is dragged or pasted may be opened."""
    return data.hasImage() or bool(files_in(data))


def files_in(data: QMimeData) -> list[Path]:
    """Return the local files among what is dragged or pasted; of folders their pictures."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return [path for named in paths for path in unfold(named)]


def image_in(data: QMimeData) -> QImage | None:
    """Return the picture that is dragged or pasted as pixels, or None."""
    if not data.hasImage():
        return None
    image = data.imageData()
    return image if isinstance(image, QImage) and not image.isNull() else None


def recent_files(settings: QSettings) -> list[Path]:
    """Return the files that were opened lately, the last first, as far as they still exist."""
    stored = settings.value(_RECENT_KEY, [])
    # A single value comes back from a file as a string.
    names = stored if isinstance(stored, list) else [stored]
    return [path for name in names if name and (path := Path(str(name))).is_file()]


def remember_file(settings: QSettings, path: Path) -> list[Path]:
    """Put a file first among those that were opened lately, and return them."""
    path = path.absolute()
    paths = [path, *(old for old in recent_files(settings) if old != path)][:_MOST_RECENT]
    settings.setValue(_RECENT_KEY, [str(one) for one in paths])
    return paths


def forget_files(settings: QSettings) -> None:
    """Forget what was opened."""
    settings.remove(_RECENT_KEY)


def unfold(path: Path) -> list[Path]:
    """Return the pictures that lie in a folder, by name; of what is no folder, itself.

    A folder that may not be read has none.
    """
    try:
        inner = sorted(path.iterdir()) if path.is_dir() else None
    except OSError:
        return []
    return [path] if inner is None else [one for one in inner if one.suffix.lower() in SUFFIXES]
