"""The exit codes, which are public, and how every command ends."""

import enum
import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, Final

from app.terminal.console import say

_NOT_WRITTEN: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})
"""How writing to a standard stream fails, beside a closed pipe."""

EXTRAS: Final = {
    "train": ("tensorflow", "keras", "numba", "matplotlib"),
    "baselines": ("python-sat", "ortools", "py-sudoku", "pytesseract"),
    "bulk": ("numba",),
    "cluster": ("dask", "distributed", "fsspec"),
    "serve": ("fastapi", "uvicorn", "websockets", "segno", "cryptography"),
}
"""Packages that some commands can do without, as pyproject.toml groups them."""

_OURS: Final = frozenset({"app", "vision", "solver", "models", "training", "sudoku_lens"})


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
    TERMINATED = 143
    """Something asked the process to end: a service manager, or a terminal that was closed."""


class Termination(KeyboardInterrupt):
    """The process is asked to end, by another signal than that of Ctrl-C; see `stopping`."""

    code: ClassVar[ExitCode] = ExitCode.TERMINATED


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
    if sys.stdout is None:  # whatever its type says
        say("stdout is closed; send it to a file or a terminal")
        sys.exit(ExitCode.USAGE)
    try:
        try:
            yield
        except SystemExit as end:
            sys.stdout.flush()
            if end.code == ExitCode.INTERRUPTED and _is_termination(end):
                sys.exit(ExitCode.TERMINATED)
            raise
        sys.stdout.flush()
    except CommandError as error:
        say(str(error))
        sys.exit(error.code)
    except ImportError as error:
        if (error.name or "").partition(".")[0] in _OURS:
            raise
        say(f"a package is missing or broken ({error}); run: sudoku-lens doctor")
        sys.exit(ExitCode.MISSING)
    except Termination as error:
        sys.exit(error.code)
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)
    except BrokenPipeError:
        _forget_stdout()
        sys.exit(ExitCode.CLOSED_PIPE)
    except OSError as error:
        # Only a standard stream fails without a name: files are opened by theirs.
        if error.filename is not None or error.errno not in _NOT_WRITTEN:
            raise
        _forget_stdout()
        say(f"stdout cannot be written: {error.strerror}; send it elsewhere")
        sys.exit(ExitCode.USAGE)


def _is_termination(error: BaseException | None) -> bool:
    """Tell whether an error comes from a `Termination`: typer takes that for Ctrl-C."""
    while error is not None and not isinstance(error, Termination):
        error = error.__cause__ or error.__context__
    return error is not None


def _forget_stdout() -> None:
    """Let what is not written yet go nowhere: Python flushes stdout once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
