"""Read the screen's settings before the modules of all settings are loaded (save/preferences.py)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.save.journal import SETTINGS, Journal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from firmware.contracts import Blob, Panel, Store

_MASKS_BYTES = const(8)
_TURNED = const(8)  # places among the fields behind the masks
_CONTRAST = const(9)


def set_screen(stores: "Iterable[Store]", display: "Panel") -> None:
    """Turn and light `display` by the newest settings in the banks `stores`; without any leave it."""
    record = Journal(list(stores)).read(SETTINGS)
    at = 1  # behind the format
    try:
        fields = record[at]
        for _ in range(1 + fields):
            at = skip(record, at)
        at += _MASKS_BYTES
        for _ in range(_TURNED):
            at = skip(record, at)
        turned = record[at] & 1
        at = skip(record, at)
        level = record[at]
        if level > 127:
            level = level & 127 | record[at + 1] << 7
    except IndexError:
        return
    display.turn(turned)
    display.contrast(level & 255)


def skip(record: "Blob", at: int) -> int:
    """Return where the number after the one at `at` begins."""
    while record[at] > 127:
        at += 1
    return at + 1
