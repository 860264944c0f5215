"""Reads one frame of a live picture: the slow half of the live view, made to run on a worker.

Readings of the same board in several frames are added up, so that a digit that is doubtful in one
of them is told by the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

import numpy as np
import numpy.typing as npt

from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.recognition.pipeline_options import PipelineOptions
from app.recognition.reading import BoardReading
from app.recognition.results import BoardResult, keep_distinct
from solver.decoding.decode import DecodeLimits
from solver.decoding.print_and_hand import merge_print_and_handwriting
from solver.grid import parse_grid
from solver.rules import Kind, Rules, box_rules
from vision.board import lattice_from_corners
from vision.drawing.overlay import is_dark_board
from vision.finder.line_pieces import build_pyramid
from vision.finder.snap import CONVINCING, BoardCandidate, snap_lattice
from vision.finder.views import Look
from vision.geometry import Float32, Image8, Points
from vision.kinds.samurai_grids import may_be_grid

_CANDIDATES: Final = 4
"""Places of a frame that are read until one is solved."""

_LEAST_SCORE: Final = 0.5
"""The finder's score of what counts as a board although it is not solved."""

LIVE_PIPELINE: Final = PipelineOptions(decode_limits=DecodeLimits(nodes=40), retry_unfinished=False)
"""How the pipeline works on frames: what takes long to make out is clearer in the next one."""

_FLOOR: Final = 1e-4
"""Probabilities are raised to this before they are added up: no reader is as sure as it says."""

_MOST_LOOKS: Final = 16
"""Looks after which earlier ones begin to be forgotten."""

Puzzle = tuple[bytes, Rules]
"""The bytes of its clues, and its rules; a killer has no clues at all."""

_PUZZLE: Final = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
"""One that singles do not solve, so that the network is asked (Inkala 2012)."""

_SURE: Final = 0.9
"""Probability from which a look and the earlier ones can contradict each other in a cell."""

_MAY_DIFFER: Final = 2
"""Cells in which two looks at one board may contradict each other, as where someone writes."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was seen of a board so far.

    Attributes:
        log_sum: (n², 19) float32, sums of the logarithms of the reader's probabilities; of a side
            beyond 9 (n², n + 1).
        looks: how many are in it.
    """

    log_sum: Float32
    looks: int

    @classmethod
    def of(cls, probabilities: Float32) -> "Evidence":
        """Return the evidence of one look."""
        return cls(np.log(np.maximum(probabilities, _FLOOR)), 1)

    def join(self, probabilities: Float32) -> "Evidence":
        """Return the evidence with one look more."""
        kept = min(self.looks, _MOST_LOOKS - 1)
        log_sum = self.log_sum * np.float32(kept / self.looks)
        return Evidence(log_sum + np.log(np.maximum(probabilities, _FLOOR)), kept + 1)

    def probabilities(self) -> Float32:
        """Return (n², 19) float32, or (n², n + 1); rows sum to 1.

        Frames that follow each other share their light and their blur, and so their mistakes: the
        sum is divided by the root of their number, as if so many looks were worth that many.
        """
        logits = self.log_sum / np.sqrt(np.float32(self.looks))
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)


@dataclass(frozen=True, eq=False)
class LiveRequest:
    """A frame that is to be recognised.

    Attributes:
        frame: (H, W, 3) BGR uint8 or (H, W) grey.
        lattice: (n + 1, n + 1, 2) float32, where the board lies, upright; None to look for it.
        evidence: what was seen of that board so far.
        samurai: the rules, if that board is one.
        is_wide: look for samurais and boards of other sides, too, and again at what is unclear.
    """

    number: int
    frame: Image8
    lattice: Points | None = None
    evidence: Evidence | None = None
    samurai: Rules | None = None
    known: Mapping[Puzzle, BoardResult] = field(default_factory=dict)
    is_wide: bool = True


@dataclass(frozen=True, eq=False)
class LiveAnswer:
    """What came of a request.

    Attributes:
        request: that was answered.
        result: the board, its lattice in pixels of the request's frame; None where no board was
            found, or none on the request's lattice.
        evidence: with this look added, or of this look alone where it shows another board.
        contradicted: cells in which this look is sure of another digit than the earlier ones.
        lattice: the request's, (n + 1, n + 1, 2) float32, snapped to the lines of its frame once
            more; None where that did not succeed.
        seen: (n²,) uint8, the likeliest digits of this look alone, 0 where it sees none; None where
            it was not at the request's lattice.
    """

    request: LiveRequest
    result: BoardResult | None
    evidence: Evidence | None
    contradicted: tuple[int, ...] = ()
    lattice: Points | None = None
    seen: npt.NDArray[np.uint8] | None = None

    @property
    def is_same(self) -> bool:
        """Whether the look bears out the request's evidence."""
        return self.request.evidence is not None and len(self.contradicted) <= _MAY_DIFFER

    def has_moved_clues(self, solved: BoardResult) -> bool:
        """Tell whether clues are gone, and elsewhere digits stand that its solution does not have.

        A hand hides clues, too, but writes none.
        """
        if self.seen is None or solved.solution is None:
            return False
        clues, solution = solved.clues.ravel(), solved.solution.ravel()
        is_other = any(
            clues[cell] == 0 and self.seen[cell] != solution[cell] for cell in self.contradicted
        )
        return is_other and bool((self.seen[clues > 0] == 0).any())


def recognise(pipeline: Pipeline, request: LiveRequest) -> LiveAnswer:
    """Read and solve the board of a frame; the pipeline is used by one thread at a time."""
    image = request.frame
    if image.ndim == 2:
        image = np.repeat(image[:, :, None], 3, axis=2)
    if request.lattice is None or request.evidence is None:
        return _search(pipeline, image, request)
    earlier = request.evidence
    joined = earlier
    contradicted: tuple[int, ...] = ()
    seen: npt.NDArray[np.uint8] | None = None

    def fuse(probabilities: Float32) -> Float32:
        nonlocal joined, contradicted, seen
        seen = merge_print_and_handwriting(probabilities).argmax(axis=1).astype(np.uint8)
        contradicted = find_contradictions(earlier.probabilities(), probabilities)
        is_same = len(contradicted) <= _MAY_DIFFER
        joined = earlier.join(probabilities) if is_same else Evidence.of(probabilities)
        return joined.probabilities()

    reading = pipeline.read_upright(image, request.lattice, fuse, samurai=request.samurai)
    result = _solve(pipeline, reading, image, request)
    refined = _refine(image, request.lattice)
    return LiveAnswer(request, result, joined, contradicted, refined, seen)


def load_live_pipeline() -> Pipeline:
    """Load what reads frames, and let it do its first work.

    Raises:
        models.engine.EngineError: if the networks cannot be run.
    """
    pipeline = Pipeline.load(LIVE_PIPELINE)
    warm_up(pipeline)
    return pipeline


def warm_up(pipeline: Pipeline) -> None:
    """Let the networks do their first work, which takes longer, before the first frame comes."""
    blank = np.full((320, 320, 3), 255, np.uint8)
    lattice = lattice_from_corners(np.array([[16, 16], [304, 16], [304, 304], [16, 304]], "f4"))
    pipeline.solve_lattice(blank, lattice)
    pipeline.solve_clues(parse_grid(_PUZZLE), lattice)


def find_contradictions(first: Float32, second: Float32) -> tuple[int, ...]:
    """Return the cells in which two readings (n², 19) are sure of a different digit.

    A digit that the second does not see contradicts nothing: a hand lies on it, or it has left the
    picture.
    """
    one, other = merge_print_and_handwriting(first), merge_print_and_handwriting(second)
    is_sure = (one.max(axis=1) >= _SURE) & (other.max(axis=1) >= _SURE)
    seen = other.argmax(axis=1)
    differs = is_sure & (seen != 0) & (one.argmax(axis=1) != seen)
    return tuple(np.flatnonzero(differs).tolist())


def _search(pipeline: Pipeline, image: Image8, request: LiveRequest) -> LiveAnswer:
    finder = pipeline.open_finder(image)
    clear = list(finder.find_clear(Look.WHOLE))
    results = _read_places(pipeline, image, request, clear[:1])
    seen = [] if clear else list(islice(finder.find(Look.LINES), _CANDIDATES))
    # Nine lines are clear in several places of a larger board.
    is_wide = request.is_wide or len(clear) > 1
    if _is_solved(results):
        # A grid of a samurai may have one solution by itself.
        classic = [board.lattice for board in results if board.kind is Kind.CLASSIC]
        grids = [lattice for lattice in classic if may_be_grid(image, lattice)]
    else:
        grids = [place.lattice for place in clear] if is_wide else []
    samurai = pipeline.find_samurai(image, grids) if grids else None
    if samurai is not None:
        results = [samurai]
    elif not _is_solved(results):
        if is_wide:
            results += pipeline.find_other_sides(image, finder)
        if not _is_solved(results):
            results += _read_places(pipeline, image, request, [*clear[1:], *seen])
    boards = keep_distinct(sorted(results, key=lambda result: result.outcome.rank))
    best = boards[0] if boards else None
    if best is None or best.reading is None:
        return LiveAnswer(request, None, None)
    return LiveAnswer(request, best, Evidence.of(best.reading.probabilities))


def _read_places(
    pipeline: Pipeline, image: Image8, request: LiveRequest, candidates: Sequence[BoardCandidate]
) -> list[BoardResult]:
    """Return the first board that is solved, or all that look like boards."""
    results = []
    for candidate in candidates:
        # Where the camera moves, the next frame shows more than another look at this one.
        read = pipeline.read_lattice if request.is_wide else pipeline.glance_lattice
        reading = read(image, candidate.lattice)
        result = _solve(pipeline, reading, image, request)
        if result.outcome is Outcome.SOLVED:
            return [result]
        if candidate.score >= _LEAST_SCORE:
            results.append(result)
    return results


def _is_solved(results: Sequence[BoardResult]) -> bool:
    return any(result.outcome is Outcome.SOLVED for result in results)


def _refine(image: Image8, lattice: Points) -> Points | None:
    """Return the lattice snapped to the lines once more, or None where they are not clear."""
    fit = snap_lattice(build_pyramid(image), lattice, is_dark_board(image, lattice))
    return None if fit is None or fit.score < CONVINCING else fit.lattice


def _solve(
    pipeline: Pipeline, reading: BoardReading, image: Image8, request: LiveRequest
) -> BoardResult:
    """Solve a reading, or take the solution from where its clues were solved before."""
    rules = reading.traits.rules or box_rules(len(reading.lattice) - 1)
    known = request.known.get((reading.decoding.clues.tobytes(), rules))
    if known is None or reading.decoding.outcome.value != Outcome.SOLVED.value:
        return pipeline.solve_reading(reading, (image.shape[1], image.shape[0]))
    return replace(
        known,
        lattice=reading.lattice,
        entries=reading.entries,
        confidence=reading.decoding.confidence,
        corrected=reading.decoding.corrected,
        reading=reading,
    )
