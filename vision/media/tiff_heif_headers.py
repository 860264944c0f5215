"""What TIFF and HEIF files say of their pictures, as far as the cost of decoding needs it.

Of a TIFF these are its directories, which tell the number of pages too (TIFF 6.0, Adobe 1992;
BigTIFF). Of a HEIF file (ISO/IEC 23008-12) they are its items: how many pixels its picture makes a
decoder decode. A picture may be a grid of tiles, or layers, each an item of its own, and the same
item may be named any number of times; each time it is decoded anew.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_DERIVED: Final = frozenset({b"grid", b"iovl", b"iden", b"tmap"})
_MOST_LAYERS: Final = 4
"""Pictures made of pictures: a grid of tiles is two."""

_MOST_META_BYTES: Final = 500_000
"""A picture of 48 megapixels in tiles of 512 has 10 kB."""

_MANY: Final = 1 << 62
_FULL_BOX_BYTES: Final = 4
_ALPHAS: Final = (b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", b"urn:mpeg:hevc:2015:auxid:1")


@dataclass
class _Items:
    """What the `meta` box says: types, parts and pixels by item, what covers another, which of
    these say how transparent it is, and how many bytes all items have.
    """

    primary: int = 0
    types: dict[int, bytes] = field(default_factory=dict)
    parts: dict[int, list[int]] = field(default_factory=dict)
    covers: dict[int, list[int]] = field(default_factory=dict)
    pixels: dict[int, int] = field(default_factory=dict)
    alphas: set[int] = field(default_factory=set)
    n_bytes: int = 0


@dataclass(frozen=True)
class CodedItems:
    """What is decoded for the picture that a viewer shows.

    Attributes:
        pixels: in all tiles and layers; 0 where no picture is named.
        n_bytes: of all items, which is more than the file has where they overlap.
        repeats: whether a tile stands in several places.
    """

    pixels: int
    n_bytes: int
    repeats: bool


def read_items(data: bytes) -> CodedItems:
    """Read which items make up the picture.

    Raises:
        ValueError: if the boxes make no sense.
    """
    try:
        meta = next((body for name, body in _boxes(data, 0, len(data)) if name == b"meta"), None)
        if meta is None:
            return CodedItems(0, 0, repeats=False)
        if meta[1] - meta[0] > _MOST_META_BYTES:
            raise ValueError(f"its list of items has more than {_MOST_META_BYTES:,} bytes")
        items = _read_meta(data, *meta)
    except (struct.error, IndexError) as error:
        raise ValueError(f"its list of items is damaged ({error})") from error
    known: dict[tuple[int, int], int] = {}
    # Depth and gain maps cover the picture, too, but are not decoded.
    covers = [one for one in items.covers.get(items.primary, []) if one in items.alphas]
    shown = [items.primary, *covers]
    pixels = sum(_count(items, one, _MOST_LAYERS, known) for one in shown)
    repeats = any(len(set(parts)) < len(parts) for parts in items.parts.values())
    return CodedItems(min(_MANY, pixels), items.n_bytes, repeats)


def _count(items: _Items, item: int, layers: int, known: dict[tuple[int, int], int]) -> int:
    if items.types.get(item) not in _DERIVED:
        return items.pixels.get(item, 0)
    if layers == 0:
        return _MANY
    if (item, layers) not in known:
        parts = items.parts.get(item, [])
        whole = sum(_count(items, part, layers - 1, known) for part in parts)
        known[item, layers] = min(_MANY, whole)
    return known[item, layers]


def _boxes(data: bytes, start: int, end: int) -> Iterator[tuple[bytes, tuple[int, int]]]:
    """Yield the name of each box, and where its content starts and ends."""
    while start + 8 <= end:
        size, name = struct.unpack_from(">I4s", data, start)
        head = 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, start + 8)
            head = 16
        elif size == 0:
            size = end - start
        if size < head:
            return
        yield name, (start + head, min(end, start + size))
        start += size


def _read_meta(data: bytes, start: int, end: int) -> _Items:
    items = _Items()
    for name, (inner, last) in _boxes(data, start + _FULL_BOX_BYTES, end):
        version = data[inner]
        if name == b"pitm":
            items.primary = _number(data, inner + 4, 2 if version == 0 else 4)
        elif name == b"iinf":
            first = inner + (6 if version == 0 else 8)
            for entry, (place, _) in _boxes(data, first, last):
                if entry == b"infe" and data[place] >= 2:
                    width = 2 if data[place] == 2 else 4
                    item = _number(data, place + 4, width)
                    items.types[item] = data[place + 6 + width : place + 10 + width]
        elif name == b"iloc":
            items.n_bytes = _count_bytes(data, inner, last)
        elif name == b"iref":
            _read_references(data, inner, last, items)
        elif name == b"iprp":
            _read_sides(data, inner, last, items)
    return items


def _read_references(data: bytes, start: int, end: int, items: _Items) -> None:
    width = 2 if data[start] == 0 else 4
    for name, (place, last) in _boxes(data, start + _FULL_BOX_BYTES, end):
        item = _number(data, place, width)
        n = min(_number(data, place + width, 2), (last - place - width - 2) // width)
        first = place + width + 2
        named = [_number(data, first + width * index, width) for index in range(n)]
        if name == b"dimg":
            items.parts.setdefault(item, []).extend(named)
        elif name == b"auxl":
            for covered in named:
                items.covers.setdefault(covered, []).append(item)


def _read_sides(data: bytes, start: int, end: int, items: _Items) -> None:
    """Read the width and height of every item, the last ones where several are named."""
    sides: list[int] = []
    alphas: set[int] = set()
    for name, (inner, last) in _boxes(data, start, end):
        if name == b"ipco":
            for prop, (place, end_of_prop) in _boxes(data, inner, last):
                is_size = prop == b"ispe"
                size = struct.unpack_from(">II", data, place + 4) if is_size else (0, 0)
                sides.append(size[0] * size[1])
                if prop == b"auxC" and data[place + 4 : end_of_prop].split(b"\0")[0] in _ALPHAS:
                    alphas.add(len(sides))
        elif name == b"ipma":
            width = 2 if data[inner] == 0 else 4
            step = 2 if data[inner + 3] & 1 else 1
            place = inner + 8
            for _ in range(_number(data, inner + 4, 4)):
                if place + width >= last:
                    break
                item, n = _number(data, place, width), data[place + width]
                place += width + 1
                for _ in range(n):
                    index = _number(data, place, step) & ((1 << (8 * step - 1)) - 1)
                    place += step
                    if index in alphas:
                        items.alphas.add(item)
                    if 0 < index <= len(sides):
                        items.pixels[item] = max(items.pixels.get(item, 0), sides[index - 1])


def _count_bytes(data: bytes, start: int, end: int) -> int:
    """Return how many bytes all items have, as their places in the file say."""
    version = data[start]
    offset_bytes, length_bytes = data[start + 4] >> 4, data[start + 4] & 15
    base_bytes, index_bytes = data[start + 5] >> 4, data[start + 5] & 15
    width = 4 if version == 2 else 2
    extent = offset_bytes + length_bytes + (index_bytes if version else 0)
    place, whole = start + 6 + width, 0
    for _ in range(_number(data, start + 6, width)):
        place += width + (2 if version else 0) + 2 + base_bytes
        n = _number(data, place, 2)
        place += 2
        if place + n * extent > end:
            raise IndexError(f"{n} extents of an item are beyond the end")
        for _ in range(n if extent else 0):
            place += extent
            whole += _number(data, place - length_bytes, length_bytes)
    return whole


def _number(data: bytes, start: int, width: int) -> int:
    raw = data[start : start + width]
    if len(raw) < width:
        raise IndexError(f"{width} bytes at {start} are beyond the end")
    return int.from_bytes(raw)


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
