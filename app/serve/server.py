"""The server as a command and a window use it: its settings, addresses, beginning and end."""

import errno
import importlib
import io
import ipaddress
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from app.serve.security.known_clients import Phone, Sessions, phones_file
from app.terminal.exit_codes import EXTRAS, MissingError, UsageError
from app.workers.child_process import Talk

if TYPE_CHECKING:
    import ssl

    import uvicorn

    from app.recognition.results import PhotoResult
    from app.serve.security.certificate import Authority, Certificate
    from app.workers.worker_pool import WorkerPool


_DEFAULT_PORT: Final = 8765
_BACKLOG: Final = 128
_LOOK_SECONDS: Final = 0.05

OnResult = Callable[[bytes, "PhotoResult"], None]
"""Is told of each photo that was worked through, in a thread of the server's: the picture's bytes
as they came, and what came of it, as the window shows it."""


@dataclass(frozen=True)
class ServeSettings:
    """What is served, where and to whom, and how much of it at a time.

    Attributes:
        host: address or name to listen on; None for the one in the local network, or, where there
            is none, for this computer alone.
        port: that it listens on; before the start, 0 stands for any that is free, as a port that
            is taken does if the server `takes_any_port`.
        names: other names that phones may use for this computer; the first is the one told.
        token: what the address in the QR code holds, to be exchanged for a session.
        program_token: what programs send to come in, None where none may.
        phones_file: remembers phones from start to start, None where they end with the server.
        hosts: all names and addresses that phones may use, which the start finds out.
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

    host: str | None = None
    port: int = _DEFAULT_PORT
    names: tuple[str, ...] = ()
    takes_any_port: bool = False
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    program_token: str | None = None
    phones_file: Path | None = None
    hosts: frozenset[str] = frozenset()
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
"""Hosts to listen on that stand for all addresses of this computer."""


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


def read_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an address, that of IPv4 also where IPv6 has it inside; None for a name."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def is_public(host: str) -> bool:
    """Tell whether a host is an address that the whole internet may reach."""
    address = read_address(host)
    return address is not None and address.is_global


def is_loopback(host: str) -> bool:
    """Tell whether only this computer reaches a host."""
    address = read_address(host)
    return host == "localhost" if address is None else address.is_loopback


def is_of_this_computer(host: str) -> bool:
    """Tell whether a client's address is one of this computer's, so that the client runs here."""
    address = read_address(host)
    if address is None or address.is_loopback:
        return address is not None
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    # No list of addresses is complete or stays true; the system lets one bind to its own alone.
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
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


class PhoneServer:
    """A server that is begun once, and ended."""

    def __init__(self, settings: ServeSettings, on_result: OnResult | None = None) -> None:
        self.settings = settings
        self._on_result = on_result
        self._sessions: Sessions | None = None
        self._thread: threading.Thread | None = None
        self._server: uvicorn.Server | None = None
        self._workers: WorkerPool | None = None
        self.host = settings.host or find_lan_address() or LOOPBACK
        """The address that it listens on."""
        self.certificate: Certificate | None = None
        self.authority: Authority | None = None

    @property
    def url(self) -> str:
        """The address that opens the page: whoever has it may come in."""
        newer = None if self._sessions is None else self._sessions.token
        return self._make_url(newer or self.settings.token)

    @property
    def place(self) -> str:
        """The address without the secret, for people to read."""
        return self._make_url()

    @property
    def fingerprint(self) -> str:
        """Of the certificate, or of the authority that signed it; "" without one."""
        certificate = self.authority or self.certificate
        return "" if certificate is None else certificate.fingerprint

    @property
    def is_local_only(self) -> bool:
        """Whether only this computer reaches the page."""
        return is_loopback(self.host) and not self.settings.names

    def paired(self) -> list[Phone]:
        """Return the phones that may come in, the one that was here last first."""
        return [] if self._sessions is None else self._sessions.phones()

    def revoke(self, key: str) -> None:
        """Let a phone in no more; the code has another secret from now on."""
        if self._sessions is not None:
            self._sessions.revoke(key)

    def remember(self, is_wanted: bool) -> None:
        """Remember phones from start to start, or forget those that were remembered."""
        if self._sessions is not None:
            self._sessions.remember_in(phones_file() if is_wanted else None)

    def _make_url(self, token: str | None = None) -> str:
        settings, name = self.settings, self.host
        if settings.names:
            name = settings.names[0]
        elif self.host in _EVERYWHERE:
            name = find_lan_address() or LOOPBACK
        return make_url(settings.scheme, name, settings.port, token)

    def start(self) -> None:
        """Listen, and return when a worker is ready.

        Raises:
            MissingError: if the extra is not installed, or the networks cannot be run.
            UsageError: if the port is taken, the host is none of this computer's, or the
                certificate cannot be kept.
        """
        _check_extra()
        listening = self._listen()
        try:
            self._begin(listening)
        except BaseException:
            self.stop()
            raise
        finally:
            if self._thread is None:
                listening.close()

    def stop(self) -> None:
        """End requests, processes and the thread; a server that was not begun needs nothing."""
        if self._server is not None:
            self._server.should_exit = True
        if self._thread is not None:
            self._thread.join()
        self._thread = None

    def check(self) -> None:
        """Look whether it still works.

        Raises:
            CommandError: if no process can work any more.
        """
        if self._workers is not None and self._workers.failure is not None:
            raise self._workers.failure
        if self._thread is None or not self._thread.is_alive():
            raise MissingError("the server has ended; its log says why")

    def _listen(self) -> socket.socket:
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            if sys.platform != "win32":  # where it would let two servers have one port
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listening.bind((self.host, self.settings.port))
            except OSError as error:
                is_taken = error.errno in (errno.EADDRINUSE, errno.EACCES)
                if not is_taken or not self.settings.takes_any_port:
                    raise
                listening.bind((self.host, 0))
            listening.listen(_BACKLOG)
        except (OSError, TypeError) as error:
            listening.close()
            raise UsageError(_name_fault(error, self.host, self.settings.port)) from error
        self.settings = replace(self.settings, port=listening.getsockname()[1])
        return listening

    def _begin(self, listening: socket.socket) -> None:
        import uvicorn

        from app.serve.api.application import make_application
        from app.serve.request_workers import make_request_pool, warm_up
        from app.serve.security.connection_guard import guarded_config

        hosts = own_names() | {self.host, *self.settings.names} - _EVERYWHERE
        self.settings = settings = replace(self.settings, hosts=hosts)
        self._workers = make_request_pool(settings)
        encryption = self._encrypt() if settings.is_https else None
        application = make_application(
            settings, self._workers, self._on_result, authority=self.authority
        )
        self._sessions = application.state.sessions
        self._server = uvicorn.Server(guarded_config(application, encryption))
        self._thread = threading.Thread(
            target=self._server.run,
            args=([listening],),
            name="phone server",
            daemon=True,
        )
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                raise MissingError("the server cannot be started; run: sudoku-lens doctor")
            time.sleep(_LOOK_SECONDS)
        warm_up(self._workers, settings.workers)

    def _encrypt(self) -> "ssl.SSLContext":
        from app.serve.security.certificate import load_authority, load_certificate, load_given
        from app.serve.security.connection_guard import make_context

        settings = self.settings
        if settings.certificate is not None:
            self.certificate = load_given(*settings.certificate)
        elif settings.has_authority:
            self.authority = load_authority(settings.hosts, socket.gethostname())
            self.certificate = self.authority.signed
        else:
            self.certificate = load_certificate(settings.hosts)
        return make_context(self.certificate.path, self.certificate.key)


def _check_extra() -> None:
    for package in EXTRAS["serve"]:
        try:
            importlib.import_module(package)
        except ImportError as error:
            raise MissingError(
                f"the page for phones needs a package that is missing or broken ({error}); "
                "run: pip install 'sudoku-lens[serve]'"
            ) from error


def _name_fault(error: OSError | TypeError, host: str, port: int) -> str:
    # A name that cannot even be looked up is a TypeError.
    if isinstance(error, TypeError | socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this computer; leave --host out, or name one of its own"
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is taken; choose another with --port, or 0 for any"
    if error.errno == errno.EACCES:
        return f"port {port} may not be used; choose one above 1023 with --port"
    return f"cannot listen on {host}: {error.strerror or error}; choose another --host"
