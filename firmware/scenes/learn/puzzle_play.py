"""Play a puzzle: restart it, take the last Tetrimino back, or show the solution."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls, phases
from firmware.engine.game import AIM_REACHED
from firmware.scenes.again import HELD_MS
from firmware.scenes.play_state import PAUSED, PLAYING, REST_MS
from firmware.view.layouts.puzzle import View

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, EdgeQueue

_LONG_MS = const(400)  # a press of Start


class Scene:
    """Play puzzle `subject`, from 0.

    Start restarts the puzzle. In play held, or before the first Lock Down, it opens the panel that also appears after
    the last Tetrimino. There A continues, after a solved puzzle with the next one, left takes the last Tetrimino back,
    right shows each step, B leaves. Every restart and every step back is one more try. A puzzle solved with shown steps
    does not count as solved, except a lesson, which always shows them.

    state: one of puzzle_stop.py and play_state.py, 0 in play.
    """

    kind = "play"
    steered = 1
    look = View
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
        self.view = self.look(context.canvas, self.number)
        self.game = None
        self.begin(0, False)

    def rest(self) -> "Any":
        """Return the module puzzle_stop, which play does not keep in memory."""
        from firmware.scenes.learn import puzzle_stop

        return puzzle_stop

    def begin(self, count: int, counts: bool) -> None:
        """Set the puzzle up after its first `count` Lock Downs; if `counts`, this is one more try."""
        self.tries += counts
        way = bytes(self.game.way) if count else b""
        self.game = None  # frees its memory for the next game
        self.game = self.rest().set_up(self, way, count)
        self.played_ms = 0
        self.waiting = False
        self.state = PLAYING
        self.last_ms = self.context.clock.ticks_ms()

    def show_steps(self) -> None:
        """Restart the puzzle, and show each step from now on."""
        self.shown = True
        self.begin(0, self.game.lock_downs > 0)

    def resume(self) -> None:
        """Return to the game with all controls released."""
        for button in range(controls.PAUSE):
            if self.game.pressed >> button & 1:
                self.game.input(button, 0, self.played_ms)
        self.waiting = False  # a press in the panel opens no other panel
        self.context.forget_presses()  # nor becomes one of the game, as half a chord that waits
        self.state = PLAYING
        self.last_ms = self.context.clock.ticks_ms()
        self.view.reset()

    def is_playing(self) -> bool:
        """Return whether the puzzle is in play; then the screen stays on."""
        return not self.state

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame, each at its own time, and advance the game."""
        state = self.state
        queue = edges
        if self.context.mapping:
            queue = self.context.mapping.translate(edges, now_ms)
            if state:
                queue = edges  # but the mapping must see releases during a stop
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
        if self.waiting and ticks_diff(now_ms, self.start_ms) >= (HELD_MS if self.state else _LONG_MS):
            if self.state:
                self.rest().again(self)
            else:
                self.stop(PAUSED)
        elif not self.state:
            self.pass_time(now_ms)
        if state and not self.state:
            self.context.router.tidy()
        self.context.voice.update(now_ms)

    def apply_edge(self, pressed: int, t_ms: int) -> None:
        """Restart the puzzle after a short press of Start; open the panel if there is nothing to restart."""
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
        """Advance the game to the clock's time `t_ms`."""
        passed = ticks_diff(t_ms, self.last_ms)
        if passed > 0:
            self.last_ms = t_ms
            self.played_ms += passed
        self.announce_events(self.game.advance(self.played_ms))

    def announce_events(self, happened: int) -> None:
        """Turn event bits into sound; check for the end of the game."""
        self.context.voice.tell(happened, self.last_ms)
        if self.game.phase == phases.GAME_OVER and not self.state:
            self.rest().end(self, self.game.over == AIM_REACHED)

    def stop(self, state: int) -> None:
        """Stop the game and open the panel of `state`."""
        self.state = state
        self.waiting = self.waiting and state != PAUSED  # START held through the end restarts
        self.fresh = True

    def draw(self) -> None:
        """Draw changes, or once the panel over the picture."""
        if not self.state:
            self.view.draw(self.game)
        elif self.fresh:
            self.fresh = False
            self.view.draw(self.game)
            rest = self.rest()
            rest.draw_panel(self.context.canvas, rest.list_rows(self))
