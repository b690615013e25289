"""Set slow play and one-switch play (firmware/modes/README.md, 13 and 14)."""

from firmware.option_table import list_menu
from firmware.scenes.choices import Choices
from firmware.scenes.menu import ROWS


class Scene(Choices):
    """Offer the speed of games, and the switch, which works as soon as the player leaves this page."""

    heading = b"ACCESS"
    records = list_menu("access")
    rows = ROWS

    def back(self) -> None:
        """Leave, and connect the switch if it is on."""
        Choices.back(self)
        if self.context.settings.one_switch:
            from firmware.one_switch import connect

            connect(self.context)
