"""Make what some boards have beyond the build guide: a ninth button, an amplifier."""

from firmware.compat import TYPE_CHECKING
from firmware.device.keys import Keys
from firmware.device.wiring import BUTTONS, NONE, PREFIX, WiringError

if TYPE_CHECKING:
    from firmware.contracts import Buzzer, Found

_I2S = ("I2S_BIT_CLOCK", "I2S_WORD_SELECT", "I2S_DATA")


def make_buttons(found: "Found") -> Keys:
    """Return the nine buttons."""
    from firmware.device.nine_keys import NineKeys

    return NineKeys([found[key] for key in BUTTONS] + [found["TARGET"]])


def make_amplifier(found: "Found") -> "Buzzer | None":
    """Switch an amplifier on; return one on I2S, or None; raise WiringError for pins of no I2S."""
    if found["BUZZER_ENABLE"] is not None:
        from digitalio import DigitalInOut

        DigitalInOut(found["BUZZER_ENABLE"]).switch_to_output(True)  # the pin stays high without the object
    pins = [found[key] for key in _I2S]
    if pins == [None] * len(_I2S):
        return None
    from firmware.device.i2s import Amplifier

    for i in range(len(_I2S)):
        if pins[i] is None:
            raise WiringError(PREFIX + _I2S[i] + " is " + NONE + ", allowed: a pin, because I2S has three")
    try:
        return Amplifier(*pins)
    except ValueError as problem:
        raise WiringError(PREFIX + " and ".join(_I2S[:2]) + ": " + str(problem)) from None
