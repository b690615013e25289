"""Play Skyline on this board, and tell what went wrong if it ends.

CircuitPython runs this file after boot.py. On a PC its name hides the standard library's
`code`, so nothing happens unless it is the program itself.
"""

if __name__ == "__main__":
    device = None
    parts: dict = {}
    try:
        from firmware.device import pico

        device = pico.build(parts)
        pico.forget()
        del pico

        from firmware.app import App, run
        from firmware.save.recorder import Recorder

        run(App(device, recorder=Recorder(2048)))
    except Exception as problem:
        from firmware.device import crash

        crash.make_room()

        from firmware.device import pico
        from firmware.scenes import fault

        text = crash.describe(problem)
        crash.write_file(text)
        if device:
            fault.note(device.store, text, device.spare)
            text += "\nPRESS A BUTTON"
        fault.tell(parts.get("display") or pico.find_display(), b"PROBLEM", text)
        if device:
            crash.wait(device)
