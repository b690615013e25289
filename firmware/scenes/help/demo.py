"""Demonstrate a scoring action: play its recording in a loop (Guideline 8)."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls, events
from firmware.engine.phases import FALLING
from firmware.modes.lessons.demonstration import Demonstration, find_blob
from firmware.modes.lessons.demonstrations import DEMONSTRATIONS, NAMES
from firmware.save.recordings.recording import Player, Recording
from firmware.sound.effects import MENU_BACK, MENU_MOVE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import centre, text_width
from firmware.view.playfield import PlayView

if TYPE_CHECKING:
    from firmware.contracts import Any, Canvas, Context, EdgeQueue, Game

_FAST = const(8)  # speed of a fall without edges
_SLOW_MS = const(500)  # normal speed for this long before the next edge
_REST_MS = const(2200)  # pause at the end
_FLASH_FRAMES = const(48)
_TITLE_HEIGHT = const(17)
_ROOM = const(53)  # between the marks of the title
_POINTS_Y = const(18)
_DIGITS = const(4)
_CONTROL_FRAMES = const(20)
_CONTROLS = (b"LEFT", b"RIGHT", b"SOFT DROP", b"HARD DROP", b"ROTATE CW", b"ROTATE CCW")


def choose_font(line: bytes, room: int) -> bytes:
    """Return the largest font in which a line fits."""
    return FONT_5X7 if text_width(line, FONT_5X7) <= room else FONT_3X5


class DemoView(PlayView):
    """Show a game with a title and a status line above the Matrix.

    The status line shows the pressed control; else the points of the last Tetrimino, with the bonus of a Back-to-Back
    apart, and the sum.
    """

    def __init__(self, canvas: "Canvas") -> None:
        PlayView.__init__(self, canvas)
        self.title = b""
        self.since = 0  # the score when the Tetrimino came into play
        self.points = 0
        self.pressed = 0
        self.left = 0  # frames for which a released control stays on the screen

    def draw(self, game: "Game") -> bool:
        """Draw changes; return whether this was much work."""
        fresh = self._fresh
        busy = PlayView.draw(self, game)
        if fresh:
            self.draw_title()
        pressed = game.pressed
        if pressed:
            if pressed != self.pressed:
                self.draw_control(pressed)
            self.left = _CONTROL_FRAMES
        elif self.left:
            self.left -= 1
            if not self.left:
                self.draw_points(game)
        self.pressed = pressed
        if fresh or game.score != self.points:
            self.draw_points(game)
        return busy

    def draw_title(self) -> None:
        """Write the title in the largest letters that fit, between two arrows."""
        canvas = self.canvas
        canvas.fill(0, 0, 64, 25, 0)
        lines = self.title.split(b"|")
        gap = 1 if len(lines) > 2 else 2
        room = _ROOM if len(lines) < 3 else 0
        height = -gap
        for line in lines:
            height += choose_font(line, room)[1] + gap
        y = _TITLE_HEIGHT - height >> 1
        for line in lines:
            font = choose_font(line, room)
            centre(canvas, y, line, font)
            y += font[1] + gap
        canvas.text(0, 6, b"<", FONT_3X5)
        canvas.text(61, 6, b">", FONT_3X5)

    def draw_points(self, game: "Game") -> None:
        canvas = self.canvas
        self.points = game.score
        gained = game.score - self.since
        canvas.fill(0, _POINTS_Y, 64, 7, 0)
        canvas.number(41, _POINTS_Y, game.score, -1, _DIGITS, FONT_5X7, False)
        if gained:
            bonus = gained // 3 if game.action & events.BACK_TO_BACK else 0
            x = self.draw_gain(0, gained - bonus)
            if bonus:
                self.draw_gain(x, bonus)

    def draw_control(self, pressed: int) -> None:
        control = 0
        while not pressed >> control & 1:
            control += 1
        canvas = self.canvas
        canvas.fill(0, _POINTS_Y, 40, 7, 0)
        canvas.text(0, _POINTS_Y + 1, _CONTROLS[control], FONT_3X5)

    def draw_gain(self, x: int, points: int) -> int:
        """Write `+` and a number from `x` on; return its right end."""
        canvas = self.canvas
        canvas.text(x, _POINTS_Y + 1, b"+", FONT_3X5)
        digits = 1
        rest = points
        while rest > 9:
            rest //= 10
            digits += 1
        canvas.number(x + 4, _POINTS_Y + 1, points, -1, digits, FONT_3X5, False)
        return x + 4 + 4 * digits

    def _draw_labels(self, game: "Game") -> None:
        """Draw no labels: the title takes their place."""

    def draw_status(self, game: "Game") -> None:
        """Draw level and lines, but no score: the status line has it."""
        self.score = game.score
        PlayView.draw_status(self, game)

    def draw_rest(self, game: "Game", tenths: int) -> None:
        """Draw no best result, goal or time."""
        self.time = tenths
        self.goal = game.goal


class Scene:
    """Play demonstration `subject`, from 0: left and right choose another, A restarts, B leaves.

    A fall without edges plays faster.
    """

    kind = "watch"
    game: "Any"
    player: "Any"

    def __init__(self, context: "Context", subject: int = 0) -> None:
        self.context = context
        self.at = subject
        self.count = NAMES.count(b"\n") + 1
        self.view = DemoView(context.canvas)
        self.view.motion_on = bool(context.settings.motion_on)
        self.begin(context.clock.ticks_ms())

    def begin(self, now_ms: int) -> None:
        self.game = self.player = None  # frees their memory before making new ones
        blob = find_blob(DEMONSTRATIONS, self.at)
        mode = Demonstration(blob)
        self.recording = Recording(blob[mode.first :])
        self.game = self.recording.game(mode)
        self.player = Player(self.recording, self.game)
        self.view.title = NAMES.split(b"\n")[self.at]
        self.view.since = 0
        self.view.reset()
        self.flash = 0
        self.came = False
        self.played_ms = 0
        self.last_ms = now_ms
        self.ended = False
        self.game.start(0)

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame, and advance the demonstration."""
        for i in range(edges.count):
            if edges.pressed[i]:
                self.press(edges.button[i], now_ms)
        passed_ms = ticks_diff(now_ms, self.last_ms)
        self.last_ms = now_ms
        if self.ended:
            self.played_ms += passed_ms
            if self.played_ms >= _REST_MS:
                self.begin(now_ms)
        else:
            self.pass_time(passed_ms)
        self.context.voice.update(now_ms)

    def press(self, button: int, now_ms: int) -> None:
        voice = self.context.voice
        if button == controls.ROTATE_CCW or button == controls.HOLD:
            voice.tell_menu(MENU_BACK)
            self.context.go("help.scoring", self.at)
            return
        if button == controls.LEFT or button == controls.HARD_DROP:
            self.at = (self.at or self.count) - 1
        elif button == controls.RIGHT or button == controls.SOFT_DROP:
            self.at = (self.at + 1) % self.count
        voice.tell_menu(MENU_MOVE)
        self.begin(now_ms)

    def pass_time(self, passed_ms: int) -> None:
        """Advance by `passed_ms`, or by more during a fall without edges."""
        game = self.game
        player = self.player
        if game.phase == FALLING and not game.soft:
            leap_ms = passed_ms * _FAST
            # Never skip the next edge or the landing, even in a late frame.
            room_ms = self.recording.time_ms - self.played_ms - _SLOW_MS
            if player.waiting and leap_ms > room_ms:
                leap_ms = room_ms
            if game.y == game.ghost_y + 1:
                leap_ms = min(leap_ms, game.fall_us // 1000 + 1)
            passed_ms = max(passed_ms, leap_ms)
        self.played_ms += passed_ms
        score = game.score
        if self.came:
            self.view.since = score
        happened = player.advance(self.played_ms)
        self.context.voice.tell(happened, self.last_ms)
        self.view.tell(happened, game)
        self.came = bool(happened & events.GENERATED)
        if game.score >= score + 100 and self.view.motion_on:
            self.flash = _FLASH_FRAMES + self.flash % 16
        if player.finished():
            self.ended = True
            self.played_ms = 0

    def draw(self) -> None:
        """Draw changes; the title flashes after the action."""
        self.view.draw(self.game)
        if self.flash:
            self.flash -= 1
            if not self.flash & 7:
                self.context.canvas.invert(0, 0, 64, _TITLE_HEIGHT)
