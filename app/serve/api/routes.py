"""What can be asked: a photo comes in, or a puzzle's digits, and what came of them goes out.

The phone sends all that is needed along, so nothing of a puzzle is kept here. The work is done by
other processes; what a client no longer waits for is called off.

A camera's frame is a request, too, answered by what there is to draw on it, so frames come as fast
as they are worked on. A phone that just stops asking has left. There is no WebSocket: Safari opens
none to a server whose certificate nobody has signed (WebKit bug 145819).
"""

import asyncio
import logging
import math
import secrets
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar

from fastapi import APIRouter, BackgroundTasks, Query, Request
from fastapi.responses import JSONResponse, Response
from starlette.requests import ClientDisconnect

from app.serve.api.photo_tasks import PhotoTask, keep_photo, make_readable, solve_picture
from app.serve.api.problems import Problem, ProblemError, refusals
from app.serve.api.puzzle_tasks import (
    export_puzzle,
    find_position,
    give_hint,
    import_puzzle,
    make_new,
    rate_puzzle,
    solve_puzzle,
    tell_technique,
)
from app.serve.api.schemas import (
    CheckedPuzzle,
    Creation,
    CreationWish,
    Export,
    ExportWish,
    Hint,
    HintWish,
    Import,
    ImportWish,
    LessonPage,
    LessonWish,
    PhotoReport,
    Position,
    PositionWish,
    PuzzleReport,
    Rating,
    RatingWish,
)
from app.serve.request_workers import call_worker
from app.serve.security.request_limits import address_of
from app.serve.server import ServeSettings
from app.serve.tracker_pool import LiveReply, TrackerPool

logger = logging.getLogger(__name__)
router = APIRouter()
_T = TypeVar("_T")
_Route = TypeVar("_Route", bound=Callable[..., Any])


async def ask(request: Request, function: Callable[..., _T], *arguments: Any) -> _T:
    """Let a worker call a function of a module, with its pipeline and picklable arguments.

    Raises:
        ProblemError: if the function says so, if too many wait, or if it cannot be done.
        ClientDisconnect: if the client goes away.
    """
    client = address_of(request.scope)
    calling = call_worker(request.app.state.workers, function, *arguments, client=client)
    doing = asyncio.ensure_future(calling)
    leaving = asyncio.ensure_future(_wait_until_gone(request))
    try:
        await asyncio.wait({doing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            answer: _T = doing.result()
            return answer
        raise ClientDisconnect
    finally:
        for task in (doing, leaving):
            task.cancel()
        await asyncio.gather(doing, leaving, return_exceptions=True)


async def _wait_until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


_NUMBER: Final = r"-?[0-9]{1,6}(\.[0-9]{1,4})?"
_JPEG: Final = "image/jpeg"
_PICTURES: Final = {_JPEG: ".jpg", "image/png": ".png"}
"""What a solved photo can be sent as, and the suffix of that format."""

_JSON: Final = "application/json"
_BYTES: Final = "application/octet-stream"
_BINARY: Final = {"schema": {"type": "string", "format": "binary"}}
_PICTURE: Final = {
    "requestBody": {"required": True, "content": {"image/*": _BINARY, _BYTES: _BINARY}}
}
_PICTURE_SENT: Final = (
    Problem.BAD_REQUEST,
    Problem.TOO_SLOW,
    Problem.TOO_LARGE,
    Problem.TOO_MANY_PIXELS,
    Problem.WRONG_TYPE,
)
_WORKED_OUT: Final = (Problem.TOO_HARD, Problem.BUSY)


@router.post(
    "/api/photos",
    summary="Solve the boards of a photo",
    response_class=Response,
    responses={
        200: {
            "description": "What came of it, or the solved photo, as `Accept` says",
            "model": PhotoReport,
            "content": dict.fromkeys(_PICTURES, _BINARY),
        },
        **refusals(
            *_PICTURE_SENT,
            Problem.NOT_ACCEPTABLE,
            Problem.INVALID,
            Problem.BAD_IMAGE,
            Problem.NOT_SOLVED,
            *_WORKED_OUT,
        ),
    },
    openapi_extra={
        **_PICTURE,
        "parameters": [
            {
                "name": "Accept",
                "in": "header",
                "schema": {"type": "string", "enum": [_JSON, *_PICTURES]},
            }
        ],
    },
)
async def solve_photo(
    request: Request,
    corners: Annotated[
        str | None,
        Query(
            description="The board by hand: x1,y1,…,x4,y4 clockwise, in pixels of the upright "
            "photo",
            pattern=rf"^{_NUMBER}(,{_NUMBER}){{7}}$",
            examples=["40,40,400,40,400,400,40,400"],
        ),
    ] = None,
) -> Response:
    """Find, read, solve and verify. The body is the picture, no form; it has no name."""
    _check_type(request)
    wanted = _choose_type(request.headers.get("accept", ""))
    data = await _receive(request)
    state = request.app.state
    settings: ServeSettings = state.settings
    task = PhotoTask(
        data,
        settings.max_pixels,
        None if corners is None else tuple(map(float, corners.split(","))),
        _PICTURES.get(wanted),
        wants_result=state.on_result is not None,
    )
    report = await ask(request, solve_picture, task)
    picture, result = report.pop("picture", None), report.pop("result", None)
    logger.info(
        "a photo of %d bytes: %s in %.2f s",
        len(data),
        report["outcome"],
        sum(report["seconds"].values()),
    )
    report = {"id": secrets.token_urlsafe(12), **report}
    report["kept"] = await _keep(settings, data, report)
    later = BackgroundTasks()  # nobody waits for windows
    if state.on_result is not None:
        later.add_task(state.on_result, data, result)
    if picture is not None:
        return Response(picture, media_type=wanted, background=later)
    return JSONResponse(report, background=later)


@router.post(
    "/api/pictures",
    summary="Make a picture a JPEG that every browser can open",
    response_class=Response,
    responses={
        200: {"description": "The picture, upright", "content": {_JPEG: _BINARY}},
        **refusals(*_PICTURE_SENT, Problem.BAD_IMAGE, *_WORKED_OUT),
    },
    openapi_extra=_PICTURE,
)
async def convert_picture(request: Request) -> Response:
    """Decode, turn upright and make smaller, as phones send HEIC that other browsers cannot show.

    Nothing is read from it, and it is never kept.
    """
    _check_type(request)
    data = await _receive(request)
    made = await ask(request, make_readable, data, request.app.state.settings.max_pixels)
    return Response(made, media_type=_JPEG)


async def _keep(settings: ServeSettings, data: bytes, report: dict[str, Any]) -> bool | None:
    """Keep a photo where that is wanted, and tell whether it is kept; None where it is not."""
    if settings.keep is None:
        return None
    return await asyncio.to_thread(
        keep_photo, settings.keep, data, report, settings.least_free_bytes
    )


def _type_of(request: Request, usual: str) -> str:
    return request.headers.get("content-type", usual).partition(";")[0].strip().lower()


def _check_type(request: Request) -> None:
    kind = _type_of(request, _BYTES)
    if kind != _BYTES and not kind.startswith("image/"):
        raise ProblemError(Problem.WRONG_TYPE)


async def _receive(request: Request) -> bytes:
    data = await request.body()
    if len(data) > request.app.state.settings.max_bytes:
        raise ProblemError(Problem.TOO_LARGE)
    return data


def _choose_type(accepted: str) -> str:
    """Return the type of the answer: the one of ours that is wanted most, JSON where equal."""
    best, most = "", 0.0
    for ours in (_JSON, *_PICTURES):
        weight = max((_weigh(part, ours) for part in (accepted or "*/*").split(",")), default=0.0)
        if weight > most:
            best, most = ours, weight
    if not best:
        raise ProblemError(Problem.NOT_ACCEPTABLE)
    return best


def _weigh(part: str, ours: str) -> float:
    """Return how much a part of an Accept header wants a type, 0 for not at all."""
    wanted, *parameters = (piece.strip().lower() for piece in part.split(";"))
    if wanted not in (ours, f"{ours.partition('/')[0]}/*", "*/*"):
        return 0.0
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                weight = float(value)
            except ValueError:
                return 0.0
            return weight if math.isfinite(weight) else 0.0
    return 1.0


_ASKED: Final = (
    Problem.BAD_REQUEST,
    Problem.TOO_SLOW,
    Problem.TOO_LARGE,
    Problem.WRONG_TYPE,
    Problem.INVALID,
)


def _post(path: str, summary: str, model: type, *problems: Problem) -> Callable[[_Route], _Route]:
    told = refusals(*_ASKED, *problems)
    return router.post(path, summary=summary, response_model=model, responses=told)


@_post("/api/puzzles", "Solve clues, and check entries", PuzzleReport, *_WORKED_OUT)
async def solve(request: Request, wish: CheckedPuzzle) -> dict[str, Any]:
    """Solve once more after a correction; the solution is verified, or there is none."""
    return await ask(request, solve_puzzle, wish)


@_post("/api/hints", "Give a hint", Hint, *_WORKED_OUT)
async def hint(request: Request, wish: HintWish) -> dict[str, Any]:
    """Tell the next step as far as is wanted: where to look, its cells, or what follows."""
    return await ask(request, give_hint, wish)


@_post("/api/ratings", "Rate a puzzle", Rating, *_WORKED_OUT, Problem.NOT_UNIQUE)
async def rate(request: Request, wish: RatingWish) -> dict[str, Any]:
    """Say how hard a puzzle is; the hardest take seconds."""
    return await ask(request, rate_puzzle, wish)


@_post("/api/exports", "Write a puzzle in a format", Export)
def export(wish: ExportWish) -> dict[str, Any]:
    """Return the text of a file that other programs open, or a link."""
    return export_puzzle(wish)


@_post("/api/imports", "Read a puzzle from a text", Import)
def read(wish: ImportWish) -> dict[str, Any]:
    """Return the puzzle that a text in any format holds, or that a link holds with its rules."""
    return import_puzzle(wish)


@_post("/api/creations", "Make a new puzzle", Creation, *_WORKED_OUT)
async def create(request: Request, wish: CreationWish) -> dict[str, Any]:
    """Make a puzzle with exactly one solution; whoever goes away calls it off."""
    return await ask(request, make_new, wish)


@_post("/api/lessons", "Tell of a technique", LessonPage, *_WORKED_OUT)
async def teach(request: Request, wish: LessonWish) -> dict[str, Any]:
    """Tell what a technique is, and show it on the board at hand or in an example."""
    return await ask(request, tell_technique, wish)


@_post("/api/practices", "Find a position to practise on", Position, *_WORKED_OUT)
async def practise(request: Request, wish: PositionWish) -> dict[str, Any]:
    """Look for a position that needs a technique next; whoever goes away calls it off."""
    return await ask(request, find_position, wish)


View = Annotated[
    str,
    Query(description="chosen anew by the page for each live view", pattern=r"^[0-9a-f-]{36}$"),
]


@router.post(
    "/api/live",
    summary="Follow the board in the next frame of a camera",
    response_model=LiveReply,
    responses=refusals(*_ASKED[1:], Problem.NOT_FOUND, Problem.BAD_IMAGE, Problem.BUSY),
    openapi_extra={"requestBody": {"required": True, "content": {_JPEG: _BINARY}}},
)
async def follow_frame(
    request: Request,
    view: View,
    frame: Annotated[int, Query(ge=1, le=2**31, description="the frame's number, from 1")],
) -> LiveReply:
    """Follow the board into a frame, which is the body. One frame of a view at a time."""
    pool = _pool(request)
    if _type_of(request, _JPEG) != _JPEG:
        raise ProblemError(Problem.WRONG_TYPE)
    address = address_of(request.scope)
    return await pool.follow(_session_of(request), address, view, await request.body(), frame)


@router.delete(
    "/api/live",
    summary="End a live view",
    status_code=204,
    responses=refusals(Problem.NOT_FOUND, Problem.INVALID),
)
async def leave(request: Request, view: View) -> Response:
    """Let the next phone in; one that only falls silent has left soon, too."""
    _pool(request).leave(_session_of(request), view)
    return Response(status_code=204)


def _pool(request: Request) -> TrackerPool:
    if not request.app.state.settings.is_live:
        raise ProblemError(Problem.NOT_FOUND)
    pool: TrackerPool = request.app.state.live_pool
    return pool


def _session_of(request: Request) -> str:
    """Return what stands for a phone's session, as the guards have put it there."""
    client: str = request.scope["state"]["client"]
    return client
