"""Take Tetriminos back and replay them while the game is stopped; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.engine import controls
from firmware.engine.events import HOLD_FAILED
from firmware.save.recordings.rewind_steps import Steps
from firmware.scenes.play.stop import adopt_handling, let_go, pause
from firmware.scenes.play_state import PAUSED
from firmware.sound.effects import MENU_BACK, MENU_MOVE
from firmware.view.art import FONT_3X5
from firmware.view.canvas import text_width
from firmware.view.playfield import PlayView

if TYPE_CHECKING:
    from firmware.contracts import Any, EdgeQueue

_DELAY_MS = const(350)
_REPEAT_MS = const(110)

# The area of the status line, instead of the best result
_LEFT = const(22)
_TOP = const(8)
_HEIGHT = const(7)


def find_view(scene: "Any") -> PlayView:
    """Return the scene's view if it is a plain PlayView, else a PlayView with the same settings."""
    view = scene.view
    if type(view) is PlayView:
        return view
    plain = PlayView(scene.context.canvas)
    plain.show_ghost = view.show_ghost
    plain.show_hold = view.show_hold
    plain.next_count = view.next_count
    plain.timed = view.timed
    return plain


class TakeBack:
    """Cover a game in a scene of play, and show the moment that it has been taken back to.

    If `steps` is 1, START while HOLD is down opened this cover: it takes one Tetrimino back, and releasing HOLD plays
    on. If 0, the pause opened it.
    """

    def __init__(self, scene: "Any", steps: int) -> None:
        self.scene = scene
        self.steps = Steps(scene.rewind, scene.game)
        self.by_hold = steps > 0
        self.button = -1
        self.until_ms = 0
        self.fresh = 2  # 4 after a step
        self.view = find_view(scene)
        self.view.reset()
        scene.halt(PAUSED, self)
        scene.voice.silence()
        if steps:
            self.step(controls.LEFT)

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame, and repeat a held step."""
        for i in range(edges.count):
            button = edges.button[i]
            if edges.pressed[i]:
                self.press(button, edges.t_ms[i])
                self.until_ms = ticks_add(now_ms, _DELAY_MS)
            elif button == self.button:
                self.button = -1
            if self.scene.cover is not self:
                return
        if self.button >= 0 and ticks_diff(now_ms, self.until_ms) >= 0:
            self.until_ms = ticks_add(now_ms, _REPEAT_MS)
            self.step(self.button)

    def press(self, button: int, t_ms: int) -> None:
        if button <= controls.RIGHT:
            self.button = button
            self.step(button)
        elif button == controls.ROTATE_CW:
            self.play_on(t_ms)
        elif button == controls.ROTATE_CCW and not self.by_hold:
            self.scene.voice.tell_menu(MENU_BACK)
            self.settle()
            pause(self.scene)

    def press_pause(self, t_ms: int) -> None:
        """Take another Tetrimino back while HOLD is down, else play on."""
        if self.by_hold:
            self.step(controls.LEFT)
        else:
            self.play_on(t_ms)

    def let_go(self, t_ms: int) -> None:
        """Play on if HOLD was down."""
        if self.by_hold:
            self.play_on(t_ms)

    def step(self, button: int) -> None:
        """Take a Tetrimino back (LEFT), or replay one (RIGHT)."""
        steps = self.steps
        if steps.set_out() if button == controls.LEFT else steps.forward():
            self.scene.voice.tell_menu(MENU_MOVE)
        else:
            self.scene.voice.begin(HOLD_FAILED)
        self.fresh = 4

    def settle(self) -> None:
        """Continue from this moment: forget later ones, release all controls and apply the handling."""
        scene = self.scene
        self.steps.cut()
        scene.follow_game()
        let_go(scene)
        adopt_handling(scene)

    def play_on(self, t_ms: int) -> None:
        self.settle()
        self.scene.play_on(t_ms)

    def draw(self) -> None:
        """Draw the game, then the number of its Tetrimino between arrows."""
        fresh = self.fresh
        if fresh:
            self.fresh -= 1
        if fresh > 2:  # set_out takes 15 ms, arrive 10, the picture 16, the line 4: each has its own frame
            if fresh == 3:
                self.steps.arrive()
            return
        scene = self.scene
        self.view.draw(scene.game)
        if fresh == 1:
            canvas = scene.context.canvas
            canvas.fill(_LEFT, _TOP, 64 - _LEFT, _HEIGHT, 0)
            line = b"< %d >" % (scene.game.lock_downs + 1)
            canvas.text(64 - text_width(line, FONT_3X5), _TOP, line, FONT_3X5)
