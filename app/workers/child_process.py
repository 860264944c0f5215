"""A process that works for this one, and may die or hang at any time: its pipe, memory and end."""

import contextlib
import ctypes
import logging
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from app.terminal.console import start_logging
from app.terminal.exit_codes import ENDING, CommandError

GRACE_SECONDS: Final = 5.0
"""How long a process may take to end."""

_DIE_WITH_PARENT: Final = 1
"""PR_SET_PDEATHSIG of Linux's prctl."""


class Talk(NamedTuple):
    """How much a process says on stderr; see `app.terminal.console.start_logging`."""

    verbose: int = 0
    quiet: bool = False


class ChildContext(NamedTuple):
    """What a child has from its parent."""

    connection: Connection
    parent: int
    talk: Talk


class Told(NamedTuple):
    """What a process says when its work calls `Tell`."""


class Answer(NamedTuple):
    """What work made of a task; memory of the process is 0 where the system does not say."""

    value: Any
    resident_bytes: int


Tell = Callable[[], None]
"""What work may call in the middle of a task: the parent then knows, should it end."""

Work = Callable[[Any, Tell], Any]
"""Makes the answer of a task, in a process; an exception ends the process."""

LoadWork = Callable[[], Work]
"""Loads what work needs, once a process; it must be picklable, so a function of a module or a
`functools.partial` of one. It may raise `CommandError`: then no process can work."""


def serve_parent(context: ChildContext, load: LoadWork) -> None:
    """Load, say why that failed or answer None, and answer what comes until the pipe is closed."""
    connection = context.connection
    # The parent may be gone, or may have closed its end.
    with contextlib.suppress(OSError, EOFError):
        try:
            work = load()
        except CommandError as error:
            connection.send(error)
            return
        answer = None
        while True:
            connection.send(Answer(answer, resident_bytes()))
            answer = work(connection.recv(), lambda: connection.send(Told()))


class ChildProcess:
    """A process, begun at once, which ends with this one, however this one ends."""

    def __init__(self, run: Callable[..., None], talk: Talk, *arguments: Any) -> None:
        """Begin it; `run` is a module's function, and takes a `ChildContext` and the arguments."""
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        self.connection: Connection = ours
        # Pickled here, so that the child is bound to its parent before it imports what that needs.
        work = pickle.dumps((run, arguments))
        self._process = context.Process(
            target=_begin, args=(ChildContext(theirs, os.getpid(), talk), work), daemon=True
        )
        with _signals_blocked():  # which the process inherits
            self._process.start()
        # Else multiprocessing would ask it to end, which it ignores, and wait, when this one ends.
        self._end = Finalize(self, self._process.kill, exitpriority=0)
        theirs.close()

    def send(self, message: object) -> bool:
        """Send it something, and tell whether it is there to take it."""
        try:
            self.connection.send(message)
        except OSError:
            return False
        return True

    def poll(self, seconds: float) -> bool:
        """Wait until it says something or has died, at most so long, and tell whether it has."""
        try:
            return self.connection.poll(seconds)
        except OSError:  # which Windows raises where the other end is gone
            return True

    def receive(self) -> Any:
        """Return what it says, or None where it has died or what it says cannot be read."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            return None
        except Exception:  # whatever unpickling raises
            logger.exception("a worker's answer cannot be read")
            self._process.kill()
            return None

    def describe_exit(self) -> str:
        """Say how the process ended."""
        self._process.join(GRACE_SECONDS)
        code = self._process.exitcode
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                return f"signal {signal.Signals(-code).name}"
        return f"exit code {code}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """End it, whatever it does; one that was ended needs nothing."""
        if not self._end.still_active():
            return
        self.connection.close()
        self._end.cancel()
        self._process.kill()
        self._process.join(GRACE_SECONDS)
        if self._process.exitcode is not None:  # or it waits for a disk that never answers
            self._process.close()


def count_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def resident_bytes() -> int:
    """Return how much memory this process holds, or 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _begin(context: ChildContext, work: bytes) -> None:
    """Be one of several processes that work for a parent: end with it, and keep to a core."""
    _end_with(context.parent)
    _leave_signals_to_parent()
    _keep_to_one_thread()
    _keep_own_stderr()
    start_logging(context.talk.verbose, context.talk.quiet)
    run, arguments = pickle.loads(work)
    run(context, *arguments)


@contextlib.contextmanager
def _signals_blocked() -> Iterator[None]:
    """Keep what ends a command from a process until it can ignore it, where the system lets us."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # as beginning it would let them through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_signals_to_parent() -> None:
    """Let what terminals and service managers send to all end nothing here.

    The parent heeds it: what is in hand is done, or ends with the parent.
    """
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def _end_with(parent: int) -> None:
    """End at once when the parent ends, however it does, even if this process hangs."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:  # it has ended meanwhile
            os._exit(1)
        return
    process = parent_process()
    if process is not None:
        sentinel = process.sentinel

        def watch() -> None:
            wait([sentinel])
            os._exit(1)

        threading.Thread(target=watch, daemon=True).start()


def _keep_own_stderr() -> None:
    """Say things where nobody else does: while a network is loaded, a thread silences fd 2."""
    if sys.stderr is not None:  # it is where there is none, whatever its type says
        fd = os.dup(sys.stderr.fileno())
        sys.stderr = os.fdopen(fd, "w", buffering=1, encoding="utf-8", errors="backslashreplace")


def _keep_to_one_thread() -> None:
    """Keep libraries from starting threads: the other cores have processes of their own."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"  # read when NumPy is loaded
    os.environ["OMP_THREAD_LIMIT"] = "1"  # of programs that are started, such as Tesseract


logger = logging.getLogger(__name__)

MOST_MEMORY_BYTES: Final = 2_000_000_000
"""For a worker: a picture of 64 megapixels takes 0.6 GB as JPEG, and 1.2 GB as a TIFF of floats."""


def limit_memory() -> None:
    """Let asking for more than `MOST_MEMORY_BYTES` of data fail, inside this process alone.

    Linux holds a process to it; Windows knows no such limit, and macOS does not keep to it.
    """
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = MOST_MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(MOST_MEMORY_BYTES, hard)
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    except (OSError, ValueError) as error:
        logger.info("memory cannot be limited: %s", error)
