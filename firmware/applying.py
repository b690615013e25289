"""Apply the settings to the parts of a handheld; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import HARD_DROP
from firmware.engine.extra_rules import ALL
from firmware.engine.options import ALL_SPINS, HALF_TURNS
from firmware.mapping import EIGHT_BUTTONS
from firmware.router import load
from firmware.save.journal import SETTINGS
from firmware.save.settings_fields import pack

if TYPE_CHECKING:
    from firmware.contracts import Device, Journal, Mapping, Session, Settings, Voice

_USUAL = b"\x01\x02\x04\x08\x10\x20\x40\x80"  # the buttons of the controls, by default
_USUAL_TARGET = const(0xC0)


def save(settings: "Settings", journal: "Journal") -> None:
    """Save the settings unless the journal has the same: each save brings the next wear of the memory nearer."""
    if not journal.failed:
        saved = bytes(journal.read(SETTINGS))
        length = pack(settings, journal.payload)
        if journal.payload[:length] != saved:
            journal.save(SETTINGS, length)


def apply(settings: "Settings", device: "Device", voice: "Voice", session: "Session") -> "Mapping | None":
    """Set screen, voice and bus; return the mapping from buttons to controls, or None for the default buttons."""
    if settings.modern & ALL_SPINS:  # of an older version
        settings.modern ^= ALL_SPINS
        settings.spins = ALL
    display = device.display
    display.contrast(settings.contrast)
    display.turn(settings.turned)
    display.canvas.blocks = settings.blocks
    voice.set_volumes(
        settings.music_volume if settings.music_on else 0, settings.effects_volume if settings.effects_on else 0
    )
    if device.bus is not None:
        device.bus.hurry(settings.fast_bus)
    if settings.buttons != _USUAL or settings.target_buttons != _USUAL_TARGET or ~device.wired & EIGHT_BUTTONS:
        # Imported late, like the mappings below: most players keep the default buttons.
        from firmware.save.buttons import fit

        fit(settings, device.wired)
    buttons = getattr(device.buttons, "buttons", device.buttons)  # a switch has them
    if hasattr(buttons, "drops"):
        buttons.drops = settings.buttons[HARD_DROP]
    return map_buttons(settings, device.wired, session)


def map_buttons(settings: "Settings", wired: int, session: "Session") -> "Mapping | None":
    """Return the mapping from buttons to controls, or None for the default buttons."""
    if settings.one_switch:
        return None  # the switch gives controls
    if settings.by_ear > 1:
        return load("firmware.listening").connect(settings)
    if wired > EIGHT_BUTTONS:
        from firmware.nine_buttons import NineButtons

        return NineButtons(settings, session)
    if settings.modern & HALF_TURNS:
        from firmware.device.chords import HalfTurns

        return HalfTurns(settings.buttons + bytes((settings.target_buttons,)))
    if settings.buttons != _USUAL:
        from firmware.device.chords import Chords

        return Chords(settings.buttons)
    return None
