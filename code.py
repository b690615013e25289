"""Play Skyline on this board; after a failed run, show the error.

CircuitPython runs this file after boot.py. It runs the file again in an empty heap whenever a run fails (boot.py
sets this) or restarts itself with a word in RAM (firmware/device/errand.py). On a PC the file's name hides the
standard library's `code`, so it does nothing unless it is the main program.
"""

if __name__ == "__main__":
    try:
        import supervisor
    except ImportError:  # tools.deploy takes this out
        raise SystemExit(
            "code.py is for CircuitPython: python3 -m tools.setup sim opens a window; on a Raspberry Pi add --blinka"
        ) from None

    from firmware.device import errand

    parts: dict = {}  # type: ignore[type-arg]  # parts of all kinds; Any would be one more import
    first = errand.take_word()
    error = supervisor.get_previous_traceback() or first[:1] == "!" and first
    if not error:
        from firmware.device.boot import screen
        from firmware.device.wiring import WiringError

        try:
            panel = screen.build(parts)

            from firmware.save import early_settings
            from firmware.view import notice

            # Reading the journal takes 0.1 s; without it a turned screen would start upside down.
            if early_settings.set_screen(parts.get("store", ()), panel) and not first:
                from firmware.view.logo import LOGO, LOGO_HEIGHT

                notice.draw_title(panel.canvas, LOGO, LOGO_HEIGHT)
                del LOGO
            else:
                notice.draw(panel.canvas, first)
            panel.show()

            from firmware.device.taps import add

            add(parts)

            from firmware.device.boot import pico

            device = pico.build(parts)
        except WiringError as e:
            error = str(e)
    if error:
        try:
            from firmware.device.boot import crash
            from firmware.scenes import error_screen

            crash.tell(error, error_screen, parts)
        except Exception as e:  # files are missing: every further run would fail too
            print("Copy Skyline again:", e)
    else:
        t_ms = device.clock.ticks_ms()
        pico.forget()
        del pico, add, screen, early_settings, notice, panel, parts, WiringError

        from firmware.app import App, run
        from firmware.save.recorder import Recorder

        run(App(device, recorder=Recorder(2048), first=first, began_ms=t_ms))
