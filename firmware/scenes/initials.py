"""Let a player put initials to a result that is among the best (Guideline 11.2)."""

from firmware.compat import const, ticks_diff
from firmware.engine import controls
from firmware.scenes.menu import Menu
from firmware.scenes.result import PLACES, draw_large, enlarge, write_result
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.lines import centre

_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789. "
_COUNT = const(38)
_WIDTH = const(64)
_LEFT = const(4)
_PITCH = const(20)  # from letter to letter; one is 15 x 21 pixels
_BEFORE_Y = const(53)  # above the letter that changes stands the one before it in the alphabet
_LETTER_Y = const(65)
_MARK_Y = const(89)
_AFTER_Y = const(97)
_BLINK_MS = const(400)
_FOOT_Y = const(121)


class Scene(Menu):
    """Ask for three letters, those entered last time to begin with.

    Up and down go through the alphabet, left and right from letter to letter; A takes one and goes
    on, after the last to the table, Start takes all three, B goes back to the letter before.
    """

    def __init__(self, app, subject=None) -> None:
        Menu.__init__(self, app)
        self.codes = bytearray(3)  # places in the alphabet
        self.shown = bytearray(b"\xff\xff\xff")
        self.glyphs = [_LETTERS[i : i + 1] for i in range(_COUNT)]
        number = app.settings.initials
        for i in range(3):
            self.codes[i] = number % _COUNT
            number //= _COUNT
        self.lit = True
        self.since_ms = app.device.clock.ticks_ms()

    def press(self, button: int) -> None:
        """Change a letter, or go to another."""
        app = self.app
        sound = 0
        at = self.at
        if button == controls.HARD_DROP:
            self.codes[at] = (self.codes[at] + _COUNT - 1) % _COUNT
        elif button == controls.SOFT_DROP:
            self.codes[at] = (self.codes[at] + 1) % _COUNT
        elif button == controls.PAUSE or button == controls.ROTATE_CW and at == 2:
            app.voice.tell_menu(1)
            self.finish()
            return
        elif button == controls.LEFT or button == controls.ROTATE_CCW or button == controls.HOLD:
            if not at:
                return
            self.at = at - 1
            sound = 0 if button == controls.LEFT else 2
        elif button == controls.ROTATE_CW or at < 2:
            self.at = at + 1
            sound = 1 if button == controls.ROTATE_CW else 0
        else:
            return
        app.voice.tell_menu(sound)
        self.lit = True
        self.since_ms = self.now_ms
        self.fresh = True

    def finish(self) -> None:
        """Keep the initials, in the table and for the next time, and show the table."""
        app = self.app
        codes = self.codes
        number = codes[0] + _COUNT * (codes[1] + _COUNT * codes[2])
        if number != app.settings.initials:
            app.settings.initials = number
            app.keep()
        if app.placed:
            from firmware import housekeeping

            housekeeping.sign(app, bytes([_LETTERS[code] for code in codes]))
        app.go("scores", app.placed)

    def animate(self) -> None:
        """Let the mark below the letter blink."""
        if ticks_diff(self.now_ms, self.since_ms) >= _BLINK_MS and self.app.settings.motion_on:
            self.since_ms = self.now_ms
            self.lit = not self.lit
            self.draw_mark(self.app.canvas)

    def draw(self) -> None:
        """Draw what changed."""
        canvas = self.app.canvas
        if self.whole:
            self.whole = False
            self.draw_frame(canvas)
        if self.fresh:
            self.fresh = False
            canvas.fill(0, _BEFORE_Y, _WIDTH, 7, 0)
            canvas.fill(0, _AFTER_Y, _WIDTH, 7, 0)
            for i in range(3):
                code = self.codes[i]
                if code != self.shown[i]:
                    self.shown[i] = code
                    enlarge(canvas, _LEFT + i * _PITCH, _LETTER_Y, self.glyphs[code], 3, 3)
            x = _LEFT + 5 + self.at * _PITCH
            code = self.codes[self.at]
            canvas.glyph(x, _BEFORE_Y, _LETTERS[(code + _COUNT - 1) % _COUNT], FONT_5X7)
            canvas.glyph(x, _AFTER_Y, _LETTERS[(code + 1) % _COUNT], FONT_5X7)
            self.draw_mark(canvas)
            centre(canvas, _FOOT_Y, b"A:DONE B:BACK" if self.at == 2 else b"A:NEXT B:BACK", FONT_3X5)
        self.animate()

    def draw_frame(self, canvas) -> None:
        """Draw what stays: above all the result that the initials are for."""
        canvas.clear()
        centre(canvas, 2, b"INITIALS", FONT_5X7)
        canvas.fill(0, 10, _WIDTH, 1, 1)
        canvas.fill(0, _FOOT_Y - 4, _WIDTH, 1, 1)
        if self.app.placed:
            place, number = self.app.placed
            centre(canvas, 17, PLACES[place], FONT_3X5)
            from firmware.save.scores import TABLE_AIMS, read_table

            result = read_table(self.app.journal, number).entry(place)[1]
            draw_large(canvas, 27, write_result(TABLE_AIMS[2 * number], result))

    def draw_mark(self, canvas) -> None:
        """Underline the places of the letters, and more so the one that changes."""
        canvas.fill(0, _MARK_Y, _WIDTH, 3, 0)
        for i in range(3):
            canvas.fill(_LEFT + i * _PITCH, _MARK_Y + 1, 15, 1, 1)
        if self.lit:
            canvas.fill(_LEFT + self.at * _PITCH, _MARK_Y, 15, 3, 1)
