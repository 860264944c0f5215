"""The man page says what the command line takes."""

import importlib.util
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def make_man(project: Path) -> ModuleType:
    """The script, loaded from its file: a package from outside has its folder's name."""
    spec = importlib.util.spec_from_file_location("make_man", project / "packaging" / "make_man.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_man_page_is_up_to_date(make_man: ModuleType) -> None:
    kept = make_man.PAGE.read_text(encoding="utf-8")

    assert kept == make_man.make_page(), "run: python packaging/make_man.py"


def test_the_man_page_has_every_command_and_option(make_man: ModuleType) -> None:
    from app.cli.command_line import command_line

    page = make_man.make_page().replace("\\-", "-")

    for name, command in command_line().commands.items():
        assert f".SS sudoku-lens {name}\n" in page
        for option in command.params:
            if option.param_type_name == "option":
                assert all(re.search(rf"\\fB{one}\\fR", page) for one in option.opts)
    assert "<bool>" not in page


def test_man_shows_the_page_without_a_warning(make_man: ModuleType) -> None:
    groff = shutil.which("groff")
    if groff is None:
        pytest.skip("groff, which formats man pages, is not here")

    done = subprocess.run(
        [groff, "-man", "-ww", "-Tutf8", str(make_man.PAGE)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "Point it at a Sudoku" in done.stdout


def test_a_wheel_installs_the_man_page(project: Path) -> None:
    settings = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))

    shared = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]

    assert shared == {"packaging/sudoku-lens.1": "share/man/man1/sudoku-lens.1"}
