"""Lines of text from files."""

from pathlib import Path

import pytest

from app.terminal.exit_codes import InputError
from app.terminal.named_files import read_lines


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
