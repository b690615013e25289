"""Prepare the USB side of the handheld; CircuitPython runs this once, before code.py.

The drive stays visible and writable from the PC, as CircuitPython leaves it, so the handheld
can always be repaired by copying files. The game itself writes no file: it keeps its bytes
in the microcontroller's non-volatile memory.
"""

import supervisor

supervisor.set_usb_identification("Skyline", "Skyline handheld")
