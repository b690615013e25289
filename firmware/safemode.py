"""Show why CircuitPython went into safe mode; tools.deploy puts this at the drive's root.

In safe mode CircuitPython runs this file instead of boot.py and code.py. The PC has the drive.
"""

if __name__ == "__main__":
    try:
        from firmware.device.boot import crash_parts, safety
    except ImportError:  # tools.deploy takes this out
        raise SystemExit("safemode.py is for CircuitPython, which runs it by itself in safe mode") from None
    from firmware.scenes import error_screen

    TEXT = safety.reason()
    print(TEXT)
    error_screen.tell(crash_parts.find_display(), b"SAFE MODE", TEXT)
