"""A photo that is open, or a puzzle without one, and its pixels in the two forms they have."""

import time
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QPainter

from app.board.board_forms import face_of
from app.board.board_state import BoardState, PhotoState
from app.board.board_values import BoardViewModel, PlayClock
from app.board.saved_session import SavedDocument
from app.board.timeline import Timeline, turn_image, turn_timeline
from app.recognition.outcome import Outcome
from app.recognition.results import PhotoResult
from vision.drawing.overlay import is_dark_board
from vision.geometry import Image8, Points
from vision.media.decoding import Photo
from vision.media.images import ImageError, ImageFault, load_photo

Source = Path | QImage | bytes

_MOST_PAPERS: Final = 32
"""Places of boards of which is known whether they are dark; a page has a few."""
_SMALL: Final = QSize(208, 156)


class Pixels(NamedTuple):
    """A photo, loaded.

    Attributes:
        image: (H, W, 3) uint8 BGR, upright.
        checksum: tells whether another photo is the same.
        is_whole: whether no part of the file was missing.
        pages: in the file, of which this is the first.
        turns: quarter turns clockwise from how the file has it.
    """

    image: Image8
    picture: QImage
    small: QImage
    checksum: int
    is_whole: bool
    pages: int
    turns: int


@dataclass(eq=False)
class Document:
    """What is open.

    Attributes:
        source: the file, what was pasted, or a file's bytes that a phone sent; None for a puzzle
            that was typed.
        pixels: of the photo; None until it is loaded, and while it is asleep.
        small: the photo as a small picture; None until it was loaded once.
        checksum: of the pixels that its boards are of; None until they were loaded once.
        is_whole: whether no part of the file was missing.
        timeline: its boards, as they are and as they were.
        result: what came of the photo before anything was corrected.
        outcome: how the photo ended; None while it is worked on.
        seconds: what the pipeline took, last time.
        stage: of the pipeline, while it runs; "" else.
        fault: why the file cannot be shown, if so.
        is_searching: whether that is to find the boards of the photo, from the beginning.
        is_search_dropped: whether such a search ended because a board was corrected meanwhile.
        is_cancelled: whether what was done was called off.
        turns: quarter turns clockwise that the photo is wanted to be turned by.
        turned: those that its boards are in line with; the same, but while it is loaded anew.
        date: when the file was written, or what has none was opened, in seconds since 1970.
        saved: how a photo of the last session was left, until it is read again.
        clocks: how long its boards were played, by their numbers.
        papers: whether a board's paper is dark, by the pixels' checksum and its lattice, as far as
            that was looked for.
    """

    name: str
    source: Source | None = None
    pixels: Pixels | None = None
    small: QImage | None = None
    checksum: int | None = None
    is_whole: bool = True
    pages: int = 1
    timeline: Timeline = field(default_factory=lambda: Timeline(PhotoState()))
    result: PhotoResult | None = None
    outcome: Outcome | None = None
    seconds: float = 0.0
    stage: str = ""
    fault: ImageFault | None = None
    message: str = ""
    job: int | None = None
    is_searching: bool = False
    is_search_dropped: bool = False
    is_cancelled: bool = False
    has_failed: bool = False
    turns: int = 0
    turned: int = 0
    date: float = field(default_factory=time.time)
    saved: SavedDocument | None = None
    clocks: dict[int, PlayClock] = field(default_factory=dict)
    papers: list[tuple[int | None, Points, bool]] = field(default_factory=list)

    @property
    def path(self) -> Path | None:
        """The file it is from, if any."""
        return self.source if isinstance(self.source, Path) else None

    @property
    def is_typed(self) -> bool:
        """Whether it is a puzzle without a photo."""
        return self.source is None

    @property
    def image(self) -> Image8 | None:
        """(H, W, 3) uint8 BGR, upright, where the pixels are there."""
        return None if self.pixels is None else self.pixels.image

    @property
    def picture(self) -> QImage | None:
        """The photo for Qt, where the pixels are there."""
        return None if self.pixels is None else self.pixels.picture

    @property
    def state(self) -> PhotoState:
        """What is known now."""
        return self.timeline.present

    @property
    def board(self) -> BoardState | None:
        """The board that is looked at."""
        return self.state.board

    @property
    def looked_at(self) -> tuple[object, ...]:
        """What tells the board that is looked at from others, whatever is done to it."""
        return self, self.result, self.state.chosen

    @property
    def is_working(self) -> bool:
        """Whether something is still to be found out."""
        return self.job is not None

    def end_work(self) -> None:
        """Note that nothing is worked on any more."""
        self.job, self.stage, self.is_searching = None, "", False

    def take_pixels(self, pixels: Pixels) -> bool:
        """Take in what was loaded, and turn the boards as it is turned.

        Return whether it is another picture, as of a file that was written anew: what was known of
        the one before is forgotten.
        """
        is_other = self.checksum not in (None, pixels.checksum)
        more = (pixels.turns - self.turned) % 4
        self.turned = pixels.turns
        if more:
            height, width = pixels.image.shape[:2]
            before = (height, width) if more % 2 else (width, height)
            self.timeline = turn_timeline(self.timeline, before, more)
        self.pixels, self.small, self.checksum = pixels, pixels.small, pixels.checksum
        self.is_whole, self.pages, self.fault = pixels.is_whole, pixels.pages, None
        self.outcome = None if self.result is None else self.result.outcome
        if is_other:
            self.timeline, self.result = Timeline(PhotoState()), None
        return is_other

    def faces(self, *, are_conflicts_wanted: bool = False) -> list[BoardViewModel]:
        """Return what the boards show, in play with marks on what breaks the rules on wish."""
        return [
            face_of(held, is_dark=self._is_dark(held), are_conflicts_wanted=are_conflicts_wanted)
            for held in self.state.boards
        ]

    def _is_dark(self, held: BoardState) -> bool:
        image, lattice = self.image, held.board.lattice
        if image is None:
            return False
        for checksum, known, is_dark in self.papers:
            if checksum == self.checksum and known is lattice:
                return is_dark
        is_dark = is_dark_board(image, lattice)
        self.papers = [*self.papers[1 - _MOST_PAPERS :], (self.checksum, lattice, is_dark)]
        return is_dark


def load_pixels(source: Source, name: str, turns: int) -> Pixels:
    """Return a photo in every form in which it is needed, after so many quarter turns clockwise.

    Raises:
        ImageError: if it cannot be read; the text tells of it by its name.
    """
    if isinstance(source, QImage):
        photo = Photo(from_qimage(source))
    else:
        photo = load_photo(source, name=name)
    image = turn_image(photo.pixels, turns) if turns else photo.pixels
    picture = to_qimage(image)
    expanding = Qt.AspectRatioMode.KeepAspectRatioByExpanding
    small = picture.scaled(_SMALL, expanding, Qt.TransformationMode.SmoothTransformation)
    # Of the file's own picture, which is known again whichever way it is turned.
    checksum = zlib.crc32(np.ascontiguousarray(photo.pixels).data)
    return Pixels(image, picture, small, checksum, photo.is_whole, photo.pages, turns)


def to_qimage(image: Image8) -> QImage:
    """Return a picture of Qt with pixels of its own, in the format that is painted fastest."""
    height, width = image.shape[:2]
    data = np.ascontiguousarray(image).data
    borrowed = QImage(data, width, height, 3 * width, QImage.Format.Format_BGR888)
    return borrowed.convertToFormat(QImage.Format.Format_RGB32)


def from_qimage(picture: QImage) -> Image8:
    """Return the pixels of a picture of Qt, (H, W, 3) uint8 BGR, what is transparent over white.

    Raises:
        ImageError: if there are no pixels.
    """
    if picture.isNull():
        raise ImageError("the picture is empty; copy it again", ImageFault.EMPTY)
    flat = picture
    if picture.hasAlphaChannel():
        flat = QImage(picture.size(), QImage.Format.Format_RGB32)
        flat.fill(0xFFFFFFFF)
        painter = QPainter(flat)
        painter.drawImage(0, 0, picture)
        painter.end()
    flat = flat.convertToFormat(QImage.Format.Format_BGR888)
    rows = np.frombuffer(flat.constBits(), np.uint8).reshape(flat.height(), flat.bytesPerLine())
    pixels = rows[:, : 3 * flat.width()].reshape(flat.height(), flat.width(), 3)
    # Copied: the memory goes with the picture, which rows without padding would borrow for ever.
    return pixels.copy()
