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
# The rows of the pattern in three corners, from the edge on, and of the one near the fourth.
_FINDER = b"\x7f\x41\x5d\x5d\x5d\x41\x7f\x00"
_ALIGNMENT = b"\x1f\x11\x15\x11\x1f"


class Bits:
    """Append numbers to bytes, the highest bit first."""

    def __init__(self, count: int) -> None:
        self.bytes = bytearray(count)
        self.at = 0

    def append(self, number: int, bits: int) -> None:
        for bit in range(bits - 1, -1, -1):
            self.bytes[self.at >> 3] |= (number >> bit & 1) << (~self.at & 7)
            self.at += 1


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
    # Powers of 2 in GF(256) with x^8 + x^4 + x^3 + x^2 + 1, twice, and their logarithms.
    powers = bytearray(510)
    logs = bytearray(256)
    power = 1
    for i in range(255):
        powers[i] = powers[i + 255] = power
        logs[power] = i
        power = power << 1 ^ (0x11D if power > 127 else 0)
    # The logarithms of the generator's coefficients, the highest first, without the first, which is 1.
    generator = bytearray(correction)
    generator[-1] = 1
    for root in range(correction):
        for i in range(correction):
            product = powers[logs[generator[i]] + root] if generator[i] else 0
            generator[i] = product ^ (generator[i + 1] if i + 1 < correction else 0)
    for i in range(correction):
        generator[i] = logs[generator[i]]
    rest = bytearray(correction + 1)  # its last byte stays 0
    for i in range(data):
        factor = bits.bytes[i] ^ rest[0]
        log = logs[factor]
        for j in range(correction):
            rest[j] = rest[j + 1] ^ (powers[log + generator[j]] if factor else 0)
    bits.bytes[data:] = rest[:correction]
    return bits.bytes


def encode(text: str) -> "list[int]":
    """Return the rows of modules, the top row first; bit x of a row is 1 if the module at x is dark.

    Raise ValueError if the text is too long.
    """
    sizes = [each for each in _SIZES if len(text) <= each[0]]
    if not sizes:
        raise ValueError("too long for a QR code")
    _most, size, data, correction, form = sizes[0]
    rows = [(y + 1 & 1) << 6 for y in range(size)]  # the timing pattern
    taken = [1 << 6] * size  # the modules that hold no text
    for i in range(0, size, 2):
        rows[6] |= 1 << i
    taken[6] = (1 << size) - 1
    corner = size - 8
    for y in range(9):
        taken[y] |= 0x1FF | 0xFF << corner
    for y in range(8):
        taken[corner + y] |= 0x1FF
        # A pattern to find, and light modules around it.
        bits = _FINDER[y]
        rows[y] = rows[y] & ~(0xFF | 0xFF << corner) | bits | bits << corner + 1
        rows[size - 1 - y] = rows[size - 1 - y] & ~0xFF | bits
    for i in range(5):
        taken[corner - 1 + i] |= 31 << corner - 1
        rows[corner - 1 + i] |= _ALIGNMENT[i] << corner - 1
    rows[corner] |= 1 << 8
    for i in range(15):
        bit = form >> i & 1
        if i < 8:
            rows[i if i < 6 else i + 1] |= bit << 8
            rows[8] |= bit << size - 1 - i
        else:
            rows[8] |= bit << (7 if i == 8 else 14 - i)
            rows[size - 15 + i] |= bit << 8
    content = write_bytes(text, data, correction)
    content.append(0)  # seven bits remain
    at = 0
    up = True
    for right in range(size - 1, 0, -2):
        if right <= 6:
            right -= 1  # the column of the timing pattern
        for i in range(size):
            y = size - 1 - i if up else i
            used = taken[y]
            for x in (right, right - 1):
                if not used >> x & 1:
                    rows[y] |= (content[at >> 3] >> (~at & 7) & 1 ^ x + y + 1 & 1) << x
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
