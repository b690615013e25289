"""Play Skyline on this board; after a run that failed, tell what went wrong.

CircuitPython runs this file after boot.py, and once more in an empty heap whenever a run fails (boot.py
asks for that) or leaves an errand. On a PC its name hides the standard library's `code`, so nothing
happens unless it is the program itself.
"""

if __name__ == "__main__":
    import supervisor

    from firmware.device import errand

    parts: dict = {}  # type: ignore[type-arg]  # parts of all kinds; Any would be one more import
    first = errand.take_word()
    error = supervisor.get_previous_traceback() or first[:1] == "!" and first
    if not error:
        from firmware.device.boot import screen

        try:
            panel = screen.build(parts)

            from firmware.save import early_settings
            from firmware.view import notice

            # A tenth of a second for the journal, or whoever turned the screen would see each start upside down.
            if early_settings.set_screen(parts.get("store", ()), panel) and not first:
                from firmware.view.logo import LOGO, LOGO_HEIGHT

                notice.draw_title(panel.canvas, LOGO, LOGO_HEIGHT)
                del LOGO
            else:
                notice.draw(panel.canvas, first)
            panel.show()

            from firmware.device.boot import pico

            device = pico.build(parts)
        except screen.WiringError as e:
            error = str(e)
    if error:
        try:
            from firmware.device.boot import crash
            from firmware.scenes import error_screen

            crash.tell(error, error_screen, parts)
        except Exception as e:  # files are missing: another run would fail as well, and another
            print("Copy Skyline again:", e)
    else:
        t_ms = device.clock.ticks_ms()
        pico.forget()
        del pico, screen, early_settings, notice, panel, parts

        from firmware.app import App, run
        from firmware.save.recorder import Recorder

        run(App(device, recorder=Recorder(2048), first=first, began_ms=t_ms))
