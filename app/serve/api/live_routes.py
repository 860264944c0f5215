"""A phone's camera: a request for each frame, answered by what there is to draw on that frame.

The phone sends a JPEG and waits for the answer, so frames come as fast as they are worked on. A
phone that just stops asking has left. There is no WebSocket: Safari opens none to a server whose
certificate nobody has signed (WebKit bug 145819), and requests are as quick.
"""

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.datastructures import State

from app.serve.api.problems import Problem, ProblemError
from app.serve.api.schemas import refusals
from app.serve.security.request_limits import address_of
from app.serve.server import ServeSettings
from app.serve.tracker_pool import (
    MAX_FRAME_BYTES,
    FrameRefusedError,
    LiveLostError,
    LiveReply,
    TrackerLease,
    TrackerPool,
    TrackerProcess,
)

SILENCE_SECONDS: Final = 15.0
"""How long a phone may ask nothing before its seat is free for another."""


@dataclass(eq=False)
class _Caller:
    view: str
    seat: TrackerLease
    is_waiting: bool = False
    leaving: asyncio.TimerHandle | None = None


class LiveCalls:
    """Who films by requests now; used in the thread of the event loop alone."""

    def __init__(self, room: TrackerPool, silence_seconds: float = SILENCE_SECONDS) -> None:
        self._room = room
        self._silence_seconds = silence_seconds
        self._callers: dict[str, _Caller] = {}

    async def follow(
        self, client: str, address: str, view: str, jpeg: bytes, number: int
    ) -> LiveReply:
        """Return what is to be drawn on a frame.

        Args:
            client: stands for a phone, which has one seat at most.
            view: stands for one of its live views; a new one begins anew, and ends the one before.

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


router = APIRouter()
_JPEG: Final = "image/jpeg"

View = Annotated[
    str,
    Query(description="chosen anew by the page for each live view", pattern=r"^[0-9a-f-]{36}$"),
]


@router.post(
    "/api/live",
    summary="Follow the board in the next frame of a camera",
    response_model=LiveReply,
    responses=refusals(
        Problem.NOT_FOUND,
        Problem.TOO_SLOW,
        Problem.TOO_LARGE,
        Problem.WRONG_TYPE,
        Problem.INVALID,
        Problem.BAD_IMAGE,
        Problem.BUSY,
    ),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {_JPEG: {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def follow_frame(
    request: Request,
    view: View,
    frame: Annotated[int, Query(ge=1, le=2**31, description="the frame's number, from 1")],
) -> LiveReply:
    """Follow the board into a frame, which is the body. One frame of a view at a time."""
    calls = _calls(request)
    if request.headers.get("content-type", _JPEG).partition(";")[0].strip().lower() != _JPEG:
        raise ProblemError(Problem.WRONG_TYPE)
    address = address_of(request.scope)
    return await calls.follow(_client(request), address, view, await request.body(), frame)


@router.delete(
    "/api/live",
    summary="End a live view",
    status_code=204,
    responses=refusals(Problem.NOT_FOUND, Problem.INVALID),
)
async def leave(request: Request, view: View) -> Response:
    """Let the next phone in; one that only falls silent has left soon, too."""
    await _calls(request).leave(_client(request), view)
    return Response(status_code=204)


def add_live(state: State, settings: ServeSettings) -> TrackerPool:
    """Put what the routes need into an application's state; return the room, to be closed."""
    seats = settings.live_seats if settings.is_live else 0
    room = TrackerPool(seats, partial(TrackerProcess, settings.talk))
    state.live_room = room
    state.live_calls = LiveCalls(room)
    return room


def _calls(request: Request) -> LiveCalls:
    if not request.app.state.settings.is_live:
        raise ProblemError(Problem.NOT_FOUND)
    calls: LiveCalls = request.app.state.live_calls
    return calls


def _client(request: Request) -> str:
    """Return what stands for a phone's session, as the guards have put it there."""
    client: str = request.scope["state"]["client"]
    return client
