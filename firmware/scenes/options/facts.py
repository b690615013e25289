"""Show the state of the handheld on a hidden page of Options > Device, for builders."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.save.journal import REPORT
from firmware.save.journal_walk import count_bytes
from firmware.scenes.error_screen import fits, wrap
from firmware.scenes.setup.step import Step
from firmware.sound.effects import MENU_BACK
from firmware.view.art import FONT_3X5
from firmware.view.canvas import text_width

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context, EdgeQueue

VERSION = b"0.6.0"

_SECOND_MS = const(1000)
_PITCH = const(8)
_TOP = const(15)
_LINES = (b"FPS", b"WORST MS", b"FREE", b"USED", b"DAMAGED", b"JOURNAL", b"PYTHON", b"SKYLINE")
# Their places in _LINES
_FPS = const(0)
_WORST = const(1)
_FREE = const(2)
_USED = const(3)
_DAMAGED = const(4)
_JOURNAL = const(5)
_LAST_Y = const(123)


class Scene(Step):
    """Count frames, time and bytes. Numbers are redrawn once a second, without allocating."""

    heading = b"FACTS"

    def __init__(self, context: "Context", subject: object = None) -> None:
        Step.__init__(self, context, subject)
        self.second_ms = self.now_ms
        self.frames = 0
        self.worst_ms = 0

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Measure the time since the last frame."""
        spent_ms = ticks_diff(now_ms, self.now_ms)
        if self.frames and spent_ms > self.worst_ms:
            self.worst_ms = spent_ms
        Step.update(self, edges, now_ms)
        self.frames += 1

    def press(self, button: int) -> None:
        self.context.voice.tell_menu(MENU_BACK)
        self.context.go("options.device")

    def draw_all(self, canvas: "Canvas") -> None:
        """Draw the names, and the values that do not change."""
        context = self.context
        y = _TOP
        for line in _LINES:
            canvas.text(0, y, line, FONT_3X5)
            y += _PITCH
        journal = context.journal
        machine = context.device.machine
        values = (b"NONE" if not journal.stores else b"FAILED" if journal.failed else b"GOOD", machine.version, VERSION)
        y = _TOP + _JOURNAL * _PITCH
        for value in values:
            canvas.text(64 - text_width(value, FONT_3X5), y, value, FONT_3X5)
            y += _PITCH
        name = machine.name.decode().upper()
        while not fits(name) and "_" in name:
            name = name[name.find("_") + 1 :]
        canvas.text(0, y, name.encode(), FONT_3X5)
        y += _PITCH
        canvas.fill(0, y, 64, 1, 1)
        y += 3
        text = bytes(journal.read(REPORT)).decode().replace("\n", " ") or "NO REPORT"
        for words in wrap(text):
            if y <= _LAST_Y:
                canvas.text(0, y, words.upper().encode(), FONT_3X5)
                y += 7
        self.number(_FPS, 0)
        used, damaged = count_bytes(journal)
        self.number(_USED, used)
        self.number(_DAMAGED, damaged)

    def animate(self, canvas: "Canvas") -> None:
        """Draw the numbers once a second."""
        passed_ms = ticks_diff(self.now_ms, self.second_ms)
        if passed_ms < _SECOND_MS:
            return
        self.number(_FPS, (self.frames * _SECOND_MS + passed_ms // 2) // passed_ms)
        self.number(_WORST, self.worst_ms)
        self.number(_FREE, self.context.device.machine.free_bytes())
        self.second_ms = self.now_ms
        self.frames = 0

    def number(self, line: int, value: int) -> None:
        """Draw a number at the right end of a line."""
        y = _TOP + line * _PITCH
        self.context.canvas.fill(36, y, 28, 5, 0)
        self.context.canvas.number(37, y, value, -1, 7, FONT_3X5, False)
