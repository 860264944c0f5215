"""`sudoku-lens serve` as it is typed: what it prints, how it ends, and its file of a token."""

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from command_rig import PROJECT, RunCommand, begin_python, room_for
from planted_work import children_of
from present import present
from serve_process import serving

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from typer.main import get_command

from app.serve.api.application import make_application
from app.serve.request_workers import make_request_pool
from app.serve.security.known_clients import LEAST_SIGNS, load_token
from app.serve.server import ServeSettings
from app.terminal.exit_codes import EXTRAS, ExitCode, UsageError

TEXT = (PROJECT / "docs" / "serve.md").read_text(encoding="utf-8")

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(request: pytest.FixtureRequest) -> Start:
    """Starts the command on a port that is free, with one worker."""

    def begin(*arguments: str) -> "subprocess.Popen[str]":
        process = begin_python("-m", "app", "serve", "--port", "0", "--workers", "1", *arguments)

        def end() -> None:
            process.kill()
            process.communicate()

        request.addfinalizer(end)
        return process

    return begin


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_it_prints_the_address_and_ends_in_order(start: Start) -> None:
    process = start("--host", "127.0.0.1")

    url = present(process.stdout).readline().strip()
    with urllib.request.urlopen(url.partition("?")[0] + "api/health", timeout=30) as answer:
        status = answer.status
    workers = children_of(process.pid)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)

    assert status == 200
    assert "/?token=" in url
    assert (process.returncode, out) == (ExitCode.SOLVED, "")
    assert "only this computer can open the page" in errors
    assert "one worker does one thing at a time" in errors
    assert "Traceback" not in errors
    assert len(workers) == 1
    assert not any(Path(f"/proc/{worker}/cmdline").exists() for worker in workers)


def test_no_code_is_drawn_where_nobody_could_scan_it_and_what_a_killed_server_kept_by_half_goes(
    start: Start, tmp_path: Path
) -> None:
    kept = tmp_path / "20260101-120000-0123abcd.jpg"
    kept.write_bytes(b"a photo")
    (tmp_path / f".{kept.name}.0123abcd.tmp").write_bytes(b"half of one")
    process = start("--host", "127.0.0.1", "--quiet", "--keep", str(tmp_path))

    url = present(process.stdout).readline()
    process.send_signal(getattr(signal, "SIGHUP", signal.SIGTERM))
    out, errors = process.communicate(timeout=60)

    assert url.startswith("http://127.0.0.1:")
    assert (process.returncode, out, errors) == (ExitCode.SOLVED, "", "")
    assert list(tmp_path.iterdir()) == [kept]


def test_a_port_that_is_taken_ends_it(sudoku_lens: RunCommand) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])

        done = sudoku_lens("serve", "--host", "127.0.0.1", "--port", port)

    assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")
    assert done.stderr == (
        f"sudoku-lens: port {port} of 127.0.0.1 is taken; "
        "choose another with --port, or 0 for any\n"
    )


@pytest.mark.parametrize("name", ["", "two words", "sudoku.home:8080", "http://sudoku.home"])
def test_a_name_that_no_phone_could_open_ends_it(sudoku_lens: RunCommand, name: str) -> None:
    done = sudoku_lens("serve", "--host", "127.0.0.1", "--port", "0", "--name", name)

    assert (done.returncode, done.stdout) == (ExitCode.USAGE, "")
    assert f"{name!r} is no name" in done.stderr


def test_a_folder_that_cannot_be_made_ends_it(sudoku_lens: RunCommand, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    done = sudoku_lens("serve", "--keep", tmp_path / "file" / "photos")

    assert done.returncode == ExitCode.USAGE
    assert "Traceback" not in done.stderr


def test_a_folder_on_a_full_disk_is_named_at_the_start(start: Start, tmp_path: Path) -> None:
    with room_for(1_000_000):
        process = start("--host", "127.0.0.1", "--keep", str(tmp_path))

    present(process.stdout).readline()
    process.terminate()
    _, errors = process.communicate(timeout=60)

    assert f"no photo can be kept in {tmp_path}: " in errors
    assert "make room there, or name another folder with --keep" in errors
    assert "photos and reports are kept" not in errors
    assert not list(tmp_path.iterdir())


def test_every_option_is_listed_in_the_docs() -> None:
    from app.cli.command_line import _cli

    command = get_command(_cli).get_command(None, "serve")  # type: ignore[attr-defined]

    taken = {name for one in command.params for name in one.opts if name.startswith("--")}
    rows = re.findall(r"^- (`-[^:]+`): ", TEXT, flags=re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"--[a-z-]+", row)} == taken


def test_the_figures_of_the_docs_are_those_in_use() -> None:
    settings = ServeSettings()

    assert f"has less than {settings.least_free_bytes / 1e9:g} GB left" in TEXT
    assert f"more than {settings.task_seconds:g} seconds" in TEXT


@pytest.mark.parametrize("package", EXTRAS["serve"])
def test_without_the_extra_it_says_what_to_install(
    sudoku_lens_process: RunCommand, tmp_path: Path, package: str
) -> None:
    text = f"raise ModuleNotFoundError('No module named {package}', name={package!r})\n"
    (tmp_path / f"{package}.py").write_text(text)
    environment = {"PYTHONPATH": f"{tmp_path}{os.pathsep}{PROJECT}"}

    done = sudoku_lens_process("serve", environment=environment)

    assert done.returncode == ExitCode.MISSING
    assert f"(No module named {package}); run: pip install 'sudoku-lens[serve]'" in done.stderr


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
