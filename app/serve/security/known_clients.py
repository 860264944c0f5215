"""Who stays known when the server ends: phones, programs by their token; and the folder for it.

The secret of a phone's cookie is never written, only its hash: who reads the file cannot come in
with it.
"""

import json
import logging
import os
import re
import secrets
import stat
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from app.terminal.exit_codes import UsageError
from vision.media.whole_files import open_whole

logger = logging.getLogger(__name__)

SEEN_STEP_SECONDS: Final = 3600
"""How much later a phone must be seen again before that is written: not with each request."""

_FILE: Final = "phones.json"
_MOST_BYTES: Final = 2_000_000


@dataclass(frozen=True)
class Phone:
    """A phone that has scanned the code.

    Attributes:
        key: SHA-256 of its cookie's secret, in hexadecimal digits.
        paired: when it scanned the code, seconds since 1970.
        seen: when it was last here, seconds since 1970.
    """

    key: str
    name: str
    address: str
    is_from_here: bool
    paired: float
    seen: float


class PhoneBook:
    """The file of phones that stay known; changes of other processes count at once."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        """Name the file, which need not be there; the clock tells seconds since 1970."""
        self.path = path or state_folder() / _FILE
        self._clock = clock
        self._lock = threading.Lock()
        self._stamp: tuple[int, int] | None = None
        self._phones: dict[str, Phone] = {}

    def phones(self) -> dict[str, Phone]:
        """Return the phones by their keys, as the file has them now."""
        with self._lock:
            self._read()
            return dict(self._phones)

    def find(self, key: str) -> Phone | None:
        """Return a phone, None where it is not, or no more, remembered."""
        with self._lock:
            self._read()
            return self._phones.get(key)

    def put(self, phone: Phone) -> None:
        """Remember a phone, or what has changed with it."""
        with self._lock:
            self._read()
            self._write({**self._phones, phone.key: phone})

    def see(self, key: str, address: str) -> None:
        """Note that a phone was here; one that is not remembered stays so."""
        with self._lock:
            self._read()
            phone, now = self._phones.get(key), self._clock()
            if phone is not None and now - phone.seen > SEEN_STEP_SECONDS:
                seen = replace(phone, seen=now, address=address)
                self._write({**self._phones, key: seen})

    def drop(self, key: str) -> None:
        """Forget a phone."""
        with self._lock:
            self._read()
            if key in self._phones:
                self._write({one: phone for one, phone in self._phones.items() if one != key})

    def clear(self) -> None:
        """Forget all phones."""
        with self._lock:
            self._stamp, self._phones = None, {}
            self.path.unlink(missing_ok=True)

    def _read(self) -> None:
        """Take in the file, where it has changed; what cannot be trusted or read holds nobody."""
        try:
            status = self.path.stat()
            stamp = (status.st_mtime_ns, status.st_ino)
            if stamp == self._stamp:
                return
            self._stamp, self._phones = stamp, {}
            if not is_private(self.path) or status.st_size > _MOST_BYTES:
                logger.warning("%s is not used: others could have written it", self.path)
                return
            listed = json.loads(self.path.read_bytes())["phones"]
            self._phones = {phone.key: phone for phone in map(_phone_of, listed)}
        except FileNotFoundError:
            self._stamp, self._phones = None, {}
        except (OSError, ValueError, TypeError, KeyError) as error:
            logger.warning("%s holds no list of phones: %s", self.path, error)

    def _write(self, phones: dict[str, Phone]) -> None:
        """Put the file there whole, for its owner alone; where that fails, the log says so."""
        self._phones = phones  # holds in this process whatever the disk does
        text = json.dumps({"phones": [asdict(phone) for phone in phones.values()]}, indent=1)
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open_whole(self.path, 0o600) as file:
                file.write(text.encode())
            status = self.path.stat()
            self._stamp = (status.st_mtime_ns, status.st_ino)
        except OSError as error:
            logger.error("phones cannot be remembered in %s: %s", self.path, error.strerror)


def _phone_of(fields: dict[str, Any]) -> Phone:
    return Phone(
        str(fields["key"]),
        str(fields["name"]),
        str(fields["address"]),
        bool(fields["is_from_here"]),
        float(fields["paired"]),
        float(fields["seen"]),
    )


def name_device(agent: str) -> str:
    """Return what a phone is, in fixed words: of `User-Agent` nothing is repeated."""
    found = [
        next((name for sign, name in signs if sign in agent), None)
        for signs in (_DEVICES, _BROWSERS)
    ]
    return ", ".join(filter(None, found)) or "?"


_DEVICES: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)

_BROWSERS: Final = (
    # In this order: most name Safari and Chrome, too.
    ("Edg", "Edge"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)

LEAST_SIGNS: Final = 32
"""Fewer could be guessed, where a person has made them up."""

_MOST_TOKEN_BYTES: Final = 4096
_MADE_BYTES: Final = 32
_TOKEN: Final = re.compile(rf"[A-Za-z0-9._~+/-]{{{LEAST_SIGNS},}}=*")
"""What can stand after `Bearer` (RFC 6750, 2.1)."""


def load_token(path: Path) -> str:
    """Return the token of a file; where there is none, one is made that only its owner can read.

    Raises:
        UsageError: if the file cannot be read or made, if others can read it, or if it holds none.
    """
    try:
        if not path.exists():
            with open_whole(path, mode=0o600) as made:
                made.write(f"{secrets.token_urlsafe(_MADE_BYTES)}\n".encode())
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read(_MOST_TOKEN_BYTES)
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(
            f"cannot use {path}: {reason}; name another file with --token-file"
        ) from error
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(f"others can read {path}; run: chmod 600 {path}")
    token = text.decode("latin-1").strip()
    if not _TOKEN.fullmatch(token):
        raise UsageError(
            f"{path} holds no token of {LEAST_SIGNS} signs or more; delete it, and the next start "
            "makes one"
        )
    return token


def state_folder() -> Path:
    """Return where this system keeps what programs want to find again, for this program."""
    home = Path.home()
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else home / "AppData" / "Local") / "sudoku-lens"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "sudoku-lens"
    state = os.environ.get("XDG_STATE_HOME", "")
    # A relative path is to be ignored, says the XDG Base Directory Specification.
    base = Path(state) if Path(state).is_absolute() else home / ".local" / "state"
    return base / "sudoku-lens"


def is_private(path: Path) -> bool:
    """Tell whether a file was ours alone; one that others could write may be anybody's."""
    if not hasattr(os, "getuid"):
        return True
    status = path.lstat()
    return not path.is_symlink() and status.st_uid == os.getuid() and not status.st_mode & 0o077
