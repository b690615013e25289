"""Choose extra rules that newer games have (firmware/modes/README.md, 5)."""

from firmware.scenes.settings_menu import SettingsMenu


class Scene(SettingsMenu):
    """Set the bits of the option `modern`, one in each line."""

    heading = b"EXTRAS"
    records = (
        (b"COMBOS", b"COMBO, ALL-CLEAR|EARN POINTS.|NO SCORE TABLE"),
        (b"180", b"HALF TURN BY THE|BUTTONS OF|TARGET"),
        (b"SPINS", b"ALL-SPINS: ANY|PIECE SPUN IN.|NO SCORE TABLE"),
    )
    parent = "options.game_rules"

    def value(self, at: int) -> bytes:
        """Return ON or OFF for a rule."""
        return b"ON" if self.context.settings.modern >> at & 1 else b"OFF"

    def turn(self, at: int, step: int) -> bool:
        """Turn a rule on or off, and apply it to the buttons."""
        self.context.settings.modern ^= 1 << at
        self.context.apply_settings()
        return True
