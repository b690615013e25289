"""Read modules compiled by mpy-cross, version 6: see MicroPython's py/persistentcode.c, py/bc.h and py/bc0.h."""

from dataclasses import dataclass

_MAGIC = b"M\x06"
_HEAD = 4
_LAST_SINGLE_BYTE = 4  # constants up to this kind consist of their kind alone
_TUPLE = 10
_ZERO_ENDED = (5, 6)  # strings and bytes end in a zero
_CHILDREN = 4  # set in the head of a block with inner blocks; the lower two bits are 0 for bytecode
# The operand of an instruction, by its upper four bits: none, the number of a name, another number, a distance.
_FORMATS = 0x3A4
_NAME, _NUMBER, _DISTANCE = 1, 2, 3
_NO_MORE = 0x9E  # an instruction with none of these bits has one more byte


@dataclass(frozen=True)
class Module:
    """A module's parts: a head, the entries of its table of names, constants, code."""

    content: bytes
    names: list[bytes]
    names_at: int
    constants_at: int
    code_at: int

    def find_uses(self) -> list[int]:
        uses: list[int] = []
        at, blocks = self.code_at, 1
        while blocks:
            head, at = read_number(self.content, at)
            assert not head & 3, "bytecode"
            end = at + (head >> 3)
            _find_in_block(self.content, at, end, uses)
            blocks -= 1
            at = end
            if head & _CHILDREN:
                inner, at = read_number(self.content, at)
                blocks += inner
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


def _find_in_block(content: bytes, at: int, end: int, uses: list[int]) -> None:
    """Append the offsets of the names in a function: its own name, its arguments and its instructions' names."""
    arguments, at = _read_arguments(content, at)
    info, cells, at = _read_sizes(content, at)
    first = at + info + cells
    for _ in range(1 + arguments):
        uses.append(at)
        _, at = read_number(content, at)
    at = first
    while at < end:
        instruction = content[at]
        form = _FORMATS >> 2 * (instruction >> 4) & 3
        at += 1
        if form == _NAME:
            uses.append(at)
        if form in (_NAME, _NUMBER):
            _, at = read_number(content, at)
        elif form == _DISTANCE:
            at += 1 + (content[at] >> 7)
        if form != _NAME and not instruction & _NO_MORE:
            at += 1
    assert at == end


def _read_arguments(content: bytes, at: int) -> tuple[int, int]:
    """Return the number of a function's named arguments, and the offset of its signature's end."""
    count = content[at] & 3
    shift = 0
    while content[at] & 0x80:
        at += 1
        count += ((content[at] & 4) << shift) + ((content[at] & 8) >> 3 << shift)
        shift += 1
    return count, at + 1


def _read_sizes(content: bytes, at: int) -> tuple[int, int, int]:
    """Return the size of the data on names and lines, the size of the data on cells, and the offset of the data."""
    info = cells = shift = 0
    while True:
        byte = content[at]
        info |= (byte >> 1 & 0x3F) << 6 * shift
        cells |= (byte & 1) << shift
        at += 1
        shift += 1
        if byte < 0x80:
            return info, cells, at
