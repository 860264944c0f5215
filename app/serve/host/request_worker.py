"""The process that does what requests ask for, one at a time, with the networks loaded once."""

import contextlib
import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from app.serve.api.problems import Problem, ProblemError
from app.terminal.exits import CommandError, MissingError
from app.workers.child_process import Household, resident_bytes
from app.workers.memory_limit import limit_memory

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline

logger = logging.getLogger(__name__)


class Task(NamedTuple):
    """What is to be done, as it travels to a worker.

    Attributes:
        function: of a module; it takes the `app.recognition.pipeline.Pipeline` first.
        arguments: what else it takes; picklable.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class Ready(NamedTuple):
    """The worker has loaded all that it needs."""


class Unready(NamedTuple):
    """The worker cannot work at all."""

    error: CommandError


class Answer(NamedTuple):
    """The task in hand is done.

    Attributes:
        value: what it returned; None where it was refused.
        refusal: why it was.
        resident_bytes: memory of the worker afterwards; 0 where the system does not say.
    """

    value: Any
    refusal: Problem | None
    resident_bytes: int


Load = Callable[[], "Pipeline"]
"""Loads what the tasks need; a function of a module. It may raise `terminal.exits.CommandError`."""


def load_pipeline() -> "Pipeline":
    """Load the networks and the solvers, for a process that has a core for itself.

    Raises:
        MissingError: if the networks cannot be run.
    """
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


def work(household: Household, load: Load) -> None:
    """Load, and do the tasks that come through the connection until it is closed."""
    limit_memory()
    connection = household.connection
    # The parent may be gone, or may have closed its end.
    with contextlib.suppress(OSError, EOFError):
        try:
            pipeline = load()
        except CommandError as error:
            connection.send(Unready(error))
            return
        connection.send(Ready())
        while True:
            task: Task = connection.recv()
            connection.send(_do(partial(task.function, pipeline, *task.arguments)))


def _do(act: Callable[[], Any]) -> Answer:
    try:
        return Answer(act(), None, resident_bytes())
    except ProblemError as error:
        return Answer(None, error.problem, resident_bytes())
    except MemoryError:
        logger.warning("a request needed more memory than it may have")
        return Answer(None, Problem.TOO_HARD, resident_bytes())
    except Exception:
        # A fault of this program: it costs this request, and is told in the log alone.
        logger.exception("a request could not be worked on")
        return Answer(None, Problem.FAULT, resident_bytes())
