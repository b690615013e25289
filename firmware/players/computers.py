"""Let the computers of a match play, each for its seat."""

from firmware.compat import TYPE_CHECKING, const
from firmware.players.player import IDLE, NERVE_MS, Player

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Match, MatchOptions

# For each number of computers: each one's thought and kept places, and the thought of a frame. One takes at most 4 ms
# on a board, all together at most 6.
_UNITS = b"\x00\x2c\x18\x10\x0c"
_MOST_WIDTH = b"\x00\x08\x06\x05\x04"
_POOL = b"\x00\x2c\x2f\x2c\x2e"
_SEED = const(0x3B9AC9)
_UNLIKE_MS = const(17)


def count_computers(options: "MatchOptions") -> int:
    """Return how many players of a match are computers."""
    count = 0
    for number in range(options.players):
        count += options.level_of(number) > 0
    return count


def find_pool(count: int) -> int:
    """Return the units of thought in a frame of a match with that many computers."""
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
                level, match.first_seed ^ _SEED + number, _UNITS[count], _MOST_WIDTH[count]
            )
            # They get the same Tetriminos: computers of one level must not react alike.
            player.reaction_ms += _UNLIKE_MS * number
            # Only one thinks at a time, so all share one slate.
            first = first or player
            player.beam.spare = first.beam.spare
            player.beam.saved = first.beam.saved
            player.hands.shadow = first.hands.shadow
    return players


class ComputerTeam:
    """Run the computers of a match; only `advance` passes time.

    players: one for each seat, or None for a person's. sharing: 1 to 4 computers share a board's frame for thought; 0
    for all that exist.
    """

    def __init__(self, match: "Match", sharing: int = 0) -> None:
        self.match = match
        self.players = make_players(match, sharing or count_computers(match.options))
        self.watch()

    def watch(self) -> None:
        """Begin with the games of a round."""
        for number in range(len(self.players)):
            if self.players[number]:
                self.players[number].watch(self.match.seats[number].game)

    def advance(self, t_ms: int) -> None:
        """Advance the match to `t_ms`, and let all computers play."""
        match = self.match
        while match.time_ms < t_ms and not match.over:
            # However long a frame was, no press is missed.
            step_ms = min(t_ms, match.time_ms + NERVE_MS)
            self.press(step_ms)
            match.advance(step_ms)
            for player in self.players:
                if player:
                    player.look()

    def press(self, t_ms: int) -> None:
        """Give the match all edges that are due until `t_ms`, in order."""
        while True:
            number = -1
            due_ms = t_ms + 1
            for i in range(len(self.players)):
                player = self.players[i]
                if player and IDLE != player.due_ms < due_ms:
                    due_ms = player.due_ms
                    number = i
            if number < 0:
                return
            player = self.players[number]
            self.match.input(number, player.button, player.pressed, due_ms)
            player.prepare()
