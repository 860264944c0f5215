"""What a batch never replaces: photos that it was given, by whatever name they are reached."""

import io
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from app.batch.run_journal import Journal
from app.terminal.exit_codes import UsageError

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
