"""The network that solves grids: one small block, looped over the cube of candidates, in Keras.

Only `keras.ops` is used, so that it trains on any backend. How it works, what was tried beside it,
and the figures: docs/networks.md.

There is one site for each digit in each cell, and a vector of features at each. All weights are
shared by all sites and by rows and columns, so that the network is equivariant to relabelling
digits, to exchanging rows in a band, columns in a stack, bands, stacks, and to transposing; and
they fit every side d and every jigsaw. What is exported is for 9×9. c = d² cells, s segments,
f features, n puzzles.
"""

import math
from dataclasses import asdict, dataclass
from typing import Any, Final

import keras
from keras import ops

from models.grids import usual_geometry

_SITES: Final = 729
"""Of 9×9."""

_LINE: Final = 9.0
_SEGMENT: Final = 3.0
"""What sums over lines and segments are divided by, whatever the side: as in 9×9, where the
sums so become means. A digit's probabilities sum to 1 in every line, however long it is."""

_ILLEGAL: Final = 30.0
"""What a digit that is no candidate loses in logits."""


@dataclass(frozen=True)
class GridNetOptions:
    """What decides the number of parameters.

    Attributes:
        features: numbers that a site keeps from one iteration to the next.
        hidden: width of the layer at each site.
        segment_hidden: width of the layer at each segment, the cells of a region in one row or
            column, for each digit.
        cell_hidden: width of the layer at each cell.
        messages: numbers that segments and cells send to their sites.
    """

    features: int = 24
    hidden: int = 40
    segment_hidden: int = 64
    cell_hidden: int = 48
    messages: int = 24


@keras.saving.register_keras_serializable("sudoku_lens")
class CandidateBlock(keras.layers.Layer):  # type: ignore[misc]
    """The weights, and the iteration: sites tell segments and cells, which answer, and think again.

    Attributes:
        options: what decides the number of weights.
        iterations: of one call.

    The parts, in the order in which they work:

    1. Every site adds its probability so far and what it is told (given, legal) to its features.
    2. Every segment sees the sums of its sites, of its line and of its region, all for one digit,
       which is what locked candidates and hidden singles are made of.
    3. Every cell sees the sum of its digits.
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

    def call(self, state: Any, geometry: tuple[Any, Any] | None = None) -> Any:
        """Run some iterations.

        Args:
            state: (n, c × d, f + 3): features, probability, whether the digit is given, and
                whether it is a candidate.
            geometry: see `iterate`; None is that of 9×9, which a graph then holds as constants.

        Returns:
            (n, c × d, f + 1): features and probability after the iterations.
        """
        nine = usual_geometry(81)
        geometry = geometry or (nine.segments, nine.units)
        f = self.options.features
        sites = ops.reshape(state, (-1, f + 3))
        features, probabilities = sites[:, :f], sites[:, f : f + 1]
        given, legal = sites[:, f + 1 : f + 2], sites[:, f + 2 :]
        told = self.embed_clues(given, legal)
        for _ in range(self.iterations):
            features, probabilities, _ = self.iterate(
                features, probabilities, told, legal, geometry
            )
        after = ops.concatenate([features, probabilities], axis=1)
        return ops.reshape(after, (-1, state.shape[1], f + 1))

    def get_config(self) -> dict[str, Any]:
        """Return what `keras.saving` stores beside the weights."""
        named: dict[str, Any] = super().get_config()
        return named | {"options": asdict(self.options), "iterations": self.iterations}

    def embed_clues(self, given: Any, legal: Any) -> Any:
        """Return what each site is told at every iteration, (n × c × d, f).

        Args:
            given: (n × c × d, 1): whether the cell is filled with the digit.
            legal: (n × c × d, 1): whether the digit is a candidate.
        """
        return given * self._given + legal * self._legal

    def iterate(
        self, features: Any, probabilities: Any, told: Any, legal: Any, geometry: tuple[Any, Any]
    ) -> tuple[Any, Any, Any]:
        """Run one iteration.

        Args:
            features: (n × c × d, f) of each site.
            probabilities: (n × c × d, 1).
            told: what `embed_clues` returns.
            legal: as for `embed_clues`.
            geometry: which cells each segment has, (n or 1, s, c), and which segments each unit
                has, (n or 1, 3 × d, s): rows, columns, regions. 1 where it has them, else 0.

        Returns:
            The new features and probabilities, and the logits, (n × c × d, 1).
        """
        segments, units = geometry
        side = ops.shape(units)[1] // 3
        seen = features + told + probabilities * self._believed
        thought = ops.matmul(seen, self._site_own)
        heard = self._gather(seen, segments, units, side)
        thought = ops.relu(thought + ops.matmul(heard, self._site_messages) + self._site_bias)
        features = features + ops.matmul(thought, self._site_out)
        power = ops.mean(ops.square(features), axis=1, keepdims=True)
        features = features * ops.rsqrt(power + 1e-6) * self._scale
        logits = ops.matmul(features, self._head) - _ILLEGAL * (1.0 - legal)
        probabilities = ops.reshape(ops.softmax(ops.reshape(logits, (-1, side)), axis=1), (-1, 1))
        return features, probabilities, logits

    def _gather(self, seen: Any, segments: Any, units: Any, side: Any) -> Any:
        """Return what each site hears from its two segments and its cell."""
        f, hidden, m = self.options.features, self.options.segment_hidden, self.options.messages
        lines, regions = units[:, : 2 * side], units[:, 2 * side :]
        own = self._sum_over(segments, seen, side * f) / _SEGMENT
        of_lines = self._sum_over(lines, own, side * f) * (_SEGMENT / _LINE)
        # Row segments and column segments both cover a region.
        of_regions = self._sum_over(regions, own, side * f) * (_SEGMENT / _LINE / 2)
        told = ops.matmul(own, self._segment_own)
        told = told + self._spread(lines, ops.matmul(of_lines, self._segment_line), side * hidden)
        told = told + self._spread(
            regions, ops.matmul(of_regions, self._segment_box), side * hidden
        )
        told = ops.matmul(ops.relu(told + self._segment_bias), self._segment_out)
        from_segments = self._spread(segments, told, side * m)
        cells = ops.sum(ops.reshape(seen, (-1, side, f)), axis=1) / _LINE
        from_cells = ops.relu(ops.matmul(cells, self._cell_own) + self._cell_bias)
        from_cells = ops.expand_dims(ops.matmul(from_cells, self._cell_out), 1)
        return ops.reshape(ops.reshape(from_segments, (-1, side, m)) + from_cells, (-1, m))

    def _sum_over(self, members: Any, array: Any, width: Any) -> Any:
        """Return the sums over the members of each set.

        Args:
            members: (n or 1, sets, items): 1 where a set has the item.
            array: (n × items × d, f).
            width: d × f.

        Returns:
            (n × sets × d, f).
        """
        items = ops.reshape(array, (-1, ops.shape(members)[2], width))
        return ops.reshape(ops.matmul(members, items), (-1, int(array.shape[1])))

    def _spread(self, members: Any, array: Any, width: Any) -> Any:
        """Return for each item the sum of what its sets hold, (n × items × d, f)."""
        return self._sum_over(ops.swapaxes(members, 1, 2), array, width)

    def _kernel(self, name: str, rows: int, columns: int, gain: float = 1.0) -> Any:
        spread = keras.initializers.RandomNormal(0.0, gain / math.sqrt(rows))
        return self.add_weight(name=name, shape=(rows, columns), initializer=spread)

    def _vector(self, name: str, width: int) -> Any:
        spread = keras.initializers.RandomNormal(0.0, 0.5)
        return self.add_weight(name=name, shape=(width,), initializer=spread)

    def _bias(self, name: str, width: int) -> Any:
        return self.add_weight(name=name, shape=(width,), initializer="zeros")


def build_grid_net(options: GridNetOptions, iterations: int = 8) -> Any:
    """Return the untrained network for use at 9×9: (n, 729, f + 3) to (n, 729, f + 1).

    One array in and one out, so that every runtime takes it; see `CandidateBlock.call`. Its one
    layer is called `block`, which other sides and jigsaws use by itself. `models.grids` drives it.
    """
    state = keras.Input((_SITES, options.features + 3), name="state")
    block = CandidateBlock(asdict(options), iterations, name="block")
    return keras.Model(state, block(state), name="grid")
