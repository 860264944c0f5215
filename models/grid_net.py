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
from typing import Any, Final, Literal, NamedTuple

import keras
from keras import ops

SIZES: Final = (3, 3, 3, 3, 9)
"""Lengths of the cube's axes."""

_BAND, _ROW, _STACK, _COLUMN, _DIGIT = range(5)

_ILLEGAL: Final = 30.0
"""What a digit that is no candidate loses in logits."""

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


class _Cube(NamedTuple):
    """An array over the cube, some of whose axes may have been averaged away to length 1.

    Attributes:
        array: (n × product of `sizes`, f).
        sizes: lengths of the five axes.
    """

    array: Any
    sizes: tuple[int, ...] = SIZES


@keras.saving.register_keras_serializable("sudoku_lens")
class CandidateBlock(keras.layers.Layer):  # type: ignore[misc]
    """The weights, and the iteration: sites tell segments and cells, which answer, and think again.

    Attributes:
        options: what decides the number of weights.
        iterations: of one call.
        precision: of the products while training; `bfloat16` is for graphics processors.

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
        self.precision: Precision = "float32"

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
        told = self.tell(given, legal)
        for _ in range(self.iterations):
            features, probabilities, _ = self.iterate(features, probabilities, told, legal)
        after = ops.concatenate([features, probabilities], axis=1)
        return ops.reshape(after, (-1, math.prod(SIZES), f + 1))

    def get_config(self) -> dict[str, Any]:
        """Return what `keras.saving` stores beside the weights."""
        named: dict[str, Any] = super().get_config()
        return named | {"options": asdict(self.options), "iterations": self.iterations}

    def tell(self, given: Any, legal: Any) -> Any:
        """Return what each site is told at every iteration, (n × 729, f).

        Args:
            given: (n × 729, 1): whether the cell is filled with the digit.
            legal: (n × 729, 1): whether the digit is a candidate.
        """
        return given * self._given + legal * self._legal

    def iterate(
        self, features: Any, probabilities: Any, told: Any, legal: Any
    ) -> tuple[Any, Any, Any]:
        """Run one iteration.

        Args:
            features: (n × 729, f) of each site.
            probabilities: (n × 729, 1).
            told: what `tell` returns.
            legal: as for `tell`.

        Returns:
            The new features and probabilities, and the logits, (n × 729, 1).
        """
        cube = _Cube(features + told + probabilities * self._believed)
        thought = self._mix(cube, self._site_own).array
        thought = thought + self._mix(self._gather(cube), self._site_messages).array
        thought = ops.relu(thought + self._site_bias)
        features = features + self._mix(_Cube(thought), self._site_out).array
        power = ops.mean(ops.square(features), axis=1, keepdims=True)
        features = features * ops.rsqrt(power + 1e-6) * self._scale
        logits = self._mix(_Cube(features), self._head).array - _ILLEGAL * (1.0 - legal)
        probabilities = ops.reshape(ops.softmax(ops.reshape(logits, (-1, 9)), axis=1), (-1, 1))
        return features, probabilities, logits

    def _gather(self, cube: _Cube) -> _Cube:
        """Return what each site hears from its two segments and its cell."""
        row_segments = _average(cube, _COLUMN)
        column_segments = _average(cube, _ROW)
        rows = self._mix(_average(row_segments, _STACK), self._segment_line)
        columns = self._mix(_average(column_segments, _BAND), self._segment_line)
        boxes = self._mix(_average(row_segments, _ROW), self._segment_box)
        cells = self._mix(_average(cube, _DIGIT), self._cell_own)
        from_rows = self._ask_segments(row_segments, rows, _STACK, boxes, _ROW)
        from_columns = self._ask_segments(column_segments, columns, _BAND, boxes, _COLUMN)
        from_cells = self._answer(cells, self._cell_bias, self._cell_out)
        return _add_spread(_cross(from_rows, from_columns), from_cells, _DIGIT)

    def _ask_segments(
        self, segments: _Cube, lines: _Cube, line_axis: int, boxes: _Cube, box_axis: int
    ) -> _Cube:
        seen = self._mix(segments, self._segment_own)
        seen = _add_spread(seen, lines, line_axis)
        seen = _add_spread(seen, boxes, box_axis)
        return self._answer(seen, self._segment_bias, self._segment_out)

    def _answer(self, seen: _Cube, bias: Any, out: Any) -> _Cube:
        return self._mix(_Cube(ops.relu(seen.array + bias), seen.sizes), out)

    def _mix(self, cube: _Cube, kernel: Any) -> _Cube:
        """Apply a (f, g) kernel at each site: a 1×1 convolution."""
        if self.precision == "float32":
            return _Cube(ops.matmul(cube.array, kernel), cube.sizes)
        array, kernel = ops.cast(cube.array, self.precision), ops.cast(kernel, self.precision)
        return _Cube(ops.cast(ops.matmul(array, kernel), "float32"), cube.sizes)

    def _kernel(self, name: str, rows: int, columns: int, gain: float = 1.0) -> Any:
        spread = keras.initializers.RandomNormal(0.0, gain / math.sqrt(rows))
        return self.add_weight(name=name, shape=(rows, columns), initializer=spread)

    def _vector(self, name: str, width: int) -> Any:
        spread = keras.initializers.RandomNormal(0.0, 0.5)
        return self.add_weight(name=name, shape=(width,), initializer=spread)

    def _bias(self, name: str, width: int) -> Any:
        return self.add_weight(name=name, shape=(width,), initializer="zeros")


def _average(cube: _Cube, axis: int) -> _Cube:
    """Average over one axis of the cube, which stays with length 1."""
    sizes = tuple(1 if i == axis else size for i, size in enumerate(cube.sizes))
    return _Cube(_flatten(ops.mean(_group(cube, axis), axis=1), cube), sizes)


def _add_spread(cube: _Cube, other: _Cube, axis: int) -> _Cube:
    """Add an array that has length 1 on one axis where the cube is longer."""
    return _Cube(_flatten(_group(cube, axis) + _group(other, axis), cube), cube.sizes)


def _cross(row_segments: _Cube, column_segments: _Cube) -> _Cube:
    """Add what the row and column segments of each site hold; these share band and stack."""
    after = 9 * int(row_segments.array.shape[1])
    of_rows = ops.reshape(row_segments.array, (-1, 3, 3, 1, after))
    of_columns = ops.reshape(column_segments.array, (-1, 1, 3, 3, after))
    return _Cube(_flatten(of_rows + of_columns, row_segments))


def _group(cube: _Cube, axis: int) -> Any:
    """Return the array as (before, axis, after): no more axes than LiteRT does well."""
    after = math.prod(cube.sizes[axis + 1 :]) * int(cube.array.shape[1])
    return ops.reshape(cube.array, (-1, cube.sizes[axis], after))


def _flatten(array: Any, like: _Cube) -> Any:
    return ops.reshape(array, (-1, int(like.array.shape[1])))


def build_grid_net(options: GridNetOptions, iterations: int = 8) -> Any:
    """Return the untrained network for use: (n, 729, f + 3) to (n, 729, f + 1).

    One array in and one out, so that every runtime takes it; see `CandidateBlock.call`. Its one
    layer is called `block`. `models.grids` drives it.
    """
    state = keras.Input((math.prod(SIZES), options.features + 3), name="state")
    block = CandidateBlock(asdict(options), iterations, name="block")
    return keras.Model(state, block(state), name="grid")
