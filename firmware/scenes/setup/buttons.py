"""Test each button at the first start, and show which are swapped, stuck, missing or bouncing."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls
from firmware.scenes.setup.contacts import ABSENT, BOUNCING, GOOD, OTHER, STUCK, TOUCHING, Contacts
from firmware.scenes.setup.step import Step, write
from firmware.sound.effects import MENU_MOVE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import centre

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context, EdgeQueue

_PX = const(9)
_TOP = const(44)
_LEAVE_MS = const(30000)
_NAMES = (b"LEFT", b"RIGHT", b"DOWN", b"UP", b"A", b"B", b"C", b"START", b"TARGET")
_LETTERS = b"LRDUABCST"
# x of each button, and y from _TOP
_PLACES = b"\x03\x0b\x13\x0b\x0b\x13\x0b\x03\x35\x06\x2b\x0e\x2b\x00\x20\x17\x35\x14"
_WORDS = {ABSENT: b"NO CONTACT", OTHER: b"GAVE", TOUCHING: b"WITH", STUCK: b"IS STUCK", BOUNCING: b"BOUNCES"}


class Scene(Step):
    """Show the buttons in their places; the asked button is lit, and a wrong one has a cross."""

    heading = b"BUTTONS"
    following = "setup.upright"

    def __init__(self, context: "Context", subject: object = None) -> None:
        """Begin; `subject` may be a mask of buttons that are already down."""
        Step.__init__(self, context, subject)
        self.pins = context.device.machine.list_pins()
        self.begin(subject if isinstance(subject, int) else 0)

    def begin(self, down: int) -> None:
        """Ask for all buttons from the beginning; the buttons of the mask `down` are already down."""
        self.contacts = Contacts(self.context.device.wired, down, self.now_ms)
        self.shown = -1
        self.fresh = True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Pass all edges of this frame to the test."""
        self.now_ms = now_ms
        contacts = self.contacts
        done = contacts.asked == contacts.count
        for i in range(edges.count):
            contacts.take_edge(edges.button[i], edges.pressed[i], edges.t_ms[i])
            if done and edges.pressed[i]:
                self.press(edges.button[i])
        if not done:
            contacts.advance(now_ms)
            if contacts.asked != self.shown:
                self.context.voice.tell_menu(MENU_MOVE)
                self.fresh = True
        elif ticks_diff(now_ms, contacts.since_ms) >= _LEAVE_MS:
            self.finish()  # perhaps no button works at all
        self.context.voice.update(now_ms)

    def press(self, button: int) -> None:
        """Go on, or test all buttons again with B."""
        if button == controls.ROTATE_CCW:
            self.begin(0)
        else:
            self.finish()

    def draw_all(self, canvas: "Canvas") -> None:
        contacts = self.contacts
        asked = self.shown = contacts.asked
        for button in range(contacts.count):
            if contacts.wired >> button & 1:
                self.draw_button(canvas, button, contacts.verdict[button])
        if asked < contacts.count:
            write(canvas, 15, b"PRESS AND LET GO")
            centre(canvas, 26, _NAMES[asked], FONT_5X7)
            if self.pins:
                centre(canvas, 36, self.pins[asked], FONT_3X5)
            write(canvas, 92, b"BROKEN? WAIT:|IT IS MARKED|AS MISSING")
            return
        if contacts.good():
            centre(canvas, 24, b"ALL GOOD", FONT_5X7)
        else:
            write(canvas, 15, b"CHECK THE WIRES|OF THESE")
        y = 84
        absent = [_LETTERS[i : i + 1] for i in range(contacts.count) if contacts.verdict[i] == ABSENT]
        if len(absent) > 1:
            write(canvas, y, b" ".join(absent) + b"|" + _WORDS[ABSENT])
            y += 14
        for button in range(contacts.count):
            verdict = contacts.verdict[button]
            if verdict in _WORDS and y < 108 and (verdict != ABSENT or len(absent) == 1):
                line = _NAMES[button] + b" " + _WORDS[verdict]
                if verdict == OTHER or verdict == TOUCHING:
                    line += b" " + _NAMES[contacts.other[button]]
                centre(canvas, y, line, FONT_3X5)
                y += 7
        write(canvas, 113, b"A NEXT|B TRY AGAIN")

    def draw_button(self, canvas: "Canvas", button: int, verdict: int) -> None:
        """Draw a button: lit if it is asked, with a cross if it is wrong, filled if it is good."""
        x = _PLACES[2 * button]
        y = _TOP + _PLACES[2 * button + 1]
        canvas.fill(x, y, _PX, _PX, 1)
        if button == self.shown:
            canvas.fill(x + 3, y + 2, 3, 5, 0)
            return
        canvas.fill(x + 1, y + 1, _PX - 2, _PX - 2, 0)
        if verdict == GOOD:
            canvas.fill(x + 2, y + 2, _PX - 4, _PX - 4, 1)
        elif verdict:
            for i in range(1, _PX - 1):
                canvas.fill(x + i, y + i, 1, 1, 1)
                canvas.fill(x + _PX - 1 - i, y + i, 1, 1, 1)
        else:
            canvas.glyph(x + 3, y + 2, _LETTERS[button], FONT_3X5)
