"""A recorded game is the same game everywhere: its trace, a hash of every Lock Down, is equal."""

import firmware.compat
from firmware.modes.catalogue import make_mode
from firmware.save.recordings.recording import Player, Recording
from firmware.save.recordings.recording_trace import Trace

ROOT = firmware.compat.__file__[: -len("firmware/compat.py")]


def play(name, slice_ms):
    with open(ROOT + "tests/recordings/" + name + ".sky", "rb") as file:
        recording = Recording(file.read())
    game = recording.game(make_mode(recording.variant))
    game.mode = trace = Trace(game.mode)
    player = Player(recording, game)
    time_ms = 0
    while not player.finished():
        time_ms += slice_ms
        player.advance(time_ms)
    return "%s %08x %d %d %d" % (name, trace.value, trace.lock_downs, game.score, game.lines)


GAMES = (
    ("marathon", 250), ("fast", 17), ("sprint", 1000), ("lost", 33), ("standard", 250), ("test_spec", 17),
    ("modes/dig", 100), ("modes/dig_race", 1000), ("modes/survive", 33), ("modes/master", 17), ("modes/daily", 250),
    ("modes/zen", 100), ("modes/finesse", 33), ("modes/modern", 50),
)  # fmt: skip
outcomes = [play(name, slice_ms) for name, slice_ms in GAMES]

with open(ROOT + "tests/recordings/traces.txt") as file:
    expected = file.read().split("\n")[1:-1]
assert outcomes == expected, outcomes

print("; ".join(outcomes))
