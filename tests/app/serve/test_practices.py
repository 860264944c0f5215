"""New puzzles, lessons and practice by HTTP."""

from typing import TYPE_CHECKING, Any, get_args

import pytest
from puzzles import EASY, EASY_SOLUTION

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from fastapi.testclient import TestClient
from serve_rig import ask, make_phone

from app.help.technique_lessons import LESSONS, next_technique
from app.serve.api.problems import Problem, ProblemError
from app.serve.api.puzzle_tasks import find_position, make_new
from app.serve.api.schemas import CreationWish, LevelName, PositionWish
from solver.exact.bitmask import count_solutions
from solver.formats_kinds import KindPuzzle, parse_kind_puzzle, read_cells
from solver.grid import check_solution, parse_grid
from solver.human.position import Technique
from solver.human.walk import Level, rate
from solver.rules import Cage, Kind, check_rules, killer_rules

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline


@pytest.fixture
def phone(pipeline: "Pipeline") -> TestClient:
    return make_phone(pipeline)


def read(made: dict[str, Any]) -> KindPuzzle:
    """Return a puzzle as it was answered."""
    kind = Kind(made["kind"])
    if kind is not Kind.KILLER:
        return parse_kind_puzzle(made["clues"], kind, made["regions"])
    cages = (Cage(total, tuple(cells)) for total, cells in made["cages"])
    rules = killer_rules(cages, made["side"])
    return KindPuzzle(rules, read_cells(made["clues"], rules))


def test_the_description_has_the_names_that_are_used() -> None:
    assert list(get_args(LevelName)) == [level.value for level in Level]


@pytest.mark.parametrize(
    ("kind", "side"), [("classic", 16), ("jigsaw", 9), ("killer", 6), ("samurai", 9)]
)
def test_a_new_puzzle_of_any_kind_has_the_one_solution_that_comes_with_it(
    phone: TestClient, kind: str, side: int
) -> None:
    made = ask(phone, "/api/creations", kind=kind, side=side, grids=2)

    puzzle = read(made)
    assert (made["kind"], made["side"]) == (kind, side)
    assert count_solutions(puzzle.clues, 2, puzzle.rules) == 1
    solution = read_cells(made["solution"], puzzle.rules)
    assert not check_rules(puzzle.rules, puzzle.clues, solution)


def test_a_classic_puzzle_is_as_hard_as_is_wished(phone: TestClient) -> None:
    made = ask(phone, "/api/creations", level="medium")

    assert rate(parse_grid(made["clues"])).level is Level.MEDIUM


@pytest.mark.parametrize(
    "wish",
    [
        {"kind": "killer", "side": 16},
        {"kind": "classic", "side": 7},
        {"kind": "jigsaw", "level": "easy"},
        {"kind": "samurai", "grids": 6},
        {"level": "devilish"},
    ],
)
def test_what_no_puzzle_can_be_is_refused(phone: TestClient, wish: dict[str, Any]) -> None:
    answer = phone.post("/api/creations", json=wish)

    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid"


def test_a_puzzle_that_is_not_made_in_time_is_given_up(pipeline: "Pipeline") -> None:
    with pytest.raises(ProblemError) as refused:
        make_new(pipeline, CreationWish(kind="jigsaw"), seconds=0)

    assert refused.value.problem is Problem.TOO_HARD


def test_lessons_are_listed_and_shown_on_an_example(phone: TestClient) -> None:
    told = ask(phone, "/api/lessons", technique="x_wing", language="de")

    names = [one["technique"] for one in told["names"]]
    assert names == [technique.name.lower() for technique in LESSONS]
    assert told["lesson"]["technique"] == "x_wing"
    assert not told["is_at_hand"]
    assert told["text"]
    assert told["marks"]


def test_a_lesson_is_shown_on_the_puzzle_at_hand_where_it_is_there(phone: TestClient) -> None:
    entries = "." * 2 + EASY_SOLUTION[2] + "." * 78

    told = ask(
        phone,
        "/api/lessons",
        technique="hidden_single_box",
        puzzle={"clues": EASY, "entries": entries},
    )

    assert told["is_at_hand"]
    assert told["clues"] == EASY[:2] + EASY_SOLUTION[2] + EASY[3:]


def test_practice_needs_the_technique_next(phone: TestClient) -> None:
    found = ask(phone, "/api/practices", technique="naked_single")

    position = parse_kind_puzzle(found["clues"])
    assert next_technique(position) is Technique.NAKED_SINGLE
    assert not check_solution(position.clues, parse_grid(found["solution"]))


def test_a_lesson_on_cages_is_shown_and_practised_on_a_killer(phone: TestClient) -> None:
    told = ask(phone, "/api/lessons", technique="cage_combinations")
    found = ask(phone, "/api/practices", technique="cage_combinations")

    killer = read(found)
    assert (told["kind"], found["kind"]) == ("killer", "killer")
    assert told["cages"]
    solution = read_cells(found["solution"], killer.rules)
    assert not check_rules(killer.rules, killer.clues, solution)


def test_a_hint_goes_on_from_notes_that_are_right(pipeline: "Pipeline") -> None:
    phone = make_phone(pipeline)
    found = find_position(pipeline, PositionWish(technique="jellyfish"), seconds=0)

    body = {"clues": found["clues"], "notes": found["notes"], "depth": "pattern"}
    hint = ask(phone, "/api/hints", **body)
    other = phone.post("/api/hints", json={**body, "notes": [2, 4]})

    assert hint["lesson"]["technique"] == "jellyfish"
    assert other.json()["code"] == "invalid"


@pytest.mark.parametrize("path", ["/api/lessons", "/api/practices"])
def test_a_technique_without_a_lesson_is_refused(phone: TestClient, path: str) -> None:
    answer = phone.post(path, json={"technique": "nishio"})

    assert answer.json()["code"] == "invalid"
