"""The photos of docs/kinds.md: solved by what the page says, small, and all of them shown."""

import json
import re
from pathlib import Path

import pytest
from command_rig import RunCommand

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "kinds"
PAGE = (FOLDER.parent / "kinds.md").read_text(encoding="utf-8")
KINDS = {
    "six": ("classic", 6),
    "sixteen": ("classic", 16),
    "jigsaw": ("jigsaw", 9),
    "diagonal": ("diagonal", 9),
    "windoku": ("windoku", 9),
    "killer": ("killer", 9),
    "samurai": ("samurai", 9),
}


@pytest.mark.slow  # networks read seven photos
def test_the_photos_of_the_page_are_solved_as_what_they_are(sudoku_lens: RunCommand) -> None:
    photos = [str(FOLDER / f"{name}.webp") for name in KINDS]

    done = sudoku_lens("solve", *photos, "--json")

    reports = [json.loads(line) for line in done.stdout.splitlines()]
    boards = [report["boards"][0] for report in reports]
    assert [report["outcome"] for report in reports] == ["solved"] * len(KINDS)
    assert [(board["kind"], board["side"]) for board in boards] == list(KINDS.values())


def test_the_page_shows_all_pictures_and_they_are_small() -> None:
    shown = set(re.findall(r"\(kinds/([\w-]+\.webp)\)", PAGE))

    files = {path.name for path in FOLDER.iterdir()}
    assert shown == files == {f"{name}{end}.webp" for name in KINDS for end in ("", "-solved")}
    assert max(path.stat().st_size for path in FOLDER.iterdir()) < 40_000
