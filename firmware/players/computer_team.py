"""Run the computers of a match on a PC, for bots, measurements and tests."""

from firmware.compat import TYPE_CHECKING
from firmware.players.computers import count_computers, make_players
from firmware.players.player import IDLE, NERVE_MS

if TYPE_CHECKING:
    from firmware.contracts import Match


class ComputerTeam:
    """Run the computers of a match; only `advance` passes time.

    players: one for each seat, or None for a person's seat. sharing: the number of computers, 1 to 4, that share a
    board's time for thought; 0 for all of this match.
    """

    def __init__(self, match: "Match", sharing: int = 0) -> None:
        self.match = match
        self.players = make_players(match, sharing or count_computers(match.options))
        self.watch()

    def watch(self) -> None:
        """Begin to watch the games of a round."""
        for number in range(len(self.players)):
            if self.players[number]:
                self.players[number].watch(self.match.seats[number].game)

    def advance(self, t_ms: int) -> None:
        """Advance the match to `t_ms`, and let all computers play."""
        match = self.match
        while match.time_ms < t_ms and not match.over:
            # Steps this short miss no press in a long frame.
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
