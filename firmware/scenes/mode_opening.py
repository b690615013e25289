"""Begin a game of a mode that a menu offers; nothing of this is in memory while the menu stands."""

from firmware.compat import TYPE_CHECKING
from firmware.modes.catalogue import find
from firmware.router import PLAY

if TYPE_CHECKING:
    from firmware.contracts import Context


def open_mode(context: "Context", variant: int, aim: int, sets_up: bool) -> None:
    """Begin a game of a mode at once, or go to the scene that asks for its level or its day first."""
    record = find(variant)
    settings = context.settings
    context.session.choose_variant(variant)
    settings.variant = variant
    settings.aim = aim
    settings.last_match = 0
    more = record[b"more"].split(b"|")[0].decode()
    following = more if sets_up else record[b"next"].decode()
    if following == PLAY:
        settings.level = 1
        settings.garbage_rows = 0
        if record[b"below"] == b"day":
            from firmware.modes.days import is_day, pack_day

            day = context.device.machine.read_day()
            if is_day(day):
                settings.day = pack_day(day)
            else:
                following = more
        context.save_settings()
    context.go(following)
