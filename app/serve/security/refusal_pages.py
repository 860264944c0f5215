"""What a phone sees in place of the page while it may not come in: why, and what to do."""

from enum import Enum
from typing import Final, NamedTuple

from starlette.types import Receive, Scope, Send

from app.serve.security.refusals import answer

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
