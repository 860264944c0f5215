"""When a live session looks for a board: not in blurred frames, and thoroughly now and then."""

from typing import Final

import numpy as np

from vision.tracker.key_frame import Frame, measure_change, measure_sharpness

_QUICK_SEARCHES: Final = 4
"""Searches in vain before a thorough one, which may take a second where there is no board."""

_REST: Final = 4.0
"""Mean change of a coarse pixel, in grey levels, below which the picture rests."""

_REST_SECONDS: Final = 0.4
"""Rest before a thorough search: while the camera moves on, a quick one comes sooner."""

_THOROUGH_SECONDS: Final = 2.0
"""Least time between two of those."""

_SHARPNESS_SECONDS: Final = 1.0
"""Time in which it is forgotten how sharp frames were."""

_BLURRED: Final = 0.5
"""Share of the usual sharpness below which a frame is blurred."""

_PAN: Final = 12.0
"""Mean change of a coarse pixel, in grey levels, from which on the picture flies past: a page that
comes in moves by a cell from frame to frame."""

_SMEARED: Final = 0.65
"""Share of the sharpness with which a board was found last, below which such a frame is smeared."""

_PAN_PATIENCE: Final = 3.0
"""How much longer a search waits then: it would be in vain, and miss the first sharp frame."""


class SearchPace:
    """Decides which frames are searched, and how."""

    def __init__(self, patience: float) -> None:
        """Begin with no frame seen; `patience` is how long a search waits for a sharp one."""
        self._patience = patience
        self._searches = 0
        self._thorough_at: float | None = None
        self._moved_at = 0.0
        self._change = 0.0
        self._sharpness = 0.0
        self._found_sharpness = 0.0
        self._usual_sharpness = 0.0
        self._waiting_since: float | None = None

    def observe(self, before: Frame | None, frame: Frame, seconds: float, elapsed: float) -> None:
        """Take in a frame, and the one before it, `elapsed` seconds earlier."""
        self._change = 0.0 if before is None else measure_change(before, frame)
        if before is None or self._change > _REST:
            self._moved_at = seconds
        self._sharpness = measure_sharpness(frame)
        self._usual_sharpness *= float(np.exp(-elapsed / _SHARPNESS_SECONDS))
        self._usual_sharpness = max(self._usual_sharpness, self._sharpness)

    def may_search(self, seconds: float) -> bool:
        """Tell whether the frame is worth a search: in a blurred one it takes long, in vain."""
        if self._waiting_since is None:
            self._waiting_since = seconds
        is_blurred = self._sharpness < _BLURRED * self._usual_sharpness
        is_smeared = self._sharpness < _SMEARED * self._found_sharpness
        patience = self._patience
        if is_smeared and self._change > _PAN:
            is_blurred, patience = True, _PAN_PATIENCE * patience
        if is_blurred and seconds - self._waiting_since < patience:
            return False
        self._waiting_since = None
        return True

    def is_wide_due(self, seconds: float, is_unsolved: bool) -> bool:
        """Tell whether the next search should look for other boards than those of side 9, too.

        While the camera moves, a quick one in the next frame is worth more at first.

        Args:
            seconds: the time.
            is_unsolved: a board is followed that is not solved.
        """
        if self._searches >= _QUICK_SEARCHES:
            return True
        return (self._searches > 0 or is_unsolved) and self._is_at_rest(seconds)

    def _is_at_rest(self, seconds: float) -> bool:
        return seconds - self._moved_at >= _REST_SECONDS

    def is_thorough_due(self, seconds: float) -> bool:
        """Count a search, and tell whether it should be thorough."""
        self._searches += 1
        last = self._thorough_at
        is_recent = last is not None and seconds - last < _THOROUGH_SECONDS
        if self._searches <= _QUICK_SEARCHES or is_recent or not self._is_at_rest(seconds):
            return False
        self._searches, self._thorough_at = 0, seconds
        return True

    def find(self) -> None:
        """Note that a board was found."""
        self._searches = 0
        self._found_sharpness = self._sharpness
