"""Let the computers of a match play it, each for its seat."""

from firmware.compat import const
from firmware.players.player import IDLE, NERVE_MS, Player

# Thought and places kept in mind for each of so many computers: one takes at most 4 ms of a frame on a
# board, all together at most 6.
_UNITS = b"\x00\x40\x28\x1b\x14"
_MOST_WIDTH = b"\x00\x14\x0c\x08\x06"
_SEED = const(0x3B9AC9)


class Company:
    """The computers of a match, whose time passes by `advance` alone.

    players: one for each seat, or None for a person's.
    """

    def __init__(self, match) -> None:
        self.match = match
        options = match.options
        count = 0
        for number in range(options.players):
            count += options.level_of(number) > 0
        self.players: list = []
        for number in range(options.players):
            level = options.level_of(number)
            player = None
            if level:
                player = Player(level, match.seed ^ _SEED + number, _UNITS[count], _MOST_WIDTH[count])
            self.players.append(player)
        self.watch()

    def watch(self) -> None:
        """Begin with the games of a round."""
        for number in range(len(self.players)):
            if self.players[number]:
                self.players[number].watch(self.match.seats[number].game)

    def advance(self, t_ms: int) -> None:
        """Let time pass in the match until its clock shows `t_ms`, and all computers play."""
        match = self.match
        while match.time_ms < t_ms and not match.over:
            # However long a frame was, nobody misses a moment to press.
            step_ms = min(t_ms, match.time_ms + NERVE_MS)
            self.press(step_ms)
            match.advance(step_ms)
            for player in self.players:
                if player:
                    player.look()

    def press(self, t_ms: int) -> None:
        """Give the match all edges that are due until `t_ms`, the first one first."""
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
