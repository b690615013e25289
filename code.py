"""Play Skyline on this board.

CircuitPython runs this file after boot.py. On a PC its name hides the standard library's
`code`, so nothing happens unless it is the program itself.
"""

if __name__ == "__main__":
    from firmware.app import App, run
    from firmware.device import pico
    from firmware.save.recorder import Recorder

    run(App(pico.build(), recorder=Recorder()))
