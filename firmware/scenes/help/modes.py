"""Explain the modes that are not in the guideline (firmware/modes/README.md)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.modes.catalogue import read
from firmware.scenes.help.pages import Pages, draw_cells, draw_well

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context

_X = const(7)
_Y = const(71)


class Scene(Pages):
    """Show a page for each mode whose record has a help text."""

    def __init__(self, context: "Context", subject: object = None) -> None:
        records = [record for record in read() if b"help" in record]
        self.pages = tuple([record[b"help"] for record in records])
        self.pictures = [record.get(b"picture", b"") for record in records]
        Pages.__init__(self, context, subject)

    def draw_picture(self, canvas: "Canvas", at: int) -> None:
        if self.pictures[at]:
            draw_well(canvas, _X, _Y, 10, 8)
            draw_cells(canvas, _X, _Y, self.pictures[at])
