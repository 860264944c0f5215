"""Overlays: named as the template says, never two alike, and never in an input's place."""

import io
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from app.batch.overlay_files import NamerOptions, OutputNamer, check_template
from app.batch.run_journal import Journal
from app.batch.sources import InputFile
from app.terminal.exit_codes import UsageError

NameAll = Callable[..., list[str]]


def found(path: Path, *, root: int = 0, folder: str = "") -> InputFile:
    return InputFile(str(path), str(path), "photo", root, path.name, folder)


@pytest.fixture
def name_all(tmp_path: Path) -> NameAll:
    """Names photos in the order given, and returns names below the output folder."""

    def choose(
        *photos: InputFile,
        journal: Path | None = None,
        template: str = "{stem}-solved{suffix}",
        is_sharded: bool = False,
        inputs: tuple[str, ...] = (),
    ) -> list[str]:
        opened = Journal.open(journal)
        options = NamerOptions(str(tmp_path / "out"), template, is_sharded)
        namer = OutputNamer(opened, options, lambda path: path in inputs)
        names = []
        for photo in photos:
            claim = namer.claim(photo)
            namer.take(claim, photo)
            names.append(os.path.relpath(claim.path, tmp_path / "out"))
        opened.commit()
        opened.close()
        return names

    return choose


def test_a_name_comes_from_the_photo_in_its_folder(name_all: NameAll, tmp_path: Path) -> None:
    photos = [found(tmp_path / "a.JPG"), found(tmp_path / "in" / "b.heic", folder="in")]

    assert name_all(*photos) == ["a-solved.jpg", "in/b-solved.jpg"]


def test_a_template_may_name_the_photos_folder(name_all: NameAll, tmp_path: Path) -> None:
    names = name_all(found(tmp_path / "may" / "a.png"), template="{folder} {stem}.webp")

    assert names == ["may a.webp"]


def test_names_alike_are_told_apart_alike_in_every_run(name_all: NameAll, tmp_path: Path) -> None:
    one, two = found(tmp_path / "x" / "a.heic"), found(tmp_path / "y" / "A.jpg", root=1)

    first = name_all(one, two, journal=tmp_path / "journal")
    second = name_all(two, one, journal=tmp_path / "journal")

    assert first == ["a-solved.jpg", "A-solved-2.jpg"]
    assert second == first[::-1]


def test_very_many_names_alike_are_told_apart(name_all: NameAll, tmp_path: Path) -> None:
    photos = [found(tmp_path / f"{n}" / "a.jpg", root=n) for n in range(120)]

    names = name_all(*photos)

    assert len(set(names)) == 120
    assert names[98] == "a-solved-99.jpg"


def test_a_photo_is_never_overwritten(name_all: NameAll, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / "out" / name).touch()
    photo = found(tmp_path / "out" / "a.jpg")

    assert name_all(photo, template="{stem}{suffix}") == ["a-2.jpg"]
    to_come = str(tmp_path / "out" / "b.jpg")
    assert name_all(photo, template="b{suffix}", inputs=(to_come,)) == ["b-2.jpg"]


def test_shards_cannot_choose_the_same_name(name_all: NameAll, tmp_path: Path) -> None:
    one, two = found(tmp_path / "a.jpg"), found(tmp_path / "a.heic")

    (name,) = name_all(one, is_sharded=True)
    (other,) = name_all(two, is_sharded=True)

    assert name == "a-solved.jpg"
    assert other.startswith("a-solved-")


def test_a_name_that_is_too_long_is_cut(name_all: NameAll, tmp_path: Path) -> None:
    names = name_all(found(tmp_path / f"{'é' * 125}.jpg"), found(tmp_path / f"{'é' * 124}.jpg"))

    assert len(set(names)) == 2
    assert max(len(os.fsencode(name)) for name in names) <= 240


@pytest.mark.parametrize(
    ("template", "fault"),
    [
        ("{stem}", "must end with {suffix}"),
        ("{stem}.gif", "must end with {suffix}"),
        ("{name}{suffix}", "there is no {name}"),
        ("{stem.upper}{suffix}", "there is no {stem.upper}"),
        ("{stem", "write a brace itself twice"),
        ("{folder}/{stem}{suffix}", "must name a file, not a folder"),
        ("../{stem}{suffix}", "must name a file, not a folder"),
    ],
)
def test_a_template_that_names_no_picture_is_refused(template: str, fault: str) -> None:
    with pytest.raises(UsageError, match=fault.replace("{", r"\{")):
        check_template(template)


RunPlanted = Callable[..., int]


def plant(**words: str) -> None:
    for name, word in words.items():
        Path("album", f"{name}.jpg").write_text(f"{word} {name}")


def overlays() -> list[str]:
    return sorted(path.name for path in Path("out").glob("*.jpg"))


def put_on_stdin(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    lines = "".join(f"{name}\n" for name in names)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))


def put_in_the_way(folder: str = "out") -> Path:
    """Write a photo that is called like the overlay of `album/a.jpg`."""
    photo = Path(folder, "a-solved.jpg")
    photo.parent.mkdir(parents=True, exist_ok=True)
    photo.write_text("solved mine")
    return photo


@pytest.mark.parametrize(
    ("folder", "link", "target", "named", "output_dir"),
    [
        ("out", None, None, ["-"], "out"),
        ("out", "album/z.jpg", "out/a-solved.jpg", ["album"], "out"),
        ("album", "link", "album", ["link"], "album"),
        ("out/inner", "album/link", "out/inner", ["album/link/a-solved.jpg", "album/a.jpg"],
         "out/inner"),
        ("out", None, None, ["*/a*.jpg"], "out"),
        ("out", None, None, ["[ao]*/a*.jpg"], "out"),
    ],
    ids=["list", "link", "linked folder", "through a linked folder", "pattern", "brackets"],
)  # fmt: skip
def test_an_input_is_not_overwritten_by_whatever_name_it_is_reached(
    run: RunPlanted,
    monkeypatch: pytest.MonkeyPatch,
    folder: str,
    link: str | None,
    target: str | None,
    named: list[str],
    output_dir: str,
) -> None:
    plant(a="solved")
    photo = put_in_the_way(folder)
    if link is not None and target is not None:
        Path(link).symlink_to(Path(target).resolve())
    put_on_stdin(monkeypatch, "album/a.jpg", str(photo))

    run(*named, output_dir=Path(output_dir), overwrite=True)

    assert photo.read_text() == "solved mine"
    assert Path(output_dir, "a-solved-2.jpg").exists()


@pytest.mark.parametrize("shard", ["1/3", "2/3", "3/3"])
def test_photos_behind_a_link_are_overwritten_by_no_shard(run: RunPlanted, shard: str) -> None:
    plant(a="solved")
    photo = put_in_the_way("album")
    Path("link").symlink_to("album")

    run("link", output_dir=Path("album"), overwrite=True, shard=shard)

    assert photo.read_text() == "solved mine"


def test_photos_at_a_local_address_are_not_overwritten(run: RunPlanted, tmp_path: Path) -> None:
    pytest.importorskip("fsspec", reason="fsspec is not installed")
    plant(a="solved")
    photo = put_in_the_way()

    run("album/a.jpg", f"file://{tmp_path}/out", overwrite=True)

    assert photo.read_text() == "solved mine"


def test_files_that_nobody_named_are_overwritten_on_request(
    run: RunPlanted, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(a="solved")
    photo = put_in_the_way()
    put_on_stdin(monkeypatch, "album/a.jpg")

    run("-", overwrite=True)

    assert photo.read_text() == "solved a"


def test_a_photo_where_an_overlay_was_planned_is_not_overwritten(run: RunPlanted) -> None:
    plant(a="empty")
    run()  # which keeps the name for an overlay that is not drawn
    photo = put_in_the_way()
    plant(a="solved")

    run("album", str(photo), overwrite=True)

    assert photo.read_text() == "solved mine"
    assert "a-solved-2.jpg" in overlays()


def test_a_photo_with_the_name_that_a_shard_gives_is_not_overwritten(run: RunPlanted) -> None:
    plant(a="solved")
    for shard in ("1/2", "2/2"):
        run(name="{folder}{suffix}", shard=shard)
    (overlay,) = overlays()
    for journal in Path("out").glob("*.sqlite"):
        journal.unlink()
    photo = Path("out", overlay)
    photo.write_text("solved mine")

    refused = []
    for shard in ("1/2", "2/2"):
        try:
            run("album", str(photo), name="{folder}{suffix}", shard=shard, overwrite=True)
        except UsageError as error:
            refused.append(str(error))

    assert len(refused) == 1
    assert "is one of the inputs" in refused[0]
    assert photo.read_text() == "solved mine"


def test_a_file_that_is_in_the_way_of_an_unsolved_photo_is_left(run: RunPlanted) -> None:
    plant(a="empty")
    stranger = put_in_the_way()

    run(overwrite=True)

    assert stranger.read_text() == "solved mine"


def test_a_list_is_worked_off_to_its_end_whatever_is_in_the_way(
    run: RunPlanted, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(a="solved", b="solved", c="solved")
    photo = put_in_the_way()
    gap = "\n" * 100_000  # more than is read at once
    put_on_stdin(monkeypatch, "album/a.jpg", gap, "album/b.jpg", gap, "album/c.jpg")

    code = run(str(photo), "-", name="{stem}-solved{suffix}")

    assert code == 0
    assert photo.read_text() == "solved mine"
    assert overlays() == [
        "a-solved-2.jpg",
        "a-solved-solved.jpg",
        "a-solved.jpg",
        "b-solved.jpg",
        "c-solved.jpg",
    ]


def test_what_a_killed_run_may_have_written_is_not_removed(run: RunPlanted) -> None:
    plant(a="solved")
    run()
    with closing(Journal.open(Path("out/sudoku-lens-journal.sqlite"))) as journal:
        journal.begin_output(str(Path("out/a-solved.jpg").resolve()))
        journal.commit()
    Path("album/a.jpg").rename("album/b.jpg")

    run()

    assert overlays() == ["a-solved.jpg", "b-solved.jpg"]
