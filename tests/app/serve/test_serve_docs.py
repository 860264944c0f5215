"""docs/serve.md tells what the server does."""

import re
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from serve_rig import SETTINGS
from typer.main import get_command

from app.serve.server import ServeSettings

TEXT = (Path(__file__).parents[3] / "docs" / "serve.md").read_text(encoding="utf-8")


def test_every_option_is_listed() -> None:
    from app.cli.command_line import _cli

    command = get_command(_cli).get_command(None, "serve")  # type: ignore[attr-defined]

    taken = {name for one in command.params for name in one.opts if name.startswith("--")}
    rows = re.findall(r"^- (`-[^:]+`): ", TEXT, flags=re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"--[a-z-]+", row)} == taken


def test_the_figures_of_the_text_are_those_in_use() -> None:
    assert f"has less than {SETTINGS.least_free_bytes / 1e9:g} GB left" in TEXT
    assert f"more than {ServeSettings().task_seconds:g} seconds" in TEXT
