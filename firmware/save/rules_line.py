"""Write the numbers of a game's rules as one line of text, and read them again (README.md, "The line")."""

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from firmware.contracts import Blob

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_HEAD = "SKY1"
_HEAD_LETTERS = const(4)
_CHECK_LETTERS = const(4)
_MOST_LETTERS = const(64)  # with dashes 76 characters: a QR code of version 3 has room for 77
_GROUP = const(5)
_MORE = const(16)  # in a letter: the number goes on
_LONGEST_SHIFT = const(28)
_SEAL = const(0x5C1A7)  # the remainder of a line: with 0 a further letter 0 at the end would change nothing
# The generator's coefficients below z^4, times 1, 2, 4, 8 and 16.
_STEPS = (0xF1931, 0xCB247, 0xBE02E, 0x5D45C, 0xB3C9D)


def divide(letters: "Blob") -> int:
    """Return the remainder of a line's polynomial by the generator, 20 bits; _SEAL for a right line."""
    rest = 0
    for letter in letters:
        top = rest >> 15
        rest = (rest & 0x7FFF) << 5 ^ letter
        for i in range(5):
            if top >> i & 1:
                rest ^= _STEPS[i]
    return rest


def write(numbers: "list[int]") -> str:
    """Return the line of some numbers, each 0 to 2**32 - 1; raise ValueError if they are too many."""
    letters = bytearray([LETTERS.find(letter) for letter in _HEAD])
    for number in numbers:
        while number >= _MORE:
            letters.append(number & 15 | _MORE)
            number >>= 4
        letters.append(number)
    rest = divide(letters + bytes(_CHECK_LETTERS)) ^ _SEAL
    for shift in (15, 10, 5, 0):
        letters.append(rest >> shift & 31)
    if len(letters) > _MOST_LETTERS:
        raise ValueError("too many rules for a line")
    line = _HEAD
    for i in range(_HEAD_LETTERS, len(letters)):
        if (i - _HEAD_LETTERS) % _GROUP == 0:
            line += "-"
        line += LETTERS[letters[i]]
    return line


def read(line: str) -> "list[int]":
    """Return the numbers of a line; raise ValueError with a few words if it is wrong."""
    letters = bytearray()
    for letter in line:
        if "a" <= letter <= "z":
            letter = letter.upper()
        if letter in "- \t\r\n":
            continue
        value = LETTERS.find("0" if letter == "O" else "1" if letter in "IL" else letter)
        if value < 0:
            raise ValueError("a line has no letter " + (letter if " " < letter <= "~" else "like that"))
        letters.append(value)
    head = "".join([LETTERS[letter] for letter in letters[:_HEAD_LETTERS]])
    if len(head) < _HEAD_LETTERS or head[:-1] != _HEAD[:-1]:
        raise ValueError("a line begins with SKY1-")
    if head != _HEAD:
        raise ValueError("made by a newer Skyline")
    if not _HEAD_LETTERS + _CHECK_LETTERS < len(letters) <= _MOST_LETTERS or divide(letters) != _SEAL:
        raise ValueError("a letter is wrong or missing")
    numbers = []
    number = shift = 0
    for value in letters[_HEAD_LETTERS:-_CHECK_LETTERS]:
        number |= (value & 15) << shift
        shift += 4
        if value < _MORE:
            numbers.append(number)
            number = shift = 0
        elif shift > _LONGEST_SHIFT:
            raise ValueError("made by a newer Skyline")
    if shift:
        raise ValueError("made by a newer Skyline")
    return numbers
