"""Switch on handhelds that were on once before, as a player's handheld was."""

from pathlib import Path

from tools.board import firmware_image
from tools.board.drive import deploy_files
from tools.board.handheld import Handheld, make_handheld
from tools.board.machine import Snapshot
from tools.board.player import Player
from tools.board.wires import LINK_SETTINGS


class Bench:
    """Handhelds with one CircuitPython and the same files.

    uf2: CircuitPython, by default from firmware_image.find().  files: of the drive, by default from tools.deploy.
    """

    def __init__(self, uf2: Path | None = None, files: dict[str, bytes] | None = None) -> None:
        self.uf2 = firmware_image.find(uf2)
        self.files = deploy_files() if files is None else files
        self._booted: dict[tuple[bytes, bool, int], tuple[Handheld, Snapshot]] = {}

    def switch_on(self, nvm: bytes, *, link: bool = False, fast: bool = True, seed: int = 1) -> Handheld:
        """Return a handheld that has just been switched on for the second time; arguments as for make_handheld()."""
        settings = LINK_SETTINGS if link else ()
        handheld = make_handheld(self.uf2, self.files, nvm=nvm, settings=settings, fast=fast, seed=seed)
        handheld.run(2 if fast else 4)
        handheld.restart()
        return handheld

    def to_title(self, nvm: bytes, *, link: bool = False, seed: int = 1) -> Player:
        """Return a player at the title; the same arguments give the same handheld at the same moment."""
        key = nvm, link, seed
        if key not in self._booted:
            player = Player(self.switch_on(nvm, link=link, seed=seed))
            player.to_title()
            self._booted[key] = player.handheld, player.handheld.snapshot()
        handheld, snapshot = self._booted[key]
        handheld.restore(snapshot)
        return Player(handheld)
