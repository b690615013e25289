"""Score a Lock Down (Guideline 8, 6.1)."""

from firmware.compat import const
from firmware.engine import events
from firmware.engine.manipulation import FULL_SPIN, MINI_SPIN

_COLUMNS = const(5)

# For 0 to 4 lines: hundreds of points at level 1, equal to the lines of the Variable Goal System. The guideline has no
# Mini T-Spin Double, but rotation points 2 to 4 can make one. We award 400 points, as later guidelines do.
_AWARDS = (
    b"\x00\x01\x03\x05\x08"  # no spin: nothing, Single, Double, Triple, Tetris
    b"\x01\x02\x04\x05\x08"  # Mini T-Spin
    b"\x04\x08\x0c\x10\x10"  # T-Spin
)


def award(spun: int, lines: int) -> int:
    """Return the hundreds of points at level 1 for a spin and its lines, without Back-to-Back (Guideline 8)."""
    return _AWARDS[spun * _COLUMNS + (lines if lines < 4 else 4)]


def qualifies(spun: int, lines: int) -> bool:
    """Return whether a Lock Down can be Back-to-Back: a Tetris, or a spin with lines (Guideline 8)."""
    return lines >= 4 or lines > 0 and spun > 0


def follow_chain(spun: int, lines: int, chain: int) -> int:
    """Return the length of the Back-to-Back sequence after this Lock Down (Guideline 8.1).

    Only a Single, Double or Triple breaks it; no lines, a spin without lines or a Hold do not.
    """
    if qualifies(spun, lines):
        return chain + 1
    return 0 if lines else chain


def name(spun: int, lines: int, chain: int) -> int:
    """Return the event bits of a Lock Down by spin, lines and the Back-to-Back sequence before it, `chain`."""
    bits = 0
    if lines:
        bits = events.SINGLE << (lines if lines < 4 else 4) - 1
        if chain and qualifies(spun, lines):
            bits |= events.BACK_TO_BACK
    if spun == FULL_SPIN:
        bits |= events.T_SPIN
    elif spun == MINI_SPIN:
        bits |= events.MINI_T_SPIN
    return bits
