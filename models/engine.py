"""Two ways to run a trained network behind one contract: LiteRT, and Keras on request.

Heavy packages are imported only when an engine is made.
"""

import os
import sys
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import numpy as np
import numpy.typing as npt

EngineKind = Literal["litert", "keras"]

WEIGHTS_DIR: Final = Path(__file__).parent / "weights"

INPUT_SHAPE: Final = (32, 32, 1)
"""One item of what the digit network takes: rows, columns and one channel of a cell."""

OUTPUT_SHAPE: Final = (19,)
"""One item of what it gives: a probability for each class, as `models.digits` names them."""


@dataclass(frozen=True)
class Job:
    """What a network is for, so that one made for something else is refused.

    Attributes:
        purpose: what it does, as error messages say it.
        takes: shape of one item of its input; -1 stands for any size.
        gives: shape of one item of its output, likewise.
        training: where it is told how to train it.
    """

    purpose: str
    takes: tuple[int, ...]
    gives: tuple[int, ...]
    training: str


READS_CELLS: Final = Job("reads cells", INPUT_SHAPE, OUTPUT_SHAPE, "docs/model_card_digits.md")

KERAS_DAMAGE: Final = (
    ValueError,
    OSError,
    TypeError,
    LookupError,
    AttributeError,
    RuntimeError,
    EOFError,
    ImportError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What Keras has been seen to raise on files that are damaged or hold something else."""

Float32 = npt.NDArray[np.float32]
UInt8 = npt.NDArray[np.uint8]
Booleans = npt.NDArray[np.bool_]

_most_threads: int | None = None


class EngineError(RuntimeError):
    """A network cannot be run here; the text says what to do about it."""


class Engine(Protocol):
    """A trained network with one input and one output."""

    def run(self, inputs: Float32) -> Float32:
        """Return the output for a batch, (n, …) float32 in and (n, …) float32 out, n ≥ 1."""


class LiteRtEngine:
    """Runs a `.tflite` file; one instance must not be shared by two threads at once."""

    def __init__(self, path: Path, threads: int = 2) -> None:
        if not path.is_file():
            raise _missing_weights(path)
        try:
            from ai_edge_litert.interpreter import Interpreter
        except ImportError as error:
            raise EngineError(
                f"cannot run {path.name}: the package ai-edge-litert is missing or broken "
                f"({error}); install it with: pip install ai-edge-litert"
            ) from error
        threads = min(threads, _most_threads or threads)
        with silenced_stderr():
            try:
                self._interpreter: Any = Interpreter(model_path=str(path), num_threads=threads)
                self._interpreter.allocate_tensors()
            except (ValueError, RuntimeError) as error:
                raise _broken_weights(path, error) from error
        inputs = self._interpreter.get_input_details()
        self._input = inputs[0]["index"]
        self._output = self._interpreter.get_output_details()[0]["index"]
        self._shape = tuple(inputs[0]["shape"])
        self.takes = [tuple(map(int, one["shape_signature"][1:])) for one in inputs]
        """The shape of an item of every input; -1 stands for any size."""

    def run(self, inputs: Float32) -> Float32:
        """Return the output for a batch; a batch of another size than the last costs a resize."""
        if inputs.shape != self._shape:
            self._interpreter.resize_tensor_input(self._input, inputs.shape)
            self._interpreter.allocate_tensors()
            self._shape = inputs.shape
        self._interpreter.set_tensor(self._input, inputs)
        self._interpreter.invoke()
        return np.asarray(self._interpreter.get_tensor(self._output), dtype=np.float32)


class KerasEngine:
    """Runs a `.keras` file with the `train` extra installed."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise _missing_weights(path)
        if not zipfile.is_zipfile(path):
            # Keras would report it as not found.
            raise _broken_weights(path, ValueError("it is no Keras archive"))
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        # TensorFlow's libraries announce devices and options however low that level is.
        with silenced_stderr():
            try:
                import keras
            except ImportError as error:
                raise EngineError(
                    f"cannot run {path.name}: the engine keras needs the train extra ({error}); "
                    "install it with: pip install 'sudoku-lens[train]', or use --engine litert"
                ) from error
            try:
                self._model: Any = keras.saving.load_model(path, compile=False)
                shapes: Any = self._model.input_shape
            except KERAS_DAMAGE as error:
                raise _broken_weights(path, error) from error
        listed = [shapes] if isinstance(shapes, tuple) else list(shapes)
        self.takes = [tuple(-1 if side is None else side for side in one[1:]) for one in listed]
        """The shape of an item of every input; -1 stands for any size."""

    def run(self, inputs: Float32) -> Float32:
        """Return the output for a batch."""
        return np.asarray(self._model(inputs, training=False), dtype=np.float32)


def limit_threads(most: int | None) -> None:
    """Let LiteRT's networks that are loaded from now on use so many CPU threads at most.

    For processes that share a machine with others of their kind. None lifts the limit.
    """
    global _most_threads
    _most_threads = most


def load_engine(
    name: str,
    kind: EngineKind = "litert",
    *,
    job: Job = READS_CELLS,
    threads: int = 2,
    folder: Path = WEIGHTS_DIR,
) -> Engine:
    """Open a network.

    Args:
        name: file name without ending, for example `digits`.
        kind: which runtime; `keras` needs the `train` extra.
        job: what the network must be for.
        threads: CPU threads, LiteRT only.
        folder: where the weights lie.

    Raises:
        EngineError: if the weights or the package that runs them are missing or broken, or the
            network is made for another job.
        ValueError: if there is no such kind of engine.
    """
    engine: LiteRtEngine | KerasEngine
    try:
        if kind == "litert":
            path = folder / f"{name}.tflite"
            engine = LiteRtEngine(path, threads)
        elif kind == "keras":
            path = folder / f"{name}.keras"
            engine = KerasEngine(path)
        else:
            raise ValueError(f"engine must be 'litert' or 'keras', got {kind!r}")
        _check_shapes(engine, path, job)
    except _WeightsError as error:
        raise EngineError(f"{error}; {_advice(error.path, job)}") from error
    return engine


def _check_shapes(engine: LiteRtEngine | KerasEngine, path: Path, job: Job) -> None:
    """Refuse a network for another job, by what it says of itself and by a trial."""
    if len(engine.takes) != 1 or not _fits(engine.takes[0], job.takes):
        taken = " and ".join(map(_name_shape, engine.takes))
        raise _other_network(path, job, f"it takes {taken}, not {_name_shape(job.takes)}")
    batch = 2  # one would hide a network that can do no more
    sides = zip(engine.takes[0], job.takes, strict=True)
    item = tuple(declared if wanted == -1 else wanted for declared, wanted in sides)
    try:
        given = engine.run(np.zeros((batch, *item), np.float32)).shape
    except (ValueError, RuntimeError, TypeError) as error:
        raise _other_network(path, job, first_line(error)) from error
    if given[0] != batch or not _fits(given[1:], job.gives):
        named = f"{_name_shape(given[1:])}, not {_name_shape(job.gives)}"
        raise _other_network(path, job, f"it gives {named}")


def _fits(declared: Sequence[int], wanted: Sequence[int]) -> bool:
    return len(declared) == len(wanted) and all(
        -1 in (side, needed) or side == needed
        for side, needed in zip(declared, wanted, strict=True)
    )


def _name_shape(shape: Sequence[int]) -> str:
    return "×".join("any" if side == -1 else str(side) for side in shape) or "one number"


class _WeightsError(EngineError):
    """Something is wrong with a file of weights; the text lacks the advice."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(text)
        self.path = path


def _missing_weights(path: Path) -> _WeightsError:
    return _WeightsError(path, f"the network's weights {path.name} are not in {path.parent}")


def _broken_weights(path: Path, error: Exception) -> _WeightsError:
    text = f"the network's weights {path} cannot be read ({first_line(error)})"
    return _WeightsError(path, text)


def _other_network(path: Path, job: Job, reason: str) -> _WeightsError:
    return _WeightsError(path, f"{path} is no network that {job.purpose}: {reason}")


def first_line(error: Exception) -> str:
    """Return what an error says, of many lines the first, or its name where it says nothing."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _advice(path: Path, job: Job) -> str:
    train = f"train them as {job.training} says"
    if path.parent == WEIGHTS_DIR:
        return f"reinstall sudoku-lens, or {train}"
    return f"name other weights, or {train}"


@contextmanager
def silenced_stderr() -> Iterator[None]:
    """Drop what C++ code writes to stderr meanwhile: LiteRT announces its delegate there, and has
    no switch for it that is reachable from Python.
    """
    if sys.stderr is not None:  # it is under pythonw, whatever its type says
        sys.stderr.flush()
    try:
        saved = os.dup(2)
    except OSError:  # no stderr at all, as under pythonw
        yield
        return
    try:
        with Path(os.devnull).open("wb") as devnull:
            os.dup2(devnull.fileno(), 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
