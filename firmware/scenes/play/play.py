"""Play a game, or watch a recorded one."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls, events, phases
from firmware.engine.game import AIM_REACHED
from firmware.engine.matrix import NEAR_ROW
from firmware.residents import GAME
from firmware.scenes.play_scene import PlayScene
from firmware.scenes.play_state import OVER, PAUSED, PLAYING, READY, REST_MS, STEERED
from firmware.sound.effects import TOP_OUT_NEAR
from firmware.sound.voice import UNIT_MS
from firmware.view.art import FONT_3X5

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, EdgeQueue

_LOCK_DOWNS = const(8)  # from one save of the game in progress to the next
_BLINK_MS = const(256)


class Play(PlayScene):
    """Play a game from its first Tetrimino to its end, with pauses.

    A recording replaces the buttons by the edges of a recorded game; PAUSE still works. The session's recorder holds
    the edges of the game, also after its end.
    cover: a countdown, the menu of a pause, or the curtain after the end. has_result: whether the page with the result
    follows. records: whether the game is recorded. start_ms: when START was pressed, -1 if it is not held.
    last_ms, played_ms: until when the game has advanced, by the clock and by its own time. saved: the Lock Downs at the
    last save. danger: whether a Top Out is near. warned: whether the view says so; it blinks.
    """

    kind = "play"
    keeps = GAME
    steered = STEERED
    has_result = records = True
    start_ms = -1

    def __init__(self, context: "Context", subject: object = None) -> None:
        """Continue a Game, play a Recording, or begin a new game if `subject` is None."""
        self.context = context
        self.voice = context.voice
        self.recorder: "Any" = context.session.recorder if self.records else None  # or a Rewind that passes edges to it
        self.cover = None
        self.danger = self.warned = 0
        # Imported late here and below: play does not keep these modules in memory.
        from firmware.scenes.play import start

        now_ms = context.clock.ticks_ms()
        made = start.start_game(self, self.recorder, subject, now_ms)
        self.game, self.view, self.recorder, self.recording, self.player, self.state = made
        self.last_ms = now_ms
        self.played_ms = self.game.time_ms
        self.saved = self.game.lock_downs
        self.set_pace()
        if self.state == PAUSED:
            from firmware.scenes.play import stop

            stop.wait(self)

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame, each at its own time, and advance the game to `now_ms`."""
        state = self.state
        mapping = self.context.mapping
        queue = mapping.translate(edges, now_ms) if mapping else edges
        for i in range(queue.count):
            self.apply_edge(queue.button[i], queue.pressed[i], queue.t_ms[i])
        if state and state == self.state:
            self.answer(edges, now_ms)
        if self.state == PLAYING:
            self.pass_time(now_ms)
            game = self.game
            game.mode.think(game)
            # A save takes half a frame: wait for a frame without a Tetrimino in play.
            due = game.lock_downs >= self.saved + _LOCK_DOWNS
            if due and not (game.piece or game.over or self.player):
                self.saved = game.lock_downs
                if not self.context.session.suspend(game, False):
                    from firmware.scenes import saving

                    saving.stop_and_save(self)
        self.voice.update(now_ms)

    def apply_edge(self, button: int, pressed: int, t_ms: int) -> None:
        """Pass one edge to the game, or to the pause."""
        if button == controls.PAUSE:
            self.start_ms = t_ms if pressed else -1
            if pressed:
                self.press_pause(t_ms)
        elif self.state == PLAYING:
            # Ignore the release of a button that was pressed before the pause.
            if not self.player and (pressed or self.game.pressed >> button & 1):
                self.pass_time(t_ms)
                self.note(button, pressed)

    def answer(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of buttons, not controls, before a game, in a pause or after the end."""
        if self.cover:
            self.cover.update(edges, now_ms)
        elif self.state == READY:
            if self.view.matrix.version >= 0 or any(edges.pressed[: edges.count]):  # after the first picture
                from firmware.scenes.play.beginning import count_down

                count_down(self, edges)
        elif edges.count or self.start_ms >= 0 or ticks_diff(now_ms, self.last_ms) >= 4 * REST_MS:
            from firmware.scenes.play import stop

            stop.answer(self, edges, now_ms)

    def pass_time(self, t_ms: int) -> None:
        """Advance the game to the clock's time `t_ms`; pauses do not count."""
        passed = ticks_diff(t_ms, self.last_ms)
        if passed > 0:
            self.last_ms = t_ms
            self.played_ms += passed
        self.announce_events((self.player or self.game).advance(self.played_ms))

    def note(self, button: int, pressed: int) -> None:
        """Pass one edge to the game now, and record it."""
        if self.game.phase != phases.GAME_OVER:
            if self.recorder:
                self.recorder.record_edge(button, pressed, self.played_ms)
            self.announce_events(self.game.input(button, pressed, self.played_ms))

    def announce_events(self, happened: int) -> None:
        """Turn event bits into sound; check for the end of the game."""
        self.voice.tell(happened, self.last_ms)
        self.view.tell(happened, self.game)
        danger = self.game.matrix.top >= NEAR_ROW
        if danger != self.danger and not (danger and self.voice.priority):
            self.danger = danger
            self.set_pace()
            if danger:
                self.voice.tell_menu(TOP_OUT_NEAR)
        if happened & events.LEVEL_UP:
            self.set_pace()
        if self.game.phase == phases.GAME_OVER and self.state == PLAYING:
            self.state = OVER
            from firmware.scenes.play import stop

            stop.end(self)

    def set_pace(self) -> None:
        """Set the speed of the music by the level; near a Top Out it is as fast as at the last level."""
        level = self.game.level
        self.voice.unit_ms = 6 if level > 10 or self.danger else 7 if level > 5 else UNIT_MS

    def press_pause(self, t_ms: int) -> None:
        """Pause at once, or resume (Guideline 13.1.6)."""
        from firmware.scenes.play import stop

        if self.state == PLAYING:
            self.pass_time(t_ms)
            if self.state == PLAYING:
                stop.pause(self)
        elif self.state != OVER:
            stop.resume(self, t_ms)

    def draw(self) -> None:
        if self.cover:
            self.cover.draw()
            return
        view = self.view
        view.draw(self.game)
        warned = self.danger and self.played_ms & _BLINK_MS
        if warned != self.warned:  # not the view's work, because matches load views
            self.warned = warned
            x, y = view.label_at
            view.canvas.fill(x, y, 9 if x else 3, 5, 0)
            view.canvas.text(x, y, b"!!" if warned else view.label, FONT_3X5)
        if self.state == OVER:
            view.draw_message("WELL DONE A_NEXT" if self.game.over == AIM_REACHED else "GAME OVER A_NEXT")


Scene = Play
