"""Show the tables of scores, one for each aim of a mode (Guideline 11.2)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.residents import RESULT
from firmware.save.scores import open_table
from firmware.scenes.menus.scores_result import measure_result, write, write_result
from firmware.scenes.paging import PagedScene
from firmware.sound.effects import MENU_BACK, MENU_CHOOSE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, centre, text_width

if TYPE_CHECKING:
    from firmware.contracts import Any, Canvas, Context, Record
    from firmware.modes.listing import Choice
    from firmware.save.scores import Table

_TOP = const(14)
_RANK_RIGHT = const(8)  # right end of a place's number, which is drawn only if there is room
_PITCH = const(18)
_COLUMNS = const(14)


class Scene(PagedScene):
    """Turn to tables that have entries with left and right; B leads to their list, after a game to the main menu.

    If the recording of the first place is kept, A shows it; after a game A plays again.
    subject: None for the mode played last, or (place, table) of the last game, whose line is dark on light. A place of
    -1 is none.
    """

    keeps = RESULT
    takes_long = True

    def __init__(self, context: "Context", subject: "tuple[int, int] | None" = None) -> None:
        # Imported late here and below: saves 1 KB of heap.
        from firmware.modes.listing import list_tables

        tables = list_tables()
        if subject:
            at = subject[1]
        else:
            from firmware.scenes.mode_opening import find_shown

            at = find_shown(context.settings, tables)
        self.kinds = bytes([choice.kind for choice in tables])
        PagedScene.__init__(self, context, len(tables), at)
        self.again = context.session.played
        if self.again:
            self.start_ms = -1
        self.mine = subject
        self.choose(tables[at])
        self.replays: "Any" = context.device.machine.open_replay_files()  # Any: not None if `kept` is set
        self.kept = 0  # the first place's result if its recording exists

    def choose(self, choice: "Choice") -> None:
        """Show a table; the rest of the mode's record would take 1 KB."""
        self.choice = choice
        record = choice.record
        choice.record = {b"result": record[b"result"], b"below": record[b"below"]}

    def press(self, button: int) -> None:
        """Play again, watch or leave."""
        context = self.context
        if self.again and (button == controls.ROTATE_CW or button == controls.PAUSE):
            context.voice.tell_menu(MENU_CHOOSE)
            self.restart(None)
        elif self.kept and button == controls.ROTATE_CW:
            self.watch()
        else:
            context.voice.tell_menu(MENU_BACK)
            if self.again:
                context.go("menus.main", "menus.score_list")
            else:
                context.go("menus.score_list", self.at)

    def restart(self, subject: "bytes | None" = b"") -> None:
        from firmware.scenes.again import begin_again

        begin_again(self.context, subject)

    def watch(self) -> None:
        """Show the recording of the first place, and return here later."""
        context = self.context
        context.voice.tell_menu(MENU_CHOOSE)
        from firmware.save.best import fetch_replay

        recording = fetch_replay(self.replays, self.at, self.kept)
        if recording:
            context.router.watch("replay.watch", recording, "menus.scores")
        else:
            self.kept = 0
            self.hint(b"DAMAGED")

    def find_next(self, step: int) -> int:
        """Return the next table with an entry, or this one if there is no other."""
        at = (self.at + step) % self.count
        while at != self.at and not len(self.context.journal.read(self.kinds[at])):
            at = (at + step) % self.count
        return at

    def turn(self, step: int) -> None:
        """Turn to the next table with an entry; there may be none."""
        at = self.find_next(step)
        if at != self.at:
            PagedScene.turn(self, at - self.at)
            from firmware.modes.listing import list_tables

            self.choose(list_tables()[at])

    def draw_page(self, canvas: "Canvas") -> None:
        choice = self.choice
        table = open_table(self.context.journal, choice.kind)
        for place in range(table.count):
            self.draw_place(canvas, choice.record, table, place)
        best = 0
        if table.count:
            best = table.entry(0)[1]
        else:
            centre(canvas, 50, b"NO ENTRY", FONT_3X5)
        self.kept = best if best and self.replays and self.replays.holds(self.at, best) else 0
        hint = b"B BACK" if self.find_next(1) == self.at else b"< > TABLE B BACK"
        if self.again or self.kept:
            hint = b"A RETRY  B MENU" if self.again else b"A WATCH  B BACK"
        from firmware.modes.listing import name_table

        self.draw_frame(canvas, name_table(choice), hint)

    def draw_place(self, canvas: "Canvas", record: "Record", table: "Table", place: int) -> None:
        """Draw initials and result, and below them in small letters further facts."""
        initials, result, lines, level = table.entry(place)
        y = _TOP + place * _PITCH
        canvas.text(1, y + 1, initials, FONT_5X7)
        line = write_result(record[b"result"], result)
        write(canvas, WIDTH - 1 - measure_result(line), y + 1, line)
        line = self.describe(record[b"below"], lines, level)
        x = WIDTH - 1 - text_width(line, FONT_3X5)
        if x > _RANK_RIGHT:
            canvas.text(1, y + 10, b"%d." % (place + 1), FONT_3X5)
        canvas.text(x, y + 10, line, FONT_3X5)
        if self.mine and self.mine[1] == self.at and self.mine[0] == place:
            canvas.invert(0, y, WIDTH, _PITCH - 1)

    def describe(self, below: bytes, lines: int, level: int) -> bytes:
        """Return the line below a result; `below`, from the mode's record, says what `lines` and `level` mean."""
        if below == b"lines level":
            line = b"%d LINES LV%d" % (lines, level)
            return line if len(line) <= _COLUMNS else b"%dLN LV%d" % (lines, level)
        if below == b"share":
            line = b"%d OF %d" % (level, lines)
            return line + b" RIGHT" if len(line) <= _COLUMNS - 6 else line
        # Imported late: most tables need neither module.
        if below == b"grade":
            from firmware.view.layouts.grades import name_grade

            return b"%d LINES " % lines + name_grade(level)
        if below == b"day":
            from firmware.modes.days import unpack_day, write_day

            return write_day(unpack_day(level))
        return b"LEVEL %d" % level if below == b"level" else b"LINES"
