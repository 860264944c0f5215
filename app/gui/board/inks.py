"""The colours of boards: on photos of light ones and of dark ones, and on the clean board."""

from dataclasses import dataclass, field
from typing import Final

from PySide6.QtGui import QColor

from app.gui.style.theme import Theme


@dataclass(frozen=True)
class DigitInks:
    """With what a board is painted.

    Attributes:
        digit: the solution and what a step puts; and selection.
        paper: behind badges.
        note: small digits.
        amber: what is doubtful.
        red: what breaks the rules.
        halo: around what is written over a photo; None on the clean board.
        clue: printed digits; None on a photo, where they are to be seen.
        entry: written digits; None on a photo.
        is_multiplied: whether tints lie on paper like a marker's ink.
        written: what is written in play over a photo.
        colour_strength: of the colours that a person gives to cells, 0..1.
    """

    digit: QColor
    paper: QColor
    note: QColor
    amber: QColor
    red: QColor
    halo: QColor | None = None
    clue: QColor | None = None
    entry: QColor | None = None
    is_multiplied: bool = False
    written: QColor = field(default_factory=lambda: QColor(30, 80, 170))
    colour_strength: float = 0.5


ON_PAPER: Final = DigitInks(
    digit=QColor(10, 125, 70),
    paper=QColor(255, 255, 255),
    note=QColor(70, 74, 82),
    amber=QColor(255, 190, 70),
    red=QColor(240, 90, 80),
    halo=QColor(255, 255, 255),
    is_multiplied=True,
)
ON_DARK: Final = DigitInks(
    digit=QColor(110, 240, 150),
    paper=QColor(25, 25, 25),
    note=QColor(200, 204, 210),
    amber=QColor(240, 176, 64),
    red=QColor(240, 104, 95),
    halo=QColor(25, 25, 25),
    written=QColor(140, 190, 255),
)


def clean_inks(theme: Theme) -> DigitInks:
    """Return what the clean board is painted with."""
    return DigitInks(
        digit=QColor(theme.accent),
        paper=QColor(theme.paper),
        note=QColor(theme.muted),
        amber=QColor(theme.amber),
        red=QColor(theme.red),
        clue=QColor(theme.text),
        entry=QColor(theme.entry),
    )
