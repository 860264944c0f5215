"""A photo comes in, and its report, or the solved photo, goes out."""

import asyncio
import logging
import math
import secrets
from typing import Annotated, Any, Final

from fastapi import APIRouter, BackgroundTasks, Query, Request
from fastapi.responses import JSONResponse, Response

from app.serve.api.photo_tasks import PhotoTask, make_readable, solve_picture
from app.serve.api.problems import Problem, ProblemError
from app.serve.api.schemas import PhotoReport, refusals
from app.serve.api.upload_archive import keep_photo
from app.serve.api.worker_requests import ask
from app.serve.host.serve_settings import ServeSettings

logger = logging.getLogger(__name__)

router = APIRouter()

_NUMBER: Final = r"-?[0-9]{1,6}(\.[0-9]{1,4})?"
_PICTURES: Final = {"image/jpeg": ".jpg", "image/png": ".png"}
"""What a solved photo can be sent as, and the suffix of that format."""

_JSON: Final = "application/json"
_BYTES: Final = "application/octet-stream"
_BINARY: Final = {"schema": {"type": "string", "format": "binary"}}


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
            Problem.BAD_REQUEST,
            Problem.NOT_ACCEPTABLE,
            Problem.TOO_SLOW,
            Problem.TOO_LARGE,
            Problem.TOO_MANY_PIXELS,
            Problem.WRONG_TYPE,
            Problem.INVALID,
            Problem.BAD_IMAGE,
            Problem.NOT_SOLVED,
            Problem.TOO_HARD,
            Problem.BUSY,
        ),
    },
    openapi_extra={
        "requestBody": {"required": True, "content": {"image/*": _BINARY, _BYTES: _BINARY}},
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
    _check_type(request.headers.get("content-type", _BYTES))
    wanted = _choose_type(request.headers.get("accept", ""))
    settings: ServeSettings = request.app.state.settings
    data = await request.body()
    if len(data) > settings.max_bytes:
        raise ProblemError(Problem.TOO_LARGE)
    state = request.app.state
    task = PhotoTask(
        data,
        settings.max_pixels,
        None if corners is None else tuple(map(float, corners.split(","))),
        _PICTURES.get(wanted),
        wants_result=state.on_result is not None,
    )
    report: dict[str, Any] = await ask(request, solve_picture, task)
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
    if state.on_photo is not None:
        later.add_task(state.on_photo, data, report)
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
        200: {"description": "The picture, upright", "content": {"image/jpeg": _BINARY}},
        **refusals(
            Problem.BAD_REQUEST,
            Problem.TOO_SLOW,
            Problem.TOO_LARGE,
            Problem.TOO_MANY_PIXELS,
            Problem.WRONG_TYPE,
            Problem.BAD_IMAGE,
            Problem.TOO_HARD,
            Problem.BUSY,
        ),
    },
    openapi_extra={
        "requestBody": {"required": True, "content": {"image/*": _BINARY, _BYTES: _BINARY}}
    },
)
async def convert_picture(request: Request) -> Response:
    """Decode, turn upright and make smaller, as phones send HEIC that other browsers cannot show.

    Nothing is read from it, and it is never kept.
    """
    _check_type(request.headers.get("content-type", _BYTES))
    settings: ServeSettings = request.app.state.settings
    data = await request.body()
    if len(data) > settings.max_bytes:
        raise ProblemError(Problem.TOO_LARGE)
    made: bytes = await ask(request, make_readable, data, settings.max_pixels)
    return Response(made, media_type="image/jpeg")


async def _keep(settings: ServeSettings, data: bytes, report: dict[str, Any]) -> bool | None:
    """Keep a photo where that is wanted, and tell whether it is kept; None where it is not."""
    if settings.keep is None:
        return None
    return await asyncio.to_thread(
        keep_photo, settings.keep, data, report, settings.least_free_bytes
    )


def _check_type(sent: str) -> None:
    kind = sent.partition(";")[0].strip().lower()
    if kind != _BYTES and not kind.startswith("image/"):
        raise ProblemError(Problem.WRONG_TYPE)


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
