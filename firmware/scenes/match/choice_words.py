"""Name the values of a match's choices, from TEAMS on, in the order of save/match_choices.py."""

from firmware.compat import TYPE_CHECKING
from firmware.save.match_choices import TEAMS

if TYPE_CHECKING:
    from firmware.contracts import Blob

# A line for each choice, a word for each value.
_WORDS = b"""\
NO|TWO|ALONE
ALL|ONE|MARK
1|2|3|5
0|1|2|3|4|5|6|7|8|9|10
BROKEN|SOLID
BROKEN|SOLID
NO|15|30|60
NO|/2|X2
NO|40|100|200"""


def write_choice(choices: "Blob", place: int) -> bytes:
    """Return the word for a choice's value."""
    return _WORDS.split(b"\n")[place - TEAMS].split(b"|")[choices[place]]
