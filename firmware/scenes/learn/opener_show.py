"""Show an opener step by step, and what follows it (modes/README 15)."""

from firmware.compat import TYPE_CHECKING
from firmware.engine import controls
from firmware.engine.options import Options
from firmware.modes.lessons import opener_file, puzzle_file
from firmware.modes.puzzle import Puzzle, PuzzleGame
from firmware.scenes.learn.opener_menu import MARKS, SHOW, SIDES
from firmware.sound.effects import MENU_BACK, MENU_MOVE
from firmware.view.layouts.puzzle import View

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, EdgeQueue

_LINES = b"|SINGLE|DOUBLE|TRIPLE|TETRIS".split(b"|")


class Steps(Puzzle):
    """Deal the Tetriminos of the steps, and judge nothing."""

    def __init__(self, steps: "list[int]") -> None:
        self.shown = steps

    def begin(self, game: "Any") -> None:  # Any: a PuzzleGame, by `rules`
        self.queue = bytes([step >> 12 & 7 for step in self.shown])
        puzzle_file.set_up(game, bytes(6))
        game.way = bytearray(len(self.shown) * puzzle_file.STEP_BYTES)
        game.dealer = self
        self.dealt = 0

    def step(self, game: "Any") -> int:
        return self.shown[game.lock_downs] & ~opener_file.TURNED

    def follow(self, game: "Any") -> None:
        """Accept every place."""

    def complete(self, game: "Any") -> None:
        """Never end."""


class Scene:
    """Step with A and B, or right and left.

    subject: the number of an opener and its side. at: the number of steps so far.
    """

    kind = "watch"

    def __init__(self, context: "Context", subject: "int | None" = None) -> None:
        self.context = context
        self.number = (subject or 0) % SIDES
        record = opener_file.fetch(self.number >> 1)
        self.steps = opener_file.list_steps(record, self.number & 1)
        self.name = opener_file.describe(record)[0]
        self.way = b"".join([puzzle_file.pack_step(step, step & opener_file.TURNED > 0) for step in self.steps])
        self.view = View(context.canvas, 0)
        self.view.label = b""
        self.view.shown = True
        self.at = 0
        self.game: "Any" = None
        self.begin()

    def begin(self) -> None:
        """Set up the game after the steps so far."""
        self.game = None  # frees its memory for the next game
        options = Options()
        self.context.settings.apply(options)
        game = PuzzleGame(0, options, Steps(self.steps))
        game.start(0)
        puzzle_file.restore(game, self.way, self.at)
        caption = b"%d OF %d" % (self.at, len(self.steps))
        if self.at and game.cleared:
            caption = b"ALL CLEAR" if not game.matrix.top else _LINES[game.cleared]
            if game.spun:
                caption = b"SPIN " + caption
        elif self.at < len(self.steps) and self.steps[self.at] & opener_file.TURNED:
            caption = b"TURN IT IN"
        game.advance(0)
        self.game = game
        view = self.view
        view.motion_on = bool(self.context.settings.motion_on)
        view.number = len(self.steps) - self.at - 1
        view.heading = b"|" + self.name + b"|" + caption
        view.reset()
        self.context.router.tidy()

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        for i in range(edges.count):
            if edges.pressed[i]:
                self.press(edges.button[i])
        self.context.voice.update(now_ms)

    def press(self, button: int) -> None:
        """Go one step on or back, or leave."""
        step = 0
        if button == controls.ROTATE_CW or button == controls.RIGHT:
            step = 1
        elif button == controls.ROTATE_CCW or button == controls.LEFT:
            step = -1
        if not step or self.at + step < 0 or self.at + step > len(self.steps):
            self.context.voice.tell_menu(MENU_BACK)
            self.context.go("learn.opener_ways_menu", self.number + SIDES * (MARKS if step > 0 else SHOW))
            return
        self.context.voice.tell_menu(MENU_MOVE)
        self.at += step
        self.begin()

    def draw(self) -> None:
        self.view.draw(self.game)
