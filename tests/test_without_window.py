"""A machine without Qt: all commands but the window work, and that one says what to install."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from command_rig import run_python
from puzzles import EASY, EASY_SOLUTION

from app.terminal.exit_codes import ExitCode


@pytest.fixture
def hidden(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which Qt is not installed."""
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.metadata as found, sys\n"
        "class Hidden:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in ('PySide6', 'shiboken6'):\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Hidden())\n"
        "asked = found.version\n"
        "def version(name):\n"
        "    if name.lower().startswith('pyside6'):\n"
        "        raise found.PackageNotFoundError(name)\n"
        "    return asked(name)\n"
        "found.version = version\n"
    )
    project = Path(__file__).resolve().parents[1]
    return {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{project}"}


def run(hidden: dict[str, str], *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    return run_python("-m", "app", *arguments, env=hidden)


def test_qt_is_really_hidden(hidden: dict[str, str]) -> None:
    assert run_python("-c", "import PySide6", env=hidden).returncode != 0


@pytest.mark.slow
def test_photos_and_puzzles_are_solved(hidden: dict[str, str], newspaper: Path) -> None:
    photo = run(hidden, "solve", "--json", newspaper)
    puzzle = run(hidden, "puzzle", EASY)

    assert photo.returncode == ExitCode.SOLVED, photo.stderr
    assert json.loads(photo.stdout)["outcome"] == "solved"
    assert puzzle.returncode == ExitCode.SOLVED, puzzle.stderr
    assert EASY_SOLUTION[:9] in "".join(sign for sign in puzzle.stdout if sign.isdigit())


@pytest.mark.slow
def test_folders_new_puzzles_hints_and_comparisons_work(
    hidden: dict[str, str], newspaper: Path, tmp_path: Path
) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    shutil.copy(newspaper, photos)
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{EASY}\n")

    batch = run(hidden, "batch", photos, "--output-dir", tmp_path / "out")
    made = run(hidden, "generate", "--seed", "1")
    hint = run(hidden, "puzzle", "--hint", EASY)
    compared = run(hidden, "compare", puzzles, "--solver", "backtracking")

    assert batch.returncode == ExitCode.SOLVED, batch.stderr
    assert list((tmp_path / "out").iterdir())
    assert made.returncode == 0, made.stderr
    assert len(made.stdout.strip()) == len(EASY)
    assert hint.returncode == 0, hint.stderr
    assert re.match(r"In .+ fits only in r\dc\d", hint.stdout)
    assert compared.returncode == 0, compared.stderr
    assert "backtracking" in compared.stdout


def test_the_doctor_finds_all_well(hidden: dict[str, str]) -> None:
    done = run(hidden, "doctor")

    assert done.returncode == 0, done.stdout
    assert "every command but the window works without it" in done.stdout
    assert "pip install pyside6-essentials" in done.stdout


def test_the_window_says_what_to_install(hidden: dict[str, str]) -> None:
    done = run(hidden)

    assert done.returncode == ExitCode.MISSING
    assert "run: sudoku-lens doctor" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_page_speaks_german_without_qt(hidden: dict[str, str]) -> None:
    pytest.importorskip("fastapi", reason="the extra serve is not installed")
    script = "from app.help.help_words import words_of; print(words_of('de').cell(0))"

    done = run_python("-c", script, env=hidden)

    assert done.stdout.strip() == "Z1S1", done.stderr


def test_what_is_to_be_installed_has_all_but_qt(project: Path) -> None:
    path = project / "packaging" / "dependencies.py"

    lists = [
        run_python(path, "requirements", "serve", *options, check=True).stdout.split("\n")
        for options in ([], ["--without-window"])
    ]

    left_out = [one for one in lists[0] if one not in lists[1]]
    assert {one.partition(">")[0] for one in left_out} == {"pyside6-essentials", "pyside6-addons"}


@pytest.mark.slow
def test_a_phone_is_served_and_helped_in_german(
    hidden: dict[str, str], monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    pytest.importorskip("fastapi", reason="the extra serve is not installed")
    from page_rig import browsing
    from page_sheets import make_sheet

    sheet = make_sheet(folder)
    monkeypatch.setenv("PYTHONPATH", hidden["PYTHONPATH"])
    with browsing() as browser, browser.visit(locale="de") as visit:
        visit.solve(sheet.path)
        visit.page.click("#ask-hint")
        visit.until("() => /Ort:/.test(document.querySelector('#hint-text').textContent)")

        assert visit.headline.startswith("Gelöst")
        assert visit.page.inner_text("#hint-more") == "Welche Felder?"
