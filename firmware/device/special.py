"""Make what some boards have beyond the build guide: a ninth button, an amplifier."""

from firmware.compat import TYPE_CHECKING
from firmware.device.claims import claim
from firmware.device.keys import Keys
from firmware.device.wiring import BUTTONS

if TYPE_CHECKING:
    from microcontroller import Pin

    from firmware.contracts import Buzzer, Found

_I2S = "I2S_BIT_CLOCK I2S_WORD_SELECT I2S_DATA"


def make_buttons(found: "Found") -> Keys:
    from firmware.device.nine_keys import NineKeys

    return NineKeys([found[key] for key in BUTTONS + ("TARGET",)])


def make_amplifier(found: "Found") -> "Buzzer | None":
    """Switch an amplifier on; return one on I2S, or None; raise WiringError for pins of no I2S."""
    enable = found["BUZZER_ENABLE"]
    if enable:
        claim(found, "BUZZER_ENABLE", switch_on, enable)
    pins = [found[key] for key in _I2S.split()]
    return claim(found, _I2S, connect, pins) if any(pins) else None


def switch_on(pin: "Pin") -> None:
    """Set a pin high; it stays so without the object."""
    from digitalio import DigitalInOut

    DigitalInOut(pin).switch_to_output(True)


def connect(pins: "list[Pin | None]") -> "Buzzer":
    """Return the amplifier on three pins; raise ValueError if one is missing or they do not belong together."""
    if None in pins:
        raise ValueError
    from firmware.device.i2s import Amplifier

    return Amplifier(*pins)  # type: ignore[arg-type]
