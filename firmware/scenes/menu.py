"""Choose from lines: the base of every menu."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.engine import controls
from firmware.sound.effects import MENU_BACK, MENU_CHOOSE, MENU_MOVE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, centre, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.contracts import Any, Canvas, Context, EdgeQueue

_LINE = const(62)  # width of a line; the bar of a long menu is beside it
_TOP = const(13)
_PITCH = const(10)
_NOTE_Y = const(105)
_NOTE_PITCH = const(7)
_BAR_LEFT = const(63)
_DELAY_MS = const(350)

REPEAT_MS = const(110)  # from one repeat of a held direction to the next
ROWS = const(8)  # lines between heading and description
SAMPLE_ROWS = const(5)  # lines above a sample
SAMPLE_Y = const(65)
SAMPLE_HEIGHT = const(34)


def draw_value(canvas: "Canvas", y: int, value: bytes) -> None:
    """Draw the value of the line of capitals at `y`, in small letters: so it fits beside the line."""
    canvas.text(_LINE - 1 - text_width(value, FONT_3X5), y + 1, value, FONT_3X5)


class Menu:
    """Show a heading, a few lines, and a description of the chosen one.

    A menu defines `heading` and `records`, one for each line. A record is the line (bytes, at most 10 capitals of the
    usual font) and its note (lines of 16, three with the usual rows, separated by bars). If the line leads to a scene,
    the scene's name follows, and possibly its subject. A menu with changing lines has `lines` and `notes` instead. A
    menu overrides `pick` if its lines do more, and `value` and `turn` for settings. A menu with fewer `rows` than ROWS,
    such as SAMPLE_ROWS, overrides `draw_sample`, and `animate` if the sample moves. `font` and `pitch`, the distance of
    lines, may be smaller, and the description from `note_y` down longer. Up and down choose and repeat while held, A or
    Start picks, B goes back to the scene `parent`. While nothing changes, the menu draws and allocates nothing.

    subject: the first chosen line, by number or by its scene; or the paused game to return to.
    """

    kind = "menu"
    heading = b""
    records: "tuple[tuple[Any, ...], ...]" = ()
    lines: "Sequence[bytes]" = ()
    notes: "Sequence[bytes]" = ()
    parent = "menus.main"
    rows = ROWS
    font = FONT_5X7
    pitch = _PITCH
    note_y = _NOTE_Y

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.context = context
        if self.records:
            self.lines = [record[0] for record in self.records]
            self.notes = [record[1] for record in self.records]
        self.at = self.find(subject)
        self.game = subject if hasattr(subject, "matrix") else None
        self.top = 0
        self.fresh = True
        self.whole = True
        self.button = -1
        self.until_ms = 0
        self.now_ms = 0
        self.scroll()

    def find(self, subject: object) -> int:
        """Return the line to begin with."""
        for at in range(len(self.records)):
            if self.records[at][2:3] == (subject,):
                return at
        return subject if isinstance(subject, int) else 0

    def pick(self, at: int) -> None:
        """Set line `at` to its next value, or open its scene."""
        if not self.turn(at, 1):
            self.context.go(*self.records[at][2:])

    def turn(self, at: int, step: int) -> bool:
        """Change the setting of line `at` by `step`, -1 or 1; return whether it changed."""
        return False

    def value(self, at: int) -> bytes:
        """Return the setting of line `at`, or nothing."""
        return b""

    def draw_sample(self) -> None:
        """Draw a sample of the chosen setting below the lines."""

    def animate(self) -> None:
        """Move the sample on to `now_ms`; `draw` calls this every frame."""

    def back(self) -> None:
        """Go back to the paused game or the parent menu."""
        if self.game:
            self.context.go("play", self.game)
        else:
            self.context.go(self.parent, self.context.router.name)

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame, and repeat a held direction."""
        self.now_ms = now_ms
        for i in range(edges.count):
            button = edges.button[i]
            if edges.pressed[i]:
                self.button = button if button <= controls.HARD_DROP else -1
                self.until_ms = ticks_add(now_ms, _DELAY_MS)
                self.press(button)
            elif button == self.button:
                self.button = -1
        if self.button >= 0 and ticks_diff(now_ms, self.until_ms) >= 0:
            self.until_ms = ticks_add(now_ms, REPEAT_MS)
            self.press(self.button)
        self.context.voice.update(now_ms)

    def press(self, button: int) -> None:
        """Handle one press; HARD_DROP is up and SOFT_DROP down."""
        count = len(self.lines)
        if button == controls.HARD_DROP:
            self.choose((self.at + count - 1) % count)
        elif button == controls.SOFT_DROP:
            self.choose((self.at + 1) % count)
        elif button == controls.ROTATE_CCW or button == controls.HOLD:
            self.context.voice.tell_menu(MENU_BACK)
            self.back()
        elif button == controls.LEFT or button == controls.RIGHT:
            if self.turn(self.at, 1 if button == controls.RIGHT else -1):
                self.context.voice.tell_menu(MENU_MOVE)
                self.fresh = True
        else:
            self.context.voice.tell_menu(MENU_CHOOSE)
            self.pick(self.at)
            self.fresh = True

    def choose(self, at: int) -> None:
        self.at = at
        self.scroll()
        self.context.voice.tell_menu(MENU_MOVE)
        self.fresh = True

    def scroll(self) -> None:
        """Scroll until the chosen line is visible."""
        if self.at < self.top:
            self.top = self.at
        elif self.at >= self.top + self.rows:
            self.top = self.at - self.rows + 1

    def draw(self) -> None:
        """Draw changes, and move the sample."""
        if self.fresh and not self.context.router.wanted:  # do not overwrite LOADING
            canvas = self.context.canvas
            if self.whole:
                self.whole = False
                canvas.clear()
                centre(canvas, 2, self.heading, FONT_5X7)
                canvas.fill(0, 10, WIDTH, 1, 1)
                canvas.fill(0, self.note_y - 4, WIDTH, 1, 1)
            self.fresh = False
            self.draw_lines(canvas)
            if self.rows < ROWS:
                canvas.fill(0, SAMPLE_Y, WIDTH, SAMPLE_HEIGHT, 0)
                self.draw_sample()
            self.draw_note(canvas, self.notes[self.at])
        self.animate()

    def draw_lines(self, canvas: "Canvas") -> None:
        """Draw the visible lines, the chosen line dark on light."""
        count = len(self.lines)
        height = self.font[1] + 2
        for row in range(self.rows):
            line = self.top + row
            y = _TOP + row * self.pitch
            canvas.fill(0, y - 1, WIDTH, height, 0)
            if line < count:
                canvas.text(2, y, self.lines[line], self.font)
                draw_value(canvas, y - (FONT_5X7[1] - self.font[1] >> 1), self.value(line))
                if line == self.at:
                    canvas.invert(0, y - 1, _LINE, height)
        if count > self.rows:
            height = self.rows * self.pitch
            canvas.fill(_BAR_LEFT, _TOP - 1, 1, height, 0)
            canvas.fill(_BAR_LEFT, _TOP - 1 + height * self.top // count, 1, height * self.rows // count, 1)

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Describe the chosen line."""
        self.write_note(canvas, note)

    def write_note(self, canvas: "Canvas", note: bytes) -> None:
        """Write a description from `note_y` down."""
        y = self.note_y
        canvas.fill(0, y, WIDTH, 128 - y, 0)
        for line in note.split(b"|"):
            centre(canvas, y, line, FONT_3X5)
            y += _NOTE_PITCH
