"""How routes ask the worker processes: what a client no longer waits for is called off."""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from fastapi import Request
from starlette.requests import ClientDisconnect

from app.serve.security.request_limits import address_of


class Workers(Protocol):
    """What an application lets its requests be worked out by."""

    def start(self) -> None:
        """Begin, and return at once."""

    def stop(self) -> None:
        """End whatever is done."""

    async def do(self, function: Callable[..., Any], *arguments: Any, client: str = "") -> Any:
        """Return what a function of a module makes of an `pipeline.Pipeline` and arguments.

        Args:
            function: what is called.
            arguments: what else it takes; picklable.
            client: who asks; one that has much waiting makes room for one that has less.

        Raises:
            ProblemError: if the function says so, if too many wait, or if it cannot be done.
        """


async def ask(request: Request, function: Callable[..., Any], *arguments: Any) -> Any:
    """Let a worker call a function of a module, with its pipeline first.

    Args:
        request: whose body has been read.
        function: what is called.
        arguments: what else it takes; picklable.

    Raises:
        ProblemError: if the function says so, if too many wait, or if it cannot be done.
        ClientDisconnect: if the client goes away.
    """
    crew: Workers = request.app.state.crew
    doing = asyncio.ensure_future(crew.do(function, *arguments, client=address_of(request.scope)))
    leaving = asyncio.ensure_future(_wait_until_gone(request))
    try:
        await asyncio.wait({doing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            return doing.result()
        raise ClientDisconnect
    finally:
        for task in (doing, leaving):
            task.cancel()
        await asyncio.gather(doing, leaving, return_exceptions=True)


async def _wait_until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
