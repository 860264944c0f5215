"""The hand-weighted network: Sudoku's rules as convolutions that nobody trained, and a search.

n puzzles. Candidates are (n, 9, 1, 81) float32, 1 where a digit can still stand, else 0: the
digits 1..9 along the height, the cells in reading order as channels, so that a unit is a column of
a 1×1 kernel. All numbers are integers that float32 holds exactly. How it works:
docs/solvers/constraint.md.
"""

from typing import Any, Final

import keras
import numpy as np
import numpy.typing as npt
from keras import layers, ops

from models.constraint import ALIVE, BUDGET_SHAPE, LEVELS_SHAPE, SOLUTIONS_SHAPE, TALLY_SHAPE
from models.engine import Float32

_CELLS: Final = np.arange(81)
_ROW: Final = _CELLS // 9
_COLUMN: Final = _CELLS % 9
_BOX: Final = _ROW // 3 * 3 + _COLUMN // 3
_EVERYWHERE: Final = (1, 2, 3)
_NEVER: Final = 2.0**21
"""Larger than any key by which a candidate to guess is chosen."""

# In the order of the loop's variables.
_Loop = tuple[Any, Any, Any, Any, Any, Any, Any]


def make_kernels() -> dict[str, Float32]:
    """Return the weights, (inputs, outputs) of each 1×1 convolution by the name of its layer."""
    in_unit = _membership([_ROW, 9 + _COLUMN, 18 + _BOX], 27)
    # Segments: the three cells that a box shares with a row, then those with a column.
    in_segment = _membership([_ROW * 3 + _COLUMN // 3, 27 + _COLUMN * 3 + _ROW // 3], 54)
    number = np.arange(27)
    boxes = np.concatenate([number // 9 * 3 + number % 3, 9 + number % 3 * 3 + number // 9])
    lines = np.arange(54) // 3
    same_box, same_line = _relate(boxes), _relate(lines)
    is_pair = -np.ones((9, 36), np.float32)
    for column, pair in enumerate((low, high) for high in range(9) for low in range(high)):
        is_pair[list(pair), column] = 1
    return {
        "sum_units": in_unit,
        "to_units": in_unit.T,
        "at_peers": np.minimum(in_unit @ in_unit.T, 1) - np.eye(81, dtype=np.float32),
        "sum_segments": in_segment,
        "other_segments": np.hstack([same_box, same_line]),
        # What is alone in its box strikes the rest of the line, and the other way round.
        "strike_segments": np.vstack([same_line, same_box]) @ in_segment.T,
        # With a bias of -1: above 0 only for exactly the two digits of the pair.
        "find_pairs": is_pair,
        "digits_of_pairs": np.maximum(is_pair.T, 0),
    }


def build_rules_net() -> Any:
    """Return the network of one sweep: candidates in, and out those that the rules leave.

    Standard layers only. A sweep is naked singles, hidden singles and locked candidates, then
    naked singles, hidden singles and naked pairs; it strikes nothing that a solution needs.
    """
    candidates = keras.Input(LEVELS_SHAPE, name="candidates")
    rules = _Rules()
    x = rules.lock(rules.place_hidden(rules.strike_naked(candidates)))
    x = rules.strike_pairs(rules.place_hidden(rules.strike_naked(x)))
    network = keras.Model(candidates, x, name="rules")
    for name, kernel in make_kernels().items():
        bias = [np.full(kernel.shape[1], -1, np.float32)] if name == "find_pairs" else []
        network.get_layer(name).set_weights([kernel[None, None], *bias])
    return network


class _Rules:
    """The layers with weights, each made once and used wherever a rule needs it."""

    def __init__(self) -> None:
        shapes = {name: kernel.shape for name, kernel in make_kernels().items()}
        self.sum_digits = layers.DepthwiseConv2D(
            (9, 1), use_bias=False, depthwise_initializer="ones", name="sum_digits", trainable=False
        )
        self.any_digit = layers.MaxPooling2D((9, 1), name="any_digit")
        self.mix = {
            name: layers.Conv2D(
                outputs, 1, use_bias=name == "find_pairs", name=name, trainable=False
            )
            for name, (_, outputs) in shapes.items()
        }

    def strike_naked(self, x: Any) -> Any:
        """A cell with one candidate strikes it from its peers."""
        naked = ops.minimum(x, ops.relu(2.0 - self.sum_digits(x)))
        return ops.relu(x - self.mix["at_peers"](naked))

    def place_hidden(self, x: Any) -> Any:
        """A digit with one place in a unit strikes the others from that cell."""
        once = ops.relu(2.0 - self.mix["sum_units"](x))
        hidden = ops.minimum(x, self.mix["to_units"](once))
        free = ops.relu(1.0 - self.any_digit(hidden))
        return ops.minimum(x, hidden + free)

    def lock(self, x: Any) -> Any:
        """A digit with one segment left in a box or line is struck from the line or box."""
        held = ops.minimum(self.mix["sum_segments"](x), 1.0)
        both = ops.concatenate([held, held], axis=-1)
        alone = ops.relu(both - self.mix["other_segments"](held))
        return ops.relu(x - self.mix["strike_segments"](alone))

    def strike_pairs(self, x: Any) -> Any:
        """Two cells of a unit with the same two candidates strike these from the others."""
        pairs = _turn(ops.relu(self.mix["find_pairs"](_turn(x))))
        twice = ops.relu(self.mix["sum_units"](pairs) - 1.0)
        # The cells of pairs are spared: three units bring a cell 24 at most.
        struck = ops.relu(self.mix["to_units"](twice) - 32.0 * pairs)
        return ops.relu(x - _turn(self.mix["digits_of_pairs"](_turn(struck))))


@keras.saving.register_keras_serializable("sudoku_lens")
class DepthFirstSearch(layers.Layer):  # type: ignore[misc]  # Keras has no types
    """Rounds of rules, guesses and steps back, all in one loop; see `models.constraint`.

    There is no stack of grids: every candidate keeps the depth at which it was struck. A step back
    from a depth brings back what was struck there, which is the position before the guess; the
    same fixed choice then names the same guess again, and it is struck a depth higher.
    """

    def build(self, *_: Any) -> None:
        """Make the network of the rules, which brings its weights."""
        self.rules = build_rules_net()
        self.built = True

    def call(self, levels: Any, solutions: Any, tally: Any, budget: Any) -> tuple[Any, Any, Any]:
        """Go on until all searches are over, or for `budget` rounds."""
        depth, found, guesses, rounds = ops.split(tally, 4, axis=-1)
        start = (ops.zeros_like(budget), levels, solutions, depth, found, guesses, rounds)
        _, levels, solutions, *counted = ops.while_loop(
            lambda count, _levels, _solutions, depth, *_: ops.logical_and(
                ops.squeeze(count < budget), ops.max(depth) > -0.5
            ),
            self._go_on,
            start,
        )
        return levels, solutions, ops.concatenate(counted, axis=-1)

    def compute_output_spec(self, levels: Any, solutions: Any, tally: Any, _: Any) -> Any:
        """Say that the state goes out as it comes in."""
        return tuple(keras.KerasTensor(x.shape, x.dtype) for x in (levels, solutions, tally))

    def _go_on(self, *loop: Any) -> _Loop:
        """Do one round: a sweep of rules, then at most one guess or step back."""
        count, levels, solutions, depth, found, guesses, rounds = loop
        before = _clip(levels - (ALIVE - 1))
        after = self.rules(before)
        struck = before - after
        choices = self._sum_digits(after)
        places = self.rules.get_layer("sum_units")(after)
        fewest = ops.minimum(_least(choices), _least(places))

        # Flags, each 0 or 1.
        runs = _clip(depth + 1.0)
        is_dead = ops.relu(1.0 - fewest)
        is_full = runs * ops.relu(1.0 - is_dead) * ops.relu(82.0 - _total(choices))
        back = ops.minimum(runs * is_dead + is_full, 1.0)
        guess = runs * ops.relu(1.0 - back) * ops.relu(1.0 - _total(struck))
        ends = is_full * found

        levels = levels - struck * (ALIVE - depth)
        returned = back * _clip(levels - depth + 1.0)
        levels = levels + returned * (ALIVE - levels)
        here = ops.maximum(after, returned)
        pick = self._pick(here)
        rest = self.rules.get_layer("any_digit")(pick) * here - pick
        next_depth = depth + guess - back
        next_depth = next_depth - ends * (next_depth + 1.0)
        # Of a guess the cell's other digits go, of a refuted one the digit itself.
        gone = guess * rest + back * pick
        levels = levels - gone * (levels - next_depth)

        slot = ops.concatenate([is_full * ops.relu(1.0 - found), ends], axis=1)
        digits = ops.reshape(ops.arange(1.0, 10.0, dtype="float32"), (1, 9, 1, 1))
        solutions = solutions + slot * ops.sum(after * digits, axis=1, keepdims=True)
        return (
            count + 1.0,
            levels,
            solutions,
            next_depth,
            found + is_full,
            guesses + guess,
            rounds + runs,
        )

    def _pick(self, candidates: Any) -> Any:
        """Mark one candidate: of the cells with fewest, that with most open peers; its lowest."""
        choices = self._sum_digits(candidates)
        open_peers = self.rules.get_layer("at_peers")(_clip(choices - 1.0))
        order = _turn(ops.reshape(ops.arange(729.0, dtype="float32"), (1, 81, 1, 9)))
        key = choices * 65536.0 - open_peers * 1024.0 + order
        key = key + (1.0 - candidates + ops.relu(2.0 - choices)) * _NEVER
        return ops.relu(1.0 - (key - _least(key)))

    def _sum_digits(self, x: Any) -> Any:
        return self.rules.get_layer("sum_digits")(x)


def build_constraint_net() -> Any:
    """Return the network: the state of n searches and a number of rounds in, the state out."""
    levels = keras.Input(LEVELS_SHAPE, name="levels")
    solutions = keras.Input(SOLUTIONS_SHAPE, name="solutions")
    tally = keras.Input(TALLY_SHAPE, name="tally")
    budget = keras.Input(batch_shape=BUDGET_SHAPE, name="budget")
    inputs = [levels, solutions, tally, budget]
    return keras.Model(inputs, DepthFirstSearch(name="search")(*inputs), name="constraint")


def _membership(groups: list[npt.NDArray[np.int64]], count: int) -> Float32:
    """Return (81, count) 0/1: which of the groups each cell is in."""
    matrix = np.zeros((81, count), np.float32)
    for group in groups:
        matrix[_CELLS, group] = 1
    return matrix


def _relate(keys: npt.NDArray[np.int64]) -> Float32:
    """Return (54, 54) 0/1: which others have the same key."""
    return np.asarray(keys[:, None] == keys, np.float32) - np.eye(len(keys), dtype=np.float32)


def _turn(x: Any) -> Any:
    """Swap digits and cells."""
    return ops.transpose(x, (0, 3, 2, 1))


def _clip(x: Any) -> Any:
    return ops.minimum(ops.relu(x), 1.0)


def _least(x: Any) -> Any:
    return ops.min(x, axis=_EVERYWHERE, keepdims=True)


def _total(x: Any) -> Any:
    return ops.sum(x, axis=_EVERYWHERE, keepdims=True)
