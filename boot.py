"""Prepare the USB side of the handheld; CircuitPython runs this once, before code.py.

The PC can write to the drive, so copying files always repairs the handheld. Hold B at power-on to give the drive to
the game instead. The PC can then only read it. The game writes recordings and crash reports there, and a copy of the
save while the microcontroller's non-volatile memory is erased. A power cut during such a write can damage the drive.
USB gets a second serial port for matches if settings.toml asks for it.

CircuitPython writes what is printed here into boot_out.txt, whenever it differs from the last start. So nothing is
printed that depends on B: that write is no safer than the game's.
"""

try:
    import supervisor
except ImportError:  # tools.deploy takes this out
    raise SystemExit(
        "boot.py is for CircuitPython, which runs it by itself: python3 -m tools.setup sim opens a window"
    ) from None

supervisor.set_usb_identification("Skyline", "Skyline handheld")
# After a failed run CircuitPython restarts code.py at once, which shows the error from an empty heap.
supervisor.set_next_code_file("code.py", sticky_on_error=True, sticky_on_reload=True, reload_on_error=True)

try:
    from firmware.device.boot import drive

    drive.settle()
except Exception as e:  # whatever fails, the drive must stay reachable
    print("Skyline: the PC has the drive:", e)
