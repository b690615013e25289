"""Save a game in play when the journal is full; nothing of this is in memory in play."""

import gc

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.contracts import Play


def stop_and_save(scene: "Play") -> bool:
    """Stop where no Tetrimino is in play, say so, make room and save; return whether there was room."""
    context = scene.context
    scene.view.draw_message("SAVING")
    context.device.display.show()
    gc.collect()
    kept = context.session.suspend(scene.game, True)
    context.router.tidy()
    gc.collect()
    scene.view.reset()
    return kept
