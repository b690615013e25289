"""Count the lines that an action sends (Guideline B1.3.5)."""

from firmware.compat import const

_COLUMNS = const(5)

# For 0 to 4 lines. The guideline has no Mini T-Spin Double, but rotation points 2 to 4 can make one. It sends as many
# lines as a Double.
_SENT = (
    b"\x00\x00\x01\x02\x04"  # no spin: nothing, Single, Double, Triple, Tetris
    b"\x00\x00\x01\x02\x04"  # Mini T-Spin
    b"\x00\x02\x04\x06\x06"  # T-Spin
)


def count_lines(spun: int, lines: int, back_to_back: int) -> int:
    """Return the lines that a Lock Down sends if the Receiving Queue is empty (Guideline B1.3.5, B1.3.6).

    A Back-to-Back sends one more, unless the action alone sends nothing.
    """
    sent = _SENT[spun * _COLUMNS + lines]
    return sent + 1 if sent and back_to_back else sent
