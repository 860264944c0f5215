"""Requests worked off by processes of this machine, each of which may die or hang at any time.

Each process does one request at a time, with the networks loaded once. A thread stands before it:
it takes the request that waits longest, hands it over, and replaces the process where it dies,
takes too long, or works for nobody. What `batch.local_pool` does for a list of photos is done
here for requests. They come when they want, wait in a queue that is never long, and may be called
off. Nobody can hold all workers: one is left to everybody else.
"""

import asyncio
import contextlib
import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from app.serve.api.problems import Problem, ProblemError
from app.serve.server import ServeSettings
from app.terminal.exit_codes import CommandError, MissingError
from app.workers.child_process import (
    ChildContext,
    ChildProcess,
    Ready,
    Refused,
    limit_memory,
    resident_bytes,
    work_off,
)

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline


class Task(NamedTuple):
    """What is to be done, as it travels to a worker."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class Answer(NamedTuple):
    """The task in hand is done; memory of the worker is 0 where the system does not say."""

    value: Any
    refusal: Problem | None
    resident_bytes: int


Load = Callable[[], "Pipeline"]
"""Loads what the tasks need; a function of a module. It may raise `CommandError`."""


def _load_pipeline() -> "Pipeline":
    """Load the networks and the solvers, for a process that has a core for itself."""
    import numpy as np

    import app.serve.api.photo_tasks
    import app.serve.api.puzzle_tasks  # noqa: F401, or the first request would wait for these
    from app.live.frame_recognition import warm_up
    from app.recognition.pipeline import Pipeline
    from models import engine
    from models.engine import EngineError
    from vision.media import images

    images.limit_threads(1)
    engine.limit_threads(1)
    try:
        pipeline = Pipeline.load()
    except EngineError as error:
        raise MissingError(str(error)) from error
    warm_up(pipeline)
    pipeline.solve_photo(np.full((480, 640, 3), 255, np.uint8))
    return pipeline


def _work(context: ChildContext, load: Load) -> None:
    limit_memory()
    work_off(context, load, _do)


def _do(pipeline: "Pipeline", task: Task) -> Answer:
    try:
        return Answer(task.function(pipeline, *task.arguments), None, resident_bytes())
    except ProblemError as error:
        return Answer(None, error.problem, resident_bytes())
    except MemoryError:
        logger.warning("a request needed more memory than it may have")
        return Answer(None, Problem.TOO_HARD, resident_bytes())
    except Exception:
        # A fault of this program: it costs this request, and is told in the log alone.
        logger.exception("a request could not be worked on")
        return Answer(None, Problem.FAULT, resident_bytes())


logger = logging.getLogger(__name__)

_TRIES: Final = 2
"""How many processes a request may cost: what else is killed on a machine must not blame it."""

_FAILED_STARTS: Final = 3
"""Processes in a row that may die before they are ready."""

_START_SECONDS: Final = 120.0
_LOOK_SECONDS: Final = 0.1
"""How long to wait at most before asking whether anybody still wants the answer."""

_GRACE_SECONDS: Final = 1.0
"""How long a process may go on for nobody: to begin another costs more than most requests."""


@dataclass(eq=False)
class _Request:
    task: Task
    client: str
    future: "Future[Any]" = field(default_factory=Future)
    is_begun: bool = False
    deaths: int = 0
    given_up: float | None = None
    """When nobody wanted it any more, by `time.monotonic`."""


class WorkerPool:
    """Processes with the networks loaded, and the queue before them."""

    def __init__(self, settings: ServeSettings | None = None, load: Load = _load_pipeline) -> None:
        self._settings = settings or ServeSettings()
        self._load = load
        self._waiting: deque[_Request] = deque()
        self._held: Counter[str] = Counter()
        """Requests of each client, waiting and worked on."""
        self._at_work: Counter[str] = Counter()
        """Workers that each client has."""
        self._changed = threading.Condition()
        self._is_stopping = False
        self._ready = 0
        self._failures: list[CommandError] = []
        self._threads = [
            threading.Thread(target=self._keep_worker, name=f"worker {number}", daemon=True)
            for number in range(self._settings.workers)
        ]

    def start(self) -> None:
        """Begin the processes; they load while others go on."""
        for thread in self._threads:
            thread.start()

    def wait_until_ready(self) -> None:
        """Wait for the first process that can work.

        Raises:
            CommandError: if none can.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._ready or self.failure or self._is_stopping)
        if self.failure is not None:
            raise self.failure

    @property
    def failure(self) -> CommandError | None:
        """Why no process can work any more; None as long as one may."""
        return self._failures[-1] if len(self._failures) == len(self._threads) else None

    def stop(self) -> None:
        """End the processes, whatever they do, and refuse what waits."""
        with self._changed:
            self._is_stopping = True
            requests = list(self._waiting)
            self._waiting.clear()
            self._changed.notify_all()
        for request in requests:
            _refuse(request, Problem.BUSY)
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    async def do(self, function: Callable[..., Any], *arguments: Any, client: str = "") -> Any:
        """Return what a function of a module makes of a pipeline and of picklable arguments.

        A client that has much waiting makes room for one that has less.

        Raises:
            ProblemError: if the function says so, if too many wait, or if it cannot be done.
        """
        request = _Request(Task(function, arguments), client)
        with self._changed:
            if self.failure is not None:
                raise ProblemError(Problem.FAULT)
            if self._is_stopping or not self._has_room(client):
                raise ProblemError(Problem.BUSY)
            self._waiting.append(request)
            self._held[client] += 1
            self._changed.notify_all()
        try:
            return await asyncio.wrap_future(request.future)
        except asyncio.CancelledError:
            with self._changed:
                request.given_up = time.monotonic()
                if request in self._waiting:
                    self._waiting.remove(request)
            raise
        finally:
            with self._changed:
                self._held -= Counter({client: 1})  # and forgets who has none

    def _has_room(self, client: str) -> bool:
        """Tell whether a request may wait; where too many do, whoever has most gives one up.

        So a client that asks for much takes what others leave, and no more.
        """
        if len(self._waiting) < self._settings.waiting:
            return True
        greedy = max((one.client for one in self._waiting), key=self._held.__getitem__)
        if self._held[greedy] < self._held[client] + 2:
            return False
        request = next(one for one in reversed(self._waiting) if one.client == greedy)
        self._waiting.remove(request)
        _refuse(request, Problem.BUSY)
        return True

    def _keep_worker(self) -> None:
        failed_starts = 0
        costly: str | None = None
        while not self._is_stopping:
            child = ChildProcess(_work, self._settings.talk, self._load)
            try:
                failure = self._wait_for(child)
                if costly is not None:
                    self._end_turn(costly)
                if failure is None:
                    failed_starts = 0
                    costly = self._serve(child)
                    continue
            finally:
                child.kill()
            costly = None
            failed_starts += 1
            if not isinstance(failure, _DiedError) or failed_starts >= _FAILED_STARTS:
                self._fail(failure)
                return

    def _fail(self, failure: CommandError) -> None:
        """Go on without one more process; the last one takes what waits with it."""
        with self._changed:
            self._failures.append(failure)
            requests = list(self._waiting) if self.failure is not None else []
            self._changed.notify_all()
        for request in requests:
            _refuse(request, Problem.FAULT)

    def _wait_for(self, child: ChildProcess) -> CommandError | None:
        end = time.monotonic() + _START_SECONDS
        while not child.poll(_LOOK_SECONDS):
            if self._is_stopping:
                return _DiedError("the server ends")
            if time.monotonic() >= end:
                text = f"a worker is not ready after {_START_SECONDS:g} seconds"
                return _DiedError(f"{text}; run: sudoku-lens doctor")
        message = child.receive()
        if isinstance(message, Ready):
            with self._changed:
                self._ready += 1
                self._changed.notify_all()
            return None
        if isinstance(message, Refused):
            return message.error
        return _DiedError(
            f"no worker can be started ({child.describe_exit()}); run: sudoku-lens doctor"
        )

    def _serve(self, child: ChildProcess) -> str | None:
        """Hand requests to a process as long as it is fit for them.

        Returns:
            The client that has cost the process. Its turn ends when another is ready: who ends one
            after the other has no more of them than who keeps them busy.
        """
        while (request := self._take()) is not None:
            client = request.client
            if child.poll(0):  # that it has died: nothing else is said unasked
                logger.warning("a worker died waiting (%s)", child.describe_exit())
                self._end_turn(client)
                self._put_back(request)
                return None
            child.send(request.task)
            answer = self._wait_for_answer(child, request)
            if not isinstance(answer, Answer):
                return client
            self._end_turn(client)
            if answer.refusal is None:
                request.future.set_result(answer.value)
            else:
                _refuse(request, answer.refusal)
            if answer.resident_bytes > self._settings.max_resident_bytes:
                logger.info("a worker that holds %d bytes is replaced", answer.resident_bytes)
                return None
        return None

    def _take(self) -> _Request | None:
        """Wait for a request that somebody wants and may have, and return None at the end.

        Of those that wait, the client with the fewest workers comes first, then who came first.
        """
        most = max(self._settings.workers - 1, 1)
        with self._changed:
            while not self._is_stopping:
                able = [one for one in self._waiting if self._at_work[one.client] < most]
                if not able:
                    self._changed.wait()
                    continue
                request = min(able, key=lambda one: self._at_work[one.client])
                self._waiting.remove(request)
                if request.is_begun or request.future.set_running_or_notify_cancel():
                    request.is_begun = True
                    self._at_work[request.client] += 1
                    return request
            return None

    def _end_turn(self, client: str) -> None:
        with self._changed:
            self._at_work -= Counter({client: 1})  # and forgets who has none
            self._changed.notify_all()

    def _wait_for_answer(self, child: ChildProcess, request: _Request) -> Answer | None:
        end = time.monotonic() + self._settings.task_seconds
        while not child.poll(_LOOK_SECONDS):
            now = time.monotonic()
            if self._is_stopping:
                _refuse(request, Problem.BUSY)
                return None
            if now >= end:
                logger.warning("a request was not done after %g s", self._settings.task_seconds)
                _refuse(request, Problem.TOO_HARD)
                return None
            if request.given_up is not None and now >= request.given_up + _GRACE_SECONDS:
                _refuse(request, Problem.BUSY)
                return None
        answer: Answer | None = child.receive()
        if answer is None:
            self._count_death(child, request)
        return answer

    def _count_death(self, child: ChildProcess, request: _Request) -> None:
        request.deaths += 1
        logger.warning("a worker died (%s)", child.describe_exit())
        if request.deaths >= _TRIES:
            _refuse(request, Problem.TOO_HARD)
        else:
            self._put_back(request)

    def _put_back(self, request: _Request) -> None:
        with self._changed:
            if not self._is_stopping:
                self._waiting.appendleft(request)
                self._changed.notify_all()
                return
        _refuse(request, Problem.BUSY)


class _DiedError(MissingError):
    """A process could not be made ready, and another one might."""


def _refuse(request: _Request, problem: Problem) -> None:
    with contextlib.suppress(InvalidStateError):  # nobody wants it any more
        request.future.set_exception(ProblemError(problem))
