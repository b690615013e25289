"""Save a game in play when the journal is full; play does not keep this module in memory."""

import gc

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.contracts import Play


def stop_and_save(scene: "Play") -> bool:
    """Show SAVING, make room in the journal and save the game; return whether there was room.

    Call this while no Tetrimino is in play.
    """
    context = scene.context
    scene.view.draw_message("SAVING")
    context.device.display.show()
    gc.collect()
    kept = context.session.suspend(scene.game, True)
    context.router.tidy()
    gc.collect()
    scene.view.reset()
    return kept
