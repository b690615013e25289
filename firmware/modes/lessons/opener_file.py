"""Read openers; play does not keep this module in memory.

`python -m tools.openers build` makes firmware/openers.bin: a line of text, the number of openers, for each the length
of its record in two bytes, and the records:

    mask of the required Tetriminos  percent of all bags  percent with the mirror
    the place of each Tetrimino from I to Z: a step as in puzzle_file.py, or 0
    128 bytes, Opener.ready
    number of steps to show, then the steps; bit 15 marks a Tetrimino that comes by a rotation
    the name and up to two lines of words, separated by bars
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.profiles import PROFILES

if TYPE_CHECKING:
    from firmware.contracts import Blob
    from firmware.modes.opener import Opener

PIECES = const(7)
MIRROR = const(0o56742310)  # three bits for each Tetrimino: its mirror image
TURNED = const(1 << 15)
PLACES = const(3)

_READY = const(17)
_SHOWN = const(145)
_FACINGS = b"\x00\x03\x02\x01"  # in the mirror


def read() -> list[bytes]:
    found = []
    with open(__file__.rpartition("modes")[0] + "openers.bin", "rb") as file:
        while file.read(1) != b"\n":
            pass
        sizes = file.read(2 * file.read(1)[0])
        for i in range(0, len(sizes), 2):
            found.append(file.read(sizes[i] | sizes[i + 1] << 8))
    return found


def fetch(number: int) -> bytes:
    """Return the record of an opener; raise ValueError with one line if there is none."""
    with open(__file__.rpartition("modes")[0] + "openers.bin", "rb") as file:
        while file.read(1) != b"\n":
            pass
        count = file.read(1)[0]
        if number >= count:
            raise ValueError("there is no opener %d in this version of Skyline" % (number + 1))
        sizes = file.read(2 * count)
        skipped = 0
        for i in range(0, 2 * number, 2):
            skipped += sizes[i] | sizes[i + 1] << 8
        file.seek(skipped, 1)
        return file.read(sizes[2 * number] | sizes[2 * number + 1] << 8)


def unpack(record: "Blob", at: int, mirrored: int) -> int:
    """Return the step at an index of a record; `mirrored` is 1 or 0."""
    step = record[at] | record[at + 1] << 8
    if not mirrored or not step:
        return step
    piece = step >> 12 & 7
    origin = (piece - 1) * 40 + (step & 3) * 10
    right = (step >> 2 & 15) - 3 + (PROFILES[origin] & 15) + PROFILES[origin + 1]
    piece = MIRROR >> 3 * piece & 7
    facing = _FACINGS[step & 3]
    x = 13 - right - (PROFILES[(piece - 1) * 40 + facing * 10] & 15)
    return step & (TURNED | 63 << 6) | piece << 12 | x << 2 | facing


def fill(owner: "Opener", record: bytes, number: int) -> None:
    """Set the fields of `owner` to the opener of a record, mirrored if `number` is odd."""
    owner.mirrored = number & 1
    owner.goal = record[0]
    owner.ready = record[_READY:_SHOWN]
    places = [0] * (PIECES + 1)
    for i in range(PIECES):
        step = unpack(record, PLACES + 2 * i, number & 1)
        places[step >> 12 & 7] = step & ~TURNED
    owner.places = places


def list_steps(record: "Blob", mirrored: int) -> list[int]:
    return [unpack(record, _SHOWN + 1 + 2 * i, mirrored) for i in range(record[_SHOWN])]


def describe(record: "Blob") -> list[bytes]:
    """Return the name and the lines of words."""
    return bytes(record[_SHOWN + 1 + 2 * record[_SHOWN] :]).split(b"|")


def deal(number: int) -> bytes:
    """Return the seven Tetriminos in order `number` of all orders."""
    pieces = [1, 2, 3, 4, 5, 6, 7]
    order = bytearray(PIECES)
    for i in range(PIECES):
        order[i] = pieces.pop(number % (PIECES - i))
        number //= PIECES - i
    return bytes(order)
