"""`sudoku-lens puzzle` and `generate` with rules beyond the classic ones."""

import json
import re
import shlex
from pathlib import Path
from typing import Any, get_args

import pytest
from command_rig import RunCommand
from kind_puzzles import make_kind
from puzzles import EASY, EASY_SOLUTION

from app.cli.command_options import KindName
from solver.formats_kinds import format_kind_fields, parse_kind_puzzle
from solver.rules import Kind, check_rules

REGIONS = "AABBAABBCCDDCCDD"
LINK = "https://www.sudokuwiki.org/sudoku.htm?bd="
CAGES = "[[3, [0, 1]], [7, [2, 3]], [7, [4, 5]]]"


def test_the_kinds_that_can_be_typed_are_those_that_there_are() -> None:
    assert list(get_args(KindName)) == [kind.value for kind in Kind]


@pytest.mark.parametrize(
    "wish",
    [
        ("--kind", "jigsaw", "--side", "6"),
        ("--kind", "diagonal", "--clues", "30"),
        ("--kind", "windoku", "--clues", "30"),
        ("--kind", "killer"),
        ("--kind", "samurai", "--grids", "2", "--clues", "80"),
        ("--side", "6", "--box", "3x2"),
        ("--size", "8", "--clues", "40"),
    ],
)
def test_what_is_generated_is_solved_from_stdin(
    sudoku_lens: RunCommand, wish: tuple[str, ...]
) -> None:
    generated = sudoku_lens("generate", *wish, "--count", "2", "--seed", "1")

    done = sudoku_lens("puzzle", "-", stdin=generated.stdout)

    lines = generated.stdout.splitlines()
    assert len(lines) == 2
    assert done.stdout.splitlines() == [json.loads(line)["solution"] for line in lines]
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.parametrize(("kind", "form"), [("jigsaw", "fpuzzles"), ("killer", "sudokupad")])
def test_links_of_a_kind_are_solved(sudoku_lens: RunCommand, kind: str, form: str) -> None:
    wish = ("generate", "--kind", kind, "--side", "6", "--count", "2", "--seed", "1")
    solutions = [json.loads(line)["solution"] for line in sudoku_lens(*wish).stdout.splitlines()]
    links = sudoku_lens(*wish, "--format", form).stdout

    from_file = sudoku_lens("puzzle", "-", stdin=f"{'.' * 81}\n{links}")
    typed = sudoku_lens("puzzle", links.splitlines()[0], "--json")
    as_text = sudoku_lens("puzzle", "-", "--format", "line", stdin=links)
    again = sudoku_lens("puzzle", "-", "--format", form, stdin=as_text.stdout)

    assert from_file.stdout.splitlines()[1:] == solutions
    assert json.loads(typed.stdout)["kind"] == kind
    assert json.loads(typed.stdout)["solution"] == solutions[0]
    assert again.stdout == links


def test_a_kind_that_a_format_does_not_have_is_refused(sudoku_lens: RunCommand) -> None:
    killer = json.dumps({"kind": "killer", "clues": "." * 16, "cages": [[3, [0, 1]]]})

    done = sudoku_lens("puzzle", killer, "--format", "sdk")

    assert done.stdout == ""
    assert (
        "sdk holds classic puzzles of the usual sides, not a killer of side 4; take" in done.stderr
    )
    assert done.returncode == 3


def test_json_tells_the_rules_and_a_solution_that_obeys_them(sudoku_lens: RunCommand) -> None:
    text = sudoku_lens("generate", "--kind", "killer", "--side", "6", "--seed", "1").stdout

    done = sudoku_lens("puzzle", text, "--json")

    told = json.loads(done.stdout)
    puzzle = parse_kind_puzzle(text)
    solution = parse_kind_puzzle(text.replace(told["clues"], told["solution"])).clues
    assert (told["outcome"], told["kind"], told["side"]) == ("solved", "killer", 6)
    assert told["cages"] == json.loads(text)["cages"]
    assert not check_rules(puzzle.rules, puzzle.clues, solution)


@pytest.mark.parametrize(
    ("text", "rules", "told"),
    [
        (f"# two\n1234............\n\n{'.' * 16}\n", ("jigsaw", "--regions", REGIONS), "12\n20+\n"),
        ("12..\n....\n....\n...4\n", ("killer", "--cages", CAGES), "6\n"),
    ],
    ids=["puzzles of one line", "a grid in several lines"],
)
def test_options_tell_the_rules_of_a_file_of_cells(
    sudoku_lens: RunCommand, tmp_path: Path, text: str, rules: tuple[str, ...], told: str
) -> None:
    (tmp_path / "puzzles.txt").write_text(text)

    done = sudoku_lens("puzzle", "puzzles.txt", "--kind", *rules, "--count=20", cwd=tmp_path)

    assert (done.stdout, done.returncode) == (told, 0)


@pytest.mark.parametrize("solver", ["sat", "cp-sat"])
def test_other_solvers_solve_kinds_too(sudoku_lens: RunCommand, solver: str) -> None:
    pytest.importorskip({"sat": "pysat", "cp-sat": "ortools"}[solver])
    text = sudoku_lens("generate", "--kind", "killer", "--side", "6", "--seed", "1").stdout

    done = sudoku_lens("puzzle", text, "--solver", solver)
    counted = sudoku_lens("puzzle", text, "--solver", solver, "--count")

    assert done.stdout == f"{json.loads(text)['solution']}\n"
    assert counted.stdout == "1\n"


def test_a_bad_puzzle_is_told_and_the_others_are_solved(sudoku_lens: RunCommand) -> None:
    lines = '{"kind": "samba", "clues": "...."}\n{"kind": "classic", "clues": "123."}\n'
    good = '{"kind": "classic", "clues": "1.....2..3.....4"}\n'

    done = sudoku_lens("puzzle", "-", stdin=lines + good)

    assert done.stdout.split()[:2] == ["bad_puzzle", "bad_puzzle"]
    assert len(done.stdout.split()) == 3
    assert "line 1: the kind must be one of" in done.stderr
    assert done.returncode == 3


CLASSIC = "1.....2..3.....4"
MISTAKEN = CLASSIC[1:]


@pytest.mark.parametrize(
    ("lines", "options", "answers"),
    [
        (["{}", CLASSIC, MISTAKEN], (), ["{}", "classic", "bad"]),
        ([CLASSIC, "{}", MISTAKEN], (), ["classic", "{}", "bad"]),
        (["{}", '{"kind": "jig', "{}", "{}"], (), ["{}", "bad", "{}", "{}"]),
        ([CLASSIC, MISTAKEN], ("--kind", "classic"), ["classic", "bad"]),
    ],
)
def test_a_line_takes_no_other_with_it(
    sudoku_lens: RunCommand, lines: list[str], options: tuple[str, ...], answers: list[str]
) -> None:
    puzzle = sudoku_lens("generate", "--kind", "jigsaw", "--side", "4", "--seed", "1").stdout
    told = {"{}": json.loads(puzzle)["solution"], "bad": "bad_puzzle", "classic": ""}
    told["classic"] = sudoku_lens("puzzle", CLASSIC).stdout.strip()

    done = sudoku_lens(
        "puzzle", "-", *options, stdin="\n".join(puzzle if one == "{}" else one for one in lines)
    )

    assert done.stdout.split() == [told[answer] for answer in answers]
    assert done.returncode == 3


@pytest.mark.parametrize(
    ("options", "answers"),
    [
        (("--format", "sdm"), [EASY.replace(".", "0")] * 2),
        (("--format", "sudokuwiki"), [LINK + EASY.replace(".", "0")] * 2),
        (("--solver", "human"), [EASY_SOLUTION, "bad_puzzle", "bad_puzzle", "bad_puzzle"]),
        (("--rate",), ["1.2 easy, hidden single in a box", "bad_puzzle", "bad_puzzle"] * 2),
    ],
)
def test_what_is_for_classic_puzzles_passes_over_others(
    sudoku_lens: RunCommand, options: tuple[str, ...], answers: list[str]
) -> None:
    diagonal = f'{{"kind": "diagonal", "clues": "{"." * 81}"}}'
    told = f'{{"clues": "{EASY}"}}'
    lines = "\n".join([EASY, diagonal, "." * 16, told])

    done = sudoku_lens("puzzle", "-", *options, stdin=lines)

    assert done.stdout.splitlines() == answers[:4]
    assert "line 2: " in done.stderr
    assert "line 3: " in done.stderr
    assert done.returncode == 3


def test_a_link_takes_no_rules_from_options(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", LINK + EASY.replace(".", "0"), "--kind", "diagonal")

    assert "a link tells its rules itself; leave --kind and the like out" in done.stderr
    assert (done.stdout, done.returncode) == ("bad_puzzle\n", 3)


def test_a_samurai_is_not_sent_to_a_format_that_has_none(sudoku_lens: RunCommand) -> None:
    done = sudoku_lens("puzzle", make_line(Kind.SAMURAI, n_grids=2, clues=70), "--format", "sdm")

    assert "; take line\n" in done.stderr


def make_line(kind: Kind, **wishes: Any) -> str:
    puzzle = make_kind(kind, **wishes, seed=26)
    return json.dumps(format_kind_fields(puzzle))


@pytest.mark.parametrize(
    ("kind", "wishes"),
    [
        (Kind.JIGSAW, {"side": 6}),
        (Kind.DIAGONAL, {"clues": 30}),
        (Kind.KILLER, {"side": 6}),
        (Kind.SAMURAI, {"n_grids": 2, "clues": 70}),
        (Kind.CLASSIC, {"side": 12, "clues": 80}),
    ],
)
def test_every_kind_is_explained_to_its_solution_and_has_hints(
    sudoku_lens: RunCommand, kind: Kind, wishes: dict[str, Any]
) -> None:
    line = make_line(kind, **wishes)
    solved = sudoku_lens("puzzle", "-", stdin=line)

    done = sudoku_lens("puzzle", "-", "--explain", stdin=line)
    told = json.loads(sudoku_lens("puzzle", "-", "--hint", "--json", stdin=line).stdout)

    *steps, end = done.stdout.splitlines()
    assert end == solved.stdout.strip()
    assert len(steps) > 10
    assert re.fullmatch(r"1\. [^(]*: .*\.", steps[0])  # no rating is claimed
    assert done.returncode == 0
    assert told["outcome"] == "hint"
    assert told["step"]["rating"] is None
    assert told["step"]["placements"] or told["step"]["eliminations"]
    assert told["hint"] == told["step"]["explanation"]


def test_a_hint_of_another_side_needs_no_rules(sudoku_lens: RunCommand) -> None:
    clues = json.loads(make_line(Kind.CLASSIC, side=6))["clues"]

    done = sudoku_lens("puzzle", clues, "--hint=where")

    assert done.stdout.startswith("Look at ")
    assert done.returncode == 0


PAGE = Path(__file__).resolve().parents[2] / "docs" / "kinds.md"


@pytest.mark.parametrize("line", re.findall(r"^\$ (.+)$", PAGE.read_text("utf-8"), re.MULTILINE))
def test_the_commands_of_the_page_do_what_it_says(
    sudoku_lens: RunCommand, line: str, tmp_path: Path
) -> None:
    told = ""
    for command in line.split(" | "):
        program, *words = shlex.split(command)
        done = sudoku_lens(*words, stdin=told, cwd=tmp_path)
        told = done.stdout

        assert program == "sudoku-lens"
        assert (done.stderr, done.returncode) == ("", 0)
