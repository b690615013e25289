"""Play Skyline on this board, and tell what went wrong if it ends.

CircuitPython runs this file after boot.py. On a PC its name hides the standard library's
`code`, so nothing happens unless it is the program itself.
"""

if __name__ == "__main__":
    device = None
    parts: dict = {}
    try:
        # A board compiles what it imports, a second for forty kilobytes: first what the first picture takes.
        from firmware.device import screen

        display = screen.build(parts)

        from firmware.save import glance
        from firmware.view import notice

        notice.draw(display.canvas)
        # A tenth of a second for the journal, or whoever turned the screen would see each start upside down.
        glance.set_screen(parts.get("store", ()), display)
        display.show()

        from firmware.device import pico

        device = pico.build(parts)
        began_ms = device.clock.ticks_ms()
        pico.forget()
        del pico, screen, glance, notice, display

        from firmware.app import App, run
        from firmware.save.recorder import Recorder

        run(App(device, recorder=Recorder(2048), began_ms=began_ms))
    except Exception as problem:
        from firmware.device import crash

        crash.make_room()

        from firmware.scenes import fault

        text = crash.describe(problem)
        crash.write_file(text)
        if device:
            fault.note(device.store, text, device.spare)
            device.buzzer.off()
        else:
            from firmware.device import salvage

            salvage.complete(parts)
        fault.tell(parts["display"], b"PROBLEM", text + "\nPRESS A BUTTON")
        crash.wait(parts)
