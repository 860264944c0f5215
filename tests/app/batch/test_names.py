"""Names of overlays: as the template says, never two alike, the same in every run."""

import os
from collections.abc import Callable
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
