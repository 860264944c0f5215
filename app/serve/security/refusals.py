"""Answers from in front of the application, to requests that nobody has read yet."""

import asyncio
from collections.abc import Sequence
from typing import Final

from starlette.types import Receive, Scope, Send

from app.serve.api.problems import MEDIA_TYPE, Problem

LINGER_SECONDS: Final = 2.0
"""How long what a refused client still sends is read, so that it hears why instead of a reset."""

LINGER_BYTES: Final = 32_000_000
"""How much of it."""

Header = tuple[bytes, bytes]


def header(scope: Scope, name: bytes) -> bytes | None:
    """Return the first header of this lower-case name, None where there is none."""
    return next((value for key, value in scope["headers"] if key == name), None)


def has_body(scope: Scope) -> bool:
    """Tell whether a request announces a body."""
    if scope["type"] != "http":
        return False
    length = header(scope, b"content-length")
    return header(scope, b"transfer-encoding") is not None or length not in (None, b"0")


async def refuse(
    scope: Scope,
    receive: Receive,
    send: Send,
    problem: Problem,
    retry_after: int | None = None,
    *,
    is_patient: bool = True,
) -> None:
    """Answer with a problem; see `answer`.

    Args:
        scope: of the request.
        receive: of the request.
        send: of the request.
        problem: what is told.
        retry_after: seconds after which to try again, in place of the problem's own.
        is_patient: whether what the client still sends is read.
    """
    told = dict(problem.headers)
    if retry_after is not None:
        told["Retry-After"] = str(retry_after)
    headers = [(name.lower().encode(), value.encode()) for name, value in told.items()]
    await answer(
        scope,
        receive,
        send,
        problem.status,
        [(b"content-type", MEDIA_TYPE.encode()), *headers],
        problem.body(),
        is_patient=is_patient,
    )


async def answer(
    scope: Scope,
    receive: Receive,
    send: Send,
    status: int,
    headers: Sequence[Header],
    body: bytes,
    *,
    is_patient: bool = True,
) -> None:
    """Send a whole response to a request, or to a WebSocket that is not open yet.

    Where a body is on its way, the answer says that the connection ends, and some of the body is
    read and dropped: a client that is cut off while it sends never sees the answer.
    """
    is_socket = scope["type"] == "websocket"
    if is_socket and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008})
        return
    kind = "websocket.http.response" if is_socket else "http.response"
    is_sending = has_body(scope)
    headers = [*headers, (b"content-length", str(len(body)).encode())]
    if is_sending:
        headers.append((b"connection", b"close"))
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body, "more_body": is_sending})
    if is_sending:
        if is_patient and header(scope, b"expect") is None:  # else it waits to be told to send
            await _drop_body(receive)
        await send({"type": f"{kind}.body", "body": b"", "more_body": False})


async def _drop_body(receive: Receive) -> None:
    dropped = 0
    try:
        async with asyncio.timeout(LINGER_SECONDS):
            while dropped < LINGER_BYTES:
                message = await receive()
                dropped += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return
    except TimeoutError:
        return
