"""What a request can be refused for, and how: nothing of the inside is told.

Programs get problem+json (RFC 9457), phones a page that says why. Requests that nobody has read
yet are answered, too.
"""

import asyncio
import json
from collections.abc import Sequence
from enum import Enum
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

MEDIA_TYPE: Final = "application/problem+json"


class Problem(Enum):
    """Every problem: its status, its code, which stays the same, and a sentence in English."""

    BAD_REQUEST = (400, "bad_request", "The request is not well formed.")
    NO_SESSION = (401, "no_session", "Scan the code on the computer once more.")
    FOREIGN = (403, "foreign", "The request comes from another page than this one.")
    NOT_FOUND = (404, "not_found", "There is nothing at this address.")
    WRONG_METHOD = (405, "wrong_method", "This address cannot be asked in this way.")
    NOT_ACCEPTABLE = (406, "not_acceptable", "There is no answer of the wanted type.")
    TOO_SLOW = (408, "too_slow", "The request took too long to arrive.")
    TOO_LARGE = (413, "too_large", "The request has too many bytes; send a smaller one.")
    TOO_MANY_PIXELS = (
        413,
        "too_many_pixels",
        "The picture has too many pixels; send a smaller one.",
    )
    WRONG_TYPE = (415, "wrong_type", "Only pictures and JSON are taken here.")
    MISDIRECTED = (421, "misdirected", "The server does not have this name.")
    INVALID = (422, "invalid", "A value is missing or not what it must be.")
    BAD_IMAGE = (422, "bad_image", "No picture could be read; take the photo again.")
    NOT_SOLVED = (422, "not_solved", "Nothing on the photo was solved.")
    NOT_UNIQUE = (422, "not_unique", "The puzzle does not have exactly one solution.")
    TOO_HARD = (422, "too_hard", "This takes longer than the server may take.")
    TOO_FAST = (429, "too_fast", "Too many requests; wait a moment.", 2)
    FAULT = (500, "fault", "The server has made a mistake; its log says which.")
    BUSY = (503, "busy", "The server is busy; try again in a moment.", 1)

    def __init__(self, status: int, code: str, detail: str, retry_after: int | None = None) -> None:
        self.status, self.code, self.detail, self.retry_after = status, code, detail, retry_after

    @property
    def headers(self) -> dict[str, str]:
        """What is sent beside the body."""
        if self.status == HTTPStatus.UNAUTHORIZED:
            return {"WWW-Authenticate": "Bearer"}  # RFC 9110, 11.6.1 wants a scheme to be named
        return {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}

    def body(self) -> bytes:
        """Return the body, whose type is `MEDIA_TYPE`."""
        fields = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
        }
        return json.dumps(fields).encode()


def refusals(*problems: Problem) -> dict[int | str, dict[str, Any]]:
    """Describe the problems of a route, for FastAPI's `responses`."""
    told: dict[int | str, dict[str, Any]] = {}
    for problem in problems:
        earlier = told.get(problem.status)
        codes = f"{earlier['description']}, `{problem.code}`" if earlier else f"`{problem.code}`"
        told[problem.status] = {
            "description": codes,
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemBody"}}},
        }
    return told


class ProblemError(Exception):
    """A request is refused; it travels from a worker to the server."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


_LINGER_SECONDS: Final = 2.0
"""How long what a refused client still sends is read, so that it hears why instead of a reset."""

_LINGER_BYTES: Final = 32_000_000
"""How much of it."""

Header = tuple[bytes, bytes]


def header(scope: "Scope", name: bytes) -> bytes | None:
    """Return the first header of this lower-case name, None where there is none."""
    return next((value for key, value in scope["headers"] if key == name), None)


def has_body(scope: "Scope") -> bool:
    """Tell whether a request announces a body."""
    length = header(scope, b"content-length")
    return header(scope, b"transfer-encoding") is not None or length not in (None, b"0")


async def refuse(
    scope: "Scope",
    receive: "Receive",
    send: "Send",
    problem: Problem,
    retry_after: int | None = None,
    *,
    is_patient: bool = True,
) -> None:
    """Answer with a problem, which who asks for the page may read as one; see `answer`.

    `retry_after` is in seconds, in place of the problem's own; `is_patient` tells whether what the
    client still sends is read.
    """
    told = dict(problem.headers)
    if retry_after is not None:
        told["Retry-After"] = str(retry_after)
    told["Content-Type"], body = MEDIA_TYPE, problem.body()
    if is_page(scope) and problem.code in _refusals():
        told["Content-Type"], body = "text/html; charset=utf-8", page_of(problem.code).encode()
    headers = [(name.lower().encode(), value.encode()) for name, value in told.items()]
    await answer(scope, receive, send, problem.status, headers, body, is_patient=is_patient)


async def answer(
    scope: "Scope",
    receive: "Receive",
    send: "Send",
    status: int,
    headers: Sequence[Header],
    body: bytes,
    *,
    is_patient: bool = True,
) -> None:
    """Send a whole response to a request.

    Where a body is on its way, the answer says that the connection ends, and some of the body is
    read and dropped: a client that is cut off while it sends never sees the answer.
    """
    is_sending = has_body(scope)
    headers = [*headers, (b"content-length", str(len(body)).encode())]
    if is_sending:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": is_sending})
    if is_sending:
        if is_patient and header(scope, b"expect") is None:  # else it waits to be told to send
            await _drop_body(receive)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _drop_body(receive: "Receive") -> None:
    dropped = 0
    try:
        async with asyncio.timeout(_LINGER_SECONDS):
            while dropped < _LINGER_BYTES:
                message = await receive()
                dropped += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return
    except TimeoutError:
        return


_PAGE: Final = Path(__file__).with_name("refusal.html")
_TEXTS: Final = Path(__file__).with_name("refusals.json")
"""What the page says for each reason, in each language."""


@cache
def _refusals() -> dict[str, dict[str, str]]:
    texts: dict[str, dict[str, str]] = json.loads(_TEXTS.read_text(encoding="utf-8"))
    return texts


def page_of(reason: str) -> str:
    """Return the page that tells a reason in each language: a key of `refusals.json`."""
    texts, page = _refusals()[reason], _PAGE.read_text(encoding="utf-8")
    return page.format(english=texts["en"], german=texts["de"], french=texts["fr"])


def is_read(scope: "Scope") -> bool:
    """Tell whether a request only asks for something."""
    return scope["method"] in ("GET", "HEAD")


def is_page(scope: "Scope") -> bool:
    """Tell whether a request is for the page itself."""
    return is_read(scope) and scope["path"] == "/"
