"""Prepare a handheld past its first start: its settings and choices of VERSUS, named as its menus name them."""

from collections.abc import Iterable, Sequence

from firmware import option_table
from firmware.players.levels import BEST, NAMES
from firmware.save.buttons import fit
from firmware.save.match_choices import COUNTS, LEVELS, OPPONENTS, STRONGER, TEAMS, write_choice
from firmware.save.settings import Settings
from firmware.scenes.match.rules import Scene as Rules
from sim.terminal import read_whole, tell_unknown
from tools.board import BoardError
from tools.board.nvm import make_nvm

HELP = (
    "choose a value as the game's menus name it, such as --set 'BY EAR=ALL'; also OPPONENTS=1 to 3, LEVELS=HAWK for "
    "all of them, BUTTONS=6 or 7 for a map without the last buttons, or a field of options.txt but `versus` (modern=7)"
)
_RIVALS = 3
_Words = Sequence[str] | range
# By each line of VERSUS and its RULES: the places of match_choices.py, and the words of the values.
_Choice = tuple[tuple[int, ...], _Words]


def read_choices(lines: Iterable[str]) -> bytes:
    """Return the non-volatile memory of a handheld with these NAME=VALUE; raise BoardError."""
    choices, fields = _list_choices(), _list_fields()
    versus: dict[int, int] = {}
    settings: dict[str, int | bytearray] = {}
    for line in lines:
        name, _, word = (part.strip() for part in line.partition("="))
        if name in choices:
            places, words = choices[name]
            versus.update(dict.fromkeys(places, _find(line, word, words)))
        elif name == "BUTTONS":
            settings["buttons"] = _map_buttons(6 + _find(line, word, ("6", "7", "8")))
        elif name in fields:
            field, values, words = fields[name]
            settings[field] = values[_find(line, word, words)]
        else:
            raise BoardError(f"--set {line}: {tell_unknown(name, [*choices, 'BUTTONS', *fields], 'setting')}")
    return make_nvm(versus, **settings)


def _find(line: str, word: str, words: _Words) -> int:
    """Return the place of a word, or of a number, among those of a setting; raise BoardError with `line`."""
    if isinstance(words, range):
        try:
            return words.index(read_whole(word))
        except ValueError:
            limits = f"from {words[0]} to {words[-1]}"
            raise BoardError(f"--set {line}: {word or 'nothing'} is not a whole number {limits}") from None
    if word not in words:
        raise BoardError(f"--set {line}: {word or 'nothing'} is none of {', '.join(words)}")
    return list(words).index(word)


def _list_choices() -> dict[str, _Choice]:
    found: dict[str, _Choice] = {
        "OPPONENTS": ((OPPONENTS,), [str(number + 1) for number in range(_RIVALS)]),
        "LEVELS": (tuple(range(LEVELS, LEVELS + _RIVALS)), [name.decode() for name in NAMES[:BEST]]),
    }
    for place in range(TEAMS, STRONGER):
        choices = bytearray(len(COUNTS))
        words = []
        for value in range(COUNTS[place]):
            choices[place] = value
            words.append(write_choice(choices, place).decode())
        found[Rules.records[place - TEAMS][0].decode()] = (place,), words
    return found


def _list_fields() -> dict[str, tuple[str, Sequence[int], _Words]]:
    """Return the settings by the name of their field and of their line: field, values, and the values' words."""
    found: dict[str, tuple[str, Sequence[int], _Words]] = {}
    for of_game in (True, False):
        for name, least, most, _default in option_table.list_fields(of_game):
            if name != "versus":  # a number of all choices of VERSUS, which have names of their own
                numbers = range(least, most + 1)
                found[name] = name, numbers, numbers
    for _page, (line, _note, name, values, words) in option_table.read_lines():
        spoken: _Words = [word.decode() for word in words] if words else [str(value) for value in values]
        if len(spoken) != len(values):  # the least and the most of a number, and its unit
            values = spoken = range(values[0], values[-1] + 1)
        found.setdefault(line.decode(), (name, values, spoken))
    return found


def _map_buttons(count: int) -> bytearray:
    """Return the buttons of all controls if only the first `count` buttons may be used."""
    settings = Settings()
    fit(settings, (1 << count) - 1)
    return settings.buttons
