"""Fake the part of CircuitPython's `displayio` that shows tiles; a tile's number is a byte of the canvas."""

from typing import Any

from workbench import bench


class Bitmap:
    def __init__(self, width: int, height: int, value_count: int) -> None:
        self.width = width
        self.pixels = [[0] * width for _ in range(height)]

    def __setitem__(self, place: tuple[int, int], value: int) -> None:
        x, y = place
        self.pixels[y][x] = value


class Palette(list):
    """Colours by number."""

    def __init__(self, count: int) -> None:
        super().__init__([0] * count)


class TileGrid(bytearray):
    """Tiles of a bitmap, by their numbers."""

    def __init__(self, bitmap: Bitmap, *, width: int, height: int, y: int, **how: Any) -> None:
        super().__init__(width * height)
        self.bitmap, self.height, self.y = bitmap, height, y


class Group(list):
    """Layers that are shown together."""

    def __init__(self, *, scale: int, x: int, y: int) -> None:
        self.scale, self.x, self.y = scale, x, y
        self.hidden = False


def release_displays() -> None:
    bench.displays.clear()
