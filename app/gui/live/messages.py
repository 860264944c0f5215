"""What the status line says of live pictures, calmly: it does not follow every flicker."""

from typing import Final

from PySide6.QtCore import QObject

from app.gui.window.status_line import Mood, StatusMessage
from app.live.live_view import LiveState

GO_ON: Final = "go_on"
AGAIN: Final = "again"
"""What the buttons of the status line ask for."""

_PATIENCE_SECONDS: Final = 0.4
"""How long something must last until it is said; a solution is told at once."""


class CalmState:
    """Passes over states that are gone before they could be read."""

    def __init__(self) -> None:
        self._told = LiveState.SEARCHING
        self._coming = LiveState.SEARCHING
        self._since = 0.0

    def follow(self, state: LiveState, seconds: float) -> LiveState:
        """Return what to say in a state at a time, in seconds."""
        # Where a board was a moment ago it is looked for, as anywhere else.
        state = LiveState.SEARCHING if state is LiveState.LOST else state
        if state is not self._coming:
            self._coming, self._since = state, seconds
        if state is LiveState.SOLVED or seconds - self._since >= _PATIENCE_SECONDS:
            self._told = state
        return self._told


class LiveWords(QObject):
    """Writes statuses; an object of Qt only so that its sentences are translated."""

    def of_state(self, state: LiveState, *, is_frozen: bool) -> StatusMessage:
        """Return what to say of the board."""
        mood, headline, detail = {
            LiveState.READING: (
                Mood.WORKING,
                self.tr("Reading the digits…"),
                self.tr("Hold the page still for a moment."),
            ),
            LiveState.SOLVED: (
                Mood.GOOD,
                " · ".join([self.tr("Solved"), self.tr("exactly one solution")]),
                "",
            ),
            LiveState.AMBIGUOUS: (
                Mood.DOUBTFUL,
                self.tr("More than one solution"),
                self.tr("Perhaps a digit is hidden: come nearer, and hold the page flat."),
            ),
            LiveState.NO_SOLUTION: (
                Mood.DOUBTFUL,
                self.tr("The digits contradict each other"),
                self.tr("Perhaps one is misread: come nearer, or get more light."),
            ),
            LiveState.UNREADABLE: (
                Mood.DOUBTFUL,
                self.tr("Not all digits can be read yet"),
                self.tr("Come nearer, hold the page still, or get more light."),
            ),
        }.get(
            state,
            (
                Mood.IDLE,
                self.tr("Looking for a Sudoku"),
                self.tr("Hold the page so that the whole grid is in the picture."),
            ),
        )
        if is_frozen:
            frozen = self.tr("The picture is frozen.")
            return StatusMessage(mood, headline, frozen, self.tr("Go on"), GO_ON)
        return StatusMessage(mood, headline, detail)

    def getting_ready(self) -> StatusMessage:
        """Return what to say until boards can be read."""
        return StatusMessage(Mood.WORKING, self.tr("Getting ready…"))

    def opening(self) -> StatusMessage:
        """Return what to say until the first picture is there."""
        return StatusMessage(Mood.WORKING, self.tr("Waiting for the first picture…"))

    def unable(self, error: str) -> StatusMessage:
        """Return what to say where the networks are missing."""
        return StatusMessage(Mood.BAD, self.tr("Boards cannot be read here"), _as_sentence(error))

    def no_camera(self) -> StatusMessage:
        """Return what to say where there is no camera."""
        return StatusMessage(
            Mood.IDLE,
            self.tr("No camera was found"),
            self.tr("Plug one in, or choose a video file or an address above."),
        )

    def missing_part(self, error: str) -> StatusMessage:
        """Return what to say where cameras cannot be used for want of a library."""
        if "PySide6.QtMultimedia" in error and "No module" in error:
            advice = self.tr("Install it with: pip install pyside6-addons")
        elif "libpulse" in error:
            advice = self.tr("Install it with: sudo apt install libpulse0")
        else:
            advice = self.tr("The system says: {}").format(error)
        others = self.tr("Video files and addresses can be shown without it.")
        headline = self.tr("Cameras need a part that is not installed")
        return StatusMessage(Mood.DOUBTFUL, headline, f"{advice}. {others}")

    def unplugged(self) -> StatusMessage:
        """Return what to say of a camera that is gone."""
        return StatusMessage(
            Mood.DOUBTFUL,
            self.tr("The camera was unplugged"),
            self.tr("Plug it in again and it goes on, or choose another source."),
        )

    def forbidden(self) -> StatusMessage:
        """Return what to say where the system allows no camera."""
        return StatusMessage(
            Mood.DOUBTFUL,
            self.tr("The camera may not be used"),
            self.tr("Allow it in the privacy settings of the system, then try again."),
            self.tr("Try again"),
            AGAIN,
        )

    def silent(self) -> StatusMessage:
        """Return what to say of a camera that shows nothing."""
        return StatusMessage(
            Mood.DOUBTFUL,
            self.tr("The camera shows no picture"),
            self.tr("Perhaps another program uses it: close that one, then try again."),
            self.tr("Try again"),
            AGAIN,
        )

    def failed(self, error: str) -> StatusMessage:
        """Return what to say of a file or an address that cannot be shown."""
        headline = self.tr("This source cannot be shown")
        return StatusMessage(Mood.BAD, headline, _as_sentence(error), self.tr("Try again"), AGAIN)

    def ended(self) -> StatusMessage:
        """Return what to say after the last picture."""
        return StatusMessage(
            Mood.IDLE, self.tr("The video has ended"), "", self.tr("Play again"), AGAIN
        )


def _as_sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "." if text else ""
