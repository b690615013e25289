"""Thin out the line numbers of compiled code: a board keeps them on its drive and, once loaded, in its heap.

All files together have 18.8 KB of them. Most functions are so short that the number of their first statement tells
enough. A traceback needs that one, because functions have other names on a board. So a function of up to SHORT lines,
and what a module does when it is imported, keeps only the first, which leaves 6 KB. Longer functions keep all. See
MicroPython's py/bc.h for the forms.
"""

from tools.deploy import mpy

SHORT = 24  # lines with code
_MORE = 0x80
_MOST_PASSED = 31  # bytes of code that one byte of a table can pass; 15 if two bytes also count lines
_MOST_LINES = 0x7FF


def thin(content: bytes) -> bytes:
    """Return a module compiled by mpy-cross with fewer line numbers."""
    module = mpy.read(content)
    assert module
    at = module.code_at
    made = bytearray(content[:at])
    _, first = mpy.read_number(content, at)
    functions = 1
    while functions:
        head, start = mpy.read_number(content, at)
        at = start + (head >> 3)
        code = _thin_function(content[start:at], start == first)
        made += _write_number(len(code) << 3 | head & 7) + code
        functions -= 1
        if head & mpy.CHILDREN:
            children, after = mpy.read_number(content, at)
            made += content[at:after]
            at = after
            functions += children
    assert at == len(content)
    return bytes(made)


def _thin_function(code: bytes, is_module: bool) -> bytes:
    at = 0

    def get(_stream: int) -> int:
        nonlocal at
        at += 1
        return code[at - 1]

    count = mpy.read_signature(get)
    signature = code[:at]
    size, cells = mpy.read_sizes(get)
    names_at, rest_at = at, at + size
    for _ in range(count):
        _, at = mpy.read_number(code, at)
    names, table = code[names_at:at], code[at:rest_at]
    lines = _read_lines(table)
    if len(lines) > 1 and (is_module or len(lines) <= SHORT):
        table = _write_line(*next(iter(lines.items())))
    return signature + _write_sizes(len(names) + len(table), cells) + names + table + code[rest_at:]


def _read_lines(table: bytes) -> dict[int, int]:
    """Return the lines by the offset in the code where each begins, in their order."""
    lines: dict[int, int] = {}
    offset, line, at = 0, 1, 0
    while at < len(table):
        byte = table[at]
        if byte & _MORE:
            passed, more = byte & 0xF, (byte << 4 & 0x700) | table[at + 1]
            at += 1
        else:
            passed, more = byte & 0x1F, byte >> 5
        at += 1
        offset += passed
        line += more
        if more:
            lines[offset] = line
    return lines


def _write_line(offset: int, line: int) -> bytes:
    """Return the table of a function whose code has one line from an offset on."""
    full, passed = divmod(offset, _MOST_PASSED)
    table = bytearray([_MOST_PASSED] * full + [passed] * (passed > 0))
    line -= 1
    while line:
        more = min(line, _MOST_LINES)
        table += bytes((_MORE | more >> 4 & 0x70, more & 0xFF))
        line -= more
    return bytes(table)


def _write_number(number: int) -> bytes:
    made = [number & 0x7F]
    while number := number >> 7:
        made.insert(0, _MORE | number & 0x7F)
    return bytes(made)


def _write_sizes(size: int, cells: int) -> bytes:
    """Return the size of names and lines and the count of cells, six bits and one bit in each byte."""
    made = bytearray()
    while True:
        byte = (size & 0x3F) << 1 | cells & 1
        size, cells = size >> 6, cells >> 1
        if not size | cells:
            return bytes((*made, byte))
        made.append(_MORE | byte)
