"""The content of files as short keys, so that the same photo is known under any name."""

import contextlib
import hashlib
import json
import threading
from pathlib import Path
from typing import Final

from app.batch.files.remote_sources import read_source
from app.terminal.exits import MissingError

DIGEST_BYTES: Final = 20
"""Two of 100 million photos get the same key with a probability of 10⁻³²."""

_CHUNK_BYTES: Final = 1 << 20
_READ_SECONDS: Final = 10.0


def digest_bytes(data: bytes) -> bytes:
    """Return the key of a content: BLAKE2b (Aumasson et al. 2013), 20 bytes."""
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES).digest()


def digest_file(path: str | Path) -> bytes:
    """Return the key of a file's content.

    Raises:
        OSError: if it cannot be read.
    """
    hashing = hashlib.blake2b(digest_size=DIGEST_BYTES)
    with open(path, "rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            hashing.update(chunk)
    return hashing.digest()


def digest_soon(path: str) -> bytes | None:
    """Return the key of a photo, wherever it is, or None where it cannot be read in a moment."""
    found: list[bytes] = []

    def read() -> None:
        with contextlib.suppress(OSError):
            found.append(digest_bytes(read_source(path)))

    reading = threading.Thread(target=read, daemon=True)
    reading.start()
    reading.join(_READ_SECONDS)
    return found[0] if found else None


def describe_settings(solver: str | None, engine: str, weights: Path | None) -> str:
    """Return all that results depend on, beside the photo, as one line of JSON.

    Args:
        solver: name of the one that solves, None for the usual ones.
        engine: what runs the digit network.
        weights: another digit network, or None.

    Raises:
        OSError: if a network cannot be read.
        MissingError: if there is none.
    """
    from importlib.metadata import version

    import models

    shipped = Path(models.__file__ or "").parent / "weights"
    suffix = ".keras" if engine == "keras" else ".tflite"
    networks = sorted(path for path in shipped.glob(f"*{suffix}"))
    if not networks:
        # Other packages leave a module `models` in the folder of scripts, which may be found first.
        raise MissingError(
            f"there are no networks in {shipped}; start with python -m where that is not the "
            "package of sudoku-lens, else run: sudoku-lens doctor"
        )
    fields = {
        "version": version("sudoku-lens"),
        "solver": solver,
        "engine": engine,
        "weights": None if weights is None else digest_file(weights).hex(),
        "networks": {path.stem: digest_file(path).hex()[:16] for path in networks},
    }
    return json.dumps(fields, sort_keys=True)


def stable_share(place: str, shares: int) -> int:
    """Return which of so many equal shares, 0 the first, a photo belongs to, on every machine.

    Args:
        place: the photo's path below the folder that was named, with / between its parts.
        shares: how many.
    """
    hashed = hashlib.blake2b(place.encode(errors="surrogateescape"), digest_size=8)
    return int.from_bytes(hashed.digest()) % shares
