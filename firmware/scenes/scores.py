"""Show the tables of scores, one for each variant, with the columns that matter to it (Guideline 11.2)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.modes.catalogue import DAILY, DIG, FINESSE, MASTER, SPRINT, ZEN
from firmware.save.scores import TABLE_AIMS, Table, find_kind, find_table
from firmware.scenes.scores_result import measure_result, write, write_result
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, text_width
from firmware.view.lines import centre

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import App, Canvas, EdgeQueue

_TOP = const(14)
_RANK_RIGHT = const(8)  # of a place, which stands only where all else leaves it room
_PITCH = const(18)
_HINT_Y = const(121)
_LINES = const(3)
_SCORES_AT = const(3)  # its line in the main menu
_COLUMNS = const(14)
_LAST_NUMBERS = const(2)  # a page

NAMES = (
    b"MARATHON",
    b"ENDLESS",
    b"SPRINT 20",
    b"SPRINT 40",
    b"SPRINT 100",
    b"ULTRA 2MIN",
    b"ULTRA 3MIN",
    b"LINES 2MIN",
    b"LINES 3MIN",
    b"STANDARD",
    b"TEST SPEC",
    b"WORST",
    b"DIG 10",
    b"DIG 18",
    b"DIG 100",
    b"SURVIVE",
    b"MASTER",
    b"DAILY",
    b"FINESSE",
    b"ZEN",
)


class Scene:
    """Turn pages with left and right; B leads to the main menu, and after a game A plays again.

    Where the recording of the first place is kept A shows it.  Before the first table and behind the last are the pages
    of the scene `numbers`.

    subject: None, or (place, table) of the game that was just played; its line is dark on light.
    """

    def __init__(self, app: "App", subject: "tuple[int, int] | None" = None) -> None:
        self.app = app
        self.again = app.played
        app.played = False
        self.mine = subject
        number = find_table(app.settings.variant, app.settings.aim)
        self.number = subject[1] if subject else number if number >= 0 else 0
        self.shelf: "Any" = app.device.machine.open_shelf()  # Any: there is one where a recording is kept
        self.kept = 0  # the result of the first place whose recording is there
        self.fresh = True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Take the edges of this frame."""
        for i in range(edges.count):
            if edges.pressed[i]:
                self.press(edges.button[i])
        self.app.voice.update(now_ms)

    def press(self, button: int) -> None:
        """Turn a page, play again or leave."""
        app = self.app
        if button == controls.LEFT or button == controls.HARD_DROP:
            self.turn(-1)
        elif button == controls.RIGHT or button == controls.SOFT_DROP:
            self.turn(1)
        elif self.again and (button == controls.ROTATE_CW or button == controls.PAUSE):
            app.voice.tell_menu(1)
            app.go("play")
        elif self.kept and button == controls.ROTATE_CW:
            self.watch()
            return
        else:
            app.voice.tell_menu(2)
            app.go("main", _SCORES_AT)
        self.fresh = True

    def watch(self) -> None:
        """Show the recording of the first place, from where the way leads back here."""
        app = self.app
        app.voice.tell_menu(1)
        from firmware.save.best import fetch

        recording = fetch(self.shelf, self.number, self.kept)
        if recording:
            app.home = "scores"
            app.go("watch", recording)
        else:
            self.kept = 0
            self.hint(b"IT IS DAMAGED")

    def turn(self, step: int) -> None:
        """Go to the table before or after; between the last and the first is what all games came to."""
        self.app.voice.tell_menu(0)
        if 0 <= self.number + step < len(NAMES):
            self.number += step
        else:
            self.app.go("numbers", 0 if step > 0 else _LAST_NUMBERS)

    def draw(self) -> None:
        """Draw the table where it is another one."""
        if not self.fresh:
            return
        self.fresh = False
        canvas = self.app.canvas
        canvas.clear()
        centre(canvas, 2, NAMES[self.number], FONT_5X7)
        canvas.fill(0, 10, WIDTH, 1, 1)
        table = Table(self.number)
        table.restore(self.app.journal.read(find_kind(self.number)))
        for place in range(table.count):
            self.draw_place(canvas, table, place)
        if not table.count:
            centre(canvas, 50, b"NO GAME YET", FONT_3X5)
            centre(canvas, 60, b"PLAY TO FILL", FONT_3X5)
            centre(canvas, 68, b"THIS TABLE", FONT_3X5)
        best = table.entry(0)[1] if table.count else 0
        self.kept = best if best and self.shelf and self.shelf.holds(self.number, best) else 0
        canvas.fill(0, 117, WIDTH, 1, 1)
        self.hint(b"A RETRY  B MENU" if self.again else b"A WATCH  B BACK" if self.kept else b"< > TABLE B BACK")

    def hint(self, line: bytes) -> None:
        """Say what the buttons do."""
        self.app.canvas.fill(0, _HINT_Y, WIDTH, 5, 0)
        centre(self.app.canvas, _HINT_Y, line, FONT_3X5)

    def draw_place(self, canvas: "Canvas", table: Table, place: int) -> None:
        """Draw initials and result, and smaller below them what else matters to the variant."""
        initials, result, lines, level = table.entry(place)
        variant = TABLE_AIMS[2 * self.number]
        y = _TOP + place * _PITCH
        canvas.text(1, y + 1, initials, FONT_5X7)
        line = write_result(variant, result)
        write(canvas, WIDTH - 1 - measure_result(line), y + 1, line)
        line = b"LEVEL " + str(level).encode()
        if variant == DAILY or variant == MASTER or variant == FINESSE:
            line = self.describe(variant, lines, level)
        elif variant == ZEN:
            line = b"LINES"
        elif variant != SPRINT and variant != _LINES and variant != DIG:
            line = str(lines).encode() + b" LINES LV" + str(level).encode()
            if len(line) > _COLUMNS:
                line = str(lines).encode() + b"LN LV" + str(level).encode()
        x = WIDTH - 1 - text_width(line, FONT_3X5)
        if x > _RANK_RIGHT:
            canvas.text(1, y + 10, str(place + 1).encode() + b".", FONT_3X5)
        canvas.text(x, y + 10, line, FONT_3X5)
        if self.mine and self.mine[1] == self.number and self.mine[0] == place:
            canvas.invert(0, y, WIDTH, _PITCH - 1)

    def describe(self, variant: int, lines: int, level: int) -> bytes:
        """Return what matters to a variant that is not scored by levels: a grade, a day, a share."""
        if variant == FINESSE:
            line = str(level).encode() + b" OF " + str(lines).encode()
            return line + b" RIGHT" if len(line) <= _COLUMNS - 6 else line
        # Imported late: most tables have neither.
        if variant == MASTER:
            from firmware.view.grades import name_grade

            return str(lines).encode() + b" LINES " + name_grade(level)
        from firmware.modes.days import unpack_day, write_day

        return write_day(unpack_day(level))
