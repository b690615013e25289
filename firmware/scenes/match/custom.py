"""Set the rules of a CUSTOM match, one by one (firmware/modes/README.md, 18.9)."""

from firmware.compat import TYPE_CHECKING
from firmware.match.options import CUSTOM
from firmware.save import match_choices
from firmware.scenes.match.rules import Scene as Rules

if TYPE_CHECKING:
    from firmware.contracts import Any

_NOTES = (
    b"CLEARS IN A ROW|ADD NO LINES/0, 1, 1, 2, 2, 3,|3, 4, 4, 4, THEN|ALWAYS 5/0, 1, 1, 2, 2, 2,|SIX TIMES 3,|THEN 4",
    b"1 LINE MORE, NOT|FOR A MINI/1 LINE MORE/1, 1, 5 TIMES 2,|THEN ALWAYS 3/BACK-TO-BACK|ADDS NO LINE",
    b"AN ALL-CLEAR|ADDS NO LINES/AN ALL-CLEAR|ADDS 5 LINES/AN ALL-CLEAR|ADDS 10 LINES",
    b"A T IN CORNERS,|AS THE GUIDELINE|SAYS/A T THAT CANNOT|MOVE/T, AND OTHERS AS|A MINI",
    b"NO HALF TURNS/HALF TURNS BY|THE BUTTONS OF|TARGET",
    b"ALL LINES RISE|AT ONCE/AT MOST 4 LINES|RISE AT ONCE/AT MOST 8 LINES|RISE AT ONCE",
    b"THE HOLE MOVES|AFTER 8 LINES/THE HOLE MOVES|AFTER EACH RISE/THE HOLE MOVES|AFTER EACH LINE",
    b"LINES RISE AFTER|ANY LOCK DOWN/A LINE CLEAR|HOLDS THEM BACK",
)


class Scene(Rules):
    """Offer the rules of CUSTOM, which any change here chooses."""

    heading = b"CUSTOM"
    records: "tuple[tuple[Any, ...], ...]" = tuple(zip(match_choices.OWN_LINES.split(b"|"), _NOTES))
    parent = "match.rules"

    def turn(self, at: int, step: int) -> bool:
        """Choose CUSTOM, and set the value before or after the current one."""
        self.choices[match_choices.RULES] = CUSTOM
        return Rules.turn(self, at, step)

    def find_place(self, at: int) -> int:
        """Return the place in save/match_choices.py of the choice of a line."""
        return match_choices.OWN + at
