"""The gallery: every photo of a run, from the journal, with nothing from elsewhere."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from page_rig import opening
from PIL import Image
from planted_work import load_planted

from app.batch.inputs import InputLister, InputNames
from app.batch.overlay_files import Outputs
from app.batch.run_journal import Journal, StoredResult
from app.batch.run_report import THUMB_PX, check_gallery, page_of, write_gallery
from app.batch.sources import InputFile, Stamp
from app.cli.batch_command import run_batch
from app.cli.command_options import BatchOptions
from app.recognition.outcome import Outcome
from app.terminal.exit_codes import UsageError

STAMP = Stamp(1, 1)
BOARD = {"clues": "12......." + "." * 72, "advice": ["Take it again."]}


@pytest.fixture
def journal() -> Iterator[Journal]:
    kept = Journal.open(None)
    kept.begin_run("settings")
    yield kept
    kept.close()


def note(
    journal: Journal, photo: Path, outcome: str, overlay: Path | None = None, **more: Any
) -> None:
    """Note a photo and what came of it."""
    path, digest = str(photo), str(photo).encode(errors="surrogateescape")
    output = None if overlay is None else str(overlay)
    journal.note_input(InputFile(path, photo.name, "photo", 0, path, ""), STAMP, digest, output)
    record = {"outcome": outcome, "boards": [BOARD], "seconds": {"a": 0.25, "b": 0.5}, **more}
    journal.note_result(digest, StoredResult(outcome, json.dumps(record), 0.75, None))


def draw(path: Path, width: int = 900, height: int = 600, turned: int | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    image, exif = Image.new("RGB", (width, height), (200, 30, 30)), Image.Exif()
    if turned is not None:
        exif[0x0112] = turned
    image.save(path, exif=exif)
    return path


def read_rows(page: Path) -> list[list[Any]]:
    text = (page.with_name(f"{page.stem}_files") / "rows.js").read_text()
    match = re.fullmatch(r"const rows = (\[.*?),?\n\];\n", text, re.DOTALL)
    assert match
    rows: list[list[Any]] = json.loads(f"{match[1]}\n]")
    return rows


def write_rows(journal: Journal, folder: Path) -> list[list[Any]]:
    write_gallery(journal, folder / "g.html")
    return read_rows(folder / "g.html")


def thumbs_of(page: Path) -> list[Path]:
    return sorted(page.with_name(f"{page.stem}_files").rglob("*.jpg"))


def test_a_row_tells_what_came_of_a_photo_and_where_its_pictures_are(
    journal: Journal, tmp_path: Path
) -> None:
    photo = draw(tmp_path / "album" / "a #1.jpg")
    overlay = draw(tmp_path / "out" / "a #1-solved.jpg", 600, 900)
    note(journal, photo, "solved", overlay)

    n = write_gallery(journal, tmp_path / "gallery")

    page = tmp_path / "gallery" / "index.html"
    ((name, outcome, seconds, clues, thumb, drawn, taken, notes, kinds),) = read_rows(page)
    assert n == 1
    assert (name, outcome, seconds, clues) == ("a #1.jpg", "solved", 0.75, [2])
    assert (notes, kinds) == ("Take it again.", ["classic"])
    assert (page.parent / unquote(drawn)).resolve() == overlay
    assert (page.parent / unquote(taken)).resolve() == photo
    with Image.open(page.parent / "index_files" / "thumbs" / thumb) as small:
        assert small.size == (THUMB_PX * 2 // 3, THUMB_PX)


def test_the_page_finds_its_rows_and_thumbnails(journal: Journal, tmp_path: Path) -> None:
    note(journal, draw(tmp_path / "a.png"), "no_board")

    write_gallery(journal, tmp_path / "what i saw.html")

    page = (tmp_path / "what i saw.html").read_text()
    assert '<script src="what%20i%20saw_files/rows.js"></script>' in page
    assert 'const files = "what%20i%20saw_files";' in page
    assert "FOLDER-OF-FILES" not in page
    assert (tmp_path / "what i saw_files" / "rows.js").exists()


def test_nothing_comes_from_elsewhere(journal: Journal, tmp_path: Path) -> None:
    write_gallery(journal, tmp_path / "gallery.html")

    page = (tmp_path / "gallery.html").read_text()

    assert "//" not in re.sub(r"(?m)  // .*$", "", page)
    assert all(f"{outcome}:" in page for outcome in Outcome)


def test_names_are_never_markup(journal: Journal, tmp_path: Path) -> None:
    evil = '<img src=x onerror="alert(1)">&\u2028\udcff.jpg'
    note(journal, draw(tmp_path / "a.jpg").rename(tmp_path / evil), "no_board", error=evil[:-5])

    ((name, *_, taken, notes, _),) = write_rows(journal, tmp_path)

    page = (tmp_path / "g.html").read_text()
    assert name == evil.replace("\udcff", "?")
    assert notes.startswith("<img")
    assert not set("<>\"'") & set(taken)
    assert "onerror=" not in page
    assert "innerHTML" not in page


def test_thumbnails_are_made_anew_when_a_picture_changes(journal: Journal, tmp_path: Path) -> None:
    photo = draw(tmp_path / "a.jpg")
    note(journal, photo, "unreadable")
    page = tmp_path / "g.html"

    write_gallery(journal, page)
    (first,) = thumbs_of(page)
    first.write_bytes(b"kept")
    write_gallery(journal, page)
    kept = first.read_bytes()
    draw(photo, 400, 900)
    write_gallery(journal, page)

    assert kept == b"kept"
    assert len(thumbs_of(page)) == 2


def test_what_is_no_picture_has_no_thumbnail(journal: Journal, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_text("text")
    (tmp_path / "b.jpg").write_bytes(b"\xff\xd8 cut off")
    for name in ("a.jpg", "b.jpg", "gone.jpg"):
        note(journal, tmp_path / name, "bad_image")

    assert [row[4] for row in write_rows(journal, tmp_path)] == [None] * 3


def test_photos_at_addresses_are_linked_where_browsers_can_open_them(
    journal: Journal, tmp_path: Path
) -> None:
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    photo = draw(tmp_path / "a.jpg")
    for place, path in enumerate([f"file://{photo}", "memory://there/b.jpg"]):
        record = json.dumps({"outcome": "no_board", "boards": [], "seconds": {}})
        found = InputFile(path, path, "photo", 0, str(place), "")
        journal.note_input(found, STAMP, path.encode())
        journal.note_result(path.encode(), StoredResult("no_board", record, 0.0, None))

    first, second = write_rows(journal, tmp_path)

    assert first[6] == f"file://{photo}"
    assert first[4] is not None
    assert (second[4], second[6]) == (None, None)


def test_a_row_says_which_other_puzzle_a_photo_shows(journal: Journal, tmp_path: Path) -> None:
    note(journal, tmp_path / "a.jpg", "no_board", boards=[], looks_like="crossword")

    (row,) = write_rows(journal, tmp_path)

    assert (row[1], row[7]) == ("no_board", "This seems to be a crossword, not a Sudoku.")


LARGE = [str(number) for number in range(1, 17)]
KINDS = {
    "killer.jpg": [{**BOARD, "kind": "killer", "side": 9}],
    "page.jpg": [
        {**BOARD, "kind": "jigsaw", "side": 6},
        {**BOARD, "kind": "classic", "side": 16, "symbols": LARGE},
        BOARD,
    ],
    "classic.jpg": [BOARD],
}


def test_a_row_tells_kinds_sides_and_symbols(journal: Journal, tmp_path: Path) -> None:
    for name, boards in KINDS.items():
        note(journal, tmp_path / name, "solved", boards=boards)

    assert {row[0]: row[8] for row in write_rows(journal, tmp_path)} == {
        "killer.jpg": ["killer"],
        "page.jpg": ["jigsaw 6×6", "classic 16×16 (1…16)", "classic"],
        "classic.jpg": ["classic"],
    }


@pytest.mark.slow  # it starts a browser
def test_photos_are_filtered_by_the_kinds_on_them(journal: Journal, tmp_path: Path) -> None:
    for name, boards in KINDS.items():
        note(journal, tmp_path / name, "solved", boards=boards)
    write_gallery(journal, tmp_path / "g.html")

    with opening([]) as chromium:
        page = chromium.new_page()
        page.goto((tmp_path / "g.html").as_uri())
        buttons = page.locator("#kinds button").all_inner_texts()
        page.click("#kinds button:has-text('jigsaw')")
        # Cards are laid out once they are seen, which their text does not wait for.
        names = page.locator(".card .name").all_text_contents()
        facts = page.locator(".card .facts").all_text_contents()

    assert buttons == ["All 3", "classic 2", "classic 16×16 (1…16) 1", "jigsaw 6×6 1", "killer 1"]
    assert names == ["page.jpg"]
    assert "jigsaw 6×6, classic 16×16 (1…16), classic" in facts[0]


@pytest.mark.parametrize("name", ["taken", "page.html", "other.html"])
def test_a_gallery_that_cannot_be_written_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "taken").write_text("a file")
    (tmp_path / "page.html").mkdir()
    (tmp_path / "other_files").write_text("a file")

    with pytest.raises(UsageError, match="--html"):
        check_gallery(tmp_path / name)


def test_the_command_writes_it_and_writes_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("album").mkdir()
    Path("album/a.jpg").write_text("solved a")
    gallery = Path("album/gallery")
    thumb = draw(gallery / "index_files" / "thumbs" / "00" / "old.jpg")
    chosen = BatchOptions(
        output_dir=Path("out"), html=gallery, recursive=True, jobs=1, journal=Path("journal")
    )

    code = run_batch(["album"], chosen, load_planted)
    told = capsys.readouterr().out
    page_of(gallery).unlink()
    again = run_batch([], BatchOptions(html=gallery, journal=Path("journal")))

    assert (code, again) == (0, 0)
    assert thumb.exists()
    assert [row[0] for row in read_rows(page_of(gallery))] == ["album/a.jpg"]  # no thumbnail
    assert f"Gallery: {page_of(gallery)}\n" in told
    assert f"1 in {page_of(gallery)}: 1 solved" in capsys.readouterr().out


def test_what_a_killed_run_left_half_written_goes(journal: Journal, tmp_path: Path) -> None:
    note(journal, draw(tmp_path / "a.jpg"), "no_board")
    page = tmp_path / "g.html"
    write_gallery(journal, page)
    left = [
        tmp_path / ".g.html.01234567.tmp",
        tmp_path / "g_files" / ".rows.js.01234567.tmp",
        thumbs_of(page)[0].with_name(".0123456789abcdef012345.jpg.01234567.tmp"),
    ]
    for path in left:
        path.write_text("half")
    stranger = tmp_path / ".g.html.tmp"
    stranger.write_text("mine")

    write_gallery(journal, page)

    assert not [path for path in left if path.exists()]
    assert stranger.exists()
    assert len(thumbs_of(page)) == 1


def test_later_runs_do_not_enter_a_gallery_among_photos(journal: Journal, tmp_path: Path) -> None:
    album = tmp_path / "album"
    note(journal, draw(album / "a.jpg"), "no_board")
    write_gallery(journal, album / "pages" / "all.html")
    draw(album / "b_files" / "b.jpg")  # a folder of the user's
    ours = Outputs(journal, None)

    for name in (str(album), f"{album}/**/*.jpg", f"file://{album}"):
        if name.startswith("file:"):
            pytest.importorskip("fsspec", reason="fsspec is not installed")
        lister = InputLister(InputNames((name,), recursive=True), ours.include, print)
        found = [one.path.removeprefix("file://") for one in lister.files()]
        assert found == [str(album / "a.jpg"), str(album / "b_files" / "b.jpg")]


def test_thumbnails_of_a_gallery_that_was_killed_are_no_photos(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(journal, draw(tmp_path / "a.jpg"), "no_board")
    monkeypatch.setattr("app.batch.run_report._describe", None)  # fails when a thumbnail is there

    with pytest.raises(TypeError):
        write_gallery(journal, tmp_path / "g.html")

    lister = InputLister(
        InputNames((str(tmp_path),), recursive=True), Outputs(journal, None).include, print
    )
    assert [one.path for one in lister.files()] == [str(tmp_path / "a.jpg")]


def test_overlays_of_another_journal_among_the_photos_are_no_photos(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("album/in").mkdir(parents=True)
    for name in ("a", "in/b"):
        Path(f"album/{name}.jpg").write_text(f"solved {name}")
    wishes: dict[str, Any] = {"recursive": True, "jobs": 1}
    for shard in ("1/2", "2/2"):
        run_batch(
            ["album"], BatchOptions(output_dir=Path("album"), shard=shard, **wishes), load_planted
        )
    run_batch(["album"], BatchOptions(output_dir=Path("album/out"), **wishes), load_planted)
    capsys.readouterr()

    run_batch(["album"], BatchOptions(output_dir=Path("other"), **wishes), load_planted)
    run_batch(["album/in"], BatchOptions(report=Path("r.jsonl"), **wishes), load_planted)

    assert len(list(Path("album").rglob("*-solved.jpg"))) == 4
    told = capsys.readouterr().out
    assert "2 photos: 2 solved" in told
    assert "1 photo: 1 solved" in told
