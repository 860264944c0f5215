"""The live view by one request for each frame, for phones that open no WebSocket here.

Safari shows the page of a server whose certificate nobody has signed, once its user wants that, but
opens no WebSocket to it (WebKit bug 145819). A phone that just stops asking has left.
"""

import asyncio
from dataclasses import dataclass
from typing import Final

from app.serve.api.problems import Problem, ProblemError
from app.serve.live.frame_messages import MAX_FRAME_BYTES, LiveReply
from app.serve.live.tracker_pool import FrameRefusedError, LiveLostError, LiveRoom, LiveSeat

SILENCE_SECONDS: Final = 6.0
"""How long a phone may ask nothing before its seat is free for another."""


@dataclass(eq=False)
class _Caller:
    view: str
    seat: LiveSeat
    is_waiting: bool = False
    leaving: asyncio.TimerHandle | None = None


class LiveCalls:
    """Who films by requests now; used in the thread of the event loop alone."""

    def __init__(self, room: LiveRoom, silence_seconds: float = SILENCE_SECONDS) -> None:
        self._room = room
        self._silence_seconds = silence_seconds
        self._callers: dict[str, _Caller] = {}

    async def follow(
        self, client: str, address: str, view: str, jpeg: bytes, number: int
    ) -> LiveReply:
        """Return what is to be drawn on a frame.

        Args:
            client: stands for a phone, which has one seat at most.
            address: where it is.
            view: stands for one of its live views; a new one begins anew, and ends the one before.
            jpeg: the frame.
            number: of the frame.

        Raises:
            ProblemError: if no seat is free, if the frame is none, if the phone's last frame is
                still worked on, or if its process is lost; then the next frame begins anew.
        """
        if len(jpeg) > MAX_FRAME_BYTES:
            raise ProblemError(Problem.TOO_LARGE)
        caller = self._callers.get(client)
        if caller is not None and caller.is_waiting:
            raise ProblemError(Problem.TOO_FAST)
        if caller is not None and caller.view != view:
            await self.leave(client, caller.view)
            caller = self._callers.get(client)
        if caller is None:
            caller = self._let_in(client, address, view)
        if caller.leaving is not None:
            caller.leaving.cancel()
        caller.is_waiting = True
        try:
            return await caller.seat.follow(jpeg, number)
        except FrameRefusedError as error:
            raise ProblemError(Problem.BAD_IMAGE) from error
        except LiveLostError as error:
            await self.leave(client, view)
            raise ProblemError(Problem.BUSY) from error
        finally:
            caller.is_waiting = False
            if self._callers.get(client) is caller:
                loop = asyncio.get_running_loop()
                caller.leaving = loop.call_later(self._silence_seconds, self._forget, client, view)

    async def leave(self, client: str, view: str) -> None:
        """Give a phone's seat back, if that view has one."""
        caller = self._callers.get(client)
        if caller is None or caller.view != view:
            return
        del self._callers[client]
        if caller.leaving is not None:
            caller.leaving.cancel()
        await self._room.leave(caller.seat)

    def _let_in(self, client: str, address: str, view: str) -> _Caller:
        seat = self._room.enter(address)
        if seat is None:
            raise ProblemError(Problem.BUSY)
        caller = self._callers[client] = _Caller(view, seat)
        return caller

    def _forget(self, client: str, view: str) -> None:
        leaving = asyncio.ensure_future(self.leave(client, view))
        self._room.keep(leaving)
