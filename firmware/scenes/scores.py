"""Show the best games of each variant, by what counts in it (Guideline 11.2)."""

from firmware.compat import const, ticks_diff
from firmware.engine import controls
from firmware.modes.catalogue import SPRINT, ULTRA_LINES
from firmware.save.scores import TABLE_AIMS, find_table, read_table
from firmware.scenes.pages import Pages
from firmware.scenes.result import write_rate, write_result
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import text_width
from firmware.view.lines import centre

_WIDTH = const(64)
_FIRST_Y = const(14)
_PITCH = const(20)
_HEIGHT = const(18)
_FOOT_Y = const(121)
_BLINK_MS = const(400)
_SCORES_AT = const(2)  # the line of the main menu that leads here


class Scene(Pages):
    """Show a table a page, the one of the variant played last to begin with.

    `subject` is None, or after a game (place, number of the table), each -1 for none: that place
    blinks, and A plays again.
    """

    parent = "main"
    parent_at = _SCORES_AT
    place: int
    number: int

    def __init__(self, app, subject=None) -> None:
        # Imported late: its names stay, and the menu goes.
        from firmware.scenes.variant import Scene as Variant

        self.pages = Variant.lines
        self.words = Variant.words
        after = isinstance(subject, tuple)
        self.place, self.number = subject if after else (-1, find_table(app.variant, app.settings.aim))
        Pages.__init__(self, app, max(self.number, 0))
        self.after = after
        self.since_ms = app.device.clock.ticks_ms()

    def press(self, button: int) -> None:
        """Turn a page; A and Start play again after a game, and else turn it too."""
        if self.after and (button == controls.ROTATE_CW or button == controls.PAUSE):
            self.app.voice.tell_menu(1)
            self.app.go("play")
            return
        Pages.press(self, button)

    def update(self, edges, now_ms: int) -> None:
        """Take the edges of this frame and let the new entry blink."""
        Pages.update(self, edges, now_ms)
        if self.place < 0 or self.at != self.number or self.fresh or not self.app.settings.motion_on:
            return
        if ticks_diff(now_ms, self.since_ms) >= _BLINK_MS:
            self.since_ms = now_ms
            self.mark()

    def mark(self) -> None:
        """Turn the new entry from light on dark to dark on light, or back."""
        self.app.canvas.invert(0, _FIRST_Y - 2 + self.place * _PITCH, _WIDTH, _HEIGHT + 1)

    def draw(self) -> None:
        """Draw a table once."""
        if not self.fresh:
            return
        self.fresh = False
        canvas = self.app.canvas
        canvas.clear()
        name = self.pages[self.at]
        words = self.words[self.at]
        width = text_width(name, FONT_5X7)
        if words:
            width += text_width(words, FONT_3X5) + 4
        x = _WIDTH - width >> 1
        canvas.text(x, 2, name, FONT_5X7)
        canvas.text(x + width - text_width(words, FONT_3X5), 4, words, FONT_3X5)
        canvas.text(1, 3, b"<", FONT_3X5)
        canvas.text(60, 3, b">", FONT_3X5)
        canvas.fill(0, 10, _WIDTH, 1, 1)
        canvas.fill(0, _FOOT_Y - 4, _WIDTH, 1, 1)
        centre(canvas, _FOOT_Y, b"A:PLAY B:MENU" if self.after else b"B:MENU", FONT_3X5)
        table = read_table(self.app.journal, self.at)
        for place in range(table.count):
            self.draw_entry(canvas, place, table.entry(place))
        if not table.count:
            centre(canvas, 52, b"NO GAMES YET", FONT_3X5)
            centre(canvas, 62, b"BE THE FIRST", FONT_3X5)
        elif self.place >= 0 and self.at == self.number:
            self.since_ms = self.app.device.clock.ticks_ms()
            self.mark()

    def draw_entry(self, canvas, place: int, entry: tuple) -> None:
        """Draw place, initials and result, and below them what else matters in this variant."""
        initials, result, lines, level = entry
        variant = TABLE_AIMS[2 * self.at]
        y = _FIRST_Y + place * _PITCH
        value = write_result(variant, result)
        canvas.text(1, y, initials, FONT_5X7)
        font = FONT_5X7 if len(value) <= 7 else FONT_3X5
        canvas.text(63 - text_width(value, font), y + (7 - font[1] >> 1), value, font)
        if variant == SPRINT:
            rest = b"LPM " + write_rate(lines, result)
        else:
            rest = b"" if variant == ULTRA_LINES else b"LNS %d" % lines
        canvas.text(1, y + 9, b"%d" % (place + 1), FONT_3X5)
        canvas.text(9, y + 9, b"LV %d" % level, FONT_3X5)
        canvas.text(63 - text_width(rest, FONT_3X5), y + 9, rest, FONT_3X5)
