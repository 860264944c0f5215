"""Keeps Python alive under PySide6 6.12, which gives away a reference to None with every call.

PySide6 6.12.0 is built for Pythons in which None cannot die (3.12 and later, PEP 683). In 3.11 each
call of a function of Qt that returns nothing leaves None one reference poorer, and at none left the
process ends: "Fatal Python error: none_dealloc". Painting live pictures comes to that in seconds.
"""

import ctypes
import sys
from typing import Final

_PLENTY: Final = 1 << 60
"""References that no program uses up."""


def keep_none() -> bool:
    """Give None more references than can be given away, as later Pythons do.

    Returns:
        Whether that was needed, and could be done.
    """
    if sys.version_info >= (3, 12) or sys.implementation.name != "cpython":
        return False
    count = ctypes.c_ssize_t.from_address(id(None))
    # Only where the count is found where it is expected: builds for debugging have it elsewhere.
    if abs(count.value - sys.getrefcount(None)) > 100 or count.value >= _PLENTY:
        return False
    count.value += _PLENTY
    return True
