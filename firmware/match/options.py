"""Hold the options that the players of a match share."""

from firmware.compat import const

MOST_PLAYERS = const(4)

EVERYBODY = const(0)
AT_RANDOM = const(1)
MARKED = const(2)

PERSON = const(0)  # other values are the level of a computer player, 1 to 7

# A match by CUSTOM rules has the number CUSTOM and these as digits, the least first. Three choose a part of a line in
# attacks.txt.
CUSTOM = const(2)
CUSTOM_COUNTS = b"\x03\x04\x03\x03\x02\x03\x03\x02"  # the values of each
COMBO = const(0)
BACK_TO_BACK = const(1)
CLEAR = const(2)
SPINS = const(3)  # as the option of a game
HALF = const(4)
CAP = const(5)
MESS = const(6)
BLOCKING = const(7)

EVEN = const(0)
HALVED = const(1)
DOUBLED = const(2)


class MatchOptions:
    """Hold the rules of one match; every field starts at its default.

    players: 2 to 4 (Guideline 2.3.1). teams: bit N is the team of player N, 0 or 1, and both have players. With 0
    everybody plays alone, or with an aim all play as one team. target: of an attack: EVERYBODY, AT_RANDOM one player,
    or the MARKED player (B1.1.2). wins: rounds that win the match. solid: whether sent lines are Solid instead of
    Broken Lines (B1.3.1). starting, starting_solid: number of Starting Lines, and whether they are Solid (B1.1.2).
    quicken_s: seconds until the level rises, to 15 at most; 0 is never (B1.2.1). aim: 0 for line attacks, else the
    lines that a team clears together without attacks (B1.2.2). who: four bits for each player: PERSON or the level of a
    computer. handicaps: two bits for each player: sent lines are EVEN, HALVED or DOUBLED. practice: 1 for a match that
    continues a recorded one; it counts for nothing. rules: 0 for those of the guideline, 1 for MODERN, more for CUSTOM
    (firmware/modes/README.md, 18).
    """

    players: int
    teams: int
    target: int
    wins: int
    solid: int
    starting: int
    starting_solid: int
    quicken_s: int
    aim: int
    who: int
    handicaps: int
    practice: int
    rules: int

    def __init__(self) -> None:
        # Imported late: only the beginning of a match needs it.
        from firmware.match.fields import FIELDS

        for row in FIELDS:
            setattr(self, row[0], row[3])

    def team(self, number: int) -> int:
        """Return the team of player `number`: 0 or 1; without teams the number itself, in co-op 0 for all."""
        return self.teams >> number & 1 if self.teams or self.aim else number

    def count_teams(self) -> int:
        """Return how many teams there are, numbered from 0."""
        if self.teams:
            return 2
        return 1 if self.aim else self.players

    def level_of(self, number: int) -> int:
        """Return PERSON, or the level of the computer that plays as `number`."""
        return self.who >> 4 * number & 15

    def handicap(self, number: int) -> int:
        """Return the handicap on the lines that player `number` sends."""
        return self.handicaps >> 2 * number & 3
