"""How a command ends: its exit code, errors that are expected, and signals."""

import enum
import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, ClassVar, Final

if TYPE_CHECKING:
    from sys import UnraisableHookArgs
from app.terminal.console import say

_NOT_WRITTEN: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})
"""How writing to a standard stream fails, beside a closed pipe."""

EXTRAS: Final = {
    "train": ("tensorflow", "keras", "numba", "matplotlib"),
    "baselines": ("python-sat", "ortools", "py-sudoku", "pytesseract"),
    "bulk": ("numba",),
    "cluster": ("dask", "distributed", "fsspec"),
    "serve": ("fastapi", "uvicorn", "segno", "cryptography"),
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


class _Termination(KeyboardInterrupt):
    """The process is asked to end otherwise than by Ctrl-C; see `stopping_on_signals`."""

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
    except _Termination as error:
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
    """Tell whether an error comes from a `_Termination`: typer takes that for Ctrl-C."""
    while error is not None and not isinstance(error, _Termination):
        error = error.__cause__ or error.__context__
    return error is not None


def _forget_stdout() -> None:
    """Let what is not written yet go nowhere: Python flushes stdout once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


ENDING: Final = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if hasattr(signal, name)
)
"""Ctrl-C, and what service managers, closed terminals and Ctrl-Break send."""

_AGAIN_SECONDS: Final = 0.02


class Stop:
    """Whether to begin nothing more, and who asked for that."""

    def __init__(self, told: str = "") -> None:
        """Begin; what is told to the user when the end is asked for may be empty."""
        self._told = told
        self._is_set = False
        self.code: ExitCode | None = None
        """How the command ends where it was asked to; None where it was not."""

    def __call__(self) -> bool:
        """Tell whether to begin nothing more."""
        return self._is_set

    def set(self) -> None:
        """Begin nothing more."""
        self._is_set = True

    def interrupt(self, number: int = signal.SIGINT, _frame: FrameType | None = None) -> None:
        """Begin nothing more; a Ctrl-C after that ends at once.

        Other signals often come in pairs, as where a terminal is closed, and mean no more than one.
        """
        if self.code is not None:
            if number == signal.SIGINT:
                raise KeyboardInterrupt
            return
        self.code = ExitCode.INTERRUPTED if number == signal.SIGINT else ExitCode.TERMINATED
        self._is_set = True
        if self._told:
            say(self._told)


@contextmanager
def stopping_on_signals(told: str = "") -> Iterator[Stop]:
    """Let what ends a command end it well inside the block; what is ignored stays ignored."""
    stop = Stop(told)
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, stop.interrupt) for number in _heeded()}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end_on_signals() -> None:
    """Let what asks this process to end raise `_Termination`, as Ctrl-C does KeyboardInterrupt."""
    for number in _heeded():
        if number != signal.SIGINT:
            signal.signal(number, _terminate)
    if hasattr(signal, "pthread_kill"):
        sys.unraisablehook = _raise_again


def end_without_python() -> None:
    """Let all that ends a process end this one at once, where Python gets no turn to notice it."""
    for number in _heeded():
        signal.signal(number, signal.SIG_DFL)


def _heeded() -> list[int]:
    """Return the signals that are not ignored, as by nohup."""
    return [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise _Termination


def _raise_again(unraisable: "UnraisableHookArgs") -> None:
    """See that an end which was asked for while an object died is not lost with that object."""
    error = unraisable.exc_value
    if not isinstance(error, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return
    number = signal.SIGTERM if isinstance(error, _Termination) else signal.SIGINT
    # A little later, as what is raised here would be lost as well.
    again = threading.Timer(_AGAIN_SECONDS, _send_to_main_thread, (number,))
    again.daemon = True
    again.start()


def _send_to_main_thread(number: int) -> None:
    main = threading.main_thread().ident
    assert main is not None
    signal.pthread_kill(main, number)
