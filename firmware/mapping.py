"""Turn buttons into the controls of a match: those of a game and the Target Mark (Guideline B1.1.2)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.device.chords import Chords, HalfTurns
from firmware.device.edges import EdgeQueue

if TYPE_CHECKING:
    from firmware.contracts import Buttons, Context, Mapping

EIGHT_BUTTONS = const(255)  # as a Device's `wired`; a larger mask has a ninth one

_CHORDED_EDGES = const(12)  # button edges make at most 2 * 12 + 8 control edges, which an EdgeQueue holds


class FurtherButtons:
    """Read a further player's buttons; the Target Mark uses the first player's chord."""

    def __init__(self, buttons: "Buttons", context: "Context", marked: bool, turns: bool) -> None:
        self.buttons = buttons
        self.mapping = map_match(context, marked, turns)
        self.clock = context.device.clock
        self.edges = EdgeQueue(_CHORDED_EDGES)

    def poll(self, sink: EdgeQueue) -> None:
        """Append the edges of controls since the last call."""
        self.edges.clear()
        self.buttons.poll(self.edges)
        queue = self.mapping.translate(self.edges, self.clock.ticks_ms())
        for i in range(queue.count):
            sink.append(queue.button[i], queue.pressed[i], queue.t_ms[i])


def map_match(context: "Context", marked: bool, turns: bool = False) -> "Mapping":
    """Return the mapping from buttons to the controls of a match.

    marked: also to that of the Target Mark.  turns: its buttons turn by 180 degrees instead, as MODERN rules allow.
    """
    settings = context.settings
    if not marked and not turns:
        return Chords(settings.buttons)
    buttons = settings.buttons + bytes((settings.target_buttons,))
    if marked:
        return Chords(buttons)
    return HalfTurns(buttons)
