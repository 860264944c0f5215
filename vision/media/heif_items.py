"""The items of a HEIF file (ISO/IEC 23008-12): how many pixels its picture makes a decoder decode.

A picture may be a grid of tiles, or layers, each an item of its own, and the same item may be named
any number of times; each time it is decoded anew.
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
