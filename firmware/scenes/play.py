"""Play a game, or watch a recorded one: the scene between the buttons and the Matrix."""

from firmware.compat import const, ticks_diff
from firmware.engine import controls, phases
from firmware.engine.game import AIM_REACHED, Game
from firmware.engine.options import Options
from firmware.modes.catalogue import SPRINT, make_mode
from firmware.view.playfield import PlayView

_PLAYING = const(0)
_PAUSED = const(1)
_OVER = const(2)

_LOCK_DOWNS = const(8)  # between two times the game in progress is saved
_REST_MS = const(1000)  # after the end, so that a late Hard Drop does not start the next game


class Play:
    """Marathon from its first Tetrimino to its end, with pause and another round.

    A recording replaces the buttons by the edges of a recorded game; PAUSE still works.
    The app's recorder holds the edges of the game in play, also after its end.
    """

    def __init__(self, app, subject=None) -> None:
        """Play on, watch or begin: `subject` is a Game, a Recording, or None for a new game."""
        self.app = app
        view = PlayView
        if app.effects:
            # Imported late, for they take seven kilobytes.
            from firmware.view.effects import EffectsView

            view = EffectsView
        self.view = view(app.canvas)
        self.voice = app.voice
        self.recording = None
        self.recorder = app.recorder
        self.begin(subject, app.device.clock.ticks_ms())

    def is_playing(self) -> bool:
        """Return whether a game is running: neither paused nor over."""
        return self.state == _PLAYING

    def begin(self, subject, now_ms: int) -> None:
        """Set up a new game, the recorded one from its start, or one to be played on."""
        app = self.app
        self.player = None
        self.state = _PLAYING
        if isinstance(subject, Game):
            # The player finds it paused, with no control down. The recorder goes on only where
            # whoever hands the game over has filled it.
            self.game = subject
            self.state = _PAUSED
            if self.recorder and not self.recorder.used:
                self.recorder = None
        elif subject:
            # Imported late, for most games are played and not watched.
            from firmware.save.recording import Player

            self.recording = subject
            subject.rewind()
            app.variant = subject.variant
            self.game = subject.game(make_mode(subject.variant))
            self.player = Player(subject, self.game)
        else:
            options = Options()
            app.choose(options)
            mode = make_mode(app.variant)
            self.game = (mode.game or Game)(app.next_seed(), options, mode)
        self.options = self.game.options
        if self.recorder and self.state == _PLAYING:
            self.recorder.begin(app.variant, self.game.seed, self.options)
        self.view.show_ghost = bool(self.options.ghost_on)
        self.view.next_count = self.options.next_count
        self.view.timed = app.variant == SPRINT
        self.view.best = app.best(self.options.aim)
        self.view.reset()
        self.last_ms = now_ms
        self.played_ms = self.game.time_ms
        self.game.start(self.played_ms)
        self.saved = self.game.lock_downs
        if app.effects:
            self.voice.play_tune(0)
        if self.state == _PAUSED:
            self.voice.silence()
            self.let_go()
            self.view.draw(self.game)  # what hides a Matrix needs its frame

    def update(self, edges, now_ms: int) -> None:
        """Take the edges of this frame, each at its own moment, and let time pass until now."""
        for i in range(edges.count):
            self.take(edges.button[i], edges.pressed[i], edges.t_ms[i])
        if self.state == _PLAYING:
            self.pass_time(now_ms)
            # A save takes half a frame: it waits for one without a Tetrimino to move.
            due = self.game.lock_downs >= self.saved + _LOCK_DOWNS
            if due and not self.game.piece and not self.game.over and not self.player:
                self.saved = self.game.lock_downs
                self.app.suspend(self.game, False)
        self.voice.update(now_ms)

    def take(self, button: int, pressed: int, t_ms: int) -> None:
        """Give one edge to the game, or to the pause and the end."""
        if button == controls.PAUSE:
            if pressed:
                self.press_pause(t_ms)
        elif self.state == _PLAYING:
            if not self.player:
                self.pass_time(t_ms)
                self.note(button, pressed)
        elif self.state == _OVER and pressed and button == controls.ROTATE_CW:
            self.restart(t_ms)

    def pass_time(self, t_ms: int) -> None:
        """Move the game on to the moment `t_ms` of the clock; pauses do not count."""
        passed = ticks_diff(t_ms, self.last_ms)
        if passed > 0:
            self.last_ms = t_ms
            self.played_ms += passed
        if self.player:
            self.hear(self.player.advance(self.played_ms))
        else:
            self.hear(self.game.advance(self.played_ms))

    def note(self, button: int, pressed: int) -> None:
        """Play one edge now and record it."""
        if self.game.phase != phases.GAME_OVER:
            if self.recorder:
                self.recorder.note(button, pressed, self.played_ms)
            self.hear(self.game.input(button, pressed, self.played_ms))

    def let_go(self) -> None:
        """Release every control: what is held now may be let go unseen during the pause."""
        for button in range(controls.PAUSE):
            if self.game.pressed >> button & 1:
                self.note(button, 0)

    def hear(self, happened: int) -> None:
        """Turn event bits into sound and see whether the game is over."""
        self.voice.tell(happened, self.last_ms)
        self.view.tell(happened, self.game)
        if self.game.phase == phases.GAME_OVER and self.state == _PLAYING:
            self.state = _OVER
            if not self.player:
                self.app.finish(self.game)

    def press_pause(self, t_ms: int) -> None:
        """Stop at once, or go on; after the end, play again (Guideline 13.1.6)."""
        if self.state == _PLAYING:
            self.pass_time(t_ms)
            if self.state == _PLAYING:
                if not self.player:
                    self.let_go()
                    self.app.suspend(self.game, True)
                self.state = _PAUSED
                self.voice.silence()
        elif self.state == _PAUSED:
            self.state = _PLAYING
            self.last_ms = t_ms
            self.view.reset()
            self.voice.resume_tune()
        else:
            self.restart(t_ms)

    def restart(self, t_ms: int) -> None:
        """Begin another game, or the recorded one again, a moment after the end."""
        if ticks_diff(t_ms, self.last_ms) >= _REST_MS:
            self.begin(self.recording, t_ms)

    def draw(self) -> None:
        """Draw what changed since the last frame."""
        if self.state == _PAUSED:
            self.view.hide("PAUSE")
            return
        self.view.draw(self.game)
        if self.state == _OVER:
            self.view.draw_message("WELL DONE" if self.game.over == AIM_REACHED else "GAME OVER")
