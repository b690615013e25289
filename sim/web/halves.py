"""Add the rest of the firmware to the half that a page begins with."""

import os

import uctypes
import vfs

from firmware.compat import TYPE_CHECKING
from firmware.modes.catalogue import find
from firmware.router import PLAY, find_scene

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Context

ROM = "/rom"
parts: "list[Any]" = []  # the file systems of both halves, once they are joined


class Halves:
    """Join the file systems: a file is in one of them."""

    def mount(self, readonly: bool, makes: bool) -> None:
        pass

    def umount(self) -> None:
        pass

    def chdir(self, path: str) -> None:
        pass

    def stat(self, path: str) -> "Any":
        try:
            return parts[0].stat(path)
        except OSError:
            return parts[1].stat(path)

    def open(self, path: str, mode: str) -> "Any":
        try:
            return parts[0].open(path, mode)
        except OSError:
            return parts[1].open(path, mode)


def join(address: int, length: int) -> None:
    """Join the half in the ROM with an image at an address in memory."""
    parts.append(vfs.mount()[0][0])
    parts.append(vfs.VfsRom(uctypes.bytearray_at(address, length)))
    vfs.umount(ROM)
    vfs.mount(Halves(), ROM)
    os.chdir(ROM)  # where imports look


def is_there(context: "Context", name: str) -> bool:
    """Return whether a scene can open, in play with the mode of the next game."""
    if parts:
        return True
    variant = context.session.variant
    paths = [context.device.machine.pages.get(name) or find_scene(name, variant)]
    if name == PLAY:
        paths.append("firmware.modes." + find(variant)[b"mode"].split()[2].decode())
    try:
        for path in paths:
            os.stat(path.replace(".", "/") + ".mpy")
    except OSError:
        return False
    return True
