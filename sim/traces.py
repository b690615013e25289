"""Write recorded games and matches as lines: each Lock Down with the running hash, and who won."""

from collections.abc import Iterator

from firmware.engine.game import Game
from firmware.match.match import Match
from firmware.match.seat import NOT_YET, Seat
from firmware.modes.catalogue import make_mode
from firmware.save.recordings.link_trace import LinkTrace
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.save.recordings.recording import Player, Recording
from firmware.save.recordings.recording_trace import Trace
from sim.game_record import AnyRecording

_STEP_MS = 1000


def tell_match(match: Match, bot: str = "") -> Iterator[str]:
    """Yield the result of a match of computers: a line for each player, and who won.

    bot: the name of the program in the last seat, "" for none.
    """
    teams: dict[int, list[str]] = {}
    for seat in match.seats:
        level = match.options.level_of(seat.number)
        name = f"computer of level {level}" if level else bot
        teams.setdefault(seat.team, []).append(f"player {seat.number + 1}, {name}")
        lost = "" if seat.out_ms == NOT_YET else f"  out after {seat.out_ms / 1000:.1f} s"
        yield f"{teams[seat.team][-1]}: lines {seat.game.lines}  sent {seat.sent}  received {seat.received}{lost}"
    winners = teams.get(match.winner)
    yield f"won by {' and '.join(winners)}" if winners else "won by nobody"


def trace(recording: AnyRecording) -> Iterator[str]:
    """Play `recording` without a picture and yield a line for every Lock Down, with the running hash at its end."""
    if isinstance(recording, Recording):
        return trace_game(recording)
    if isinstance(recording, MatchRecording):
        return trace_match(recording)
    linked = LinkTrace(recording)
    linked.play()
    return iter(linked.lines)


def trace_game(recording: Recording) -> Iterator[str]:
    """Play a recorded game without a picture and yield a line for every Lock Down."""
    lines: list[str] = []

    def note(trace: Trace, game: Game) -> None:
        lines.append(
            f"{trace.lock_downs:5} {game.time_ms:8} ms  level {game.level:2}  lines {game.lines:3}"
            f"  score {game.score:7}  {trace.value:08x}"
        )

    recording.rewind()
    game = recording.game(make_mode(recording.variant))
    game.mode = Trace(game.mode, note)
    game.start(0)
    player = Player(recording, game)
    now_ms = 0
    while not player.finished():
        now_ms += _STEP_MS
        player.advance(now_ms)
        yield from lines
        lines.clear()


def trace_match(recording: MatchRecording) -> Iterator[str]:
    """Play a recorded match without a picture and yield a line for every Lock Down of every player."""
    lines: list[str] = []
    player = MatchPlayer(recording)
    match = player.match

    def watch() -> None:
        """Note the Lock Downs of all games of this round."""
        for seat in match.seats:

            def note(trace: Trace, game: Game, seat: Seat = seat) -> None:
                lines.append(
                    f"round {match.round + 1}  player {seat.number + 1} {trace.lock_downs:5} {game.time_ms:8} ms"
                    f"  lines {game.lines:3}  sent {seat.sent:3}  received {seat.received:3}  {trace.value:08x}"
                )

            seat.game.mode = Trace(seat, note)

    watch()
    now_ms = 0
    while True:
        now_ms += _STEP_MS
        player.advance(now_ms)
        yield from lines
        lines.clear()
        if player.is_round_over():
            if match.over:
                winner = "nobody" if match.winner < 0 else f"team {match.winner + 1}"
                yield f"round {match.round + 1}  {match.time_ms} ms  won by {winner}"
            if not player.begin_next():
                return
            now_ms = 0
            watch()
