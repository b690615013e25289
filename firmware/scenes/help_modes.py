"""Tell the rules of the variants that came after the guideline (firmware/modes/README.md)."""

from firmware.compat import const
from firmware.scenes.help_pages import Pages, draw_cells, draw_well

_X = const(7)
_Y = const(71)


class Scene(Pages):
    """Tell it page by page: one for each variant, in the order in which they are chosen."""

    pages: tuple = (
        b"DIG|CLEAR THE ROWS|OF GARBAGE BELOW|IN THE SHORTEST|TIME. OF 100 TEN|ARE SEEN, MORE|RISE AS THEY GO.",
        b"SURVIVE|GARBAGE RISES BY|THE CLOCK AFTER|EACH LOCK DOWN.|AFTER TEN ROWS|IT IS FASTER.|LIVE LONG.",
        b"MASTER|A GRADE FOR TEN|LINES: 9 TO 1,|S1 TO S9. FROM|M1 ON THEY ARE|ON THE FLOOR AT|ONCE. M9 IS LAST",
        b"DAILY|A HUNDRED|TETRIMINOS FOR|POINTS, THE SAME|FOR EVERYBODY|ON THE SAME DAY.",
    )
    pictures: tuple = (
        b"..........|......TTT.|####.##T##|##.#######|#######.##|.#########|#####.####|#.########",
        b"..........|..S.......|JSS.......|JSL..ZZ...|####.#####|####.#####|####.#####|#######.##",
        b"..........|..........|..........|..........|....ttt...|OO...t.LLL|OOSS...LII|ZZOSS.JJII",
        b"",
    )
    parent_at = 5

    def draw_picture(self, canvas, at: int) -> None:
        """Draw the Matrix as it may be."""
        if self.pictures[at]:
            draw_well(canvas, _X, _Y, 10, 8)
            draw_cells(canvas, _X, _Y, self.pictures[at])
