"""A recorded match is the same on every interpreter: each player's trace and each round's winner."""

import firmware.compat
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.save.recordings.recording_trace import Trace

FOLDER = firmware.compat.__file__[: -len("firmware/compat.py")] + "tests/matches/"


def play(name, slice_ms):
    """Return a line for each round: winner, time, and for each player the trace of Lock Downs and the attacks."""
    with open(FOLDER + name + ".sky", "rb") as file:
        player = MatchPlayer(MatchRecording(file.read()))
    match = player.match
    rounds = []
    while True:
        traces = [Trace(seat) for seat in match.seats]
        for seat in match.seats:
            seat.game.mode = traces[seat.number]
        while not player.is_round_over():
            player.advance(match.time_ms + slice_ms)
        text = "%s round %d won by %d at %d" % (name, match.round, match.winner, match.time_ms)
        for seat in match.seats:
            trace = traces[seat.number]
            text += ", %08x %d %d %d" % (trace.value, trace.lock_downs, seat.sent, seat.received)
        rounds.append(text)
        if not player.begin_next():
            return rounds


outcomes = []
for name, slice_ms in (("two", 250), ("three", 1000), ("two", 5000)):
    outcomes += play(name, slice_ms)
rounds = len(outcomes)
with open(FOLDER + "traces.txt") as file:
    expected = file.read().split("\n")[1:-1]
assert outcomes[: len(expected)] == expected, outcomes
for line in outcomes[len(expected) :]:
    assert line in expected, line
print("; ".join(outcomes))
