"""Read the screen's settings for the first picture, without the modules of all settings (save/settings.py)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.save.journal import SETTINGS, Journal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from firmware.contracts import Blob, Panel, Store

_MASKS_BYTES = const(8)
# Places among the fields after the masks, from 0.
_TURNED = const(8)
_READY = const(14)


def set_screen(stores: "Iterable[Store]", display: "Panel") -> bool:
    """Set the rotation and contrast of `display` from the newest settings in `stores`, if there are any.

    Return whether the player has finished the first start.
    """
    record = Journal(list(stores)).read(SETTINGS)
    try:
        at = skip(record, 1, 1 + record[1])  # the number of engine options, and the options
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
    """Return the end of `count` numbers from `at` on; save/varint.py would take 1 KB before the first picture."""
    for _ in range(count):
        while record[at] > 127:
            at += 1
        at += 1
    return at
