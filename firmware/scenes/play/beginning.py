"""Count down to a new game, after its first picture; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.scenes.countdown import Countdown

if TYPE_CHECKING:
    from firmware.contracts import EdgeQueue, Play


def count_down(scene: "Play", edges: "EdgeQueue") -> None:
    """Do what the first picture need not wait for: save the settings, load the tune, cover the game.

    That takes a board a seventh of a second.
    """
    context = scene.context
    context.save_settings()
    settings = context.settings
    if settings.music_on and not getattr(scene.voice, "is_all", False):  # BY EAR ALL has no music
        tune = settings.tune
        scene.voice.play_tune(tune if tune < 3 else context.clock.ticks_ms() % 3)
        scene.voice.silence()
    now_ms = context.clock.ticks_ms()
    edges.restamp(now_ms)
    context.router.defer_edges(now_ms)
    cover = Countdown(scene, [("READY", 900), ("GO", 400)])
    cover.due_ms = now_ms
    scene.halt(scene.state, cover)
    cover.update(edges, now_ms)
