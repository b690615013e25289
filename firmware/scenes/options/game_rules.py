"""Set the rules of games (Guideline 2.5.1 to 2.5.4)."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine.options import EXTENDED, INFINITE
from firmware.modes.delays import NAMES, NONE, find_delays, set_delays, write_delays
from firmware.option_table import list_menu
from firmware.scenes.choices import Choices
from firmware.scenes.menu import SAMPLE_Y
from firmware.view.sample import GHOST, LOCKED, PLAIN, draw_mini, draw_tetrimino

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context

_DELAYS = "delays"  # in place of the name of a setting: the line sets two
_DELAYS_NOTE = (
    b"0.2 S TO THE|NEXT, 0.3 S FOR|LINES/0.1 + 0.15 S:|OWN TABLES FOR|5 MODES/NO WAIT:|OWN TABLES FOR|5 MODES"
)
_L = const(3)
_O = const(4)
_S = const(5)
_T = const(6)
_NEXT = b"\x06\x01\x05\x02\x04\x03"
_FLOOR_Y = const(97)
_MOVE_MS = const(220)
_LOCK_MS = const(500)  # Guideline 5.7
_REST_MS = const(700)
_MOVES = const(15)
_BAR_LEFT = const(16)
_BAR_WIDTH = const(32)


class Scene(Choices):
    """Show the effect of each rule in a part of the Matrix.

    Of the sample of Lock Down: moves: how often the Tetrimino has moved. lock_ms, move_ms: when its timer began, and
    when it moved. shown: its place << 1 | whether it has locked down, as it is drawn; -1 before.
    """

    heading = b"GAME RULES"
    records = list_menu("rules") + (
        (b"DELAYS", _DELAYS_NOTE, _DELAYS),
        (b"EXTRAS", b"COMBOS, KICKS,|180, ALL-SPINS,|DEALERS", "options.extra_rules"),
    )

    def __init__(self, context: "Context", subject: object = None) -> None:
        Choices.__init__(self, context, subject)
        self.shown = 0
        self.moves = 0
        self.lock_ms = 0
        self.move_ms = 0

    def pick(self, at: int) -> None:
        """Set the next value, or open the page of a line."""
        if not self.turn(at, 1):
            self.save()
            self.context.go(*self.records[at][2:])

    def value(self, at: int) -> bytes:
        if self.records[at][2] == _DELAYS:
            return NAMES[find_delays(self.context.settings)]
        return Choices.value(self, at)

    def turn(self, at: int, step: int) -> bool:
        """Set a line to the value before or after the current one; return whether it has values."""
        if self.records[at][2] != _DELAYS:
            return Choices.turn(self, at, step)
        settings = self.context.settings
        set_delays(settings, (find_delays(settings) + step) % (NONE + 1))
        return True

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        if self.setting() == _DELAYS:
            settings = self.context.settings
            notes = note.split(b"/")
            notes.append(write_delays(settings) + b"|A LINE OF RULES|HAS SET THEM")
            note = notes[find_delays(settings)]  # OTHER has the last
        Choices.draw_note(self, canvas, note)

    def draw_sample(self) -> None:
        canvas = self.context.canvas
        settings = self.context.settings
        if self.setting() == "next_count":
            for i in range(settings.next_count):
                draw_mini(canvas, 8 + i % 3 * 18, SAMPLE_Y + 6 + i // 3 * 14, _NEXT[i])
        elif self.setting() == "hold_on":
            canvas.fill(20, SAMPLE_Y + 6, 23, 20, 1)
            canvas.fill(21, SAMPLE_Y + 7, 21, 18, 0)
            if settings.hold_on:
                draw_mini(canvas, 26, SAMPLE_Y + 13, _T)
            else:
                for i in range(11):
                    canvas.fill(26 + i, SAMPLE_Y + 11 + i, 1, 1, 1)
                    canvas.fill(36 - i, SAMPLE_Y + 11 + i, 1, 1, 1)
        elif self.setting() == "ghost_on":
            self.draw_floor()
            draw_tetrimino(canvas, 27, SAMPLE_Y + 10, _T, 0, PLAIN)
            if settings.ghost_on:
                draw_tetrimino(canvas, 27, _FLOOR_Y, _T, 0, GHOST)
        elif self.setting() == "lock_rule":
            self.begin_lock()
        elif self.setting() == "invisible":
            if settings.invisible:
                canvas.fill(1, _FLOOR_Y, 61, 1, 1)
            else:
                self.draw_floor()
            draw_tetrimino(canvas, 27, SAMPLE_Y + 10, _T, 0, PLAIN)
        elif self.setting() == _DELAYS:
            canvas.fill(8, SAMPLE_Y + 8, min(48, settings.generation_ms // 8), 6, 1)
            canvas.fill(8, SAMPLE_Y + 20, min(48, settings.animate_ms // 8), 6, 1)
        elif self.setting() == "goal_rule":
            for level in range(5):
                height = 5 * level + 5 if settings.goal_rule else 10
                canvas.fill(14 + level * 8, _FLOOR_Y - height, 5, height, 1)
            canvas.fill(8, _FLOOR_Y, 48, 1, 1)

    def draw_floor(self) -> None:
        canvas = self.context.canvas
        canvas.fill(1, _FLOOR_Y, 61, 1, 1)
        draw_tetrimino(canvas, 2, _FLOOR_Y, _L, 0, LOCKED)
        draw_tetrimino(canvas, 42, _FLOOR_Y, _S, 0, LOCKED)
        draw_tetrimino(canvas, 47, _FLOOR_Y - 10, _O, 0, LOCKED)

    def begin_lock(self) -> None:
        """Let a Tetrimino land with a full Lock Down Timer."""
        self.moves = 0
        self.shown = -1
        self.lock_ms = self.move_ms = self.now_ms
        self.context.canvas.fill(1, _FLOOR_Y, 61, 1, 1)

    def animate(self) -> None:
        """Move the Tetrimino until it locks down; a bar shows the rest of the timer (Guideline 5.7-5.9)."""
        if self.setting() != "lock_rule":
            return
        passed_ms = ticks_diff(self.now_ms, self.lock_ms)
        if passed_ms >= _LOCK_MS + _REST_MS:
            self.begin_lock()
            passed_ms = 0
        locked = passed_ms >= _LOCK_MS
        if not locked and ticks_diff(self.now_ms, self.move_ms) >= _MOVE_MS:
            self.move_ms = self.now_ms
            self.moves += 1
            rule = self.context.settings.lock_rule
            if rule == INFINITE or rule == EXTENDED and self.moves < _MOVES:
                self.lock_ms = self.now_ms
        column = self.moves % 8  # four to the right, four back
        left = 12 + 5 * (column if column < 5 else 8 - column)
        shown = left << 1 | locked
        canvas = self.context.canvas
        bar = _BAR_WIDTH - _BAR_WIDTH * passed_ms // _LOCK_MS
        if shown != self.shown:
            self.shown = shown
            canvas.fill(0, _FLOOR_Y - 10, 64, 10, 0)
            draw_tetrimino(canvas, left, _FLOOR_Y, _T, 0, LOCKED if locked else PLAIN)
        canvas.fill(_BAR_LEFT, SAMPLE_Y + 8, _BAR_WIDTH, 4, 0)
        if bar > 0:
            canvas.fill(_BAR_LEFT, SAMPLE_Y + 8, bar, 4, 1)
