"""Set slow play and one-switch play (firmware/modes/README.md, 13 and 14)."""

from firmware.option_table import list_menu
from firmware.scenes.choices import Choices
from firmware.scenes.menu import ROWS


class Scene(Choices):
    """Offer the speed of games and the switch; the switch works at once, on this page too."""

    heading = b"ACCESS"
    records = list_menu("access")
    rows = ROWS

    def set(self, name: str, value: int) -> None:
        """Set a field, and connect the switch when it is turned on."""
        Choices.set(self, name, value)
        if self.context.settings.one_switch:
            from firmware.one_switch import connect

            connect(self.context)
