"""Make the computers of a match, each for its seat."""

from firmware.compat import TYPE_CHECKING, const
from firmware.players.levels import BEST
from firmware.players.player import Player

if TYPE_CHECKING:
    from firmware.contracts import Any, Match, MatchOptions

# By the number of computers: units of thought and kept places of each one, and the units of all in a frame. On a board
# one computer takes at most 4 ms, all together at most 6.
_UNITS = b"\x00\x28\x18\x10\x0c"
_MOST_WIDTH = b"\x00\x08\x06\x05\x04"
_POOL = b"\x00\x28\x2f\x2c\x2e"
_SEED = const(0x3B9AC9)
_UNLIKE_MS = const(17)


def count_computers(options: "MatchOptions") -> int:
    count = 0
    for number in range(options.players):
        count += options.level_of(number) > 0
    return count


def find_pool(count: int) -> int:
    """Return the units of thought in a frame of a match with `count` computers."""
    return _POOL[count]


def make_players(match: "Match", count: int) -> "list[Any]":
    """Return a Player for each computer's seat, None for a person's; `count` share a frame's thought."""
    options = match.options
    players: "list[Any]" = [None] * options.players
    first = None
    for number in range(options.players):
        level = options.level_of(number)
        if level:
            player = players[number] = Player(
                min(BEST, level), match.first_seed ^ _SEED + number, _UNITS[count], _MOST_WIDTH[count]
            )
            # Computers of one level get the same Tetriminos and must not react alike.
            player.beam.modern = match.modern.counts if match.modern else 0
            player.reaction_ms += _UNLIKE_MS * number
            # Only one thinks at a time, so all share these objects.
            first = first or player
            player.beam.spare = first.beam.spare
            player.beam.saved = first.beam.saved
            player.hands.shadow = first.hands.shadow
    return players
