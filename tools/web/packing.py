"""Pack bytes as sim/web/device/unpacking.js unpacks them: properties (a byte), length, CRC-32, then raw LZMA1.

Hosts compress text, but few compress an image of a file system, and none uses LZMA, which saves a fifth.
"""

import lzma
import struct
import zlib

# LZMA's position bits (pb), the length of a match that ends the search for a longer one (nice_len), and the match
# finder. The first setting suits our image, whose bytes have no alignment, the second MicroPython. Three bits of
# literal context (lc) and no literal position bits (lp) suit both.
_SETTINGS = ((0, 64, lzma.MF_BT2), (2, 96, lzma.MF_BT3))
_LC = 3
_HEAD = "<BII"
_WINDOW = 1 << 20  # larger than any packed file


def pack(content: bytes) -> bytes:
    """Return `content`, packed by the setting that makes it smallest."""
    packed = [
        (lzma.compress(content, lzma.FORMAT_RAW, filters=[_make_filter(*setting)]), setting[0]) for setting in _SETTINGS
    ]
    raw, pb = min(packed, key=lambda each: len(each[0]))
    return struct.pack(_HEAD, pb * 45 + _LC, len(content), zlib.crc32(content)) + raw


def unpack(packed: bytes) -> bytes:
    properties, length, _ = struct.unpack_from(_HEAD, packed)
    filters = [_make_filter(properties // 45)]
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters).decompress(packed[struct.calcsize(_HEAD) :], length)


def _make_filter(pb: int, nice_len: int = 64, finder: int = lzma.MF_BT2) -> dict[str, int]:
    return {
        "id": lzma.FILTER_LZMA1,
        "preset": 9 | lzma.PRESET_EXTREME,
        "dict_size": _WINDOW,
        "mf": finder,
        "nice_len": nice_len,
        "lc": _LC,
        "lp": 0,
        "pb": pb,
    }
