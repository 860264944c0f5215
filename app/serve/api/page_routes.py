"""What the page asks for itself: its files, and what there is to draw on a frame of its camera.

Files are read once, so that nothing that a client says is ever a path.

For each frame the phone sends a JPEG and waits for the answer, so frames come as fast as they are
worked on. A phone that just stops asking has left. There is no WebSocket: Safari opens none to a
server whose certificate nobody has signed (WebKit bug 145819).
"""

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from app.serve.api.problems import Problem, ProblemError
from app.serve.api.schemas import refusals
from app.serve.security.request_limits import address_of
from app.serve.tracker_pool import LiveReply, TrackerPool

FOLDER: Final = Path(__file__).parents[1] / "page"

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".jpg": "image/jpeg",
    ".woff2": "font/woff2",
}

INDEX: Final = "index.html"
_JPEG: Final = "image/jpeg"

_AT_ROOT: Final = ("manifest.webmanifest", "service-worker.js")
"""Beside the icons: what browsers look for there, or what rules the folder that it is in."""


@dataclass(frozen=True)
class PageFile:
    """A file of the page.

    Attributes:
        packed: the same for clients that take gzip; None where that would save nothing.
        tag: changes with its content.
    """

    data: bytes
    packed: bytes | None
    media_type: str
    tag: str


def read_page(folder: Path = FOLDER) -> dict[str, PageFile]:
    """Return the files of the page by the path at which they are served; `/` is the page."""
    files = {}
    for path in sorted(folder.iterdir()):
        media_type = _TYPES.get(path.suffix)
        if media_type is None or not path.is_file():
            continue
        data = path.read_bytes()
        tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
        files[_address(path.name)] = PageFile(data, _pack(data), media_type, tag)
    return files


def _pack(data: bytes) -> bytes | None:
    packed = gzip.compress(data, mtime=0)
    return packed if len(packed) < 0.9 * len(data) else None


def _address(name: str) -> str:
    if name == INDEX:
        return "/"
    is_icon = name.startswith("icon-") and name.endswith(".png")
    return f"/{name}" if is_icon or name in _AT_ROOT else f"/page/{name}"


def file_routes(files: Mapping[str, PageFile]) -> APIRouter:
    """Return a route for each file of the page, by the path where it is served."""
    router = APIRouter(include_in_schema=False)
    for path, file in files.items():
        _add(router, path, file)
    return router


def _add(router: APIRouter, path: str, file: PageFile) -> None:
    # Asked about at each visit, so that a page never runs scripts of two versions.
    headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}

    async def send(request: Request) -> Response:
        known = request.headers.get("if-none-match", "")
        if file.tag in (tag.strip().removeprefix("W/") for tag in known.split(",")):
            return Response(status_code=304, headers=headers)
        if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            packed = {**headers, "Content-Encoding": "gzip"}
            return Response(file.packed, media_type=file.media_type, headers=packed)
        return Response(file.data, media_type=file.media_type, headers=headers)

    router.add_api_route(path, send, methods=["GET", "HEAD"])


router = APIRouter()

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
    await _pool(request).leave(_client(request), view)
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
