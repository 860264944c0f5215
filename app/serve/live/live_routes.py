"""A phone's camera: over a WebSocket, or by a request for each frame where there can be none."""

from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, WebSocket
from fastapi.responses import Response
from starlette.datastructures import State

from app.serve.api.problems import Problem, ProblemError
from app.serve.api.schemas import refusals
from app.serve.host.serve_settings import ServeSettings
from app.serve.live.frame_messages import LiveReply
from app.serve.live.frame_requests import LiveCalls
from app.serve.live.phone_stream import serve_live
from app.serve.live.tracker_pool import LiveProcess, LiveRoom
from app.serve.security.request_limits import address_of

router = APIRouter()

_JPEG: Final = "image/jpeg"

View = Annotated[
    str,
    Query(description="chosen anew by the page for each live view", pattern=r"^[0-9a-f-]{36}$"),
]


@router.websocket("/api/live")
async def live(socket: WebSocket) -> None:
    """Take JPEG frames, and tell what to draw on each; see `docs/serve_live.md`."""
    if socket.app.state.settings.is_live:
        await serve_live(socket, socket.app.state.live_room)
    else:
        await socket.close()  # before it is accepted, so that it is refused


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


def add_live(state: State, settings: ServeSettings) -> LiveRoom:
    """Put what the routes need into an application's state; return the room, to be closed."""
    seats = settings.live_seats if settings.is_live else 0
    room = LiveRoom(seats, partial(LiveProcess, settings.talk))
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
