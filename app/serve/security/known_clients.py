"""Who is known: phones, programs by their token; and the folder for what outlasts the server.

The secret of a phone's cookie is never written, only its hash: who reads the file cannot come in
with it.
"""

import hashlib
import json
import logging
import os
import re
import secrets
import stat
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from app.terminal.exit_codes import UsageError
from vision.media.whole_files import open_whole

logger = logging.getLogger(__name__)

MOST_SESSIONS: Final = 1024
"""Phones at a time; where there are more, the address that has most of them makes room."""

SESSION_SECONDS: Final = 30 * 24 * 3600
"""How long a phone that does nothing stays known."""

SEEN_STEP_SECONDS: Final = 3600
"""How long after the last writing it is written that a phone was seen: not with each request."""


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


class Sessions:
    """The phones that showed the token: they end with the server, unless a file remembers them.

    Changes that other processes make to the file count at once.

    Attributes:
        token: a secret for the code in place of the one that the server began with; None while
            that one holds.
    """

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        """Begin with the phones of a file, if one is named; the clock tells seconds since 1970."""
        self.token: str | None = None
        self._path, self._clock = path, clock
        self._lock = threading.Lock()  # a window lists and revokes from a thread of its own
        self._phones: dict[str, Phone] = {}
        self._stamp: tuple[int, int] | None = None
        self._written = 0.0

    @property
    def is_remembering(self) -> bool:
        """Whether phones stay known when the server ends."""
        return self._path is not None

    def open(self, address: str, *, is_from_here: bool = False, name: str = "") -> str:
        """Return the secret of a new session, which only its cookie has.

        Where there would be too many, the least recently used one of the address that has most
        makes room.
        """
        secret, now = secrets.token_urlsafe(32), self._clock()
        key = _fingerprint(secret)
        with self._lock:
            self._refresh()
            if len(self._phones) >= MOST_SESSIONS:
                del self._phones[self._find_greedy()]
            self._phones[key] = Phone(key, name, address, is_from_here, now, now)
            self._write()
        return secret

    def find(self, secret: str, *, is_from_here: bool = False, address: str = "") -> str | None:
        """Return the key that stands for a client, None if it is not known.

        A phone may change its address, but never becomes this computer: browsers send a cookie to
        every port of a host, and what listens there shall not come in with it.
        Secrets are looked up by their hash, so that how long it takes tells nothing of them.
        """
        key = _fingerprint(secret)
        with self._lock:
            self._refresh()
            phone, now = self._phones.get(key), self._clock()
            if phone is None or phone.is_from_here != is_from_here:
                return None
            self._phones[key] = replace(phone, seen=now, address=address or phone.address)
            if now - self._written > SEEN_STEP_SECONDS:
                self._write()
            return key

    def phones(self) -> list[Phone]:
        """Return the phones, the one that was here last first."""
        with self._lock:
            self._refresh()
            return sorted(self._phones.values(), key=lambda phone: phone.seen, reverse=True)

    def revoke(self, key: str) -> None:
        """Let a phone in no more; the code gets a new secret, as the phone may know the old one."""
        with self._lock:
            self._refresh()
            self._phones.pop(key, None)
            self._write()
            self.token = secrets.token_urlsafe(24)

    def remember_in(self, path: Path | None) -> None:
        """Remember the phones that are here from now on; with None, forget those remembered."""
        with self._lock:
            self._refresh()
            if path is None and self._path is not None:
                self._path.unlink(missing_ok=True)
            here, self._path, self._stamp = self._phones, path, None
            self._refresh()
            self._phones = {**self._phones, **here}
            self._write()

    def _refresh(self) -> None:
        """Take in the file, where it has changed, and forget who was away for long."""
        if self._path is not None:
            self._read(self._path)
        oldest = self._clock() - SESSION_SECONDS
        self._phones = {key: one for key, one in self._phones.items() if one.seen >= oldest}

    def _read(self, path: Path) -> None:
        """Take in the file; what cannot be trusted or read holds nobody."""
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_ino)
            if stamp == self._stamp:
                return
            self._stamp, self._phones = stamp, {}
            if not is_private(path):
                logger.warning("%s is not used: others could have written it", path)
                return
            listed = [Phone(**fields) for fields in json.loads(path.read_bytes())["phones"]]
            self._phones = {phone.key: phone for phone in listed if phone.seen > 0}
        except FileNotFoundError:
            if self._stamp is not None:  # else it could not be written yet
                self._stamp, self._phones = None, {}
        except (OSError, ValueError, TypeError, KeyError) as error:
            logger.warning("%s holds no list of phones: %s", path, error)

    def _write(self) -> None:
        """Put the file there whole, for its owner alone; where that fails, the log says so."""
        if self._path is None:
            return
        self._written = self._clock()
        text = json.dumps({"phones": [asdict(phone) for phone in self._phones.values()]}, indent=1)
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open_whole(self._path, 0o600) as file:
                file.write(text.encode())
            status = self._path.stat()
            self._stamp = (status.st_mtime_ns, status.st_ino)
        except OSError as error:
            logger.error("phones cannot be remembered in %s: %s", self._path, error.strerror)

    def _find_greedy(self) -> str:
        count = Counter(phone.address for phone in self._phones.values())
        most = max(count.values())
        theirs = [phone for phone in self._phones.values() if count[phone.address] == most]
        return min(theirs, key=lambda phone: phone.seen).key


def _fingerprint(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


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


def phones_file() -> Path:
    """Return where phones that stay known are kept."""
    return state_folder() / "phones.json"


def is_private(path: Path) -> bool:
    """Tell whether a file was ours alone; one that others could write may be anybody's."""
    if not hasattr(os, "getuid"):
        return True
    status = path.lstat()
    return not path.is_symlink() and status.st_uid == os.getuid() and not status.st_mode & 0o077
