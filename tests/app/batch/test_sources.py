"""Photos at addresses: listed here, read by whoever works on them."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.batch.inputs import InputLister, InputNames
from app.batch.sources import (
    UNKNOWN_STAMP,
    InputFile,
    _stamp_of,
    is_address,
    list_address,
    read_source,
)
from app.terminal.exit_codes import MissingError

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")


@pytest.fixture
def memory() -> Iterator[Any]:
    """A file system in memory with an album of two folders."""
    files = fsspec.filesystem("memory")
    for name in ("b.jpg", "a.JPG", "a.txt", ".hidden.jpg", "inner/c.png", "inner/d d#.jpg"):
        files.pipe_file(f"/album/{name}", name.encode())
    yield files
    files.rm("/album", recursive=True)


def listed(name: str, *, recursive: bool = False) -> list[InputFile]:
    complaints: list[str] = []
    lister = InputLister(InputNames((name,), recursive), lambda _: False, complaints.append)
    found = list(lister.files())
    assert complaints == []
    return found


def test_addresses_are_told_from_paths() -> None:
    assert all(map(is_address, ["s3://bucket/a", "file:///a", "memory://a", "abfs://c@host/a"]))
    paths = ["album", "/album", "C:\\album", "a:b", "./s3:/a", "-", "1://a"]
    assert not any(map(is_address, paths))


@pytest.mark.usefixtures("memory")
def test_photos_of_a_folder_are_listed_in_order() -> None:
    found = listed("memory://album")

    assert [one.path for one in found] == ["memory:///album/a.JPG", "memory:///album/b.jpg"]
    assert [one.place for one in found] == ["a.JPG", "b.jpg"]
    assert {one.folder for one in found} == {""}


@pytest.mark.usefixtures("memory")
def test_folders_are_entered_to_their_depth() -> None:
    found = listed("memory://album/", recursive=True)

    assert [one.place for one in found] == ["a.JPG", "b.jpg", "inner/c.png", "inner/d d#.jpg"]
    assert [one.folder for one in found] == ["", "", "inner", "inner"]


def test_galleries_are_not_entered(memory: Any) -> None:
    for name in ("sudoku-lens-gallery.txt", "rows.js", "thumbs/00/a.jpg"):
        memory.pipe_file(f"/album/pages/index_files/{name}", b"x")

    found = listed("memory://album", recursive=True)

    assert [one.place for one in found] == ["a.JPG", "b.jpg", "inner/c.png", "inner/d d#.jpg"]


@pytest.mark.usefixtures("memory")
def test_a_pattern_and_a_single_photo_can_be_named() -> None:
    assert [one.place for one in listed("memory://album/*.jpg")] == ["b.jpg"]
    assert [one.place for one in listed("memory://album/inner/c.png")] == ["c.png"]


def test_what_is_listed_can_be_read(memory: Any, tmp_path: Path) -> None:
    (tmp_path / "a b.jpg").write_bytes(b"here")

    assert [read_source(one.path) for one in listed("memory://album/inner")] == [
        b"inner/c.png",
        b"inner/d d#.jpg",
    ]
    assert [read_source(one.path) for one in listed(f"file://{tmp_path}")] == [b"here"]
    assert read_source(str(tmp_path / "a b.jpg")) == b"here"


def test_a_stamp_changes_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_text("one")
    (before,) = listed(f"file://{path}")
    (same,) = listed(f"file://{path}")
    path.write_text("three")
    (after,) = listed(f"file://{path}")

    assert before.stamp == same.stamp != after.stamp


def test_a_mark_of_the_content_is_part_of_the_stamp() -> None:
    first = _stamp_of({"name": "a", "size": 3, "ETag": "one"})
    second = _stamp_of({"name": "a", "size": 3, "ETag": "two"})

    assert first != second
    assert _stamp_of({"name": "a", "size": 3}) == UNKNOWN_STAMP


def test_what_cannot_be_listed_is_told() -> None:
    complaints: list[str] = []
    lister = InputLister(InputNames(("memory://nowhere",)), lambda _: False, complaints.append)

    assert list(lister.files()) == []
    assert complaints[0].startswith("memory://nowhere cannot be listed: ")


def test_what_cannot_be_read_is_an_error_of_the_system() -> None:
    with pytest.raises(OSError, match="nowhere"):
        read_source("memory://nowhere.jpg")


@pytest.mark.parametrize("address", ["nosuch://bucket/a", "memory://album"])
def test_a_package_that_is_missing_is_named(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if address.startswith("memory"):
        monkeypatch.setitem(sys.modules, "fsspec", None)

    with pytest.raises(MissingError, match=r"nosuch|pip install 'sudoku-lens\[cluster\]'"):
        list(list_address(address, is_recursive=False))
