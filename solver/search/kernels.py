"""The random numbers of the searches' kernels, the same with numba and without.

They come from the 48-bit congruential generator of POSIX's `drand48`: products wrap around at 64
bits or grow beyond, and the lower 48 bits are the same. So a seed leads to the same result either
way.
"""

from typing import Final

import numpy as np

MULTIPLIER: Final = 0x5DEECE66D
INCREMENT: Final = 0xB
MASK: Final = (1 << 48) - 1
"""A step of the generator: state = (state × MULTIPLIER + INCREMENT) & MASK.

Kernels write the step out, as a call costs more in Python than the step: the upper 32 bits,
state >> 16, are the number drawn, and (state >> 16) × n >> 32 is one of 0..n-1.
"""


def start_random(seed: int) -> int:
    """Return the generator's first state; seeds that lie close lead to states that do not."""
    words = np.random.SeedSequence(seed).generate_state(2)
    return (int(words[0]) << 16) ^ int(words[1]) & MASK
