"""Make the buttons right after the first picture: presses count from now on, also one that is already down."""

from firmware.compat import TYPE_CHECKING
from firmware.device.keys import Keys
from firmware.device.wiring import BUTTONS

if TYPE_CHECKING:
    from firmware.contracts import Parts


def add(parts: "Parts") -> None:
    """Add the buttons to `parts`."""
    found = parts["found"]
    if found["TARGET"] is None:
        parts["buttons"] = Keys([found[key] for key in BUTTONS])
    else:
        from firmware.device import special

        parts["buttons"] = special.make_buttons(found)
