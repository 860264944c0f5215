"""The network that solves grids: one small block, looped over the cube of candidates, in Keras.

Only `keras.ops` is used, so that it trains on any backend. How it works, what was tried beside it,
and the figures: docs/networks.md.

The cube has one site for each digit in each cell, 729 in all, and a vector of features at each.
Its axes are band, row in band, stack, column in stack, and digit. All weights are shared by all
sites, by rows and columns, and by the three axes' orders, so that the network is equivariant to
relabelling digits, to exchanging rows in a band, columns in a stack, bands, stacks, and to
transposing. f features, n puzzles.
"""

import math
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

import keras
from keras import ops

SIZES: Final = (3, 3, 3, 3, 9)
"""Lengths of the cube's axes."""

_BAND, _ROW, _STACK, _COLUMN, _DIGIT = range(5)

_ILLEGAL: Final = 30.0
"""What a digit that is no candidate loses in logits."""

Order = Literal["puzzles-first", "features-first"]
Precision = Literal["float32", "bfloat16"]


@dataclass(frozen=True)
class GridNetOptions:
    """What decides the number of parameters.

    Attributes:
        features: numbers that a site keeps from one iteration to the next.
        hidden: width of the layer at each site.
        segment_hidden: width of the layer at each segment, the three cells of a box in one row or
            column, for each digit.
        cell_hidden: width of the layer at each cell.
        messages: numbers that segments and cells send to their sites.
    """

    features: int = 24
    hidden: int = 40
    segment_hidden: int = 64
    cell_hidden: int = 48
    messages: int = 24


@dataclass(frozen=True)
class _Cube:
    """An array over the cube, some of whose axes may have been averaged away to length 1.

    Attributes:
        array: (n × product of `sizes`, f) or (f, product of `sizes`, n).
        sizes: lengths of the five axes.
    """

    array: Any
    sizes: tuple[int, ...]


class _Arithmetic:
    """The operations of the block, in one of two memory orders with the same results.

    With the features first, and the puzzles last, every operation but the small matrix products
    runs along the puzzles, which compiles to far faster code for training in batches. With the
    puzzles first, a matrix product is a fully connected layer, which LiteRT does best.
    """

    def __init__(self, order: Order, precision: Precision = "float32") -> None:
        self._features_first = order == "features-first"
        self._precision = precision

    def mix(self, cube: _Cube, kernel: Any) -> _Cube:
        """Apply a (f, g) kernel at each site: a 1×1 convolution."""
        if not self._features_first:
            return _Cube(self._multiply(cube.array, kernel), cube.sizes)
        sites = math.prod(cube.sizes)
        flat = ops.reshape(cube.array, (kernel.shape[0], -1))
        mixed = self._multiply(ops.transpose(kernel), flat)
        return _Cube(ops.reshape(mixed, (kernel.shape[1], sites, -1)), cube.sizes)

    def mean(self, cube: _Cube, axis: int) -> _Cube:
        """Average over one axis of the cube, which stays with length 1."""
        grouped = self._around(cube, axis)
        sizes = tuple(1 if i == axis else size for i, size in enumerate(cube.sizes))
        return _Cube(self._flat(ops.mean(grouped, axis=1), sizes, self._width(cube)), sizes)

    def add_spread(self, cube: _Cube, other: _Cube, axis: int) -> _Cube:
        """Add an array that has length 1 on one axis where the cube is longer."""
        grouped = self._around(cube, axis)
        alike = self._around(other, axis)
        total = self._flat(grouped + alike, cube.sizes, self._width(cube))
        return _Cube(total, cube.sizes)

    def cross(self, row_segments: _Cube, column_segments: _Cube) -> _Cube:
        """Add what the row and column segments of each site hold; these share band and stack."""
        width = self._width(row_segments)
        ends = (width * 3, -1) if self._features_first else (-1, 9 * width)
        of_rows = ops.reshape(row_segments.array, (ends[0], 3, 3, 1, ends[1]))
        of_columns = ops.reshape(column_segments.array, (ends[0], 1, 3, 3, ends[1]))
        return _Cube(self._flat(of_rows + of_columns, SIZES, width), SIZES)

    def softmax_digits(self, logits: Any) -> Any:
        """Return probabilities for 1 wide logits; each cell sums to 1."""
        if not self._features_first:
            return ops.reshape(ops.softmax(ops.reshape(logits, (-1, 9)), axis=1), (-1, 1))
        # A softmax over an axis that is not the last would be transposed there and back.
        cells = ops.reshape(logits, (81, 9, -1))
        powers = ops.exp(cells - ops.stop_gradient(ops.max(cells, axis=1, keepdims=True)))
        shares = powers / ops.sum(powers, axis=1, keepdims=True)
        return ops.reshape(shares, (1, 729, -1))

    def along_features(self, vector: Any) -> Any:
        """Return a (f,) vector in the shape that multiplies or is added at every site."""
        return ops.reshape(vector, (-1, 1, 1)) if self._features_first else vector

    @property
    def feature_axis(self) -> int:
        """The axis of the arrays that holds the features."""
        return 0 if self._features_first else 1

    def _multiply(self, left: Any, right: Any) -> Any:
        if self._precision == "float32":
            return ops.matmul(left, right)
        product = ops.matmul(ops.cast(left, self._precision), ops.cast(right, self._precision))
        return ops.cast(product, "float32")

    def _width(self, cube: _Cube) -> int:
        return int(cube.array.shape[self.feature_axis])

    def _around(self, cube: _Cube, axis: int) -> Any:
        """Return the array as (before, axis, after)."""
        width = self._width(cube)
        if self._features_first:
            return ops.reshape(
                cube.array, (width * math.prod(cube.sizes[:axis]), cube.sizes[axis], -1)
            )
        after = math.prod(cube.sizes[axis + 1 :]) * width
        return ops.reshape(cube.array, (-1, cube.sizes[axis], after))

    def _flat(self, array: Any, sizes: tuple[int, ...], width: int) -> Any:
        if self._features_first:
            return ops.reshape(array, (width, math.prod(sizes), -1))
        return ops.reshape(array, (-1, width))


FEATURES_FIRST: Final = _Arithmetic("features-first")
FEATURES_FIRST_BFLOAT16: Final = _Arithmetic("features-first", "bfloat16")
"""The products in half the memory, for graphics processors; all else stays in float32."""

PUZZLES_FIRST: Final = _Arithmetic("puzzles-first")


@keras.saving.register_keras_serializable("sudoku_lens")
class CandidateBlock(keras.layers.Layer):  # type: ignore[misc]
    """The weights, and the iteration: sites tell segments and cells, which answer, and think again.

    The parts, in the order in which they work:

    1. Every site adds its probability so far and what it is told (given, legal) to its features.
    2. Every segment sees the means of its three sites, of its line and of its box, all for one
       digit, which is what locked candidates and hidden singles are made of.
    3. Every cell sees the mean of its nine digits.
    4. A layer at each site reads its features and the messages of its two segments and its cell,
       and adds to the features, which are then normalised to root mean square 1 (Zhang and
       Sennrich 2019, arXiv:1910.07467).
    """

    def __init__(self, options: dict[str, int], iterations: int = 8, **named: Any) -> None:
        """Make a block without weights yet.

        Args:
            options: fields of `GridNetOptions`, those that are not its defaults.
            iterations: of one call.
            named: what every layer takes.
        """
        super().__init__(**named)
        self.options = GridNetOptions(**options)
        self.iterations = iterations

    def build(self, input_shape: Any = None) -> None:
        """Make the weights; see `keras.layers.Layer`."""
        o = self.options
        f, m = o.features, o.messages
        self._believed = self._vector("believed", f)
        self._given = self._vector("given", f)
        self._legal = self._vector("legal", f)
        self._segment_own = self._kernel("segment_own", f, o.segment_hidden)
        self._segment_line = self._kernel("segment_line", f, o.segment_hidden)
        self._segment_box = self._kernel("segment_box", f, o.segment_hidden)
        self._segment_bias = self._bias("segment_bias", o.segment_hidden)
        self._segment_out = self._kernel("segment_out", o.segment_hidden, m)
        self._cell_own = self._kernel("cell_own", f, o.cell_hidden)
        self._cell_bias = self._bias("cell_bias", o.cell_hidden)
        self._cell_out = self._kernel("cell_out", o.cell_hidden, m)
        self._site_own = self._kernel("site_own", f, o.hidden)
        self._site_messages = self._kernel("site_messages", m, o.hidden)
        self._site_bias = self._bias("site_bias", o.hidden)
        self._site_out = self._kernel("site_out", o.hidden, f, 0.5)
        self._scale = self.add_weight(name="scale", shape=(f,), initializer="ones")
        self._head = self._kernel("head", f, 1)
        self.built = True

    def call(self, state: Any) -> Any:
        """Run some iterations.

        Args:
            state: (n, 729, f + 3): features, probability, whether the digit is given, and whether
                it is a candidate.

        Returns:
            (n, 729, f + 1): features and probability after the iterations.
        """
        f = self.options.features
        sites = ops.reshape(state, (-1, f + 3))
        features, probabilities = sites[:, :f], sites[:, f : f + 1]
        given, legal = sites[:, f + 1 : f + 2], sites[:, f + 2 :]
        told = self.tell(PUZZLES_FIRST, given, legal)
        for _ in range(self.iterations):
            features, probabilities, _ = self.iterate(
                PUZZLES_FIRST, features, probabilities, told, legal
            )
        after = ops.concatenate([features, probabilities], axis=1)
        return ops.reshape(after, (-1, math.prod(SIZES), f + 1))

    def get_config(self) -> dict[str, Any]:
        """Return what `keras.saving` stores beside the weights."""
        named: dict[str, Any] = super().get_config()
        return named | {"options": asdict(self.options), "iterations": self.iterations}

    def tell(self, order: _Arithmetic, given: Any, legal: Any) -> Any:
        """Return what each site is told at every iteration, f wide.

        Args:
            order: the memory order of all arrays here.
            given: 1 wide: whether the cell is filled with the digit.
            legal: 1 wide: whether the digit is a candidate.
        """
        return given * order.along_features(self._given) + legal * order.along_features(self._legal)

    def iterate(
        self, order: _Arithmetic, features: Any, probabilities: Any, told: Any, legal: Any
    ) -> tuple[Any, Any, Any]:
        """Run one iteration.

        Args:
            order: the memory order of all arrays here.
            features: of each site, f wide.
            probabilities: of each site, 1 wide.
            told: what `tell` returns.
            legal: as for `tell`.

        Returns:
            The new features and probabilities, and the logits, 1 wide.
        """
        believed = probabilities * order.along_features(self._believed)
        cube = _Cube(features + told + believed, SIZES)
        thought = order.mix(cube, self._site_own).array
        thought = thought + order.mix(self._gather(order, cube), self._site_messages).array
        thought = ops.relu(thought + order.along_features(self._site_bias))
        features = features + order.mix(_Cube(thought, SIZES), self._site_out).array
        power = ops.mean(ops.square(features), axis=order.feature_axis, keepdims=True)
        features = features * ops.rsqrt(power + 1e-6) * order.along_features(self._scale)
        logits = order.mix(_Cube(features, SIZES), self._head).array - _ILLEGAL * (1.0 - legal)
        return features, order.softmax_digits(logits), logits

    def _gather(self, order: _Arithmetic, cube: _Cube) -> _Cube:
        """Return what each site hears from its two segments and its cell."""
        row_segments = order.mean(cube, _COLUMN)
        column_segments = order.mean(cube, _ROW)
        rows = order.mix(order.mean(row_segments, _STACK), self._segment_line)
        columns = order.mix(order.mean(column_segments, _BAND), self._segment_line)
        boxes = order.mix(order.mean(row_segments, _ROW), self._segment_box)
        cells = order.mix(order.mean(cube, _DIGIT), self._cell_own)
        from_rows = self._ask_segments(order, row_segments, rows, _STACK, boxes, _ROW)
        from_columns = self._ask_segments(order, column_segments, columns, _BAND, boxes, _COLUMN)
        cells = self._answer(order, cells, self._cell_bias, self._cell_out)
        return order.add_spread(order.cross(from_rows, from_columns), cells, _DIGIT)

    def _ask_segments(
        self,
        order: _Arithmetic,
        segments: _Cube,
        lines: _Cube,
        line_axis: int,
        boxes: _Cube,
        box_axis: int,
    ) -> _Cube:
        seen = order.mix(segments, self._segment_own)
        seen = order.add_spread(seen, lines, line_axis)
        seen = order.add_spread(seen, boxes, box_axis)
        return self._answer(order, seen, self._segment_bias, self._segment_out)

    def _answer(self, order: _Arithmetic, seen: _Cube, bias: Any, out: Any) -> _Cube:
        heard = ops.relu(seen.array + order.along_features(bias))
        return order.mix(_Cube(heard, seen.sizes), out)

    def _kernel(self, name: str, rows: int, columns: int, gain: float = 1.0) -> Any:
        spread = keras.initializers.RandomNormal(0.0, gain / math.sqrt(rows))
        return self.add_weight(name=name, shape=(rows, columns), initializer=spread)

    def _vector(self, name: str, width: int) -> Any:
        spread = keras.initializers.RandomNormal(0.0, 0.5)
        return self.add_weight(name=name, shape=(width,), initializer=spread)

    def _bias(self, name: str, width: int) -> Any:
        return self.add_weight(name=name, shape=(width,), initializer="zeros")


def build_grid_net(options: GridNetOptions, iterations: int = 8) -> Any:
    """Return the untrained network for use: (n, 729, f + 3) to (n, 729, f + 1).

    One array in and one out, so that every runtime takes it; see `CandidateBlock.call`. Its one
    layer is called `block`. `models.grids` drives it.
    """
    state = keras.Input((math.prod(SIZES), options.features + 3), name="state")
    block = CandidateBlock(asdict(options), iterations, name="block")
    return keras.Model(state, block(state), name="grid")
