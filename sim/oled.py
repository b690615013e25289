"""The look of an OLED: the colours of its zones, the dark grid between its pixels, its glow.

To draw, combine a picture of palette indices (`zones`), a `palette` of colours,
and the gap between pixels at a scale (`gap_px`).
"""

from dataclasses import dataclass

WIDTH = 64
HEIGHT = 128
GLASS_PX = 3  # dark glass around the pixels, in pixels of the panel

UNLIT, LIT, UNLIT_2, LIT_2, GLASS = range(5)
GRID = 5  # GRID + index: the same colour under the grid

Rgb = tuple[int, int, int]


@dataclass(frozen=True)
class Colour:
    """The light of one kind of module; `second` is that of a two-colour module's 16 yellow rows."""

    lit: Rgb
    second: Rgb | None = None


# A two-colour module has its yellow rows 0..15 along the long edge of the glass. In the handheld
# the module stands upright, so these rows are a stripe of 16 columns at the left.
COLOURS = {
    "white": Colour((232, 241, 255)),
    "blue": Colour((70, 170, 255)),
    "yellow-blue": Colour((70, 170, 255), second=(255, 205, 60)),
}

GLASS_RGB: Rgb = (7, 8, 11)
RIM_RGB: Rgb = (52, 56, 64)
BODY_RGB: Rgb = (28, 31, 37)
GLOW_RGB: Rgb = (46, 46, 46)  # light beside a pixel, as a share of 255
GRID_OPACITY = 0.62  # dark lines separate pixels, yet a stroke of lit ones still looks unbroken
_UNLIT_SHARE = 0.045  # unlit pixels reflect a little

_BITS = [bytes(byte >> bit & 1 for bit in range(8)) for byte in range(256)]
_STRIPE_BYTES = 2  # of a row's eight
_STRIPE_BITS = [bytes(UNLIT_2 + pixel for pixel in bits) for bits in _BITS]


def zones(picture: bytes, colour: str) -> bytes:
    """Return a palette index for each of the 64x128 pixels of `picture` (1024 bytes)."""
    if COLOURS[colour].second is None:
        return b"".join([_BITS[byte] for byte in picture])
    return b"".join([(_STRIPE_BITS if at % 8 < _STRIPE_BYTES else _BITS)[byte] for at, byte in enumerate(picture)])


def palette(colour: str, contrast: int = 255) -> list[Rgb]:
    """Return the colours of the five indices, then the same colours under the grid, at a contrast of 0..255.

    Contrast 0 is dim, not dark, as on the chip.
    """
    light = COLOURS[colour]
    brightness = 0.4 + 0.6 * contrast / 255
    colours = []
    for lit in (light.lit, light.second or light.lit):
        colours.append(_mix(GLASS_RGB, lit, _UNLIT_SHARE))
        colours.append(_mix(GLASS_RGB, lit, brightness))
    colours.append(GLASS_RGB)
    return colours + [_mix(rgb, GLASS_RGB, GRID_OPACITY) for rgb in colours]


def gap_px(scale: int) -> int:
    """Return the width of the dark line between two pixels that are `scale` screen pixels apart."""
    return 0 if scale < 3 else max(1, round(scale * 0.14))


def _mix(dark: Rgb, light: Rgb, share: float) -> Rgb:
    red, green, blue = (round(d + (b - d) * share) for d, b in zip(dark, light, strict=True))
    return red, green, blue
