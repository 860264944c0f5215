"""LZ-string, the compression that puzzle links in the style of f-puzzles carry.

It is LZW over the UTF-16 code units of a text, with codes that grow by a bit at a time, written
six bits a sign of Base64. Format: pieroxy, lz-string (https://pieroxy.net/blog/pages/lz-string/).
"""

from typing import Final

MAX_LENGTH: Final = 1_000_000
"""UTF-16 code units that a text may have; a short link can hold far more than any puzzle."""

_SIGNS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUE_OF: Final = {sign: value for value, sign in enumerate(_SIGNS)}
_NEW_8_BIT: Final = 0
_NEW_16_BIT: Final = 1
_END: Final = 2
_FIRST_FREE: Final = 3
_NOTHING: Final = -1


class _CodeWidth:
    """How many bits the next code has; one more each time that as many codes are in use."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self._left = 1 << (bits - 1)

    def count(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._left = 1 << self.bits
            self.bits += 1


class _BitReader:
    """The bits of a Base64 text; each number was written from its lowest bit on."""

    def __init__(self, text: str) -> None:
        try:
            self._sixes = [_VALUE_OF[sign] for sign in text.rstrip("=")]
        except KeyError as error:
            raise ValueError(f"{error.args[0]!r} is no sign of Base64") from None
        self._position = 0

    def take(self, n_bits: int) -> int:
        value = 0
        for place in range(n_bits):
            index, offset = divmod(self._position, 6)
            if index >= len(self._sixes):
                raise ValueError("the compressed text ends too early")
            value |= (self._sixes[index] >> (5 - offset) & 1) << place
            self._position += 1
        return value


def compress_to_base64(text: str) -> str:
    """Compress a text as lz-string's ``compressToBase64`` does, sign for sign."""
    codes: dict[tuple[int, int], int] = {}  # (code of a phrase, unit) → code of both together
    unwritten: dict[int, int] = {}  # code → unit that the reader does not know yet
    width = _CodeWidth(2)
    bits: list[int] = []

    def put(value: int, n_bits: int) -> None:
        bits.extend(value >> place & 1 for place in range(n_bits))

    def put_code(code: int) -> None:
        unit = unwritten.pop(code, None)
        if unit is None:
            put(code, width.bits)
        else:
            is_wide = unit > 255
            put(_NEW_16_BIT if is_wide else _NEW_8_BIT, width.bits)
            put(unit, 16 if is_wide else 8)
            width.count()
        width.count()

    phrase = _NOTHING
    for unit in _to_units(text):
        if (_NOTHING, unit) not in codes:
            code = codes[_NOTHING, unit] = len(codes) + _FIRST_FREE
            unwritten[code] = unit
        if (phrase, unit) not in codes:
            put_code(phrase)
            codes[phrase, unit] = len(codes) + _FIRST_FREE
            phrase = _NOTHING
        phrase = codes[phrase, unit]
    if phrase != _NOTHING:
        put_code(phrase)
    put(_END, width.bits)
    return _to_base64(bits)


def decompress_from_base64(text: str) -> str:
    """Return the text that was compressed.

    Raises:
        ValueError: if the text is not what lz-string writes, or holds more than `MAX_LENGTH`.
    """
    reader = _BitReader(text)
    phrases: list[tuple[int, ...]] = [()] * _FIRST_FREE
    width = _CodeWidth(2)
    units: list[int] = []
    last: tuple[int, ...] = ()
    while (code := reader.take(width.bits)) != _END:
        if code in (_NEW_8_BIT, _NEW_16_BIT):
            phrase: tuple[int, ...] = (reader.take(8 if code == _NEW_8_BIT else 16),)
            phrases.append(phrase)
            width.count()
        elif code < len(phrases):
            phrase = phrases[code]
        elif code == len(phrases) and last:
            phrase = (*last, last[0])
        else:
            raise ValueError(f"code {code} stands before its phrase")
        if last:
            phrases.append((*last, phrase[0]))
        width.count()
        units.extend(phrase)
        last = phrase
        if len(units) > MAX_LENGTH:
            raise ValueError(f"the text is longer than {MAX_LENGTH:,} characters")
    return b"".join(unit.to_bytes(2, "little") for unit in units).decode("utf-16-le", "replace")


def _to_units(text: str) -> list[int]:
    data = text.encode("utf-16-le", "surrogatepass")
    return [low | high << 8 for low, high in zip(data[::2], data[1::2], strict=True)]


def _to_base64(bits: list[int]) -> str:
    # There is always a bit to spare after the last code, even if that takes another sign.
    padded = bits + [0] * (6 - len(bits) % 6)
    signs = [
        _SIGNS[int("".join(map(str, padded[start : start + 6])), 2)]
        for start in range(0, len(padded), 6)
    ]
    return "".join(signs) + "=" * (-len(signs) % 4)
