"""Save the whole game in progress in some hundred bytes; suspended_revival.py restores it.

The record: format (1 byte), variant (1 byte), then numbers of firmware/save/varint.py. These are the seed, the number
of options, the options in the order of their FIELDS, and the game's state in the order of `walk`. Last come the Blocks
of the rows below the Matrix's top, two cells a byte.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.game import Game
from firmware.engine.matrix import UNCLEARABLE
from firmware.engine.options import NAMES
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Buffer

VARIANT = const(1)  # index of the variant in a record

FORMAT = const(3)
OLDEST = const(1)  # oldest format that is still read
_WITH_EARLY = const(2)  # the first format with early presses
_HITS = const(4)  # rows that a Lock Down can complete; modes may mark more
SOLID_CELL = const(15)  # in place of the last cell of a Solid Line

# A Game's constructor makes all other state from the seed, the options and the mode.
_GAME = (
    ("piece", "facing", "x", "y", "ghost_y", "a", "b", "c", "d", "base", "phase", "hold", "pressed", "shift_step")
    + ("shift_us", "fall_us", "interval_us", "lock_us", "wait_us", "lowest", "moves_left", "entered_ms", "time_us")
    + ("time_ms", "now_ms", "score", "level", "lines", "goal", "chain", "lock_downs", "action", "spun", "cleared")
    + ("awarded", "over", "events", "hit_count", "turned_last", "point_5_used", "held", "grounded", "soft", "sliding")
    + ("hard_dropped",)
)
_STATISTICS = ("back_to_backs", "combo", "longest_combo", "pieces", "holds", "faults", "presses", "straight") + (
    "keys",
    "minis",
)
_OLD_STATISTICS = const(8)  # how many of them formats before 3 have
_RANDOM = ("a", "b")
_LEFT = ("left",)
_MATRIX = ("version", "top")
_EARLY = ("early", "early_steps", "early_turns")


def pack(game: Game, variant: int, buffer: "Buffer") -> int:
    """Write a game, whose dealer must have `order` and `left`; return the length: usually 200 bytes, at most 438."""
    numbers = Numbers(buffer, True)
    numbers.walk(FORMAT)
    numbers.walk(variant)
    numbers.walk(game.seed)
    numbers.walk(len(NAMES))
    numbers.fields(game.options, NAMES)
    walk(game, numbers, FORMAT)
    matrix = game.matrix
    at = numbers.at
    for y in range(matrix.top):
        row = matrix.rows[y]
        buffer[at] = row[0] << 4 | row[1]
        buffer[at + 1] = row[2] << 4 | row[3]
        buffer[at + 2] = row[4] << 4 | row[5]
        buffer[at + 3] = row[6] << 4 | row[7]
        buffer[at + 4] = row[8] << 4 | (SOLID_CELL if matrix.masks[y] == UNCLEARABLE else row[9])
        at += 5
    return at


def walk(game: Game, numbers: Numbers, form: int) -> None:
    """Write or read the game's state except the Blocks, in format `form`."""
    numbers.fields(game, _GAME)
    numbers.fields(game.statistics, _STATISTICS if form >= FORMAT else _STATISTICS[:_OLD_STATISTICS])
    kinds = game.statistics.kinds
    for i in range(len(kinds)):
        kinds[i] = numbers.walk(kinds[i])
    numbers.fields(game.random, _RANDOM)
    numbers.fields(game.garbage, _RANDOM)
    numbers.items(game.next, len(game.next))
    numbers.items(game.dealer.order, len(game.dealer.order))
    numbers.fields(game.dealer, _LEFT)
    numbers.items(game.hits, game.hit_count if game.hit_count > _HITS else _HITS)
    numbers.fields(game.matrix, _MATRIX)
    if form >= _WITH_EARLY:
        numbers.fields(game, _EARLY)
