"""Pack bytes as sim/web/device/unpacking.js unpacks them: a byte of properties, the length (4 bytes), then raw LZMA1.

Hosts compress text, few compress an image of a file system, and none with LZMA, which saves a fifth.
"""

import lzma

# By how many bits of a match's place a bit's chance is told (pb), how long a match is taken without a look at others,
# and how matches are found: the first suits our image, whose bytes lie at no multiple of anything, the second
# MicroPython. Of a literal, three bits of the byte before (lc) and none of its place (lp) suit both.
_SETTINGS = ((0, 64, lzma.MF_BT2), (2, 96, lzma.MF_BT3))
_LC = 3
_WINDOW = 1 << 20  # more than there is to look back at


def pack(content: bytes) -> bytes:
    """Return `content`, packed by those settings that make the least of it."""
    raw, pb = min(((_compress(content, *setting), setting[0]) for setting in _SETTINGS), key=lambda made: len(made[0]))
    return bytes([pb * 45 + _LC]) + len(content).to_bytes(4, "little") + raw


def unpack(packed: bytes) -> bytes:
    """Return what pack() packed."""
    length = int.from_bytes(packed[1:5], "little")
    filters = [_make_filter(packed[0] // 45)]
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters).decompress(packed[5:], length)


def _compress(content: bytes, pb: int, long: int, finder: int) -> bytes:
    return lzma.compress(content, lzma.FORMAT_RAW, filters=[_make_filter(pb, long, finder)])


def _make_filter(pb: int, long: int = 64, finder: int = lzma.MF_BT2) -> dict[str, int]:
    return {
        "id": lzma.FILTER_LZMA1,
        "preset": 9 | lzma.PRESET_EXTREME,
        "dict_size": _WINDOW,
        "mf": finder,
        "nice_len": long,
        "lc": _LC,
        "lp": 0,
        "pb": pb,
    }
