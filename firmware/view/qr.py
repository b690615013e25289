"""Draw a text as a QR code of 25 or 29 modules (ISO/IEC 18004, alphanumeric mode, mask 0)."""

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from firmware.contracts import Canvas

FIELD_PX = const(64)

_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
_ALPHANUMERIC = const(2)
_COUNT_BITS = const(9)
# Version 2 at level M, 2 at L and 3 at L: most letters, modules in a row, bytes of text, bytes of correction, and the
# format with its own correction.
_SIZES = ((38, 25, 28, 16, 0x5412), (47, 25, 34, 10, 0x77C4), (77, 29, 55, 15, 0x77C4))


class Bits:
    """Append numbers to bytes, the highest bit first."""

    def __init__(self, count: int) -> None:
        self.bytes = bytearray(count)
        self.at = 0

    def append(self, number: int, bits: int) -> None:
        """Append the low bits of a number."""
        for bit in range(bits - 1, -1, -1):
            self.bytes[self.at >> 3] |= (number >> bit & 1) << (~self.at & 7)
            self.at += 1


def multiply(a: int, b: int) -> int:
    """Return the product in GF(256) with x^8 + x^4 + x^3 + x^2 + 1."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        if a > 255:
            a ^= 0x11D
        b >>= 1
    return product


def write_bytes(text: str, data: int, correction: int) -> bytearray:
    """Return the bytes of a text and its Reed-Solomon correction."""
    bits = Bits(data + correction)
    bits.append(_ALPHANUMERIC, 4)
    bits.append(len(text), _COUNT_BITS)
    for i in range(0, len(text) - 1, 2):
        bits.append(_LETTERS.find(text[i]) * 45 + _LETTERS.find(text[i + 1]), 11)
    if len(text) % 2:
        bits.append(_LETTERS.find(text[-1]), 6)
    bits.append(0, min(4, data * 8 - bits.at))
    bits.append(0, -bits.at & 7)
    pad = 0xEC
    while bits.at < data * 8:
        bits.append(pad, 8)
        pad ^= 0xEC ^ 0x11
    generator = bytearray(correction)  # its coefficients, without the first, which is 1
    generator[-1] = 1
    root = 1
    for _ in range(correction):
        for i in range(correction):
            generator[i] = multiply(generator[i], root)
            if i + 1 < correction:
                generator[i] ^= generator[i + 1]
        root = multiply(root, 2)
    rest = bytearray(correction)
    for i in range(data):
        factor = bits.bytes[i] ^ rest[0]
        for j in range(correction):
            rest[j] = (rest[j + 1] if j + 1 < correction else 0) ^ multiply(generator[j], factor)
    bits.bytes[data:] = rest
    return bits.bytes


def is_pattern(x: int, y: int, size: int) -> bool:
    """Return whether a module belongs to a pattern or the format, not to the text."""
    if x == 6 or y == 6 or y < 9 and (x < 9 or x >= size - 8) or x < 9 and y >= size - 8:
        return True
    return size - 9 <= x < size - 4 and size - 9 <= y < size - 4


def find_pattern(x: int, y: int, size: int) -> int:
    """Return 1 if a module of a pattern is dark; the modules of the format are light."""
    for left, top in ((0, 0), (size - 7, 0), (0, size - 7)):
        if left - 1 <= x < left + 8 and top - 1 <= y < top + 8:
            ring = max(abs(x - left - 3), abs(y - top - 3))
            return int(ring != 2 and ring != 4)
    if size - 9 <= x < size - 4 and size - 9 <= y < size - 4:
        return int(max(abs(x - size + 7), abs(y - size + 7)) != 1)
    if x == 6 or y == 6:
        return x + y + 1 & 1
    return int(x == 8 and y == size - 8)


def encode(text: str) -> "list[int]":
    """Return the rows of modules, the top row first; bit x of a row is 1 if the module at x is dark.

    Raise ValueError if the text is too long.
    """
    sizes = [each for each in _SIZES if len(text) <= each[0]]
    if not sizes:
        raise ValueError("too long for a QR code")
    _most, size, data, correction, form = sizes[0]
    rows = [0] * size
    for y in range(size):
        for x in range(size):
            if is_pattern(x, y, size):
                rows[y] |= find_pattern(x, y, size) << x
    for i in range(15):
        bit = form >> i & 1
        if i < 8:
            rows[i if i < 6 else i + 1] |= bit << 8
            rows[8] |= bit << size - 1 - i
        else:
            rows[8] |= bit << (7 if i == 8 else 14 - i)
            rows[size - 15 + i] |= bit << 8
    content = write_bytes(text, data, correction)
    at = 0
    up = True
    for right in range(size - 1, 0, -2):
        if right <= 6:
            right -= 1  # the column of the timing pattern
        for i in range(size):
            y = size - 1 - i if up else i
            for x in (right, right - 1):
                if not is_pattern(x, y, size):
                    bit = content[at >> 3] >> (~at & 7) & 1 if at >> 3 < len(content) else 0
                    rows[y] |= (bit ^ (x + y + 1 & 1)) << x
                    at += 1
        up = not up
    return rows


def draw(canvas: "Canvas", text: str) -> None:
    """Draw the code of a text on a lit square at the top of the screen; a module is two pixels wide."""
    rows = encode(text)
    size = len(rows)
    margin = FIELD_PX - 2 * size >> 1
    canvas.fill(0, 0, FIELD_PX, FIELD_PX, 1)
    for y in range(size):
        for x in range(size):
            if rows[y] >> x & 1:
                canvas.fill(margin + 2 * x, margin + 2 * y, 2, 2, 0)
