"""Keep the player's settings (Guideline 2.5): rules, handling, sound, screen and buttons."""

from firmware.compat import TYPE_CHECKING
from firmware.engine import options
from firmware.engine.options import Options

if TYPE_CHECKING:
    from firmware.contracts import Blob, Buffer


class Settings(Options):
    """Hold the options of the next game and the handheld's settings; all start at their defaults.

    buttons: for each control a mask of its button, or of the two buttons of its chord. 1 << 4 is one button, 3 << 4 the
    chord of A and B, 0 no button.
    """

    buttons: bytearray

    def __init__(self) -> None:
        self.buttons = bytearray(8)
        self.reset()

    def reset(self) -> None:
        from firmware.save import settings_fields

        settings_fields.reset(self)

    def apply(self, chosen: Options) -> None:
        """Copy the engine's settings into the options of a game."""
        for name in options.NAMES:
            setattr(chosen, name, getattr(self, name))

    def pack(self, buffer: "Buffer") -> int:
        """Write the record to `buffer`; return its length, at most MOST_BYTES of settings_fields.py."""
        from firmware.save import settings_fields

        return settings_fields.pack(self, buffer)

    def restore(self, buffer: "Blob") -> None:
        """Read the settings from a record in `buffer`; an empty one gives the defaults."""
        from firmware.save import settings_fields

        settings_fields.restore(self, buffer)
