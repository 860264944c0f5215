"""How long a queue is, in seconds, and who has to make room in it.

How many may wait would say little: a photo takes a hundred times as long as a hint, and ten times
as long on a busy computer.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar

_WEIGHT: Final = 0.2
"""Of the newest: half of what is known comes from the last three."""

_MOST_TIMES: Final = 4.0
"""How many times as long as the others one counts: a single photo must not shut the door."""


class Pace:
    """What is known of each kind; nothing at first, so that the first ones may wait."""

    def __init__(self) -> None:
        self._usual: dict[Hashable, float] = {}

    def note(self, kind: Callable[..., Any], seconds: float) -> None:
        """Take into account how long one took; one that took very long is no rule yet."""
        before = self._usual.get(kind, seconds)
        self._usual[kind] = before + _WEIGHT * (min(seconds, _MOST_TIMES * before) - before)

    def expect(self, kinds: Iterable[Callable[..., Any]], workers: int) -> float:
        """Return the seconds until so many workers have begun all of these."""
        return sum(self._usual.get(kind, 0.0) for kind in kinds) / workers


class Waiting(Protocol):
    """A request that waits."""

    client: str


_W = TypeVar("_W", bound=Waiting)


def choose_to_go(waiting: Sequence[_W], held: Mapping[str, int], client: str) -> _W | None:
    """Return which request makes room for a newcomer: the last one of the client that has most.

    So a client that asks for much takes what others leave, and no more. None where the newcomer
    would have as much as any other that waits, and is to be refused itself.

    Args:
        waiting: in the order in which they came.
        held: how many requests each client has, waiting and worked on.
        client: the newcomer's.
    """
    if not waiting:
        return None
    greedy = max((one.client for one in waiting), key=lambda one: held.get(one, 0))
    if held.get(greedy, 0) < held.get(client, 0) + 2:
        return None
    return next(one for one in reversed(waiting) if one.client == greedy)
