"""Serves the files of the page, read once, so that nothing that a client says is ever a path."""

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import Response

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

_INDEX: Final = "index.html"

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
        packed = gzip.compress(data, mtime=0)
        is_smaller = len(packed) < 0.9 * len(data)
        file = PageFile(data, packed if is_smaller else None, media_type, tag)
        files[_address(path.name)] = file
    return files


def _address(name: str) -> str:
    if name == _INDEX:
        return "/"
    is_icon = name.startswith("icon-") and name.endswith(".png")
    return f"/{name}" if is_icon or name in _AT_ROOT else f"/page/{name}"


def file_routes(files: Mapping[str, PageFile]) -> APIRouter:
    """Return a route for each file of the page, by the path where it is served."""
    router = APIRouter(include_in_schema=False)
    for path, file in files.items():
        _add_file(router, path, file)
    return router


def _add_file(router: APIRouter, path: str, file: PageFile) -> None:
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
