"""Who may have a worker next, so that nobody can hold them all: one is left to everybody else."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

MUCH_SECONDS: Final = 3.0
"""Of work lately from which a client has used much: a fifth of a worker's time, kept up. A phone
that sends a photo a second, each of 0.1 s, comes to half of it."""

_HALF_LIFE_SECONDS: Final = 10.0
"""After which what was used counts half."""

_LONG_SECONDS: Final = 10.0
"""After which what is done may have to give way; photos take a hundredth of it."""

_FORGOTTEN_SECONDS: Final = 0.01
"""What is left of it when a client is forgotten."""


class Waiting(Protocol):
    """A request that waits."""

    client: str


_W = TypeVar("_W", bound=Waiting)


@dataclass(eq=False)
class Turn:
    """A client's time with a worker, which goes on; `since` is when it began."""

    client: str
    since: float


class Shares:
    """What each client has of some workers, and has lately had.

    A client has all workers but one at most, and those that have lately used much have together
    no more. So whoever asks for little finds a worker, however much others ask for. A single
    worker cannot be left to anybody; there, who has used little only comes first.
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

    def has_used_much(self, client: str) -> bool:
        """Tell whether a client has lately had a worker for long; what goes on counts, too."""
        now = self._clock()
        running = sum(now - turn.since for turn in self._turns if turn.client == client)
        return self._left_of(client, now) + running >= MUCH_SECONDS

    def choose(self, waiting: Sequence[_W]) -> _W | None:
        """Return the request whose turn it is: the first of those that have used little.

        Args:
            waiting: in the order in which they came.

        Returns:
            None where none may have a worker now.
        """
        held = Counter(turn.client for turn in self._turns)
        at_much = {client for client in held if self.has_used_much(client)}
        is_shared_out = sum(held[client] for client in at_much) >= self._most
        later: _W | None = None
        for one in waiting:
            if held[one.client] >= self._most:
                continue
            if not self.has_used_much(one.client):
                return one
            if later is None and not is_shared_out:
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
        if not all(self.has_used_much(one.client) for one in self._turns):
            return False
        return any(not self.has_used_much(one.client) for one in waiting)

    def _left_of(self, client: str, now: float) -> float:
        seconds, then = self._used.get(client, (0.0, now))
        return float(seconds * 0.5 ** ((now - then) / _HALF_LIFE_SECONDS))
