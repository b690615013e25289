"""Run `python -m sim` without a screen: it presses A when so many are in the lobby, and prints what its match says.

Of each change of the words over the Matrix there is one line; "PLAYS" stands for none.
"""

import os
import sys
from pathlib import Path
from typing import Any
from unittest import mock

os.environ |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
sys.path.insert(0, str(Path(__file__).parents[2]))

import pygame

from firmware.app import App
from sim import terminal
from sim.cli import main
from sim.desktop.window import Window

_EVERY = 20  # frames between two presses


class Pressed:
    """What is done at each picture of a window."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.apps: list[App] = []
        self.frames = 0
        self.said = ""

    def look(self) -> None:
        """See what there is to be seen, and press A where it is asked for."""
        app = self.apps[0]
        scene: Any = app.router.scene
        self.frames += 1
        if app.router.name == "menus.scores_initials":
            self.press(pygame.K_RETURN)
        elif app.router.name == "link.lobby" and len(scene.lobby.members) == self.players and not scene.lobby.me.ready:
            self.press(pygame.K_x)
        elif app.router.name == "link.play" and (scene.said or "PLAYS") != self.said:
            self.said = scene.said or "PLAYS"
            print(self.said, flush=True)

    def press(self, key: int) -> None:
        """Press a key now and then."""
        if self.frames % _EVERY == 0:
            for kind in (pygame.KEYDOWN, pygame.KEYUP):
                pygame.event.post(pygame.event.Event(kind, key=key))


pressed = Pressed(int(sys.argv[1]))
present, begin = Window.present, App.__init__


def look_and_present(window: Window) -> None:
    """Take the place of Window.present."""
    present(window)
    pressed.look()


def remember(app: App, *arguments: Any, **options: Any) -> None:
    """Take the place of App.__init__."""
    pressed.apps.append(app)
    begin(app, *arguments, **options)


with mock.patch.object(Window, "present", look_and_present), mock.patch.object(App, "__init__", remember):
    sys.exit(terminal.run(lambda: main(sys.argv[2:])))
