"""One photo's work: from its bytes to the record of the report and the overlay on the disk."""

import json
import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.batch.engines.batch_engine import Decoded, Done, Job, Work, looked_up_job, make_record
from app.batch.files.source_bytes import digest_bytes, digest_file, is_address, read_source
from app.batch.report.outcome_words import BAD_IMAGE
from app.terminal.exits import MissingError

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline
    from app.recognition.results import PhotoResult
    from app.recognition.timing import StageClock
    from models.engine import EngineKind

_NAME = "the photo"
"""What messages call it: records are kept by content, and a photo may have several names."""


@dataclass(frozen=True)
class WorkOptions:
    """How photos are solved; see `app.recognition.pipeline.PipelineOptions`."""

    solver: str | None = None
    engine: "EngineKind" = "litert"
    weights: Path | None = None


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

    def work(job: Job, decoded: Decoded) -> Done:
        return _solve_job(job, pipeline, decoded)

    return work


def _solve_job(job: Job, pipeline: "Pipeline", decoded: Decoded) -> Done:
    """Solve a photo, and write its overlay if something on it is solved.

    The whole photo is decoded, as `solve` does: from a smaller decoding the same photo might read
    differently.

    Args:
        job: the photo.
        pipeline: loaded in this process.
        decoded: called when the pixels are there.
    """
    from app.recognition.timing import StageClock
    from vision.media.images import ImageError, load_photo

    start, clock = time.perf_counter(), StageClock()
    digest = job.digest
    try:
        with clock.stage("load"):
            source, digest = _read(job.path)
            if job.is_done_with(digest):
                return looked_up_job(job, digest, time.perf_counter() - start)
            photo = load_photo(source, name=_NAME)
            del source
    except OSError as error:
        text = f"{_NAME} cannot be read: {error.strerror or error}; check its name and its rights"
        record = make_record(BAD_IMAGE, error=text)
        return Done(job, None, BAD_IMAGE, record, time.perf_counter() - start)
    except ImageError as error:
        record = make_record(BAD_IMAGE, error=str(error), seconds=_rounded(clock))
        return Done(job, digest, BAD_IMAGE, record, time.perf_counter() - start)
    decoded()
    image = photo.pixels
    result = replace(pipeline.solve_photo(image, clock), warnings=photo.warnings)
    fields = _fields_of(result)
    unwritten = None
    if job.overlay is not None:
        from app.report.solved_picture import draw_solutions
        from vision.media.images import save_image

        overlay = draw_solutions(image, result)
        if overlay is not None:
            try:
                Path(job.overlay).parent.mkdir(parents=True, exist_ok=True)
                save_image(job.overlay, overlay)
            except OSError as error:
                unwritten = _name_failure(job.overlay, error)
            except ImageError as error:
                if isinstance(error.__cause__, OSError):
                    unwritten = str(error)
                else:  # such as a format that has no pictures of this size
                    fields["error"] = f"its overlay cannot be written: {error}"
    seconds = time.perf_counter() - start
    outcome = result.outcome.value
    return Done(job, digest, outcome, json.dumps(fields), seconds, unwritten=unwritten)


def _read(path: str) -> tuple[bytes | Path, bytes]:
    """Return a photo's bytes, or its path where they are too many to be read, and their digest.

    Raises:
        OSError: if it cannot be read.
    """
    from vision.media.images import MAX_BYTES

    if not is_address(path) and os.stat(path).st_size > MAX_BYTES:
        return Path(path), digest_file(path)
    data = read_source(path)
    return data, digest_bytes(data)


def _fields_of(result: "PhotoResult") -> dict[str, object]:
    from app.report.photo_report import photo_report

    fields = photo_report("", result)
    del fields["file"]
    return fields


def _rounded(clock: "StageClock") -> dict[str, float]:
    return {stage: round(spent, 4) for stage, spent in clock.seconds().items()}


def _name_failure(path: str, error: OSError) -> str:
    return f"{path} cannot be written: {error.strerror or error}; choose another folder"
