"""Hold the parts of a handheld: the interface between game and hardware."""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.contracts import BackupBank, Bus, Buttons, Buzzer, Clock, Display, Pipe, ReplayFiles, Store


class Machine:
    """Describe the computer in a handheld for the device page; this default knows nothing.

    name: of the board. version: of its firmware. renews: whether `renew` restarts the program. levels: of computer
    players. pages: by the name of a scene, the module that replaces it on this computer.
    """

    name = b"-"
    version = b"-"
    renews = False
    levels = 5
    pages: "dict[str, str]" = {}

    def free_bytes(self) -> int:
        """Return the free bytes of the heap, or -1 if unknown."""
        return -1

    def renew(self, word: bytes) -> None:
        """Restart with an empty heap and the scene `word` (App's `first`); return if the computer cannot."""

    def leave_problem(self, problem: Exception) -> None:
        """Leave a word about a fatal error for the next run of the program."""

    def draw_entropy(self) -> int:
        """Return 30 random bits, 0..2**30-1; 0 if there is no source."""
        return 0

    def owns_drive(self) -> bool:
        """Return whether the game writes to the drive, which a power cut can damage."""
        return False

    def open_replay_files(self) -> "ReplayFiles | None":
        """Return the store of the best games' recordings (device/replay_files.py), or None without a drive."""

    def list_pins(self) -> "Sequence[bytes]":
        """Return the name of each button's pin, at most 16 capitals, or nothing if unknown."""
        return ()

    def read_day(self) -> int:
        """Return today's date as a number like 20261122; 0 if unknown."""
        return 0


class Device:
    """Carry the parts that code.py, the simulator or a test built.

    display  .canvas, .show() sends the changed rows, .contrast(0..255), .turn(turned), .sleep(on)
    buttons  .poll(sink) appends (button, pressed, t_ms) for every edge since the last poll
    buzzer   .tone(hz, duty 0..65535), .off(); never blocks
    clock    .ticks_ms() wraps at 2**29, .wait_until(t_ms)
    store    its banks, none to two, each with .size, .read(offset, buffer) and .write(offset, data) into erased bytes.
             One of two has .erase(); the only one has .replace(offset, data), which keeps all other bytes
    backup   None, or a copy of the only bank while it is erased: .size, .read(offset, buffer), .keep(pieces)
    link     None, or a byte pipe to other players
    wired    a mask of the existing buttons: 255 for all eight, 511 for nine
    bus      None, or the display's I2C bus: .hz, .hurry(on)
    machine  a Machine
    handmade whether the first start should test each part, because wires may be wrong
    others   buttons of further players on this device, each polled like `buttons`
    seats    the players of a match, people first: 0 for a person, else a computer's level; empty: as chosen on screen
    """

    def __init__(
        self,
        display: "Display",
        buttons: "Buttons",
        buzzer: "Buzzer",
        clock: "Clock",
        store: "Sequence[Store]" = (),
        link: "Pipe | None" = None,
        wired: int = 255,
        bus: "Bus | None" = None,
        machine: "Machine | None" = None,
        handmade: bool = False,
        backup: "BackupBank | None" = None,
        others: "Sequence[Buttons]" = (),
        seats: bytes = b"",
    ) -> None:
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
        self.backup = backup
        self.others = others
        self.seats = seats
