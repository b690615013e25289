"""Name the winner of a round."""

from firmware.compat import TYPE_CHECKING
from firmware.match.match import NOBODY

if TYPE_CHECKING:
    from firmware.contracts import Match


def tell_result(match: "Match", me: int) -> str:
    """Return the result of a round for player `me`, with all wins; without people, name the winner by number."""
    words = b"NOBODY WINS"  # bytes: texts would stay in memory as names
    if match.winner != NOBODY and match.options.level_of(0):
        words = (b"TEAM" if match.options.teams else b"PLAYER") + b" %d WINS" % (match.winner + 1)
    elif match.winner != NOBODY:
        words = b"YOU WIN" if match.seats[me].team == match.winner else b"YOU LOSE"
    if match.options.wins > 1:
        words += b" " + b":".join([b"%d" % match.wins[i] for i in range(match.options.count_teams())])
    return words.decode()
