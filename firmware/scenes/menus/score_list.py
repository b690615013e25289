"""List the tables of scores that have entries, with the best of each, and lead to the statistics."""

from firmware.compat import TYPE_CHECKING, const
from firmware.modes.listing import list_tables, name_table
from firmware.save.means import find_mean
from firmware.save.scores import open_table
from firmware.scenes.menu import Menu
from firmware.scenes.menus.scores_result import write_result
from firmware.scenes.mode_opening import find_shown
from firmware.view.art import FONT_3X5
from firmware.view.canvas import text_width

if TYPE_CHECKING:
    from firmware.contracts import Context

_WIDTH = const(57)  # of a name with its result, without the gap between them
STATISTICS = const(-1)  # in place of the number of a table


class Scene(Menu):
    """Lead to a table; the note has its whole name and result, for which a line may have no room.

    subject: the number of the table to begin with, STATISTICS, or None for the mode played last.
    """

    heading = b"SCORES"
    font = FONT_3X5
    pitch = 8
    rows = 11
    takes_long = True

    def __init__(self, context: "Context", subject: "int | None" = None) -> None:
        journal = context.journal
        tables = list_tables()
        if subject is None:
            subject = find_shown(context.settings, tables)
        self.tables: list[int] = []
        self.values: list[bytes] = []
        lines: list[bytes] = []
        notes: list[bytes] = []
        self.lines = lines
        self.notes = notes
        at = 0
        for number in range(len(tables)):
            choice = tables[number]
            table = open_table(journal, choice.kind)
            if not table.count:
                continue
            if number == subject:
                at = len(lines)
            kind = choice.record[b"result"]
            value = write_result(kind, table.entry(0)[1])
            name = name_table(choice)
            note = name + b"|" + table.entry(0)[0] + b" " + value
            mean = find_mean(journal, choice.kind, choice.record, False)
            notes.append(note + b"|MEAN " + write_result(kind, mean) if mean else note)
            name = name.replace(b"MIN", b"")
            lines.append(name)
            room = _WIDTH - text_width(name, FONT_3X5)
            if text_width(value, FONT_3X5) > room:
                value = value.split(b".")[0]
            self.values.append(value if text_width(value, FONT_3X5) <= room else b"")
            self.tables.append(number)
        lines.append(b"STATISTICS")
        notes.append(b"OF ALL GAMES" if self.tables else b"NO ENTRY YET:|FINISH A GAME")
        Menu.__init__(self, context, len(lines) - 1 if subject == STATISTICS else at)

    def value(self, at: int) -> bytes:
        """Return the best result of a line, if it has room."""
        return self.values[at] if at < len(self.values) else b""

    def pick(self, at: int) -> None:
        """Open a table, or the statistics."""
        if at < len(self.tables):
            self.context.go("menus.scores", (-1, self.tables[at]))
        else:
            self.context.go("menus.lifetime_statistics")
