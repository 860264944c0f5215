"""The phone page's own modules: perspective, boards and their steps, words."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from page_rig import Browser, Page
from puzzles import EASY, EASY_SOLUTION

PAGE: Final = Path(__file__).resolve().parents[3] / "app" / "serve" / "page"
LANGUAGES: Final = ("en", "de", "fr")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with browser.visit() as visit:
        yield visit.page


def texts_of(language: str) -> dict[str, str]:
    """Return the words of a language by their keys."""
    source = (PAGE / f"words_{language}.js").read_text(encoding="utf-8")
    found = re.findall(r'^  (\w+):\s*"(.*)",$', source, re.MULTILINE)
    assert len(found) == len(re.findall(r"^  \w+:", source, re.MULTILINE))
    return dict(found)


def call(page: Page, module: str, expression: str, argument: Any = None) -> Any:
    """Evaluate an expression of a module `m` and an argument `a`."""
    script = f"async (a) => {{ const m = await import('/page/{module}'); return {expression}; }}"
    return page.evaluate(script, argument)


def test_every_language_says_the_same() -> None:
    english = texts_of("en")
    for language in LANGUAGES[1:]:
        other = texts_of(language)
        assert list(other) == list(english), language
        for key, text in english.items():
            fields = [sorted(set(re.findall(r"\{\w+\}", one))) for one in (text, other[key])]
            assert fields[0] == fields[1], (language, key)
            assert other[key].strip() == other[key] != "", (language, key)


def test_every_text_that_is_asked_for_is_there_and_none_is_left_over() -> None:
    english = set(texts_of("en"))
    sources = [path for path in PAGE.glob("*.js") if not path.name.startswith("words_")]
    source = "\n".join(path.read_text(encoding="utf-8") for path in [*sources, PAGE / "index.html"])
    wanted = set(re.findall(r'\bt\("(\w+)"', source))
    wanted |= set(re.findall(r'data-t(?:-label)?="(\w+)"', source))
    stems = {re.sub(r"_(one|other)$", "", key) for key in english}
    literals = set(re.findall(r'["`](\w+)["`]', source)) | set(re.findall(r"t: \"(\w+)\"", source))
    made = re.compile(
        r"(looksLike|fault|problem|edge|region|live|rule|kind|level)_\w+|form[A-Z]\w*|corner\d"
    )

    assert wanted - stems - english == set()
    assert {key for key in stems - literals - wanted if not made.fullmatch(key)} == set()


def test_a_homography_carries_the_unit_square_onto_corners_with_an_area(page: Page) -> None:
    square = [[0, 0], [1, 0], [1, 1], [0, 1]]
    noise = np.random.default_rng(3).uniform(-25, 25, (20, 4, 2))
    quads = (np.array(square) * 100 + noise).tolist()

    seen = call(
        page,
        "perspective.js",
        "a.quads.map((quad) => a.square.map(([u, v]) => m.project(m.squareToQuad(quad), u, v)))",
        {"square": square, "quads": quads},
    )

    np.testing.assert_allclose(seen, quads, atol=1e-6)
    line = [[0, 0], [1, 1], [2, 2], [3, 3]]
    assert call(page, "perspective.js", "m.squareToQuad(a)", line) is None


def test_the_cell_at_a_point_is_the_one_whose_outline_holds_it(page: Page) -> None:
    rng = np.random.default_rng(4)
    camera = np.array([[30, 4, 20], [-3, 28, 40], [0.004, 0.002, 1]])
    points = np.array([[(x, y, 1) for x in range(10)] for y in range(10)], float) @ camera.T
    lattice = points[..., :2] / points[..., 2:]
    places = rng.uniform(0.05, 0.95, (81, 2)) + [(cell % 9, cell // 9) for cell in range(81)]
    seen = np.column_stack([places, np.ones(81)]) @ camera.T
    seen = seen[:, :2] / seen[:, 2:] + 0.5
    cells = call(
        page,
        "perspective.js",
        "a.points.map(([x, y]) => m.cellAt(a.lattice, x, y))",
        {"lattice": lattice.tolist(), "points": seen.tolist()},
    )
    beside = call(page, "perspective.js", "m.cellAt(a, 0, 0)", lattice.tolist())

    assert cells == list(range(81))
    assert beside is None


def test_a_view_keeps_the_photo_where_it_can_be_seen(page: Page) -> None:
    rng = np.random.default_rng(5)
    photo, size = {"width": 1500, "height": 2000}, {"width": 390, "height": 500}
    scales, places = 10 ** rng.uniform(-3, 3, 50), rng.uniform(-1e5, 1e5, (50, 2))
    views = [
        {"scale": float(scale), "x": float(x), "y": float(y)}
        for scale, (x, y) in zip(scales, places, strict=True)
    ]
    argument = {"views": views, "photo": photo, "size": size}

    script = "a.views.map((view) => m.hold(view, a.photo, a.size))"
    for held in call(page, "viewport.js", script, argument):
        for axis, side in (("x", "width"), ("y", "height")):
            length = photo[side] * held["scale"]
            if length > size[side]:
                assert size[side] - length - 1e-6 <= held[axis] <= 1e-6
            else:
                assert held[axis] == pytest.approx((size[side] - length) / 2)


def test_only_what_solves_the_clues_is_kept_as_a_solution(page: Page) -> None:
    right = EASY_SOLUTION
    told = [right, right[1] + right[0] + right[2:], right[:80], right[:80] + "0",
            right[9:] + right[:9], None]  # fmt: skip
    reported = [{"outcome": "solved", "clues": EASY, "solution": one} for one in told]

    boards = call(page, "board.js", "a.map(m.boardFrom)", reported)

    assert [one["solution"] == right for one in boards] == [True, *[False] * 5]
    assert [one["outcome"] == "solved" for one in boards] == [True, *[False] * 5]


def test_a_corrected_clue_takes_the_solution_away_and_an_entry_does_not(page: Page) -> None:
    entries = "." * 80 + "."
    reported = {"outcome": "solved", "clues": EASY, "entries": entries, "solution": EASY_SOLUTION}
    reported["entries"] = entries[:2] + "1" + entries[3:]
    clue, entry = call(
        page,
        "board.js",
        "[m.setDigit(m.boardFrom(a), 3, 6), m.setDigit(m.boardFrom(a), 2, 4)]",
        reported,
    )

    assert clue["solution"] is None
    assert clue["isPending"]
    assert clue["clues"] == EASY[:3] + "6" + EASY[4:]
    assert entry["solution"] == EASY_SOLUTION
    assert entry["entries"][2] == "4"
    assert entry["clues"] == EASY


def test_a_digit_strikes_its_notes_in_cells_that_see_it_and_not_its_own(page: Page) -> None:
    reported = {"outcome": "solved", "clues": EASY, "entries": "." * 81, "solution": EASY_SOLUTION}
    notes = call(
        page,
        "board.js",
        "(() => { let board = m.boardFrom(a); for (const cell of [2, 3, 75])"
        " for (const kind of ['corner', 'centre']) board = m.mark(board, [cell], kind, 4);"
        " const { marks } = m.write(board, [2], 4);"
        " return [2, 3, 75].map((cell) => [marks.corner[cell], marks.centre[cell]]); })()",
        reported,
    )

    assert notes == [[16, 16], [0, 0], [16, 16]]


def test_candidates_of_a_photo_become_notes_that_the_check_knows(page: Page) -> None:
    candidates = ["", "", "12", "6", *[""] * 77]  # 4 and 6 are right
    reported: dict[str, Any] = {"outcome": "solved", "clues": EASY, "solution": EASY_SOLUTION}
    reported |= {"candidates": candidates}
    centre, struck, seen = call(
        page,
        "board.js",
        "(() => { const board = m.boardFrom(a); const changed = m.mark(board, [2], 'centre', 4);"
        " return [board.marks.centre.slice(0, 4), m.struckOf(board),"
        " [board, changed].map((one) => m.facesOf(one, new Set())[2].isNoted)]; })()",
        reported,
    )

    assert centre == [0, 0, 6, 64]
    assert struck == [2]
    assert seen == [True, False]


def test_a_digit_typed_once_more_takes_its_doubt_away(page: Page) -> None:
    unsure = [{"cell": 0, "digits": [5, 6]}]
    reported = {"outcome": "unreadable", "clues": EASY, "solution": None, "unsure": unsure}
    before, after = call(
        page,
        "board.js",
        "[m.boardFrom(a), m.setDigit(m.boardFrom(a), 0, 5)]"
        ".map((board) => m.facesOf(board, new Set())[0].doubt)",
        reported,
    )

    assert (before, after) == ("unsure", None)


def test_a_grid_of_a_samurai_that_an_older_page_kept_is_never_asked_about(page: Page) -> None:
    kept = {
        **call(page, "board.js", "m.boardFrom(a)", {"outcome": "solved", "clues": EASY}),
        "outcome": "solved",
        "solution": EASY_SOLUTION,
        "kind": "samurai",
        "entries": ".." + "4" + "." * 78,
        "whole": [],
        "isPending": True,
    }
    script = """(async () => {
      const [{ makeHelp }, { makePuzzle }, { formsOf }, { statusOfBoard }] = await Promise.all(
        ["help", "puzzle", "sharing", "status"].map((one) => import(`/page/${one}.js`)));
      const asked = [];
      const own = window.fetch;
      window.fetch = (address) => { asked.push(String(address)); return new Promise(() => {}); };
      const puzzle = makePuzzle({ changed() {}, isShownAtOnce: () => false });
      puzzle.open({ id: "a" }, [m.boardKept(a)]);
      const help = makeHelp(puzzle, () => {});
      help.hint();
      const seen = [puzzle.board];
      puzzle.select(2);
      puzzle.setDigit(2, 5);
      seen.push(puzzle.board);
      puzzle.setDigit(0, 7);
      seen.push(puzzle.board);
      window.fetch = own;
      const view = { play: puzzle.play, waiting: null };
      return { asked, seen, hint: help.text, forms: formsOf(seen[0]),
        said: seen.map((board) => statusOfBoard(board, view).headline) };
    })()"""

    told = call(page, "board.js", f"await {script}", kept)

    words = texts_of("en")["rule_older"]
    assert (told["asked"], told["forms"]) == ([], [])
    assert [told["hint"], *told["said"]] == [words] * 4
    first, entry, clue = told["seen"]
    assert (first["clues"], first["entries"]) == (EASY, kept["entries"])
    assert first["solution"] == entry["solution"] == EASY_SOLUTION
    assert entry["checked"]["wrong"] == [2]
    assert clue["solution"] is None
    assert not any(board["isPending"] for board in told["seen"])


def test_the_first_cell_that_there_is_takes_the_focus_of_the_keyboard(page: Page) -> None:
    without = {(row, column) for row in range(9) for column in range(9)}
    without -= {(row, column) for row in range(6, 9) for column in range(6, 9)}
    places = [(row, column) for row in range(15) for column in range(15)]
    clues = "".join("-" if place in without else "." for place in places)
    script = """(async () => {
      const { makeCleanBoard } = await import("/page/clean_board.js");
      const { cleanColours } = await import("/page/painting.js");
      const root = document.createElement("div");
      const board = m.boardFrom(a);
      makeCleanBoard(root, {}).draw(board, m.facesOf(board, new Set()), cleanColours(), {},
        { fresh: new Set(), selected: null, chosen: [], marks: {}, part: null });
      return [...root.querySelectorAll("[tabindex='0']")].map((cell) => Number(cell.dataset.cell));
    })()"""

    reported = {"outcome": "ambiguous", "clues": clues, "kind": "samurai"}
    focusable = call(page, "board.js", f"await {script}", reported)

    assert focusable == [clues.index(".")] == [9]


def test_retry_after_is_understood_as_seconds_and_as_a_date(page: Page) -> None:
    texts = ["7", "0", "Thu, 01 Jan 1970 00:01:30 GMT", "soon", ""]

    told = call(page, "api.js", "a.map((text) => m.secondsOf(text, 0))", texts)

    assert told == [7, 0, 90, None, None]


def test_every_fault_of_the_report_has_words() -> None:
    from app.report.advice import FaultKind, Region

    english = texts_of("en")
    assert {f"region_{region.value}" for region in Region} <= set(english)
    for kind in FaultKind:
        assert any(key.startswith(f"fault_{kind.value}") for key in english), kind


def test_every_other_puzzle_that_is_named_has_words(page: Page) -> None:
    from models.lookalike_reader import Lookalike

    english = texts_of("en")
    assert {f"looksLike_{one.value}" for one in Lookalike} <= set(english)
    told = call(page, "status.js", "m.statusWithoutBoard(a)", "kakuro")
    assert told["headline"] == english["looksLike_kakuro"]
    assert call(page, "status.js", "m.statusWithoutBoard(a)")["headline"] == english["noBoard"]


def test_every_outcome_has_words() -> None:
    from app.recognition.outcome import Outcome

    source = (PAGE / "status.js").read_text(encoding="utf-8")
    for outcome in set(Outcome) - {Outcome.SOLVED, Outcome.NO_BOARD, Outcome.BAD_IMAGE}:
        assert f"  {outcome.value}: [" in source, outcome


def test_every_format_is_offered() -> None:
    from solver.formats import Format

    source = (PAGE / "sharing.js").read_text(encoding="utf-8")
    forms = re.search(r"FORMS = \[(.*?)\]", source)
    assert forms is not None
    assert set(re.findall(r'"(\w+)"', forms[1])) == {form.value for form in Format}


def test_the_outlines_of_figures_and_letters_share_a_height() -> None:
    source = (PAGE / "glyphs.js").read_text(encoding="utf-8")
    outlines = dict(re.findall(r'^  (\w): "(M[^"]+Z)",$', source, re.MULTILINE))

    assert "".join(outlines) == "0123456789ABCDEFGHIJKLMNOP"
    for outline in outlines.values():
        y = [int(one) for one in re.findall(r"-?\d+,(-?\d+)", outline)]
        assert -520 <= min(y) < -450
        assert 450 < max(y) <= 520


def test_a_live_answer_is_drawn_as_its_board_prints_it(page: Page) -> None:
    answer = {
        "opacity": 1,
        "digits": "." * 5 + "G" + "." * 250,
        "solution": "A" * 5 + "G" + "A" * 250,
        "symbols": [*map(str, range(1, 10)), *"ABCDEFG"],
        "lattice": [[[20 * x, 20 * y] for x in range(17)] for y in range(17)],
        "width": 400,
        "is_dark": False,
    }
    script = """(() => {
      const canvas = document.createElement("canvas");
      const paper = document.createElement("canvas");
      paper.width = paper.height = 400;
      m.drawFrame(canvas, paper, 400, 400, a);
      const pixels = canvas.getContext("2d").getImageData(0, 0, 400, 400).data;
      const inked = [];
      for (let at = 3; at < pixels.length; at += 4) if (pixels[at]) inked.push((at - 3) / 4);
      return inked.map((one) => [one % 400, Math.floor(one / 400)]);
    })()"""

    inked = np.array(call(page, "live_picture.js", script, answer))
    unverified = {**answer, "solution": None}

    assert len(inked) > 0
    assert (inked.min(axis=0) >= (100, 0)).all()
    assert (inked.max(axis=0) < (120, 20)).all()
    assert call(page, "live_picture.js", "m.isDrawn(a)", answer) is True
    assert call(page, "live_picture.js", "m.isDrawn(a)", unverified) is False
