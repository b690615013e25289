"""Tell of the PC that is the handheld here."""

from __future__ import annotations

from pathlib import Path

from firmware.device.handheld import Machine
from firmware.device.shelf import Shelf

_SHELF = "best"


class Desktop(Machine):
    """Be a PC that keeps recordings of the best games in a folder beside the saves."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open_shelf(self) -> Shelf:
        """Return the shelf."""
        return Shelf(str(self._folder / _SHELF))
