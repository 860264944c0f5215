"""How long requests of a kind usually take here, so that a queue can be told in seconds.

How many may wait would say little: a photo takes a hundred times as long as a hint, and ten times
as long on a busy computer.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Final

_WEIGHT: Final = 0.2
"""Of the newest: half of what is known comes from the last three."""


class Pace:
    """What is known of each kind; nothing at first, so that the first ones may wait."""

    def __init__(self) -> None:
        self._usual: dict[Hashable, float] = {}

    def note(self, kind: Callable[..., Any], seconds: float) -> None:
        """Take into account how long one took."""
        before = self._usual.get(kind, seconds)
        self._usual[kind] = before + _WEIGHT * (seconds - before)

    def expect(self, kinds: Iterable[Callable[..., Any]], workers: int) -> float:
        """Return the seconds until so many workers have begun all of these."""
        return sum(self._usual.get(kind, 0.0) for kind in kinds) / workers
