"""Pack the choices for a match into one number of the settings, and make match options from it."""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.options import MatchOptions
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

ALLIED = const(1)  # a team with the first computer; 2 is alone against all others

# The number of values of each choice; they are the digits of the packed number, the least first.
COUNTS = b"\x03\x05\x05\x05\x03\x03\x04\x0b\x02\x02\x04\x03\x04\x03\x03\x03"
LINKED = const(28_512_000)  # a packed number modulo this one has no digits of STRONGER
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
BROKEN|SOLID
BROKEN|SOLID
NO|15|30|60
NO|/2|X2
NO|40|100|200"""


def write_choice(choices: "Blob", place: int) -> bytes:
    """Return the word for the value of a choice from TEAMS on."""
    return _WORDS.split(b"\n")[place - TEAMS].split(b"|")[choices[place]]


def choose(settings: "Settings") -> bytearray:
    """Return the choices of the next match: those of VERSUS, or a rung of the ladder, which is best of three."""
    level = settings.last_match - 1
    choices = unpack(_LADDER if level > 0 else settings.versus)
    if level > 0:
        set_level(choices, 0, level)
    return choices


def unpack(number: int) -> bytearray:
    """Return the choices that are packed in a number of the settings."""
    choices = bytearray(len(COUNTS))
    for i in range(len(COUNTS)):
        choices[i] = number % COUNTS[i]
        number //= COUNTS[i]
    return choices


def pack(choices: "Blob") -> int:
    """Pack the choices into a number below 2**30."""
    number = 0
    for i in range(len(COUNTS) - 1, -1, -1):
        number = number * COUNTS[i] + choices[i]
    return number


def turn(choices: bytearray, place: int, step: int) -> int:
    """Change a choice by `step` values, from the last to the first; return the packed number."""
    choices[place] = (choices[place] + step) % COUNTS[place]
    return pack(choices)


def find_level(choices: "Blob", i: int) -> int:
    """Return the level of opponent `i`, 0 to 2."""
    stronger = choices[STRONGER + i]
    return BEST + stronger if stronger else choices[LEVELS + i] + 1


def set_level(choices: bytearray, i: int, level: int) -> int:
    """Choose the level of opponent `i`, 1 to STRONGEST; return the packed number."""
    choices[STRONGER + i] = max(0, level - BEST)
    choices[LEVELS + i] = min(BEST, level) - 1
    return pack(choices)


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
    for i in range(players):
        options.who |= seats[i] << 4 * i
    return options
