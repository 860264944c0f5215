"""Street View House Numbers: the official MATLAB files, and the data folder's extract of them.

Netzer et al., "Reading Digits in Natural Images with Unsupervised Feature Learning", NIPS
workshop 2011, http://ufldl.stanford.edu/housenumbers/. For non-commercial use only.
The MATLAB 5 file layout follows MathWorks, "MAT-File Format", chapter 1; only what these files
need is read, so that scipy is not required.
"""

import hashlib
import struct
import urllib.request
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

Part = Literal["train", "test", "extra"]

HOME: Final = "http://ufldl.stanford.edu/housenumbers/"

_MD5: Final[dict[Part, str]] = {
    "train": "e26dedcc434d2e4c54c9b2d4a06d8373",
    "test": "eb5a983be6a315427106f1b164d9cef3",
    "extra": "a93ce644f1a588dc4d68dda5feec44a7",
}
_EXTRACT: Final = "svhn_gray32.npz"
_NUMBERS: Final = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8"}
_MATRIX: Final = 14
_COMPRESSED: Final = 15

UInt8 = npt.NDArray[np.uint8]


class SvhnError(ValueError):
    """An SVHN file is not what it should be; the text says what to do."""


def load_svhn(folder: Path, part: Part) -> tuple[UInt8, UInt8]:
    """Return SVHN digits as grey crops, from `<part>_32x32.mat` if it lies there, or the extract.

    Returns:
        (n, 32, 32) uint8 cells and (n,) uint8 digits 0..9.

    Raises:
        SvhnError: if the folder holds neither, or a broken file.
    """
    official = folder / f"{part}_32x32.mat"
    if official.is_file():
        return load_svhn_mat(official)
    extract = folder / _EXTRACT
    if part == "extra" or not extract.is_file():
        raise SvhnError(
            f"{folder} holds neither {official.name} nor {_EXTRACT} with that part; "
            f"get it with: python -m training.digits.svhn {part} {folder}"
        )
    with np.load(extract) as stored:
        return stored[f"x_{part}"], stored[f"y_{part}"].astype(np.uint8)


def load_svhn_mat(path: Path) -> tuple[UInt8, UInt8]:
    """Return an official format 2 file as grey crops and digits; its label 10 means 0.

    Raises:
        SvhnError: if the file is not a MATLAB 5 file with X (32, 32, 3, n) and y (n, 1).
    """
    matrices = dict(_read_matrices(path))
    if "X" not in matrices or "y" not in matrices:
        raise SvhnError(f"{path} holds {sorted(matrices)}, expected X and y; download it again")
    colour, labels = matrices["X"], matrices["y"].reshape(-1)
    if colour.shape != (32, 32, 3, len(labels)):
        raise SvhnError(f"X must be (32, 32, 3, {len(labels)}) in {path}, got {colour.shape}")
    cells = np.empty((len(labels), 32, 32), np.uint8)
    weights = np.array([0.299, 0.587, 0.114], np.float32)  # ITU-R BT.601 luma
    for start in range(0, len(labels), 10_000):  # the extra part would fill 6 GB as float
        block = colour[..., start : start + 10_000].astype(np.float32)
        grey = np.tensordot(block, weights, axes=([2], [0]))
        cells[start : start + 10_000] = np.moveaxis(np.rint(grey), 2, 0)
    return cells, (labels.astype(np.int64) % 10).astype(np.uint8)


def download_svhn(folder: Path, part: Part) -> Path:
    """Fetch an official file unless it is there, and check it against its known MD5.

    Raises:
        SvhnError: if what came has another checksum; it is not kept.
        OSError: if there is no net.
    """
    path = folder / f"{part}_32x32.mat"
    if path.is_file():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    digest = hashlib.md5(usedforsecurity=False)
    with urllib.request.urlopen(HOME + path.name) as source, draft.open("wb") as target:
        while block := source.read(1 << 20):
            digest.update(block)
            target.write(block)
    if digest.hexdigest() != _MD5[part]:
        draft.unlink()
        raise SvhnError(f"{path.name} arrived damaged ({digest.hexdigest()}); try again")
    draft.replace(path)
    return path


def _read_matrices(path: Path) -> Iterator[tuple[str, npt.NDArray[np.generic]]]:
    """Yield name and array of every numeric matrix in a little-endian MATLAB 5 file."""
    content = path.read_bytes()
    if len(content) < 128 or content[126:128] != b"IM":
        raise SvhnError(f"{path} is not a little-endian MATLAB 5 file; download it again")
    try:
        for kind, element in _read_elements(memoryview(content)[128:]):
            if kind == _COMPRESSED:
                kind, element = next(_read_elements(memoryview(zlib.decompress(element))))
            if kind == _MATRIX:
                yield _read_matrix(element)
    except (struct.error, zlib.error, StopIteration, KeyError, ValueError) as error:
        raise SvhnError(f"{path} is damaged ({error}); download it again") from error


def _read_elements(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Yield type and content of the elements in a row; short ones hold both in eight bytes."""
    while len(data) >= 8:
        kind, size = struct.unpack("<II", data[:8])
        if kind >> 16:
            kind, size = kind & 0xFFFF, kind >> 16
            yield kind, data[4 : 4 + size]
            data = data[8:]
            continue
        if len(data) < 8 + size:
            raise ValueError(f"an element of {size} bytes ends early")
        yield kind, data[8 : 8 + size]
        data = data[8 + size + (-size % 8 if kind != _COMPRESSED else 0) :]


def _read_matrix(data: memoryview) -> tuple[str, npt.NDArray[np.generic]]:
    _flags, shape, name, values = [
        next(parts) for parts in [_read_elements(data)] for _ in range(4)
    ]
    array = np.frombuffer(values[1], np.dtype("<" + _NUMBERS[values[0]]))
    dimensions = np.frombuffer(shape[1], "<i4")
    return bytes(name[1]).decode("ascii"), array.reshape(dimensions, order="F")


if __name__ == "__main__":
    import argparse

    parser = argparse.ArgumentParser(
        description="Fetch an official SVHN file (non-commercial use)."
    )
    parser.add_argument("part", choices=sorted(_MD5))
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    print(download_svhn(arguments.folder, arguments.part))
