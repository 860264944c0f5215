"""Tasks worked off by processes of this machine, each of which may die or hang at any time.

`concurrent.futures` gives up all of its work when one process dies, and has no end for a task that
hangs. Here a thread stands before each process, and hands it one task at a time. So whoever dies or
hangs names the task, is replaced, and nothing else is lost.
"""

import contextlib
import logging
import math
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from app.terminal.exit_codes import CommandError, MissingError
from app.workers.child_process import (
    GRACE_SECONDS,
    Answer,
    ChildProcess,
    LoadWork,
    Talk,
    serve_parent,
)


class LostTaskError(Exception):
    """A task has cost as many processes as it may, or has taken too long.

    Attributes:
        death: how its last process ended by itself; None where it took too long.
        seconds: how long the last process had it.
        was_told: whether the work had called `Tell`.
    """

    def __init__(self, death: str | None, seconds: float, was_told: bool) -> None:
        super().__init__(f"it died ({death})" if death else f"it was not done in {seconds:.0f} s")
        self.death, self.seconds, self.was_told = death, seconds, was_told


class NotDoneError(Exception):
    """A task is given up: the pool stops, others need its place, or nobody wants it any more."""


def _log_loss(_task: object, lost: LostTaskError) -> None:
    logger.warning("a worker is replaced: %s", lost)


@dataclass(frozen=True)
class PoolOptions:
    """How the processes are kept.

    Attributes:
        timeout: seconds that a task may take, None for no end.
        tries: how many processes a task may cost: what else is killed on a machine in need must
            not blame it.
        start_seconds: that a process may take to be ready; see `start_patience`. Loading the
            networks took 0.8 s, and 5.6 s with eight processes on two busy cores.
        most_start_seconds: of which no process more is begun where one was not ready.
        max_resident_bytes: a process that holds more after a task is replaced.
        waiting: how many tasks may wait.
        spare: processes that no client has alone, but one where there is one only.
        finishes: whether tasks in hand are finished when `WorkerPool.map` is to stop.
        on_loss: is told of each process that a task has cost, once it has ended, before another
            tries the task.
    """

    workers: int = 1
    timeout: float | None = 60.0
    tries: int = 3
    start_seconds: float = 30.0
    most_start_seconds: float = 120.0
    max_resident_bytes: float = 700_000_000
    waiting: float = math.inf
    spare: int = 0
    finishes: bool = True
    on_loss: Callable[[Any, LostTaskError], None] = _log_loss
    talk: Talk = field(default_factory=Talk)


def start_patience(options: PoolOptions, failed_starts: int) -> float:
    """Return how many seconds a process may take to be ready, after so many that were not.

    It is no more than a task may take, but grows: on a machine that is slow or busy all take long,
    and a short time limit must not keep every process from its task.
    """
    asked_for = max(options.timeout or math.inf, _LEAST_START_SECONDS)
    first = min(options.start_seconds, asked_for)
    return min(first * 2.0**failed_starts, options.most_start_seconds)


logger = logging.getLogger(__name__)

_LEAST_START_SECONDS: Final = 5.0
_LOOK_SECONDS: Final = 0.1
"""How long to wait at most before asking whether anybody still wants the answer."""

_UNWANTED_SECONDS: Final = 1.0
"""How long a process may go on for nobody: to begin another costs more than most tasks."""


class _Task(Future[Any]):
    def __init__(self, message: object, client: str) -> None:
        super().__init__()
        self.message, self.client = message, client
        self.deaths = 0
        self.given_up: float | None = None
        """When nobody wanted it any more, by `time.monotonic`."""

    def cancel(self) -> bool:
        self.given_up = self.given_up or time.monotonic()
        return super().cancel()

    def refuse(self, error: Exception) -> None:
        with contextlib.suppress(InvalidStateError):  # nobody wants it any more
            self.set_exception(error)


_T = TypeVar("_T")


class WorkerPool:
    """Processes that have loaded their work, and the queue before them."""

    def __init__(self, load: LoadWork, options: PoolOptions) -> None:
        """Make it; a process is begun when a task would have to wait, until there are enough."""
        self._load = load
        self._options = options
        self._waiting: deque[_Task] = deque()
        self._turns: Counter[str] = Counter()
        """Processes that each client has."""
        self._changed = threading.Condition()
        self._is_stopping = False
        self._threads: list[threading.Thread] = []
        self._failures: list[CommandError] = []

    @property
    def failure(self) -> CommandError | None:
        """Why no process can work any more; None as long as one may."""
        are_all = self._failures and len(self._failures) == len(self._threads)
        return self._failures[-1] if are_all else None

    def stop(self, grace_seconds: float = 0.0) -> None:
        """End the processes, and give up all tasks; those in hand are finished if that is soon."""
        with self._changed:
            self.drop_waiting()
            self._changed.wait_for(lambda: not self._turns, grace_seconds)
            self._is_stopping = True
            self.drop_waiting()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def submit(self, task: object, client: str = "") -> Future[Any]:
        """Let a process do a task, which must be picklable.

        A client that has much waiting makes room for one that has less.

        Returns:
            A future of what work makes of it, or of a `LostTaskError`, a `NotDoneError`, or a
            `CommandError` where no process can work any more. Once cancelled, even while it is
            worked on, nobody wants it any more.

        Raises:
            CommandError: if no process can work any more.
            NotDoneError: if too many tasks wait, or the pool has stopped.
        """
        asked = _Task(task, client)
        with self._changed:
            if self.failure is not None:
                raise self.failure
            if self._is_stopping or not self._has_room(client):
                raise NotDoneError
            self._waiting.append(asked)
            n_idle = len(self._threads) - len(self._failures) - self._turns.total()
            if len(self._waiting) > n_idle and len(self._threads) < self._options.workers:
                self._begin_worker()
            self._changed.notify_all()
        return asked

    def drop_waiting(self, reason: Exception | None = None) -> None:
        """Give up what waits, for a `NotDoneError` if no reason is given."""
        with self._changed:
            while self._waiting:
                self._waiting.popleft().refuse(reason or NotDoneError())

    def map(
        self, tasks: Iterator[_T | None], is_stopping: Callable[[], bool]
    ) -> Generator[tuple[_T, Future[Any]], None, None]:
        """Do tasks as they come, and yield each with its future once that is done; stop then.

        One task for each process is taken ahead, so that none waits for another.

        Args:
            tasks: used by the caller's thread only. None says that there is no task at the moment.
            is_stopping: asked often. Once true, no task is begun any more.

        Raises:
            CommandError: if a task is left that no process can work on any more.
        """
        done: SimpleQueue[Future[Any]] = SimpleQueue()
        in_hand: dict[Future[Any], _T] = {}
        failure: CommandError | None = None
        try:
            while True:
                if is_stopping():
                    if not self._options.finishes:
                        return
                    tasks = iter(())
                    self.drop_waiting()
                seconds = _LOOK_SECONDS
                while len(in_hand) < 2 * self._options.workers:
                    try:
                        task = next(tasks)
                    except StopIteration:
                        if in_hand:
                            break
                        if failure is not None:
                            raise failure from None
                        return
                    if task is None:
                        seconds = 0.0
                        break
                    try:
                        asked = self.submit(task)
                    except CommandError as error:  # what is done is yielded before
                        failure, tasks = error, iter(())
                        break
                    in_hand[asked] = task
                    asked.add_done_callback(done.put)
                with contextlib.suppress(Empty):
                    asked = done.get(timeout=seconds)
                    task = in_hand.pop(asked)
                    if not isinstance(asked.exception(), NotDoneError):
                        yield task, asked
        finally:
            self.stop(GRACE_SECONDS if in_hand and not is_stopping() else 0.0)

    def _begin_worker(self) -> None:
        # A process ends with the thread that began it, so this one lives as long.
        self._threads.append(threading.Thread(target=self._keep_worker, daemon=True))
        self._threads[-1].start()

    def _has_room(self, client: str) -> bool:
        """Tell whether a task may wait; where too many do, whoever has most gives one up.

        So a client that asks for much takes what others leave, and no more.
        """
        self._waiting = deque(one for one in self._waiting if not one.cancelled())
        if len(self._waiting) < self._options.waiting:
            return True
        held = self._turns + Counter(one.client for one in self._waiting)
        greedy = max((one.client for one in self._waiting), key=held.__getitem__)
        if held[greedy] < held[client] + 2:
            return False
        task = next(one for one in reversed(self._waiting) if one.client == greedy)
        self._waiting.remove(task)
        task.refuse(NotDoneError())
        return True

    def _keep_worker(self) -> None:
        try:
            self._keep_processes()
        except Exception as error:  # a fault of the work or of who asked: nobody may wait for ever
            logger.exception("a worker is given up")
            self._fail(MissingError(f"a worker failed ({error!r}); run: sudoku-lens doctor"))

    def _keep_processes(self) -> None:
        """Begin one process after the other, until they are wanted no more, or none is ready."""
        failed_starts = 0
        costly: _Task | None = None
        while not self._is_stopping:
            patience = start_patience(self._options, failed_starts)
            try:
                child = ChildProcess(serve_parent, self._options.talk, self._load)
            except OSError as error:  # as where the system has no room for another
                if costly is not None:
                    self._end_turn(costly)
                told = f"no worker can be started ({error}); run: sudoku-lens doctor"
                self._fail(MissingError(told))
                return
            with child:
                ready = self._listen(child, patience)
                if costly is not None:
                    self._end_turn(costly)
                    costly = None
                if isinstance(ready, Answer):
                    failed_starts = 0
                    costly = self._serve(child)
                    continue
            failed_starts += 1
            if isinstance(ready, LostTaskError):
                logger.warning("a worker was not ready: %s", ready.death or f"{patience:g} s")
                if patience < self._options.most_start_seconds:
                    continue
                late = f"workers are not ready after {patience:g} seconds"
                told = f"no worker can be started ({ready.death})" if ready.death else late
                ready = MissingError(f"{told}; run: sudoku-lens doctor")
            if isinstance(ready, CommandError):
                self._fail(ready)
                return

    def _fail(self, failure: CommandError) -> None:
        """Go on without one more process; the last one takes what waits with it."""
        with self._changed:
            self._failures.append(failure)
            if self.failure is not None:
                self.drop_waiting(failure)
            self._changed.notify_all()

    def _serve(self, child: ChildProcess) -> _Task | None:
        """Hand tasks to a process as long as it is fit for them.

        Returns:
            The task that has cost the process. The turn of its client ends when another is ready:
            who ends one after the other has no more of them than who keeps them busy.
        """
        task = self._take()
        while task is not None:
            try:
                is_sent = child.send(task.message)
            except Exception as error:  # it cannot be pickled
                self._end_turn(task)
                task.refuse(error)
                task = self._take()
                continue
            if not is_sent:
                logger.warning("a worker died waiting (%s)", child.describe_exit())
                self._end_turn(task)
                self._put_back(task)
                return None
            answer = self._listen(child, self._options.timeout, task)
            if not isinstance(answer, Answer):
                child.kill()
                self._lose(task, answer)
                return task
            with self._changed:  # so that whoever has the answer finds the next task in hand
                self._end_turn(task)
                task.set_result(answer.value)
                if answer.resident_bytes > self._options.max_resident_bytes:
                    logger.info("a worker that holds %d bytes is replaced", answer.resident_bytes)
                    return None
                task = self._take()
        return None

    def _take(self) -> _Task | None:
        """Wait for a task that somebody wants and may have, and return None at the end.

        Of those that wait, the client with the fewest processes comes first, then who came first.
        """
        most = max(self._options.workers - self._options.spare, 1)
        with self._changed:
            while not self._is_stopping:
                able = [one for one in self._waiting if self._turns[one.client] < most]
                if not able:
                    self._changed.wait()
                    continue
                task = min(able, key=lambda one: self._turns[one.client])
                self._waiting.remove(task)
                if task.running() or task.set_running_or_notify_cancel():
                    self._turns[task.client] += 1
                    return task
            return None

    def _end_turn(self, task: _Task) -> None:
        with self._changed:
            self._turns -= Counter({task.client: 1})  # and forgets who has none
            self._changed.notify_all()

    def _listen(
        self, child: ChildProcess, timeout: float | None, task: _Task | None = None
    ) -> Answer | Exception:
        """Return what a process says of its task or its start, or why it must be replaced."""
        start, was_told = time.monotonic(), False
        while True:
            has_spoken, now = child.poll(_LOOK_SECONDS), time.monotonic()
            if has_spoken:
                message = child.receive()
                if isinstance(message, Answer | CommandError):
                    return message
                if message is None:
                    return LostTaskError(child.describe_exit(), now - start, was_told)
                was_told = True
            elif now - start >= (timeout or math.inf):
                return LostTaskError(None, now - start, was_told)
            elif self._is_stopping or (
                task and now - (task.given_up or math.inf) >= _UNWANTED_SECONDS
            ):
                return NotDoneError()

    def _lose(self, task: _Task, error: Exception) -> None:
        """Try a task again if its process died and it may cost another; else give it up."""
        if isinstance(error, LostTaskError):
            try:
                self._options.on_loss(task.message, error)
            except Exception as fault:
                task.refuse(fault)
                raise
            task.deaths += 1
            if error.death is not None and task.deaths < self._options.tries:
                self._put_back(task)
                return
        task.refuse(error)

    def _put_back(self, task: _Task) -> None:
        with self._changed:
            if self._is_stopping:
                task.refuse(NotDoneError())
            else:
                self._waiting.appendleft(task)
            self._changed.notify_all()
