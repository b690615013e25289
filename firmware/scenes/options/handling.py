"""Set how a Tetrimino follows the buttons (Guideline 5.2, 7.1)."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine.tables import FALL_US
from firmware.option_table import list_menu
from firmware.save.presets import NAMES, find_preset, handle
from firmware.scenes.choices import Choices
from firmware.scenes.menu import SAMPLE_HEIGHT, SAMPLE_Y
from firmware.view.sample import PLAIN, draw_tetrimino

if TYPE_CHECKING:
    from firmware.contracts import Canvas

_NOTES = (
    b"SLOW REPEATS,|TO LEARN/AS THE GUIDELINE|OF 2009 SAYS/QUICK REPEATS,|IRS AND IHS/"
    b"DAS 167, ARR 33:|USUAL AT A PC/DAS 133, ARR 10:|USUAL ONLINE/AS YOU SET IT"
)
_LAST_PRESET = const(4)
_SOFT_AT = const(3)  # the last line that the sample shows
_T = const(6)
_LEFT = const(2)
_COLUMNS = const(9)  # steps of a T from wall to wall in the sample
_ROWS = const(4)  # rows that the T falls
_REST_MS = const(600)
_NEVER_MS = const(0x1FFFFFFF)  # longer than any difference of times


class Scene(Choices):
    """Show a T that moves from wall to wall, or falls, by the settings; notes have the names that players know."""

    heading = b"HANDLING"
    records = ((b"ALL", _NOTES),) + list_menu("handling")
    place = since_ms = 0
    wait_ms = _NEVER_MS  # until the first drawing of the sample

    def value(self, at: int) -> bytes:
        """Return the value of a line; for the first line, the preset whose values the settings have."""
        if at:
            return Choices.value(self, at)
        return NAMES[find_preset(self.context.settings)]

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Draw the note of the preset, the line or its value."""
        if not self.at:
            note = note.split(b"/")[find_preset(self.context.settings)]
        Choices.draw_note(self, canvas, note)

    def turn(self, at: int, step: int) -> bool:
        """Change the preset or a value."""
        if at:
            return Choices.turn(self, at, step)
        preset = find_preset(self.context.settings)
        if preset + step < -1:
            preset = 0
        handle(self.context.settings, (preset + step) % (_LAST_PRESET + 1))
        self.context.apply_settings()
        return True

    def draw_sample(self) -> None:
        """Draw the walls, and the T at the left wall or the top; some lines have no sample."""
        if self.at > _SOFT_AT:
            return
        canvas = self.context.canvas
        canvas.fill(0, SAMPLE_Y, 1, SAMPLE_HEIGHT, 1)
        canvas.fill(63, SAMPLE_Y, 1, SAMPLE_HEIGHT, 1)
        canvas.fill(0, SAMPLE_Y + SAMPLE_HEIGHT - 1, 64, 1, 1)
        self.place = 0
        self.step = 1
        self.since_ms = self.now_ms
        self.wait_ms = _REST_MS
        self.draw_tetrimino()

    def draw_tetrimino(self) -> None:
        """Draw the T at its current place."""
        canvas = self.context.canvas
        canvas.fill(1, SAMPLE_Y, 62, SAMPLE_HEIGHT - 1, 0)
        if self.at == _SOFT_AT:
            x, y = 25, SAMPLE_Y + 13 + 5 * self.place
        else:
            x, y = _LEFT + 5 * self.place, SAMPLE_Y + SAMPLE_HEIGHT - 1
        draw_tetrimino(canvas, x, y, _T, 0, PLAIN)

    def animate(self) -> None:
        """Make all steps that are due: the first step, Auto-Repeat after its delay, a rest at the wall."""
        if self.at > _SOFT_AT:
            return
        place = self.place
        while ticks_diff(self.now_ms, self.since_ms) >= self.wait_ms:
            self.since_ms = self.since_ms + self.wait_ms & 0x1FFFFFFF
            if self.at == _SOFT_AT:
                place = place + 1 if place < _ROWS else 0
                pace = self.context.settings.soft_factor
                self.wait_ms = FALL_US[0] // 1000 // pace if 0 < place < _ROWS else _REST_MS
            else:
                place = self.step_tetrimino(place)
        if place != self.place:
            self.place = place
            self.draw_tetrimino()

    def step_tetrimino(self, place: int) -> int:
        """Return the place after a step to the side, and set the time until the next step."""
        settings = self.context.settings
        at_wall = place in (0, _COLUMNS)
        if not at_wall and not settings.arr_ms:
            place = _COLUMNS if self.step > 0 else 0
        else:
            place += self.step
        self.wait_ms = settings.das_ms if at_wall else settings.arr_ms
        if place in (0, _COLUMNS):
            self.step = -self.step
            self.wait_ms = _REST_MS
        return place
