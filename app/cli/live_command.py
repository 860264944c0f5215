"""`sudoku-lens live`: the live view of a camera or a video, without a window, written to a file."""

import json
import logging
import math
import statistics
import sys
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.cli.command_options import LiveRunOptions
from app.live.frame_recognition import LiveAnswer, LiveRequest, load_live_pipeline, recognise
from app.live.live_session import LiveSession
from app.live.live_view import LiveView, draw_view
from app.recognition.pipeline import Pipeline
from app.terminal.console import say, showing_progress
from app.terminal.exit_codes import (
    ExitCode,
    InputError,
    MissingError,
    Stop,
    UsageError,
    stopping_on_signals,
)
from app.terminal.named_files import STDOUT, check_folder, make_folder, naming_output
from models.engine import EngineError
from solver.formats_kinds import format_cells
from vision.media.camera import PICTURE_SUFFIXES, Shot, Source, SourceError, open_source
from vision.media.film import FILM_SUFFIXES, Film, FilmError

logger = logging.getLogger(__name__)


def run_live_view(name: str, options: LiveRunOptions) -> ExitCode:
    """Show a source live: write what would be seen, tell what was found.

    Where it is ended early, the video is whole up to then.

    Args:
        name: a video, a folder of frames, the number of a camera, or an address.

    Raises:
        UsageError: if an output cannot be written.
        InputError: if the source cannot be read.
        MissingError: if the networks cannot be run.
    """
    _check_outputs(name, options)
    with stopping_on_signals() as stop:
        try:
            with open_source(name, is_stopping=stop) as source:
                code = _run(source, load_live_pipeline(), options, stop)
        except SourceError as error:
            if stop.code is None:
                raise InputError(str(error)) from error
            return stop.code
        except FilmError as error:
            raise UsageError(str(error)) from error
        except EngineError as error:
            raise MissingError(str(error)) from error
    return code if stop.code is None else stop.code


def _run(source: Source, pipeline: Pipeline, options: LiveRunOptions, stop: Stop) -> ExitCode:
    tally = _Tally()
    total = source.count
    if options.duration is not None and total is not None:
        total = min(total, round(options.duration * source.rate))
    prints = str(options.report) == STDOUT
    film: AbstractContextManager[Film | None] = nullcontext()
    if options.output is not None:
        make_folder(options.output.parent)
        film = Film(options.output, source.rate)
    try:
        with (
            film as video,
            _opening_report(options.report) as report,
            closing(_follow(pipeline, source, options.delay)) as steps,
            showing_progress("frames", total, quiet=options.quiet, prints=prints) as advance,
        ):
            for step in steps:
                is_over = options.duration is not None and step.shot.seconds >= options.duration
                if is_over or stop():
                    break
                start = time.perf_counter()
                if video is not None:
                    picture = draw_view(step.shot.image, step.view)
                    drawing = time.perf_counter() - start
                    video.add(picture, step.shot.seconds)
                else:
                    drawing = 0.0
                tally.count(step, drawing)
                if report is not None:
                    report(json.dumps(_frame_report(tally.frames - 1, step, drawing)) + "\n")
                advance(1)
    except FilmError:
        options = replace(options, output=None)  # there is none that could be told of
        raise
    finally:
        if tally.frames and not options.quiet:
            say(tally.summary())
            if options.output is not None:
                say(f"video: {options.output}")
    return ExitCode.SOLVED if tally.solutions else ExitCode.NOT_SOLVED


@dataclass(frozen=True, eq=False)
class _Step:
    shot: Shot
    view: LiveView
    work_seconds: float
    read_seconds: float | None


class _Tally:
    """What was seen over the whole run."""

    def __init__(self) -> None:
        self.frames = 0
        self.shown = 0
        self.solutions: set[bytes] = set()
        self._work: list[float] = []

    def count(self, step: _Step, drawing_seconds: float) -> None:
        self.frames += 1
        self._work.append(step.work_seconds + drawing_seconds)
        if len(self._work) > 10_000:  # a camera may run for days
            del self._work[::2]
        result = step.view.result
        if step.view.opacity > 0 and result is not None and result.solution is not None:
            self.shown += 1
            key = result.solution.tobytes()
            if key not in self.solutions:
                self.solutions.add(key)
                solution = format_cells(result.rules, result.solution)
                logger.info("%.2f s: solved %s", step.shot.seconds, solution)

    def summary(self) -> str:
        puzzles = len(self.solutions)
        return (
            f"{self.frames:,} {'frame' if self.frames == 1 else 'frames'}, a solution on "
            f"{self.shown:,} of them, "
            f"{puzzles or 'no'} {'puzzle' if puzzles == 1 else 'puzzles'}; "
            f"{1e3 * statistics.median(self._work):.1f} ms a frame"
        )


def _check_outputs(name: str, options: LiveRunOptions) -> None:
    if options.output is not None:
        if options.output.suffix.lower() not in FILM_SUFFIXES:
            raise UsageError(
                f"-o {options.output} is no video's name; use {', '.join(FILM_SUFFIXES)}"
            )
        _refuse_input(name, options.output, "-o")
        check_folder(options.output.parent)
    if options.report is not None and options.report != STDOUT:
        if not options.report:
            raise UsageError("the file after --report is empty; name one, or - for stdout")
        report = Path(options.report)
        _refuse_input(name, report, "--report")
        if options.output is not None and report.absolute() == options.output.absolute():
            raise UsageError(f"-o and --report are both {report}; name two files")
        check_folder(report.parent)


def _refuse_input(name: str, path: Path, option: str) -> None:
    if path.is_dir():
        raise UsageError(f"{option} {path} is a folder; name a file")
    source = Path(name)
    if path.exists() and source.exists() and path.samefile(source):
        raise UsageError(f"{option} {path} would replace the source; choose another name")
    is_shown = path.suffix.lower() in PICTURE_SUFFIXES and source.is_dir()
    if is_shown and path.exists() and path.parent.samefile(source):
        raise UsageError(
            f"{option} {path} would replace a picture of the source; choose another name"
        )


@contextmanager
def _opening_report(name: str | None) -> Iterator[Callable[[str], object] | None]:
    """Give what writes a line of the report, or None where none is wanted."""
    if name is None:
        yield None
    elif name == STDOUT:
        yield sys.stdout.write
    else:
        path = Path(name)
        make_folder(path.parent)
        with naming_output(path):
            # Line by line: a process that is killed leaves none by half.
            file = path.open("w", encoding="utf-8", buffering=1)

        def write(line: str) -> None:
            with naming_output(path):
                file.write(line)

        try:
            yield write
        finally:
            with naming_output(path):  # what waited in memory is written now
                file.close()


def _frame_report(number: int, step: _Step, drawing_seconds: float) -> dict[str, Any]:
    """Return one frame's line of the report; docs/live.md lists its fields."""
    return {
        "frame": number,
        "seconds": round(step.shot.seconds, 4),
        **step.view.report(decimals=2),
        "agreement": round(step.view.agreement, 3),
        "work_ms": round(1e3 * step.work_seconds, 2),
        "draw_ms": round(1e3 * drawing_seconds, 2),
        "read_ms": None if step.read_seconds is None else round(1e3 * step.read_seconds, 2),
    }


def _follow(pipeline: Pipeline, source: Source, delay: float) -> Generator[_Step, None, None]:
    """Yield what a session makes of every frame of a source.

    Frames of a camera do not wait, so recognising runs on a thread of its own. Those of a file do,
    so that a run can be repeated exactly: each is recognised at once. Its answer is held back for
    `delay` seconds, or more where that takes more.
    """
    session = LiveSession()
    reader = _Reader(pipeline, None if source.is_live else delay)
    try:
        for shot in source:
            answered = reader.take_out(shot.seconds)
            if answered is not None:
                session.accept(answered[0])
            start = time.perf_counter()
            view = session.advance(shot.image, shot.seconds)
            spent = time.perf_counter() - start
            request = session.take_request()
            if request is not None:
                reader.hand_in(request, shot.seconds)
                at_once = reader.take_out(shot.seconds)
                if at_once is not None:
                    answered = at_once
                    session.accept(at_once[0])
                    view = session.advance(shot.image, shot.seconds)
            yield _Step(shot, view, spent, None if answered is None else answered[1])
    finally:
        reader.close()


class _Reader:
    """Recognises a frame at a time: on a thread of its own, or at once, holding the answer back."""

    def __init__(self, pipeline: Pipeline, delay: float | None) -> None:
        """Hold answers back for `delay` seconds of the source; None works on a thread."""
        self._pipeline, self._delay = pipeline, delay
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="recognition")
        self._answer: Future[tuple[LiveAnswer, float]] | None = None
        self._due = -math.inf

    def hand_in(self, request: LiveRequest, seconds: float) -> None:
        if self._delay is None:
            self._answer = self._pool.submit(self._work, request)
            return
        start = time.thread_time()
        self._answer = Future()
        self._answer.set_result(self._work(request))
        # The processor's time, so that nothing changes where other programs are busy, too.
        spent = time.thread_time() - start
        self._due = seconds + (max(self._delay, spent) if self._delay > 0 else 0.0)

    def take_out(self, seconds: float) -> tuple[LiveAnswer, float] | None:
        if self._answer is None or not self._answer.done() or seconds < self._due - 1e-6:
            return None
        answer, self._answer = self._answer.result(), None
        return answer

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)

    def _work(self, request: LiveRequest) -> tuple[LiveAnswer, float]:
        start = time.perf_counter()
        return recognise(self._pipeline, request), time.perf_counter() - start
