"""A disk that is full, as far as a program can tell."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Let no file grow beyond a size in bytes; skips where the system has no such limit."""
    resource = pytest.importorskip("resource", reason="only Unix limits files")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
