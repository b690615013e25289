"""Let the best computer play until a button is pressed."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.engine.randomizer import SEEDS
from firmware.modes.marathon import Marathon
from firmware.players import levels
from firmware.players.alone import pass_time
from firmware.players.player import Player
from firmware.view.art import FONT_5X7
from firmware.view.effects import EffectsView

if TYPE_CHECKING:
    from firmware.contracts import Context, EdgeQueue

_WORD_X = const(41)
_DIM = const(0)
# The computer's steps in each frame, and the places that it compares: a frame must also draw a Line Clear.
_UNITS = const(24)
_WIDTH = const(12)


class DemoView(EffectsView):
    """Show a game with the word DEMO instead of the score."""

    def repaint(self, game: "Game") -> None:
        """Draw the parts that never change."""
        EffectsView.repaint(self, game)
        self.canvas.text(_WORD_X, 0, b"DEMO", FONT_5X7)

    def draw_status(self, game: "Game") -> None:
        """Draw level and lines if they changed, but no score."""
        self.score = game.score
        EffectsView.draw_status(self, game)


class Scene:
    """Show one game after the other, without sound or results; any button leads to the title.

    The screen is bright until the usual time for dimming has passed again; it sleeps when the title would.
    """

    kind = "watch"

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.context = context
        self.dim_s = context.idling.idle_s + context.settings.dim_s
        if context.settings.dim_s:
            context.device.display.contrast(context.settings.contrast)
        self.view = DemoView(context.canvas)
        self.view.motion_on = bool(context.settings.motion_on)
        self.player = Player(levels.BEST, 1, _UNITS, _WIDTH)
        self.begin(context.clock.ticks_ms())

    def begin(self, now_ms: int) -> None:
        """Begin a game with default options; do not use up the seed of the player's next game."""
        self.last_ms = now_ms
        self.time_ms = 0
        game = self.game = Game((self.context.session.noise ^ now_ms) & SEEDS - 1, Options(), Marathon())
        game.start(0)
        self.player.hands.shadow.matrix = game.matrix  # set here: a new attribute would allocate in a frame
        self.player.watch(game)
        self.view.reset()

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Advance the game, or leave at a press."""
        context = self.context
        for i in range(edges.count):
            if edges.pressed[i]:
                context.go("menus.title")
                return
        passed_ms = ticks_diff(now_ms, self.last_ms)
        self.last_ms = now_ms
        self.time_ms += passed_ms
        self.view.tell(pass_time(self.player, self.time_ms), self.game)
        if self.game.over:
            self.begin(now_ms)
        if context.settings.dim_s and context.idling.idle_s == self.dim_s:
            self.dim_s = 0
            context.device.display.contrast(_DIM)
        context.voice.update(now_ms)

    def draw(self) -> None:
        self.view.draw(self.game)
