"""Draw one OLED on a surface: the glass in its body, its pixels and their glow (pygame-ce)."""

import pygame

from sim import oled
from sim.display import ChipDisplay

BODY_PX = 4  # the body of the handheld around the glass, in pixels of the panel
_BORDER = BODY_PX + oled.GLASS_PX
WIDTH = oled.WIDTH + 2 * _BORDER
HEIGHT = oled.HEIGHT + 2 * _BORDER


class OledSurface:
    """Draw the picture of `display`'s chip at any place and scale.

    panel: the rectangle of its pixels on the surface. width, height: of everything, in pixels of the panel.
    """

    width = WIDTH
    height = HEIGHT

    def __init__(self, display: ChipDisplay, colour: str = "white") -> None:
        self.display = display
        self.panel = pygame.Rect(0, 0, 0, 0)
        self._colour = colour
        self._scale = 0
        self._grid: pygame.Surface | None = None
        self._seen = -1

    @property
    def is_changed(self) -> bool:
        """Whether the chip's picture has changed since the last draw()."""
        return self._seen != self.display.chip.version

    def place(self, surface: pygame.Surface, x: int, y: int, scale: int) -> None:
        """Move the corner to x, y at `scale` screen pixels a pixel, and draw the parts that never change."""
        border = _BORDER * scale
        self.panel = pygame.Rect(x + border, y + border, oled.WIDTH * scale, oled.HEIGHT * scale)
        if self._grid is None or scale != self._scale:
            self._scale = scale
            self._grid = self._make_grid()
        glass = self.panel.inflate(2 * oled.GLASS_PX * scale, 2 * oled.GLASS_PX * scale)
        radius = 2 * scale
        rim = max(1, scale // 3)
        pygame.draw.rect(surface, oled.RIM_RGB, glass.inflate(2 * rim, 2 * rim), border_radius=radius + rim)
        pygame.draw.rect(surface, oled.GLASS_RGB, glass, border_radius=radius)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the pixels sharp, the grid over them, and their glow in the glass over both."""
        display = self.display
        self._seen = display.chip.version
        zones = oled.zones(display.picture, self._colour)
        pixels = pygame.image.frombuffer(zones, (oled.WIDTH, oled.HEIGHT), "P")
        pixels.set_palette(oled.palette(self._colour, display.chip.contrast))
        pixels = pixels.convert(surface)
        surface.blit(pygame.transform.scale_by(pixels, self._scale), self.panel)
        assert self._grid, "placed before it is drawn"
        surface.blit(self._grid, self.panel)
        glow = pygame.transform.box_blur(pygame.transform.scale_by(pixels, 2), 2)
        glow = pygame.transform.smoothscale(glow, self.panel.size)
        glow.fill(oled.GLOW_RGB, special_flags=pygame.BLEND_RGB_MULT)
        surface.blit(glow, self.panel, special_flags=pygame.BLEND_RGB_ADD)

    def _make_grid(self) -> pygame.Surface:
        """Return the dark lines between the pixels, transparent elsewhere."""
        scale = self._scale
        grid = pygame.Surface(self.panel.size, pygame.SRCALPHA)
        gap = oled.gap_px(scale)
        line = (*oled.GLASS_RGB, round(255 * oled.GRID_OPACITY))
        for x in range(oled.WIDTH):
            grid.fill(line, (x * scale + scale - gap, 0, gap, self.panel.h))
        for y in range(oled.HEIGHT):
            grid.fill(line, (0, y * scale + scale - gap, self.panel.w, gap))
        return grid
