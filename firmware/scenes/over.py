"""Show how a game ended: a congratulation where it is among the best, and its statistics (Guideline 11)."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.engine import controls, events
from firmware.engine.game import AIM_REACHED
from firmware.modes.catalogue import SPRINT, ULTRA, ULTRA_LINES
from firmware.scenes.pages import Pages
from firmware.scenes.result import PLACES, draw_large, write_rate, write_result, write_time
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import text_width
from firmware.view.lines import centre

if TYPE_CHECKING:
    from typing import Any

_WIDTH = const(64)
_ROWS_Y = const(30)
_PITCH = const(11)
_FOOT_Y = const(121)
_DOTS_Y = const(23)
_DOTS_PITCH = const(6)
_TICK_MS = const(40)
_TOWN_Y = const(44)
_TOWN_AT = const(16)  # rows of the logo above the town
_TOWN_HEIGHT = const(30)
_ROOFS = b"\x4a\x40\x40\x36\x3b\x36\x3b\x2c\x45\x3b\x40\x40\x36\x4a"

_TITLES = (b"RESULT", b"LINE CLEARS", b"T-SPINS", b"TETRIMINOS")


def count_rockets(variant: int, game) -> int:
    """Return how many rockets a game deserves: in proportion to points, lines, or the pace of a Sprint."""
    if variant == SPRINT:
        return game.lines * 10_000 // game.time_ms if game.time_ms else 0
    if variant == ULTRA_LINES:
        return game.lines // 5
    return game.score // (2000 if variant == ULTRA else 10_000)


class Scene(Pages):
    """Let a player turn the pages of the game `subject`; A goes on to the initials, or to the table.

    The first page of a game that is in its table congratulates, with fireworks.
    """

    show: "Any"

    def __init__(self, app, subject=None) -> None:
        Pages.__init__(self, app)
        self.game = subject
        self.show = None
        self.since_ms = 0
        self.parent = "main"
        self.pages = _TITLES
        if app.placed:
            self.pages = (b"",) + _TITLES
            self.parent = "initials"
            # The sound of a goal that is reached; that of the end is over by now.
            app.voice.begin(events.COMPLETED)

    def press(self, button: int) -> None:
        """Turn a page, or go on."""
        if button != controls.ROTATE_CW and button != controls.PAUSE:
            Pages.press(self, button)
            return
        app = self.app
        app.voice.tell_menu(1)
        if app.placed:
            app.go("initials")
        else:
            from firmware.save.scores import find_table

            app.go("scores", (-1, find_table(app.variant, self.game.options.aim)))

    def update(self, edges, now_ms: int) -> None:
        """Take the edges of this frame, and let the fireworks go on."""
        Pages.update(self, edges, now_ms)
        if self.show and not self.fresh and ticks_diff(now_ms, self.since_ms) >= 0:
            self.since_ms = ticks_add(now_ms, _TICK_MS)
            self.show.tick()

    def draw(self) -> None:
        """Draw a page once."""
        if not self.fresh:
            return
        self.fresh = False
        self.show = None
        canvas = self.app.canvas
        canvas.clear()
        page = self.at + len(_TITLES) - len(self.pages)
        if page < 0:
            self.draw_town(canvas)
        else:
            centre(canvas, 2, b"WELL DONE" if self.game.over == AIM_REACHED else b"GAME OVER", FONT_5X7)
            canvas.fill(0, 10, _WIDTH, 1, 1)
            centre(canvas, 14, _TITLES[page], FONT_3X5)
            self.draw_dots(canvas)
            self.draw_rows(canvas, self.list_rows(page))
        canvas.fill(0, _FOOT_Y - 4, _WIDTH, 1, 1)
        canvas.text(2, _FOOT_Y, b"<", FONT_3X5)
        centre(canvas, _FOOT_Y, b"A:INITIALS" if self.app.placed else b"A:SCORES", FONT_3X5)
        canvas.text(59, _FOOT_Y, b">", FONT_3X5)

    def draw_town(self, canvas) -> None:
        """Congratulate beneath the sky."""
        # Imported late: most games end without.
        from firmware.view.fireworks import Fireworks
        from firmware.view.logo import LOGO, LOGO_HEIGHT

        app = self.app
        game = self.game
        for strip in range(8):
            canvas.tile(strip * 8, _TOWN_Y, 8, _TOWN_HEIGHT, LOGO, strip * LOGO_HEIGHT + _TOWN_AT)
        centre(canvas, 79, b"CONGRATULATIONS", FONT_3X5)
        centre(canvas, 88, PLACES[app.placed[0]], FONT_5X7)
        draw_large(canvas, 99, write_result(app.variant, game.mode.result(game)))
        show = Fireworks(canvas, _ROOFS, 0, count_rockets(app.variant, game), game.score + game.time_ms)
        if app.settings.motion_on:
            self.show = show
        else:
            show.draw_still()

    def draw_dots(self, canvas) -> None:
        """Show with a row of dots which page this is."""
        count = len(self.pages)
        x = _WIDTH - count * _DOTS_PITCH + 4 >> 1
        for i in range(count):
            canvas.fill(x, _DOTS_Y, 2, 2, 1)
            if i == self.at:
                canvas.fill(x - 1, _DOTS_Y - 1, 4, 4, 1)
            x += _DOTS_PITCH

    def list_rows(self, page: int) -> list:
        """Return what a page says: a name and a value a row; a result to be drawn large comes first."""
        game = self.game
        counts = game.statistics
        kinds = counts.kinds
        if page == 0:
            variant = self.app.variant
            finished = game.over == AIM_REACHED
            rows = [
                (b"SCORE", game.score),
                (b"TIME", write_time(game.time_ms)),
                (b"LINES", game.lines),
                (b"LEVEL", game.level),
                (b"TPM", write_rate(counts.pieces, game.time_ms)),
                (b"LPM", write_rate(game.lines, game.time_ms)),
            ]
            first = 1 if variant == SPRINT and finished else 2 if variant == SPRINT or variant == ULTRA_LINES else 0
            rows.insert(0, rows.pop(first))
            return rows
        if page == 1:
            return [
                (b"SINGLES", kinds[1]),
                (b"DOUBLES", kinds[2]),
                (b"TRIPLES", kinds[3]),
                (b"TETRISES", kinds[4]),
                (b"BACK-TO-BACK", counts.back_to_backs),
                (b"BEST COMBO", counts.longest_combo),
            ]
        if page == 2:
            return [
                (b"T-SPINS", kinds[10]),
                (b"- SINGLES", kinds[11]),
                (b"- DOUBLES", kinds[12]),
                (b"- TRIPLES", kinds[13]),
                (b"MINI T-SPINS", kinds[5]),
                (b"- SINGLES", kinds[6]),
                (b"- DOUBLES", kinds[7]),
            ]
        pieces = counts.pieces
        return [
            (b"PLAYED", pieces),
            (b"EACH SECOND", write_rate(pieces, game.time_ms * 60)),
            (b"HELD", counts.holds),
            (b"FAULTS", counts.faults),
            (b"FINESSE", b"%d.%d" % divmod((pieces - counts.faults) * 1000 // pieces, 10) if pieces else b"-"),
        ]

    def draw_rows(self, canvas, rows: list) -> None:
        """Draw the rows of a page: that of the result is large."""
        y = _ROWS_Y
        for name, value in rows:
            if isinstance(value, int):
                value = b"%d" % value
            if y == _ROWS_Y and len(self.pages) - self.at == len(_TITLES):
                centre(canvas, y + 1, name, FONT_3X5)
                draw_large(canvas, y + 9, value)
                canvas.fill(8, y + 28, _WIDTH - 16, 1, 1)
                y += 34
                continue
            room = _WIDTH - 5 - text_width(name, FONT_3X5)
            font = FONT_5X7 if text_width(value, FONT_5X7) <= room else FONT_3X5
            canvas.text(1, y + 1, name, FONT_3X5)
            canvas.text(63 - text_width(value, font), y + (7 - font[1] >> 1), value, font)
            y += _PITCH
