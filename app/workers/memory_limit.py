"""How much memory a process that works on strangers' pictures may take, whatever they contain."""

import logging
from typing import Final

logger = logging.getLogger(__name__)

MOST_BYTES: Final = 2_000_000_000
"""For a worker: a picture of 64 megapixels takes 0.6 GB as JPEG, and 1.2 GB as a TIFF of floats."""


def limit_memory(most_bytes: int = MOST_BYTES) -> None:
    """Let this process have so much data at most; then asking for more fails inside it alone.

    Linux holds a process to it; Windows knows no such limit, and macOS does not keep to it.
    """
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = most_bytes if hard == resource.RLIM_INFINITY else min(most_bytes, hard)
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    except (OSError, ValueError) as error:
        logger.info("memory cannot be limited: %s", error)
