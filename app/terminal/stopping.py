"""How work is ended early: by Ctrl-C, by the system, or by the first photo that fails.

Every command ends at once where it is asked to, with `Termination` in place of KeyboardInterrupt.
One that has something to bring to an end looks at a `Stop` instead, so that nothing is cut short.
"""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Final

from app.terminal.console import say
from app.terminal.exits import ExitCode, Termination

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

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
        """Begin.

        Args:
            told: to the user when the end is asked for; nothing if empty.
        """
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
    """Let what ends a command end it well inside the block; what is ignored stays ignored.

    Args:
        told: see `Stop`.
    """
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
    """Let what asks this process to end raise `Termination`, as Ctrl-C raises KeyboardInterrupt."""
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
    raise Termination


def _raise_again(unraisable: "UnraisableHookArgs") -> None:
    """See that an end which was asked for while an object died is not lost with that object."""
    error = unraisable.exc_value
    if not isinstance(error, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return
    number = signal.SIGTERM if isinstance(error, Termination) else signal.SIGINT
    # A little later, as what is raised here would be lost as well.
    again = threading.Timer(_AGAIN_SECONDS, _send_to_main_thread, (number,))
    again.daemon = True
    again.start()


def _send_to_main_thread(number: int) -> None:
    main = threading.main_thread().ident
    assert main is not None
    signal.pthread_kill(main, number)
