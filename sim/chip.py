"""Model an SSD1306 with its 128x64 panel: I2C bytes in, the picture on the glass out.

The model follows the chip, not the intention of a driver: addressing modes and their windows, the control byte,
remapping, start line, offset, contrast, inversion. A command or an argument that the data sheet does not define raises
ChipError: a test must fail on bytes that a real chip would misread. Sources: SSD1306 data sheet rev 1.1, chapters 8.1.5
(I2C), 9 (command table) and 10 (descriptions).
"""

import random

from sim.chip_commands import Bytes, ChipError, run_shared_command, split_transfer

COLUMNS = 128
PAGES = 8
ROWS = 64
ADDRESS = 0x3C

HORIZONTAL, VERTICAL, PAGE = 0, 1, 2
_NOISE = 1306  # seed of the memory at power-on

# The number of arguments of each command that has any.
_ARGUMENTS = {
    0x20: 1,  # memory addressing mode
    0x21: 2,  # column window
    0x22: 2,  # page window
    0x81: 1,  # contrast
    0x8D: 1,  # charge pump
    0xA8: 1,  # multiplex ratio
    0xD3: 1,  # display offset
    0xD5: 1,  # clock
    0xD9: 1,  # pre-charge
    0xDA: 1,  # COM pins
    0xDB: 1,  # VCOMH level
}


class Ssd1306Chip:
    """The chip on the module: write() accepts a transfer, picture() returns what is seen.

    Its memory has noise at power-on, which exposes a driver that does not clear it.
    """

    def __init__(self, address: int = ADDRESS):
        self.address = address
        self.power_on()

    def power_on(self) -> None:
        """Forget everything, as after the supply was interrupted (data sheet 8.5)."""
        # Sorted by segment, a wire of the panel, with eight pages each. Not by column, because
        # the remap acts when bytes are written.
        self.memory = bytearray(random.Random(_NOISE).randbytes(COLUMNS * PAGES))
        self.mode = PAGE
        self.column = self.first_column = 0
        self.last_column = COLUMNS - 1
        self.page = self.first_page = 0
        self.last_page = PAGES - 1
        self.start_line = 0
        self.offset = 0
        self.multiplex = ROWS
        self.segment_remap = False
        self.com_remap = False
        self.contrast = 0x7F
        self.inverse = False
        self.all_on = False
        self.on = False
        self.charge_pump = False
        self.version = 0  # increases with every change that can be seen
        self._pending = bytearray()

    def write(self, transfer: Bytes) -> None:
        """Accept the bytes of one I2C write, from after the address to the stop condition."""
        for body, is_data in split_transfer(transfer):
            if is_data:
                self._store(body)
            else:
                for byte in body:
                    self._command(byte)

    def picture(self, turned: bool = False) -> bytes:
        """Return what the player sees as the 1024 bytes of a Canvas: row-major, the lowest bit leftmost.

        The handheld holds the module with its right edge up, or its left edge when `turned`.
        """
        rows = self._lit_rows(turned)
        if rows is None:
            return bytes(COLUMNS * PAGES)
        if self.all_on:
            return self._driven_mask(rows) * COLUMNS
        segments = memoryview(self.memory).cast("Q")  # eight pages each
        picture = (segments[::-1] if turned else segments).tobytes()
        if rows:
            columns = []
            for at in range(0, len(picture), PAGES):
                stored = int.from_bytes(picture[at : at + PAGES], "little")
                stored = sum((stored >> row & 1) << x for x, row in enumerate(rows) if row >= 0)
                columns.append(stored.to_bytes(PAGES, "little"))
            picture = b"".join(columns)
        if self.inverse:
            mask = int.from_bytes(self._driven_mask(rows) * COLUMNS, "little")
            picture = (int.from_bytes(picture, "little") ^ mask).to_bytes(len(picture), "little")
        return picture

    def _lit_rows(self, turned: bool) -> list[int] | None:
        """Return None for a dark panel, [] if the memory's rows are shown unchanged. Else return the memory row of each
        of the 64 upright columns, -1 for none.
        """
        if not (self.on and self.charge_pump):
            return None
        if self.com_remap != turned and self.multiplex == ROWS and not self.offset and not self.start_line:
            return []
        rows = []
        for x in range(ROWS):
            com = x if turned else ROWS - 1 - x
            scan = (self.multiplex - 1 - com if self.com_remap else com) + self.offset
            scan %= ROWS
            rows.append((scan + self.start_line) % ROWS if scan < self.multiplex else -1)
        return rows

    @staticmethod
    def _driven_mask(rows: list[int]) -> bytes:
        """Return the eight bytes of one column with a bit for each pixel that the chip drives."""
        if not rows:
            return b"\xff" * PAGES
        return sum(1 << x for x, row in enumerate(rows) if row >= 0).to_bytes(PAGES, "little")

    def _store(self, body: Bytes) -> None:
        """Write bytes at the pointers, and move the pointers as the addressing mode says (10.1.3)."""
        if self._pending:
            raise ChipError(f"data while command 0x{self._pending[0]:02x} waits for its argument")
        at = 0
        while at < len(body):
            columns = self._whole_columns(len(body) - at)
            if columns > 0:
                self._store_columns(body[at : at + columns * PAGES])
                at += columns * PAGES
                continue
            # SEG127 is the left edge of the module: the last row of the upright picture.
            segment = COLUMNS - 1 - self.column if self.segment_remap else self.column
            self.memory[segment * PAGES + self.page] = body[at]
            at += 1
            if self.mode == PAGE:
                self.column = (self.column + 1) % COLUMNS
            elif self.mode == HORIZONTAL:
                if self._step_column():
                    self._step_page()
            elif self._step_page():
                self._step_column()
        self.version += 1

    def _whole_columns(self, count: int) -> int:
        """Return how many whole columns the next `count` bytes fill from the pointer on."""
        if self.mode != VERTICAL or self.page or self.first_page or self.last_page != PAGES - 1:
            return 0
        return min(count // PAGES, self.last_column - self.column + 1)

    def _store_columns(self, body: Bytes) -> None:
        """Write whole columns within the window, all at once."""
        columns = memoryview(bytes(body)).cast("Q")
        first = self.column
        if self.segment_remap:
            first = COLUMNS - self.column - len(columns)
            columns = columns[::-1]
        memoryview(self.memory).cast("Q")[first : first + len(columns)] = columns
        self.column += len(columns) - 1
        self._step_column()

    def _step_column(self) -> bool:
        """Move to the next column of the window; return True if it wrapped."""
        wrapped = self.column == self.last_column
        self.column = self.first_column if wrapped else (self.column + 1) % COLUMNS
        return wrapped

    def _step_page(self) -> bool:
        """Move to the next page of the window; return True if it wrapped."""
        wrapped = self.page == self.last_page
        self.page = self.first_page if wrapped else (self.page + 1) % PAGES
        return wrapped

    def _command(self, byte: int) -> None:
        """Accept one byte of a command; arguments may come in later transfers."""
        self._pending.append(byte)
        command = self._pending[0]
        if len(self._pending) <= _ARGUMENTS.get(command, 0):
            return
        arguments = bytes(self._pending[1:])
        self._pending.clear()
        if arguments:
            self._run_command_with_arguments(command, arguments)
        else:
            self._run_command(command)
        self.version += 1

    def _run_command(self, command: int) -> None:
        """Carry out a command without arguments."""
        if command <= 0x0F:
            self._only_in_page_mode(command)
            self.column = self.column & 0x70 | command
        elif command <= 0x17:
            self._only_in_page_mode(command)
            self.column = (command & 0x07) << 4 | self.column & 0x0F
        elif 0xB0 <= command <= 0xB7:
            self._only_in_page_mode(command)
            self.page = command & 0x07
        elif not run_shared_command(self, command) and command not in (0x2E, 0xE3):  # scrolling off, no operation
            raise ChipError(f"command 0x{command:02x} is not one of an SSD1306 module")

    def _only_in_page_mode(self, command: int) -> None:
        if self.mode != PAGE:
            raise ChipError(f"command 0x{command:02x} belongs to page addressing mode, this is mode {self.mode}")

    def _run_command_with_arguments(self, command: int, arguments: bytes) -> None:
        value = arguments[0]
        if command == 0x20:
            if value > PAGE:
                raise ChipError(f"addressing mode {value}: there are 0, 1 and 2")
            self.mode = value
        elif command == 0x21:
            self.first_column, self.last_column = _window(arguments, COLUMNS, "column")
            self.column = self.first_column
        elif command == 0x22:
            self.first_page, self.last_page = _window(arguments, PAGES, "page")
            self.page = self.first_page
        elif command == 0x81:
            self.contrast = value
        elif command == 0x8D:
            if value not in (0x10, 0x14):
                raise ChipError(f"charge pump 0x{value:02x}: 0x10 is off, 0x14 is on")
            self.charge_pump = value == 0x14
        elif command == 0xA8:
            if not 15 <= value <= 63:
                raise ChipError(f"multiplex ratio {value + 1}: 16 to 64 are possible")
            self.multiplex = value + 1
        elif command == 0xD3:
            if value > 63:
                raise ChipError(f"display offset {value}: 0 to 63 are possible")
            self.offset = value
        elif command == 0xDA and value != 0x12:
            raise ChipError(f"COM pins 0x{value:02x}: a panel of 64 rows is wired for 0x12")
        # 0xD5, 0xD9 and 0xDB set voltages and times, which no picture shows.


def _window(arguments: bytes, size: int, of: str) -> tuple[int, int]:
    first, last = arguments
    if not first <= last < size:
        raise ChipError(f"{of} window {first}..{last}: it must lie in 0..{size - 1} and not be empty")
    return first, last
