"""Let a computer play a game alone."""

from firmware.compat import TYPE_CHECKING, ticks_add
from firmware.players.player import IDLE, NERVE_MS

if TYPE_CHECKING:
    from typing import Any


def pass_time(player: "Any", t_ms: int) -> int:  # a Player, or a bot in its place
    """Advance the game of `player` to `t_ms`, with its edges and thought. Return the event bits of this time."""
    game = player.game
    happened = 0
    while game.time_ms < t_ms and not game.over:
        step_ms = min(t_ms, game.time_ms + NERVE_MS)
        while IDLE != player.due_ms <= step_ms:
            due_ms = ticks_add(game.now_ms, player.due_ms - game.time_ms)
            happened |= game.input(player.button, player.pressed, due_ms)
            player.prepare()
        happened |= game.advance(ticks_add(game.now_ms, step_ms - game.time_ms))
        player.look()
    return happened
