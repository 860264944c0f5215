"""Refusals in front of the application: problems for programs, pages that say why for phones.

They answer requests that nobody has read yet.
"""

import asyncio
from collections.abc import Sequence
from enum import Enum
from typing import Final, NamedTuple

from starlette.types import Receive, Scope, Send

from app.serve.api.problems import MEDIA_TYPE, Problem

_LINGER_SECONDS: Final = 2.0
"""How long what a refused client still sends is read, so that it hears why instead of a reset."""

_LINGER_BYTES: Final = 32_000_000
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
        async with asyncio.timeout(_LINGER_SECONDS):
            while dropped < _LINGER_BYTES:
                message = await receive()
                dropped += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return
    except TimeoutError:
        return


_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sudoku Lens</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="/icon-192.png">
<link rel="stylesheet" href="/page/scan.css"></head>
<body><main><img src="/icon-192.png" alt="" width="96" height="96"><h1>Sudoku Lens</h1>
<p>{english}</p>
<p lang="de">{german}</p>
<p lang="fr">{french}</p></main></body></html>
"""


class _Told(NamedTuple):
    status: int
    english: str
    german: str
    french: str


class Reason(Enum):
    """Why a phone may not come in: the status of HTTP, and what it is told in each language."""

    NO_SESSION = _Told(
        401,
        "Scan the code on the computer again: this address alone does not open the page.",
        "Bitte den Code am Computer noch einmal scannen: Diese Adresse allein öffnet die Seite "
        "nicht.",
        "Scannez à nouveau le code sur l’ordinateur : cette adresse seule n’ouvre pas la page.",
    )
    NO_ROOM = _Told(
        503,
        "Too many phones of this network use the page. Wait a quarter of an hour, then scan the "
        "code again.",
        "Zu viele Telefone dieses Netzes benutzen die Seite. Bitte eine Viertelstunde warten und "
        "den Code dann noch einmal scannen.",
        "Trop de téléphones de ce réseau utilisent la page. Attendez un quart d’heure, puis "
        "scannez à nouveau le code.",
    )
    MISDIRECTED = _Told(
        421,
        "This computer does not know that it is called so. On it, start the server with --name and "
        "this name, as in: sudoku-lens serve --name sudoku.home. Or scan the code there.",
        "Dieser Computer weiß nicht, dass er so heißt. Dort den Server mit --name und diesem Namen "
        "starten, etwa: sudoku-lens serve --name sudoku.home. Oder den Code dort scannen.",
        "Cet ordinateur ne sait pas qu’il s’appelle ainsi. Démarrez-y le serveur avec --name et ce "
        "nom, par exemple : sudoku-lens serve --name sudoku.home. Ou scannez le code là-bas.",
    )
    TOO_FAST = _Told(
        429,
        "This phone has asked too much at a time. Wait a minute, then open the page again.",
        "Dieses Telefon hat zu viel auf einmal gefragt. Bitte eine Minute warten und die Seite "
        "dann wieder öffnen.",
        "Ce téléphone a demandé trop de choses à la fois. Attendez une minute, puis rouvrez la "
        "page.",
    )
    NOT_ENCRYPTED = _Told(
        400,
        "This page is encrypted: its address begins with https:// and not with http://.",
        "Diese Seite ist verschlüsselt: Ihre Adresse beginnt mit https:// und nicht mit http://.",
        "Cette page est chiffrée : son adresse commence par https:// et non par http://.",
    )


async def explain(
    scope: Scope, receive: Receive, send: Send, reason: Reason, retry_after: int | None = None
) -> None:
    """Answer a request for the page with a reason.

    Args:
        scope: of the request.
        receive: of the request.
        send: of the request.
        reason: what is told.
        retry_after: seconds after which to try again, where waiting helps.
    """
    told = reason.value
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"cache-control", b"no-store")]
    if retry_after is not None:
        headers.append((b"retry-after", str(retry_after).encode()))
    await answer(scope, receive, send, told.status, headers, page_of(reason).encode())


def page_of(reason: Reason) -> str:
    """Return the page that tells a reason in each language."""
    told = reason.value
    return _PAGE.format(english=told.english, german=told.german, french=told.french)


def is_read(scope: Scope) -> bool:
    """Tell whether a request only asks for something."""
    return scope["type"] == "http" and scope["method"] in ("GET", "HEAD")


def is_page(scope: Scope) -> bool:
    """Tell whether a request is for the page itself."""
    return is_read(scope) and scope["path"] == "/"
