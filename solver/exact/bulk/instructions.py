"""What the kernels of the bulk engine share: how they are compiled, and single instructions.

Nothing here is a kernel. Numba's cache knows a kernel by the file that it stands in, and would go
on using a compiled caller after a change to a kernel in another file; an instruction of the
processor does not change.

`Lanes` are vectors. LLVM makes the processor's own vector instructions of them, two of AVX-512,
four of AVX2 or eight of SSE2, so that there is one kernel for all processors.
"""

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.core.cgutils import get_or_insert_function, ir
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

_Function = TypeVar("_Function", bound=Callable[..., Any])

N_LANES: Final = 64
"""Lanes of a vector."""


def compiled(function: _Function, *, inlined: bool = False) -> _Function:
    """Compile a kernel at its first call."""
    # `nogil` lets threads run side by side; `error_model` drops the tests for division by zero.
    kernel: _Function = numba.njit(
        cache=True, nogil=True, boundscheck=False, error_model="numpy", forceinline=inlined
    )(function)
    return kernel


def inlined(function: _Function) -> _Function:
    """Compile a kernel into each of its callers, so that its vectors stay in registers."""
    return compiled(function, inlined=True)


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


class Lanes:
    """64 lanes of uint16, in compiled code only; the operators work on each lane by itself."""

    if TYPE_CHECKING:

        def __and__(self, other: "Lanes") -> "Lanes": ...
        def __or__(self, other: "Lanes") -> "Lanes": ...
        def __xor__(self, other: "Lanes") -> "Lanes": ...
        def __add__(self, other: "Lanes") -> "Lanes": ...
        def __sub__(self, other: "Lanes") -> "Lanes": ...
        def __invert__(self) -> "Lanes": ...


class _LanesType(types.Type):  # type: ignore[misc]  # numba has no types
    def __init__(self) -> None:
        super().__init__(name="Lanes")


_LANES: Final = _LanesType()
_VECTOR: Final = ir.VectorType(ir.IntType(16), N_LANES)
_HALF: Final = ir.VectorType(ir.IntType(16), N_LANES // 2)


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]  # numba has no types
    def __init__(self, manager: Any, lanes: Any) -> None:
        super().__init__(manager, lanes, _VECTOR)


def _add_operator(symbols: Sequence[Any], n_operands: int, emit: Callable[..., Any]) -> None:
    operands = (_LANES,) * n_operands

    class Template(AbstractTemplate):  # type: ignore[misc]  # numba has no types
        def generic(self, arguments: Any, _keywords: Any) -> Any:
            return signature(_LANES, *operands) if arguments == operands else None

    def lower(_target: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return emit(builder, *values)

    for symbol in symbols:
        infer_global(symbol)(Template)
        lower_builtin(symbol, *operands)(lower)


_add_operator((operator.and_, operator.iand), 2, lambda builder, x, y: builder.and_(x, y))
_add_operator((operator.or_, operator.ior), 2, lambda builder, x, y: builder.or_(x, y))
_add_operator((operator.xor,), 2, lambda builder, x, y: builder.xor(x, y))
_add_operator((operator.add, operator.iadd), 2, lambda builder, x, y: builder.add(x, y))
_add_operator((operator.sub,), 2, lambda builder, x, y: builder.sub(x, y))
_add_operator((operator.invert,), 1, lambda builder, x: builder.not_(x))


def _call_llvm(builder: Any, name: str, result: Any, *values: Any) -> Any:
    kind = ir.FunctionType(result, [value.type for value in values])
    return builder.call(get_or_insert_function(builder.module, kind, name), values)


def _rearrange(builder: Any, vector: Any, sources: Sequence[int]) -> Any:
    kind = ir.VectorType(ir.IntType(32), len(sources))
    return builder.shuffle_vector(
        vector, ir.Constant(vector.type, ir.Undefined), ir.Constant(kind, list(sources))
    )


def _is_not_zero(builder: Any, vector: Any) -> Any:
    return builder.icmp_unsigned("!=", vector, ir.Constant(_VECTOR, None))


def _address(target: Any, builder: Any, words: Any, arguments: Any, kind: Any) -> Any:
    array, at = arguments
    data = target.make_array(words)(target, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), kind.as_pointer())


def _on_one(emit: Callable[[Any, Any], Any], result: Any = _LANES) -> Any:
    def emit_one(_context: Any, _x: Any) -> Any:
        return result(_LANES), lambda _target, builder, _signature, values: emit(builder, *values)

    return intrinsic(emit_one)


def _on_two(emit: Callable[[Any, Any, Any], Any]) -> Any:
    def emit_two(_context: Any, _x: Any, _y: Any) -> Any:
        return (
            _LANES(_LANES, _LANES),
            lambda _target, builder, _signature, values: emit(builder, *values),
        )

    return intrinsic(emit_two)


def _emit_fill(_context: Any, _word: Any) -> Any:
    def emit(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        first = builder.insert_element(
            ir.Constant(_VECTOR, ir.Undefined),
            builder.trunc(arguments[0], ir.IntType(16)),
            ir.Constant(ir.IntType(32), 0),
        )
        return _rearrange(builder, first, [0] * N_LANES)

    return _LANES(types.uint64), emit


def _emit_choose(_context: Any, _mask: Any, _x: Any, _y: Any) -> Any:
    def emit(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        mask, x, y = arguments
        return builder.select(_is_not_zero(builder, mask), x, y)

    return _LANES(_LANES, _LANES, _LANES), emit


def _emit_load(_context: Any, words: Any, _at: Any) -> Any:
    def emit(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(target, builder, signature.args[0], arguments, _VECTOR)
        return builder.load(address, align=2)

    return _LANES(words, types.uint64), emit


def _emit_load_twice(_context: Any, words: Any, _at: Any) -> Any:
    def emit(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(target, builder, signature.args[0], arguments, _HALF)
        return _rearrange(builder, builder.load(address, align=2), [*range(N_LANES // 2)] * 2)

    return _LANES(words, types.uint64), emit


def _emit_store(_context: Any, words: Any, _at: Any, _x: Any) -> Any:
    def emit(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(target, builder, signature.args[0], arguments[:2], _VECTOR)
        builder.store(arguments[2], address, align=2)
        return target.get_dummy_value()

    return types.void(words, types.uint64, _LANES), emit


def _half_maximum(half: int) -> Callable[[Any, Any], Any]:
    lanes = range(half * N_LANES // 2, (half + 1) * N_LANES // 2)

    def emit(builder: Any, vector: Any) -> Any:
        part = _rearrange(builder, vector, lanes)
        largest = _call_llvm(builder, "llvm.vector.reduce.umax.v32i16", ir.IntType(16), part)
        return builder.zext(largest, ir.IntType(64))

    return emit


# Numba has no word for these.
popcount: Callable[[np.uint64], np.uint64] = intrinsic(_emit_popcount)
"""Number of bits set."""

lowest_bit: Callable[[np.uint64], np.uint64] = intrinsic(_emit_lowest_bit)
"""Index of the lowest bit set, of a word that is not 0."""

claim: Callable[[npt.NDArray[np.uint64], np.uint64], np.uint64] = intrinsic(_emit_claim)
"""Add to the first word of an array that threads share, and return what stood there before.

No two threads are given the same: it is one atomic instruction.
"""

fill: Callable[[np.uint64], Lanes] = intrinsic(_emit_fill)
"""A word in every lane."""

choose: Callable[[Lanes, Lanes, Lanes], Lanes] = intrinsic(_emit_choose)
"""Lanes of the second vector where the first is not 0, else of the third."""

load: Callable[[npt.NDArray[np.uint16], np.uint64], Lanes] = intrinsic(_emit_load)
"""64 words of an array from an index on."""

load_twice: Callable[[npt.NDArray[np.uint16], np.uint64], Lanes] = intrinsic(_emit_load_twice)
"""32 words of an array from an index on, in either half of the lanes."""

store: Callable[[npt.NDArray[np.uint16], np.uint64, Lanes], None] = intrinsic(_emit_store)
"""Write the lanes to an array from an index on."""

counts: Callable[[Lanes], Lanes] = _on_one(
    lambda builder, x: _call_llvm(builder, "llvm.ctpop.v64i16", _VECTOR, x)
)
"""Number of bits set in each lane."""

larger: Callable[[Lanes, Lanes], Lanes] = _on_two(
    lambda builder, x, y: _call_llvm(builder, "llvm.umax.v64i16", _VECTOR, x, y)
)
"""The larger of two words in each lane."""

equal: Callable[[Lanes, Lanes], Lanes] = _on_two(
    lambda builder, x, y: builder.sext(builder.icmp_unsigned("==", x, y), _VECTOR)
)
"""All bits of the lanes that hold the same, none of the others."""

which: Callable[[Lanes], np.uint64] = _on_one(
    lambda builder, x: builder.bitcast(_is_not_zero(builder, x), ir.IntType(64)), types.uint64
)
"""One bit for each lane: whether it is not 0."""

largest_of_low: Callable[[Lanes], np.uint64] = _on_one(_half_maximum(0), types.uint64)
"""The largest word of the lower half of the lanes."""

largest_of_high: Callable[[Lanes], np.uint64] = _on_one(_half_maximum(1), types.uint64)
"""The largest word of the upper half of the lanes."""


def shuffle(sources: Sequence[int]) -> Callable[[Lanes], Lanes]:
    """Return the instruction that fills each lane from another one, whose number is given."""
    rearranged: Callable[[Lanes], Lanes] = _on_one(
        lambda builder, x: _rearrange(builder, x, sources)
    )
    return rearranged
