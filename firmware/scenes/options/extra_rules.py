"""Choose extra rules that newer games have (firmware/modes/README.md, 5, 19, 20 and 23)."""

from firmware.compat import const
from firmware.option_table import list_menu
from firmware.scenes.choices import Choices
from firmware.scenes.menu import ROWS

_BITS = const(2)  # lines that each set a bit of the option `modern`


class Scene(Choices):
    """Set the bits of the option `modern`, one in each of the first lines, then spins, rotation system and dealer."""

    heading = b"EXTRAS"
    records = (
        (b"COMBOS", b"COMBO, ALL-CLEAR|EARN POINTS.|NO SCORE TABLE"),
        (b"180", b"HALF TURN BY THE|BUTTONS OF|TARGET"),
    ) + list_menu("extras")
    parent = "options.game_rules"
    rows = ROWS

    def value(self, at: int) -> bytes:
        """Return ON or OFF for a bit, else the value of the option."""
        if at >= _BITS:
            return Choices.value(self, at)
        return b"ON" if self.context.settings.modern >> at & 1 else b"OFF"

    def turn(self, at: int, step: int) -> bool:
        """Turn a bit on or off, or set an option, and apply it to the buttons."""
        if at >= _BITS:
            return Choices.turn(self, at, step)
        self.context.settings.modern ^= 1 << at
        self.context.apply_settings()
        return True
