"""The figures of play are the same everywhere, and the attack is the sum of what each Lock Down would send."""

import firmware.compat
from firmware.engine import events
from firmware.match import tables
from firmware.match.attack import count_lines
from firmware.match.figures import count, measure, write
from firmware.modes.catalogue import make_mode
from firmware.save.recordings.recording import Player, Recording
from firmware.save.recordings.recording_trace import Trace

TABLE = tables.read(tables.GUIDELINE)
ROOT = firmware.compat.__file__[: -len("firmware/compat.py")]


def play(name):
    with open(ROOT + "tests/recordings/" + name + ".sky", "rb") as file:
        recording = Recording(file.read())
    sent = [0]

    def note(trace, game):
        if game.cleared:
            sent[0] += count_lines(TABLE, game.spun, game.cleared, game.action & events.BACK_TO_BACK)

    game = recording.game(make_mode(recording.variant))
    game.mode = Trace(game.mode, note)
    player = Player(recording, game)
    while not player.finished():
        player.advance(game.time_ms + 250)
    attack = count(game)
    texts = write(game, game.time_ms, attack)
    return name, sent[0] - attack, measure(game, game.time_ms, attack), b" ".join(texts).decode()


played = [play(name) for name in ("marathon", "fast", "sprint", "lost", "standard", "modes/modern", "modes/dig")]
assert [name for name, rest, _, _ in played if rest] == [], played
print(played)
