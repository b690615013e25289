"""Begin a game of a mode, and say before in which table it is; find the table of the mode played last."""

from firmware.compat import TYPE_CHECKING
from firmware.router import PLAY

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, Record, Settings
    from firmware.engine.options import Options
    from firmware.modes.listing import Choice


def choose(settings: "Settings", record: "Record") -> "Options":
    """Return the options of a mode's next game; a switch makes some games slow."""
    from firmware.modes.classes import choose_options

    options = choose_options(settings, record)
    if settings.one_switch and b"slow" in record[b"knows"]:
        options.slow = 1
    return options


def describe_class(options: "Options", record: "Record") -> bytes:
    """Return which table a game of a mode has, or that it has none; b"" for the usual one."""
    from firmware.modes.classes import USUAL, find_class
    from firmware.modes.listing import name_class

    number = find_class(options, record)
    if number == USUAL:
        return b""
    aim = int(record[b"default"])
    name = name_class(record, number) if (options.aim or aim) == aim else b""
    return b"TABLE|" + name if name else b"NO SCORE TABLE"


def describe(settings: "Settings", record: "Record", aim: int) -> bytes:
    """Return a note if the settings give games of a mode another table than the usual one, or none; else b""."""
    options = choose(settings, record)
    options.garbage_rows = 0  # a menu asks for them
    options.aim = aim
    words = describe_class(options, record)
    return b"BY YOUR OPTIONS|" + words if words else b""


def list_offers(settings: "Settings", record: "Record") -> "tuple[tuple[Any, ...], int]":
    """Return the offers of a mode as a menu's line has them (ModeMenu), and the number of the chosen one.

    Notes tell of tables that are not the usual ones. This code is here because it would take 300 bytes in the menu.
    """
    from firmware.modes.listing import list_choices

    last = settings.aim if int(record[b"mode"].split()[0]) == settings.variant else 0
    offers: "list[tuple[Any, ...]]" = [
        (last if b"aim any" in record else choice.aim, False, choice.name, choice.word, choice.note)
        for choice in list_choices([record])
    ]
    aims = [offer[0] for offer in offers]
    notes = [describe(settings, record, aim) for aim in aims]
    scene, _, more = record[b"more"].partition(b"|")
    if scene and record[b"next"] == b"play":
        offers += [(aim, True, name, word + b"+", more) for aim, _, name, word, _ in offers]
        notes += notes
    last = last or int(record[b"default"])
    told = [(aim, sets_up, name, word, own or note) for (aim, sets_up, name, word, note), own in zip(offers, notes)]
    return tuple(told), aims.index(last) if last in aims else 0  # a list would take 160 bytes more


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


def find_shown(settings: "Settings", tables: "list[Choice]") -> int:
    """Return the number of the table of the mode played last; 0 without one."""
    # Imported late: a menu that begins a game needs none.
    from firmware.modes.catalogue import find
    from firmware.modes.classes import choose_options, find_class
    from firmware.save.scores import find_kind

    record = find(settings.variant)
    options = choose_options(settings, record)
    kind = find_kind(record, options.aim, find_class(options, record)) or find_kind(record, options.aim)
    return [choice.kind for choice in tables].index(kind) if kind else 0
