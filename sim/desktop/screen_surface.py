"""Draw a board's own screen on a surface, without the glass and the grid of an OLED (pygame-ce)."""

import time
from collections.abc import Callable

import pygame
from PIL import Image

from sim import oled
from sim.board_screens import BoardScreen
from sim.desktop.oled_surface import BODY_PX, OledSurface
from sim.display import ChipDisplay


class ScreenSurface(OledSurface):
    """Draw what `render` returns, an image of `size` pixels, at any place and scale."""

    def __init__(self, display: ChipDisplay, size: tuple[int, int], render: Callable[[], Image.Image]) -> None:
        super().__init__(display)
        self._size = size
        self._render = render
        self.width, self.height = size[0] + 2 * BODY_PX, size[1] + 2 * BODY_PX

    def place(self, surface: pygame.Surface, x: int, y: int, scale: int) -> None:
        """Move the corner to x, y at `scale` screen pixels a pixel, and draw the rim."""
        self._scale = scale
        border = BODY_PX * scale
        self.panel = pygame.Rect(x + border, y + border, self._size[0] * scale, self._size[1] * scale)
        pygame.draw.rect(surface, oled.RIM_RGB, self.panel.inflate(2, 2))

    def draw(self, surface: pygame.Surface) -> None:
        self._seen = self.display.chip.version
        pixels = pygame.image.frombytes(self._render().tobytes(), self._size, "RGB")
        surface.blit(pygame.transform.scale_by(pixels, self._scale), self.panel)


def make_board_surface(display: ChipDisplay, screen: BoardScreen, lit: tuple[int, int, int]) -> ScreenSurface:
    """Return the surface of a board's screen; like the board, it takes its time to draw a change."""
    before = bytes(len(display.picture))

    def render() -> Image.Image:
        nonlocal before
        after = display.picture
        time.sleep(screen.time_change_s(before, after))
        before = after
        return screen.enlarge(after, lit)

    return ScreenSurface(display, (screen.width, screen.height), render)
