"""Save a game in play when the journal is full; play does not keep this module in memory."""

import gc

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from firmware.contracts import Play

_NEVER = const(1 << 29)  # a number of Lock Downs that no game reaches


def stop_and_save(scene: "Play") -> None:
    """Show SAVING, make room in the journal and save the game; without room save it no more.

    Call this while no Tetrimino is in play.
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
