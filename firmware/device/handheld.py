"""Hold the parts of a handheld: the one seam between the game and the world."""


class Machine:
    """Tell of the computer in a handheld what the page of the device shows; this one knows nothing.

    name: of the board.  version: of its firmware.  renews: whether `renew` ends the program and begins it anew.
    """

    name = b"-"
    version = b"-"
    renews = False

    def free_bytes(self) -> int:
        """Return what is free of the heap, or -1 where that is not to be known."""
        return -1

    def renew(self, word: bytes) -> None:
        """Begin anew in an empty heap with the scene `word` (App's `first`); return where the heap is never short."""

    def leave_problem(self, problem: Exception) -> None:
        """Leave word of what ends the game, for the next run of the program to tell."""

    def draw_entropy(self) -> int:
        """Return 30 bits of chance, 0..2**30-1; 0 where there is none to be had."""
        return 0

    def open_shelf(self):
        """Return where recordings of the best games are kept (device/shelf.py), or None where there is no place."""

    def read_day(self) -> int:
        """Return today's date as a number like 20261122; 0 where that is not to be known."""
        return 0


class Device:
    """Carry the parts that code.py, the simulator or a test built.

    display  .canvas, .show() sends what changed, .contrast(0..255), .sleep(on)
    buttons  .poll(sink) appends (button, pressed, t_ms) for every edge since the last poll
    buzzer   .tone(hz, duty 0..65535), .off(); never blocks
    clock    .ticks_ms() wraps at 2**29, .wait_until(t_ms)
    store    its banks, none to two, each with .size, .read(offset, buffer), .write(offset, data), .erase()
    spare    None, or what holds a copy while the only bank is erased: .size, .read(offset, buffer), .keep(pieces)
    link     None, or a byte pipe to other players
    wired    a mask of the buttons that are there: 255 for all eight
    bus      None, or what the display hangs on: .hz, .set_speed(hz)
    machine  .name, .version, .free_bytes(), .renews, .renew(word), .read_day(), .open_shelf(), .draw_entropy() at
             leisure: 30 bits of chance
    handmade whether the first start should try each part, for wires may be wrong
    others   buttons of more persons, each polled as `buttons` is: they sit down at a match
    seats    who plays a match, persons first: 0 for a person, else the level of a computer; empty: as chosen
    """

    def __init__(
        self,
        display,
        buttons,
        buzzer,
        clock,
        store=(),
        link=None,
        wired: int = 255,
        bus=None,
        machine=None,
        handmade: bool = False,
        spare=None,
        others=(),
        seats=b"",
    ):
        self.display = display
        self.buttons = buttons
        self.buzzer = buzzer
        self.clock = clock
        self.store = store
        self.link = link
        self.wired = wired
        self.bus = bus
        self.machine = machine or Machine()
        self.handmade = handmade
        self.spare = spare
        self.others = others
        self.seats = seats
