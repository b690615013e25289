"""Count down to a new game, after its first picture; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.modes.catalogue import find
from firmware.modes.classes import USUAL, find_class
from firmware.scenes.countdown import Countdown
from firmware.view.art import FONT_3X5
from firmware.view.canvas import WIDTH, centre

if TYPE_CHECKING:
    from firmware.contracts import EdgeQueue, Play

_TOLD_Y = const(90)  # below the word of the countdown
_PITCH = const(7)


class Opening(Countdown):
    """Count down, and say in which table the game is unless it is the usual one: all ways to a game lead here.

    told: these words. is_told: whether they were drawn.
    """

    is_told = False

    def __init__(self, scene: "Play") -> None:
        Countdown.__init__(self, scene, [("READY", 900), ("GO", 400)])
        self.told = b""
        options = scene.game.options
        record = find(scene.context.session.variant)
        if find_class(options, record) != USUAL:
            # Imported late: most games have the usual table.
            from firmware.scenes.mode_opening import describe_class

            self.told = describe_class(options, record)

    def draw(self) -> None:
        """Draw the game and the word, then the words below it."""
        Countdown.draw(self)
        if self.told and not self.is_told and self.scene.view.matrix.version >= 0:
            self.is_told = True
            canvas = self.scene.view.canvas
            rows = self.told.split(b"|")
            height = len(rows) * _PITCH + 4
            canvas.fill(0, _TOLD_Y, WIDTH, height, 0)
            canvas.fill(0, _TOLD_Y, WIDTH, 1, 1)
            canvas.fill(0, _TOLD_Y + height - 1, WIDTH, 1, 1)
            for i in range(len(rows)):
                centre(canvas, _TOLD_Y + 3 + i * _PITCH, rows[i], FONT_3X5)


def count_down(scene: "Play", edges: "EdgeQueue") -> None:
    """Do what the first picture need not wait for: save the settings, load the tune, cover the game.

    That takes a board a seventh of a second.
    """
    context = scene.context
    context.save_settings()
    settings = context.settings
    if settings.music_on and not getattr(scene.voice, "is_all", False):  # BY EAR ALL has no music
        scene.voice.play_tune(settings.tune, context.clock.ticks_ms())
        scene.voice.silence()
    now_ms = context.clock.ticks_ms()
    edges.restamp(now_ms)
    context.router.defer_edges(now_ms)
    cover = Opening(scene)
    cover.due_ms = now_ms
    scene.halt(scene.state, cover)
    cover.update(edges, now_ms)
