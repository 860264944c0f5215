"""Trainings of a step or two, without what it takes to compile a step."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def training_eagerly() -> Iterator[None]:
    """Let TensorFlow run each operation at once; it compiles a step for longer than it runs it.

    A test that trains twice compiles in one of the two, so that this is tried too.
    """
    import tensorflow as tf

    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(False)
