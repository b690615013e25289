"""Name the winner of a round, and tell how it ended for each player."""

from firmware.compat import TYPE_CHECKING
from firmware.match.match import NOBODY
from firmware.match.seat import NOT_YET

if TYPE_CHECKING:
    from firmware.contracts import Match, Seat


_OUT = (b"", b"LOCK ", b"BLOCK ", b"TOP ")  # by Game.over, which a remote player lacks


def explain(seat: "Seat") -> bytes:
    """Return how the round ended for the player at a seat."""
    if seat.out_ms == NOT_YET:
        return b"LAST STANDING"
    return _OUT[seat.game.over] + b"OUT %d S" % (seat.out_ms // 1000)


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
