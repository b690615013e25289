"""Show the OLED in a window and read the PC's keyboard (pygame-ce)."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from sim import oled
from sim.display import ChipDisplay
from sim.keyboard import MORE, TABLE, Keyboard

_BODY_PX = 4  # the body of the handheld around the glass, in pixels of the panel
_DESKTOP_SHARE = 0.88  # of the screen's height: the rest is for title bars and docks
_TITLE_MS = 500


class Window:
    """Draw `display` at `scale` screen pixels a pixel, 0 for the largest that fits.

    pump() turns what happened to the window into edges of `keyboard`; present() draws what the
    chip shows when that changed. `closed` becomes True when the player closes the window.
    `focus_lost`, if set, is called after all keys were released. Raises pygame.error when
    there is no screen.
    """

    def __init__(
        self,
        display: ChipDisplay,
        keyboard: Keyboard,
        ticks_ms: Callable[[], int],
        colour: str = "white",
        scale: int = 0,
    ) -> None:
        pygame.display.init()
        self.closed = False
        self.focus_lost: Callable[[], None] | None = None
        self.scale = scale or self._largest_scale()
        self._display = display
        self._keyboard = keyboard
        self._ticks_ms = ticks_ms
        self._colour = colour
        names = [*MORE, *(name for names in TABLE.values() for name in names)]
        self._keys = {getattr(pygame, name): name for name in names}
        self._seen: tuple[int, bool] | None = None
        self._frames = 0
        self._title_ms = pygame.time.get_ticks()

        border = (_BODY_PX + oled.GLASS_PX) * self.scale
        self._panel = pygame.Rect(border, border, oled.WIDTH * self.scale, oled.HEIGHT * self.scale)
        pygame.display.set_caption("Skyline")
        pygame.display.set_icon(_icon())
        self.surface = pygame.display.set_mode((self._panel.w + 2 * border, self._panel.h + 2 * border))
        pygame.key.stop_text_input()  # else an input method eats letters
        self._draw_body()
        self._grid = self._make_grid()
        self.present()

    def present(self) -> None:
        """Draw the panel if it changed, and count the frame for the title bar."""
        chip = self._display.chip
        seen = chip.version, self._display.turned
        if seen != self._seen:
            self._seen = seen
            self._draw_panel(oled.zones(self._display.picture, self._colour, self._display.turned), chip.contrast)
            pygame.display.flip()
        self._frames += 1
        passed_ms = pygame.time.get_ticks() - self._title_ms
        if passed_ms >= _TITLE_MS:
            pygame.display.set_caption(f"Skyline \N{EM DASH} {round(self._frames * 1000 / passed_ms)} fps")
            self._frames = 0
            self._title_ms += passed_ms

    def pump(self) -> None:
        """Take what happened since the last call; keys carry the time of this moment."""
        for event in pygame.event.get():
            if event.type == pygame.KEYDOWN:
                self._key(self._keyboard.press, event.key)
            elif event.type == pygame.KEYUP:
                self._key(self._keyboard.release, event.key)
            elif event.type == pygame.QUIT:
                self.closed = True
            elif event.type == pygame.WINDOWFOCUSLOST:
                self._keyboard.release_all(self._ticks_ms())
                if self.focus_lost:
                    self.focus_lost()
            elif event.type == pygame.WINDOWEXPOSED:
                pygame.display.flip()

    def _key(self, move: Callable[[str, int], None], key: int) -> None:
        name = self._keys.get(key)
        if name:
            move(name, self._ticks_ms())

    @staticmethod
    def _largest_scale() -> int:
        width, height = pygame.display.get_desktop_sizes()[0]
        around = 2 * (_BODY_PX + oled.GLASS_PX)
        return max(1, min(width // (oled.WIDTH + around), int(height * _DESKTOP_SHARE) // (oled.HEIGHT + around)))

    def _draw_body(self) -> None:
        """Draw what never changes: the body and the edge of the glass."""
        self.surface.fill(oled.BODY_RGB)
        glass = self._panel.inflate(2 * oled.GLASS_PX * self.scale, 2 * oled.GLASS_PX * self.scale)
        radius = 2 * self.scale
        rim = max(1, self.scale // 3)
        pygame.draw.rect(self.surface, oled.RIM_RGB, glass.inflate(2 * rim, 2 * rim), border_radius=radius + rim)
        pygame.draw.rect(self.surface, oled.GLASS_RGB, glass, border_radius=radius)

    def _make_grid(self) -> pygame.Surface:
        """Return the dark lines between the pixels, transparent elsewhere."""
        grid = pygame.Surface(self._panel.size, pygame.SRCALPHA)
        gap = oled.gap_px(self.scale)
        line = (*oled.GLASS_RGB, round(255 * oled.GRID_OPACITY))
        for x in range(oled.WIDTH):
            grid.fill(line, (x * self.scale + self.scale - gap, 0, gap, self._panel.h))
        for y in range(oled.HEIGHT):
            grid.fill(line, (0, y * self.scale + self.scale - gap, self._panel.w, gap))
        return grid

    def _draw_panel(self, zones: bytes, contrast: int) -> None:
        """Draw the pixels sharp, the grid over them, and their glow in the glass over both."""
        pixels = pygame.image.frombuffer(zones, (oled.WIDTH, oled.HEIGHT), "P")
        pixels.set_palette(oled.palette(self._colour, contrast))
        pixels = pixels.convert(self.surface)
        self.surface.blit(pygame.transform.scale_by(pixels, self.scale), self._panel)
        self.surface.blit(self._grid, self._panel)
        glow = pygame.transform.box_blur(pygame.transform.scale_by(pixels, 2), 2)
        glow = pygame.transform.smoothscale(glow, self._panel.size)
        glow.fill(oled.GLOW_RGB, special_flags=pygame.BLEND_RGB_MULT)
        self.surface.blit(glow, self._panel, special_flags=pygame.BLEND_RGB_ADD)


def _icon() -> pygame.Surface:
    """Return a T-Tetrimino, lit."""
    icon = pygame.Surface((32, 32), pygame.SRCALPHA)
    for x, y in ((1, 0), (0, 1), (1, 1), (2, 1)):
        pygame.draw.rect(icon, oled.COLOURS["white"].lit, (2 + 10 * x, 6 + 10 * y, 8, 8), border_radius=1)
    return icon
