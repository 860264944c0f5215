"""The process that works photos off, one at a time, as its parent hands them over."""

import contextlib
import ctypes
import logging
import os
import signal
import sys
import threading
import time
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Final, NamedTuple

from app.batch.digests import digest_bytes
from app.batch.engine import Decoded, Done, Job, LoadWork, Work, make_record
from app.batch.sources import read_source
from app.batch.words import GAVE_UP
from app.console import start_logging
from app.exits import CommandError

logger = logging.getLogger(__name__)

_DIE_WITH_PARENT: Final = 1
"""PR_SET_PDEATHSIG of Linux's prctl."""


class Ready(NamedTuple):
    """The worker has loaded all that it needs."""


class JobDecoded(NamedTuple):
    """The pixels of the photo in hand are there."""


class Refused(NamedTuple):
    """The worker cannot work at all."""

    error: CommandError


class Finished(NamedTuple):
    """The photo in hand is done."""

    done: Done
    resident_bytes: int
    """Memory of the worker afterwards; 0 where the system does not say."""


Message = Ready | JobDecoded | Refused | Finished


class Talk(NamedTuple):
    """How much a worker says on stderr; see `app.console.start_logging`."""

    verbose: int = 0
    quiet: bool = False


def serve(connection: Connection, load: LoadWork, talk: Talk, parent: int) -> None:
    """Load the work, and do the jobs that come through the connection until it is closed.

    Args:
        connection: to the parent.
        load: loads the work.
        talk: how much is said.
        parent: its process number.
    """
    _leave_interrupts_to_parent()
    _end_with(parent)
    _keep_to_one_thread()
    start_logging(talk.verbose, talk.quiet)
    # The parent may be gone, or may have closed its end.
    with contextlib.suppress(OSError, EOFError):
        try:
            work = load()
        except CommandError as error:
            connection.send(Refused(error))
            return
        connection.send(Ready())
        while True:
            job: Job = connection.recv()
            done = _do(work, job, lambda: connection.send(JobDecoded()))
            connection.send(Finished(done, _resident_bytes()))


def _do(work: Work, job: Job, decoded: Decoded) -> Done:
    start = time.perf_counter()
    try:
        return work(job, decoded)
    except Exception as error:
        # A fault of this program: it costs this photo, and is told.
        logger.exception("%s", job.path)
        text = f"it could not be worked on: {type(error).__name__}: {error}"
        record = make_record(GAVE_UP, error=text)
        digest = job.digest
        if digest is None:
            with contextlib.suppress(OSError):
                digest = digest_bytes(read_source(job.path))
        return Done(job, digest, GAVE_UP, record, time.perf_counter() - start)


def _leave_interrupts_to_parent() -> None:
    """Let Ctrl-C, which the terminal sends to all, end nothing here: the photo in hand is done."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


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


def _keep_to_one_thread() -> None:
    """Keep libraries from starting threads: the other cores have workers of their own."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"  # read when NumPy is loaded
    os.environ["OMP_THREAD_LIMIT"] = "1"  # of programs that are started, such as Tesseract


def _resident_bytes() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
