"""Read the screen's settings before the modules of all settings are loaded (save/preferences.py)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.save.journal import SETTINGS, Journal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from firmware.contracts import Blob, Panel, Store

_MASKS_BYTES = const(8)
# Their places among the fields behind the masks.
_TURNED = const(8)
_READY = const(14)


def set_screen(stores: "Iterable[Store]", display: "Panel") -> bool:
    """Turn and light `display` by the newest settings in the banks `stores`; without any leave it.

    Return whether the first start is over.
    """
    record = Journal(list(stores)).read(SETTINGS)
    try:
        at = skip(record, 1, 1 + record[1])  # behind the format
        at = skip(record, at + _MASKS_BYTES, _TURNED)
        turned = record[at] & 1
        at = skip(record, at, 1)
        ready = record[skip(record, at, _READY - _TURNED - 1)] > 0
        level = record[at]
        if level > 127:
            level = level & 127 | record[at + 1] << 7
    except IndexError:
        return False
    display.turn(turned)
    display.contrast(level & 255)
    return ready


def skip(record: "Blob", at: int, count: int) -> int:
    """Return where the numbers from `at` on end; save/varint.py would add 1 KB to the first picture."""
    for _ in range(count):
        while record[at] > 127:
            at += 1
        at += 1
    return at
