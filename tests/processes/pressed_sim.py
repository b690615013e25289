"""Run `python -m sim` without a screen; press A once all players are in the lobby, and print the match's words.

Each change of the words over the Matrix prints a line, "PLAYS" if there are none.
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
from tests.support.pc_keys import key_event

_PRESS_FRAMES = 20  # frames between two presses
apps: list[App] = []
players, frames, last_words = int(sys.argv[1]), 0, ""
show_frame, init_app = Window.present, App.__init__


def press(key: int) -> None:
    if frames % _PRESS_FRAMES == 0:
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(key_event(kind, key))


def look_and_present(window: Window) -> None:
    """Replace Window.present: print new words, and press the key that the scene waits for."""
    global frames, last_words
    show_frame(window)
    frames += 1
    router = apps[0].router
    scene: Any = router.scene
    if router.name == "menus.scores_initials":
        press(pygame.K_RETURN)
    elif router.name == "link.lobby" and len(scene.lobby.members) == players and not scene.lobby.me.ready:
        press(pygame.K_x)
    elif router.name == "link.play" and (scene.said or "PLAYS") != last_words:
        last_words = scene.said or "PLAYS"
        print(last_words, flush=True)


def remember(app: App, *arguments: Any, **options: Any) -> None:
    apps.append(app)
    init_app(app, *arguments, **options)


with mock.patch.object(Window, "present", look_and_present), mock.patch.object(App, "__init__", remember):
    sys.exit(terminal.run(lambda: main(sys.argv[2:])))
