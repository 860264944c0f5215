"""Where overlays go, decided before any work."""

from pathlib import Path

import pytest

from app.terminal.console import UsageError
from app.terminal.named_files import check_folder, distinct_stems, plan_outputs


def test_without_an_output_nothing_is_planned() -> None:
    assert plan_outputs(["a.jpg", "-"], None) == [None, None]


def test_a_picture_name_is_taken_as_it_is(tmp_path: Path) -> None:
    output = tmp_path / "new" / "out.png"

    assert plan_outputs(["a.jpg"], str(output)) == [output]
    assert not output.parent.exists()


@pytest.mark.parametrize("name", ["new", "new/", "."])
def test_anything_else_is_a_folder(name: str, tmp_path: Path) -> None:
    planned = plan_outputs(["a.jpg"], f"{tmp_path}/{name}")

    assert planned == [tmp_path / name / "a-solved.jpg"]


def test_a_folder_with_the_name_of_a_picture_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "odd.jpg").mkdir()

    planned = plan_outputs(["a.png"], str(tmp_path / "odd.jpg"))

    assert planned == [tmp_path / "odd.jpg" / "a-solved.png"]


def test_photos_of_one_name_get_different_overlays(tmp_path: Path) -> None:
    names = ["one/a.jpg", "two/a.jpg", "A.jpg", "a-2.jpg", "-"]

    planned = plan_outputs(names, str(tmp_path))

    assert all(planned)
    assert len({str(path).lower() for path in planned}) == len(names)
    assert planned[-1] == tmp_path / "stdin-solved.jpg"


def test_a_format_that_cannot_be_written_becomes_jpeg(tmp_path: Path) -> None:
    assert plan_outputs(["a.heic"], str(tmp_path)) == [tmp_path / "a-solved.jpg"]


def test_an_overlay_never_replaces_another_photo(tmp_path: Path) -> None:
    names = [str(tmp_path / "a.jpg"), str(tmp_path / "a-solved.jpg")]

    planned = plan_outputs(names, str(tmp_path))

    assert planned == [tmp_path / "a-solved-2.jpg", tmp_path / "a-solved-solved.jpg"]


def test_a_photo_named_as_output_is_refused_by_any_name(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").touch()
    (tmp_path / "link.jpg").symlink_to(tmp_path / "a.jpg")

    with pytest.raises(UsageError, match="would replace the photo itself"):
        plan_outputs([str(tmp_path / "a.jpg")], str(tmp_path / "link.jpg"))


def test_a_photo_by_the_same_name_in_another_case_is_refused(tmp_path: Path) -> None:
    # A second name of one file, as a file system that ignores case would give it.
    (tmp_path / "photo.jpg").touch()
    (tmp_path / "PHOTO.JPG").hardlink_to(tmp_path / "photo.jpg")

    with pytest.raises(UsageError, match="would replace the photo itself"):
        plan_outputs([str(tmp_path / "photo.jpg")], str(tmp_path / "PHOTO.JPG"))


def test_an_overlay_in_a_folder_never_replaces_a_photo_by_another_name(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").touch()
    (tmp_path / "photo-solved.jpg").hardlink_to(tmp_path / "photo.jpg")

    planned = plan_outputs([str(tmp_path / "photo.jpg")], str(tmp_path))

    assert planned == [tmp_path / "photo-solved-2.jpg"]


@pytest.mark.parametrize("name", ["x.gif", "x.HEIC", "new/x.pdf", "x.avif", "x.jp2", "x.txt"])
def test_a_file_that_is_no_picture_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot write .*; end it with \.bmp, .*\.png"):
        plan_outputs(["a.jpg"], str(tmp_path / name))


@pytest.mark.parametrize("name", ["x.gif/", "2026.11", "photos.d"])
def test_a_folder_may_have_a_dot_in_its_name(name: str, tmp_path: Path) -> None:
    planned = plan_outputs(["a.jpg"], f"{tmp_path}/{name}")

    assert planned == [tmp_path / name / "a-solved.jpg"]


def test_an_empty_output_is_refused() -> None:
    with pytest.raises(UsageError, match="the output after -o is empty; name a file or a folder"):
        plan_outputs(["a.jpg"], "")


def test_a_folder_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(UsageError, match="file is not a folder"):
        check_folder(tmp_path / "file" / "below" / "deep")


def test_stems_stay_as_they_are_where_they_differ() -> None:
    assert distinct_stems(["x/a.jpg", "b.png"]) == ["a", "b"]
