"""Turn the rules of a game or match into numbers, and set the settings by them (README.md, "The numbers")."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.extra_rules import ALL
from firmware.engine.options import ALL_SPINS
from firmware.engine.randomizer import SEEDS
from firmware.modes.catalogue import find
from firmware.modes.classes import EXTRAS
from firmware.modes.listing import list_choices
from firmware.option_table import list_shared
from firmware.players.levels import STRONGEST
from firmware.save import match_choices
from firmware.save.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.contracts import Any, Blob, Record

MATCH = const(0)  # the first number of a match; of a game it is 1 + its variant
SEED = const(100)
CHOICES = const(101)
NO_SEED = const(-1)
LEVEL = const(0)  # places of firmware/options.txt: comparing names would keep them from becoming names of the ROM
AIM = const(12)
_MODERN = const(19)
_SPINS = const(25)

# (place, name, least, most, default, line of a menu, words for values or None) of a game's options without the handling
OPTIONS = list_shared()
_NEWER = "made by a newer Skyline"
_MATCH_RECORD = {b"mode": b"- match -", b"knows": b"delays deal"}


def find_record(kind: int) -> "Record":
    """Return the record of a mode by the first number of its lines, or one of a match; raise ValueError."""
    try:
        return find(kind - 1) if kind else _MATCH_RECORD
    except ValueError:
        raise ValueError(_NEWER) from None


def knows(record: "Record", name: str) -> bool:
    """Return whether a mode knows an option by its name."""
    if name not in EXTRAS[0]:
        return True
    return EXTRAS[1].split()[EXTRAS[0].index(name)] in record[b"knows"].split()


def list_places(kind: int) -> "Iterator[tuple[Any, ...]]":
    """Yield a tuple as in OPTIONS for each place that the line of a kind may hold, in order."""
    record = find_record(kind)
    for option in OPTIONS:
        if knows(record, option[1]):
            yield option
    if kind:
        yield SEED, "", 0, SEEDS - 1, NO_SEED, b"SEED", None
    else:
        defaults = match_choices.read(Settings())
        for i in list_match():
            count = match_choices.RULES_COUNT if i == match_choices.RULES else match_choices.COUNTS[i]
            yield CHOICES + i, "", 0, (STRONGEST if is_level(i) else count) - 1, defaults[i], b"CHOICE", None


def list_match() -> "list[int]":
    """Return the choices of a match that a line may hold."""
    return list(range(match_choices.STRONGER)) + [match_choices.RULES]


def is_level(choice: int) -> bool:
    return match_choices.LEVELS <= choice < match_choices.TEAMS


def read_choice(choices: "Blob", choice: int) -> int:
    """Return the value of a choice; a level counts from 0, and the rules are the option of a match."""
    if choice == match_choices.RULES:
        return match_choices.find_rules(choices)
    return match_choices.find_level(choices, choice - match_choices.LEVELS) - 1 if is_level(choice) else choices[choice]


def set_choice(choices: bytearray, choice: int, value: int) -> None:
    if choice == match_choices.RULES:
        match_choices.set_rules(choices, value)
    elif is_level(choice):
        match_choices.set_level(choices, choice - match_choices.LEVELS, value + 1)
    else:
        choices[choice] = value


def collect(settings: Settings, matched: int, seed: int = NO_SEED) -> "list[int]":
    """Return the numbers of the last game, or of the next match."""
    kind = MATCH if matched else settings.variant + 1
    choices = match_choices.read(settings)
    numbers = [kind]
    last = -1
    for place, name, _least, _most, default, _line, _words in list_places(kind):
        if place == SEED:
            value = seed
        elif place > SEED:
            value = read_choice(choices, place - CHOICES)
        else:
            value = getattr(settings, name)
            if kind and place == LEVEL:
                value = min(value, count_levels(find(settings.variant)))  # of another mode
        if value != default:
            numbers += (place - last, value)
            last = place
    return numbers


def count_levels(record: "Record") -> int:
    """Return how many levels a mode has."""
    least, most = record[b"levels"].split()
    return int(most) + 1 - int(least)


def check(numbers: "list[int]") -> "dict[int, int]":
    """Return the values of the options by their places; raise ValueError with a few words if a number is wrong."""
    if len(numbers) % 2 == 0:
        raise ValueError(_NEWER)
    kind = numbers[0]
    fields = {}
    for option in list_places(kind):
        fields[option[0]] = option
    values: "dict[int, int]" = {}
    place = -1
    for i in range(1, len(numbers), 2):
        place += numbers[i]
        if not numbers[i]:
            raise ValueError(_NEWER)
        if place not in fields:
            raise ValueError(explain(kind, place))
        least, most = fields[place][2:4]
        if not least <= numbers[i + 1] <= most:
            line = fields[place][5].decode()
            raise ValueError("%s is %d, allowed is %d to %d" % (line, numbers[i + 1], least, most))
        values[place] = numbers[i + 1]
    if values.get(_MODERN, 0) & ALL_SPINS:  # of an older version
        values[_MODERN] ^= ALL_SPINS
        values[_SPINS] = ALL
    if kind:
        check_mode(kind - 1, values)
    return values


def explain(kind: int, place: int) -> str:
    """Return a few words about a place that no line of this kind may hold."""
    for option in OPTIONS:
        if option[0] == place:
            return "%s has no rule %s" % (find_record(kind)[b"mode"].split()[1].decode(), option[5].decode())
    return _NEWER


def check_mode(variant: int, values: "dict[int, int]") -> None:
    """Raise ValueError if the menus cannot begin such a game."""
    record = find(variant)
    aims = [choice.aim for choice in list_choices([record])]
    if not aims:
        raise ValueError("this mode has no rules to share")
    level = values.get(LEVEL, 1)
    if level > count_levels(record):
        raise ValueError("LEVEL is %d, allowed is 1 to %d" % (level, count_levels(record)))
    aim = values.get(AIM, 0)
    if aim and aim not in aims and b"aim any" not in record:
        raise ValueError("this mode has no aim %d" % aim)


def apply(numbers: "list[int]", settings: Settings) -> int:
    """Set the settings for a game or match of these numbers; return its seed or NO_SEED; raise ValueError.

    A rule that the mode does not know stays as it is: games of that mode ignore it.
    """
    values = check(numbers)
    kind = numbers[0]
    choices = match_choices.read(settings)
    for place, name, _least, _most, default, _line, _words in list_places(kind):
        value = values.get(place, default)
        if place < SEED:
            setattr(settings, name, value)
        elif place > SEED:
            set_choice(choices, place - CHOICES, value)
    settings.last_match = 0 if kind else 1
    if kind:
        settings.variant = kind - 1
        settings.start_level = settings.level
    else:
        match_choices.save(settings, choices)
    return values.get(SEED, NO_SEED)
