"""What the kernels of the bulk engine share: how they are compiled, and three instructions.

Nothing here is a kernel. Numba's cache knows a kernel by the file that it stands in, and would go
on using a compiled caller after a change to a kernel in another file; an instruction of the
processor does not change.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(function: _Function) -> _Function:
    """Compile a kernel at its first call."""
    # `nogil` lets threads run side by side; `error_model` drops the tests for division by zero.
    kernel: _Function = numba.njit(cache=True, nogil=True, boundscheck=False, error_model="numpy")(
        function
    )
    return kernel


def _emit_popcount(_context: Any, _word: Any) -> Any:
    def emit(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), emit


def _emit_lowest_bit(_context: Any, _word: Any) -> Any:
    def emit(target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], target.get_constant(types.boolean, True))

    return types.uint64(types.uint64), emit


def _emit_claim(_context: Any, counter: Any, _n: Any) -> Any:
    def emit(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = target.make_array(signature.args[0])(target, builder, arguments[0])
        return builder.atomic_rmw("add", array.data, arguments[1], "monotonic")

    return types.uint64(counter, types.uint64), emit


# Numba has no word for these.
popcount: Callable[[np.uint64], np.uint64] = intrinsic(_emit_popcount)
"""Number of bits set."""

lowest_bit: Callable[[np.uint64], np.uint64] = intrinsic(_emit_lowest_bit)
"""Index of the lowest bit set, of a word that is not 0."""

claim: Callable[[npt.NDArray[np.uint64], np.uint64], np.uint64] = intrinsic(_emit_claim)
"""Add to the first word of an array that threads share, and return what stood there before.

No two threads are given the same: it is one atomic instruction.
"""
