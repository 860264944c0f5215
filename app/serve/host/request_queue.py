"""How long a queue is, in seconds, who makes room in it, and who may have a worker next.

How many may wait would say little: a photo takes a hundred times as long as a hint, and ten times
as long on a busy computer. Nobody can hold all workers: one is left to everybody else.
"""

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
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


MUCH_SECONDS: Final = 6.0
"""Of work lately that is not much yet, whatever others have had: a tenth of a worker's time."""

_MUCH_MORE: Final = 5.0
"""How many times as much as a quarter of the clients have had at most is much. Clients that send
photos alike differ by less, also where each has a turn in three minutes alone."""

_HALF_LIFE_SECONDS: Final = 60.0
"""After which what was used counts half."""

_LONG_SECONDS: Final = 10.0
"""After which what is done may have to give way; photos take a hundredth of it."""

_FORGOTTEN_SECONDS: Final = 0.01
"""What is left of it when a client is forgotten."""


@dataclass(eq=False)
class Turn:
    """A client's time with a worker, which goes on; `since` is when it began."""

    client: str
    since: float


class Shares:
    """What each client has of some workers, and has lately had.

    A client has all workers but one at most, and those that have lately used much, against what
    others have, have together no more. So whoever asks for little finds a worker, however much
    others ask for. A single worker cannot be left to anybody; there, who has used little only
    comes first.
    """

    def __init__(self, workers: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with nobody; the clock returns seconds, of which only differences count."""
        self._most = max(workers - 1, 1)
        self._workers = workers
        self._clock = clock
        self._used: dict[str, tuple[float, float]] = {}  # seconds, and when that was so
        self._turns: list[Turn] = []

    def begin(self, client: str) -> Turn:
        """Note that a client has a worker from now on."""
        turn = Turn(client, self._clock())
        self._turns.append(turn)
        return turn

    def end(self, turn: Turn) -> None:
        """Note that it has it no longer."""
        self._turns.remove(turn)
        now = self._clock()
        self._used[turn.client] = (self._left_of(turn.client, now) + now - turn.since, now)
        faded = [one for one in self._used if self._left_of(one, now) < _FORGOTTEN_SECONDS]
        for client in faded:
            del self._used[client]

    def has_used_much(self, client: str, waiting: Sequence[Waiting]) -> bool:
        """Tell whether a client has lately had a worker for much longer than those who wait.

        Args:
            client: what it has now counts, too.
            waiting: those who wait.
        """
        return self._used_by(client) >= self._find_much(waiting)

    def choose(self, waiting: Sequence[_W]) -> _W | None:
        """Return the request whose turn it is: the first of those that have not used much.

        Args:
            waiting: in the order in which they came.

        Returns:
            None where none may have a worker now.
        """
        much = self._find_much(waiting)
        held = Counter(turn.client for turn in self._turns)
        held_by_much = sum(held[client] for client in held if self._used_by(client) >= much)
        later: _W | None = None
        for one in waiting:
            if held[one.client] >= self._most:
                continue
            if self._used_by(one.client) < much:
                return one
            if later is None and held_by_much < self._most:
                later = one
        return later

    def must_give_way(self, turn: Turn, waiting: Sequence[Waiting]) -> bool:
        """Tell whether what is done must end for somebody who waits and has used little.

        That is so only where clients that have used much hold every worker, as each got one before
        it had. Of these turns the first ends, once it is long.
        """
        if self._workers == 1 or len(self._turns) < self._workers or turn is not self._turns[0]:
            return False
        if self._clock() - turn.since < _LONG_SECONDS:
            return False
        much = self._find_much(waiting)
        return all(self._used_by(one.client) >= much for one in self._turns) and any(
            self._used_by(one.client) < much for one in waiting
        )

    def _find_much(self, waiting: Sequence[Waiting]) -> float:
        """Return from how many seconds on a client has used much."""
        clients = {*self._used, *(one.client for one in (*self._turns, *waiting))}
        used = sorted(map(self._used_by, clients))
        little = used[(len(used) - 1) // 4] if used else 0.0
        return max(MUCH_SECONDS, _MUCH_MORE * little)

    def _used_by(self, client: str) -> float:
        """Return the seconds of a client's turns, of those that are over what still counts."""
        now = self._clock()
        running = sum(now - turn.since for turn in self._turns if turn.client == client)
        return self._left_of(client, now) + running

    def _left_of(self, client: str, now: float) -> float:
        seconds, then = self._used.get(client, (0.0, now))
        return float(seconds * 0.5 ** ((now - then) / _HALF_LIFE_SECONDS))
