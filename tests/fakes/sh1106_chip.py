"""Model an SH1106: a panel of 128 columns on a memory of 132, in pages, with I2C writes only."""

COLUMNS = 132
HIDDEN = 2  # columns of the memory left of the panel
_WITH_ARGUMENT = (0x20, 0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB)


class Sh1106Chip:
    """Hold 8 pages of 132 columns; the module stands like an SSD1306, with its right edge up."""

    def __init__(self, address: int = 0x3C) -> None:
        self.address = address
        self.memory = [bytearray(b"\xa5" * COLUMNS) for _ in range(8)]
        self.page = self.column = 0
        self.contrast = 0
        self.on = False
        self.bytes = 0
        self._pending = 0

    def write(self, transfer: bytes | bytearray | memoryview) -> None:
        """Take a transfer: pairs of 0x80 and a command, or 0x40 and pixels."""
        self.bytes += 1 + len(transfer)
        if transfer[0] == 0x40:
            for pixels in transfer[1:]:
                assert self.column < COLUMNS, "written past the last column"
                self.memory[self.page][self.column] = pixels
                self.column += 1
            return
        assert set(transfer[::2]) == {0x80}
        for command in transfer[1::2]:
            self._command(command)

    def picture(self, turned: bool = False) -> bytes:
        """Return the picture in the player's view, as the 1024 bytes of a Canvas."""
        rows = []
        for y in range(128):
            row = 0
            for x in range(64):
                row |= (self._lit(y, 63 - x) if turned else self._lit(127 - y, x)) << x
            rows.append(row.to_bytes(8, "little"))
        return b"".join(rows) if self.on else bytes(1024)

    def _lit(self, x: int, y: int) -> int:
        """Return a pixel of the module, which is 128 wide and 64 high."""
        return self.memory[y >> 3][x + HIDDEN] >> (y & 7) & 1

    def _command(self, command: int) -> None:
        if self._pending:
            if self._pending == 0x81:
                self.contrast = command
            self._pending = 0
        elif command in _WITH_ARGUMENT:
            self._pending = command
        elif command <= 0x0F:
            self.column = self.column & 0xF0 | command
        elif command <= 0x1F:
            self.column = (command & 0x0F) << 4 | self.column & 0x0F
        elif 0xB0 <= command <= 0xB7:
            self.page = command & 7
        elif command in (0xAE, 0xAF):
            self.on = command == 0xAF
        else:
            assert command in (0x33, 0x40, 0xA1, 0xA4, 0xA6, 0xC8), f"unknown command 0x{command:02x}"
