"""Say in words what the numbers of rules change."""

from firmware.compat import TYPE_CHECKING
from firmware.match.options import CUSTOM
from firmware.modes.catalogue import find
from firmware.modes.listing import list_choices
from firmware.save import match_choices
from firmware.save.match_choices import LEVELS, OPPONENTS, OWN, OWN_LINES, RULES, TEAMS, write_choice
from firmware.save.rules import AIM, CHOICES, SEED, check, list_match, list_places, read_choice, set_choice
from firmware.scenes.match.names import name_level
from firmware.scenes.match.rules import RULES_AT
from firmware.scenes.match.rules import Scene as MatchRules
from firmware.scenes.options.extra_rules import Scene as Extras

if TYPE_CHECKING:
    from firmware.contracts import Settings

_RIVALS = (b"RIVALS", b"FIRST", b"SECOND", b"THIRD")


def name_game(numbers: "list[int]") -> bytes:
    """Return the name of the game of some numbers, with its aim; raise ValueError as `check` does."""
    values = check(numbers)
    if not numbers[0]:
        return b"A MATCH"
    record = find(numbers[0] - 1)
    aim = values.get(AIM, 0)
    choices = list_choices([record])
    for choice in choices:
        if choice.aim == (aim or int(record[b"default"])):
            return choice.name + (b" " + choice.word if choice.word else b"")
    return choices[0].name


def list_changes(numbers: "list[int]", settings: "Settings") -> "list[tuple[bytes, bytes]]":
    """Return the name and the new value of each option that these rules would change; the seed always.

    The aim is left out if `name_game` says it.
    """
    values = check(numbers)
    old = match_choices.read(settings)
    new = old[:]
    changes = []
    is_named = numbers[0] and b"aim any" not in find(numbers[0] - 1)
    for place, name, least, _most, default, line, words in list_places(numbers[0]):
        value = values.get(place, default)
        if place < SEED:
            old_value = getattr(settings, name)
            if (is_named and place == AIM) or value == old_value:
                continue
            if line == b"EXTRAS":
                for rule in range(len(Extras.records)):
                    if (value ^ old_value) >> rule & 1:
                        changes.append((Extras.records[rule][0], b"ON" if value >> rule & 1 else b"OFF"))
            elif line == b"LEVEL":
                changes.append((line, b"%d" % (value - 1 + int(find(numbers[0] - 1)[b"levels"].split()[0]))))
            else:
                unit = b" MS" if line == b"ENTRY" or line == b"CLEAR" else b""
                changes.append((line, words[value - least] if words else b"%d" % value + unit))
        elif place > SEED:
            set_choice(new, place - CHOICES, value)
        elif value >= 0:
            changes.append((line, b"%d" % value))
    for place in list_match() + list(range(OWN, len(new)) if new[RULES] == CUSTOM else ()):
        if read_choice(new, place) != read_choice(old, place):
            changes.append(name_choice(new, place))
    return changes


def name_choice(choices: bytearray, place: int) -> "tuple[bytes, bytes]":
    if place >= OWN:
        return OWN_LINES.split(b"|")[place - OWN], write_choice(choices, place)
    if place >= TEAMS:
        return MatchRules.records[RULES_AT if place == RULES else place - TEAMS][0], write_choice(choices, place)
    value = b"%d" % (choices[OPPONENTS] + 1) if place == OPPONENTS else name_level(read_choice(choices, place) + 1)
    return _RIVALS[place - OPPONENTS if place == OPPONENTS else place - LEVELS + 1], value
