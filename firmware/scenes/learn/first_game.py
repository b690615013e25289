"""Play FIRST GAME: step after step, each until the player has done it (modes/README 21)."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import events, phases
from firmware.engine.game import AIM_REACHED
from firmware.modes.first_game import PRESSED, STUCK_MS, THERE, TOLD
from firmware.scenes.learn import puzzle_play
from firmware.scenes.play_state import PAUSED
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import text_width
from firmware.view.layouts.puzzle import View

if TYPE_CHECKING:
    from firmware.contracts import Any, Canvas, Context, EdgeQueue

_TOLD_MS = const(1100)
_ROUND_MS = const(24000)  # after 20 of its seconds, 4 s tell how to skip the step

_HOLD_X = const(20)  # right of the Hold Queue
_WORDS_PITCH = const(6)
_CAPS_Y = const(12)
_CAP_HEIGHT = const(9)
_LONGEST = const(12)  # letters of a key's name
_SIDE_X = const(53)


class FirstView(View):
    """Show the words of a step above the Matrix, and below them its buttons as caps.

    caps: the names of the buttons. start: that of START. is_stuck: whether it stands there, to skip the step. total:
    the number of steps.
    """

    label = b""

    def __init__(self, canvas: "Canvas", number: int) -> None:
        View.__init__(self, canvas, number)
        self.caps: list[bytes] = []
        self.start = b""
        self.is_stuck = False
        self.total = 0

    def _draw_labels(self, game: "Any") -> None:
        """Write the number of the step beside the Matrix, and all words above it."""
        canvas = self.canvas
        canvas.fill(_SIDE_X, 106, 11, 5, 0)
        canvas.number(_SIDE_X, 94, self.number + 1, -1, 2, FONT_5X7, False)
        canvas.text(_SIDE_X, 104, b"/%d" % self.total, FONT_3X5)
        left = _HOLD_X if self.show_hold else 0
        y = 0
        for line in (b"TOO HARD?|SKIP IT:" if self.is_stuck else self.heading).split(b"|"):
            canvas.text(left + (64 - left - text_width(line, FONT_3X5) >> 1), y, line, FONT_3X5)
            y += _WORDS_PITCH
        self.draw_caps(left, [self.start] if self.is_stuck else self.caps)

    def draw_caps(self, left: int, caps: "list[bytes]") -> None:
        """Draw a cap for each name from column `left` on, with as many letters as all have room for."""
        canvas = self.canvas
        letters = _LONGEST
        width = 99
        while width > 64 - left:
            width = sum([5 + text_width(name[:letters], FONT_3X5) for name in caps]) - 1
            letters -= 1
        x = left + (64 - left - width >> 1)
        for name in caps:
            name = name[: letters + 1]
            width = text_width(name, FONT_3X5) + 4
            canvas.fill(x, _CAPS_Y, width, _CAP_HEIGHT, 1)
            canvas.fill(x + 1, _CAPS_Y + 1, width - 2, _CAP_HEIGHT - 2, 0)
            canvas.text(x + 2, _CAPS_Y + 2, name, FONT_3X5)
            x += width + 1


class Scene(puzzle_play.Scene):
    """Play a step, show the praise for a second, go on to the next one; a wrong Lock Down begins it again.

    START opens a panel that skips the step or leaves. `home` is the scene that follows.

    subject: this scene, by default LEARN. number: the step, from 0. names: those of the buttons, by control. done: a
    mask of the controls that have done something. since_ms: when the step or the state TOLD began. good: whether it is
    praise. failed: wrong Lock Downs in a row. whole: whether the player passed over no step.
    """

    look = FirstView
    view: "Any"

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.home = subject if isinstance(subject, str) else "learn.menu"
        self.names: list[bytes] = []
        self.done = 0
        self.since_ms = 0
        self.good = False
        self.failed = 0
        self.whole = True
        puzzle_play.Scene.__init__(self, context)

    def rest(self) -> "Any":
        """Return the module first_stop, which play does not keep in memory."""
        from firmware.scenes.learn import first_stop

        return first_stop

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame; go on when the words were shown for long enough."""
        puzzle_play.Scene.update(self, edges, now_ms)
        passed_ms = ticks_diff(now_ms, self.since_ms)
        if self.state == TOLD and passed_ms >= _TOLD_MS:
            self.rest().go_on(self)
            self.context.router.tidy()
        # A step that has begun in this frame may be younger than the frame.
        elif not self.state and (max(0, passed_ms) % _ROUND_MS >= STUCK_MS) != self.view.is_stuck:
            self.view.is_stuck = not self.view.is_stuck
            self.view.reset()

    def apply_edge(self, pressed: int, t_ms: int) -> None:
        """Open the panel at a press of START, which ends the praise, or close it; after the last step begin again.

        While the screen says that START skips the step, it does.
        """
        if not pressed:
            return
        told = self.state == TOLD
        if told:
            self.rest().go_on(self)
        if self.view.is_stuck:
            self.rest().skip(self)
        elif not self.state:
            self.stop(PAUSED)
        elif not told:
            self.rest().press_start(self)

    def announce_events(self, happened: int) -> None:
        """Turn event bits into sound; check whether the step is done."""
        self.context.voice.tell(happened, self.last_ms)
        if self.state or not happened:
            return
        game = self.game
        mode = game.mode
        if happened & (events.MOVED | events.ROTATED | events.LANDED | events.HARD_DROPPED | events.HELD):
            self.done |= game.pressed
        over = game.phase == phases.GAME_OVER
        good = over and game.over == AIM_REACHED
        if mode.goal == PRESSED:
            good = self.done & mode.kind == mode.kind
        elif mode.goal == THERE:
            good = game.piece > 0 and mode.is_there(game)
        if good or over:
            self.good = good
            self.since_ms = self.last_ms
            self.stop(TOLD)
            self.rest().tell(self)
            self.context.router.tidy()

    def draw(self) -> None:
        """Draw changes; the words of TOLD stand in no panel."""
        if self.state == TOLD:
            self.view.draw(self.game)
        else:
            puzzle_play.Scene.draw(self)
