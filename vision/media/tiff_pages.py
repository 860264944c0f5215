"""The directories of a TIFF (TIFF 6.0, Adobe 1992; BigTIFF), as far as the cost of decoding and the
number of pages need them.
"""

import struct
from dataclasses import dataclass
from typing import Final

_TYPE_BYTES: Final = {1: 1, 3: 2, 4: 4, 6: 1, 8: 2, 9: 4, 13: 4, 16: 8, 17: 8, 18: 8}
"""Of the types that hold whole numbers."""

_COMPRESSION: Final = 0x0103
_STRIP_OFFSETS: Final = 0x0111
_STRIP_COUNTS: Final = 0x0117
_TILE_OFFSETS: Final = 0x0144
_TILE_COUNTS: Final = 0x0145

_MOST_PAGES: Final = 1000
_MOST_TAGS: Final = 4096
"""Scanners write 20, cameras 100."""


@dataclass(frozen=True)
class _Entry:
    """Where an array of numbers is: type, how many, and the offset of the first."""

    type: int
    count: int
    offset: int

    def read(self, data: bytes, order: str, most: int) -> tuple[int, ...]:
        size = _TYPE_BYTES.get(self.type)
        if size is None:
            raise ValueError(f"numbers of type {self.type} are no offsets")
        raw = data[self.offset : self.offset + size * min(self.count, most)]
        n = len(raw) // size
        return struct.unpack(f"{order}{n}{'BHIQ'[size.bit_length() - 1]}", raw[: n * size])


@dataclass(frozen=True)
class TiffPage:
    """The first page of a TIFF.

    Attributes:
        order: of bytes, as `struct` says it.
        entries: by tag.
        n_pages: how many pages follow each other, the first counted, up to 1000.
    """

    order: str
    entries: dict[int, _Entry]
    compression: int
    n_pages: int

    @property
    def n_strips(self) -> int:
        """How many strips and tiles its directory names."""
        named = (self.entries.get(tag) for tag in (_STRIP_OFFSETS, _TILE_OFFSETS))
        return sum(entry.count for entry in named if entry is not None)

    def strips(self, data: bytes) -> tuple[list[int], list[int]]:
        """Return the offsets and the lengths in bytes of all strips and tiles."""

        def read(*tags: int) -> list[int]:
            named = (self.entries[tag] for tag in tags if tag in self.entries)
            return [n for entry in named for n in entry.read(data, self.order, self.n_strips)]

        return read(_STRIP_OFFSETS, _TILE_OFFSETS), read(_STRIP_COUNTS, _TILE_COUNTS)


def read_page(data: bytes) -> TiffPage:
    """Read the directory of a TIFF's first page, and follow the pages after it.

    Raises:
        ValueError: if there is none.
    """
    order = "<" if data[:2] == b"II" else ">"
    is_big = data[2:4] in (b"+\0", b"\0+")
    try:
        (offset,) = struct.unpack_from(f"{order}{'Q' if is_big else 'I'}", data, 8 if is_big else 4)
        entries = _read_directory(data, offset, order, is_big)
        compression = 1
        if _COMPRESSION in entries:
            compression = (*entries[_COMPRESSION].read(data, order, 1), 1)[0]
        seen = {offset}
        after = _find_next(data, offset, order, is_big)
        while after and after not in seen and len(seen) < _MOST_PAGES:
            seen.add(after)
            after = _find_next(data, after, order, is_big)
    except (struct.error, OverflowError) as error:
        raise ValueError(f"its directory is damaged ({error})") from error
    return TiffPage(order, entries, compression, len(seen))


def _read_directory(data: bytes, offset: int, order: str, is_big: bool) -> dict[int, _Entry]:
    head, row = ("Q", "HHQ8s") if is_big else ("H", "HHI4s")
    (n,) = struct.unpack_from(order + head, data, offset)
    if n > _MOST_TAGS:
        raise ValueError(f"its directory has more than {_MOST_TAGS:,} tags")
    start = offset + struct.calcsize(order + head)
    width = struct.calcsize(order + row)
    entries: dict[int, _Entry] = {}
    for place in range(start, min(start + n * width, len(data) - width + 1), width):
        tag, kind, count, value = struct.unpack_from(order + row, data, place)
        where = place + width - len(value)
        if _TYPE_BYTES.get(kind, 1) * count > len(value):
            (where,) = struct.unpack(f"{order}{'Q' if is_big else 'I'}", value)
        entries.setdefault(tag, _Entry(kind, count, where))
    return entries


def _find_next(data: bytes, offset: int, order: str, is_big: bool) -> int:
    """Return the offset of the directory after the one at `offset`, 0 where none can be found."""
    head, width, link = ("Q", 20, "Q") if is_big else ("H", 12, "I")
    if offset + struct.calcsize(order + head) > len(data):
        return 0
    (n,) = struct.unpack_from(order + head, data, offset)
    end = offset + struct.calcsize(order + head) + n * width
    if end + struct.calcsize(order + link) > len(data):
        return 0
    (after,) = struct.unpack_from(order + link, data, end)
    return int(after)
