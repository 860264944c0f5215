"""The README's commands do what it says, and reports are what their page says."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from command_rig import RunCommand
from present import present

from app.recognition.outcome import Outcome
from app.recognition.timing import STAGES
from app.terminal.exit_codes import ExitCode

ROOT: Final = Path(__file__).resolve().parent.parent
README: Final = (ROOT / "README.md").read_text(encoding="utf-8")
REPORT: Final = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
EXAMPLES: Final = re.findall(r"^\$ (.+)$", README, flags=re.MULTILINE)


needs_shell = pytest.mark.skipif(
    sys.platform == "win32", reason="the examples are written for a Unix shell"
)

RunExample = Callable[[str], "subprocess.CompletedProcess[str]"]


@pytest.fixture
def shell(newspaper: Path, tmp_path: Path) -> RunExample:
    """Runs a line of shell in a folder with the samples and the command `sudoku-lens`."""
    (tmp_path / "samples").mkdir()
    shutil.copy(newspaper, tmp_path / "samples")
    command = tmp_path / "sudoku-lens"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m app "$@"\n')
    command.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(newspaper.parents[1]),
    }

    def run(line: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["sh", "-c", line],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.slow
@needs_shell
def test_the_examples_end_well_and_none_needs_another(shell: RunExample, tmp_path: Path) -> None:
    given, ended, needed = set(tmp_path.iterdir()), {}, {}
    for example in EXAMPLES:
        made = {path.name for path in set(tmp_path.iterdir()) - given}
        needed[example] = made & set(re.split("[ /]", example))
        done = shell(example)
        ended[example] = (done.returncode, done.stderr, bool(done.stdout))

    # The doctor may miss a system library here.
    doctor = [example for example in EXAMPLES if "doctor" in example]
    assert [ended.pop(example)[0] in (0, 4) for example in doctor] == [True]
    assert {example: end for example, end in ended.items() if end != (0, "", True)} == {}
    assert {example: files for example, files in needed.items() if files} == {}


def test_only_commands_that_install_wait_or_open_a_window_are_not_run() -> None:
    blocks = re.findall(r"^```(?:sh|bat)\n(.+?)^```", README, flags=re.MULTILINE | re.DOTALL)
    not_run = {line for block in blocks for line in block.splitlines()}

    installing = {line for line in not_run if re.search(r"\b(make|venv|uv|pipx)\b", line)}

    assert not_run - installing == {
        "sudoku-lens",
        "sudoku-lens samples/newspaper.jpg",
        "sudoku-lens serve",
        "sudoku-lens solve --reader tesseract --solver py-sudoku samples/newspaper.jpg",
    }


def test_every_command_has_an_example() -> None:
    commands = {name for text in EXAMPLES for name in re.findall(r"sudoku-lens (\w+)", text)}

    assert commands == {"solve", "batch", "live", "puzzle", "generate", "compare", "doctor"}


def test_every_exit_code_is_listed() -> None:
    listed = [int(code) for code in re.findall(r"^- (\d+): ", REPORT, flags=re.MULTILINE)]

    assert listed == sorted(ExitCode)


def test_every_outcome_is_listed() -> None:
    row = present(re.search(r"^- `outcome`: (.+)$", REPORT, flags=re.MULTILINE))

    assert set(re.findall(r"`(\w+)`", row[1])) == set(Outcome)


def test_the_report_of_the_docs_has_the_fields_of_a_real_one(
    newspaper: Path, sudoku_lens: RunCommand
) -> None:
    text = present(re.search(r"^```json\n(.+)\n```$", REPORT, flags=re.MULTILINE))

    real = json.loads(sudoku_lens("solve", "--json", newspaper).stdout)

    told = json.loads(text[1])
    assert list(told) == list(real)
    assert list(told["boards"][0]) == list(real["boards"][0])
    assert list(told["seconds"]) == list(real["seconds"]) == list(STAGES)


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)

    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
