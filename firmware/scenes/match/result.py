"""Name the winner of a round."""

from firmware.compat import TYPE_CHECKING
from firmware.match.match import NOBODY

if TYPE_CHECKING:
    from firmware.contracts import Match


def tell_result(match: "Match", me: int) -> str:
    """Return the result of a round for player `me`, with all wins; without people, name the winner by number."""
    words = "NOBODY WINS"
    if match.winner != NOBODY and match.options.level_of(0):
        words = ("TEAM" if match.options.teams else "PLAYER") + " " + str(match.winner + 1) + " WINS"
    elif match.winner != NOBODY:
        words = "YOU WIN" if match.seats[me].team == match.winner else "YOU LOSE"
    if match.options.wins > 1:
        words += " " + ":".join([str(match.wins[i]) for i in range(match.options.count_teams())])
    return words
