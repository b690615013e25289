"""Show the picture as another board has it: on its screen, enlarged and centred (firmware/device/profiles.txt)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from firmware.device import profiles
from sim import oled
from sim.terminal import Refusal

if TYPE_CHECKING:
    from PIL.Image import Image as Picture


@dataclass(frozen=True)
class BoardScreen:
    """A screen of `width` x `height` pixels, held so that the picture is upright, and the picture's place on it."""

    name: str
    width: int
    height: int
    shown_width: int
    shown_height: int

    def enlarge(self, picture: bytes, lit: tuple[int, int, int]) -> Picture:
        """Return the whole screen with a picture of 1024 bytes; eight pixels fill 15 where the board does that."""
        from PIL import Image

        small = Image.frombytes("1", (oled.WIDTH, oled.HEIGHT), picture, "raw", "1;R").convert("L")
        columns = [x * oled.WIDTH // self.shown_width for x in range(self.shown_width)]
        # A row has its first pixels where firmware/device/displayio_screen.py puts them.
        starts = [y * self.shown_height // oled.HEIGHT for y in range(oled.HEIGHT + 1)]
        rows = [y for y in range(oled.HEIGHT) for _ in range(starts[y + 1] - starts[y])]
        levels = small.tobytes()
        mask = Image.frombytes(
            "L",
            (self.shown_width, self.shown_height),
            bytes(levels[y * oled.WIDTH + x] for y in rows for x in columns),
        )
        screen = Image.new("RGB", (self.width, self.height))
        place = (self.width - self.shown_width) // 2, (self.height - self.shown_height) // 2
        screen.paste(lit, place, mask)
        return screen


def find(name: str) -> BoardScreen:
    """Return the screen of a board; refuse an unknown name with the known ones."""
    record = profiles.find(name)
    if record is None:
        raise Refusal(f"--board {name}: known are {' '.join(profiles.list_names())}")
    width, height = _read_size(record["display"])
    shown_width, shown_height = _read_size(record["shown"])
    if record.get("ROTATION", "0") in ("90", "270"):
        width, height = height, width
    return BoardScreen(record["name"], width, height, shown_width, shown_height)


def _read_size(text: str) -> tuple[int, int]:
    width, height = text.split("x")
    return int(width), int(height)
