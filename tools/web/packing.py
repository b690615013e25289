"""Pack bytes as sim/web/device/unpacking.js unpacks them: a byte of properties, the length (4 bytes), then raw LZMA1.

Hosts compress text, few compress an image of a file system, and none with LZMA, which saves a fifth.
"""

from __future__ import annotations

import lzma

# By how many bits of the byte before, of a literal's place and of a match's place a bit's chance is told (lc, lp, pb):
# the first suits our image, whose bytes lie at no multiple of anything, the second MicroPython.
_SETTINGS = ((4, 0, 0), (3, 0, 2))
_WINDOW = 1 << 20  # more than there is to look back at
_LONG = 64  # a match that is taken without a look at others: with 273 both pack a little larger


def pack(content: bytes) -> bytes:
    """Return `content`, packed by those settings that make the least of it."""
    raw, (lc, lp, pb) = min(((_compress(content, *bits), bits) for bits in _SETTINGS), key=lambda made: len(made[0]))
    return bytes([(pb * 5 + lp) * 9 + lc]) + len(content).to_bytes(4, "little") + raw


def unpack(packed: bytes) -> bytes:
    """Return what pack() packed."""
    rest, lc = divmod(packed[0], 9)
    pb, lp = divmod(rest, 5)
    length = int.from_bytes(packed[1:5], "little")
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[_make_filter(lc, lp, pb)]).decompress(packed[5:], length)


def _compress(content: bytes, lc: int, lp: int, pb: int) -> bytes:
    return lzma.compress(content, lzma.FORMAT_RAW, filters=[_make_filter(lc, lp, pb)])


def _make_filter(lc: int, lp: int, pb: int) -> dict[str, int]:
    return {
        "id": lzma.FILTER_LZMA1,
        "preset": 9 | lzma.PRESET_EXTREME,
        "dict_size": _WINDOW,
        "mf": lzma.MF_BT2,
        "nice_len": _LONG,
        "lc": lc,
        "lp": lp,
        "pb": pb,
    }
