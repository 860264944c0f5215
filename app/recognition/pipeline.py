"""The pipeline from a photo to verified solutions; any stage can also be entered by hand."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Final

import numpy as np
import numpy.typing as npt

from app.recognition.detection_loop import PhotoRecognizer
from app.recognition.kinds.killer_board import KillerReader
from app.recognition.kinds.lookalikes import LookalikeSight
from app.recognition.kinds.other_sides import SIDES, OtherSides
from app.recognition.kinds.puzzle_kind import TellRules, choose_rules
from app.recognition.kinds.samurai import SamuraiSearch, find_cells
from app.recognition.outcome import Outcome
from app.recognition.pencil_marks import CandidateNotes
from app.recognition.photo_looks import PhotoLooks
from app.recognition.pipeline_options import PipelineOptions
from app.recognition.readers import RareReaders, SecondReaders, load_readers, read_no_scripts
from app.recognition.reading import BoardReader, BoardReading, Fuse
from app.recognition.results import BoardResult, PhotoResult, shows_puzzle
from app.recognition.timing import StageClock
from models.board_detector import BoardDetector
from models.digits import Reader
from models.engine import EngineError
from models.lookalike_reader import Lookalike
from solver.base import Result, Solver, Status
from solver.decoding.decode import withdraw_claim
from solver.exact.bitmask import BitmaskSolver
from solver.grid import Grid
from solver.registry import DEFAULT_SOLVER, load_solver
from solver.rules import CLASSIC_RULES, Rules, admit_grid, box_rules
from solver.verification import conclude
from vision.board import CLASSIC_SIDE, lattice_from_corners
from vision.finder.detect import BoardFinder
from vision.finder.refine import lies_between
from vision.finder.views import NETWORK_LOOKS, Look
from vision.geometry import Image8, Points
from vision.kinds.samurai_grids import hide_places
from vision.quality import has_cells_outside, measure_quality

logger = logging.getLogger(__name__)

_LEAST_CONFIDENCE: Final = 0.8
"""Of a claim. Of 400 right ones on photos, real and of level 5, none had less than 0.86, in heavy
noise one had 0.51; of the wrong ones that were met one had 0.75, and one of 51 on lattices that
began wrong 0.63 (one-off)."""

_NETWORK: Final = "network-guided"


class Pipeline:
    """The whole pipeline, with its networks and its solver loaded once.

    One instance must not be used by two threads at the same time. An `image` is (H, W, 3) BGR
    uint8, upright; a `lattice` is (n + 1, n + 1, 2) float32 in its pixels; to a `clock` the seconds
    of the stages are added.
    """

    def __init__(
        self,
        reader: Reader,
        solver: Solver,
        options: PipelineOptions,
        exact: Solver | None = None,
        seconds: SecondReaders | None = None,
    ) -> None:
        """Put the pipeline together.

        Args:
            reader: of the digits.
            solver: tries first.
            options: how the pipeline works.
            exact: tries what the first does not decide, or cannot as its network is missing;
                then the first is held to `network_limits`.
            seconds: read the digits, too.

        Raises:
            models.engine.EngineError: if the detector cannot be loaded.
        """
        self._detector = BoardDetector.load(options.engine)
        # Another reader knows digits alone, and a given kind leaves nothing to tell.
        self._tells_sides = tells_killers = options.kind == "auto" and options.reader == "network"
        rare = RareReaders(options.engine)
        self._make_reader = partial(
            BoardReader,
            reader,
            augments=options.reader == "network",
            retry_unfinished=options.retry_unfinished,
            seconds=seconds,
            symbols=rare.read_symbols,
            scripts=rare.read_scripts if options.reader == "network" else read_no_scripts,
        )
        self._reader = self._make_reader(
            options.decode_limits,
            tell_rules=choose_rules(options.kind),
            killers=KillerReader(options.engine) if tells_killers else None,
        )
        self._notes = CandidateNotes(options.engine) if options.reader == "network" else None
        self._lookalikes = LookalikeSight(options.engine)
        self._options = options
        limits = options.solve_limits if exact is None else options.network_limits
        self._exact = exact
        self._attempts = [(solver, limits)]
        if exact is not None:
            self._attempts.append((exact, options.exact_limits))

    @classmethod
    def load(cls, options: PipelineOptions | None = None) -> "Pipeline":
        """Load the networks and the solver.

        Raises:
            models.engine.EngineError: if weights of the detector or of the digit network, or the
                engine's package, are missing.
            ValueError: if there is no such solver.
        """
        options = options or PipelineOptions()
        reader, seconds = load_readers(options.reader, options.engine, options.weights)
        if options.solver is not None:
            return cls(reader, load_solver(options.solver), options, seconds=seconds)
        exact = load_solver(DEFAULT_SOLVER)
        return cls(reader, load_solver(_NETWORK), options, exact, seconds)

    def solve_photo(self, image: Image8, clock: StageClock | None = None) -> PhotoResult:
        """Find, read and solve the boards of a photo."""
        clock = clock or StageClock()
        result = self._recognize(image, clock)
        boards = tuple(self._add_notes(board, image, clock) for board in result.boards)
        result = replace(result, boards=boards, seconds=clock.seconds())
        if not self._tells_sides or result.outcome is Outcome.SOLVED:
            return result
        has_digits = any(map(_may_be_sudoku, result.boards))
        with clock.stage("find"):
            name = self._lookalikes.name(image, has_digits=has_digits)
        if name is None:
            return replace(result, seconds=clock.seconds())
        seconds, candidates = clock.seconds(), result.candidates
        return PhotoResult(Outcome.NO_BOARD, (), candidates, seconds, lookalike=name)

    def _add_notes(self, board: BoardResult, image: Image8, clock: StageClock) -> BoardResult:
        if self._notes is None:
            return board
        with clock.stage("read"):
            return self._notes.add_to(board, image)

    def _recognize(self, image: Image8, clock: StageClock) -> PhotoResult:
        return self._make_recognizer(image, clock, self.open_finder(image)).recognize(image)

    def _make_recognizer(
        self, image: Image8, clock: StageClock, finder: BoardFinder
    ) -> PhotoRecognizer:
        looks = self._look_at(image, clock)
        return PhotoRecognizer(
            looks,
            self._options,
            clock,
            finder,
            cache(partial(self._choose_looks, image, finder)),
            self._choose_samurai_search(image, clock),
            OtherSides(finder, looks, clock) if self._tells_sides else None,
        )

    def _look_at(self, image: Image8, clock: StageClock) -> PhotoLooks:
        return PhotoLooks(self._reader, self.solve_reading, image, clock)

    def _choose_samurai_search(self, image: Image8, clock: StageClock) -> SamuraiSearch | None:
        """Return what looks for samurais in a photo, or None if another kind is asked for."""
        if self._options.kind != "auto":
            return None
        return SamuraiSearch(self._make_samurai_reader, self.solve_reading, image, clock)

    def _make_samurai_reader(self, tell_rules: TellRules) -> BoardReader:
        return self._make_reader(self._options.decode_limits, tell_rules=tell_rules)

    def _choose_looks(self, image: Image8, finder: BoardFinder) -> Sequence[Look]:
        """Return how to look for boards that are not clear at first sight; none without any.

        Two networks may say so: one sees no board anywhere, or another surely names what else the
        photo shows. A small jigsaw looks like a Suguru, so that its regions must tell.
        """
        if not self._tells_sides:
            return NETWORK_LOOKS
        name = self._lookalikes.name(image, has_digits=True)
        if name is not None and name is not Lookalike.SUGURU:
            return ()
        return finder.choose_looks()

    def find_samurai(
        self, image: Image8, grids: Sequence[Points], clock: StageClock | None = None
    ) -> BoardResult | None:
        """Return what came of the samurai that one of the grids belongs to, None where none does.

        Args:
            grids: (10, 10, 2) float32 each.
        """
        samurais = self._choose_samurai_search(image, clock or StageClock())
        if samurais is None:
            return None
        return next(filter(None, map(samurais.find, grids)), None)

    def find_other_sides(self, image: Image8, finder: BoardFinder) -> Sequence[BoardResult]:
        """Return the boards of other sides than 9 that one look shows, solved or not.

        Args:
            finder: of the same picture, as `open_finder` returns it.
        """
        if not self._tells_sides:
            return ()
        clock = StageClock()
        others = OtherSides(finder, self._look_at(image, clock), clock)
        others.look([Look.WHOLE])
        return others.boards

    def open_finder(self, image: Image8) -> BoardFinder:
        """Return the detector's finder of a photo."""
        return BoardFinder(image, self._detector)

    def solve_corners(
        self, image: Image8, corners: Points, clock: StageClock | None = None
    ) -> BoardResult:
        """Read and solve the board between four corners given by hand.

        It is taken for one of side 9, unless its lines tell another side; and for a flat one,
        unless its digits can only be told where its lines run.

        Args:
            corners: (4, 2) float, points (x, y), clockwise from any corner.
        """
        clock = clock or StageClock()
        finder = self.open_finder(image)
        if self._tells_sides:
            with clock.stage("find"):
                found = finder.count_between(corners, SIDES)
            if found is not None and len(found.lattice) - 1 != CLASSIC_SIDE:
                board = self.solve_lattice(image, found.lattice, clock)
                if board.is_told:
                    return board
        board = self.solve_lattice(image, lattice_from_corners(corners), clock)
        if board.outcome is not Outcome.UNREADABLE:
            return board
        with clock.stage("find"):
            place = finder.snap_between(corners)
            if place is None or place.score < self._options.min_score:
                return board
            bent = self._make_recognizer(image, clock, finder).read(place)
        is_there = bent.outcome is Outcome.SOLVED and lies_between(bent.corners, corners)
        return self._add_notes(bent, image, clock) if is_there else board

    def solve_lattice(
        self, image: Image8, lattice: Points, clock: StageClock | None = None
    ) -> BoardResult:
        """Read and solve the board on a lattice, whichever way it is turned."""
        clock = clock or StageClock()
        reading = self.read_lattice(image, lattice, clock)
        board = self.solve_reading(reading, (image.shape[1], image.shape[0]), clock)
        return self._add_notes(board, image, clock)

    def solve_samurai(
        self, image: Image8, lattice: Points, rules: Rules, clock: StageClock | None = None
    ) -> BoardResult:
        """Read and solve a samurai on a lattice given by hand, whose grids are known.

        Args:
            lattice: (width + 1, width + 1, 2) float32, the puzzle's top left first.
            rules: of the samurai.
        """
        clock = clock or StageClock()
        reading = self.read_upright(image, lattice, lambda seen: seen, clock, samurai=rules)
        return self.solve_reading(reading, (image.shape[1], image.shape[0]), clock)

    def read_lattice(
        self, image: Image8, lattice: Points, clock: StageClock | None = None
    ) -> BoardReading:
        """Read the board on a lattice, whichever way it is turned, and decode it."""
        return self._reader.read(image, lattice, clock or StageClock())

    def glance_lattice(self, image: Image8, lattice: Points) -> BoardReading:
        """Read the board on a lattice as it shows at first sight."""
        return self._reader.glance(image, lattice, StageClock())

    def read_upright(
        self,
        image: Image8,
        lattice: Points,
        fuse: Fuse,
        clock: StageClock | None = None,
        samurai: Rules | None = None,
    ) -> BoardReading:
        """Read a board that is known to lie upright, together with what was seen of it before.

        Args:
            lattice: (n + 1, n + 1, 2) float32, the puzzle's top left first.
            fuse: takes what is seen now, (n², 19) float32, and returns what is to be decoded.
            samurai: the rules, if it is one; other boards show theirs.
        """
        reader = self._reader
        if samurai is not None:
            image = hide_places(image, lattice, ~find_cells(samurai))
            reader = self._make_samurai_reader(lambda _: samurai)
        return reader.read_upright(image, lattice, fuse, clock or StageClock())

    def solve_reading(
        self, reading: BoardReading, size: tuple[int, int], clock: StageClock | None = None
    ) -> BoardResult:
        """Solve a board as it was read.

        Args:
            reading: from `read_lattice` or `read_upright`.
            size: width and height of the photo in pixels.
        """
        clock = clock or StageClock()
        rules = reading.traits.rules or box_rules(len(reading.lattice) - 1)
        is_cell = find_cells(rules)
        decoding = reading.decoding
        is_half_sure = decoding.solution is not None and decoding.confidence < _LEAST_CONFIDENCE
        # A cell that is not in the picture is not empty: what was read is not the puzzle.
        if is_half_sure or has_cells_outside(size, reading.lattice, is_cell):
            decoding = withdraw_claim(decoding)
            reading = replace(reading, decoding=decoding)
        outcome, solution, solver = Outcome(decoding.outcome.value), None, None
        if outcome is Outcome.SOLVED:
            result, solver = self._solve(decoding.clues, clock, rules)
            outcome, solution = Outcome.of(result.status), result.solution
        quality = None
        if outcome is not Outcome.SOLVED:
            quality = measure_quality(size, reading.lattice, reading.cells, is_cell)
        return BoardResult(
            outcome=outcome,
            lattice=reading.lattice,
            clues=decoding.clues,
            entries=reading.entries,
            solution=solution,
            confidence=decoding.confidence,
            corrected=decoding.corrected,
            solver=solver,
            reading=reading,
            rules=rules,
            quality=quality,
        )

    def solve_clues(
        self,
        clues: npt.NDArray[np.integer],
        lattice: Points,
        clock: StageClock | None = None,
        rules: Rules | None = None,
    ) -> BoardResult:
        """Solve clues given by hand, such as a reading that the user has corrected.

        Args:
            clues: (n, n) integers 0..n.
            lattice: (n + 1, n + 1, 2) float32, where the board lies, the puzzle's top left first.
            rules: of the puzzle; None for those of its side with the usual boxes.

        Raises:
            ValueError: if the clues are no grid.
        """
        clock = clock or StageClock()
        rules = rules or box_rules(len(clues))
        grid = admit_grid(rules, clues)
        result, solver = self._solve(grid, clock, rules)
        return BoardResult(
            outcome=Outcome.of(result.status),
            lattice=lattice,
            clues=grid,
            entries=np.zeros_like(grid),
            solution=result.solution,
            confidence=1.0,
            corrected=(),
            solver=solver,
            reading=None,
            rules=rules,
        )

    def _solve(self, clues: Grid, clock: StageClock, rules: Rules) -> tuple[Result, str]:
        """Return the result of the first solver that decides the puzzle, and its name."""
        if rules != CLASSIC_RULES:
            # Only exact solvers know other rules than the classic ones.
            knowing = BitmaskSolver()
            with clock.stage("solve"):
                return knowing.solve(clues, self._options.exact_limits, rules), knowing.name
        with clock.stage("solve"):
            for solver, limits in list(self._attempts):
                try:
                    result = solver.solve(clues, limits)
                except EngineError as error:
                    if len(self._attempts) == 1:
                        raise
                    logger.warning("%s cannot be used, so another solves: %s", solver.name, error)
                    self._attempts.remove((solver, limits))
                    continue
                if result.solution is not None and solver is not self._exact:
                    # Whatever the solver is: checked and proved to be the only one once more here.
                    # The exact solver is the one that proves, and would say the same again.
                    proposals = (result.solution,)
                    result = conclude(clues, proposals, result.effort, is_exhaustive=False)
                logger.debug("%s: %s after %s", solver.name, result.status.value, result.effort)
                if result.status is not Status.GAVE_UP:
                    break
        return result, solver.name


def _may_be_sudoku(board: BoardResult) -> bool:
    """Tell whether the digits on a board are as many and as different as those of one solution.

    Two digits that no clue shows could be exchanged. A Suguru's digits go up to five.
    """
    if not shows_puzzle(board) or board.rules.cages:
        return shows_puzzle(board)
    return len(np.unique(board.clues[board.clues > 0])) >= board.rules.side - 1
