"""Sort the bytes of the firmware's image by kind, which packs 4 % smaller, and restore the image.

First come the bytes between the modules, then all tables of names, then all constants and texts, then all code, as
mpy-cross made them. A header precedes them, in little-endian words of two bytes: the number of pieces, and the size of
each in the image's order. sim/web/device/unpacking.js restores the image.
"""

import struct
from collections.abc import Iterable
from itertools import accumulate, pairwise

from tools.web import mpy

KINDS = 4
_WORDS = "<%dH"


def sort(image: bytes, files: Iterable[bytes]) -> bytes:
    cuts = [0]
    at = 0
    for content in files:
        start = image.index(content, at)
        at = start + len(content)
        cuts += [start + inner for inner in cut(content)] + [at]
    cuts += [len(image)] * (KINDS - (len(cuts) - 1) % KINDS)
    pieces = [image[start:end] for start, end in pairwise(cuts)]
    kinds = [piece for kind in range(KINDS) for piece in pieces[kind::KINDS]]
    return struct.pack(_WORDS % (1 + len(pieces)), len(pieces), *map(len, pieces)) + b"".join(kinds)


def restore(content: bytes) -> bytes:
    count, *sizes = struct.unpack_from(_WORDS % (1 + int.from_bytes(content[:2], "little")), content)
    order = [at for kind in range(KINDS) for at in range(kind, count, KINDS)]
    starts = accumulate((sizes[at] for at in order), initial=2 * (1 + count))
    return b"".join(content[start : start + sizes[at]] for at, start in sorted(zip(order, starts, strict=False)))


def cut(content: bytes) -> tuple[int, int, int]:
    """Return where a file's names, constants and code begin; a text has constants alone, any other file code alone."""
    module = mpy.read(content)
    if module:
        return module.names_at, module.constants_at, module.code_at
    return 0, 0, len(content) if content.isascii() else 0
