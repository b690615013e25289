"""Show a person where the best level would put the Tetrimino in play."""

from firmware.compat import const
from firmware.engine.profiles import PROFILES
from firmware.players import levels
from firmware.players.opening import HELD
from firmware.players.player import Player

_NONE = const(-1)
_PLENTY = const(1 << 20)
_LOOK_MS = const(400)


class Hint(Player):
    """Watch a game that somebody else plays: after each `advance` of it call `look`.

    is_known: whether there is a place to show: piece, facing, x and y as a Game has them, and `from_hold` where that
        piece is to be held for it first.
    """

    def __init__(self) -> None:
        Player.__init__(self, levels.BEST)
        self.holds_first = False
        self.reaction_ms = _LOOK_MS
        self.is_known = False
        self.from_hold = False
        self.facing = self.x = self.y = 0

    def look(self, pool: int = _PLENTY) -> int:
        """See what happened, and think on; a Tetrimino that was held or locked down needs another hint."""
        game = self.game
        if game.lock_downs == self.number and game.piece and game.held != self.was_held:
            self.number = _NONE
        if game.lock_downs != self.number or not game.piece:
            self.is_known = False
        return Player.look(self, pool)

    def watch(self, game) -> None:
        """Begin to watch a game, wherever it stands."""
        self.was_held = game.held
        self.is_known = False
        Player.watch(self, game)

    def notice(self, game) -> None:
        """Take in the Tetrimino that came into play."""
        self.was_held = game.held
        Player.notice(self, game)

    def decide(self, game, t_ms: int) -> None:
        """Find the place to show."""
        place = self.beam.choose(self.number)
        if place < 0:
            self.try_anything(game)
            return
        at = (place & 31) * 10
        x = place >> 5 & 15
        y = place >> 9 & 31 if place >> 14 & 7 else self.beam.root.land(at, x)
        self.piece = at // 40 + 1
        self.facing = at // 10 & 3
        self.x = x - (PROFILES[at] & 15)
        self.y = y - (PROFILES[at] >> 4)
        self.from_hold = place & HELD > 0
        self.is_known = True
        self.expect(place)
