"""Pack the choices for a match into one number of the settings, and make match options from it."""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.options import CUSTOM, CUSTOM_COUNTS, MatchOptions
from firmware.players.levels import BEST, STRONGEST

if TYPE_CHECKING:
    from firmware.contracts import Blob, Settings

# The places of the choices; the levels of three opponents begin at LEVELS.
OPPONENTS = const(0)
LEVELS = const(1)
TEAMS = const(4)
TARGET = const(5)
WINS = const(6)
STARTING = const(7)
STARTING_SOLID = const(8)
SOLID = const(9)
QUICKEN = const(10)
HANDICAP = const(11)
TOGETHER = const(12)
STRONGER = const(13)  # of three opponents: 0, or how far the level is above BEST
RULES = const(16)  # a setting of its own: the packed number has no room for it
OWN = const(17)  # the rules of CUSTOM begin here, in the order of match/options.py
_END = const(25)

FIRST_RUNG = const(2)  # of the ladder, in settings.last_match; 1 is VERSUS, 0 a game
ALLIED = const(1)  # a team with the first computer; 2 is alone against all others

# The number of values of each choice. Those before RULES are the digits of the packed number, the least first.
COUNTS = b"\x03\x05\x05\x05\x03\x03\x04\x0b\x02\x02\x04\x03\x04\x03\x03\x03\x03" + CUSTOM_COUNTS
_LINKED = const(28_512_000)  # a packed number modulo this one has no digits of STRONGER
_ALONE = const(375)  # and divided by this one none of OPPONENTS and LEVELS
_LINK_CHOICES = const(76_032)  # values of the rest
RULES_COUNT = const(3_890)  # of a match: two, and those of CUSTOM
_LADDER = const(1_191_378)  # the defaults, and WINS 2
_WINS = b"\x01\x02\x03\x05"
_QUICKEN_S = b"\x00\x0f\x1e\x3c"
_LINES = b"\x00\x28\x64\xc8"


# A line for each choice from TEAMS on, a word for each value.
_WORDS = b"""\
NO|TWO|ALONE
ALL|ONE|MARK
1|2|3|5
0|1|2|3|4|5|6|7|8|9|10
YES|NO
HOLES|SOLID
NO|15|30|60
NO|/2|X2
NO|40|100|200
GUIDE|MODERN|CUSTOM
NO|CLASSIC|MODERN
GUIDE|MODERN|CHAIN|NO
NO|5|10
T|T STUCK|ALL
NO|YES
NO|4|8
EIGHT|RISE|LINE
NO|YES"""
OWN_LINES = b"COMBO|B2B|CLEAR|SPINS|180|AT MOST|MESS|BLOCK"  # of CUSTOM
_GAP = const(3)  # places from TOGETHER to RULES that have no line


def write_choice(choices: "Blob", place: int) -> bytes:
    """Return the word for the value of a choice from TEAMS on."""
    line = place - TEAMS - (_GAP if place >= RULES else 0)
    return _WORDS.split(b"\n")[line].split(b"|")[choices[place]]


def choose(settings: "Settings") -> bytearray:
    """Return the choices of the next match: those of VERSUS, or a rung of the ladder, which is best of three."""
    if settings.last_match < FIRST_RUNG:
        return read(settings)
    choices = unpack(_LADDER)
    set_level(choices, 0, settings.last_match - FIRST_RUNG + 1)
    return choices


def unpack(number: int) -> bytearray:
    """Return the choices that are packed in a number; the rules are GUIDELINE."""
    choices = bytearray(len(COUNTS))
    for i in range(RULES):
        choices[i] = number % COUNTS[i]
        number //= COUNTS[i]
    return choices


def pack(choices: "Blob") -> int:
    """Pack the choices into a number below 2**30."""
    number = 0
    for i in range(RULES - 1, -1, -1):
        number = number * COUNTS[i] + choices[i]
    return number


def pack_own(choices: "Blob") -> int:
    """Return the number of the rules of CUSTOM."""
    number = 0
    for i in range(_END - 1, RULES, -1):
        number = number * COUNTS[i] + choices[i]
    return number


def set_own(choices: bytearray, number: int) -> None:
    """Choose the rules of CUSTOM that have a number."""
    for i in range(OWN, _END):
        choices[i] = number % COUNTS[i]
        number //= COUNTS[i]


def find_rules(choices: "Blob") -> int:
    """Return the rules as an option of a match."""
    return CUSTOM + pack_own(choices) if choices[RULES] == CUSTOM else choices[RULES]


def set_rules(choices: bytearray, rules: int) -> None:
    """Choose the rules by the option of a match."""
    choices[RULES] = min(rules, CUSTOM)
    if rules >= CUSTOM:
        set_own(choices, rules - CUSTOM)


def pack_link(choices: "Blob") -> int:
    """Pack the choices that a link has, with the rules, into a number below 2**29."""
    return pack(choices) % _LINKED // _ALONE + _LINK_CHOICES * find_rules(choices)


def unpack_link(number: int) -> bytearray:
    """Return the choices that `pack_link` packed, of any number."""
    choices = unpack(number % _LINK_CHOICES * _ALONE)
    set_rules(choices, number // _LINK_CHOICES % RULES_COUNT)
    return choices


def read(settings: "Settings") -> bytearray:
    """Return the choices of the last match, with its rules."""
    choices = unpack(settings.versus)
    choices[RULES] = settings.rules
    set_own(choices, settings.custom)
    return choices


def save(settings: "Settings", choices: "Blob") -> None:
    """Set the choices of the next match, with its rules."""
    settings.versus = pack(choices)
    settings.rules = choices[RULES]
    settings.custom = pack_own(choices)


def turn(choices: bytearray, place: int, step: int) -> None:
    """Change a choice by `step` values, from the last to the first."""
    choices[place] = (choices[place] + step) % COUNTS[place]


def find_level(choices: "Blob", i: int) -> int:
    """Return the level of opponent `i`, 0 to 2."""
    stronger = choices[STRONGER + i]
    return BEST + stronger if stronger else choices[LEVELS + i] + 1


def set_level(choices: bytearray, i: int, level: int) -> None:
    """Choose the level of opponent `i`, 1 to STRONGEST."""
    choices[STRONGER + i] = max(0, level - BEST)
    choices[LEVELS + i] = min(BEST, level) - 1


def make_options(choices: "Blob", seats: "Blob" = b"", levels: int = STRONGEST) -> MatchOptions:
    """Return the options of a match with these `seats`: 0 for each person, else a computer's level.

    Without `seats`, player 0 is a person, and the others are the chosen computers, of the device's `levels` at most.
    """
    options = MatchOptions()
    if not seats:
        seats = bytes([0] + [min(levels, find_level(choices, i)) for i in range(choices[OPPONENTS] + 1)])
    players = options.players = len(seats)
    everybody = (1 << players) - 1
    if choices[TEAMS]:
        # Player 1 joins player 0 if there are further players.
        allied = choices[TEAMS] == ALLIED and players > 2
        options.teams = everybody & ~(3 if allied else 1)
    options.target = choices[TARGET]
    options.wins = _WINS[choices[WINS]]
    options.starting = choices[STARTING]
    options.starting_solid = choices[STARTING_SOLID]
    options.solid = choices[SOLID]
    options.quicken_s = _QUICKEN_S[choices[QUICKEN]]
    options.aim = _LINES[choices[TOGETHER]]
    options.handicaps = choices[HANDICAP]
    options.rules = find_rules(choices)
    for i in range(players):
        options.who |= seats[i] << 4 * i
    return options
