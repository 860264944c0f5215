"""Requests worked off by processes: each has the networks loaded, and does one at a time."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from app.serve.api.problems import Problem, ProblemError
from app.serve.server import ServeSettings
from app.terminal.exit_codes import CommandError, MissingError
from app.workers.child_process import Tell, Work, limit_memory
from app.workers.worker_pool import LostTaskError, NotDoneError, PoolOptions, WorkerPool

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline

logger = logging.getLogger(__name__)


Task = tuple[Callable[..., Any], tuple[Any, ...]]
"""What is to be done, as it travels to a worker: a function of a module, and its arguments."""

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


def make_request_pool(settings: ServeSettings, load: Load = _load_pipeline) -> WorkerPool:
    """Make a pool for `call_worker`; one of several workers is always left to another client."""
    options = PoolOptions(
        workers=settings.workers,
        timeout=settings.task_seconds,
        tries=2,
        max_resident_bytes=settings.max_resident_bytes,
        waiting=settings.waiting,
        spare=1,
        talk=settings.talk,
    )
    return WorkerPool(partial(_load_work, load), options)


def warm_up(pool: WorkerPool, workers: int) -> None:
    """Begin so many processes, and wait until one of them can work.

    Raises:
        CommandError: if none can.
    """
    with suppress(NotDoneError, LostTaskError):  # as where the server ends meanwhile
        asked = [pool.submit((_do_nothing, ())) for _ in range(workers)]
        for first in wait(asked, return_when=FIRST_COMPLETED).done:
            first.result()


def _do_nothing(_: "Pipeline") -> None:
    """Show that the process is there."""


async def call_worker(
    pool: WorkerPool, function: Callable[..., Any], *arguments: Any, client: str = ""
) -> Any:
    """Return what a function of a module makes of a pipeline and of picklable arguments.

    Raises:
        ProblemError: if the function says so, if too many wait, or if it cannot be done.
    """
    try:
        answer = await asyncio.wrap_future(pool.submit((function, arguments), client))
    except NotDoneError as error:
        raise ProblemError(Problem.BUSY) from error
    except LostTaskError as error:
        raise ProblemError(Problem.TOO_HARD) from error
    except CommandError as error:
        raise ProblemError(Problem.FAULT) from error
    if isinstance(answer, Problem):
        raise ProblemError(answer)
    return answer


def _load_work(load: Load) -> Work:
    limit_memory()
    return partial(do_request, load())


def do_request(pipeline: "Pipeline", task: Task, _: Tell) -> Any:
    """Return what a task's function makes of it, or the `Problem` that it comes to."""
    function, arguments = task
    try:
        return function(pipeline, *arguments)
    except ProblemError as error:
        return error.problem
    except MemoryError:
        logger.warning("a request needed more memory than it may have")
        return Problem.TOO_HARD
    except Exception:
        # A fault of this program: it costs this request, and is told in the log alone.
        logger.exception("a request could not be worked on")
        return Problem.FAULT
