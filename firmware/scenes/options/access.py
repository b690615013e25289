"""Set slow play and one-switch play (firmware/modes/README.md, 13 and 14)."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.option_table import list_menu
from firmware.scenes.choices import Choices
from firmware.scenes.menu import ROWS, Menu

if TYPE_CHECKING:
    from firmware.contracts import Canvas, EdgeQueue

_TRY_MS = const(8000)


class Scene(Choices):
    """Offer the speed of games, and the switch, which works as soon as the player leaves this page.

    The button that turns the switch on must be pressed again within eight seconds; else the switch is off again.
    taking: whether it waits for this press. tried: the button. left: the seconds that are shown.
    """

    heading = b"EASIER"
    records = list_menu("easier")
    rows = ROWS
    taking = False
    tried = left = end_ms = 0

    def press(self, button: int) -> None:
        """Handle a press; if it turns the switch on, wait for another one."""
        if self.taking:
            self.end(button == self.tried)
            return
        was_on = self.context.settings.one_switch
        Choices.press(self, button)
        if not was_on and self.context.settings.one_switch:
            self.taking = True
            self.tried = button
            self.end_ms = ticks_add(self.now_ms, _TRY_MS)
            self.button = -1  # a held direction is no second press

    def end(self, kept: bool) -> None:
        """Keep the switch, or turn it off."""
        self.taking = False
        if not kept:
            self.set("one_switch", 0)
        self.touched = True
        self.last_ms = self.now_ms
        self.fresh = True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle presses; turn the switch off if the second one is missing."""
        Choices.update(self, edges, now_ms)
        if not self.taking:
            return
        left = (ticks_diff(self.end_ms, now_ms) + 999) // 1000
        if left <= 0:
            self.end(False)
        elif left != self.left:
            self.left = left
            self.fresh = True

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Describe the line, or ask for the second press."""
        if self.taking:
            note = b"PRESS AGAIN TO|KEEP IT. IT GOES|BACK IN %d S" % self.left
            Menu.draw_note(self, canvas, note)
        else:
            Choices.draw_note(self, canvas, note)

    def save(self) -> None:
        """Save the settings, but no switch that may go back."""
        if not self.taking:
            Choices.save(self)

    def back(self) -> None:
        """Leave, and connect the switch if it is on."""
        Choices.back(self)
        if self.context.settings.one_switch:
            from firmware.one_switch import connect

            connect(self.context)
