"""The contract between a batch and what works its photos off: processes here, or a cluster."""

import json
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from app.batch.report.outcome_words import BAD_IMAGE, GAVE_UP


@dataclass(frozen=True)
class Job:
    """One photo to be worked on; it holds plain values only, as it travels to other processes.

    Attributes:
        number: tells the jobs of a run apart.
        path: where the photo's bytes are.
        overlay: where its overlay is to be written, or None for no picture.
        digest: of the photo's content, `batch.journal.digests`; None where nobody has read it yet.
        twins: contents that need no work any more: of such a photo only the digest is wanted.
        is_lookup: whether nothing but the digest is wanted, whatever it is.
    """

    number: int
    path: str
    overlay: str | None = None
    digest: bytes | None = None
    twins: tuple[bytes, ...] = ()
    is_lookup: bool = False

    @property
    def may_return(self) -> bool:
        """Whether it may be done with the digest alone."""
        return self.is_lookup or bool(self.twins)

    def is_done_with(self, digest: bytes) -> bool:
        """Tell whether this digest of the content is all that is wanted."""
        return self.is_lookup or digest in self.twins


@dataclass(frozen=True)
class Done:
    """What came of a job.

    Attributes:
        job: which one.
        digest: of the content that was worked on, which may have changed meanwhile; None where it
            could not be read at all, so that nothing of this is kept for later runs.
        outcome: a value of `app.recognition.outcome.Outcome`.
        record: JSON, the photo's report without its first field, `file`; with the field `error`,
            for people, where the photo could not be worked on to the end.
        seconds: how long it took.
        timed_out: whether it would have gone on.
        unwritten: why its overlay cannot be written, which ends the run; or None.
        is_lost: whether it took its process with it, or too much time.
        is_looked_up: whether only the digest was found, which was all that was wanted.
    """

    job: Job
    digest: bytes | None
    outcome: str
    record: str
    seconds: float
    timed_out: bool = False
    unwritten: str | None = None
    is_lost: bool = False
    is_looked_up: bool = False


Decoded = Callable[[], None]
"""What work calls when the photo's pixels are there: who dies before has a bad picture in hand."""

Work = Callable[[Job, Decoded], Done]
"""Does a job, in whatever process it is called."""

LoadWork = Callable[[], Work]
"""Loads what work needs, once a process; it must be picklable, so a function of a module or a
`functools.partial` of one. It may raise `app.terminal.exits.CommandError`, which ends the run."""


class Engine(Protocol):
    """Works jobs off, several at a time."""

    def run(
        self, jobs: Iterator[Job | None], is_stopping: Callable[[], bool]
    ) -> Generator[Done, None, None]:
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
            app.terminal.exits.CommandError: if no worker can be made ready.
        """


def looked_up_job(job: Job, digest: bytes, seconds: float) -> Done:
    """Return what is told of a job of which the digest is all that is wanted."""
    return Done(job, digest, "", "", seconds, is_looked_up=True)


def lost_job(
    job: Job, error: str, seconds: float, *, was_decoded: bool, timed_out: bool = False
) -> Done:
    """Return what is told of a job that took its worker with it, or that took too long.

    Args:
        job: the one.
        error: what happened, for people.
        seconds: how long it took.
        was_decoded: whether the photo's pixels were there already.
        timed_out: whether it would have gone on.
    """
    outcome = GAVE_UP if was_decoded or timed_out else BAD_IMAGE
    record = make_record(outcome, error=error)
    return Done(job, job.digest, outcome, record, seconds, timed_out, is_lost=True)


def make_record(outcome: str, *, error: str, seconds: dict[str, float] | None = None) -> str:
    """Return the record of a photo that nothing was found on, and why."""
    fields: dict[str, Any] = {"outcome": outcome, "boards": [], "seconds": seconds or {}}
    return json.dumps({**fields, "error": error})
