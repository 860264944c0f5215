"""`sudoku-lens serve --token-file`: a token for programs, which lasts from start to start."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest
from command_rig import RunCommand
from serve_process import serving

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from app.serve.api.application import make_application
from app.serve.request_workers import make_request_pool
from app.serve.security.known_clients import LEAST_SIGNS, load_token
from app.serve.server import ServeSettings
from app.terminal.exit_codes import ExitCode, UsageError

TOKEN = "0123456789abcdef" * 2


def write(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(text)
    path.chmod(mode)
    return path


def test_a_token_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "token"

    before = os.umask(0)  # the mode does not hang on it
    try:
        first, second = load_token(path), load_token(path)
    finally:
        os.umask(before)

    assert first == second == path.read_text().strip()
    assert len(first) >= 43  # 256 bits
    assert load_token(tmp_path / "other") != first
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {one.name for one in tmp_path.iterdir()} == {"token", "other"}


def test_a_token_that_a_person_wrote_is_taken(tmp_path: Path) -> None:
    assert load_token(write(tmp_path / "token", f"\n  {TOKEN}\n\n")) == TOKEN


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "x" * (LEAST_SIGNS - 1),
        f"{TOKEN} {TOKEN}",
        f"{TOKEN}\n{TOKEN}",
        TOKEN + "é",
        "\0" * 99,
    ],
)
def test_what_is_no_token_is_refused_and_stays(tmp_path: Path, text: str) -> None:
    path = write(tmp_path / "token", text)

    with pytest.raises(UsageError, match=f"{path} holds no token of {LEAST_SIGNS} signs or more"):
        load_token(path)

    assert path.read_text() == text


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such modes")
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620])
def test_a_token_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = write(tmp_path / "token", TOKEN, mode)

    with pytest.raises(UsageError, match=f"others can read {path}; run: chmod 600 {path}"):
        load_token(path)


def test_a_file_that_cannot_be_made_ends_it(sudoku_lens: RunCommand, tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere" / "token", tmp_path):
        done = sudoku_lens("serve", "--token-file", path)

        assert done.returncode == ExitCode.USAGE
        assert str(path) in done.stderr
        assert "--token-file" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("is_https", "name"), [(False, "sudoku-lens-8765"), (True, "__Host-sudoku-lens-8765")]
)
@pytest.mark.parametrize("program_token", [None, TOKEN])
def test_the_description_says_how_to_come_in(
    program_token: str | None, name: str, *, is_https: bool
) -> None:
    settings = ServeSettings(
        hosts=frozenset({"localhost"}), is_https=is_https, port=8765, program_token=program_token
    )

    told = make_application(settings, make_request_pool(settings)).openapi()

    schemes = told["components"]["securitySchemes"]
    assert {key: schemes["session"][key] for key in ("type", "in", "name")} == {
        "type": "apiKey",
        "in": "cookie",
        "name": name,
    }
    assert ("token" in schemes) is (program_token is not None)
    assert all(one["scheme"] == "bearer" for key, one in schemes.items() if key == "token")
    assert told["security"] == [{scheme: []} for scheme in schemes]
    open_to_all = {
        (method, path)
        for path, methods in told["paths"].items()
        for method, operation in methods.items()
        if operation.get("security") == []
    }
    assert open_to_all == {("get", "/api/health")}
    assert TOKEN not in json.dumps(told)


@pytest.mark.slow
def test_a_program_solves_a_photo_with_a_token_that_outlives_the_server(
    newspaper: Path, tmp_path: Path
) -> None:
    path = tmp_path / "token"
    for _ in range(2):
        with serving("--token-file", path) as served:
            right = f"Bearer {path.read_text().strip()}"

            solved = served.solve(newspaper.read_bytes(), Cookie="", Authorization=right)
            session = served.ask(Cookie="", Authorization=right)
            stranger = served.ask(Cookie="", Authorization="Bearer wrong")
            phone = served.ask()
            description = served.ask("/api/openapi.json")

        described = json.loads(description.body)["components"]["securitySchemes"]["session"]["name"]
        assert json.loads(solved.body)["outcome"] == "solved"
        assert served.cookie.startswith(f"{described}=")
        assert [one.status for one in (session, stranger, phone)] == [200, 401, 200]
