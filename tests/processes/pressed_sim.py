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
apps: list[App] = []
players, frames, said = int(sys.argv[1]), 0, ""
present, begin = Window.present, App.__init__


def press(key: int) -> None:
    """Press a key now and then."""
    if frames % _EVERY == 0:
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=key))


def look_and_present(window: Window) -> None:
    """Take the place of Window.present: see what there is to be seen, and press A where it is asked for."""
    global frames, said
    present(window)
    frames += 1
    router = apps[0].router
    scene: Any = router.scene
    if router.name == "menus.scores_initials":
        press(pygame.K_RETURN)
    elif router.name == "link.lobby" and len(scene.lobby.members) == players and not scene.lobby.me.ready:
        press(pygame.K_x)
    elif router.name == "link.play" and (scene.said or "PLAYS") != said:
        said = scene.said or "PLAYS"
        print(said, flush=True)


def remember(app: App, *arguments: Any, **options: Any) -> None:
    """Take the place of App.__init__."""
    apps.append(app)
    begin(app, *arguments, **options)


with mock.patch.object(Window, "present", look_and_present), mock.patch.object(App, "__init__", remember):
    sys.exit(terminal.run(lambda: main(sys.argv[2:])))
