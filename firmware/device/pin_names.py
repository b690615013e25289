"""Name the buttons' pins for the test of the buttons; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.device.wiring import BUTTONS, KEYS
from firmware.device.wiring_reading import look_up

if TYPE_CHECKING:
    from firmware.contracts import GetEnv


def list_pins(getenv: "GetEnv") -> "list[bytes]":
    """Return what is written beside each of nine buttons: GP2 or KEY12, A for SW_A; `getenv` knows the profile."""
    names = []
    for key, default, _allowed in KEYS:
        if key in BUTTONS or key == "TARGET":
            name = str(look_up(getenv, key)[1] or default).upper()
            for maker in ("BUTTON_", "SW_"):
                name = name.replace(maker, "")
            names.append(name.replace("_", " ").encode())
    return names
