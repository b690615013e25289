"""Sort the bytes of the firmware's image by kind, which packs 8 % smaller, and restore the image.

First come the bytes between the modules, then all tables of names, then all constants and texts, as mpy-cross made
them. All code follows in streams, each of bytes of one kind (mpy.follow). A header precedes them in little-endian
words: of two bytes the number of pieces, and the size of each in the image's order, of four the size of each stream.
sim/web/device/unpacking.js restores the image.
"""

import struct
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise

from tools.deploy import mpy

KINDS = 4
_CODE = KINDS - 1
_WORDS = "<%dH"
_SIZES = f"<{mpy.STREAMS}I"


def sort(image: bytes, files: Iterable[bytes]) -> bytes:
    """Return an image sorted by kind; `files` are those in it, in their order."""
    cuts = [0]
    at = 0
    for content in files:
        start = image.index(content, at)
        at = start + len(content)
        cuts += [start + inner for inner in cut(content)] + [at]
    cuts += [len(image)] * (KINDS - (len(cuts) - 1) % KINDS)
    pieces = [image[start:end] for start, end in pairwise(cuts)]
    kinds = [piece for kind in range(_CODE) for piece in pieces[kind::KINDS]]
    streams = split(pieces[_CODE::KINDS])
    header = struct.pack(_WORDS % (1 + len(pieces)), len(pieces), *map(len, pieces))
    header += struct.pack(_SIZES, *map(len, streams))
    return header + b"".join(kinds) + b"".join(streams)


def split(codes: Iterable[bytes]) -> list[bytearray]:
    """Take each code apart, an instruction after the other."""
    streams = [bytearray() for _ in range(mpy.STREAMS)]
    for code in filter(None, codes):
        rest = iter(code)

        def take(stream: int, rest: Iterator[int] = rest) -> int:
            streams[stream].append(byte := next(rest))
            return byte

        mpy.follow(take)
    return streams


def restore(content: bytes) -> bytes:
    """Return the image that `sort` was given, as unpacking.js does."""
    count, *sizes = struct.unpack_from(_WORDS % (1 + int.from_bytes(content[:2], "little")), content)
    words_end = 2 * (1 + count)
    lengths = struct.unpack_from(_SIZES, content, words_end)
    rest = iter(content[words_end + struct.calcsize(_SIZES) :])
    pieces = {at: bytes(islice(rest, sizes[at])) for kind in range(_CODE) for at in range(kind, count, KINDS)}
    streams = [iter(bytes(islice(rest, length))) for length in lengths]
    for at in range(_CODE, count, KINDS):
        code = bytearray()

        def take(stream: int, code: bytearray = code) -> int:
            code.append(byte := next(streams[stream]))
            return byte

        if sizes[at]:
            mpy.follow(take)
        pieces[at] = bytes(code)
    return b"".join(pieces[at] for at in range(count))


def cut(content: bytes) -> tuple[int, int, int]:
    """Return where a file's names, constants and code begin; all files but modules have constants alone."""
    module = mpy.read(content)
    return (module.names_at, module.constants_at, module.code_at) if module else (0, 0, len(content))
