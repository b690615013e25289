"""Fake the part of CircuitPython's `displayio` that shows tiles; a tile's number is a byte of the canvas."""

from typing import Any

from workbench import bench


class Bitmap:
    """Pixels of a few colours."""

    def __init__(self, width: int, height: int, value_count: int) -> None:
        self.width = width
        self.pixels = [[0] * width for _ in range(height)]

    def __setitem__(self, place: tuple[int, int], value: int) -> None:
        x, y = place
        self.pixels[y][x] = value


class Palette:
    """Colours by number."""

    def __init__(self, count: int) -> None:
        self.colours = [0] * count

    def __setitem__(self, index: int, colour: int) -> None:
        self.colours[index] = colour


class TileGrid:
    """Tiles of a bitmap."""

    def __init__(
        self, bitmap: Bitmap, *, pixel_shader: Palette, width: int, height: int, tile_width: int, tile_height: int
    ) -> None:
        self.bitmap = bitmap
        self.tiles = bytearray(width * height)
        self.hidden = False

    def __getitem__(self, index: int) -> int:
        return self.tiles[index]

    def __setitem__(self, index: int, tile: int) -> None:
        self.tiles[index] = tile


class Group:
    """Layers that are shown together."""

    def __init__(self, *, scale: int = 1, x: int = 0, y: int = 0) -> None:
        self.scale, self.x, self.y = scale, x, y
        self.layers: list[Any] = []

    def append(self, layer: Any) -> None:
        """Put a layer on top."""
        self.layers.append(layer)


def release_displays() -> None:
    """Forget the displays of a former run."""
    bench.displays.clear()
