"""A phone's camera: a request for each frame, answered by what there is to draw on that frame.

The phone sends a JPEG and waits for the answer, so frames come as fast as they are worked on. A
phone that just stops asking has left. There is no WebSocket: Safari opens none to a server whose
certificate nobody has signed (WebKit bug 145819).
"""

from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from app.serve.api.problems import Problem, ProblemError
from app.serve.api.schemas import refusals
from app.serve.security.request_limits import address_of
from app.serve.tracker_pool import LiveReply, TrackerPool

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
    pool = _pool(request)
    if request.headers.get("content-type", _JPEG).partition(";")[0].strip().lower() != _JPEG:
        raise ProblemError(Problem.WRONG_TYPE)
    address = address_of(request.scope)
    return await pool.follow(_client(request), address, view, await request.body(), frame)


@router.delete(
    "/api/live",
    summary="End a live view",
    status_code=204,
    responses=refusals(Problem.NOT_FOUND, Problem.INVALID),
)
async def leave(request: Request, view: View) -> Response:
    """Let the next phone in; one that only falls silent has left soon, too."""
    _pool(request).leave(_client(request), view)
    return Response(status_code=204)


def _pool(request: Request) -> TrackerPool:
    if not request.app.state.settings.is_live:
        raise ProblemError(Problem.NOT_FOUND)
    pool: TrackerPool = request.app.state.live_pool
    return pool


def _client(request: Request) -> str:
    """Return what stands for a phone's session, as the guards have put it there."""
    client: str = request.scope["state"]["client"]
    return client
