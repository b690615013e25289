"""Play a puzzle: a press begins it anew, another takes the last Tetrimino back, and a third shows how it is done."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls, phases
from firmware.engine.game import AIM_REACHED
from firmware.engine.options import Options
from firmware.modes.puzzle import Puzzle, PuzzleGame, count_puzzles
from firmware.save.journal import PUZZLES
from firmware.save.puzzles import Progress
from firmware.view.puzzle import PuzzleView

if TYPE_CHECKING:
    from typing import Any

_PLAYING = const(0)
_PAUSED = const(1)
_MISSED = const(2)
_SOLVED = const(3)
_LONG_MS = const(400)  # a press of Start

_PAUSE_PANEL = b"PAUSE|A PLAY ON|< UNDO|> SHOW ME|START AGAIN|B LEAVE"
_MISSED_PANEL = b"NOT YET|A AGAIN|< UNDO|> SHOW ME|B LEAVE"
_SOLVED_PANEL = b"|A NEXT|START AGAIN|B LEAVE"


class Scene:
    """Play puzzle `subject`, 0 for the first.

    Start begins it anew; held, or where there is nothing to begin anew, it opens the panel that comes by itself when
    the last Tetrimino lies: A goes on, to the next puzzle after a solved one, left takes the last Tetrimino
    back, right shows each step, B leaves.  Every new beginning and every step back is one more try; what was shown
    is not noted as solved, but for a lesson, which shows its steps to everyone.
    """

    game: "Any"

    def __init__(self, app, subject=None) -> None:
        self.app = app
        self.number = subject or 0
        self.count = count_puzzles()
        self.tries = 1
        self.guided = False
        self.started = False  # whether Start is down
        self.start_ms = 0
        self.view = PuzzleView(app.canvas, self.number)
        self.view.motion_on = bool(app.settings.motion_on)
        self.begin(0)

    def is_playing(self) -> bool:
        """Return whether the puzzle is in play: who thinks about it needs light."""
        return self.state == _PLAYING

    def begin(self, count: int) -> None:
        """Set the puzzle up with the first `count` Tetriminos where they were."""
        app = self.app
        way = bytes(self.game.way) if count else b""
        self.game = None  # before the next one is made
        options = Options()
        app.settings.apply(options)
        self.game = PuzzleGame(self.number, options, Puzzle())
        self.game.start(0)
        self.game.play(way, count)
        view = self.view
        view.show_ghost = bool(options.ghost_on)
        view.show_hold = options.hold_on > 0
        view.guided = self.guided or self.game.mode.lesson
        view.reset()
        self.state = _PLAYING
        self.fresh = True
        self.played_ms = 0
        self.last_ms = app.device.clock.ticks_ms()

    def update(self, edges, now_ms: int) -> None:
        """Take the edges of this frame, each at its own moment, and let time pass."""
        state = self.state
        queue = edges
        if self.app.mapping and not state:
            queue = self.app.mapping.translate(edges, now_ms)
        for i in range(queue.count):
            button = queue.button[i]
            if button == controls.PAUSE:
                self.take_start(queue.pressed[i], queue.t_ms[i])
            elif self.state and queue.pressed[i]:
                self.press(button)
            elif not self.state and (queue.pressed[i] or self.game.pressed >> button & 1):
                self.pass_time(queue.t_ms[i])
                self.hear(self.game.input(button, queue.pressed[i], self.played_ms))
        if not self.state:
            if self.started and ticks_diff(now_ms, self.start_ms) >= _LONG_MS:
                self.stop(_PAUSED)
            else:
                self.pass_time(now_ms)
        self.app.voice.update(now_ms)

    def take_start(self, pressed: int, t_ms: int) -> None:
        """Begin anew when Start is let go soon, else show what there is to do."""
        if pressed:
            self.started = True
            self.start_ms = t_ms
        elif self.started:
            self.started = False
            if self.state or self.game.lock_downs:
                self.again()
            else:
                self.stop(_PAUSED)

    def pass_time(self, t_ms: int) -> None:
        """Move the game on to the moment `t_ms` of the clock."""
        passed = ticks_diff(t_ms, self.last_ms)
        if passed > 0:
            self.last_ms = t_ms
            self.played_ms += passed
        self.hear(self.game.advance(self.played_ms))

    def hear(self, happened: int) -> None:
        """Turn event bits into sound and see whether it is over."""
        self.app.voice.tell(happened, self.last_ms)
        if self.game.phase == phases.GAME_OVER and not self.state:
            solved = self.game.over == AIM_REACHED
            if solved and (not self.guided or self.game.mode.lesson):
                self.keep()
            self.stop(_SOLVED if solved else _MISSED)

    def keep(self) -> None:
        """Save that the puzzle is solved."""
        journal = self.app.journal
        if journal.failed:
            return
        progress = Progress(self.count, journal.read(PUZZLES))
        if progress.note(self.number, self.tries):
            journal.save(PUZZLES, progress.pack(journal.payload))

    def stop(self, state: int) -> None:
        """Show what there is to do."""
        self.state = state
        self.started = False
        self.fresh = True

    def press(self, button: int) -> None:
        """Act on one press while the panel shows."""
        state = self.state
        if button == controls.ROTATE_CCW or button == controls.HOLD:
            self.app.voice.tell_menu(2)
            self.app.go("puzzles", self.number)
        elif button == controls.ROTATE_CW:
            if state == _SOLVED:
                self.app.voice.tell_menu(1)
                if self.number + 1 < self.count:
                    self.app.go("puzzle_play", self.number + 1)
                else:
                    self.app.go("puzzles", self.number)
            elif state == _PAUSED:
                self.go_on()
            else:
                self.again()
        elif button == controls.LEFT and state != _SOLVED and self.game.lock_downs:
            self.app.voice.tell_menu(0)
            self.tries += 1
            self.begin(self.game.lock_downs - 1)
        elif button == controls.RIGHT and state != _SOLVED:
            self.guided = True
            self.again()

    def go_on(self) -> None:
        """Go back to the game, with no control down."""
        self.app.voice.tell_menu(1)
        for button in range(controls.PAUSE):
            if self.game.pressed >> button & 1:
                self.game.input(button, 0, self.played_ms)
        self.state = _PLAYING
        self.last_ms = self.app.device.clock.ticks_ms()
        self.view.reset()

    def again(self) -> None:
        """Begin anew, which is another try where a Tetrimino was locked down."""
        self.app.voice.tell_menu(0)
        if self.game.lock_downs:
            self.tries += 1
        self.begin(0)

    def draw(self) -> None:
        """Draw what changed; the panel once, over the picture as it is."""
        if not self.state:
            self.view.draw(self.game)
        elif self.fresh:
            self.fresh = False
            self.view.draw(self.game)
            panel = _MISSED_PANEL if self.state == _MISSED else _PAUSE_PANEL
            if self.state == _SOLVED:
                told = b"SHOWN" if self.guided else b"IN " + str(self.tries).encode() + b" TRIES"
                if self.tries == 1 and not self.guided:
                    told = b"AT ONCE"
                panel = b"SOLVED|" + told + _SOLVED_PANEL
            self.view.draw_panel(panel)
