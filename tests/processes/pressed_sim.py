"""Run `python -m sim` without a screen: it presses A when so many are in the lobby, and prints what its match says.

Of each change of the words over the Matrix there is one line; "PLAYS" stands for none.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

os.environ |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
sys.path.insert(0, str(Path(__file__).parents[2]))

import pygame

from firmware.app import App
from sim import terminal
from sim.cli import main
from sim.window import Window

_EVERY = 20  # frames between two presses

apps: list[App] = []
said = ""


def look(window: Window) -> None:
    """See what there is to be seen, and press A where it is asked for."""
    global said
    present(window)
    look.frames += 1  # type: ignore[attr-defined]
    scene: Any = apps[0].scene
    if apps[0].name == "link_lobby" and len(scene.lobby.members) == players and not scene.lobby.me.ready:
        if look.frames % _EVERY == 0:  # type: ignore[attr-defined]
            for kind in (pygame.KEYDOWN, pygame.KEYUP):
                pygame.event.post(pygame.event.Event(kind, key=pygame.K_x))
    elif apps[0].name == "link_play":
        now = scene.said or "PLAYS"
        if now != said:
            said = now
            print(said, flush=True)


def remember(app: App, *arguments: Any, **options: Any) -> None:
    """Know the App that is begun."""
    apps.append(app)
    begin(app, *arguments, **options)


look.frames = 0  # type: ignore[attr-defined]
present, Window.present = Window.present, look  # type: ignore[method-assign]
begin, App.__init__ = App.__init__, remember  # type: ignore[method-assign]
players = int(sys.argv[1])
sys.exit(terminal.run(lambda: main(sys.argv[2:])))
