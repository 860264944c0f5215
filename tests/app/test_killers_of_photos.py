"""Killers from the photo to the report: told by their cages, in any turn, or not claimed."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from command_rig import RunCommand
from kind_puzzles import kind_photo, make_kind
from present import present

from app.recognition.kinds.killer_board import KillerLook, KillerReader, decode_killer
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.recognition.readers import CellReaders, Seen
from app.report.photo_report import format_summary
from app.report.report_pictures import draw_solutions
from models.engine import EngineError
from solver.decoding.cages import CageCover, CageDecoding
from solver.decoding.decode import DecodeLimits, DecodeOutcome
from solver.decoding.handwriting import FilledDecoding
from solver.formats_kinds import KindPuzzle
from solver.rules import Cage, Kind
from training.boards.train_cages import draw_cage_papers
from training.pages.printed_board import KindLook, print_board
from training.pages.shape import draw_grid, draw_shape
from training.rendered.filled_board import BoardLook
from training.rendered.kind_photos import KindPhoto, shape_of
from training.rendered.photographed_decoys import draw_kenken
from vision.board import cut_cells, rectify, turn_lattice
from vision.media.images import save_image

pytestmark = pytest.mark.slow  # networks read photos
SEED = 1


@pytest.fixture(scope="module")
def shown() -> KindPhoto:
    return kind_photo(Kind.KILLER, 2, SEED)


@pytest.fixture(scope="module")
def cages(shown: KindPhoto) -> tuple[Cage, ...]:
    return shown.puzzle.rules.cages


@pytest.fixture(scope="module")
def misread(cages: tuple[Cage, ...]) -> Cage:
    """The first cage, with a sum that is one too low."""
    return replace(cages[0], total=cages[0].total - 1)


def see_nothing() -> npt.NDArray[np.float32]:
    probabilities = np.zeros((81, 19), np.float32)
    probabilities[:, 0] = 1
    return probabilities


@pytest.mark.parametrize("turn", range(4))
def test_a_killer_is_solved_by_its_cages_whichever_way_it_lies(
    pipeline: Pipeline, shown: KindPhoto, turn: int
) -> None:
    photo = np.ascontiguousarray(np.rot90(shown.photo, turn))

    (board,) = pipeline.solve_photo(photo).boards

    assert board.outcome is Outcome.SOLVED
    assert present(board.rules).cages == shown.puzzle.rules.cages
    assert np.array_equal(present(board.solution), present(shown.puzzle.solution))


@pytest.mark.parametrize("side", [6, 8])
def test_a_killer_of_another_side_is_solved_where_its_boxes_show(
    pipeline: Pipeline, side: int
) -> None:
    puzzle = make_kind(Kind.KILLER, side, seed=SEED)
    shape, blank = shape_of(puzzle), np.zeros((side, side), np.uint8)
    sums = [cage.total for cage in puzzle.rules.cages]
    look = KindLook(BoardLook(), has_even_sums=True)
    boxed = print_board(shape, blank, sums, 600, look)
    unboxed = print_board(replace(shape, regions=blank), blank, sums, 600, look)

    (board,) = pipeline.solve_photo(boxed.image).boards

    assert present(board.rules).cages == puzzle.rules.cages
    assert np.array_equal(present(board.solution), present(puzzle.solution))
    told = pipeline.solve_photo(unboxed.image).boards
    assert all(one.solution is None for one in told)


def test_the_report_names_sums_and_cells(
    shown: KindPhoto, sudoku_lens: RunCommand, tmp_path: Path
) -> None:
    save_image(tmp_path / "page.png", shown.photo)

    done = sudoku_lens("solve", "--json", str(tmp_path / "page.png"))
    (board,) = json.loads(done.stdout)["boards"]

    assert board["kind"] == "killer"
    assert board["cages"] == [[cage.total, list(cage.cells)] for cage in shown.puzzle.rules.cages]


def test_a_summary_counts_the_cages_and_the_solution_leaves_their_sums_visible(
    pipeline: Pipeline, shown: KindPhoto
) -> None:
    result = pipeline.solve_photo(shown.photo)
    told = format_summary("page.png", result, is_terminal=False)
    assert f"killer, no clues and {len(shown.puzzle.rules.cages)} cages" in told

    drawn = present(draw_solutions(shown.photo, result))

    before, after = (cut_cells(rectify(one, shown.lattice)) for one in (shown.photo, drawn))
    changed = np.abs(before.astype(int) - after).max(axis=0) > 40
    assert changed[16:28, 12:24].any()
    assert not changed[:11, :11].any()


def draw_cages(
    puzzle: KindPuzzle, look: KindLook, n_left: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Return a picture and its lattice; the first cages are left out."""
    shape = shape_of(puzzle)
    shape = replace(shape, cages=shape.cages[n_left:])
    sums = [cage.total for cage in puzzle.rules.cages][n_left:]
    printed = print_board(shape, np.zeros((9, 9), np.uint8), sums, 600, look)
    return printed.image, printed.lattices[0]


@pytest.mark.parametrize(
    ("lines", "n_left"),
    [
        ({"cage_inset": 0.03}, 0),
        ({"cage_dash": 0.0}, 0),
        ({"cage_dash": 0.0}, 3),
        ({"cage_colour": (200, 60, 30)}, 0),
        ({"cage_colour": (200, 60, 30)}, 3),
    ],
)
def test_cages_of_other_styles_are_read_also_where_cells_lie_in_none(
    shown: KindPhoto, lines: dict[str, Any], n_left: int
) -> None:
    look = KindLook(BoardLook(), has_even_sums=True, **lines)
    picture, lattice = draw_cages(shown.puzzle, look, n_left)

    seen = present(KillerReader().read(picture, lattice))

    assert seen.cages.cages == shown.puzzle.rules.cages[n_left:]


@pytest.mark.parametrize(("turn", "n_left"), [(0, 3), (1, 0), (2, 3), (3, 0)])
def test_cages_that_colours_alone_tell_are_read_whichever_way_they_lie(
    shown: KindPhoto, turn: int, n_left: int
) -> None:
    papers = draw_cage_papers(np.random.default_rng(2), is_dark=False)
    look = KindLook(BoardLook(), cage_papers=papers, cage_width=0, has_even_sums=True)
    picture, lattice = draw_cages(shown.puzzle, look, n_left)
    lattice = turn_lattice(lattice, turn)

    seen = present(KillerReader().read(picture, lattice))

    assert seen.turn == -turn % 4
    assert seen.cages.cages == shown.puzzle.rules.cages[n_left:]


def test_coloured_regions_without_sums_are_no_killer() -> None:
    rng = np.random.default_rng(0)
    shape = draw_shape("jigsaw", 9, rng)
    look = KindLook(BoardLook(), region_colours=draw_cage_papers(rng, is_dark=False))
    clues = np.where(rng.random((9, 9)) < 0.3, draw_grid(shape, rng), 0).astype(np.uint8)
    printed = print_board(shape, clues, (), 600, look)

    assert KillerReader().read(printed.image, printed.lattices[0]) is None


def test_a_dim_corner_of_shaded_diagonals_is_no_cage_of_a_killer() -> None:
    dim = kind_photo(Kind.DIAGONAL, 4, 913006)

    assert KillerReader().read(dim.photo, dim.lattice) is None


def test_a_kenken_is_no_killer() -> None:
    corners = np.indices((10, 10))[::-1].transpose(1, 2, 0).astype(np.float32)
    picture = draw_kenken(np.random.default_rng(0), 450)
    lattice = np.asarray(corners * (450 - 16) / 9 + 8, np.float32)

    assert KillerReader().read(picture, lattice) is None


def test_without_its_network_no_killer_is_told(
    shown: KindPhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(kind: str) -> None:
        raise EngineError("no weights")

    monkeypatch.setattr("models.cage_reader.CageReader.load", load)

    assert KillerReader().read(shown.photo, shown.lattice) is None


def decode(
    cages: CageDecoding, probabilities: npt.NDArray[np.float32] | None = None
) -> tuple[FilledDecoding, KillerLook]:
    """Decode a killer that lies upright and has no clues; unless told, every cell is empty."""
    look = KillerLook(0, np.zeros(81, np.bool_), cages)
    seen = see_nothing() if probabilities is None else probabilities
    return decode_killer(look, seen, DecodeLimits())


ROWS = tuple(Cage(45, tuple(range(first, first + 9))) for first in range(0, 81, 9))


@pytest.mark.parametrize(
    ("cages", "outcome"),
    [
        (CageDecoding(doubtful=(0, 5)), DecodeOutcome.UNREADABLE),
        (CageDecoding(ROWS, 1.0), DecodeOutcome.AMBIGUOUS),
    ],
)
def test_doubtful_cages_claim_nothing_and_sure_ones_that_they_have_several_solutions(
    cages: CageDecoding, outcome: DecodeOutcome
) -> None:
    filled, told = decode(cages)

    assert filled.decoding.outcome is outcome
    assert told.rules.kind is Kind.KILLER


def test_a_killer_is_not_called_ambiguous_where_a_cage_may_be_overlooked(
    cages: tuple[Cage, ...],
) -> None:
    filled, _ = decode(CageDecoding(cages[8:], 1.0))

    assert filled.decoding.outcome is DecodeOutcome.UNREADABLE


def doubt(cages: Sequence[Cage], other: Cage, loss: float = 0.0) -> CageCover:
    """Return cages that are sure, but of which a reader took one for another sum."""
    losses = np.full((len(cages), 46), np.inf)
    losses[np.arange(len(cages)), [cage.total for cage in cages]] = 0
    at = [cage.cells for cage in cages].index(other.cells)
    losses[at, [cages[at].total, other.total]] = 1, 0
    return CageCover(loss, tuple(cage.cells for cage in cages), losses, np.zeros(len(cages)))


def test_doubtful_cages_are_told_by_what_alone_has_a_solution(
    shown: KindPhoto, cages: tuple[Cage, ...], misread: Cage
) -> None:
    (one, other), rest = cages[:2], cages[2:]
    joined = Cage(one.total, tuple(sorted((*one.cells, *other.cells))))
    covers = doubt((joined, *rest), joined), doubt(cages, misread, 1.0)

    filled, told = decode(CageDecoding(doubtful=(0,), covers=covers))
    withheld, _ = decode(CageDecoding(doubtful=(0,), covers=covers[:1]))

    assert filled.decoding.outcome is DecodeOutcome.SOLVED
    assert np.array_equal(present(filled.decoding.solution), present(shown.puzzle.solution))
    assert told.rules.cages == cages
    assert filled.decoding.corrected == (cages[0].cells[0],)
    assert withheld.decoding.outcome is DecodeOutcome.UNREADABLE
    assert withheld.decoding.corrected == ()


def test_cages_that_are_told_but_have_no_solution_are_settled(
    cages: tuple[Cage, ...], misread: Cage
) -> None:
    seen = CageDecoding((misread, *cages[1:]), 0.99, covers=(doubt(cages, misread),))

    filled, told = decode(seen)

    assert filled.decoding.outcome is DecodeOutcome.SOLVED
    assert told.rules.cages == cages


def test_what_looks_only_a_little_like_a_digit_is_no_entry(shown: KindPhoto) -> None:
    probabilities = see_nothing()
    for cell, share in ((3, 0.5), (4, 0.98)):
        probabilities[cell] = 0
        probabilities[cell, [0, 9 + 7]] = 1 - share, share  # a 7 by hand

    filled, _ = decode(CageDecoding(shown.puzzle.rules.cages, 1.0), probabilities)

    assert filled.decoding.outcome is DecodeOutcome.SOLVED
    assert np.flatnonzero(filled.entries).tolist() == [4]


@pytest.mark.parametrize("kind", [7, 9 + 7])
def test_a_digit_that_a_small_killer_does_not_have_stands_in_none_of_its_cells(kind: int) -> None:
    puzzle = make_kind(Kind.KILLER, seed=1, side=6)
    probabilities = np.zeros((36, 19), np.float32)
    probabilities[:, 0] = 1
    probabilities[4, [0, kind]] = 0.01, 0.99
    look = KillerLook(0, np.zeros(36, np.bool_), CageDecoding(puzzle.rules.cages, 1.0))

    filled, _ = decode_killer(look, probabilities, DecodeLimits())

    assert not filled.entries.any()
    assert filled.decoding.clues.max() == 0


def test_what_lines_leave_in_cells_is_not_taken_for_digits_of_another_script(
    pipeline: Pipeline, shown: KindPhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown = Seen(see_nothing(), is_told=False)
    monkeypatch.setattr(CellReaders, "_ask_scripts", lambda *_: unknown)

    assert pipeline.solve_lattice(shown.photo, shown.lattice).outcome is Outcome.SOLVED


def test_a_turned_lattice_is_set_upright(shown: KindPhoto) -> None:
    lattice = turn_lattice(shown.lattice, 1)

    look = present(KillerReader().read(shown.photo, lattice))

    assert look.turn == 3
