"""Hash the course of a game, to compare two runs of one recording."""

from binascii import crc32

from firmware.compat import TYPE_CHECKING
from firmware.engine.mode import Mode

if TYPE_CHECKING:
    from firmware.contracts import Callable, Game


class Trace(Mode):
    """Wrap the mode of a game, once it is made, and hash Matrix, score and events at every Lock Down.

    value: the 32-bit hash so far. lock_downs: how many Lock Downs it covers. listener: called with (trace, game) after
    each Lock Down, unless None.
    """

    def __init__(self, mode: Mode, listener: "Callable[[Trace, Game], object] | None" = None) -> None:
        self.mode = mode
        self.pick, self.match, self.iterate = mode.pick, mode.match, mode.iterate  # type: ignore[method-assign]
        self.listener = listener
        self.value = self.lock_downs = 0

    def complete(self, game: "Game") -> None:
        self.mode.complete(game)
        if not game.over:  # `end` mixes the last one in
            self.mix_state(game)

    def end(self, game: "Game") -> None:
        self.mode.end(game)
        self.mix_state(game)

    def mix_state(self, game: "Game") -> None:
        """Mix the game's current state into the hash."""
        value = self.value
        for row in game.matrix.rows:
            value = crc32(row, value)
        for number in (game.score, game.lines, game.level, game.action, game.over, game.time_ms):
            value = crc32(number.to_bytes(4, "little"), value)
        self.value = value
        self.lock_downs += 1
        if self.listener:
            self.listener(self, game)
