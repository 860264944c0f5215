"""The page and its files."""

from collections.abc import Mapping

from fastapi import APIRouter, Request
from fastapi.responses import Response

from app.serve.api.page_files import PageFile


def page_routes(files: Mapping[str, PageFile]) -> APIRouter:
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
