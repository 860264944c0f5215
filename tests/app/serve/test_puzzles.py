"""Corrections, hints, ratings and exports by HTTP, in the language of the phone."""

import json
from functools import cache
from typing import TYPE_CHECKING, Any, get_args
from uuid import UUID

import numpy as np
import pytest
from kind_puzzles import make_kind
from puzzles import DEEP, EASY, EASY_SOLUTION

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from fastapi.testclient import TestClient
from serve_rig import ask, make_phone

from app.help import help_words as texts
from app.help.help_words import words_of
from app.help.hints import Depth
from app.report.board_marks import Mark, NoteKind
from app.serve.api import puzzle_tasks as tasks_puzzle
from app.serve.api.schemas import DepthName, Language, MarkName, NoteName
from app.terminal.languages import LANGUAGES
from solver.formats import Format, parse_puzzle
from solver.formats_kinds import format_cells, format_kind_fields
from solver.grid import format_grid
from solver.human.technique_engine import GaveUpError
from solver.rules import Kind, samurai_rules

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline

JPEG = {"Content-Type": "image/jpeg"}


@pytest.fixture
def phone(pipeline: "Pipeline") -> TestClient:
    return make_phone(pipeline)


def put(cells: dict[int, int]) -> str:
    return "".join(str(cells.get(cell, ".")) for cell in range(81))


def digit(cell: int) -> int:
    return int(EASY_SOLUTION[cell])


@pytest.mark.parametrize(
    ("names", "ours"),
    [
        (Language, list(LANGUAGES)),
        (DepthName, [one.name.lower() for one in Depth]),
        (MarkName, [one.name.lower() for one in Mark]),
        (NoteName, [one.name.lower() for one in NoteKind]),
    ],
)
def test_the_description_has_the_names_that_are_used(names: Any, ours: list[str]) -> None:
    assert list(get_args(names)) == ours


def test_clues_are_solved_and_entries_held_against_the_solution(phone: TestClient) -> None:
    wrong = digit(3) % 9 + 1
    entries = put({2: digit(2), 3: wrong, 5: digit(5) % 9 + 1})

    told = ask(phone, "/api/puzzles", clues=EASY, entries=entries, unsure=[5, 2])

    assert told == {
        "outcome": "solved",
        "clues": EASY,
        "entries": entries,
        "solution": EASY_SOLUTION,
        "conflicts": [],
        "faults": [],
        "checked": {"right": [2], "wrong": [3], "unsure": [5]},
    }


def test_a_number_without_fraction_is_the_integer_that_json_takes_it_for(phone: TestClient) -> None:
    wrong = put({3: digit(3) % 9 + 1})

    told = ask(phone, "/api/puzzles", clues=EASY, entries=wrong, unsure=[3.0])

    assert told["checked"] == {"right": [], "wrong": [], "unsure": [3]}


def test_entries_on_clues_do_not_count(phone: TestClient) -> None:
    told = ask(phone, "/api/puzzles", clues=EASY, entries="9" * 81)

    assert all(one == "." for one, clue in zip(told["entries"], EASY, strict=True) if clue != ".")


@pytest.mark.parametrize(
    ("fields", "outcome", "conflicts"),
    [
        ({"clues": "55" + EASY[2:]}, "no_solution", {0, 1}),
        ({"clues": DEEP}, "no_solution", set()),
        ({"clues": "." * 81, "entries": EASY_SOLUTION}, "ambiguous", set()),
        ({"clues": EASY, "kind": "samurai"}, "gave_up", set()),
    ],
)
def test_no_solution_is_told_but_the_only_one(
    phone: TestClient, fields: dict[str, Any], outcome: str, conflicts: set[int]
) -> None:
    told = ask(phone, "/api/puzzles", **fields)

    assert (told["outcome"], told["solution"], told["checked"]) == (outcome, None, None)
    assert conflicts <= set(told["conflicts"])


DIAGONAL = "....37...1....4..842...8.65.8.6............27..6..2.........1..8.9.....26..1...8."
"""Has exactly one solution with both diagonals."""


def test_the_kind_that_would_leave_one_solution_is_told(phone: TestClient) -> None:
    classic = ask(phone, "/api/puzzles", clues=DIAGONAL)
    diagonal = ask(phone, "/api/puzzles", clues=DIAGONAL, kind="diagonal")

    assert classic["faults"] == [{"code": "other_kind", "kind": "diagonal"}]
    assert classic["solution"] is None
    assert (diagonal["outcome"], diagonal["faults"]) == ("solved", [])


@cache
def make_body(kind: Kind, **wishes: Any) -> dict[str, Any]:
    puzzle = make_kind(kind, **wishes, seed=26)
    fields = format_kind_fields(puzzle)
    return {name: fields[name] for name in ("clues", "kind", "regions", "cages")}


LARGE = {"side": 16, "clues": 150}


@pytest.mark.parametrize(
    ("kind", "wishes"), [(Kind.JIGSAW, {"clues": 30}), (Kind.KILLER, {}), (Kind.CLASSIC, LARGE)]
)
def test_every_kind_has_hints_that_hold(
    phone: TestClient, kind: Kind, wishes: dict[str, Any]
) -> None:
    body = make_body(kind, **wishes)
    solution = ask(phone, "/api/puzzles", **body)["solution"]

    told = ask(phone, "/api/hints", **body, depth="step")

    assert told["has_step"]
    signs = "123456789ABCDEFG"
    assert all(signs[digit - 1] == solution[int(cell)] for cell, digit in told["digits"].items())
    struck = [note for note in told["notes"] if note["kind"] == "removed"]
    assert all(signs[note["digit"] - 1] != solution[note["cell"]] for note in struck)
    assert told["digits"] or struck


def test_a_hint_tells_what_its_technique_is_once_that_is_named(phone: TestClient) -> None:
    body = {"clues": EASY, "language": "de"}

    first, *others = (
        ask(phone, "/api/hints", **body, depth=depth) for depth in ("look", "pattern", "step")
    )

    assert first["lesson"] is None
    for told in others:
        assert told["lesson"]["title"] in others[0]["text"]
        assert told["lesson"]["spot"].endswith(".")
    killer = ask(phone, "/api/hints", **make_body(Kind.KILLER), depth="step")
    assert killer["lesson"]["title"] == "cage combinations"


def test_a_hint_writes_digits_as_the_print_does(phone: TestClient) -> None:
    symbols = [str(digit) for digit in range(1, 17)]
    body = make_body(Kind.CLASSIC, **LARGE) | {"depth": "step", "symbols": symbols}
    for taken in range(30):
        told = ask(phone, "/api/hints", **body, steps_taken=taken)
        (digit,) = told["digits"].values()
        if digit > 9:
            break

    assert digit > 9
    assert f" {digit} " in told["text"]


def test_a_samurai_is_solved_checked_and_helped_as_a_whole(phone: TestClient) -> None:
    body = make_body(Kind.SAMURAI, n_grids=2, clues=60)

    solved = ask(phone, "/api/puzzles", **body)
    solution = solved["solution"]
    empty = [cell for cell, sign in enumerate(body["clues"]) if sign == "."]
    wrong, right = empty[0], empty[-1]
    entries = list("." * len(solution))
    entries[wrong], entries[right] = str(int(solution[wrong]) % 9 + 1), solution[right]
    checked = ask(phone, "/api/puzzles", **body, entries="".join(entries))["checked"]
    hint = ask(phone, "/api/hints", **body, depth="step")

    holes = [cell for cell, sign in enumerate(body["clues"]) if sign == "-"]
    assert [cell for cell, sign in enumerate(solution) if sign == "-"] == holes
    assert (checked["right"], checked["wrong"]) == ([right], [wrong])
    assert hint["has_step"]
    assert all(solution[int(cell)] == str(digit) for cell, digit in hint["digits"].items())


def test_a_samurai_goes_into_a_text_and_comes_back(phone: TestClient) -> None:
    body = make_body(Kind.SAMURAI, n_grids=2, clues=60)

    text = ask(phone, "/api/exports", **body, form="line")["text"]
    again = ask(phone, "/api/imports", text=text)

    assert (again["kind"], again["clues"]) == ("samurai", body["clues"])


@pytest.mark.parametrize(
    "fields",
    [
        {"clues": "." * 81},
        {"clues": DEEP, "steps_taken": 100},
        {"clues": EASY, "kind": "samurai"},
        {"clues": EASY, "kind": "jigsaw", "regions": "A" * 81},
    ],
    ids=["several", "none", "a grid alone", "no regions"],
)
def test_nothing_is_hinted_that_is_not_verified(phone: TestClient, fields: dict[str, Any]) -> None:
    told = ask(phone, "/api/hints", **fields, depth="step")

    assert told["text"].startswith("There is no hint")
    assert (told["marks"], told["notes"], told["digits"]) == ({}, [], {})
    assert not told["has_step"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"symbols": list("1234")},
        {"entries": "." * 36},
        {"cages": [[17, [0, 1]]]},
        {"regions": "".join("ABCDEFGHI"[cell // 9] for cell in range(81))},
    ],
    ids=["symbols", "entries", "cages without a killer", "regions without a jigsaw"],
)
def test_what_is_of_another_board_is_refused(phone: TestClient, wrong: dict[str, Any]) -> None:
    answer = phone.post("/api/hints", json={"clues": EASY, **wrong})

    assert answer.json()["code"] == "invalid"


def test_a_hint_goes_on_from_what_was_told_before(phone: TestClient) -> None:
    first = ask(phone, "/api/hints", clues=EASY, depth="step")
    second = ask(phone, "/api/hints", clues=EASY, depth="step", steps_taken=1)

    assert second["steps_taken"] == 1
    assert set(first["digits"]) < set(second["digits"])


def test_hints_speak_the_language_of_the_phone(phone: TestClient) -> None:
    texts = {
        language: ask(phone, "/api/hints", clues=EASY, depth="pattern", language=language)["text"]
        for language in LANGUAGES
    }

    assert texts["en"].startswith("Look at ")
    assert "Technik" in texts["de"]
    assert "technique" in texts["fr"].lower()
    assert len(set(texts.values())) == 3


def test_english_is_spoken_where_words_are_missing(caplog: pytest.LogCaptureFixture) -> None:
    words = words_of("tlh")

    assert words.say(texts.NO_ENTRIES) == texts.NO_ENTRIES
    assert "tlh cannot be spoken: its texts are missing" in caplog.text


def test_a_puzzle_is_rated(phone: TestClient) -> None:
    told = ask(phone, "/api/ratings", clues=EASY, language="de")

    assert told == {
        "text": "Leicht (1.2); schwerster Schritt: versteckter Einer im Block",
        "score": 1.2,
        "level": "easy",
    }


@pytest.mark.parametrize("clues", ["." * 81, "55" + EASY[2:], DEEP])
def test_what_has_not_one_solution_is_not_rated(phone: TestClient, clues: str) -> None:
    response = phone.post("/api/ratings", json={"clues": clues})

    assert (response.status_code, response.json()["code"]) == (422, "not_unique")


@pytest.mark.parametrize(
    ("path", "fields", "function"),
    [
        ("/api/ratings", {"clues": EASY}, "rate"),
        ("/api/hints", {"clues": EASY, "steps_taken": 3}, "find_hint"),
    ],
)
def test_what_takes_too_much_work_is_refused(
    phone: TestClient,
    path: str,
    fields: dict[str, Any],
    function: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def give_up(*_: Any) -> None:
        raise GaveUpError("3,000 searches")

    monkeypatch.setattr(tasks_puzzle, function, give_up)

    response = phone.post(path, json=fields)

    assert (response.status_code, response.json()["code"]) == (422, "too_hard")


@pytest.mark.parametrize("form", list(Format))
def test_a_puzzle_is_written_in_every_format(phone: TestClient, form: Format) -> None:
    told = ask(phone, "/api/exports", clues=EASY, form=form.value)

    assert told["suffix"].startswith(".")
    assert format_grid(parse_puzzle(told["text"])) == EASY


@pytest.mark.parametrize(
    ("form", "rules"),
    [
        ("line", {"kind": "jigsaw", "regions": "AAABACBBCCDBCDDD"}),
        ("fpuzzles", {"kind": "diagonal"}),
        ("sudokupad", {"kind": "killer", "cages": [[3, [0, 1]], [7, [2, 6]]]}),
    ],
)
def test_a_puzzle_of_a_kind_is_written_and_read_with_its_rules(
    phone: TestClient, form: str, rules: dict[str, Any]
) -> None:
    puzzle = {"clues": "1..............4", **rules}
    text = ask(phone, "/api/exports", form=form, **puzzle)["text"]

    told = ask(phone, "/api/imports", text=text)

    assert {name: value for name, value in told.items() if value is not None} == puzzle


def make_paper(*grids: tuple[int, int]) -> str:
    """Return an empty samurai as a text that is imported."""
    rules = samurai_rules(grids)
    empty = np.zeros((rules.width, rules.width), np.uint8)
    return json.dumps({"kind": "samurai", "clues": format_cells(rules, empty)})


SDK = {"clues": "." * 16, "form": "sdk"}
JIGSAW = {"clues": "." * 81, "form": "line", "kind": "jigsaw"}
HUGE = make_paper((0, 0), (6, 6), (12, 12), (18, 18))


@pytest.mark.parametrize(
    ("path", "fields", "lacking", "error"),
    [
        ("imports", {"text": "hello"}, "clues", "is no digit"),
        ("imports", {"text": "https://www.f-puzzles.com/?id=abc"}, "clues", "take the long link"),
        ("imports", {"text": '{"clues": "1...", "sandwich": 3}'}, "clues", "not known: sandwich"),
        ("imports", {"text": "." * 625}, "clues", "up to 16×16"),
        ("imports", {"text": make_paper((0, 0), (3, 3))}, "clues", "of 15×15 or 21×21 places"),
        ("imports", {"text": HUGE}, "clues", "samurais of 15×15 or 21×21 places"),
        ("exports", SDK, "text", "9×9 puzzles, not 4×4"),
        ("exports", SDK | {"kind": "diagonal"}, "text", "sdk holds classic puzzles of the usual"),
        ("exports", JIGSAW, "text", "a jigsaw has regions"),
    ],
)
def test_what_cannot_be_read_or_written_is_answered_by_the_reason(
    phone: TestClient, path: str, fields: dict[str, Any], lacking: str, error: str
) -> None:
    told = ask(phone, f"/api/{path}", **fields)

    assert told[lacking] is None
    assert error in told["error"]


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/api/imports", {}),
        ("/api/puzzles", {"clues": EASY[1:]}),
        ("/api/puzzles", {"clues": EASY, "entries": "." * 36}),
        ("/api/puzzles", {"clues": "7" + "." * 35}),
        ("/api/puzzles", {"clues": "." * 36, "unsure": [36]}),
        ("/api/puzzles", {"clues": EASY, "solution": EASY_SOLUTION}),
        ("/api/hints", {"clues": EASY, "language": "tlh"}),
        ("/api/hints", {"clues": EASY, "steps_taken": -1}),
        ("/api/puzzles", {"clues": EASY, "unsure": [True]}),
        ("/api/puzzles", {"clues": EASY, "unsure": ["5"]}),
        ("/api/puzzles", {"clues": EASY, "unsure": [5.5]}),
        ("/api/hints", {"clues": EASY, "steps_taken": True}),
    ],
)
def test_what_is_not_as_it_must_be_is_refused_without_telling_why_inside(
    phone: TestClient, path: str, fields: dict[str, Any]
) -> None:
    response = phone.post(path, json=fields)

    assert (response.status_code, response.json()["code"]) == (422, "invalid")
    assert response.headers["content-type"] == "application/problem+json"
    assert set(response.json()) == {"type", "title", "status", "detail", "code"}


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nowhere", 404, "not_found"),
        ("POST", f"/api/live?view={UUID(int=1)}&frame=1", 404, "not_found"),  # it is off
        ("DELETE", "/api/puzzles", 405, "wrong_method"),
    ],
)
def test_what_is_not_there_is_said_as_a_problem(
    phone: TestClient, method: str, path: str, status: int, code: str
) -> None:
    response = phone.request(method, path, content=b"\xff\xd8\xff", headers=JPEG)

    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/api/live", {"POST", "DELETE"}),
        ("POST", "/api/session", {"GET"}),
        ("POST", "/page/main.js", {"GET", "HEAD"}),
    ],
)
def test_who_asks_in_a_wrong_way_is_told_every_right_one(
    phone: TestClient, method: str, path: str, allowed: set[str]
) -> None:
    response = phone.request(method, path)

    assert response.status_code == 405
    assert set(response.headers["allow"].split(", ")) == allowed


def test_boxes_that_are_not_the_usual_ones_are_told_by_their_regions(phone: TestClient) -> None:
    regions = "AABBCCAABBCCAABBCC" + "DDEEFFDDEEFFDDEEFF"
    clues = "1..4.." + "." * 30

    by_regions = phone.post("/api/puzzles", json={"clues": clues, "regions": regions}).json()
    twice = phone.post(
        "/api/puzzles", json={"clues": "1....." + ".1...." + "." * 24, "regions": regions}
    ).json()

    assert by_regions["outcome"] == "ambiguous"
    assert twice["conflicts"] == [0, 7]
