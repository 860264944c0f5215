"""Killers from the photo to the report: told by their cages, in any turn, or not claimed."""

import json
from pathlib import Path

import numpy as np
import pytest
from command_rig import RunCommand

from app.recognition.kinds.killer_board import KillerLook, KillerReader, decode_killer
from app.recognition.outcome import Outcome
from app.recognition.pipeline import Pipeline
from app.report.report_pictures import draw_solutions
from app.serve.api.puzzle_tasks import PuzzleTask, solve_puzzle
from models.engine import EngineError
from solver.decoding.cages import CageDecoding
from solver.decoding.decode import DecodeLimits, DecodeOutcome
from solver.grid import format_grid
from solver.rules import Kind
from training.rendered.kind_photos import KindPhoto, render_kind_photo
from training.rendered.photographed_decoys import draw_kenken
from vision.board import cut_cells, rectify, turn_lattice
from vision.media.images import load_image, save_image

pytestmark = pytest.mark.slow  # networks read photos

SEED = 1


@pytest.fixture(scope="module")
def shown() -> KindPhoto:
    return render_kind_photo(Kind.KILLER, 2, SEED)


def see_nothing() -> np.ndarray:
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
    assert board.rules is not None
    assert board.rules.cages == shown.puzzle.rules.cages
    assert board.solution is not None
    assert shown.puzzle.solution is not None
    assert np.array_equal(board.solution, shown.puzzle.solution)


def test_the_report_names_sums_and_cells(
    shown: KindPhoto, sudoku_lens: RunCommand, tmp_path: Path
) -> None:
    save_image(tmp_path / "page.png", shown.photo)

    done = sudoku_lens("solve", "--json", str(tmp_path / "page.png"))
    (board,) = json.loads(done.stdout)["boards"]

    assert board["kind"] == "killer"
    cages = [[cage.total, list(cage.cells)] for cage in shown.puzzle.rules.cages]
    assert board["cages"] == cages


def test_a_terminal_shows_the_cages(
    shown: KindPhoto, sudoku_lens: RunCommand, tmp_path: Path
) -> None:
    save_image(tmp_path / "page.png", shown.photo)

    done = sudoku_lens("solve", str(tmp_path / "page.png"))

    assert f"killer, no clues and {len(shown.puzzle.rules.cages)} cages" in done.stdout


def test_the_solution_leaves_the_sums_visible(pipeline: Pipeline, shown: KindPhoto) -> None:
    result = pipeline.solve_photo(shown.photo)

    drawn = draw_solutions(shown.photo, result)

    assert drawn is not None
    before, after = (cut_cells(rectify(one, shown.lattice)) for one in (shown.photo, drawn))
    changed = np.abs(before.astype(int) - after).max(axis=0) > 40
    assert changed[16:28, 12:24].any()
    assert not changed[:11, :11].any()


def test_classic_boards_and_kenkens_are_no_killers(pipeline: Pipeline) -> None:
    killers = KillerReader()
    corners = np.indices((10, 10))[::-1].transpose(1, 2, 0).astype(np.float32)
    picture = draw_kenken(np.random.default_rng(0), 450)
    lattice = np.asarray(corners * (450 - 16) / 9 + 8, np.float32)
    sample = load_image(Path(__file__).resolve().parents[2] / "samples" / "newspaper.jpg")
    (classic,) = pipeline.solve_photo(sample).boards

    assert killers.read(picture, lattice, cut_cells(rectify(picture, lattice))) is None
    assert classic.kind is Kind.CLASSIC


def test_without_its_network_no_killer_is_told(
    shown: KindPhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(kind: str) -> None:
        raise EngineError("no weights")

    monkeypatch.setattr("models.cage_reader.CageReader.load", load)
    cells = cut_cells(rectify(shown.photo, shown.lattice))

    assert KillerReader().read(shown.photo, shown.lattice, cells) is None


def test_cages_that_are_doubtful_claim_nothing() -> None:
    look = KillerLook(0, np.zeros(81, np.bool_), CageDecoding(doubtful=(0, 5)))

    filled = decode_killer(look, see_nothing(), DecodeLimits())

    assert filled.decoding.outcome is DecodeOutcome.UNREADABLE
    assert look.rules.kind is Kind.KILLER


def test_a_sure_killer_with_several_solutions_is_ambiguous(shown: KindPhoto) -> None:
    cages = shown.puzzle.rules.cages
    look = KillerLook(0, np.zeros(81, np.bool_), CageDecoding(cages[8:], 1.0))

    filled = decode_killer(look, see_nothing(), DecodeLimits())

    assert filled.decoding.outcome is DecodeOutcome.AMBIGUOUS


def test_what_looks_only_a_little_like_a_digit_is_no_entry(shown: KindPhoto) -> None:
    look = KillerLook(0, np.zeros(81, np.bool_), CageDecoding(shown.puzzle.rules.cages, 1.0))
    probabilities = see_nothing()
    for cell, share in ((3, 0.5), (4, 0.98)):
        probabilities[cell] = 0
        probabilities[cell, [0, 9 + 7]] = 1 - share, share  # a 7 by hand

    filled = decode_killer(look, probabilities, DecodeLimits())

    assert filled.decoding.outcome is DecodeOutcome.SOLVED
    assert np.flatnonzero(filled.entries).tolist() == [4]


def test_a_turned_lattice_is_set_upright(shown: KindPhoto) -> None:
    lattice = turn_lattice(shown.lattice, 1)

    look = KillerReader().read(shown.photo, lattice, cut_cells(rectify(shown.photo, lattice)))

    assert look is not None
    assert look.turn == 3


def test_a_corrected_killer_is_solved_by_its_cages(pipeline: Pipeline, shown: KindPhoto) -> None:
    cages = tuple((cage.total, cage.cells) for cage in shown.puzzle.rules.cages)

    answer = solve_puzzle(pipeline, PuzzleTask("." * 81, "." * 81, (), "killer", None, cages))

    assert shown.puzzle.solution is not None
    assert answer["solution"] == format_grid(shown.puzzle.solution)
