"""Keep a game of Tetress in at most 306 bytes: the players and every action.

The record: format (1 byte), the players of Red and Blue (0 a person, 1 to 4 a computer's level), a seed (2 bytes). Then
the next request (0 play on, 1 a hint, 2 the replay), then two bytes for each action, the lower first.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.tetress.computer import LEVELS
from firmware.tetress.game import ACTIONS, LONGEST

if TYPE_CHECKING:
    from firmware.contracts import Blob
    from firmware.tetress.game import Game as TetressGame

PLAYERS = const(1)  # the first bytes of a record may be changed in place
SEED = const(3)
WISH = const(5)
HEAD = const(6)

HINT = const(1)
AGAIN = const(2)

_FORMAT = const(1)


def start_record(red: int, blue: int, seed: int) -> bytearray:
    return bytearray((_FORMAT, red, blue, seed & 255, seed >> 8 & 255, 0))


def pack(game: "TetressGame", head: "Blob") -> bytearray:
    """Return the record of a game; `head` is the record that it began with."""
    record = bytearray(HEAD + 2 * game.played)
    record[:HEAD] = head[:HEAD]
    record[WISH] = 0
    record[HEAD:] = game.history[: 2 * game.played]
    return record


def is_whole(record: "Blob") -> bool:
    """Return whether bytes can be a record; its actions may still break the rules."""
    length = len(record)
    if length < HEAD or length % 2 or length > HEAD + 2 * LONGEST or record[0] != _FORMAT:
        return False
    if record[PLAYERS] > LEVELS or record[PLAYERS + 1] > LEVELS:
        return False
    for i in range(HEAD, length, 2):
        if (record[i] | record[i + 1] << 8) >= ACTIONS:
            return False
    return True


def undo(record: "Blob") -> bytearray:
    """Return the record without the last action, back to a person's move."""
    length = len(record)
    while length > HEAD:
        length -= 2
        if not record[PLAYERS + ((length - HEAD) // 2 & 1)]:
            break
    shorter = bytearray(length)
    shorter[:] = record[:length]
    return shorter
