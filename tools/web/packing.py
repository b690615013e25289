"""Pack bytes as sim/web/device/unpacking.js unpacks them: a byte of properties, the length (4 bytes), then raw LZMA1.

Hosts compress text, few compress an image of a file system, and none with LZMA, which saves a fifth.
"""

from __future__ import annotations

import lzma

_LC, _LP, _PB = 3, 0, 0  # bytes of a program lie at no multiple of anything
_WINDOW = 1 << 20  # more than there is to look back at
_FILTER = {
    "id": lzma.FILTER_LZMA1,
    "preset": 9 | lzma.PRESET_EXTREME,
    "dict_size": _WINDOW,
    "lc": _LC,
    "lp": _LP,
    "pb": _PB,
}


def pack(content: bytes) -> bytes:
    """Return `content`, packed."""
    properties = (_PB * 5 + _LP) * 9 + _LC
    raw = lzma.compress(content, lzma.FORMAT_RAW, filters=[_FILTER])
    return bytes([properties]) + len(content).to_bytes(4, "little") + raw


def unpack(packed: bytes) -> bytes:
    """Return what pack() packed."""
    length = int.from_bytes(packed[1:5], "little")
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[_FILTER]).decompress(packed[5:], length)
