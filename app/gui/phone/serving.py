"""The server that ships, as the window begins it; the only module here that knows `app.serve`."""

import os
from dataclasses import replace
from typing import Final

from app.gui.phone.server_run import OnResult, PhoneWishes
from app.serve.host.serve_settings import ServeSettings
from app.serve.host.server import PhoneServer, ServerOptions
from app.serve.security.known_clients import Phone, PhoneBook
from app.terminal.console import UsageError

_WORKERS: Final = 2
"""At most: the window has a process of its own for its photos."""


class WindowServer:
    """A `PhoneServer` on the usual port, or on any where that is taken."""

    def __init__(self, wishes: PhoneWishes, on_result: OnResult) -> None:
        """Make it; see `app.gui.phone.server_run.MakeServer`."""
        workers = min(_WORKERS, os.cpu_count() or 1)
        settings = ServeSettings(
            is_https=wishes.is_encrypted,
            has_authority=wishes.is_encrypted and wishes.has_authority,
            workers=workers,
            waiting=8 * workers,
            book=PhoneBook() if wishes.is_remembering else None,
        )
        self._options = ServerOptions(settings=settings)
        self._on_result = on_result
        self._server = PhoneServer(self._options, on_result=on_result)

    @property
    def url(self) -> str:
        """The address that the code holds."""
        return self._server.url

    @property
    def place(self) -> str:
        """The address without the secret."""
        return self._server.place

    @property
    def fingerprint(self) -> str:
        """Of the certificate, or of the authority that signed it; "" without one."""
        certificate = self._server.authority or self._server.certificate
        return "" if certificate is None else certificate.fingerprint

    @property
    def is_local_only(self) -> bool:
        """Whether no phone reaches it."""
        return self._server.is_local_only

    @property
    def phones(self) -> int:
        """How many have scanned the code."""
        return self._server.phones

    def paired(self) -> list[Phone]:
        """Return the phones that may come in."""
        return self._server.paired()

    def revoke(self, key: str) -> None:
        """Let a phone in no more; the code has another secret from now on."""
        self._server.revoke(key)

    def remember(self, is_wanted: bool) -> None:
        """Remember phones from start to start, or forget those that were remembered."""
        self._server.remember_in(PhoneBook() if is_wanted else None)

    def start(self) -> None:
        """Begin."""
        try:
            self._server.start()
        except UsageError:
            if self._options.port == 0:
                raise
            # Another program, or another window, has the usual port.
            self._options = replace(self._options, port=0)
            self._server = PhoneServer(self._options, on_result=self._on_result)
            self._server.start()

    def check(self) -> None:
        """Look whether it still works."""
        self._server.check()

    def stop(self) -> None:
        """End it."""
        self._server.stop()
