"""Connect the parts of a Device to a page.

Data that changes every frame is in shared memory. `host` is a module of JavaScript. It returns the time, which must
advance within a frame, saves a bank of flash and the unfinished game, and draws random numbers. It never raises.
"""

import gc
import sys
from array import array

import host

from firmware.compat import TYPE_CHECKING, const
from firmware.device.handheld import Machine
from sim.keys_page import PAGES
from sim.web import memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.contracts import Blob, Buffer, EdgeQueue
    from firmware.view.canvas import Canvas

_EIO = 5
_ENOSPC = 28
_NINTH = const(8)  # as in sim/contacts.py


class Display:
    """Show a Canvas: the page draws its memory whenever `state` counts a new picture."""

    def __init__(self, state: "array[int]", canvas: "Canvas") -> None:
        self.canvas = canvas
        self.most = 128
        self._state = state

    def show(self) -> None:
        """Count the picture if it changed."""
        dirty = self.canvas.dirty
        row = dirty.find(b"\x01")
        if row < 0:
            return
        self._state[memory.PICTURE] += 1
        while row >= 0:
            dirty[row] = 0
            row = dirty.find(b"\x01", row)

    def contrast(self, level: int) -> None:
        self._state[memory.CONTRAST] = level

    def turn(self, turned: int) -> None:
        self._state[memory.TURNED] = 1 if turned else 0

    def sleep(self, on: bool) -> None:
        self._state[memory.ASLEEP] = 1 if on else 0


class Buttons:
    """Take the edges that the page wrote."""

    def __init__(self, state: "array[int]") -> None:
        self.edges = array("i", [0] * (2 * memory.CAPACITY))
        self._state = state
        self._has_meaning: Callable[[], bool] = bool

    def connect(self, has_meaning: "Callable[[], bool]") -> None:
        """Pass on presses of the ninth button while `has_meaning` returns True: menus do not know it."""
        self._has_meaning = has_meaning

    def poll(self, sink: "EdgeQueue") -> None:
        state = self._state
        edges = self.edges
        while state[memory.TAKEN] != state[memory.WRITTEN] and sink.count < sink.capacity:
            at = 2 * (state[memory.TAKEN] % memory.CAPACITY)
            control = edges[at] & 15
            pressed = edges[at] >> 4
            if control < _NINTH or not pressed or self._has_meaning():
                sink.append(control, pressed, edges[at + 1])
            state[memory.TAKEN] += 1


class Link:
    """Carry bytes to and from the page, which has connected the link as the player chose."""

    def __init__(self, state: "array[int]") -> None:
        self.inbox = bytearray(memory.LINK_BYTES)
        self.outbox = bytearray(memory.LINK_BYTES)
        self._state = state

    def read_into(self, buffer: bytearray) -> int:
        state = self._state
        first = state[memory.READ]
        count = min(len(buffer), state[memory.HEARD] - first)
        for i in range(count):
            buffer[i] = self.inbox[(first + i) % memory.LINK_BYTES]
        state[memory.READ] = first + count
        return count

    def write(self, data: memoryview) -> int:
        state = self._state
        first = state[memory.SAID]
        count = min(len(data), state[memory.SENT] + memory.LINK_BYTES - first)
        for i in range(count):
            self.outbox[(first + i) % memory.LINK_BYTES] = data[i]
        state[memory.SAID] = first + count
        return count


class Buzzer:
    """Tell the page which tone to sound."""

    def __init__(self, state: "array[int]") -> None:
        self._state = state

    def tone(self, hz: int, duty: int) -> None:
        """Sound `hz` with `duty` 0..65535 until told otherwise."""
        self._state[memory.HZ] = hz
        self._state[memory.DUTY] = duty

    def off(self) -> None:
        self._state[memory.HZ] = 0


class Clock:
    """Return the page's time; the page also decides when to run a frame."""

    def ticks_ms(self) -> int:
        return host.now_ms()


class Bank:
    """Treat `bytes` as one bank of flash; the page saves them at once, or write() and erase() raise OSError.

    Only erased bytes can be written, as on a board.
    """

    def __init__(self, number: int) -> None:
        self.size = memory.BANK_BYTES
        self.bytes = bytearray(b"\xff" * memory.BANK_BYTES)
        self._number = number

    def read(self, offset: int, buffer: "Buffer") -> None:
        self._check(offset, len(buffer))
        buffer[:] = memoryview(self.bytes)[offset : offset + len(buffer)]

    def write(self, offset: int, data: "Blob") -> None:
        """Put `data` at `offset`, where bytes are erased; it is saved when this returns."""
        self._check(offset, len(data))
        for at in range(offset, offset + len(data)):
            if self.bytes[at] != 0xFF:
                raise OSError(_EIO)
        self.bytes[offset : offset + len(data)] = data
        self._keep()

    def erase(self) -> None:
        for at in range(self.size):
            self.bytes[at] = 0xFF
        self._keep()

    def _check(self, offset: int, count: int) -> None:
        if offset < 0 or offset + count > self.size:
            raise OSError(_ENOSPC)

    def _keep(self) -> None:
        if host.keep(self._number):
            raise OSError(_EIO)


class Keys:
    """Let the page choose and name its keys; see sim/desktop/keyboard.py."""

    players = 1

    def __init__(self, state: "array[int]", blob: bytearray) -> None:
        self._state = state
        self._blob = blob

    def name(self, person: int, control: int) -> bytes:
        """Return the labels of a control's keys in letters that a handheld has."""
        return bytes(memoryview(self._blob)[: host.name_keys(control)])

    def prompt(self, person: int, control: int) -> bytes:
        """Return the label of a control's first key, or of the button on the screen that a finger presses."""
        return bytes(memoryview(self._blob)[: host.name_prompt(control)])

    def ask(self, person: int, control: int) -> None:
        """Give the control the next key that is pressed."""
        self._state[memory.ASKED] = control + 1

    def stop(self) -> None:
        """Want no key any more."""
        self._state[memory.ASKED] = 0

    def is_asking(self) -> bool:
        return self._state[memory.ASKED] > 0

    def reset(self) -> None:
        """Give every control its usual keys again."""
        host.reset_keys()


class Page(Machine):
    name = b"WEB_PAGE"
    pages = PAGES

    def __init__(self, keys: Keys) -> None:
        self.keys = keys
        self.version = ".".join([str(part) for part in sys.implementation.version[:3]]).encode()

    def free_bytes(self) -> int:
        """Return the free bytes of the requested heap; the interpreter takes more if it must."""
        return memory.HEAP_BYTES - gc.mem_alloc()

    def draw_entropy(self) -> int:
        """Return 30 random bits from the browser."""
        return host.draw_chance()

    def read_day(self) -> int:
        return host.read_day()
