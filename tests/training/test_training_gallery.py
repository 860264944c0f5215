"""The gallery shows failures as they were measured, and only what is safe to show."""

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from puzzles import EASY, EASY_SOLUTION
from report_rig import CORNERS, LABEL, report

from solver.grid import parse_grid
from training.evaluation.failure_gallery import CellNote, GalleryEntry, write_gallery
from training.evaluation.labelled_photos import main
from training.evaluation.photo_failures import name_cause, note_cells
from training.evaluation.photo_verdicts import judge
from vision.board import lattice_from_corners
from vision.finder.snap import BoardCandidate
from vision.media.images import load_image, save_image

_PICTURE = np.full((100, 100, 3), 128, np.uint8)


class Page(HTMLParser):
    """Collects what a test asks of a page."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def values(self, tag: str, name: str) -> list[str]:
        return [held[name] or "" for one, held in self.tags if one == tag and name in held]


def _entry(name: str = "a/b.jpg", **changes: Any) -> GalleryEntry:
    truth = parse_grid(EASY)
    reading = truth.copy()
    reading[0, 0] = 8
    note = CellNote(0, np.full((32, 32), 90, np.uint8), "5", "8 in print 0.612", True)
    entry = GalleryEntry(
        name, "a", "read", ["1 cell misread."], [("board", _PICTURE)], truth, reading, [note]
    )
    return replace(entry, **changes)


def _unread(**changes: Any) -> dict[str, Any]:
    return report(**{"outcome": "unreadable", "solution": None, **changes})


NOTHING = {"outcome": "no_board", "boards": [], "seconds": {}}


def _candidate(corners: Any, score: float) -> BoardCandidate:
    points = np.array(corners, np.float32)
    return BoardCandidate(lattice_from_corners(points), score, False)


def test_a_page_shows_its_pictures_by_source_and_stage(tmp_path: Path) -> None:
    entries = [_entry(), _entry("a/c.jpg", source="b", stage="find")]

    path = write_gallery(tmp_path / "gallery", entries, "Failures")

    page = Page(path)
    sources = page.values("img", "src")
    assert len(sources) == 4
    assert all((path.parent / source).read_bytes() for source in sources)
    assert not [source for source in sources if "/" not in source or ":" in source]
    assert page.values("article", "data-source") == ["a", "b"]
    assert page.values("article", "data-stage") == ["read", "find"]
    assert page.values("option", "value") == ["", "a", "b", "", "read", "find"]


def test_misread_cells_are_marked_in_truth_and_reading(tmp_path: Path) -> None:
    page = Page(write_gallery(tmp_path, [_entry()], "Failures"))

    assert page.values("td", "class") == ["wrong", "wrong"]
    assert "r1c1: 5" in page.text
    assert "read 8 in print 0.612" in page.text


def test_names_are_shown_and_never_become_markup(tmp_path: Path) -> None:
    evil = '<script>alert("1")</script>'

    page = Page(write_gallery(tmp_path, [_entry(evil, source=evil, cause=[evil])], evil))

    assert [tag for tag, _ in page.tags].count("script") == 1
    assert page.values("article", "data-source") == [evil]
    assert evil in page.text


def test_an_earlier_gallery_leaves_no_pictures_behind_and_large_ones_are_shrunk(
    tmp_path: Path,
) -> None:
    large = np.zeros((2000, 3200, 3), np.uint8)

    write_gallery(tmp_path, [_entry(), _entry()], "Failures")
    write_gallery(tmp_path, [_entry(pictures=[("photo", large)], cells=[])], "Failures")

    (path,) = (tmp_path / "pictures").iterdir()
    assert load_image(path).shape == (1000, 1600, 3)


def test_a_board_that_no_candidate_lies_on_is_called_not_located() -> None:
    verdict = judge(LABEL, NOTHING)
    half = CORNERS * [1, 0.5] + [0, 5]  # its upper half

    far, near = _candidate(half, 0.7), _candidate(CORNERS + 2, 0.3)

    assert "overlap (IoU) 0.5" in name_cause(verdict, [far], [])[1]
    assert "score 0.70" in name_cause(verdict, [far], [])[1]
    assert name_cause(verdict, [far, near], [])[1].startswith("Proposed, but dropped: candidate 2")
    assert "proposes nothing" in name_cause(verdict, [], [])[1]


SWAPPED = EASY_SOLUTION[1::-1] + EASY_SOLUTION[2:]


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        (
            {"clues": "83.1" + "." + EASY[5:]},
            "3 cells misread: 1 digits not seen, 1 seen in empty cells, 1 taken",
        ),
        (
            {"corners": np.roll(CORNERS, -1, axis=0).tolist()},
            "Read the wrong way up: 90° clockwise from the label.",
        ),
        ({"solution": SWAPPED}, "differs from the true one in 2 cells"),
    ],
)
def test_a_cause_is_named_by_what_was_read_and_shown(changes: dict[str, Any], cause: str) -> None:
    verdict = judge(LABEL, _unread(**changes))

    assert cause in " ".join(name_cause(verdict, [], []))


def test_cells_worth_a_look_are_the_wrong_the_doubtful_and_those_of_another_kind() -> None:
    clues = "83" + EASY[2:]
    verdict = judge(LABEL, _unread(clues=clues))
    probabilities = np.zeros((81, 19), np.float32)
    seen = parse_grid(clues).ravel()
    probabilities[np.arange(81), seen] = 1
    probabilities[1, [3, 5]] = [0.6, 0.4]
    probabilities[4, [7, 16]] = [0.0, 1.0]
    kinds = np.where(seen > 0, "p", ".")

    notes = note_cells(verdict, np.zeros((81, 32, 32), np.uint8), probabilities, kinds)

    assert [(note.cell, note.is_wrong) for note in notes] == [(0, True), (1, False), (4, True)]
    assert notes[1].reading == "3 in print 0.600, 5 in print 0.400"
    assert notes[2].truth == "7 in print"
    assert notes[2].reading.startswith("7 by hand 1.000")
    assert "Print and handwriting are confused in 1 cells." in name_cause(verdict, [], notes)


@pytest.mark.slow  # a photo is read by the whole pipeline
def test_the_evaluation_writes_a_gallery_of_its_failures(
    newspaper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos, corners = tmp_path / "photos", "10,10 200,10 200,200 10,200"
    (photos / "a").mkdir(parents=True)
    save_image(photos / "a" / "b.jpg", load_image(newspaper))
    (photos / "photos.csv").write_text(
        f'file,puzzle,corners,kind,group\na/b.jpg,{EASY},"{corners}",newspaper,g\n'
    )

    code = main([str(photos), "--gallery", str(tmp_path / "gallery")])

    page = Page(tmp_path / "gallery" / "index.html")
    assert code == 1
    assert str(tmp_path / "gallery" / "index.html") in capsys.readouterr().out
    assert page.values("article", "data-stage") == ["WRONG shown"]
    assert "1-candidates" in page.text
    assert "WRONG: the solution shown differs" in page.text
