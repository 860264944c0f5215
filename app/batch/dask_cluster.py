"""Photos worked off by a cluster: Dask's scheduler hands tasks of a few photos to its workers.

The connection to the scheduler is made here too. What is done comes back to this process, overlays
included, and is written down by the caller, so that workers share no disk with it.
"""

import contextlib
import itertools
import logging
import secrets
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, Final

from app.batch.cluster_task import Order, Sent, do_jobs, end_run
from app.batch.overlay_files import writing_whole
from app.batch.photo_work import Job, JobResult, LoadWork, lost_job
from app.terminal.console import say
from app.terminal.exit_codes import CommandError, MissingError, UsageError
from app.workers.worker_pool import PoolOptions

LOCAL: Final = "local"
"""In place of an address: a cluster of this machine, for the time of the run."""

_CONNECT_SECONDS: Final = 15.0
_FIRST_WORKER_SECONDS: Final = 60.0


@contextlib.contextmanager
def _connecting(address: str, options: PoolOptions) -> Iterator[Any]:
    """Connect to the cluster, or make one, for the time of the block."""
    from distributed import Client
    from distributed.comm import get_address_host_port

    if address != LOCAL:
        try:
            get_address_host_port(address)  # a client would try its best for half a minute
        except ValueError as error:
            raise UsageError(
                f"--cluster {address} is no address: {error}; write tcp://scheduler:8786 or {LOCAL}"
            ) from error
    level = logging.DEBUG if options.talk.verbose > 1 else logging.CRITICAL
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(level)  # they have levels of their own
    with contextlib.ExitStack() as stack:
        place: Any = address
        if address == LOCAL:
            place = stack.enter_context(_local_cluster(options.workers, level))
        try:
            client = Client(place, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise MissingError(
                f"no scheduler answers at {address} ({error}); "
                "start one with: python -m dask scheduler"
            ) from error
        stack.callback(lambda: client.close(timeout=2.0))
        if address == LOCAL:
            client.register_plugin(_quiet_plugin())
        try:
            client.wait_for_workers(1, timeout=_FIRST_WORKER_SECONDS)
        except TimeoutError as error:
            raise MissingError(
                f"the cluster {address} has no workers; start some with: "
                f"python -m dask worker {address}"
            ) from error
        yield client


def _local_cluster(workers: int, level: int) -> Any:
    import dask
    from distributed import LocalCluster

    with dask.config.set({"distributed.worker.multiprocessing-method": "spawn"}):
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",  # what answers there cannot be left out
            scheduler_kwargs={"dashboard": False},
            memory_limit=0,  # photos are read in processes of their own
            silence_logs=level,
        )


def _quiet_plugin() -> Any:
    from distributed import WorkerPlugin

    class LeaveInterrupts(WorkerPlugin):  # type: ignore[misc]  # it comes without types
        """Lets Ctrl-C, which the terminal sends to all, end nothing but the client."""

        def setup(self, worker: object) -> None:
            """Be called in each worker as it starts, in its main thread."""
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    return LeaveInterrupts()


def check_packages() -> None:
    """Make sure that Dask is there.

    Raises:
        MissingError: if not.
    """
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise MissingError(
            f"--cluster needs {error.name or 'distributed'}, which is not installed; "
            "run: pip install 'sudoku-lens[cluster]'"
        ) from error


logger = logging.getLogger(__name__)

_TASK_SECONDS: Final = 1.0
"""What a task should take: many times what handing it out costs, and little to lose."""

_MOST_JOBS: Final = 32
"""Of a task, however fast photos are."""

_TASKS_AHEAD: Final = 2
"""For each thread of the workers, beside the one that it does, so that none waits for us."""

_LOOK_SECONDS: Final = 0.1
"""How long to wait at most before asking whether to stop."""

_NAP_SECONDS: Final = 0.003
"""Between looks at what is done."""

_COUNT_SECONDS: Final = 3.0
"""How often workers are counted, which may come and go."""

_LOST_SECONDS: Final = 10.0
"""How long a scheduler may be gone."""

_RETRIES: Final = 2
"""Of a task that fails because of its worker, say for want of disk space."""


def work_on_cluster(
    load: LoadWork,
    address: str,
    options: PoolOptions,
    jobs: Iterator[Job | None],
    is_stopping: Callable[[], bool],
) -> Generator[JobResult, None, None]:
    """Work jobs off on a cluster; with the first three arguments it is an `Engine`.

    Args:
        address: of the scheduler, such as `tcp://host:8786`, or `LOCAL`.
        options: of the processes of a worker; `workers` of a local cluster.

    Raises:
        CommandError: if the cluster cannot be reached, its workers cannot work, or an overlay
            cannot be written.
    """
    first: Job | None = None
    while first is None:  # without work no cluster is needed
        if is_stopping():
            return
        try:
            first = next(jobs)
        except StopIteration:
            return
    jobs = itertools.chain([first], jobs)
    with _connecting(address, options) as client:
        tasks = _Tasks(client, Order(secrets.token_hex(8), load, options), address)
        is_told = False
        try:
            while True:
                if is_stopping() and not is_told:
                    tasks.end()
                    is_told = True
                is_asked_again = not is_told and tasks.fill(jobs)
                if tasks.is_over():
                    return
                yield from tasks.collect(0.0 if is_asked_again else _LOOK_SECONDS)
        finally:
            tasks.dismiss()


class _Tasks:
    def __init__(self, client: Any, order: Order, address: str) -> None:
        from distributed import as_completed

        self._client = client
        self._order = order
        self._address = address
        self._in_flight: dict[str, tuple[Any, list[Job]]] = {}
        # It fetches what is done while we write down what was done before.
        self._finished = as_completed(loop=client.loop, with_results=True, raise_errors=False)
        self._lost: list[str] = []
        """Tasks that went with a scheduler."""
        self._suspects: deque[Job] = deque()
        """Photos of tasks that took their workers with them."""
        self._alone: set[int] = set()
        """Numbers of jobs that are, or were, done without others beside them."""
        self._is_exhausted = self._is_ended = False
        self._seconds_a_job = _TASK_SECONDS
        self._threads = 0
        self._counted_at = float("-inf")
        self._is_lonely = False
        self._away_since: float | None = None
        self._number = 0

    def fill(self, jobs: Iterator[Job | None]) -> bool:
        """Hand out tasks up to a number for each worker; tell whether to ask again soon."""
        if self._client.status != "running":
            return False
        while self._lost:
            self._submit(self._forget(self._lost.pop()))
        if self._suspects:
            # One at a time, and nothing beside it: whatever is on a worker that dies is blamed.
            if not self._in_flight:
                self._submit([self._suspects.popleft()])
            return False
        most = max(self._threads, 1) * (1 + _TASKS_AHEAD)
        while not self._is_exhausted and len(self._in_flight) < most:
            group: list[Job] = []
            wanted = min(max(int(_TASK_SECONDS / self._seconds_a_job), 1), _MOST_JOBS)
            is_asked_again = False
            while len(group) < wanted and not is_asked_again:
                try:
                    job = next(jobs)
                except StopIteration:
                    self._is_exhausted = True
                    break
                if job is None:
                    is_asked_again = True
                else:
                    group.append(job)
            if group:
                self._submit(group)
            if is_asked_again:
                return True
        return False

    def is_over(self) -> bool:
        if self._in_flight:
            return self._is_ended and self._is_lonely
        return self._is_ended or (self._is_exhausted and not self._suspects)

    def collect(self, seconds: float) -> Iterator[JobResult]:
        """Wait for tasks, at most so long, and yield what is done."""
        self._check_connection()
        self._count_threads()
        until = time.monotonic() + seconds
        while not self._finished.has_ready():
            if time.monotonic() > until:
                return
            time.sleep(_NAP_SECONDS)
        for future, result in self._finished.next_batch(block=False):
            if future.status == "finished":
                self._forget(future.key)
                yield from self._take(result)
            elif future.status == "error":
                _, failure, _ = result
                yield from self._bury(self._forget(future.key), failure)
            elif self._is_ended:
                self._forget(future.key)
            else:
                self._lost.append(future.key)

    def end(self) -> None:
        self._is_ended = True
        self._suspects.clear()
        while self._lost:
            self._forget(self._lost.pop())
        self._tell_workers(is_abandoned=False)

    def dismiss(self) -> None:
        """Forget all tasks, and let workers end the processes that they keep for them."""
        futures = [future for future, _ in self._in_flight.values()]
        with contextlib.suppress(Exception):  # the cluster may be gone
            if futures:
                self._client.cancel(futures, force=True)
            self._tell_workers(is_abandoned=True)

    def _tell_workers(self, *, is_abandoned: bool) -> None:
        if self._client.status == "running":
            with contextlib.suppress(OSError, TimeoutError):
                self._client.run(end_run, self._order.run, is_abandoned, on_error="ignore")

    def _submit(self, jobs: list[Job]) -> None:
        self._number += 1
        key = f"sudoku-lens-{self._order.run}-{self._number}"
        future = self._client.submit(
            do_jobs, self._order, jobs, key=key, pure=False, retries=_RETRIES
        )
        self._in_flight[key] = (future, jobs)
        self._finished.add(future)

    def _forget(self, key: str) -> list[Job]:
        future, jobs = self._in_flight.pop(key)
        future.release()
        return jobs

    def _take(self, result: list[Sent] | CommandError) -> Iterator[JobResult]:
        if isinstance(result, CommandError):
            raise result
        for done, overlay in result:
            if not done.job.is_lookup:
                # A mean that follows the photos, so that tasks of slow ones become small.
                self._seconds_a_job = max(0.8 * self._seconds_a_job + 0.2 * done.seconds, 1e-3)
            if overlay is not None and done.job.overlay is not None:
                with writing_whole(Path(done.job.overlay)) as file:
                    file.write(overlay)
            yield done

    def _bury(self, jobs: list[Job], error: BaseException | None) -> Iterator[JobResult]:
        """Look at a task that failed: its photos are tried one by one, or the one is given up."""
        from distributed import KilledWorker

        if isinstance(error, ImportError):
            raise MissingError(
                f"a worker cannot import what the work needs ({error}); "
                "install sudoku-lens there as it is here"
            ) from error
        if not isinstance(error, KilledWorker):
            raise MissingError(
                f"the workers fail ({type(error).__name__}: {error}); see their messages, "
                "and run the same command to go on"
            ) from error
        logger.warning("%s: took workers with it", ", ".join(job.path for job in jobs))
        if len(jobs) > 1 or jobs[0].number not in self._alone:
            self._suspects.extend(jobs)
            self._alone.update(job.number for job in jobs)
            return
        yield lost_job(jobs[0], "it ended every worker that had it", 0.0, was_decoded=True)

    def _count_threads(self) -> None:
        now = time.monotonic()
        if now - self._counted_at < _COUNT_SECONDS or self._client.status != "running":
            return
        self._counted_at = now
        with contextlib.suppress(OSError, TimeoutError):
            self._threads = sum(self._client.nthreads().values())
            if self._threads == 0 and not self._is_lonely:
                say(f"the cluster {self._address} has no workers; waiting for some")
            self._is_lonely = self._threads == 0

    def _check_connection(self) -> None:
        if self._client.status == "running":
            self._away_since = None
            return
        now = time.monotonic()
        self._away_since = self._away_since or now
        if self._client.status == "closed" or now - self._away_since > _LOST_SECONDS:
            raise MissingError(
                f"the scheduler {self._address} is gone; start it again, and run the same command "
                "to go on"
            )
