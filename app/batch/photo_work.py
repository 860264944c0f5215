"""One photo's work: the contract between a batch and its engines, what does a job, and the engine
of this machine, where whoever dies or hangs costs one photo.

Pillow, OpenCV and the networks are imported by who works, not by who hands the jobs out.
"""

import contextlib
import json
import logging
import os
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from app.batch.sources import InputFile, Stamp, digest_bytes, digest_file, is_address, read_source
from app.recognition.outcome import Outcome
from app.terminal.exit_codes import MissingError
from app.workers.worker_pool import LostTaskError, PoolOptions, WorkerPool
from vision.media.whole_files import remove_temporaries

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline
    from models.engine import EngineKind

logger = logging.getLogger(__name__)


class PhotoInput(NamedTuple):
    """An input of a run, its content, and where its overlay goes, if anywhere.

    `digest` is None where the content is read by who works on it, and not known yet; `is_foreign`
    tells whether a file is there that no run of this journal has written; `is_lookup` whether only
    the content is to be read, which may be known.
    """

    found: InputFile
    digest: bytes | None
    output: str | None
    stamp: Stamp
    is_foreign: bool
    is_lookup: bool


@dataclass(frozen=True)
class Job:
    """One photo to be worked on; it holds plain values only, as it travels to other processes.

    Attributes:
        overlay: where its overlay is to be written, or None for no picture.
        digest: of the photo's content, `sources.digest_bytes`; None where nobody has read it.
        is_lookup: whether nothing but the digest is wanted.
    """

    number: int
    path: str
    overlay: str | None = None
    digest: bytes | None = None
    is_lookup: bool = False

    def find_digest(self) -> bytes | None:
        """Return the digest, of what is there now if need be; None where that cannot be read."""
        if self.digest is None:
            with contextlib.suppress(OSError):
                return digest_bytes(read_source(self.path))
        return self.digest


@dataclass(frozen=True)
class JobResult:
    """What came of a job.

    Attributes:
        digest: of the content that was worked on, which may have changed meanwhile; None where it
            could not be read at all, so that nothing of this is kept for later runs.
        outcome: a value of `app.recognition.outcome.Outcome`.
        record: JSON, the photo's report without its first field, `file`; with the field `error`,
            for people, where the photo could not be worked on to the end.
        timed_out: whether it would have gone on.
        unwritten: why its overlay cannot be written, which ends the run; or None.
        is_lost: whether it took its process with it, or too much time.
    """

    job: Job
    digest: bytes | None
    outcome: str
    record: str
    seconds: float
    timed_out: bool = False
    unwritten: str | None = None
    is_lost: bool = False


Decoded = Callable[[], None]
"""What work calls when the photo's pixels are there: who dies before has a bad picture in hand."""

Work = Callable[[Job, Decoded], JobResult]
"""Does a job, in whatever process it is called."""

LoadWork = Callable[[], Work]
"""Loads what work needs, once a process; it must be picklable, so a function of a module or a
`functools.partial` of one. An `app.terminal.exit_codes.CommandError` of it ends the run."""


class Engine(Protocol):
    """Works jobs off, several at a time."""

    def __call__(
        self, jobs: Iterator[Job | None], is_stopping: Callable[[], bool]
    ) -> Generator[JobResult, None, None]:
        """Take jobs as there is room for them and yield what came of each, in any order.

        A job whose worker dies is tried again elsewhere. One that takes every worker with it, or
        too much time, is yielded with an outcome that says so, and the rest goes on.

        Args:
            jobs: what is to be done. None says that there is nothing at the moment, so that the
                engine can see to its workers before it asks again; it need not wait by itself.
                The iterator is used by the caller's thread only.
            is_stopping: asked often. Once true, no job is begun any more; those begun are
                finished and yielded. A generator that is closed ends all work at once.

        Raises:
            app.terminal.exit_codes.CommandError: if no worker can be made ready.
        """


def lost_job(
    job: Job, error: str, seconds: float, *, was_decoded: bool, timed_out: bool = False
) -> JobResult:
    """Return what is told of a job that took its worker with it, or that took too long.

    Args:
        was_decoded: whether the photo's pixels were there already.
        timed_out: whether it would have gone on.
    """
    outcome = Outcome.GAVE_UP if was_decoded or timed_out else Outcome.BAD_IMAGE
    lost = failed_job(job, job.digest, outcome, error, seconds)
    return replace(lost, timed_out=timed_out, is_lost=True)


def failed_job(
    job: Job,
    digest: bytes | None,
    outcome: Outcome,
    error: str,
    seconds: float,
    spent: dict[str, float] | None = None,
) -> JobResult:
    """Return what is told of a photo that nothing was found on, and of why; `spent` is by stage."""
    fields = {"outcome": outcome, "boards": [], "seconds": spent or {}, "error": error}
    return JobResult(job, digest, outcome, json.dumps(fields), seconds)


_NAME = "the photo"
"""What messages call it: records are kept by content, and a photo may have several names."""


@dataclass(frozen=True)
class WorkOptions:
    """How photos are solved; see `app.recognition.pipeline_options.PipelineOptions`."""

    solver: str | None = None
    engine: "EngineKind" = "litert"
    weights: Path | None = None


def describe_settings(options: WorkOptions) -> str:
    """Return all that results depend on, beside the photo, as one line of JSON.

    Raises:
        MissingError: if a network cannot be read, or there is none.
    """
    from importlib.metadata import version

    import models

    shipped = Path(models.__file__ or "").parent / "weights"
    suffix = ".keras" if options.engine == "keras" else ".tflite"
    networks = sorted(shipped.glob(f"*{suffix}"))
    if not networks:
        # Other packages leave a module `models` in the folder of scripts, which may be found first.
        raise MissingError(
            f"there are no networks in {shipped}; start with python -m where that is not the "
            "package of sudoku-lens, else run: sudoku-lens doctor"
        )
    weights, boards = options.weights, None
    if weights is not None:
        from models.digits import boards_beside

        boards = boards_beside(weights)
    try:
        fields = {
            "version": version("sudoku-lens"),
            "solver": options.solver,
            "engine": options.engine,
            "weights": None if weights is None else digest_file(weights).hex(),
            "boards": None if boards is None else digest_file(boards).hex(),
            "networks": {path.stem: digest_file(path).hex()[:16] for path in networks},
        }
    except OSError as error:
        raise MissingError(f"the network {error.filename} cannot be read: {error}") from error
    return json.dumps(fields, sort_keys=True)


def load_alike(settings: str, options: WorkOptions, load: LoadWork) -> Work:
    """Load work on another machine, for a client whose results depend on these settings.

    Raises:
        MissingError: if results would depend on others here.
    """
    here = describe_settings(options)
    if here != settings:
        raise MissingError(
            f"the worker on {os.uname().nodename} has another sudoku-lens or other networks "
            f"({here}) than this machine ({settings}); install the same on all"
        )
    return load()


def load_work(options: WorkOptions) -> Work:
    """Load the networks and the solver, and return what does a job with them.

    The process works with one thread from then on: it is one of several.

    Raises:
        MissingError: if the networks cannot be run, or the solver needs what is not installed.
    """
    from app.recognition.pipeline import Pipeline
    from app.recognition.pipeline_options import PipelineOptions
    from models import engine
    from models.engine import EngineError
    from solver.base import MissingPackageError
    from vision.media import images

    images.limit_threads(1)
    engine.limit_threads(1)
    chosen = PipelineOptions(solver=options.solver, engine=options.engine, weights=options.weights)
    try:
        pipeline = Pipeline.load(chosen)
    except MissingPackageError as error:
        raise MissingError(f"the solver {options.solver} cannot be used: {error}") from error
    except EngineError as error:
        raise MissingError(str(error)) from error

    return partial(_solve_job, pipeline)


def _solve_job(pipeline: "Pipeline", job: Job, decoded: Decoded) -> JobResult:
    """Solve a photo, and write its overlay if something on it is solved.

    The whole photo is decoded, as `solve` does: from a smaller decoding the same photo might read
    differently.
    """
    from app.recognition.timing import StageClock
    from vision.media.images import ImageError, load_photo

    start, clock = time.perf_counter(), StageClock()
    digest = job.digest
    try:
        with clock.stage("load"):
            source, digest = _read(job.path)
            if job.is_lookup:
                return JobResult(job, digest, "", "", time.perf_counter() - start)
            photo = load_photo(source, name=_NAME)
            del source
    except OSError as error:
        text = f"{_NAME} cannot be read: {error.strerror or error}; check its name and its rights"
        return failed_job(job, None, Outcome.BAD_IMAGE, text, time.perf_counter() - start)
    except ImageError as error:
        spent = {stage: round(seconds, 4) for stage, seconds in clock.seconds().items()}
        seconds = time.perf_counter() - start
        return failed_job(job, digest, Outcome.BAD_IMAGE, str(error), seconds, spent)
    decoded()
    image = photo.pixels
    result = replace(pipeline.solve_photo(image, clock), warnings=photo.warnings)
    from app.report.photo_report import photo_report  # which takes a moment, once

    fields = photo_report(result)
    unwritten = None
    if job.overlay is not None:
        from app.report.report_pictures import draw_solutions
        from vision.media.images import save_image

        overlay = draw_solutions(image, result)
        if overlay is not None:
            try:
                Path(job.overlay).parent.mkdir(parents=True, exist_ok=True)
                save_image(job.overlay, overlay)
            except OSError as error:
                reason = error.strerror or error
                unwritten = f"{job.overlay} cannot be written: {reason}; choose another folder"
            except ImageError as error:
                if isinstance(error.__cause__, OSError):
                    unwritten = str(error)
                else:  # such as a format that has no pictures of this size
                    fields["error"] = f"its overlay cannot be written: {error}"
    seconds = time.perf_counter() - start
    outcome = result.outcome.value
    return JobResult(job, digest, outcome, json.dumps(fields), seconds, unwritten=unwritten)


def _read(path: str) -> tuple[bytes | Path, bytes]:
    """Return a photo's bytes, or its path where they are too many to be read, and their digest."""
    from vision.media.images import MAX_BYTES

    if not is_address(path) and os.stat(path).st_size > MAX_BYTES:
        return Path(path), digest_file(path)
    data = read_source(path)
    return data, digest_bytes(data)


def work_here(
    load: LoadWork,
    options: PoolOptions,
    jobs: Iterator[Job | None],
    is_stopping: Callable[[], bool],
) -> Generator[JobResult, None, None]:
    """Work jobs off in processes of this machine; with its first two arguments it is an `Engine`.

    Raises:
        app.terminal.exit_codes.CommandError: if the work cannot be loaded, or workers die.
    """
    pool = make_photo_pool(load, options)
    with contextlib.closing(pool.map(jobs, is_stopping)) as done:
        for job, asked in done:
            yield result_of(job, asked, options)


def make_photo_pool(load: LoadWork, options: PoolOptions) -> WorkerPool:
    """Make a pool that does a `Job` each time; `result_of` tells what came of it."""
    return WorkerPool(partial(_load_safe, load), replace(options, on_loss=_clean_up))


def result_of(job: Job, asked: "Future[JobResult]", options: PoolOptions) -> JobResult:
    """Return what came of a job that is done or lost.

    Raises:
        app.terminal.exit_codes.CommandError: if no process can work.
        app.workers.worker_pool.NotDoneError: if the pool has given it up.
    """
    try:
        return asked.result()
    except LostTaskError as lost:
        if lost.death is None:
            error = f"it was not done after {options.timeout:g} seconds"
        else:
            stage = "working on it" if lost.was_told else "decoding it"
            error = f"{stage} ended the process, {options.tries} times ({lost.death})"
        return lost_job(
            job, error, lost.seconds, was_decoded=lost.was_told, timed_out=lost.death is None
        )


def _load_safe(load: LoadWork) -> Work:
    return partial(_do, load())


def _do(work: Work, job: Job, decoded: Decoded) -> JobResult:
    start = time.perf_counter()
    try:
        return work(job, decoded)
    except Exception as error:
        # A fault of this program: it costs this photo, and is told.
        logger.exception("%s", job.path)
        text = f"it could not be worked on: {type(error).__name__}: {error}"
        seconds = time.perf_counter() - start
        return failed_job(job, job.find_digest(), Outcome.GAVE_UP, text, seconds)


def _clean_up(job: Job, lost: LostTaskError) -> None:
    """Remove what a worker that has ended may have written by half."""
    if lost.death is not None:
        logger.warning("%s: its worker died (%s)", job.path, lost.death)
    if job.overlay is not None:
        remove_temporaries(Path(job.overlay))
