"""Begin a game of a mode, and say before in which table it is; a menu does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.router import PLAY

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, Record, Settings


def describe_class(settings: "Settings", record: "Record", aim: int) -> bytes:
    """Return a note if the settings give games of a mode another table than the usual one, or none; else b""."""
    from firmware.modes.classes import USUAL, choose_options, find_class
    from firmware.modes.listing import name_class

    options = choose_options(settings, record)
    options.garbage_rows = 0  # a menu asks for them
    if settings.one_switch and b"slow" in record[b"knows"]:
        options.slow = 1
    number = find_class(options, record)
    if number == USUAL:
        return b""
    name = name_class(record, number) if aim == int(record[b"default"]) else b""
    return b"BY YOUR OPTIONS|" + (b"TABLE|" + name if name else b"NO SCORE TABLE")


def tell_classes(settings: "Settings", record: "Record", offers: "list[Any]") -> "tuple[Any, ...]":
    """Return the offers of a mode, with notes about their tables where these are not the usual ones."""
    # A list would take 160 bytes more.
    return tuple([each[:4] + (describe_class(settings, record, each[0]) or each[4],) for each in offers])


def open_mode(context: "Context", variant: int, aim: int, sets_up: bool) -> None:
    """Begin a game of a mode, or open the scene that asks for its level or day first; `sets_up` asks for more."""
    # Imported late here and below: saves 4 KB of heap in a menu.
    from firmware.modes.catalogue import find

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
    if following == PLAY:
        context.begin_game()
    else:
        context.go(following)
