"""Show a person the best computer's place for the Tetrimino in play."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.profiles import PROFILES
from firmware.players import levels
from firmware.players.opening import HELD
from firmware.players.player import UNITS, Player

if TYPE_CHECKING:
    from firmware.contracts import Game

_NONE = const(-1)
_PLENTY = const(1 << 20)
_LOOK_MS = const(400)


class Hint(Player):
    """Watch another player's game: call `look` after each `advance` of the game.

    units, most_width: as in a Player. is_known: whether there is a place to show: piece_shown, facing, x and y as in a
    Game. from_hold: whether to press Hold first to get that piece.
    """

    def __init__(self, units: int = UNITS, most_width: int = 255) -> None:
        Player.__init__(self, levels.BEST, 1, units, most_width)
        self.holds_first = False
        self.reaction_ms = _LOOK_MS
        self.is_known = False
        self.from_hold = False
        self.was_held = False
        self.asked_ms = 0
        self.piece_shown = self.facing = self.x = self.y = 0

    def look(self, pool: int = _PLENTY) -> int:
        """Think on like a Player; after a Hold or a Lock Down find another hint."""
        self.discard()
        return Player.look(self, pool)

    def discard(self) -> None:
        """Forget a hint from before a Hold or a Lock Down."""
        game = self.game
        if game.lock_downs == self.number and game.piece and game.held != self.was_held:
            self.number = _NONE
        if game.lock_downs != self.number or not game.piece:
            self.is_known = False

    def watch(self, game: "Game") -> None:
        """Begin to watch a game in any state."""
        self.was_held = game.held
        self.asked_ms = game.time_ms
        self.is_known = False
        Player.watch(self, game)

    def notice(self, game: "Game") -> None:
        """Read the Tetrimino that came into play."""
        self.was_held = game.held
        Player.notice(self, game)

    def is_due(self, game: "Game", t_ms: int) -> bool:
        """Return whether it has thought for long enough."""
        return t_ms >= self.asked_ms + _LOOK_MS and Player.is_due(self, game, t_ms)

    def is_of_use(self) -> bool:
        """Return whether the hint still applies: its Tetrimino is in play, or can be taken from Hold."""
        game = self.game
        return game.lock_downs == self.number and game.piece > 0 and (self.from_hold or game.held == self.was_held)

    def decide(self, game: "Game", t_ms: int) -> None:
        """Choose the place to show."""
        place = self.beam.choose(self.number)
        if place < 0:
            self.try_anything(game)
            return
        at = (place & 31) * 10
        x = place >> 5 & 15
        y = place >> 9 & 31 if place >> 14 & 7 else self.beam.root.land(at, x)
        self.piece_shown = at // 40 + 1
        self.facing = at // 10 & 3
        self.x = x - (PROFILES[at] & 15)
        self.y = y - (PROFILES[at] >> 4)
        self.from_hold = place & HELD > 0
        self.is_known = True
        self.expect(place)
