"""Kernels: inner loops that are machine code where numba is installed, and plain Python elsewhere.

A kernel is written so that both run it alike. Its arrays are flat and hold integers, int64 under
numba and lists in Python, which are faster there than NumPy's arrays. The random numbers of
searches are made here too.
"""

import importlib.util
from collections.abc import Callable, Iterable
from typing import Final, ParamSpec, TypeVar, cast

import numpy as np

_P = ParamSpec("_P")
_R = TypeVar("_R")

Ints = list[int]
"""A flat array of integers that kernels read and write: a list, or (k,) int64 under numba."""

HAS_NUMBA: Final = importlib.util.find_spec("numba") is not None
"""Whether kernels are compiled."""

# The random numbers of the kernels come from the 48-bit congruential generator of POSIX's
# `drand48`: products wrap around at 64 bits or grow beyond, and the lower 48 bits are the same, so
# that a seed leads to the same result with numba and without.
MULTIPLIER: Final = 0x5DEECE66D
INCREMENT: Final = 0xB
MASK: Final = (1 << 48) - 1
"""A step of the generator: state = (state × MULTIPLIER + INCREMENT) & MASK.

Kernels write the step out, as a call costs more in Python than the step: the upper 32 bits,
state >> 16, are the number drawn, and (state >> 16) × n >> 32 is one of 0..n-1.
"""


def compiled(kernel: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a kernel at its first call, or leave it as it is where numba is missing.

    Machine code is kept beside the source and made anew when that file changes, but not when a
    kernel changes that is called from another file: whoever changes one empties `__pycache__`.
    """
    if not HAS_NUMBA:
        return kernel
    import numba

    return cast(Callable[_P, _R], numba.njit(cache=True, nogil=True)(kernel))


def int_array(values: Iterable[int]) -> Ints:
    """Return the values in the form that kernels take."""
    if not HAS_NUMBA:
        return [int(value) for value in values]
    return cast(Ints, np.fromiter(values, np.int64))


def start_random(seed: int) -> int:
    """Return the generator's first state; seeds that lie close lead to states that do not."""
    words = np.random.SeedSequence(seed).generate_state(2)
    return (int(words[0]) << 16) ^ int(words[1]) & MASK
