"""Name the buttons' pins for the test of the buttons; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.device.wiring import BUTTONS, KEYS

if TYPE_CHECKING:
    from firmware.contracts import Written


def list_pins(written: "Written") -> "list[bytes]":
    """Return what is written beside each of nine buttons: GP2 or KEY12, A for SW_A; `written` includes the profile."""
    names = []
    for key, default, _allowed in KEYS:
        if key in BUTTONS or key == "TARGET":
            name = str(written.get(key, (key, default))[1]).upper()
            for maker in ("BUTTON_", "SW_"):
                name = name.replace(maker, "")
            names.append(name.replace("_", " ").encode())
    return names
