"""The live view over a WebSocket: the phone sends frames, and is told what to draw on each.

The phone sends a JPEG and waits for the answer, so frames come as fast as they are worked on. Of
frames that come faster only the newest is followed; frames are numbered by both sides, so an
answer always names the very frame that it belongs to.
"""

import asyncio
import contextlib
import enum
import logging
import time
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from app.serve.live.frame_messages import MAX_FRAME_BYTES
from app.serve.live.tracker_pool import FrameRefusedError, LiveLostError, LiveRoom, LiveSeat
from app.serve.security.request_limits import address_of

logger = logging.getLogger(__name__)

LEAST_FRAME_SECONDS: Final = 1 / 30
"""Time from one frame to the next that is followed: no camera needs more."""

SILENCE_SECONDS: Final = 30.0
"""How long a phone may send nothing before its seat is free for another."""


class Close(enum.IntEnum):
    """Why the server ends the live view, as the WebSocket's close code (RFC 6455, 7.4, and IANA's
    registry).
    """

    GOING_AWAY = 1001
    """The phone has sent nothing for long."""
    UNSUPPORTED = 1003
    """What came is no binary frame."""
    BAD_FRAME = 1007
    """What came is no JPEG that can be followed."""
    TOO_LARGE = 1009
    LOST = 1011
    """The process behind it has ended or hangs; try again."""
    BUSY = 1013
    """As many phones film already as may; try again later."""


REASONS: Final = {
    Close.GOING_AWAY: "silent",
    Close.UNSUPPORTED: "bad_frame",
    Close.BAD_FRAME: "bad_frame",
    Close.TOO_LARGE: "too_large",
    Close.LOST: "lost",
    Close.BUSY: "busy",
}


async def serve_live(socket: WebSocket, room: LiveRoom) -> None:
    """Follow what a phone films until it goes, or has to.

    Args:
        socket: not accepted yet, of a phone that may be here.
        room: where it is followed, if there is a seat.
    """
    await socket.accept()
    seat = room.enter(address_of(socket.scope))
    if seat is None:
        await _end(socket, Close.BUSY)
        return
    try:
        reason = await _talk(socket, seat)
    finally:
        # A phone that goes, and a server that stops, leave the seat in order.
        leaving = asyncio.ensure_future(room.leave(seat))
        room.keep(leaving)
        await asyncio.shield(leaving)
    if reason is not None:
        await _end(socket, reason)


async def _talk(socket: WebSocket, seat: LiveSeat) -> Close | None:
    """Answer frames; return why that ends, None where the phone has gone."""
    newest = _Newest()
    receiving = asyncio.ensure_future(_receive(socket, newest))
    answering = asyncio.ensure_future(_answer(socket, seat, newest))
    try:
        done, _ = await asyncio.wait({receiving, answering}, return_when=asyncio.FIRST_COMPLETED)
        return next(iter(done)).result()
    finally:
        for task in (receiving, answering):
            task.cancel()
        await asyncio.gather(receiving, answering, return_exceptions=True)


class _Newest:
    """A place for one frame, and the count of all that came."""

    def __init__(self) -> None:
        self._count = 0
        self._jpeg: bytes | None = None
        self._came = asyncio.Event()

    def put(self, jpeg: bytes) -> None:
        """Replace what was not taken yet."""
        self._count += 1
        self._jpeg = jpeg
        self._came.set()

    async def take(self) -> tuple[bytes, int]:
        """Wait for a frame; return it and its number."""
        await self._came.wait()
        self._came.clear()
        assert self._jpeg is not None
        jpeg, self._jpeg = self._jpeg, None
        return jpeg, self._count


async def _receive(socket: WebSocket, newest: _Newest) -> Close | None:
    while True:
        try:
            message = await asyncio.wait_for(socket.receive(), SILENCE_SECONDS)
        except TimeoutError:
            return Close.GOING_AWAY
        if message["type"] == "websocket.disconnect":
            return None
        jpeg = message.get("bytes")
        if jpeg is None:
            return Close.UNSUPPORTED
        if len(jpeg) > MAX_FRAME_BYTES:
            return Close.TOO_LARGE
        newest.put(jpeg)


async def _answer(socket: WebSocket, seat: LiveSeat, newest: _Newest) -> Close | None:
    while True:
        jpeg, number = await newest.take()
        start = time.monotonic()
        try:
            reply = await seat.follow(jpeg, number)
        except FrameRefusedError:
            return Close.BAD_FRAME
        except LiveLostError:
            return Close.LOST
        try:
            await socket.send_json(vars(reply))
        except (WebSocketDisconnect, RuntimeError):  # it has gone meanwhile
            return None
        await asyncio.sleep(max(start + LEAST_FRAME_SECONDS - time.monotonic(), 0.0))


async def _end(socket: WebSocket, reason: Close) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(reason, REASONS[reason])
