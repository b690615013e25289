"""Make the buttons right after the first picture: presses count from now on.

The scanner reports no button that is already down. So a press held over a restart is not doubled in the next scene.
"""

from firmware.compat import TYPE_CHECKING
from firmware.device.claims import claim
from firmware.device.keys import Keys
from firmware.device.wiring import BUTTONS

if TYPE_CHECKING:
    from firmware.contracts import Parts

_KEYS = " ".join(BUTTONS) + " TARGET"


def add(parts: "Parts") -> None:
    """Add the buttons to `parts`; raise WiringError for a pin that the board itself uses."""
    found = parts["found"]
    if found["TARGET"] is None:
        parts["buttons"] = claim(found, _KEYS, Keys, [found[key] for key in BUTTONS])
    else:
        from firmware.device import special

        parts["buttons"] = claim(found, _KEYS, special.make_buttons, found)
