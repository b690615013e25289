"""Hold the options that the players of a match share."""

from firmware.compat import const

MOST_PLAYERS = const(4)

EVERYBODY = const(0)
AT_RANDOM = const(1)
MARKED = const(2)

PERSON = const(0)  # else the level of a computer player, 1 to 5

EVEN = const(0)
HALVED = const(1)
DOUBLED = const(2)


class MatchOptions:
    """Hold the rules of one match; every field starts at its default.

    players: 2 to 4 (Guideline 2.3.1). teams: bit N is the team of player N, 0 or 1, and both have players. 0 is
    free-for-all, or co-op with an aim. target: whom an attack goes to: EVERYBODY, one AT_RANDOM, or the MARKED player
    (B1.1.2). wins: rounds that win the match. solid: whether sent lines are Solid instead of Broken Lines (B1.3.1).
    starting, starting_solid: Starting Lines and their kind (B1.1.2). quicken_s: seconds after which the level rises, to
    15 at most; 0 is never (B1.2.1). aim: 0 for line attacks, else the lines that a team clears together without attacks
    (B1.2.2). who: four bits a player: PERSON or the level of a computer. handicaps: two bits a player: sent lines are
    EVEN, HALVED or DOUBLED.
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

    def __init__(self) -> None:
        # Imported late, like everything that only a match's beginning needs.
        from firmware.match.fields import FIELDS

        for row in FIELDS:
            setattr(self, row[0], row[3])

    def team(self, number: int) -> int:
        """Return the team of player `number`; without two teams it is the player's own, or everybody's."""
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
