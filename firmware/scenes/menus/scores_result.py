"""Write the result of a game: points, lines or a time."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_3X5, FONT_3X7, FONT_5X7
from firmware.view.canvas import WIDTH, text_width

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Settings
    from firmware.modes.listing import Choice

_LONGEST_MS = const(5_999_990)
_LONGEST = const(7)  # characters of a result in wide digits; times never have more


def name_table(choice: "Choice") -> bytes:
    """Return the heading of a table: the name and value of its line in the menu."""
    return choice.name + b" " + choice.word.replace(b" ", b"") if choice.word else choice.name


def find_shown(settings: "Settings", tables: "list[Choice]") -> int:
    """Return the number of the table of the mode played last; 0 without one."""
    # Imported late: rarely needed after a game.
    from firmware.modes.catalogue import find
    from firmware.modes.classes import choose_options, find_class
    from firmware.save.scores import find_kind

    record = find(settings.variant)
    options = choose_options(settings, record)
    kind = find_kind(record, options.aim, find_class(options, record)) or find_kind(record, options.aim)
    return [choice.kind for choice in tables].index(kind) if kind else 0


def write_result(kind: bytes, result: int) -> bytes:
    """Return a result as text: a time in ms as m:ss.hh or mm:ss.t; `kind` is a `result` of modes.txt."""
    if b"time" not in kind:
        return b"%d" % result
    hundredths = min(result, _LONGEST_MS) // 10
    line = b"%d:%02d.%02d" % (hundredths // 6000, hundredths // 100 % 60, hundredths % 100)
    return line if hundredths < 60_000 else line[:-1]


def draw_result(canvas: "Canvas", y: int, kind: bytes, result: int) -> None:
    """Write a result with its unit in the middle of the screen; shorten the unit of a long result."""
    line = write_result(kind, result)
    unit = b"" if b"time" in kind else b" " + kind.split()[0].upper()
    width = measure_result(line)
    if width + text_width(unit, FONT_3X5) > WIDTH:
        unit = b" PTS"
    x = WIDTH - width - text_width(unit, FONT_3X5) >> 1
    write(canvas, x, y, line)
    canvas.text(x + width, y + 2, unit, FONT_3X5)


def measure_result(line: bytes) -> int:
    """Return the width of a result in pixels."""
    return text_width(line, FONT_3X7 if len(line) > _LONGEST else FONT_5X7)


def write(canvas: "Canvas", x: int, y: int, line: bytes) -> None:
    """Write a result, in narrow digits if it is long."""
    if len(line) > _LONGEST:
        canvas.number(x, y, int(line), -1, len(line), FONT_3X7, False)
    else:
        canvas.text(x, y, line, FONT_5X7)
