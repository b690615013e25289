"""Name the keys of the controls, and the buttons of a gamepad, in a column beside the glass (pygame-ce)."""

from collections.abc import Mapping, Sequence

import pygame

from firmware.engine.controls import HARD_DROP, HOLD, LEFT, PAUSE, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from sim import oled
from sim.desktop.gamepad import STICKS
from sim.desktop.keyboard import HALVES

# (action, its keys by pygame's names): the most useful keys, not all.
IN_PLAY = (
    ("move", ("K_LEFT", "K_RIGHT")),
    ("soft drop", ("K_DOWN",)),
    ("hard drop", ("K_SPACE",)),
    ("turn clockwise", ("K_a", "K_x", "K_UP")),
    ("turn back", ("K_b", "K_z", "K_LCTRL")),
    ("hold", ("K_c", "K_LSHIFT")),
    ("pause", ("K_s", "K_RETURN", "K_ESCAPE")),
    ("restart", ("K_r",)),
)
IN_MENUS = (
    ("choose", ("K_LEFT", "K_RIGHT", "K_UP", "K_DOWN")),
    ("A: go on", ("K_a", "K_SPACE")),
    ("B: go back", ("K_b", "K_ESCAPE")),
    ("START: go on, done", ("K_s", "K_RETURN")),
)
OF_WINDOW = (("these keys", ("K_TAB",)), ("full screen", ("K_F11",)), ("size", ("K_LCTRL", "K_PLUS", "K_MINUS")))
ON_GAMEPAD = (
    ("move", (LEFT, RIGHT)),
    ("soft drop", (SOFT_DROP,)),
    ("hard drop", (HARD_DROP,)),
    ("turn clockwise", (ROTATE_CW,)),
    ("turn back", (ROTATE_CCW,)),
    ("hold", (HOLD,)),
    ("pause", (PAUSE,)),
)
_CAPS = {
    "K_SPACE": "Space",
    "K_LCTRL": "Ctrl",
    "K_LSHIFT": "Shift",
    "K_ESCAPE": "Esc",
    "K_RETURN": "Enter",
    "K_RSHIFT": "right Shift",
    "K_BACKSPACE": "Backspace",
    "K_TAB": "Tab",
    "K_PLUS": "+",
    "K_MINUS": "-",
    "leftshoulder": "LB",
    "rightshoulder": "RB",
    "lefttrigger": "LT",
    "righttrigger": "RT",
}
# Drawn, because the font has no arrows: corners of a triangle in a square of 2 by 2 around its middle.
_ARROWS = {
    **dict.fromkeys(("K_LEFT", "dpleft"), ((-0.8, 0), (0.6, -0.8), (0.6, 0.8))),
    **dict.fromkeys(("K_RIGHT", "dpright"), ((0.8, 0), (-0.6, -0.8), (-0.6, 0.8))),
    **dict.fromkeys(("K_UP", "dpup"), ((0, -0.8), (-0.8, 0.6), (0.8, 0.6))),
    **dict.fromkeys(("K_DOWN", "dpdown"), ((0, 0.8), (-0.8, -0.6), (0.8, -0.6))),
}
_MOST_CAPS = 3  # of one control of a gamepad: all four buttons of HOLD would fill the column

_TEXT_RGB = (176, 182, 194)
_HEADING_RGB = (118, 126, 142)
_CAP_RGB = (58, 63, 73)
_LEAST_ROW_PX = 15
_MOST_ROW_PX = 34

Row = tuple[str, Sequence[str]]  # an action and its keys; a heading has no keys


def rows(gamepads: Sequence[str] = (), controls: Mapping[str, int | None] | None = None) -> list[Row]:
    """Return the rows of the column: the keys, then the buttons of these gamepads if there are any."""
    found: list[Row] = [("in play", ()), *IN_PLAY, ("in menus", ()), *IN_MENUS, ("this window", ()), *OF_WINDOW]
    if gamepads and controls:
        found.append((" and ".join(gamepads), ()))
        found += _gamepad_rows(controls)
    return found


def party_rows(players: int, gamepads: Sequence[tuple[int, str]], controls: Mapping[str, int | None]) -> list[Row]:
    """Return the rows for `players` persons: each one's keys, then gamepads, given as (person, name)."""
    found: list[Row] = []
    for number in range(players):
        names = [name for other, name in gamepads if other == number]
        heading = " and ".join([f"player {number + 1}", *names])
        if number < len(HALVES):
            found.append((heading, ()))
            for action, wanted in ON_GAMEPAD:
                keys = [key for control in wanted for key in HALVES[number][control][: 3 - len(wanted)]]
                found.append((action, keys))
        else:
            found.append((heading if names else f"{heading}: plug in a gamepad", ()))
    found += [("this window", ()), *OF_WINDOW]
    if gamepads:
        found += [("on gamepads", ()), *_gamepad_rows(controls)]
    return found


def board_rows(name: str, buttons: Sequence[str]) -> list[Row]:
    """Return the rows of a board: what is written on its nine buttons, in the order of the controls."""
    found: list[Row] = [(name, ())]
    for action, controls in (*ON_GAMEPAD, ("target, 180, rewind", (len(buttons) - 1,))):
        caps = [buttons[control] for control in controls]
        if caps != ["NONE"]:
            found.append((action, caps))
    return found


def _gamepad_rows(controls: Mapping[str, int | None]) -> list[Row]:
    found: list[Row] = []
    for action, wanted in ON_GAMEPAD:
        names = [name for control in wanted for name, other in controls.items() if other == control]
        found.append((action, [name for name in names if name[:-1] not in STICKS][:_MOST_CAPS]))
    return found


class Legend:
    """Draw rows as a column of the requested height, or higher if they would be too small to read."""

    def __init__(self) -> None:
        pygame.font.init()
        self.rows = rows()
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
        return side if key in _ARROWS else max(side, self._font(row_px).size(cap(key))[0] + row_px // 2)

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
                words = font.render(cap(key), True, oled.COLOURS["white"].lit)
                surface.blit(words, words.get_rect(center=box.center))
            x += box.w + 3


def cap(key: str) -> str:
    """Return the label of a key or a button."""
    return _CAPS.get(key, key.removeprefix("K_").upper())
