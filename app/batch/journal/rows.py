"""What a journal is told, and what it tells: rows of its tables as plain values."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal["photo", "text"]


class Input(NamedTuple):
    """A file that a run has met.

    `path` is absolute; `file` is what reports call it; `digest` is None where it could not be
    read, which `error` tells; `root` and `place` are its position in the order of a run's inputs;
    `output` is where its overlay or its solutions go.
    """

    path: str
    file: str
    kind: Kind
    size: int
    mtime_ns: int
    digest: bytes | None
    error: str | None
    root: int
    place: str
    output: str | None


class Kept(NamedTuple):
    """What came of a content: `app.batch.engines.batch_engine.Done` has the same fields.

    `timeout` is how many seconds it was allowed where they were not enough, else None.
    """

    outcome: str
    record: str
    seconds: float
    timeout: float | None


class Output(NamedTuple):
    """A file that this journal's runs write, for one input.

    `digest` and `settings` tell what it shows, and are None where it is not there.
    """

    path: str
    input: str
    digest: bytes | None
    settings: int | None
    is_begun: bool

    @property
    def is_ours(self) -> bool:
        """Whether a file there is one that a run has written; a name may be only kept for one."""
        return self.is_begun or self.digest is not None


class Reported(NamedTuple):
    """An input and what is known of it; `record` is None where nothing is yet."""

    file: str
    path: str
    record: str | None
    error: str | None
    output: str | None


@dataclass(frozen=True)
class Known:
    """What the journal knows of an input that is met again."""

    size: int
    mtime_ns: int
    digest: bytes | None
    run: int
