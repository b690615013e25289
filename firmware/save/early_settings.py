"""Read the screen's settings before the modules of all settings are loaded (save/preferences.py)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.save.journal import SETTINGS, Journal
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from firmware.contracts import Panel, Store

_MASKS_BYTES = const(8)
_TURNED = const(8)  # its place among the fields behind the masks


def set_screen(stores: "Iterable[Store]", display: "Panel") -> None:
    """Turn and light `display` by the newest settings in the banks `stores`; without any leave it."""
    record = Journal(list(stores)).read(SETTINGS)
    numbers = Numbers(record, False, 1)  # behind the format
    try:
        for _ in range(numbers.get()):
            numbers.get()
        numbers.at += _MASKS_BYTES
        for _ in range(_TURNED):
            numbers.get()
        turned = numbers.get() & 1
        level = numbers.get() & 255
    except ValueError:
        return
    display.turn(turned)
    display.contrast(level)
