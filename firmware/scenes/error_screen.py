"""Show an error as text, and save it; this module works without an App and has no Scene."""

from firmware.compat import TYPE_CHECKING, const
from firmware.save.journal import REPORT, Journal
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, centre, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.contracts import BackupBank, Sheet, Store

_ROWS = const(16)
_TOP = const(14)
_PITCH = const(7)
_LONGEST = const(160)


def fits(line: str) -> bool:
    return text_width(line.upper().encode(), FONT_3X5) <= WIDTH


def wrap(text: str) -> list[str]:
    """Break a text into lines no wider than the screen; break only words that are wider."""
    lines = []
    for part in text.split("\n"):
        line = ""
        for word in part.split(" "):
            if line and fits(line + " " + word):
                line += " " + word
                continue
            if line:
                lines.append(line)
            while not fits(word):
                cut = 1
                while fits(word[: cut + 1]):
                    cut += 1
                lines.append(word[:cut])
                word = word[cut:]
            line = word
        lines.append(line)
    return lines


def tell(display: "Sheet | None", heading: bytes, text: str) -> None:
    """Show a heading and a text on a display, if there is one; cut lines that do not fit."""
    if display is None:
        return
    canvas = display.canvas
    canvas.clear()
    centre(canvas, 2, heading, FONT_5X7)
    canvas.fill(0, 10, WIDTH, 1, 1)
    y = _TOP
    for line in wrap(text)[:_ROWS]:
        canvas.text(0, y, line.upper().encode(), FONT_3X5)
        y += _PITCH
    display.show()


def note(store: "Sequence[Store]", text: str, backup: "BackupBank | None" = None) -> bool:
    """Save a text in the journal as the newest report; return whether it is saved."""
    journal = Journal(list(store), backup)
    words = text.encode()[:_LONGEST]
    journal.payload[: len(words)] = words
    return journal.save(REPORT, len(words))
