"""Offer the delays of a game: from a Lock Down to the next Tetrimino, and of a Line Clear (README.md, 16)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.players.levels import STRONGEST

if TYPE_CHECKING:
    from firmware.contracts import Any, Blob

OTHER = const(-1)  # neither of those offered: a line of rules brought them
GUIDELINE = const(0)
SHORT = const(1)
NONE = const(2)
NAMES = (b"GUIDE", b"SHORT", b"NONE", b"OTHER")

_ENTRY_MS = (200, 100, 0)
_CLEAR_MS = (300, 150, 0)


def find_delays(owner: "Any") -> int:
    """Return which delays the options `owner` has: GUIDELINE, SHORT, NONE or OTHER."""
    for delays in range(NONE + 1):
        if owner.generation_ms == _ENTRY_MS[delays] and owner.animate_ms == _CLEAR_MS[delays]:
            return delays
    return OTHER


def set_delays(owner: "Any", delays: int) -> None:
    """Set the delays of the options `owner` to GUIDELINE, SHORT or NONE."""
    owner.generation_ms = _ENTRY_MS[delays]
    owner.animate_ms = _CLEAR_MS[delays]


def limit_delays(owner: "Any", levels: "Blob") -> None:
    """Shorten the delays of the options `owner` to those that the computers of a match with these levels need."""
    if STRONGEST in levels:  # 3.5 pieces a second leave no time for the guideline's
        owner.generation_ms = min(owner.generation_ms, _ENTRY_MS[SHORT])
        owner.animate_ms = min(owner.animate_ms, _CLEAR_MS[SHORT])


def write_delays(owner: "Any") -> bytes:
    """Return the delays of the options `owner` as a line, or b"" for the guideline's."""
    delays = find_delays(owner)
    if delays == GUIDELINE:
        return b""
    if delays == OTHER:
        return b"DELAYS %d+%d" % (owner.generation_ms, owner.animate_ms)
    return b"DELAYS " + NAMES[delays]
