"""Read modules compiled by mpy-cross, version 6: see MicroPython's py/persistentcode.c, py/bc.h and py/bc0.h."""

from collections.abc import Callable
from dataclasses import dataclass

_MAGIC = b"M\x06"
_HEAD = 4
_LAST_SINGLE_BYTE = 4  # constants up to this kind consist of their kind alone
_TUPLE = 10
_ZERO_ENDED = (5, 6)  # strings and bytes end in a zero
CHILDREN = 4  # set in the head of a block with inner blocks; the lower two bits are 0 for bytecode
# The operand of an instruction, by its upper four bits: none, the number of a name, another number, a distance.
_FORMATS = 0x3A4
_NAME, _NUMBER, _DISTANCE = 1, 2, 3
_NO_MORE = 0x9E  # an instruction with none of these bits has one more byte

# The streams of code: sizes and lines, the names of functions and arguments, instructions with their other operands.
STREAMS = 5
HEADS, OWN_NAMES, INSTRUCTIONS, NAMES, DISTANCES = range(STREAMS)


@dataclass(frozen=True)
class Module:
    """A module's parts: a head, the entries of its table of names, constants, code."""

    content: bytes
    names: list[bytes]
    names_at: int
    constants_at: int
    code_at: int

    def find_uses(self) -> list[int]:
        """Return where the code has the number of a name."""
        uses: list[int] = []
        at, goes_on = self.code_at, False

        def take(stream: int) -> int:
            nonlocal at, goes_on
            byte = self.content[at]
            if stream in (OWN_NAMES, NAMES):
                if not goes_on:
                    uses.append(at)
                goes_on = byte >= 0x80
            at += 1
            return byte

        follow(take)
        assert at == len(self.content)
        return uses


def read(content: bytes) -> Module | None:
    """Return the parts of a module, None for any other file."""
    if not content.startswith(_MAGIC):
        return None
    count, at = read_number(content, _HEAD)
    constants, at = read_number(content, at)
    names_at = at
    names = []
    for _ in range(count):
        start = at
        length, at = read_number(content, at)
        if not length & 1:  # else the number of a name that every interpreter has
            at += (length >> 1) + 1
        names.append(content[start:at])
    constants_at = at
    for _ in range(constants):
        at = _pass_constant(content, at)
    return Module(content, names, names_at, constants_at, at)


def read_number(content: bytes, at: int) -> tuple[int, int]:
    """Return a number of seven bits a byte, the highest first, and the offset of its end."""
    number = 0
    while True:
        number = number << 7 | content[at] & 0x7F
        at += 1
        if content[at - 1] < 0x80:
            return number, at


def _pass_constant(content: bytes, at: int) -> int:
    kind = content[at]
    if kind <= _LAST_SINGLE_BYTE:
        return at + 1
    length, at = read_number(content, at + 1)
    if kind != _TUPLE:
        return at + length + (kind in _ZERO_ENDED)
    for _ in range(length):
        at = _pass_constant(content, at)
    return at


def follow(take: Callable[[int], int]) -> None:
    """Ask for each byte of a module's code in turn, by its stream, as sim/web/device/unpacking.js does."""
    at = 0

    def get(stream: int) -> int:
        nonlocal at
        at += 1
        return take(stream)

    def get_number(stream: int) -> int:
        number, byte = 0, 0x80
        while byte >= 0x80:
            byte = get(stream)
            number = number << 7 | byte & 0x7F
        return number

    blocks = 1
    while blocks:
        head = get_number(HEADS)
        assert not head & 3, "no bytecode"
        end = at + (head >> 3)
        names = read_signature(get)
        cells_at = sum(read_sizes(get)) + at
        for _ in range(names):
            get_number(OWN_NAMES)
        while at < cells_at:
            get(HEADS)
        while at < end:
            instruction = get(INSTRUCTIONS)
            form = _FORMATS >> 2 * (instruction >> 4) & 3
            if form == _NAME:
                get_number(NAMES)
            elif form == _NUMBER:
                get_number(INSTRUCTIONS)
            elif form == _DISTANCE and get(DISTANCES) >= 0x80:
                get(DISTANCES)
            if form != _NAME and not instruction & _NO_MORE:
                get(INSTRUCTIONS)
        assert at == end
        blocks -= 1
        if head & CHILDREN:
            blocks += get_number(HEADS)


def read_signature(get: Callable[[int], int]) -> int:
    """Return how many names a function has: its own and its arguments'."""
    byte = get(HEADS)
    names, shift = 1 + (byte & 3), 0
    while byte >= 0x80:
        byte = get(HEADS)
        names += ((byte & 4) << shift) + ((byte & 8) >> 3 << shift)
        shift += 1
    return names


def read_sizes(get: Callable[[int], int]) -> tuple[int, int]:
    """Return the bytes of a function's names and lines, and the count of its cells."""
    size = cells = shift = 0
    byte = 0x80
    while byte >= 0x80:
        byte = get(HEADS)
        size |= (byte >> 1 & 0x3F) << 6 * shift
        cells |= (byte & 1) << shift
        shift += 1
    return size, cells
