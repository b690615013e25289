"""Play a puzzle: restart it, take the last Tetrimino back, or show the solution."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls, phases
from firmware.engine.game import AIM_REACHED
from firmware.scenes.play_state import PAUSED, PLAYING, REST_MS
from firmware.view.layouts.puzzle import View

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Context, EdgeQueue

_LONG_MS = const(400)  # a press of Start


class Scene:
    """Play puzzle `subject`, 0 for the first.

    Start begins it anew; held, or where there is nothing to begin anew, it opens the panel that comes by itself when
    the last Tetrimino lies: A goes on, to the next puzzle after a solved one, left takes the last Tetrimino
    back, right shows each step, B leaves.  Every new beginning and every step back is one more try; what was shown
    is not noted as solved, but for a lesson, which shows its steps to everyone.

    state: as of puzzle_stop.py, 0 while it is played.
    """

    kind = "play"
    steered = 1
    game: "Any"
    state: int
    played_ms: int
    last_ms: int

    def __init__(self, context: "Context", subject: "int | None" = None) -> None:
        self.context = context
        self.number = subject or 0
        self.tries = 1
        self.shown = False
        self.waiting = False  # whether Start is down
        self.start_ms = 0
        self.fresh = True
        self.view = View(context.canvas, self.number)
        self.game = None
        self.begin(0, False)

    def rest(self) -> "Any":
        """Return the module of what is done at leisure."""
        from firmware.scenes.play import puzzle_stop

        return puzzle_stop

    def begin(self, count: int, counts: bool) -> None:
        """Set the puzzle up with the first `count` Tetriminos where they are; it may count as one more try."""
        self.tries += counts
        way = bytes(self.game.way) if count else b""
        self.game = None  # before the next one is made
        self.game = self.rest().set_up(self, way, count)
        self.played_ms = 0
        self.state = PLAYING
        self.last_ms = self.context.clock.ticks_ms()

    def show_steps(self) -> None:
        """Begin anew, and show each step from now on."""
        self.shown = True
        self.begin(0, self.game.lock_downs > 0)

    def resume(self) -> None:
        """Go back to the game, with no control down."""
        for button in range(controls.PAUSE):
            if self.game.pressed >> button & 1:
                self.game.input(button, 0, self.played_ms)
        self.state = PLAYING
        self.last_ms = self.context.clock.ticks_ms()
        self.view.reset()

    def is_playing(self) -> bool:
        """Return whether the puzzle is in play: who thinks about it needs light."""
        return not self.state

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Take the edges of this frame, each at its own moment, and let time pass."""
        state = self.state
        queue = edges
        if self.context.mapping and not state:
            queue = self.context.mapping.translate(edges, now_ms)
        for i in range(queue.count):
            button = queue.button[i]
            if button == controls.PAUSE:
                self.apply_edge(queue.pressed[i], queue.t_ms[i])
            elif self.state:
                # A late press skips no result.
                if queue.pressed[i] and (self.state == PAUSED or ticks_diff(now_ms, self.last_ms) >= REST_MS):
                    self.rest().press(self, button)
            elif queue.pressed[i] or self.game.pressed >> button & 1:
                self.pass_time(queue.t_ms[i])
                if not self.state:
                    self.announce_events(self.game.input(button, queue.pressed[i], self.played_ms))
        if not self.state:
            if self.waiting and ticks_diff(now_ms, self.start_ms) >= _LONG_MS:
                self.stop(PAUSED)
            else:
                self.pass_time(now_ms)
        if state and not self.state:
            self.context.router.tidy()
        self.context.voice.update(now_ms)

    def apply_edge(self, pressed: int, t_ms: int) -> None:
        """Begin anew when Start is let go soon, else show what there is to do."""
        if pressed:
            self.waiting = True
            self.start_ms = t_ms
        elif self.waiting:
            self.waiting = False
            if self.state or self.game.lock_downs:
                self.rest().again(self)
                self.context.router.tidy()
            else:
                self.stop(PAUSED)

    def pass_time(self, t_ms: int) -> None:
        """Move the game on to the moment `t_ms` of the clock."""
        passed = ticks_diff(t_ms, self.last_ms)
        if passed > 0:
            self.last_ms = t_ms
            self.played_ms += passed
        self.announce_events(self.game.advance(self.played_ms))

    def announce_events(self, happened: int) -> None:
        """Turn event bits into sound and see whether it is over."""
        self.context.voice.tell(happened, self.last_ms)
        if self.game.phase == phases.GAME_OVER and not self.state:
            self.rest().end(self, self.game.over == AIM_REACHED)

    def stop(self, state: int) -> None:
        """Let the game stand still and show what there is to do."""
        self.state = state
        self.waiting = False
        self.fresh = True

    def draw(self) -> None:
        """Draw what changed; the panel once, over the picture as it is."""
        if not self.state:
            self.view.draw(self.game)
        elif self.fresh:
            self.fresh = False
            self.rest().draw(self)
