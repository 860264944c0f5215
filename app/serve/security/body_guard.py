"""Bodies of requests: read whole within bytes and seconds before anything is worked on."""

import asyncio
from dataclasses import dataclass
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.serve.api.problems import Problem
from app.serve.live.frame_messages import MAX_FRAME_BYTES
from app.serve.security.refusals import has_body, header, refuse

PHOTO_PATH: Final = "/api/photos"
PICTURE_PATH: Final = "/api/pictures"
LIVE_PATH: Final = "/api/live"


@dataclass(frozen=True)
class BodyLimits:
    """What bodies may be.

    Attributes:
        photo_bytes: of a photo.
        frame_bytes: of a camera's picture.
        other_bytes: of any other request.
        bytes_at_once: of all bodies that are held at a time.
        pause_seconds: how long a client may send nothing.
        seconds: how long a body may take in all.
    """

    photo_bytes: int = 25_000_000
    frame_bytes: int = MAX_FRAME_BYTES
    other_bytes: int = 65_536
    bytes_at_once: int = 200_000_000
    pause_seconds: float = 10.0
    seconds: float = 60.0


class _RefusedError(Exception):
    """A body is not taken."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


class BodyGuard:
    """Hands the application bodies that are complete; one that is too large or slow it never sees.

    The bytes held at a time are limited for all clients together, so memory does not depend on
    how many there are.
    """

    def __init__(self, app: ASGIApp, limits: BodyLimits) -> None:
        self._app = app
        self._limits = limits
        self._most = {
            PHOTO_PATH: limits.photo_bytes,
            PICTURE_PATH: limits.photo_bytes,
            LIVE_PATH: limits.frame_bytes,
        }
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run or refuse one request."""
        if not has_body(scope):
            await self._app(scope, receive, send)
            return
        held = _Held(self)
        try:
            body = await self._read(scope, receive, held)
        except _RefusedError as refused:
            held.release()
            await refuse(scope, receive, send, refused.problem)
            return
        except ConnectionResetError:  # nobody is there to be told
            held.release()
            return
        rest: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_rest() -> Message:
            return rest.pop() if rest else await receive()

        try:
            await self._app(scope, receive_rest, send)
        finally:
            held.release()

    async def _read(self, scope: Scope, receive: Receive, held: "_Held") -> bytes:
        limits = self._limits
        most = self._most.get(scope["path"], limits.other_bytes)
        if header(scope, b"content-encoding") not in (None, b"identity"):
            raise _RefusedError(Problem.WRONG_TYPE)  # unpacked, it could be of any size
        announced = header(scope, b"content-length")
        if announced is not None and int(announced) > most:
            raise _RefusedError(Problem.TOO_LARGE)
        body = bytearray()
        try:
            async with asyncio.timeout(limits.seconds):
                while True:
                    async with asyncio.timeout(limits.pause_seconds):
                        message = await receive()
                    if message["type"] == "http.disconnect":
                        raise ConnectionResetError
                    chunk: bytes = message.get("body", b"")
                    if len(body) + len(chunk) > most:
                        raise _RefusedError(Problem.TOO_LARGE)
                    if not held.take(len(chunk)):
                        raise _RefusedError(Problem.BUSY)
                    body += chunk
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            raise _RefusedError(Problem.TOO_SLOW) from None


class _Held:
    """What one request holds of the bytes that all may hold."""

    def __init__(self, guard: BodyGuard) -> None:
        self._guard = guard
        self._bytes = 0

    def take(self, count: int) -> bool:
        """Hold so many more; False where there is no room."""
        if self._guard._held + count > self._guard._limits.bytes_at_once:
            return False
        self._guard._held += count
        self._bytes += count
        return True

    def release(self) -> None:
        """Hold none any more."""
        self._guard._held -= self._bytes
        self._bytes = 0
