"""Describe this board; restart it, and leave a word for the next run of code.py."""

import gc
import os
import time

import board
import storage
import supervisor

from firmware.compat import TYPE_CHECKING, const
from firmware.device import errand
from firmware.device.handheld import Machine

if TYPE_CHECKING:
    from firmware.contracts import ReplayFiles

_FIRST_YEAR = const(2026)
_MEMORY_FULL = b"Sky!MemoryError: the memory is full\0"  # used if no memory is left to word the problem


def leave(word: bytes) -> None:
    """Leave a word of up to 60 bytes for the next run of code.py (errand.py reads it)."""
    word = errand.MARK + word + b"\0"
    errand.sleep_memory[0 : len(word)] = word


class Board(Machine):
    """Represent a CircuitPython board."""

    def __init__(self) -> None:
        self.name = board.board_id.encode()
        self.version = os.uname()[2].encode()
        self.renews = len(errand.sleep_memory) > 0

    def free_bytes(self) -> int:
        return gc.mem_free()

    def owns_drive(self) -> bool:
        """Return whether the game writes to the drive, because B was held at power-on."""
        return not storage.getmount("/").readonly

    def open_replay_files(self) -> "ReplayFiles | None":
        """Return the recordings of first places on the drive, imported when needed."""
        from firmware.device.replay_files import ReplayFiles

        return ReplayFiles()

    def list_pins(self) -> "list[bytes]":
        from firmware.device.pin_names import list_pins
        from firmware.device.profiles import overlay
        from firmware.device.settings import load

        return list_pins(overlay(load(True), board.board_id))

    def renew(self, word: bytes) -> None:
        """Restart code.py with an empty heap and leave it `word`; return if the board cannot."""
        if self.renews:
            leave(word)
            supervisor.reload()

    def leave_problem(self, problem: Exception) -> None:
        """Leave a word about a fatal error: CircuitPython loses the traceback if the heap was full."""
        if self.renews:
            errand.sleep_memory[0 : len(_MEMORY_FULL)] = _MEMORY_FULL
            gc.collect()
            try:
                leave(b"!" + (type(problem).__name__ + ": " + str(problem)).encode()[:50])
            except MemoryError:
                pass  # `_MEMORY_FULL` stays

    def draw_entropy(self) -> int:
        """Return 30 bits of the chip's own entropy; 0 if CircuitPython has none."""
        try:
            return int.from_bytes(os.urandom(4), "little") >> 2
        except (AttributeError, NotImplementedError):
            return 0

    def read_day(self) -> int:
        """Return today's date as a number like 20261122; 0 if no PC has set the clock since power-on."""
        now = time.localtime()
        return now[0] * 10000 + now[1] * 100 + now[2] if now[0] >= _FIRST_YEAR else 0
