"""Hold the six parts of a handheld: the one seam between the game and the world."""


class Device:
    """Carry the parts that code.py, the simulator or a test built.

    display  .canvas, .show() sends what changed, .contrast(0..255), .sleep(on)
    buttons  .poll(sink) appends (button, pressed, t_ms) for every edge since the last poll
    buzzer   .tone(hz, duty 0..65535), .off(); never blocks
    clock    .ticks_ms() wraps at 2**29, .wait_until(t_ms)
    store    its banks, none to two, each with .size, .read(offset, buffer), .write(offset, data), .erase()
    link     None, or a byte pipe to other players
    """

    def __init__(self, display, buttons, buzzer, clock, store=(), link=None):
        self.display = display
        self.buttons = buttons
        self.buzzer = buzzer
        self.clock = clock
        self.store = store
        self.link = link
