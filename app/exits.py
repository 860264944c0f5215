"""The exit codes, which are public, and how every command ends."""

import enum
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, Final

from app.console import say

_OURS: Final = frozenset({"app", "vision", "solver", "models", "training"})


class ExitCode(enum.IntEnum):
    """What the process says about its work; of several inputs the highest code counts."""

    SOLVED = 0
    NOT_SOLVED = 1
    USAGE = 2
    """A wrong command line, or an output that cannot be written."""
    BAD_INPUT = 3
    MISSING = 4
    """Weights, a package or a system library."""
    INTERRUPTED = 130
    CLOSED_PIPE = 141
    """What read the output has gone, as in `sudoku-lens puzzle FILE | head`."""


class CommandError(Exception):
    """An expected end of a command; the message is for the user and says what to do next."""

    code: ClassVar[ExitCode]


class UsageError(CommandError):
    """The command line asks for something that cannot be done."""

    code = ExitCode.USAGE


class InputError(CommandError):
    """What should be read is not there, or is not what it should be."""

    code = ExitCode.BAD_INPUT


class MissingError(CommandError):
    """A part of the installation is not there."""

    code = ExitCode.MISSING


@contextmanager
def ending_well() -> Iterator[None]:
    """End the process with a message and the documented code, never with a traceback.

    Only expected ends are caught. Anything else is a fault of this program and stays visible.
    """
    try:
        yield
        sys.stdout.flush()
    except CommandError as error:
        say(str(error))
        sys.exit(error.code)
    except ImportError as error:
        if (error.name or "").partition(".")[0] in _OURS:
            raise
        say(f"a package is missing or broken ({error}); run: sudoku-lens doctor")
        sys.exit(ExitCode.MISSING)
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)
    except BrokenPipeError:
        # Python flushes stdout once more when it ends, which would fail a second time.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(ExitCode.CLOSED_PIPE)
