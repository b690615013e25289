"""Carry lines that were sent to a player of another handheld."""

from firmware.compat import TYPE_CHECKING
from firmware.match.flight import Flight

if TYPE_CHECKING:
    from firmware.link.linked import LinkedMatch


class FarFlight(Flight):
    """Carry lines to a remote player, and set that player's bit in `reached`. sent: all lines of this round."""

    def __init__(self, match: "LinkedMatch", number: int) -> None:
        Flight.__init__(self)
        self.contest = match
        self.bit = 1 << number
        self.sent = 0

    def send(self, due_ms: int, lines: int) -> None:
        """Add lines that arrive at `due_ms`."""
        self.contest.reached |= self.bit
        self.sent += lines
        Flight.send(self, due_ms, lines)
