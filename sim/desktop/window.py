"""Show OLEDs and a legend in a window, and read the PC's keyboard and gamepads (pygame-ce)."""

import os
from collections.abc import Callable, Sequence
from typing import Any

import pygame

from sim import oled
from sim.desktop import layout, native_output
from sim.desktop.controllers import Controllers
from sim.desktop.keyboard import Keyboard
from sim.desktop.legend import Legend
from sim.desktop.legend_rows import Row, list_all, list_for_party, list_unmapped
from sim.desktop.oled_surface import OledSurface

_DESKTOP_SHARE = 0.88  # of the screen's height: the rest is for title bars and docks
_TITLE_MS = 500
_NAME = "Skyline"
# SDL chooses these drivers without a screen; the game would be invisible.
_UNSEEN = ("offscreen", "dummy")
_LARGER = (pygame.K_PLUS, pygame.K_EQUALS, pygame.K_KP_PLUS)
_SMALLER = (pygame.K_MINUS, pygame.K_KP_MINUS)
MOST_SCALE = 32


class Window:
    """Draw `oleds` side by side at `scale` screen pixels a pixel, 0 for the largest that fits.

    pump() passes events to `keyboard` and `controllers`, and updates the title bar. present() draws the
    pictures that changed. `closed` becomes True when the player closes the window. `focus_lost`, if set,
    is called after all keys were released. `copied`, if set, returns the text for Control C, or "" if the keys mean
    the game's. `pasted` gets the text of Control V and returns whether it is wanted. `more`: rows below the legend's
    own. Raises pygame.error if there is no screen.
    """

    def __init__(
        self,
        oleds: Sequence[OledSurface],
        keyboard: Keyboard,
        ticks_ms: Callable[[], int],
        scale: int = 0,
        controllers: Controllers | None = None,
        legend: bool = True,
        more: Sequence[Row] = (),
    ) -> None:
        for variable in ("SDL_VIDEO_X11_WMCLASS", "SDL_VIDEO_WAYLAND_WMCLASS"):
            os.environ.setdefault(variable, _NAME)  # or a desktop calls the window "python"
        with native_output.silence():
            pygame.display.init()
        driver = pygame.display.get_driver()
        if driver in _UNSEEN and driver not in os.environ.get("SDL_VIDEODRIVER", ""):
            raise pygame.error("no display was found")
        self.closed = False
        self.focus_lost: Callable[[], None] | None = None
        self.copied: Callable[[], str] | None = None
        self.pasted: Callable[[str], bool] | None = None
        self.oleds = oleds
        self.legend_shown = legend
        self.fullscreen = False
        self._maximized = False
        self._layout = layout.Layout()
        self._layout.read()
        self._legend = Legend(self._layout.label)
        self._keyboard = keyboard
        keyboard.keys.label = self._layout.label
        keyboard.keys.changed.append(self._name_keys)
        self._controllers = controllers
        self._ticks_ms = ticks_ms
        self._frames = 0
        self._title_ms = ticks_ms()
        self._more = more
        self._legend.rows = self._rows()

        width, height = pygame.display.get_desktop_sizes()[0]
        self.scale = scale or max(1, self._largest_scale(width, int(height * _DESKTOP_SHARE)))
        self._window = pygame.Window(_NAME, self._size(self.scale), resizable=True)
        self._window.minimum_size = (oleds[0].width, oleds[0].height)
        self._window.set_icon(_icon())
        pygame.key.stop_text_input()  # or an input method swallows letters
        self._arrange()

    @property
    def surface(self) -> pygame.Surface:
        return self._window.get_surface()

    @property
    def title(self) -> str:
        return self._window.title

    def close(self) -> None:
        """Close the window; if the garbage collector closed it, it could close a later window, too."""
        self._window.destroy()

    def present(self) -> None:
        """Draw what changed, and count the frame for the title bar."""
        self._frames += 1
        self._draw()

    def pump(self) -> None:
        """Handle the events since the last call; they get one time, so that the game orders them by meaning."""
        now_ms = self._ticks_ms()
        for event in pygame.event.get():
            self._take_event(event, now_ms)
        self._draw()  # a sleeping chip sends no more frames
        passed_ms = (self._ticks_ms() - self._title_ms) % (1 << 29)
        if passed_ms >= _TITLE_MS:
            asleep = not any(panel.display.chip.on for panel in self.oleds)
            self._window.title = f"{_NAME} \N{EM DASH} " + (
                "asleep" if asleep else f"{round(self._frames * 1000 / passed_ms)} fps"
            )
            self._frames = 0
            self._title_ms = self._ticks_ms()

    def _take_event(self, event: Any, now_ms: int) -> None:
        if event.type == pygame.KEYDOWN:
            key = layout.KEYS.get(event.scancode)
            if not self._press_shortcut(event) and key:
                self._keyboard.press(key, now_ms, layout.find_letter(event))
        elif event.type == pygame.KEYUP:
            key = layout.KEYS.get(event.scancode)
            if key:
                self._keyboard.release(key, now_ms)
        elif event.type == pygame.KEYMAPCHANGED:
            self._layout.read()
            self._name_keys()
        elif event.type == pygame.QUIT:
            self.closed = True
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._keyboard.release_all(now_ms)
            if self.focus_lost:
                self.focus_lost()
        elif event.type in (pygame.WINDOWSIZECHANGED, pygame.WINDOWEXPOSED):
            self._arrange()
        elif event.type in (pygame.WINDOWMAXIMIZED, pygame.WINDOWRESTORED):
            self._maximized = event.type == pygame.WINDOWMAXIMIZED
        elif self._controllers:
            self._controllers.take_event(event, now_ms)
            rows_before = self._legend.rows
            self._legend.rows = self._rows()
            if self._legend.rows != rows_before:
                self._fit()

    def _name_keys(self) -> None:
        """Show the present keys in the legend."""
        self._legend.rows = self._rows()
        self._fit()

    def _rows(self) -> list[Row]:
        """Return the rows of the legend: everybody's keys, and the connected gamepads."""
        people = self._keyboard.people
        controls: dict[str, int | None] = {}
        pads: list[tuple[int, str]] = []  # the person and the name of each gamepad
        more = list(self._more)
        if self._controllers:
            more += list_unmapped(self._controllers.unknown.values())
            gamepads = self._controllers.gamepads
            controls = gamepads.controls
            names = self._controllers.names.items()
            pads = sorted((people.index(gamepads.owner(pad)), name) for pad, name in names)
        if len(people) > 1:
            return [*list_for_party(self._keyboard.keys, pads, controls), *more]
        return [*list_all(self._keyboard.keys, [name for _person, name in pads], controls), *more]

    def _press_shortcut(self, event: Any) -> bool:
        if event.key == pygame.K_TAB and not event.mod & pygame.KMOD_ALT:
            self.legend_shown = not self.legend_shown
            self._fit()
        elif event.key == pygame.K_F11:
            self.fullscreen = not self.fullscreen
            if self.fullscreen:
                self._window.set_fullscreen(desktop=True)
            else:
                self._window.set_windowed()
            self._arrange()
        elif event.key in _LARGER + _SMALLER and event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            scale = self.scale + (1 if event.key in _LARGER else -1)
            self.scale = max(1, min(self._largest_scale(*pygame.display.get_desktop_sizes()[0]), scale))
            self._fit()
        elif event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META) and layout.find_letter(event) in ("c", "v"):
            return self._copy() if layout.find_letter(event) == "c" else self._paste()
        else:
            return False
        return True

    def _copy(self) -> bool:
        """Put the text of the menu into the clipboard; return whether there is one."""
        text = self.copied() if self.copied else ""
        if text:
            pygame.scrap.put_text(text)
        return bool(text)

    def _paste(self) -> bool:
        """Give the text in the clipboard to the menu; return whether it wants it."""
        return self.pasted is not None and self.pasted(pygame.scrap.get_text())

    def _fit(self) -> None:
        """Resize the window to its content, unless it is maximized or full screen."""
        if not (self.fullscreen or self._maximized):
            self._window.size = self._size(self.scale)
        self._arrange()

    def _size(self, scale: int, legend: bool | None = None) -> tuple[int, int]:
        width, height = sum(panel.width for panel in self.oleds) * scale, self.oleds[0].height * scale
        if self.legend_shown if legend is None else legend:
            beside, least = self._legend.size(height)
            width, height = width + beside, max(height, least)
        return width, height

    def _largest_scale(self, width: int, height: int, legend: bool | None = None) -> int:
        """Return the largest scale at which everything fits, 0 for none."""
        for scale in range(MOST_SCALE, 0, -1):
            wide, high = self._size(scale, legend)
            if wide <= width and high <= height:
                return scale
        return 0

    def _arrange(self) -> None:
        """Draw everything in the middle of the window, as large as fits; the legend only if there is room."""
        surface = self.surface
        width, height = surface.get_size()
        legend = self.legend_shown
        scale = self._largest_scale(width, height)
        if not scale:
            legend = False
            scale = max(1, self._largest_scale(width, height, legend))
        self.scale = scale
        wide, _high = self._size(scale, legend)
        x, high = (width - wide) // 2, self.oleds[0].height * scale
        surface.fill(oled.BODY_RGB)
        for panel in self.oleds:
            panel.place(surface, x, (height - high) // 2, scale)
            panel.draw(surface)
            x += panel.width * scale
        if legend:
            _wide, tall = self._legend.size(high)
            self._legend.draw(surface, x, (height - tall) // 2, high)
        self._window.flip()

    def _draw(self) -> None:
        changed = [panel for panel in self.oleds if panel.is_changed]
        for panel in changed:
            panel.draw(self.surface)
        if changed:
            self._window.flip()


def _icon() -> pygame.Surface:
    icon = pygame.Surface((32, 32), pygame.SRCALPHA)
    for x, y in ((1, 0), (0, 1), (1, 1), (2, 1)):
        pygame.draw.rect(icon, oled.COLOURS["white"].lit, (2 + 10 * x, 6 + 10 * y, 8, 8), border_radius=1)
    return icon
