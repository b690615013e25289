"""Save a game in play when the journal is full; nothing of this is in memory in play."""

import gc

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from firmware.contracts import Play

_NEVER = const(1 << 29)  # Lock Downs


def stop_and_save(scene: "Play") -> None:
    """Stop where no Tetrimino is in play, say so, make room and save; the game does not see how long that takes.

    A journal that has no room for a game even then is not asked again.
    """
    context = scene.context
    scene.view.draw_message("SAVING")
    context.device.display.show()
    gc.collect()
    if not context.session.suspend(scene.game, True):
        scene.saved = _NEVER
    context.router.tidy()
    gc.collect()
    scene.view.reset()
    scene.last_ms = context.clock.ticks_ms()
