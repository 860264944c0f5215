"""The window. Qt is imported here only; what can be decided without it is decided in `app`.

`keep_constants` keeps Python alive under PySide6 6.12, which gives away references to None and to
truth. PySide6 6.12.0 is built for Pythons in which such constants cannot die (3.12 and later,
PEP 683). In 3.11 each call of a function of Qt that returns nothing leaves None one reference
poorer, and at none left the process ends: "Fatal Python error: none_dealloc". Painting live
pictures comes to that in seconds. A few functions that return true or false do the same to those.
"""

import ctypes
import sys
from typing import Final

_PLENTY: Final = 1 << 60
"""References that no program uses up."""


def keep_constants() -> bool:
    """Give Python's constants more references than can be given away, as later Pythons do.

    Return whether that was needed, and could be done.
    """
    if sys.version_info >= (3, 12) or sys.implementation.name != "cpython":
        return False
    is_done = False
    for constant in (None, True, False, NotImplemented, ...):
        count = ctypes.c_ssize_t.from_address(id(constant))
        # Only where the count is found where it is expected: builds for debugging have it
        # elsewhere.
        is_there = abs(count.value - sys.getrefcount(constant)) <= 100
        if is_there and count.value < _PLENTY:
            count.value += _PLENTY
            is_done = True
    return is_done


keep_constants()
