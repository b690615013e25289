"""Find functions in the machine code of CircuitPython by their Python names, in any version for the RP2040."""

import functools
from dataclasses import dataclass

import numpy as np

from tools.board import BoardError
from tools.board.rp2040.layout import FLASH_START
from tools.deploy import DeployError, rom

_CODE_BYTES = 1024 * 1024  # the flash's part for CircuitPython
_OBJECT = 0x6  # the low bits of a name as an object (MicroPython's REPR_C)
_OBJECT_SHIFT = 4
_PUSH, _POP_PC, _BL, _BL_NEXT = 0xB500, 0xBD00, 0xF000, 0xD000  # of the Thumb instructions
_LONGEST = 64  # halfwords of gc_collect()


@dataclass(frozen=True)
class Functions:
    """Addresses of functions.  swept: in gc_collect(), after its last step."""

    time_sleep: int
    get_into: int  # keypad.EventQueue.get_into; the game calls it once a frame and once for each edge
    gc_collect: int
    swept: int


@functools.lru_cache(4)
def find(flash: bytes) -> Functions:
    """Return the functions of the CircuitPython in a flash memory; raise BoardError if there is none."""
    code = flash[:_CODE_BYTES]
    try:
        pools = rom.find_pools(code)
    except DeployError:
        raise BoardError("there is no CircuitPython for an RP2040 in the flash") from None
    numbers = {name: pool.first + number for pool in pools for number, name in enumerate(pool.names)}
    words = np.frombuffer(code, "<u4").astype(np.int64)
    halves = np.frombuffer(code, "<u2").astype(np.int64)
    python_collect = _find_function(words, numbers, "collect", beside="mem_free")
    _after, gc_collect = list_calls(halves, python_collect)[0]
    after_last_step, _called = list_calls(halves, gc_collect)[-1]
    return Functions(
        _find_function(words, numbers, "sleep", beside="monotonic"),
        _find_function(words, numbers, "get_into", beside="get"),
        gc_collect,
        after_last_step,
    )


def _find_function(words: np.ndarray, numbers: dict[str, int], name: str, beside: str) -> int:
    """Return the address of the function with a name in the table of names that also has `beside`; raise BoardError.

    A table has pairs of words, a name and an object; a function's object holds its type and address.
    """
    key, other = (numbers.get(each, -1) << _OBJECT_SHIFT | _OBJECT for each in (name, beside))
    for at in np.flatnonzero(words[:-1] == key).tolist():
        near = words[max(0, at - 64) : at + 64]
        object_at = int(words[at + 1]) - FLASH_START
        if other in near and 0 <= object_at < 4 * len(words) - 4 and not object_at % 4:
            return int(words[object_at // 4 + 1]) & ~1
    raise BoardError(f"there is no {name}() in this CircuitPython")


def list_calls(halves: np.ndarray, function: int) -> list[tuple[int, int]]:
    """Return the address after each BL of a function, and where it leads; raise BoardError if there is none."""
    at = function - FLASH_START >> 1
    found = []
    for place in range(at, at + _LONGEST):
        first, second = (int(each) for each in halves[place : place + 2])
        if first & 0xFF00 == _POP_PC:
            break
        if first & 0xF800 == _BL and second & _BL_NEXT == _BL_NEXT:
            after = FLASH_START + 2 * place + 4
            sign = first >> 10 & 1
            high = (1 ^ sign ^ second >> 13 & 1) << 23 | (1 ^ sign ^ second >> 11 & 1) << 22
            offset = high | (first & 0x3FF) << 12 | (second & 0x7FF) << 1
            found.append((after, after + offset - (sign << 24)))
    if not found:
        raise BoardError("gc.collect() of this CircuitPython is built in a way that is not known here")
    return found
