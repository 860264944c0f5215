"""How the server works, as the command line or the window chose it."""

import io
import ipaddress
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from app.serve.security.known_clients import PhoneBook
from app.terminal.child_process import Talk

if TYPE_CHECKING:
    from app.recognition.results import PhotoResult

OnResult = Callable[[bytes, "PhotoResult"], None]
"""Is told of each photo that was worked through, in a thread of the server's: the picture's bytes
as they came, and what came of it, as the window shows it."""


@dataclass(frozen=True)
class ServeSettings:
    """What is served, to whom, and how much of it at a time.

    Attributes:
        token: what the address in the QR code holds, to be exchanged for a session.
        program_token: what programs send to come in, None where none may.
        book: remembers phones from start to start, None where they end with the server.
        hosts: names and addresses that phones may use for this computer, with a port or without.
        port: that it listens on, for the description alone.
        is_https: whether the connection is encrypted.
        certificate: the user's own certificate and its key; None for one that is made.
        has_authority: whether that one is signed by an authority of this computer's own.
        is_live: whether a phone may send its camera's pictures.
        live_seats: phones that may do so at once; each has a process of its own.
        keep: the folder where photos and their reports are kept, None for nowhere.
        least_free_bytes: what keeping photos leaves of the disk to all else.
        max_bytes: of an upload.
        max_pixels: of a photo; more are refused before any is decoded.
        workers: processes that photos are worked off in; with one alone, a client's long request
            keeps the others waiting.
        waiting: requests that may wait for a worker; more are refused.
        task_seconds: how long a request may keep a worker.
        max_resident_bytes: a worker that holds more after a request is replaced.
        talk: how much its processes say on stderr.
    """

    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    program_token: str | None = None
    book: PhoneBook | None = None
    hosts: frozenset[str] = frozenset()
    port: int = 0
    is_https: bool = False
    certificate: tuple[Path, Path] | None = None
    has_authority: bool = False
    is_live: bool = True
    live_seats: int = 2
    keep: Path | None = None
    least_free_bytes: int = 1_000_000_000
    max_bytes: int = 25_000_000
    max_pixels: int = 64_000_000
    workers: int = 2
    waiting: int = 16
    task_seconds: float = 30.0
    max_resident_bytes: int = 700_000_000
    talk: Talk = field(default_factory=Talk)

    @property
    def scheme(self) -> str:
        """Of addresses: `http` or `https`."""
        return "https" if self.is_https else "http"


_ELSEWHERE: Final = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET6, "2001:db8::1"),
)
"""Addresses for documentation (RFC 5737, RFC 3849), which no network has."""

LOOPBACK: Final = "127.0.0.1"
_EVERYWHERE: Final = frozenset({"0.0.0.0", "::"})


def find_lan_address() -> str | None:
    """Return the address by which this computer is known where its default route leads.

    No packet is sent: the system is only asked which address it would send from. None where there
    is no network.
    """
    for family, elsewhere in _ELSEWHERE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((elsewhere, 9))
                found = str(probe.getsockname()[0])
        except OSError:
            continue
        address = ipaddress.ip_address(found)
        if not (address.is_loopback or address.is_unspecified or address.is_link_local):
            return found
    return None


def own_names() -> frozenset[str]:
    """Return the names and addresses by which this computer may be called, small letters."""
    host = socket.gethostname().lower()
    # What the resolver knows is not asked for: offline, it takes its time to say nothing.
    names = {"localhost", LOOPBACK, "::1", host, f"{host.partition('.')[0]}.local"}
    lan = find_lan_address()
    return frozenset(names if lan is None else {*names, lan})


def is_everywhere(host: str) -> bool:
    """Tell whether a host to listen on stands for all addresses of this computer."""
    return host in _EVERYWHERE


def is_public(host: str) -> bool:
    """Tell whether a host is an address that the whole internet may reach."""
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return False


def is_loopback(host: str) -> bool:
    """Tell whether only this computer reaches a host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_of_this_computer(address: str) -> bool:
    """Tell whether a client's address is one of this computer's, so that the client runs here."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if found.is_loopback:
        return True
    family = socket.AF_INET6 if found.version == 6 else socket.AF_INET
    # No list of addresses is complete or stays true; the system lets one bind to its own alone.
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(found), 0))
    except OSError:
        return False
    return True


def make_url(scheme: str, host: str, port: int, token: str | None = None) -> str:
    """Return the address of the page; with the token it is the one that opens it."""
    name = f"[{host}]" if ":" in host else host
    usual = 443 if scheme == "https" else 80
    place = name if port == usual else f"{name}:{port}"
    return f"{scheme}://{place}/" + ("" if token is None else f"?token={token}")


def make_code(url: str) -> list[list[bool]]:
    """Return the QR code of an address, row by row, True where it is dark, without a margin."""
    import segno

    return [[bool(module) for module in row] for row in segno.make(url, micro=False).matrix]


def draw_code(url: str, stream: TextIO) -> None:
    """Draw an address as a QR code on a terminal, where its encoding has the signs for that."""
    import segno

    drawn = io.StringIO()
    segno.make(url, micro=False).terminal(drawn, compact=True)
    try:
        drawn.getvalue().encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return
    for line in drawn.getvalue().splitlines():
        # White on black whatever the terminal's colours are: not every phone reads it inverted.
        stream.write(f"\x1b[97;40m{line}\x1b[0m\n")
