"""What a batch works on: folders, patterns, lists, links, names that are no text."""

import io
import os
import sys
from pathlib import Path

import pytest
from puzzles import EASY

from app.batch.inputs import InputLister, InputNames, holds_puzzles, read_names
from app.terminal.exit_codes import InputError

pytestmark = pytest.mark.usefixtures("album")


class Listing:
    """Lists names, and keeps what was complained about."""

    def __init__(self, *names: str | Path, recursive: bool = False, stdin: bytes = b"") -> None:
        self.complaints: list[str] = []
        self.outputs: set[str] = set()
        naming = InputNames(tuple(map(str, names)), recursive)
        self._lister = InputLister(
            naming, lambda path: path in self.outputs, self.complaints.append, io.BytesIO(stdin)
        )

    def files(self) -> list[str]:
        return [found.file for found in self._lister.files()]

    def folders(self) -> list[str]:
        return [found.folder for found in self._lister.files()]


@pytest.fixture
def album(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ["b.jpg", "a.PNG", ".b.jpg", "notes.txt", "film.mp4", "in/c.heic", "in/d/e.gif"]:
        path = tmp_path / "album" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "album"


def test_a_folder_gives_its_photos_in_order_and_leaves_the_rest() -> None:
    assert Listing("album").files() == ["album/a.PNG", "album/b.jpg"]


def test_folders_are_entered_on_request_and_outputs_keep_them() -> None:
    listing = Listing("album", recursive=True)

    assert listing.files() == ["album/a.PNG", "album/b.jpg", "album/in/c.heic", "album/in/d/e.gif"]
    assert listing.folders() == ["", "", "in", "in/d"]


def test_a_pattern_that_no_shell_has_opened_is_opened() -> None:
    assert Listing("album/*.jpg").files() == ["album/b.jpg"]
    deep = Listing("album/**/*.[gh]*", recursive=True)
    assert deep.files() == ["album/in/c.heic", "album/in/d/e.gif"]
    assert deep.folders() == ["in", "in/d"]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(album: Path) -> None:
    (album / "f[1].jpg").write_text("x")

    assert Listing("album/f[1].jpg").files() == ["album/f[1].jpg"]


def test_a_pattern_without_a_match_is_told() -> None:
    listing = Listing("album/*.webp")

    assert listing.files() == []
    assert listing.complaints == ["album/*.webp matches nothing; check the pattern"]


def test_links_that_lead_in_a_circle_end(album: Path) -> None:
    (album / "in" / "back").symlink_to(album)
    (album / "in" / "self").symlink_to("self")
    (album / "loop.jpg").symlink_to("loop.jpg")

    listing = Listing("album", recursive=True)

    assert listing.files()[:3] == ["album/a.PNG", "album/b.jpg", "album/loop.jpg"]
    assert len(listing.files()) == 5


def test_what_runs_have_written_is_left_out(album: Path) -> None:
    listing = Listing("album", recursive=True)
    listing.outputs = {str(album / "b.jpg"), str(album / "in")}

    assert listing.files() == ["album/a.PNG"]


def test_a_text_counts_where_it_begins_with_puzzles(album: Path) -> None:
    (album / "puzzles.txt").write_text(f"# from a magazine\n{EASY}\n{EASY}\n")
    (album / "puzzles.sdm").write_bytes(f"\ufeff{EASY}\r\n".encode())

    assert Listing("album").files()[-2:] == ["album/puzzles.sdm", "album/puzzles.txt"]
    assert not holds_puzzles(str(album / "notes.txt"))
    assert not holds_puzzles(str(album / "missing.txt"))


def test_a_list_names_files_and_folders(album: Path) -> None:
    listing = Listing("-", stdin=f"album/b.jpg\r\n\nmissing.jpg\n{album / 'in'}".encode())

    assert listing.files() == ["album/b.jpg", "missing.jpg", str(album / "in" / "c.heic")]


def test_a_list_may_end_names_with_null_bytes() -> None:
    names = list(read_names(io.BytesIO(b"one\ntwo.jpg\0three.jpg\0"), b"\0"))

    assert names == ["one\ntwo.jpg", "three.jpg"]


def test_null_bytes_in_a_list_of_lines_are_refused() -> None:
    with pytest.raises(InputError, match="add --null"):
        list(read_names(io.BytesIO(b"one.jpg\0two.jpg\0"), b"\n"))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems' names are text")
def test_names_need_not_be_text(album: Path) -> None:
    name = os.fsdecode(b"caf\xe9.jpg")
    (album / name).write_text("x")

    assert Listing("album").files()[-1] == f"album/{name}"
    assert Listing("-", stdin=os.fsencode(f"album/{name}")).files() == [f"album/{name}"]


def test_a_folder_that_may_not_be_listed_is_told(album: Path) -> None:
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        pytest.skip("root may list every folder")
    (album / "in").chmod(0)

    listing = Listing("album", recursive=True)
    files = listing.files()
    (album / "in").chmod(0o700)

    assert files == ["album/a.PNG", "album/b.jpg"]
    assert listing.complaints == ["album/in cannot be listed: Permission denied"]


def test_a_name_that_leads_up_from_a_link_is_where_the_system_finds_it(album: Path) -> None:
    (album / "link").symlink_to(album / "in" / "d")

    lister = InputLister(InputNames(("album/link/../c.heic",)), lambda _: False, print)

    assert [found.path for found in lister.files()] == [str(album.resolve() / "in" / "c.heic")]
