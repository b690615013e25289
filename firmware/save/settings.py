"""Keep the player's settings (Guideline 2.5): rules, handling, sound, screen and buttons."""

from firmware.compat import TYPE_CHECKING
from firmware.engine import options
from firmware.engine.options import Options

if TYPE_CHECKING:
    from firmware.contracts import Blob, Buffer


class Settings(Options):
    """Hold the options of the next game and the handheld's settings; all start at their defaults.

    The fields of Options; only those that a player sets ever differ from their defaults.
    variant: the last one played, a number of firmware/modes/catalogue.py, with its `level` and `aim`.
    music_on, effects_on, music_volume, effects_volume: volumes are 1 to 5 (Guideline 2.5.5, 2.5.6).
    tune: 0 to 2, or 3 for a new one each time. motion_on: 0 turns off flashes and motion.
    large_cells: the layout for weak eyes. turned: the screen by 180 degrees.
    contrast: as of the display; 207 is the panel maker's value.
    dim_s, sleep_s: seconds without a button until the screen dims or sleeps; 0 for never.
    initials: the last ones entered, a number to the base of the allowed letters; the first counts least.
    buttons: for each control a mask of the buttons that press it together. 1 << 4 is one button, 3 << 4 the chord of A
    and B, 0 no button.
    fast_bus: the display at 1 MHz. ready: 1 once the first start has asked for every button.
    blocks: 0 with the patterns of their Tetriminos, 1 solid, 2 outlines.
    versus: the last match, as firmware/save/match_choices.py packs it.
    target_buttons: like one of `buttons`, for the control that moves the Target Mark.
    day: of the last daily game, as firmware/modes/days.py packs it.
    """

    variant: int
    music_on: int
    music_volume: int
    tune: int
    effects_on: int
    effects_volume: int
    motion_on: int
    large_cells: int
    turned: int
    contrast: int
    dim_s: int
    sleep_s: int
    initials: int
    fast_bus: int
    ready: int
    blocks: int
    versus: int
    target_buttons: int
    day: int

    def __init__(self) -> None:
        self.buttons = bytearray(8)
        self.reset()

    def reset(self) -> None:
        """Set everything to its default."""
        from firmware.save import settings_fields

        settings_fields.reset(self)

    def apply(self, chosen: Options) -> None:
        """Copy the engine's settings into the options of a game."""
        for name, _least, _most, _default in options.FIELDS:
            setattr(chosen, name, getattr(self, name))

    def pack(self, buffer: "Buffer") -> int:
        """Write the record to `buffer`; return its length, at most 72 bytes."""
        from firmware.save import settings_fields

        return settings_fields.pack(self, buffer)

    def restore(self, buffer: "Blob") -> None:
        """Read the settings from a record in `buffer`; an empty one gives the defaults."""
        from firmware.save import settings_fields

        settings_fields.restore(self, buffer)
