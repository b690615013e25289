"""Follow the gamepads that are plugged in and out, all that SDL knows (pygame-ce)."""

import os
from collections.abc import Callable
from typing import Any

import pygame
from pygame._sdl2 import controller as sdl  # noqa: PLC2701 - pygame has no other name for it

from sim.desktop.gamepad import AXIS_NAMES, BUTTON_NAMES, Gamepads, sdl_database_path

_FULL = 32_767


class Controllers:
    """Open every gamepad and report its buttons to `gamepads`.

    names: of the connected gamepads, by SDL's number.  unknown: names of those without a mapping.  tell: called with a
    line for each of these.
    """

    def __init__(self, gamepads: Gamepads, tell: Callable[[str], None] = lambda line: None) -> None:
        self.gamepads = gamepads
        self.names: dict[int, str] = {}
        self.unknown: dict[int, str] = {}
        self._tell = tell
        self._open: dict[int, Any] = {}  # SDL closes controllers without a reference
        os.environ.setdefault("SDL_GAMECONTROLLERCONFIG_FILE", str(sdl_database_path()))
        sdl.init()
        pygame.joystick.init()
        for index in range(sdl.get_count()):
            self._add(index)

    def take_event(self, event: Any, t_ms: int) -> None:
        """Handle an event of pygame if it comes from a gamepad."""
        if event.type == pygame.CONTROLLERDEVICEADDED:
            self._add(event.device_index)
        elif event.type == pygame.JOYDEVICEADDED:
            self._refuse(event.device_index)
        elif event.type == pygame.JOYDEVICEREMOVED:
            self.unknown.pop(event.instance_id, None)
        elif event.type == pygame.CONTROLLERDEVICEREMOVED:
            self._open.pop(event.instance_id, None)
            self.names.pop(event.instance_id, None)
            self.gamepads.remove(event.instance_id, t_ms)
        elif event.type in (pygame.CONTROLLERBUTTONDOWN, pygame.CONTROLLERBUTTONUP):
            if event.button < len(BUTTON_NAMES):
                pressed = event.type == pygame.CONTROLLERBUTTONDOWN
                self.gamepads.move_button(event.instance_id, BUTTON_NAMES[event.button], pressed, t_ms)
        elif event.type == pygame.CONTROLLERAXISMOTION and event.axis < len(AXIS_NAMES):
            self.gamepads.move_axis(event.instance_id, AXIS_NAMES[event.axis], event.value / _FULL, t_ms)

    def _add(self, index: int) -> None:
        if not sdl.is_controller(index):
            self._refuse(index)
            return
        try:
            opened = sdl.Controller(index)
            number = opened.as_joystick().get_instance_id()
        except pygame.error:  # unplugged again
            return
        self._open[number] = opened
        self.names[number] = opened.name
        self.gamepads.owner(number)  # in the order of connection, not of the first press

    def _refuse(self, index: int) -> None:
        """Say once that SDL does not know the buttons of a gamepad, and how it learns them."""
        if sdl.is_controller(index):
            return
        try:
            joystick = pygame.joystick.Joystick(index)
            number, name = joystick.get_instance_id(), joystick.get_name()
        except pygame.error:  # unplugged again
            return
        if number not in self.unknown:
            self.unknown[number] = name
            path = sdl_database_path()
            self._tell(f"{name} has no mapping, so it does nothing; put its line of gamecontrollerdb.txt into {path}")
