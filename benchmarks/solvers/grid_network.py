"""How fast the network that solves grids trains and runs: iterations of a puzzle a second.

    python -m benchmarks.solvers.grid_network

Training is one segment forward and backward, compiled by XLA; running is the network as it ships.
One thread; medians of processor time.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from models.grids import cube_state, legal_candidates, load_grid_network
from solver.generation.generate import generate_puzzles

_BATCH: Final = 32


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Measure the speed of the looped network")
    parser.add_argument("--rounds", type=int, default=7, help="of which medians are taken")
    rounds = parser.parse_args(arguments).rounds
    _choose_one_thread()
    print(f"{f'training, {_BATCH} at a time':<26}{measure_training(rounds):>9,.0f}")
    for n in (1, _BATCH):
        print(f"{f'LiteRT, {n} at a time':<26}{measure_running(n, rounds):>9,.0f}")
    return 0


def measure_training(rounds: int) -> float:
    """Return how many iterations of a puzzle are trained in a second of processor time.

    Args:
        rounds: segments to measure.
    """
    import tensorflow as tf

    from models.grid_net import CandidateBlock

    block = CandidateBlock({})
    block.build()
    weights = [weight.value for weight in block.trainable_weights]
    f = block.options.features
    sites = _make_state(_BATCH, f).reshape(-1, f + 3)
    parts = map(tf.constant, np.split(sites, [f, f + 1, f + 2], axis=1))
    features, probabilities, given, legal = parts

    @tf.function(jit_compile=True)  # type: ignore[untyped-decorator]
    def step(features: Any, probabilities: Any) -> Any:
        with tf.GradientTape() as tape:
            told = block.tell(given, legal)
            loss = 0.0
            for _ in range(block.iterations):
                features, probabilities, logits = block.iterate(
                    features, probabilities, told, legal
                )
                loss += tf.reduce_mean(tf.square(logits))
        return tape.gradient(loss, weights)

    seconds = _time(lambda: step(features, probabilities)[0].numpy(), rounds)
    return float(_BATCH * block.iterations / seconds)


def measure_running(n: int, rounds: int) -> float:
    """Return how many iterations of a puzzle the shipped network does in a second.

    Args:
        n: puzzles at a time.
        rounds: runs to measure.
    """
    network = load_grid_network(threads=1)
    state = _make_state(n, int(network.card["features"]))
    seconds = _time(lambda: network.run(state), rounds)
    return n * int(network.card["iterations_a_run"]) / seconds


def _make_state(n: int, features: int) -> Any:
    puzzles = generate_puzzles(n, seed=1).puzzles.reshape(-1, 81)
    return cube_state(puzzles, legal_candidates(puzzles), features, seed=0)


def _time(work: Callable[[], object], rounds: int) -> float:
    work()  # compiles
    seconds = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)


def _choose_one_thread() -> None:
    os.environ["KERAS_BACKEND"] = "tensorflow"
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)


if __name__ == "__main__":
    raise SystemExit(main())
