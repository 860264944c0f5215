"""The page's own files: from a fixed table, asked about at each visit, packed where that helps."""

import gzip
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")

from fastapi.testclient import TestClient
from serve_rig import SETTINGS, TOKEN, Inline

from app.serve.api.application import make_application
from app.serve.api.page_files import FOLDER, read_page

if TYPE_CHECKING:
    from app.recognition.pipeline import Pipeline

SCRIPT = "let board = 81;\n" * 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text("<!doctype html><title>Sudoku</title>")
    (page / "main.js").write_text(SCRIPT)
    (page / "icon-192.png").write_bytes(b"\x89PNG")
    (page / "service-worker.js").write_text("")
    (page / "notes.py").write_text("secret = 1")
    (page / "folder.js").mkdir()
    (tmp_path / "outside.js").write_text("secret")
    return page


@pytest.fixture
def client(folder: Path, pipeline: "Pipeline") -> TestClient:
    application = make_application(SETTINGS, cast(Any, Inline(pipeline)), page=read_page(folder))
    return TestClient(application, headers={"Accept-Encoding": "identity"})


def test_only_files_of_the_page_have_an_address(folder: Path) -> None:
    assert set(read_page(folder)) == {"/", "/page/main.js", "/icon-192.png", "/service-worker.js"}


def test_everybody_gets_the_files_which_hold_no_secret(client: TestClient) -> None:
    assert client.get("/page/main.js").text == SCRIPT
    assert client.get("/icon-192.png").headers["content-type"] == "image/png"
    assert "Sudoku</title>" in client.get("/").text
    assert client.get("/api/session").status_code == 401
    assert client.get("/", params={"token": "wrong"}).status_code == 401
    assert "Sudoku</title>" in client.get("/", params={"token": TOKEN}).text


def test_a_file_that_is_known_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/page/main.js")
    tag = first.headers["etag"]

    again = client.get("/page/main.js", headers={"If-None-Match": f'"other", W/{tag}'})

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag
    assert first.headers["cache-control"] == "no-cache"
    assert client.get("/page/main.js", headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_file_that_has_changed_has_another_tag(folder: Path) -> None:
    before = read_page(folder)["/page/main.js"].tag

    (folder / "main.js").write_text("let board = 80;")

    assert read_page(folder)["/page/main.js"].tag != before


def test_files_are_packed_for_who_can_unpack_them(client: TestClient) -> None:
    with client.stream("GET", "/page/main.js", headers={"Accept-Encoding": "gzip"}) as response:
        sent = b"".join(response.iter_raw())

    assert response.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in response.headers["vary"].lower()
    assert gzip.decompress(sent).decode() == SCRIPT
    assert "content-encoding" not in client.get("/page/main.js").headers


def test_a_head_is_answered_without_the_file(client: TestClient) -> None:
    response = client.head("/page/main.js")

    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["content-length"] == str(len(SCRIPT))


@pytest.mark.parametrize(
    "path",
    [
        "/page/notes.py",
        "/page/..%2foutside.js",
        "/page/MAIN.JS",
        "/page/main.js%00",
        "/page/folder.js",
        "/outside.js",
    ],
)
def test_nothing_else_can_be_named(client: TestClient, path: str) -> None:
    client.get("/", params={"token": TOKEN})

    response = client.get(path, follow_redirects=False)

    assert response.status_code == 404
    assert "secret" not in response.text


def test_the_page_that_ships_is_whole() -> None:
    files = read_page()

    assert {"/", "/manifest.webmanifest", "/service-worker.js"} <= set(files)
    assert {path.name for path in FOLDER.iterdir()} == {
        "index.html" if path == "/" else path.rpartition("/")[2] for path in files
    }
