"""The README's commands do what it says."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from conftest import RunCommand

from app.exits import ExitCode
from app.outcome import Outcome
from app.timing import STAGES

README: Final = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")
EXAMPLES: Final = re.findall(r"^\$ (.+)$", README, flags=re.MULTILINE)


@pytest.mark.skipif(sys.platform == "win32", reason="the examples are written for a Unix shell")
@pytest.mark.parametrize("example", [example for example in EXAMPLES if "doctor" not in example])
def test_an_example_ends_well(example: str, newspaper: Path, tmp_path: Path) -> None:
    (tmp_path / "samples").mkdir()
    shutil.copy(newspaper, tmp_path / "samples")
    command = tmp_path / "sudoku-lens"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m app "$@"\n')
    command.chmod(0o755)

    done = subprocess.run(
        ["sh", "-c", example],
        cwd=tmp_path,
        env={
            **os.environ,
            "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(newspaper.parents[1]),
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout


def test_every_command_has_an_example() -> None:
    commands = {name for text in EXAMPLES for name in re.findall(r"sudoku-lens (\w+)", text)}

    assert commands == {"solve", "batch", "live", "puzzle", "generate", "compare", "doctor"}


def test_every_exit_code_is_listed() -> None:
    listed = [int(code) for code in re.findall(r"^\| (\d+) \|", README, flags=re.MULTILINE)]

    assert listed == sorted(ExitCode)


def test_every_outcome_is_listed() -> None:
    row = re.search(r"^\| `outcome` \|(.+)\|$", README, flags=re.MULTILINE)

    assert row is not None
    assert set(re.findall(r"`(\w+)`", row[1])) == set(Outcome)


def test_the_report_of_the_readme_has_the_fields_of_a_real_one(
    newspaper: Path, sudoku_lens: RunCommand
) -> None:
    text = re.search(r"^```json\n(.+)\n```$", README, flags=re.MULTILINE)

    real = json.loads(sudoku_lens("solve", "--json", newspaper).stdout)

    assert text is not None
    told = json.loads(text[1])
    assert list(told) == list(real)
    assert list(told["boards"][0]) == list(real["boards"][0])
    assert list(told["seconds"]) == list(real["seconds"]) == list(STAGES)


def test_every_link_leads_somewhere() -> None:
    root = Path(__file__).resolve().parent.parent

    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)

    assert links
    assert [link for link in links if not (root / link).exists()] == []
