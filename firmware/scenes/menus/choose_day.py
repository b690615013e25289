"""Choose the day of a daily game; begin with today if the date is known, else with the last chosen day."""

from firmware.compat import TYPE_CHECKING, const
from firmware.modes.catalogue import DAILY, find
from firmware.modes.days import FIRST_DAY, count_dates, count_since, is_day, join_day, pack_day, unpack_day, write_day
from firmware.save.scores import find_kind, open_table
from firmware.save.week import count_row, is_played, read
from firmware.scenes.menu import SAMPLE_ROWS, SAMPLE_Y, Menu
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import centre

if TYPE_CHECKING:
    from firmware.contracts import Context

_FIRST_YEAR = const(2000)
_YEARS = const(128)
_MONTHS = const(12)
_WEEK = const(7)
_SQUARE = const(7)
_SQUARE_PITCH = const(9)
_SQUARE_X = const(1)


class Scene(Menu):
    """Set year, month and day of the month, then play; after the last value comes the first."""

    heading = b"DAILY"
    records = (
        (b"PLAY", b"THE GAME OF|THIS DAY"),
        (b"YEAR", b"YEAR OF THE DAY|TO PLAY"),
        (b"MONTH", b"MONTH OF THE DAY|TO PLAY"),
        (b"DAY", b"DAY TO PLAY"),
    )
    rows = SAMPLE_ROWS

    def __init__(self, context: "Context", subject: object = None) -> None:
        day = context.device.machine.read_day()
        self.day = day if is_day(day) else unpack_day(context.settings.day)
        if not is_day(self.day):
            self.day = FIRST_DAY
        self.week = read(context.journal)
        Menu.__init__(self, context, subject)

    def value(self, at: int) -> bytes:
        return write_day(self.day).split(b"-")[at - 1] if at else b""

    def turn(self, at: int, step: int) -> bool:
        """Step by a year, a month or a day; a day beyond the end of the month becomes its last day."""
        year = self.day // 10000
        month = self.day // 100 % 100
        date = self.day % 100
        if at == 1:
            year = _FIRST_YEAR + (year - _FIRST_YEAR + step) % _YEARS
        elif at == 2:
            month = (month - 1 + step) % _MONTHS + 1
        elif at:
            date = (date - 1 + step) % count_dates(year, month) + 1
        self.day = join_day(year, month, min(date, count_dates(year, month)))
        return at > 0

    def pick(self, at: int) -> None:
        if at:
            self.turn(at, 1)
            return
        context = self.context
        context.settings.day = pack_day(self.day)
        context.begin_game()

    def draw_sample(self) -> None:
        """Draw the day with its result, the seven days up to it as squares, full if played, and the days in a row."""
        canvas = self.context.canvas
        table = open_table(self.context.journal, find_kind(find(DAILY), 0))
        place = table.find(pack_day(self.day))
        centre(canvas, SAMPLE_Y, write_day(self.day), FONT_5X7)
        best = b"%d POINTS" % table.entry(place)[1] if place >= 0 else b"NOT PLAYED YET"
        centre(canvas, SAMPLE_Y + 9, best, FONT_3X5)
        number = count_since(self.day)
        for i in range(_WEEK):
            x = _SQUARE_X + _SQUARE_PITCH * i
            canvas.fill(x, SAMPLE_Y + 17, _SQUARE, _SQUARE, 1)
            if not is_played(self.week, number - _WEEK + 1 + i):
                canvas.fill(x + 1, SAMPLE_Y + 18, _SQUARE - 2, _SQUARE - 2, 0)
        canvas.fill(x, SAMPLE_Y + 25, _SQUARE, 1, 1)  # below the chosen day
        centre(canvas, SAMPLE_Y + 28, b"%d-DAY STREAK" % count_row(self.week, number), FONT_3X5)
