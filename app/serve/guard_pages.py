"""What a phone sees in place of the page while it may not come in: why, and what to do."""

from enum import Enum
from typing import Final, NamedTuple

from starlette.types import Receive, Scope, Send

from app.serve.guard_answer import answer

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
    body = _PAGE.format(english=told.english, german=told.german, french=told.french)
    await answer(scope, receive, send, told.status, headers, body.encode())
