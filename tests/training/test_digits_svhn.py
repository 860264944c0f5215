"""The SVHN loader, on tiny MATLAB 5 files that are written here."""

import struct
import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from training.digits.svhn import SvhnError, load_svhn, load_svhn_mat

HEADER = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<H", 0x0100) + b"IM"


def pack_element(kind: int, content: bytes) -> bytes:
    """Return a MATLAB 5 data element; up to four bytes go into the short form."""
    if 0 < len(content) <= 4:
        return struct.pack("<HH", kind, len(content)) + content.ljust(4, b"\0")
    return struct.pack("<II", kind, len(content)) + content + b"\0" * (-len(content) % 8)


def pack_matrix(name: str, array: npt.NDArray[np.generic]) -> bytes:
    """Return a numeric matrix as MATLAB writes it, compressed."""
    kind = {"uint8": 2, "float64": 9}[array.dtype.name]
    matlab_class = {"uint8": 9, "float64": 6}[array.dtype.name]
    parts = [
        pack_element(6, struct.pack("<II", matlab_class, 0)),
        pack_element(5, np.array(array.shape, "<i4").tobytes()),
        pack_element(1, name.encode()),
        pack_element(kind, array.tobytes(order="F")),
    ]
    content = zlib.compress(pack_element(14, b"".join(parts)))
    return struct.pack("<II", 15, len(content)) + content


def write_svhn(path: Path, colour: npt.NDArray[np.uint8], labels: list[float]) -> None:
    column = np.array(labels, np.float64)[:, None]
    path.write_bytes(HEADER + pack_matrix("X", colour) + pack_matrix("y", column))


def test_an_official_file_gives_grey_cells_and_label_ten_means_zero(tmp_path: Path) -> None:
    colour = np.random.default_rng(0).integers(0, 256, (32, 32, 3, 5), dtype=np.uint8)
    write_svhn(tmp_path / "train_32x32.mat", colour, [1, 10, 9, 5, 10])

    cells, digits = load_svhn_mat(tmp_path / "train_32x32.mat")

    red, green, blue = (colour[..., channel, 2].astype(float) for channel in range(3))
    assert digits.tolist() == [1, 0, 9, 5, 0]
    assert cells.shape == (5, 32, 32)
    assert np.abs(cells[2] - (0.299 * red + 0.587 * green + 0.114 * blue)).max() <= 0.51


def test_an_official_file_is_preferred_to_the_extract(tmp_path: Path) -> None:
    write_svhn(tmp_path / "test_32x32.mat", np.zeros((32, 32, 3, 2), np.uint8), [3, 4])
    np.savez(
        tmp_path / "svhn_gray32.npz",
        x_train=np.zeros((1, 32, 32), np.uint8),
        y_train=np.array([7]),
        x_test=np.zeros((1, 32, 32), np.uint8),
        y_test=np.array([8]),
    )

    assert load_svhn(tmp_path, "test")[1].tolist() == [3, 4]
    assert load_svhn(tmp_path, "train")[1].tolist() == [7]


def test_a_missing_part_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(SvhnError, match=r"python -m training\.digits\.svhn extra"):
        load_svhn(tmp_path, "extra")


@pytest.mark.parametrize("content", [b"", b"<html>not found</html>", HEADER])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "train_32x32.mat").write_bytes(content)

    with pytest.raises(SvhnError, match="download it again"):
        load_svhn_mat(tmp_path / "train_32x32.mat")


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "train_32x32.mat"
    write_svhn(path, np.full((32, 32, 3, 3), 7, np.uint8), [1, 2, 3])
    path.write_bytes(path.read_bytes()[:-20])

    with pytest.raises(SvhnError, match="damaged"):
        load_svhn_mat(path)
