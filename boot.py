"""Prepare the USB side of the handheld; CircuitPython runs this once, before code.py.

The drive stays visible and writable from the PC, so the handheld can always be repaired by
copying files. Whoever holds B at power-on gives it to the game instead: the PC can then only
read it, and the report of a crash is left there as a file, as is a copy of what is saved while the
microcontroller's non-volatile memory, where the game keeps its bytes, is erased. Where settings.toml asks for it
USB gets a second serial port, which carries matches and nothing else. What is printed here is found in boot_out.txt.
"""

import supervisor

supervisor.set_usb_identification("Skyline", "Skyline handheld")
# A run that fails is followed by another at once: in its empty heap code.py tells what went wrong.
supervisor.set_next_code_file("code.py", sticky_on_error=True, sticky_on_reload=True, reload_on_error=True)

try:
    from firmware.device.boot import drive

    if drive.settle():
        print("Skyline: B held: the game owns the drive.")
except Exception as e:  # whatever it is, the drive must stay reachable
    print("Skyline: the PC has the drive:", e)
