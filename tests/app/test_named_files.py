"""Files that a command names: texts that are read, and where overlays go."""

from pathlib import Path

import pytest

from app.terminal.exit_codes import InputError, UsageError
from app.terminal.named_files import check_folder, distinct_stems, plan_outputs, read_lines


@pytest.mark.parametrize(
    ("names", "output", "planned"),
    [
        (["a.jpg"], "new/out.png", ["new/out.png"]),
        (["a.jpg"], "new", ["new/a-solved.jpg"]),
        (["a.jpg"], "new/", ["new/a-solved.jpg"]),
        (["a.jpg"], ".", ["a-solved.jpg"]),
        (["a.png"], "odd.jpg", ["odd.jpg/a-solved.png"]),
        (["a.jpg"], "x.gif/", ["x.gif/a-solved.jpg"]),
        (["a.jpg"], "2026.11", ["2026.11/a-solved.jpg"]),
        (["a.jpg"], "photos.d", ["photos.d/a-solved.jpg"]),
        (["a.heic"], ".", ["a-solved.jpg"]),
        (["a.jpg", "a-solved.jpg"], ".", ["a-solved-2.jpg", "a-solved-solved.jpg"]),
        (["twin.jpg"], ".", ["twin-solved-2.jpg"]),
        (["a.jpg", "-"], None, [None, None]),
    ],
)
def test_a_name_with_an_ending_of_pictures_is_a_file_and_all_else_a_folder(
    workplace: Path, names: list[str], output: str | None, planned: list[str | None]
) -> None:
    before = sorted(workplace.rglob("*"))

    assert plan_outputs(names, output) == [None if one is None else Path(one) for one in planned]
    assert sorted(workplace.rglob("*")) == before


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The present folder: with a folder called like a picture, and photos of several names."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd.jpg").mkdir()
    (tmp_path / "twin.jpg").touch()
    (tmp_path / "link.jpg").symlink_to("twin.jpg")
    # Second names of one file, as a file system that ignores case gives them by itself.
    if not (tmp_path / "TWIN.JPG").exists():
        (tmp_path / "TWIN.JPG").hardlink_to("twin.jpg")
    (tmp_path / "twin-solved.jpg").hardlink_to("twin.jpg")
    return tmp_path


def test_photos_of_one_name_get_different_overlays(tmp_path: Path) -> None:
    names = ["one/a.jpg", "two/a.jpg", "A.jpg", "a-2.jpg", "-"]

    planned = plan_outputs(names, str(tmp_path))

    assert all(planned)
    assert len({str(path).lower() for path in planned}) == len(names)
    assert planned[-1] == tmp_path / "stdin-solved.jpg"


NO_PICTURES = ("x.gif", "x.HEIC", "new/x.pdf", "x.avif", "x.jp2", "x.txt")


@pytest.mark.usefixtures("workplace")
@pytest.mark.parametrize(
    ("name", "told"),
    [
        *((one, "would replace the photo itself") for one in ("twin.jpg", "link.jpg", "TWIN.JPG")),
        *((one, r"cannot write .*; end it with \.bmp, .*\.png") for one in NO_PICTURES),
        ("", "the output after -o is empty; name a file or a folder"),
    ],
)
def test_photos_and_what_is_no_picture_are_refused_as_output(name: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        plan_outputs(["twin.jpg"], name)


def test_a_folder_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(UsageError, match="file is not a folder"):
        check_folder(tmp_path / "file" / "below" / "deep")


def test_stems_stay_as_they_are_where_they_differ() -> None:
    assert distinct_stems(["x/a.jpg", "b.png"]) == ["a", "b"]


def test_progress_tells_bytes_while_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("a line of a long file\n" * 20_000)
    told: list[int] = []

    count = sum(1 for _ in read_lines(path, told.append))

    assert count == 20_000
    assert len(told) > 20
    assert 0.9 * path.stat().st_size < sum(told) <= path.stat().st_size


def test_a_line_without_an_end_comes_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "endless.txt"
    path.write_text("5" * 2_500_000)

    lengths = [len(line) for line in read_lines(path)]

    assert lengths == [1_000_000, 1_000_000, 500_000]


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "data.bin"
    path.write_bytes(bytes(range(256)))

    with pytest.raises(InputError, match="is not a text file; for a photo: sudoku-lens solve"):
        list(read_lines(path))


def test_a_folder_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be read: .*; check the name"):
        list(read_lines(tmp_path))
