"""Puzzles that the networks which solve grids learn from, and those that watch them learn.

None stands in a test file, in whatever disguise: all are compared by fingerprint. Hard ones are
bred from less hard ones by exchanging clues for others of the same solution. A generated puzzle
seldom asks for more than a few guesses, while the files known for hard puzzles hold those that
somebody searched for. Exchanging one clue, keeping what is harder, and so on, is how such files are
made: vicinity search, {-1+1} as the players' forum calls it. n puzzles.
"""

import gzip
import hashlib
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from models.grids import Digits
from solver.exact.bulk.bulk_solver import solve_batch
from solver.generation.generate import generate_puzzles
from solver.grid import parse_grid
from solver.symmetry import fingerprints
from training.shard_runs import save_shard

logger = logging.getLogger(__name__)

_EXCHANGES_PER_PUZZLE: Final = 10
"""Tried in a round. Of 200,000 from puzzles with five guesses and more, one in 22 left one
solution, and one in six of those asked for as many guesses."""

_FAMILY: Final = 10
"""Puzzles of one solution that are kept, the hardest."""

_TRIES_AT_ONCE: Final = 200_000
"""Which bounds the memory."""


def breed_hard_puzzles(
    puzzles: Digits, guesses: int, rounds: int, random: np.random.Generator
) -> Digits:
    """Return minimal puzzles, bred from others, for which the bulk engine guesses often.

    Args:
        puzzles: (n, 81) uint8, each with one solution, n > 0: where to begin.
        guesses: of the bulk engine, proof included, that each puzzle returned asks for.
        rounds: of exchanging clues.
        random: where the chance comes from.

    Returns:
        (m, 81) uint8, none twice, at most ten of one solution, and none of `puzzles`.

    Raises:
        ValueError: if there are no puzzles, or one has not one solution.
        MissingPackageError: where numba is not installed.
    """
    batch = solve_batch(puzzles, threads=1)
    if not len(puzzles) or not (batch.counts == 1).all():
        raise ValueError("vicinity search begins with puzzles that have one solution each")
    pool, solutions, hardness = puzzles, batch.solutions, batch.guesses
    for _ in range(rounds):
        grown = [(pool, solutions, hardness)]
        tries = _EXCHANGES_PER_PUZZLE * len(pool)
        for start in range(0, tries, _TRIES_AT_ONCE):
            # The harder of two, so that hard ones have more children, but all have some.
            parents = random.integers(0, len(pool), (2, min(_TRIES_AT_ONCE, tries - start)))
            chosen = np.where(hardness[parents[0]] >= hardness[parents[1]], *parents)
            children = _exchange(pool[chosen], solutions[chosen], random)
            batch = solve_batch(children, threads=1)
            # What is easier than all that is wanted, by much, is not worth a place.
            is_kept = (batch.counts == 1) & (2 * batch.guesses >= guesses)
            children = drop_redundant_clues(children[is_kept], random)
            batch = solve_batch(children, threads=1)
            grown.append((children, batch.solutions, batch.guesses))
        pool, solutions, hardness = map(np.concatenate, zip(*grown, strict=True))
        kept = _prune(pool, solutions, hardness)
        pool, solutions, hardness = pool[kept], solutions[kept], hardness[kept]
    given = {bytes(puzzle) for puzzle in puzzles}
    is_bred = np.array([bytes(puzzle) not in given for puzzle in pool])
    return np.asarray(pool[is_bred & (hardness >= guesses)])


def drop_redundant_clues(puzzles: Digits, random: np.random.Generator) -> Digits:
    """Return the puzzles without clues that follow from the others; what stays is minimal.

    Args:
        puzzles: (n, 81) uint8, each with one solution.
        random: chooses which goes, where several could.
    """
    puzzles = puzzles.copy()
    # In an order of its own for each puzzle; once needed, a clue stays needed when others go.
    order = np.where(puzzles > 0, random.random(puzzles.shape), 2.0).argsort(axis=1)
    for cells in order.T:
        rows = np.flatnonzero(puzzles[np.arange(len(puzzles)), cells])
        without = puzzles[rows]
        without[np.arange(len(rows)), cells[rows]] = 0
        is_redundant = solve_batch(without, threads=1).counts == 1
        puzzles[rows[is_redundant]] = without[is_redundant]
    return puzzles


def _exchange(puzzles: Digits, solutions: Digits, random: np.random.Generator) -> Digits:
    """Take a clue from each puzzle and show another cell of its solution."""
    chances = random.random(puzzles.shape, np.float32)
    taken = np.where(puzzles > 0, chances, 2).argmin(axis=1)
    shown = np.where(puzzles == 0, chances, 2).argmin(axis=1)
    rows = np.arange(len(puzzles))
    exchanged = puzzles.copy()
    exchanged[rows, taken] = 0
    exchanged[rows, shown] = solutions[rows, shown]
    return exchanged


def _prune(
    puzzles: Digits, solutions: Digits, hardness: npt.NDArray[np.int64]
) -> npt.NDArray[np.intp]:
    """Return which puzzles to keep: none twice, and of each solution the hardest."""
    _, first = np.unique(puzzles, axis=0, return_index=True)
    _, family = np.unique(solutions[first], axis=0, return_inverse=True)
    family = family.reshape(-1)
    order = np.lexsort((-hardness[first], family))
    starts = np.flatnonzero(np.diff(family[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    return np.asarray(first[order[rank < _FAMILY]])


KINDS: Final = ("minimal", "tricky", "clues17", "hardest", "tough", "bred")
"""`minimal`: generated, no clue can go. `tricky` and `tough`: such for which the bulk engine has to
guess, and to guess often. `clues17` and `hardest`: the two files for training. `bred`: harder ones
still, bred from the tough ones and the hardest by exchanging clues."""

_FILES: Final = {"clues17": "clues17.txt.gz", "hardest": "hardest_1905_se11.txt.gz"}

_TRICKY_GUESSES: Final = 2
"""Guesses of the bulk engine, proof included, from which on a puzzle counts as tricky: one in
four minimal puzzles."""

_TOUGH_GUESSES: Final = 5
"""From which on a puzzle counts as tough: one in twenty minimal puzzles, so that six times as many
are generated for them. The files known for hard puzzles ask for as many and more: half of top1465
for nine, most minimal puzzles for none."""

_BRED_GUESSES: Final = 12
"""From which on a puzzle counts as bred hard: one in 300 minimal puzzles, and more than a
third of top1465."""

_BREEDING_ROUNDS: Final = {"tough": 12, "hardest": 5}
"""After which there are some 75,000 of them, of 205,000 tough ones, and 61,719 of the file's."""

_ROUND: Final = 200_000
"""Puzzles generated at a time."""

_SEED: Final = 0

_HELD_OUT: Final = 500
"""Puzzles of each kind that are kept from training, to watch it by; a quarter of a few."""

_CACHE_VERSION: Final = 4


@dataclass(frozen=True, eq=False)
class Puzzles:
    """Puzzles with their solutions.

    Attributes:
        clues: (n, 81) uint8, 0 = empty.
        solutions: (n, 81) uint8.
        allowed: (n, 81, 9) bool: digits not struck from a cell, the solution's among them; None
            where nothing is struck.
    """

    clues: Digits
    solutions: Digits
    allowed: npt.NDArray[np.bool_] | None = None

    def __getitem__(self, chosen: Any) -> "Puzzles":
        """Return some of them, in which nothing is struck."""
        return Puzzles(self.clues[chosen], self.solutions[chosen])


@dataclass(frozen=True, eq=False)
class PuzzlePools:
    """What there is to learn from, by kind, and what is held out."""

    train: dict[str, Puzzles]
    watch: dict[str, Puzzles]


@dataclass(frozen=True)
class Mix:
    """How puzzles are drawn.

    Attributes:
        shares: by kind; they need not sum to 1.
        revealed: share of the puzzles of each kind of which some empty cells are filled in. A few
            cells make of a puzzle that is too hard one from which something can be learnt.
        reveal_most: the largest share of empty cells so filled; small shares are likelier.
        struck: share of the puzzles of which some wrong candidates are struck, as a solver that
            reasons beside the network does.
        strike_most: the largest share of wrong candidates so struck.
    """

    shares: tuple[float, ...]
    revealed: tuple[float, ...] = (0.4, 0.4, 0.4, 0.7, 0.4, 0.5)
    reveal_most: float = 0.6
    struck: float = 0.25
    strike_most: float = 0.6


def load_pools(data: Path, cache: Path, n_generated: int = 600_000) -> PuzzlePools:
    """Return the puzzles, made at the first call and kept in a file for the next.

    Args:
        data: the folder of puzzles, with test files in it and `train/` below.
        cache: file that is written and read, `.npz`; made anew where test files have changed.
        n_generated: minimal puzzles to make; six times as many more are made to find tough ones.

    Raises:
        FileNotFoundError: if there is no such folder.
    """
    tests = load_test_fingerprints(data)
    digest = hashlib.sha256(repr(sorted(tests)).encode()).hexdigest()
    stamp = f"{_CACHE_VERSION} {n_generated} {_SEED} {digest}"
    if cache.is_file():
        with np.load(cache) as stored:
            if str(stored["stamp"]) == stamp:
                return _split({kind: Puzzles(*stored[kind]) for kind in KINDS}, _SEED)
    pools = _make(data, n_generated, _SEED, tests)
    cache.parent.mkdir(parents=True, exist_ok=True)
    arrays = {kind: np.stack([one.clues, one.solutions]) for kind, one in pools.items()}
    save_shard(cache, arrays | {"stamp": np.array(stamp)})
    return _split(pools, _SEED)


def draw_puzzles(
    pools: dict[str, Puzzles], mix: Mix, count: int, random: np.random.Generator
) -> Puzzles:
    """Draw puzzles at random, some with a part of their solution filled in, or candidates struck.

    Args:
        pools: by kind, all of `KINDS`.
        mix: how.
        count: how many.
        random: where the chance comes from.
    """
    shares = np.asarray(mix.shares) / sum(mix.shares)
    kinds = random.choice(len(KINDS), count, p=shares)
    clues, solutions = draw_of_kinds(pools, kinds, random)
    share = random.random((count, 1)) ** 2 * mix.reveal_most
    share *= random.random((count, 1)) < np.array(mix.revealed)[kinds][:, None]
    is_shown = (clues == 0) & (random.random((count, 81)) < share)
    share = random.random((count, 1, 1)) * mix.strike_most
    share *= random.random((count, 1, 1)) < mix.struck
    is_right = solutions[:, :, None] == np.arange(1, 10, dtype=np.uint8)
    allowed = is_right | (random.random((count, 81, 9)) >= share)
    return Puzzles(np.where(is_shown, solutions, clues), solutions, allowed)


def draw_of_kinds(
    pools: dict[str, Puzzles], kinds: npt.NDArray[np.int64], random: np.random.Generator
) -> tuple[Digits, Digits]:
    """Return clues and solutions, (n, 81) each, of puzzles of n kinds, numbers in `KINDS`."""
    clues = np.empty((len(kinds), 81), np.uint8)
    solutions = np.empty((len(kinds), 81), np.uint8)
    for number, kind in enumerate(KINDS):
        places = np.flatnonzero(kinds == number)
        chosen = random.integers(0, len(pools[kind].clues), len(places))
        clues[places] = pools[kind].clues[chosen]
        solutions[places] = pools[kind].solutions[chosen]
    return clues, solutions


def load_test_fingerprints(data: Path) -> set[int]:
    """Return the fingerprints of all puzzles in the test files of a folder.

    Raises:
        FileNotFoundError: if there is no such folder.
    """
    if not data.is_dir():
        raise FileNotFoundError(f"no folder of puzzles at {data}; say where with --puzzles")
    found: set[int] = set()
    for path in sorted([*data.glob("*.csv"), *data.glob("*.txt")]):
        found.update(fingerprints(_read(path.read_text(encoding="utf-8"))).tolist())
    return found


def _make(data: Path, n_generated: int, seed: int, tests: set[int]) -> dict[str, Puzzles]:
    made = generate_puzzles(n_generated, seed=seed)
    minimal = made.puzzles.reshape(-1, 81)
    tricky = minimal[solve_batch(minimal).guesses >= _TRICKY_GUESSES]
    clues = {"minimal": minimal, "tricky": tricky, "tough": _find_tough(6 * n_generated, seed)}
    for kind, name in _FILES.items():
        with gzip.open(data / "train" / name, "rt", encoding="utf-8") as file:
            clues[kind] = _read(file.read())
    random = np.random.default_rng(seed)
    bred = (
        breed_hard_puzzles(clues[kind], _BRED_GUESSES, rounds, random)
        for kind, rounds in _BREEDING_ROUNDS.items()
    )
    clues["bred"] = np.concatenate(list(bred))
    return {kind: _solve(kind, _exclude(kind, found, tests)) for kind, found in clues.items()}


def _find_tough(n_generated: int, seed: int) -> Digits:
    found = []
    for start in range(0, n_generated, _ROUND):
        count = min(_ROUND, n_generated - start)
        # Rounds of other runs have seeds of their own, and the first 2³² are enough for those.
        made = generate_puzzles(count, seed=(seed + 1) * 2**32 + start)
        puzzles = made.puzzles.reshape(-1, 81)
        found.append(puzzles[solve_batch(puzzles).guesses >= _TOUGH_GUESSES])
    return np.concatenate(found)


def _read(text: str) -> Digits:
    lines = [line.split(",")[0].strip() for line in text.splitlines()]
    grids = [parse_grid(line) for line in lines if len(line) == 81 and line[0] in ".0123456789"]
    return np.array(grids, np.uint8).reshape(-1, 81)


def _exclude(kind: str, puzzles: Digits, tests: set[int]) -> Digits:
    is_new = np.array([one not in tests for one in fingerprints(puzzles).tolist()], np.bool_)
    logger.info("%s: %d puzzles, %d stand in test files", kind, len(puzzles), (~is_new).sum())
    return np.asarray(puzzles[is_new])


def _solve(kind: str, puzzles: Digits) -> Puzzles:
    batch = solve_batch(puzzles)
    if not (batch.counts == 1).all():
        raise ValueError(f"{(batch.counts != 1).sum()} {kind} puzzles have not one solution")
    return Puzzles(puzzles, batch.solutions)


def _split(pools: dict[str, Puzzles], seed: int) -> PuzzlePools:
    """Hold some of each kind out; what is tricky and held out is not in `minimal` either."""
    random = np.random.default_rng(seed)
    train, watch = {}, {}
    held: set[bytes] = set()
    for kind in ("tricky", "minimal", "clues17", "hardest", "tough"):
        puzzles = pools[kind]
        order = random.permutation(len(puzzles.clues))
        n_out = min(_HELD_OUT, len(order) // 4)
        kept, out = order[n_out:], order[:n_out]
        if kind == "minimal":
            kept = kept[[bytes(puzzles.clues[i]) not in held for i in kept]]
        watch[kind], train[kind] = puzzles[out], puzzles[kept]
        held.update(map(bytes, watch[kind].clues))
    # A minimal puzzle that is held out may be tricky as well.
    free = np.array([bytes(clues) not in held for clues in train["tricky"].clues])
    train["tricky"] = train["tricky"][free]
    others = [watch[kind].solutions for kind in _BREEDING_ROUNDS]
    train["bred"], watch["bred"] = _split_bred(pools["bred"], np.concatenate(others), random)
    return PuzzlePools(train, watch)


def _split_bred(
    bred: Puzzles, others: Digits, random: np.random.Generator
) -> tuple[Puzzles, Puzzles]:
    """Hold some out with all their relatives, which share their solution.

    Args:
        bred: all of them.
        others: (n, 81) solutions held out, whose puzzles are not to be learnt from either.
        random: where the chance comes from.

    Returns:
        Those to learn from, and those held out: one of each solution held out.
    """
    family = np.array([bytes(solution) for solution in bred.solutions])
    families, first = np.unique(family, return_index=True)
    out = random.permutation(first)[: min(_HELD_OUT, len(families) // 4)]
    hidden = {*family[out], *map(bytes, others)}
    kept = [number for number, solution in enumerate(family) if solution not in hidden]
    return bred[kept], bred[out]
