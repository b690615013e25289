"""Write what the OLED showed as PNG and GIF files (Pillow)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from sim import oled, ownership, progress

if TYPE_CHECKING:
    from PIL.Image import Image

_HALF_LIT = 127
FRAME_MS = 50  # twenty pictures a second; a GIF counts in 10 ms


class Film:
    """Collect pictures of 1024 bytes with their durations; an unchanged picture lasts longer, it is not repeated.

    frames: list of [picture, milliseconds].  All durations are multiples of FRAME_MS and add up
    to the time that was filmed.
    """

    def __init__(self) -> None:
        self.frames: list[tuple[bytes, int]] = []
        self._filmed_ms = 0

    def add(self, picture: bytes, t_ms: int) -> None:
        """Add the picture shown `t_ms` after the beginning; call it for every frame, in order."""
        while self._filmed_ms <= t_ms:
            self._filmed_ms += FRAME_MS
            if self.frames and self.frames[-1][0] == picture:
                self.frames[-1] = picture, self.frames[-1][1] + FRAME_MS
            else:
                self.frames.append((picture, FRAME_MS))

    def end(self, picture: bytes) -> None:
        """Add the last picture, which may have come between two frames of the film."""
        self.add(picture, self._filmed_ms)

    def save(self, path: Path, scale: int, colour: str) -> None:
        """Write a GIF that plays for ever; raise OSError when it cannot be written."""
        images = self._images(scale, colour)
        first = next(images)
        with ownership.output(path) as file:
            first.save(file, "GIF", save_all=True, append_images=images, loop=0, optimize=False, disposal=1)

    def _images(self, scale: int, colour: str) -> Iterator[Image]:
        for picture, duration_ms in progress.follow(self.frames, "writing the GIF", len(self.frames), "pictures"):
            image = draw(picture, scale, colour)
            image.info["duration"] = duration_ms
            yield image


def draw(picture: bytes, scale: int, colour: str, contrast: int = 255) -> Image:
    """Return a palette image of the panel at `scale` screen pixels a pixel, dark glass around it."""
    from PIL import Image

    size = (oled.WIDTH * scale, oled.HEIGHT * scale)
    panel = Image.frombytes("P", (oled.WIDTH, oled.HEIGHT), oled.zones(picture, colour))
    panel = panel.resize(size, Image.Resampling.NEAREST)
    panel.paste(panel.point(lambda index: index + oled.GRID), mask=_grid(scale))
    border = oled.GLASS_PX * scale
    image = Image.new("P", (size[0] + 2 * border, size[1] + 2 * border), oled.GLASS)
    image.putpalette([level for rgb in oled.palette(colour, contrast) for level in rgb])
    image.paste(panel, (border, border))
    return image


@lru_cache(maxsize=2)
def _grid(scale: int) -> Image:
    """Return the mask of the lines between the pixels."""
    from PIL import Image

    pixel = Image.new("L", (scale, scale), 255)
    lit = scale - oled.gap_px(scale)
    pixel.paste(0, (0, 0, lit, lit))
    row = Image.new("L", (oled.WIDTH * scale, scale))
    for x in range(oled.WIDTH):
        row.paste(pixel, (x * scale, 0))
    grid = Image.new("L", (oled.WIDTH * scale, oled.HEIGHT * scale))
    for y in range(oled.HEIGHT):
        grid.paste(row, (0, y * scale))
    return grid


def save_png(path: Path, picture: bytes, scale: int, colour: str, contrast: int = 255) -> None:
    """Write one picture; raise OSError when it cannot be written."""
    with ownership.output(path) as file:
        file.write(encode_png(picture, scale, colour, contrast))


def encode_png(picture: bytes, scale: int, colour: str, contrast: int = 255) -> bytes:
    """Return the file of save_png()."""
    content = BytesIO()
    draw(picture, scale, colour, contrast).convert("RGB").save(content, "PNG", optimize=True)
    return ownership.add_mark(content.getvalue())


def read_png(path: Path, scale: int) -> bytes:
    """Return the picture in a file of save_png(); b"" if the file is missing or shows anything else."""
    from PIL import Image

    border, wide, high = oled.GLASS_PX * scale, oled.WIDTH * scale, oled.HEIGHT * scale
    try:
        with Image.open(path) as image:
            if image.size != (wide + 2 * border, high + 2 * border):
                return b""
            levels = image.convert("L").crop((border, border, border + wide, border + high)).tobytes()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return b""
    lit = [level > _HALF_LIT for y in range(oled.HEIGHT) for level in levels[y * scale * wide :][:wide:scale]]
    return bytes(sum(lit[at + bit] << bit for bit in range(8)) for at in range(0, len(lit), 8))
