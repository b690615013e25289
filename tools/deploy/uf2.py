"""Check a UF2 file whole before it becomes a part of ours: a cut one would leave a board without CircuitPython."""

import struct
from collections.abc import Iterable
from typing import NamedTuple

from tools.deploy import DeployError
from tools.deploy.drives import find_place

BLOCK_BYTES = 512
_HEAD = struct.Struct("<8I")
_STARTS, _END = (0x0A324655, 0x9E5D5157), struct.pack("<I", 0x0AB16F30)
_MOST_PAYLOAD_BYTES = 476
_HAS_FAMILY = 0x2000
_ABSOLUTE = 0xE48BFF57  # family of a single block before those of an RP2350, against a fault of its boot ROM
_FLASH_START = 0x10000000


class Block(NamedTuple):
    flags: int
    address: int
    size: int
    number: int
    total: int
    family: int


def is_ours(content: bytes) -> bool:
    """Return whether this is a UF2 file with our settings on its drive."""
    heads = range(0, len(content), BLOCK_BYTES)
    return content.startswith(struct.pack("<2I", *_STARTS)) and b"SKYLINE_" in b"".join(
        content[at + _HEAD.size : at + _HEAD.size + 256] for at in heads
    )


def check(content: bytes, name: str, board: str) -> None:
    """Refuse a UF2 file that is cut or damaged, of another chip than the board's, or with a drive in it."""
    place = find_place(board)
    blocks = [block for block in read_blocks(content, name) if block.family != _ABSOLUTE]
    total = blocks[0].total if blocks else 1
    if len(blocks) < total:
        raise DeployError(f"{name} is cut: it has {len(blocks)} of {total} blocks; download it again")
    for number, block in enumerate(blocks):
        if (block.number, block.total) != (number, total):
            raise DeployError(f"{name} is damaged: block {block.number} of {block.total} is in place {number}")
    check_family(blocks, name, board, place.family)
    check_addresses(blocks, name, _FLASH_START + place.start)


def read_blocks(content: bytes, name: str) -> list[Block]:
    """Return the heads of all blocks; raise DeployError for one that is no block of a UF2 file."""
    if not content or len(content) % BLOCK_BYTES:
        raise DeployError(
            f"{name} is no UF2 file, or is cut: {len(content)} bytes are no whole blocks; download it again"
        )
    blocks = []
    for at in range(0, len(content), BLOCK_BYTES):
        first, second, *rest = _HEAD.unpack_from(content, at)
        block = Block(*rest)
        is_whole = (first, second) == _STARTS and content[at + BLOCK_BYTES - 4 : at + BLOCK_BYTES] == _END
        if not is_whole or not 0 < block.size <= _MOST_PAYLOAD_BYTES:
            what = f"is damaged: block {at // BLOCK_BYTES} is none" if at else "is no UF2 file"
            raise DeployError(f"{name} {what}; download it again")
        blocks.append(block)
    return blocks


def check_family(blocks: Iterable[Block], name: str, board: str, family: int) -> None:
    for block in blocks:
        if block.flags & _HAS_FAMILY and block.family != family:
            words = f"{name} is for chips of family 0x{block.family:08x}, but {board} has 0x{family:08x}; wrong board?"
            raise DeployError(words)


def check_addresses(blocks: Iterable[Block], name: str, drive_start: int) -> None:
    """Refuse blocks that are not in rising order in the flash, or that lie where the drive begins."""
    end = _FLASH_START
    for block in blocks:
        if block.address < end:
            raise DeployError(
                f"{name} is damaged: block {block.number} goes to 0x{block.address:08x}, twice or nowhere"
            )
        end = block.address + block.size
    if end > drive_start:
        raise DeployError(f"{name} has a drive already, or is for another board: name CircuitPython's own UF2 file")
