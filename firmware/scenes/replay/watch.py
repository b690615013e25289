"""Watch a recorded game, step through it by Tetrimino, and practise from any moment."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.engine import controls
from firmware.router import load
from firmware.save.recordings.recording import Recording
from firmware.save.recordings.recording_timeline import Timeline
from firmware.scenes.replay.watch_words import show, write
from firmware.sound.effects import MENU_BACK, MENU_CHOOSE, MENU_MOVE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import centre
from firmware.view.playfield import PlayView

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, EdgeQueue

_DELAY_MS = const(350)
_REPEAT_MS = const(110)
_SPEEDS = b"1248"
_FASTEST = const(3)

# The status line, instead of the best result
_LEFT = const(25)
_TOP = const(8)
_WIDTH = const(39)
_SPEED_X = const(57)
_BAR_Y = const(14)
_SIGN_X = const(18)
_SIGN_Y = const(8)
_PITCH = const(4)
_X = const(88)
# While the recording is read
_TITLE_Y = const(28)
_KEYS_Y = const(70)
_KEYS = b"A PLAY OR PAUSE|< > STEP|UP DOWN SPEED|A, DOWN: FIGURES|START TRAIN|B BACK"
_READ_X = const(8)
_READ_Y = const(42)
_READ_WIDTH = const(48)


class Scene:
    """Show a recording.

    A plays and stops, left and right step, up and down set the speed. When stopped, down shows the figures of play up
    to this moment, which steps leave on the screen. Start or Hold practises from this moment, B leaves. A step goes to
    a Lock Down, the beginning or the end, and repeats while held.
    """

    kind = "watch"

    def __init__(self, context: "Context", subject: "Any" = None) -> None:
        """Watch `subject`, a Recording or its bytes, by default the last game; raise ValueError if it is damaged."""
        self.context = context
        if subject is None:
            subject = context.session.last and context.session.last()
        self.recording = Recording(subject) if isinstance(subject, bytes) else subject
        # Imported here: saves 1 KB of heap while a game is watched.
        from firmware.modes.catalogue import find, find_maker

        record = find(self.recording.variant)
        self.line = Timeline(self.recording, find_maker(record))
        view: "Any" = PlayView
        layout = record.get(b"layout")
        if layout:
            view = load("firmware.view.layouts." + layout.decode()).adapt(PlayView, 0)
        self.view = view(context.canvas)
        self.view.show_ghost = bool(self.recording.options.ghost_on)
        self.view.next_count = self.recording.options.next_count
        self.view.timed = record[b"result"].startswith(b"time")
        self.view.show_hold = bool(self.recording.options.hold_on) and record[b"rules"] != b"standard"
        self.playing = False
        self.told = False
        self.speed = 0
        self.digits = 1
        self.button = -1
        self.until_ms = 0
        self.last_ms = context.clock.ticks_ms()
        # The values on the status line
        self.fresh = True
        self.count = 0
        self.shown = -1

    def is_playing(self) -> bool:
        """Return whether the recorded game runs."""
        return self.playing

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame; read, seek or play on."""
        for i in range(edges.count):
            button = edges.button[i]
            if edges.pressed[i]:
                self.press(button)
                self.button = button if button <= controls.RIGHT else -1
                self.until_ms = ticks_add(now_ms, _DELAY_MS)
            elif button == self.button:
                self.button = -1
        if self.button >= 0 and ticks_diff(now_ms, self.until_ms) >= 0:
            self.until_ms = ticks_add(now_ms, _REPEAT_MS)
            self.press(self.button)
        passed_ms = ticks_diff(now_ms, self.last_ms)
        self.last_ms = now_ms
        line = self.line
        if line.reading:
            if line.work(self.context.clock, now_ms):
                self.begin()
        elif line.seeking:
            if line.work(self.context.clock, now_ms):
                self.fresh = True
        elif self.playing:
            self.context.voice.tell(line.pass_time(passed_ms << self.speed), now_ms)
            if line.time_ms == line.end_ms:
                self.stop()
        self.context.voice.update(now_ms)

    def begin(self) -> None:
        """Show the game from its beginning after reading it."""
        self.digits = len(str(self.line.total))
        self.view.reset()
        self.fresh = True
        self.playing = True

    def stop(self) -> None:
        self.playing = False
        self.fresh = True

    # One chain of questions: the first that fits decides what the button means now.
    def press(self, button: int) -> None:
        """Handle one press; while the recording is read, only B works."""
        voice = self.context.voice
        line = self.line
        told = self.told and button > controls.RIGHT
        if told:
            self.told = False
            self.view.reset()
            self.fresh = True
        if button == controls.ROTATE_CCW:
            voice.tell_menu(MENU_BACK)
            self.stop()
            self.context.router.go_home()
        elif line.reading:
            return
        elif button == controls.LEFT or button == controls.RIGHT:
            voice.tell_menu(MENU_MOVE)
            self.stop()
            if line.step(1 if button == controls.RIGHT else -1):
                self.view.reset()
        elif button == controls.HARD_DROP and self.speed < _FASTEST:
            voice.tell_menu(MENU_MOVE)
            self.speed += 1
            self.fresh = True
        elif button == controls.SOFT_DROP and not self.playing:
            voice.tell_menu(MENU_MOVE)
            self.told = not told
            self.fresh = True
        elif button == controls.SOFT_DROP and self.speed:
            voice.tell_menu(MENU_MOVE)
            self.speed -= 1
            self.fresh = True
        elif button == controls.ROTATE_CW:
            voice.tell_menu(MENU_CHOOSE)
            self.playing = not self.playing
            self.fresh = True
            if line.time_ms == line.end_ms and line.leap(0):
                self.view.reset()
        elif button >= controls.HOLD and not line.seeking and not line.game.over:
            voice.tell_menu(MENU_CHOOSE)
            self.stop()
            self.context.session.choose_variant(self.recording.variant)
            self.context.go("replay.practise", line.hand_over())

    def draw(self) -> None:
        """Draw the game and the status line; while seeking, only the status line."""
        line = self.line
        if line.reading:
            self.draw_reading()
            return
        if not line.seeking:
            self.view.draw(line.game)
            if self.told and self.fresh:
                show(self.context.canvas, line.game)
        self.draw_status()

    def draw_reading(self) -> None:
        """Draw how much of the recording is read."""
        canvas = self.context.canvas
        recording = self.recording
        if self.fresh:
            self.fresh = False
            canvas.clear()
            centre(canvas, _TITLE_Y, b"READING", FONT_5X7)
            canvas.fill(_READ_X - 2, _READ_Y - 2, _READ_WIDTH + 4, 8, 1)
            canvas.fill(_READ_X - 1, _READ_Y - 1, _READ_WIDTH + 2, 6, 0)
            write(canvas, _KEYS_Y, _KEYS, 64)
        done = (recording.at - recording.first) * _READ_WIDTH // (recording.end - recording.first)
        if done != self.shown:
            self.shown = done
            canvas.fill(_READ_X, _READ_Y, done, 4, 1)

    def draw_status(self) -> None:
        """Draw the Tetrimino n/N, the speed, a bar of the time and the sign of playing, if they changed."""
        canvas = self.context.canvas
        line = self.line
        if self.fresh:
            self.fresh = False
            canvas.fill(_SIGN_X, _TOP, 64 - _SIGN_X, 7, 0)
            if self.digits < 4:  # a longer total would touch the speed
                x = _LEFT + self.digits * _PITCH
                canvas.text(x, _TOP, b"/", FONT_3X5)
                canvas.number(x + _PITCH, _TOP, line.total, -1, self.digits, FONT_3X5, False)
            canvas.glyph(_SPEED_X, _TOP, _SPEEDS[self.speed], FONT_3X5)
            canvas.glyph(_SPEED_X + _PITCH, _TOP, _X, FONT_3X5)
            for x in range(_LEFT, _LEFT + _WIDTH, 3):
                canvas.fill(x, _BAR_Y, 1, 1, 1)
            self.draw_sign()
            self.count = -1
            self.shown = -1
        count = line.game.lock_downs
        if line.seeking:
            count = line.mark if line.mark < line.total else line.total
        if count != self.count:
            canvas.number(_LEFT, _TOP, count, self.count, self.digits, FONT_3X5, False)
            self.count = count
        done = line.time_ms * _WIDTH // line.end_ms if line.end_ms else _WIDTH
        if done != self.shown:
            self.shown = done
            canvas.fill(_LEFT, _BAR_Y, done, 1, 1)  # the bar shrinks only if `fresh` has cleared it

    def draw_sign(self) -> None:
        """Draw a triangle while the recording plays, two bars while it is stopped."""
        canvas = self.context.canvas
        canvas.fill(_SIGN_X, _SIGN_Y, 5, 7, 0)
        if self.playing:
            for i in range(4):
                canvas.fill(_SIGN_X + i, _SIGN_Y + i, 1, 7 - 2 * i, 1)
        else:
            canvas.fill(_SIGN_X, _SIGN_Y, 2, 7, 1)
            canvas.fill(_SIGN_X + 3, _SIGN_Y, 2, 7, 1)
