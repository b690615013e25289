"""Explain the rules of the modes that the guideline lacks (firmware/modes/README.md)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.scenes.help_pages import Pages, draw_cells, draw_well

if TYPE_CHECKING:
    from firmware.contracts import Canvas

_X = const(7)
_Y = const(71)


class Scene(Pages):
    """Tell it page by page: one for each variant, then what takes back and trains."""

    pages: tuple[bytes, ...] = (
        b"DIG|CLEAR THE ROWS|OF GARBAGE BELOW|IN THE SHORTEST|TIME. OF 100 TEN|ARE SEEN, MORE|RISE AS THEY GO.",
        b"SURVIVE|GARBAGE RISES BY|THE CLOCK AFTER|EACH LOCK DOWN.|AFTER TEN ROWS|IT IS FASTER.|LIVE LONG.",
        b"MASTER|A GRADE FOR TEN|LINES: 9 TO 1,|S1 TO S9. FROM|M1 ON THEY ARE|ON THE FLOOR AT|ONCE. M9 IS LAST",
        b"DAILY|A HUNDRED|TETRIMINOS FOR|POINTS, THE SAME|FOR EVERYBODY|ON THE SAME DAY.",
        b"ZEN|NO END, NO HURRY|START WITH HOLD|TAKES ONE BACK,|< AND > MORE AND|LESS. LET GO OF|HOLD TO PLAY ON.",
        b"FINESSE|PUT EACH INTO|ITS PLACE BY THE|FEWEST PRESSES.|< TAPS, << HOLDS|TO THE WALL,|A AND B TURN.",
        b"PRACTISE|THE PAUSE LEADS|THERE, AND HOLD|IN THE LAST GAME|START: AGAIN.|THEN DOWN ASKS|FOR HINTS.",
        b"PUZZLES|IN LEARN. START|BEGINS IT ANEW.|HOLD START FOR|MORE. ONLY HARD|DROP LOCKS DOWN.",
    )
    pictures: tuple[bytes, ...] = (
        b"..........|......TTT.|####.##T##|##.#######|#######.##|.#########|#####.####|#.########",
        b"..........|..S.......|JSS.......|JSL..ZZ...|####.#####|####.#####|####.#####|#######.##",
        b"..........|..........|..........|..........|....ttt...|OO...t.LLL|OOSS...LII|ZZOSS.JJII",
        b"",
        b"..........|..........|..OO......|..OO......|..........|..........|..ZZ....JJ|S..ZZ.TTTJ",
        b"..........|....t.....|...ttt....|..........|..........|..........|.......*..|......***.",
        b"..........|.....jjj..|.......j..|..........|..........|OO......II|OOS.***SSI|ZZSSLL*SSI",
        b"..........|....SS....|...SS.....|..........|##..######|#......###|##....####|####.#####",
    )
    parent_at = 5

    def draw_picture(self, canvas: "Canvas", at: int) -> None:
        """Draw the Matrix as it may be."""
        if self.pictures[at]:
            draw_well(canvas, _X, _Y, 10, 8)
            draw_cells(canvas, _X, _Y, self.pictures[at])
