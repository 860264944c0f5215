"""Running the hand-weighted network: the state of its search as arrays, and its two runtimes.

n puzzles. `models.constraint_net` builds the network, docs/solvers/constraint.md explains it.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from models.engine import (
    KERAS_DAMAGE,
    WEIGHTS_DIR,
    Booleans,
    EngineError,
    Float32,
    UInt8,
    first_line,
    silenced_stderr,
)

ALIVE: Final = 100.0
"""The level of a candidate that is left; larger than any depth of the search."""

LEVELS_SHAPE: Final = (9, 1, 81)
SOLUTIONS_SHAPE: Final = (2, 1, 81)
TALLY_SHAPE: Final = (1, 1, 4)
BUDGET_SHAPE: Final = (1,)

_DEPTH, _FOUND, _GUESSES, _ROUNDS = range(4)
_ADVICE: Final = "reinstall sudoku-lens, or run: python -m training.grids.export_constraint"


@dataclass(frozen=True, eq=False)
class NetworkSearch:
    """Where the searches of n puzzles stand; what a run of the network takes and gives back.

    Attributes:
        levels: (n, 9, 1, 81) float32: for each digit and cell `ALIVE`, or the depth of the search
            at which the candidate was struck. These are the stack: going back from a depth brings
            back whatever was struck there.
        solutions: (n, 2, 1, 81) float32: digits of the first two solutions, zeros till found.
        tally: (n, 1, 1, 4) float32: depth, or -1 where the search is over; solutions found, up to
            2; guesses; rounds of the loop.
    """

    levels: Float32
    solutions: Float32
    tally: Float32

    def arrays(self) -> tuple[Float32, Float32, Float32]:
        """Return the three arrays in the order of the network's inputs."""
        return self.levels, self.solutions, self.tally

    def take(self, which: npt.NDArray[np.integer[Any]]) -> "NetworkSearch":
        """Return a copy with these puzzles only."""
        return NetworkSearch(*(array[which] for array in self.arrays()))

    def put(self, which: npt.NDArray[np.integer[Any]], other: "NetworkSearch") -> None:
        """Overwrite these puzzles with others."""
        for array, values in zip(self.arrays(), other.arrays(), strict=True):
            array[which] = values

    @property
    def is_over(self) -> Booleans:
        """(n,) bool: all solutions are counted, or two are found."""
        over: Booleans = self._tallied(_DEPTH) < 0
        return over

    @property
    def counts(self) -> npt.NDArray[np.int32]:
        """(n,) int32: solutions found so far, 0..2."""
        return self._tallied(_FOUND).astype(np.int32)

    @property
    def guesses(self) -> npt.NDArray[np.int64]:
        """(n,) int64: digits tried so far."""
        return self._tallied(_GUESSES).astype(np.int64)

    @property
    def rounds(self) -> npt.NDArray[np.int64]:
        """(n,) int64: rounds of the loop so far."""
        return self._tallied(_ROUNDS).astype(np.int64)

    @property
    def found(self) -> UInt8:
        """(n, 2, 81) uint8: the solutions found so far, zeros elsewhere."""
        return self.solutions[:, :, 0].astype(np.uint8)

    def _tallied(self, what: int) -> Float32:
        return self.tally[:, 0, 0, what]


def begin_search(puzzles: UInt8) -> NetworkSearch:
    """Return the state before the first round.

    Args:
        puzzles: (n, 81) uint8 digits, 0 = empty.
    """
    n = len(puzzles)
    clues = puzzles[:, None, :]
    others = (clues > 0) & (clues != np.arange(1, 10, dtype=np.uint8)[:, None])
    levels = np.where(others, np.float32(0), np.float32(ALIVE))
    return NetworkSearch(
        levels.reshape(n, *LEVELS_SHAPE),
        np.zeros((n, *SOLUTIONS_SHAPE), np.float32),
        np.zeros((n, *TALLY_SHAPE), np.float32),
    )


class Runner(Protocol):
    """The network in one of its runtimes."""

    def run(self, state: NetworkSearch, rounds: int) -> NetworkSearch:
        """Go on for so many rounds of the loop, or until all searches are over.

        Args:
            state: of n ≥ 1 puzzles. Not changed. Another n than the last may cost time.
            rounds: at least 1.
        """


class LiteRtSearch:
    """Runs `constraint.tflite`; one instance must not be shared by two threads at once.

    Raises:
        EngineError: if the file or the package that runs it is missing or broken.
    """

    def __init__(self, path: Path = WEIGHTS_DIR / "constraint.tflite", threads: int = 1) -> None:
        _require(path)
        try:
            from ai_edge_litert.interpreter import Interpreter
        except ImportError as error:
            raise EngineError(
                f"cannot run {path.name}: the package ai-edge-litert is missing or broken "
                f"({error}); install it with: pip install ai-edge-litert"
            ) from error
        with silenced_stderr():
            try:
                self._interpreter: Any = Interpreter(model_path=str(path), num_threads=threads)
                self._interpreter.allocate_tensors()
            except (ValueError, RuntimeError) as error:
                raise _unreadable(path, error) from error
        order = (LEVELS_SHAPE, SOLUTIONS_SHAPE, TALLY_SHAPE)
        inputs, outputs = (
            {tuple(map(int, one["shape_signature"][-3:])): one["index"] for one in details}
            for details in (
                self._interpreter.get_input_details(),
                self._interpreter.get_output_details(),
            )
        )
        try:
            # The shapes tell the tensors apart, whatever order the converter put them in.
            self._inputs = [inputs[shape] for shape in order]
            self._outputs = [outputs[shape] for shape in order]
            self._budget = inputs[BUDGET_SHAPE]
        except KeyError as error:
            raise EngineError(f"{path} is no network that searches; {_ADVICE}") from error
        self._n = 0

    def run(self, state: NetworkSearch, rounds: int) -> NetworkSearch:
        """Go on for so many rounds; see `Runner`."""
        n = len(state.tally)
        if n != self._n:
            for index, array in zip(self._inputs, state.arrays(), strict=True):
                self._interpreter.resize_tensor_input(index, array.shape)
            self._interpreter.allocate_tensors()
            self._n = n
        for index, array in zip(self._inputs, state.arrays(), strict=True):
            self._interpreter.set_tensor(index, array)
        self._interpreter.set_tensor(self._budget, np.array([rounds], np.float32))
        self._interpreter.invoke()
        return NetworkSearch(*map(self._interpreter.get_tensor, self._outputs))


class KerasSearch:
    """Runs `constraint.keras` with the `train` extra installed.

    Raises:
        EngineError: if the file or Keras is missing, or the file is broken.
    """

    def __init__(self, path: Path = WEIGHTS_DIR / "constraint.keras") -> None:
        _require(path)
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        # TensorFlow's libraries announce devices and options however low that level is.
        with silenced_stderr():
            try:
                import keras

                import models.constraint_net  # noqa: F401  (its layer is in the file)
            except ImportError as error:
                raise EngineError(
                    f"cannot run {path.name}: Keras needs the train extra ({error}); "
                    "install it with: pip install 'sudoku-lens[train]'"
                ) from error
            try:
                self._model: Any = keras.saving.load_model(path, compile=False)
            except KERAS_DAMAGE as error:
                raise _unreadable(path, error) from error
        shapes = [tuple(one.shape[-3:]) for one in self._model.inputs]
        if shapes != [LEVELS_SHAPE, SOLUTIONS_SHAPE, TALLY_SHAPE, BUDGET_SHAPE]:
            raise EngineError(f"{path} is no network that searches; {_ADVICE}")

    def run(self, state: NetworkSearch, rounds: int) -> NetworkSearch:
        """Go on for so many rounds; see `Runner`."""
        given = self._model([*state.arrays(), np.array([rounds], np.float32)], training=False)
        return NetworkSearch(*(np.array(array, np.float32) for array in given))


def _require(path: Path) -> None:
    if not path.is_file():
        raise EngineError(f"the network {path.name} is not in {path.parent}; {_ADVICE}")


def _unreadable(path: Path, error: Exception) -> EngineError:
    return EngineError(f"the network {path} cannot be read ({first_line(error)}); {_ADVICE}")
