"""Two ways to run a trained network behind one contract: LiteRT, and Keras on request.

Heavy packages are imported only when an engine is made.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import numpy as np
import numpy.typing as npt

EngineKind = Literal["litert", "keras"]

WEIGHTS_DIR: Final = Path(__file__).parent / "weights"

Float32 = npt.NDArray[np.float32]


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
            raise EngineError(_missing_weights(path))
        try:
            from ai_edge_litert.interpreter import Interpreter
        except ImportError as error:
            raise EngineError(
                f"cannot run {path.name}: the package ai-edge-litert is missing or broken "
                f"({error}); install it with: pip install ai-edge-litert"
            ) from error
        with _silenced_stderr():
            try:
                self._interpreter: Any = Interpreter(model_path=str(path), num_threads=threads)
                self._interpreter.allocate_tensors()
            except (ValueError, RuntimeError) as error:
                raise EngineError(_broken_weights(path, error)) from error
        self._input = self._interpreter.get_input_details()[0]["index"]
        self._output = self._interpreter.get_output_details()[0]["index"]
        self._shape = tuple(self._interpreter.get_input_details()[0]["shape"])

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
            raise EngineError(_missing_weights(path))
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
        try:
            import keras
        except ImportError as error:
            raise EngineError(
                f"cannot run {path.name}: the engine keras needs the train extra ({error}); "
                "install it with: pip install 'sudoku-lens[train]', or use --engine litert"
            ) from error
        try:
            self._model: Any = keras.saving.load_model(path, compile=False)
        except (ValueError, OSError) as error:
            raise EngineError(_broken_weights(path, error)) from error

    def run(self, inputs: Float32) -> Float32:
        """Return the output for a batch."""
        return np.asarray(self._model(inputs, training=False), dtype=np.float32)


def load_engine(
    name: str, kind: EngineKind = "litert", *, threads: int = 2, folder: Path = WEIGHTS_DIR
) -> Engine:
    """Open the network of that name.

    Args:
        name: file name without ending, for example `digits`.
        kind: which runtime; `keras` needs the `train` extra.
        threads: CPU threads, LiteRT only.
        folder: where the weights lie.

    Raises:
        EngineError: if the weights or the package that runs them are missing or broken.
        ValueError: if there is no such kind of engine.
    """
    if kind == "litert":
        return LiteRtEngine(folder / f"{name}.tflite", threads)
    if kind == "keras":
        return KerasEngine(folder / f"{name}.keras")
    raise ValueError(f"engine must be 'litert' or 'keras', got {kind!r}")


def _missing_weights(path: Path) -> str:
    return (
        f"the network's weights {path.name} are not in {path.parent}; "
        "reinstall sudoku-lens, or train them as docs/model_card_digits.md says"
    )


def _broken_weights(path: Path, error: Exception) -> str:
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return (
        f"the network's weights {path} cannot be read ({reason}); "
        "reinstall sudoku-lens, or train them as docs/model_card_digits.md says"
    )


@contextmanager
def _silenced_stderr() -> Iterator[None]:
    """Drop what C++ code writes to stderr meanwhile: LiteRT announces its delegate there, and has
    no switch for it that is reachable from Python.
    """
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
