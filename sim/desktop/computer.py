"""Tell the firmware about the PC that the simulator runs on."""

import secrets
import time
from pathlib import Path

from firmware.device.handheld import Machine
from firmware.device.replay_files import ReplayFiles
from sim.all_clears import AllClears
from sim.desktop.keyboard import Keys
from sim.desktop.strong_seats import count_levels
from sim.keys_page import PAGES

_BEST_FOLDER = "best"


class Computer(Machine):
    """Give a handheld the date, a folder for its best games, and new tasks.

    make_all_clear: makes an all-clear task; see AllClears.make.  keys: those that the player can choose, or None.
    """

    def __init__(self, folder: Path | None = None, keys: Keys | None = None) -> None:
        self._folder = folder
        self.keys = keys
        if keys:
            self.pages = PAGES
        self.levels = count_levels()
        self.make_all_clear = AllClears().make

    def open_replay_files(self) -> ReplayFiles | None:
        """Return the folder for recordings of the best games, beside the saves."""
        return ReplayFiles(str(self._folder / _BEST_FOLDER)) if self._folder else None

    def draw_entropy(self) -> int:
        """Return 30 random bits, which nobody can guess: a linked match makes its keys of them."""
        return secrets.randbits(30)

    def read_day(self) -> int:
        """Return today's date as a number."""
        return int(time.strftime("%Y%m%d"))
