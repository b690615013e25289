"""Show why CircuitPython went into safe mode; tools.deploy puts this at the drive's root.

In safe mode CircuitPython runs this file instead of boot.py and code.py. The PC has the drive.
"""

if __name__ == "__main__":
    from firmware.device.boot import crash_parts, safety
    from firmware.scenes import error_screen

    TEXT = safety.reason()
    print(TEXT)
    error_screen.tell(crash_parts.find_display(), b"SAFE MODE", TEXT)
