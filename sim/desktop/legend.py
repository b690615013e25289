"""Draw a legend in a column beside the glass: keys, the buttons of gamepads, and what they do (pygame-ce)."""

from collections.abc import Callable, Sequence

import pygame

from sim import oled
from sim.desktop.keyboard import LABELS
from sim.desktop.legend_rows import Row

_BUTTON_CAPS = {"leftshoulder": "LB", "rightshoulder": "RB", "lefttrigger": "LT", "righttrigger": "RT"}
_BUTTON_CAPS |= {"leftstick": "LS", "rightstick": "RS"}
# Drawn, because the font has no arrows: corners of a triangle in a square of 2 by 2 around its middle.
_ARROWS = {
    **dict.fromkeys(("ArrowLeft", "dpleft"), ((-0.8, 0), (0.6, -0.8), (0.6, 0.8))),
    **dict.fromkeys(("ArrowRight", "dpright"), ((0.8, 0), (-0.6, -0.8), (-0.6, 0.8))),
    **dict.fromkeys(("ArrowUp", "dpup"), ((0, -0.8), (-0.8, 0.6), (0.8, 0.6))),
    **dict.fromkeys(("ArrowDown", "dpdown"), ((0, 0.8), (-0.8, -0.6), (0.8, -0.6))),
}

_TEXT_RGB = (176, 182, 194)
_HEADING_RGB = (118, 126, 142)
_CAP_RGB = (58, 63, 73)
_LEAST_ROW_PX = 15
_MOST_ROW_PX = 34


class Legend:
    """Draw rows as a column of the requested height, or higher if they would be too small to read."""

    def __init__(self, label: Callable[[str], str]) -> None:
        pygame.font.init()
        self.rows: Sequence[Row] = ()
        self._label = label
        self._fonts: dict[int, pygame.font.Font] = {}

    def size(self, height: int) -> tuple[int, int]:
        """Return the width and the height of the column beside OLEDs of this height."""
        row_px = self._row_px(height)
        widest = max(self._caps_width(keys, row_px) for _action, keys in self.rows)
        words = max(self._font(row_px).size(action)[0] for action, keys in self.rows if keys)
        headings = max(self._font(row_px).size(action.upper())[0] for action, keys in self.rows if not keys)
        return max(widest + words + row_px, headings) + row_px, row_px * (len(self.rows) + 1)

    def draw(self, surface: pygame.Surface, x: int, y: int, height: int) -> None:
        """Draw the column, its upper left corner at x, y."""
        row_px = self._row_px(height)
        font = self._font(row_px)
        text_x = x + max(self._caps_width(keys, row_px) for _action, keys in self.rows) + row_px // 2
        middle = y + row_px
        for action, keys in self.rows:
            words = font.render(action if keys else action.upper(), True, _TEXT_RGB if keys else _HEADING_RGB)
            if keys:
                self._draw_caps(surface, x, middle, keys, row_px)
            surface.blit(words, (text_x if keys else x, middle - words.get_height() // 2))
            middle += row_px

    def _row_px(self, height: int) -> int:
        return max(_LEAST_ROW_PX, min(_MOST_ROW_PX, height // (len(self.rows) + 1)))

    def _font(self, row_px: int) -> pygame.font.Font:
        if row_px not in self._fonts:
            self._fonts[row_px] = pygame.font.Font(None, round(row_px * 0.78))
        return self._fonts[row_px]

    def _cap_width(self, key: str, row_px: int) -> int:
        side = row_px - 4
        return side if key in _ARROWS else max(side, self._font(row_px).size(self._cap(key))[0] + row_px // 2)

    def _caps_width(self, keys: Sequence[str], row_px: int) -> int:
        return sum(self._cap_width(key, row_px) + 3 for key in keys)

    def _draw_caps(self, surface: pygame.Surface, x: int, middle: int, keys: Sequence[str], row_px: int) -> None:
        font = self._font(row_px)
        for key in keys:
            box = pygame.Rect(x, 0, self._cap_width(key, row_px), row_px - 4)
            box.centery = middle
            pygame.draw.rect(surface, _CAP_RGB, box, border_radius=max(2, row_px // 6))
            if key in _ARROWS:
                half = row_px * 0.24
                corners = [(box.centerx + half * x, box.centery + half * y) for x, y in _ARROWS[key]]
                pygame.draw.polygon(surface, oled.COLOURS["white"].lit, corners)
            else:
                words = font.render(self._cap(key), True, oled.COLOURS["white"].lit)
                surface.blit(words, words.get_rect(center=box.center))
            x += box.w + 3

    def _cap(self, name: str) -> str:
        """Return the label of a key or a button."""
        return self._label(name) if name in LABELS else _BUTTON_CAPS.get(name, name.upper() if name.islower() else name)
