"""Runs a live session over a source of frames, without a window."""

import time
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from app.live.frame_recognition import LiveAnswer, LiveRequest, recognise
from app.live.live_session import LiveSession
from app.live.live_view import LiveView
from app.recognition.pipeline import Pipeline
from vision.media.camera import Shot, Source


@dataclass(frozen=True, eq=False)
class LiveStep:
    """One frame, and what the session made of it.

    Attributes:
        shot: the frame.
        view: what is to be shown on it.
        work_seconds: what following the board took.
        read_seconds: what recognising took, where an answer came in since the last frame.
    """

    shot: Shot
    view: LiveView
    work_seconds: float
    read_seconds: float | None


class _Desk(Protocol):
    """Where requests are handed in, and answers come out."""

    def hand_in(self, request: LiveRequest, seconds: float) -> None: ...

    def take_out(self, seconds: float) -> tuple[LiveAnswer, float] | None: ...

    def close(self) -> None: ...


def run_live(pipeline: Pipeline, source: Source, delay: float) -> Generator[LiveStep, None, None]:
    """Yield what a session makes of every frame of a source.

    Frames of a camera do not wait, so recognising runs on a thread of its own. Those of a file do:
    each recognition is done at once, and its answer held back for `delay`, so that a run can be
    repeated exactly.

    Args:
        pipeline: not used by anything else meanwhile.
        source: of frames.
        delay: seconds between a frame of a file and the answer about it, or more where
            recognising takes more; 0 for at once.
    """
    session = LiveSession()
    desk: _Desk = _Worker(pipeline) if source.is_live else _Waiting(pipeline, delay)
    try:
        for shot in source:
            answered = desk.take_out(shot.seconds)
            if answered is not None:
                session.accept(answered[0])
            start = time.perf_counter()
            view = session.advance(shot.image, shot.seconds)
            spent = time.perf_counter() - start
            request = session.take_request()
            if request is not None:
                desk.hand_in(request, shot.seconds)
                at_once = desk.take_out(shot.seconds)
                if at_once is not None:
                    answered = at_once
                    session.accept(at_once[0])
                    view = session.advance(shot.image, shot.seconds)
            yield LiveStep(shot, view, spent, None if answered is None else answered[1])
    finally:
        desk.close()


class _Waiting:
    """Recognises at once, and gives the answer out when it would have come from a worker."""

    def __init__(self, pipeline: Pipeline, delay: float) -> None:
        self._pipeline = pipeline
        self._delay = delay
        self._answer: tuple[LiveAnswer, float] | None = None
        self._due = 0.0

    def hand_in(self, request: LiveRequest, seconds: float) -> None:
        start, work = time.perf_counter(), time.thread_time()
        answer = recognise(self._pipeline, request)
        self._answer = answer, time.perf_counter() - start
        # The processor's time, so that nothing changes where other programs are busy, too.
        spent = time.thread_time() - work
        self._due = seconds + (max(self._delay, spent) if self._delay > 0 else 0.0)

    def take_out(self, seconds: float) -> tuple[LiveAnswer, float] | None:
        if self._answer is None or seconds < self._due - 1e-6:
            return None
        answer, self._answer = self._answer, None
        return answer

    def close(self) -> None:
        self._answer = None


class _Worker:
    """Recognises on a thread of its own, one frame at a time."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="recognition")
        self._answer: Future[tuple[LiveAnswer, float]] | None = None

    def hand_in(self, request: LiveRequest, seconds: float) -> None:
        self._answer = self._pool.submit(self._work, request)

    def take_out(self, seconds: float) -> tuple[LiveAnswer, float] | None:
        if self._answer is None or not self._answer.done():
            return None
        answer, self._answer = self._answer.result(), None
        return answer

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)

    def _work(self, request: LiveRequest) -> tuple[LiveAnswer, float]:
        start = time.perf_counter()
        return recognise(self._pipeline, request), time.perf_counter() - start
