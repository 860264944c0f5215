"""The photo in the scene, from a pyramid of halved pictures, so that it is sharp and fast far away
as well as near.
"""

from typing import Final

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QGraphicsItem, QLabel, QStyleOptionGraphicsItem, QWidget

_LEAST_SIDE_PX: Final = 300


class PhotoItem(QGraphicsItem):
    """Shows a picture; one unit of the scene is one of its pixels."""

    def __init__(self, picture: QImage) -> None:
        super().__init__()
        self._levels = [picture]

    @property
    def picture(self) -> QImage:
        """The picture in full."""
        return self._levels[0]

    def boundingRect(self) -> QRectF:
        """Return the photo's rectangle."""
        return QRectF(self.picture.rect())

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        """Paint the exposed part from the smallest picture that is fine enough."""
        device = painter.device()
        ratio = device.devicePixelRatioF() if device is not None else 1.0
        scale = option.levelOfDetailFromTransform(painter.worldTransform()) * ratio
        level, picture = 0, self.picture
        while scale < 0.5 and min(picture.width(), picture.height()) > _LEAST_SIDE_PX:
            level, scale = level + 1, scale * 2
            picture = self._level(level)
        exposed = option.exposedRect.intersected(self.boundingRect())
        across = picture.width() / self.picture.width()
        down = picture.height() / self.picture.height()
        source = QRectF(
            exposed.x() * across,
            exposed.y() * down,
            exposed.width() * across,
            exposed.height() * down,
        )
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, scale < 3)
        painter.drawImage(exposed, picture, source)

    def _level(self, level: int) -> QImage:
        while len(self._levels) <= level:
            last = self._levels[-1]
            half = QSizeF(last.width() / 2, last.height() / 2).toSize()
            smooth = Qt.TransformationMode.SmoothTransformation
            self._levels.append(last.scaled(half, Qt.AspectRatioMode.IgnoreAspectRatio, smooth))
        return self._levels[level]


def make_instead(parent: QWidget) -> QLabel:
    """Return what says in a photo's place why it cannot be shown; it is hidden at first."""
    label = QLabel(parent)
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setMargin(24)
    label.hide()
    return label
