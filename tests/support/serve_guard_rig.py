"""A small application behind the guards, and clients that talk to it without a network."""

import asyncio
from dataclasses import dataclass, field, replace

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.serve.security.guard_chain import GuardRules, guarded

TOKEN = "a-token-for-tests-of-24-signs"
HOST = "192.168.1.20:8765"
RULES = GuardRules(token=TOKEN, hosts=(HOST, "localhost"), public=("/api/health",))
COOKIE_NAME = "sudoku-lens-8765"


@dataclass
class Answered:
    """What a client got.

    Attributes:
        status: 0 where nothing was answered.
        headers: lower case, the last of a name.
        body: bytes.
        messages: as they were sent.
    """

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    messages: list[Message] = field(default_factory=list)

    async def send(self, message: Message) -> None:
        self.messages.append(message)
        if message["type"].endswith("response.start"):
            self.status = message["status"]
            self.headers = {key.decode(): value.decode() for key, value in message["headers"]}
        elif message["type"].endswith("response.body"):
            self.body += message["body"]


@dataclass
class Echo:
    """An application that remembers what reached it and answers with the length of the body."""

    scopes: list[Scope] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    failure: Exception | None = None
    until: asyncio.Event | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scopes.append(scope)
        message = await receive()
        self.bodies.append(message.get("body", b""))
        if self.until is not None:
            await self.until.wait()
        if self.failure is not None:
            raise self.failure
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": str(len(self.bodies[-1])).encode()})


@dataclass(frozen=True)
class Request:
    """One request; the fields are those of an ASGI scope, with headers as text."""

    path: str = "/api/session"
    method: str = "GET"
    query: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    chunks: tuple[bytes, ...] = ()
    address: str = "192.168.1.50"
    scheme: str = "http"
    has_length: bool = True
    stalls: bool = False
    leaves: bool = False

    def scope(self) -> Scope:
        headers = {"host": HOST, **self.headers}
        if self.chunks and self.has_length:
            headers.setdefault("content-length", str(sum(map(len, self.chunks))))
        elif self.chunks or self.stalls or self.leaves:
            headers.setdefault("transfer-encoding", "chunked")
        return {
            "type": "http",
            "method": self.method,
            "path": self.path,
            "query_string": self.query.encode(),
            "headers": [(key.encode(), value.encode("latin-1")) for key, value in headers.items()],
            "client": (self.address, 40000),
            "server": ("192.168.1.20", 8765),
            "scheme": self.scheme,
            "state": {},
        }


async def ask(app: ASGIApp, request: Request) -> Answered:
    """Run one request through an application."""
    answered = Answered()
    chunks = list(request.chunks)

    async def receive() -> Message:
        if chunks:
            body = chunks.pop(0)
            more = bool(chunks) or request.stalls or request.leaves
            return {"type": "http.request", "body": body, "more_body": more}
        if request.leaves:
            return {"type": "http.disconnect"}
        if request.stalls:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": b"", "more_body": False}

    await app(request.scope(), receive, answered.send)
    return answered


@dataclass
class Rig:
    """A guarded application and what reached it."""

    rules: GuardRules = RULES
    echo: Echo = field(default_factory=Echo)

    def __post_init__(self) -> None:
        self.app = guarded(self.echo, self.rules)

    def ask(self, request: Request) -> Answered:
        """Run one request in an event loop of its own."""
        return asyncio.run(ask(self.app, request))

    def sign_in(self, request: Request | None = None) -> dict[str, str]:
        """Show the token and return the header that a phone sends from then on."""
        first = request or Request()
        answered = self.ask(replace(first, path="/", query=f"token={TOKEN}"))
        assert answered.status == 303
        return {"cookie": answered.headers["set-cookie"].partition(";")[0]}
