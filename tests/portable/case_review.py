"""A review finds the same worst moments everywhere, in slices of any length, and the same reasons."""

import firmware.compat
from firmware.modes.catalogue import ZEN, make_mode
from firmware.players.reasons import find_reason
from firmware.save.recordings.match_recording import MatchRecording
from firmware.save.recordings.recording import Recording
from firmware.save.suspended_revival import restore
from firmware.scenes.review.match import MatchReviewer
from firmware.scenes.review.pieces import Reviewer

FOLDER = firmware.compat.__file__[: -len("firmware/compat.py")] + "tests/"


class Clock:
    """A clock that advances `step_ms` at each reading."""

    def __init__(self, step_ms):
        self.now_ms = 0
        self.step_ms = step_ms

    def ticks_ms(self):
        self.now_ms += self.step_ms
        return self.now_ms


def review(name, step_ms):
    """Return number, time, cost, both plans' first places and the reason of each moment."""
    with open(FOLDER + name + ".sky", "rb") as file:
        blob = file.read()
    reviewer: "Reviewer | MatchReviewer"
    if name.startswith("matches"):
        reviewer = MatchReviewer(MatchRecording(blob), ZEN)
    else:
        reviewer = Reviewer(Recording(blob), make_mode)
    clock = Clock(step_ms)
    while not reviewer.work(clock, clock.now_ms):
        pass
    text = "%s %d" % (name, reviewer.total)
    for moment in reviewer.list_moments():
        own, best, count = moment.own_plan, moment.best_plan, moment.count
        game = restore(moment.record, make_mode)
        assert game
        reason = find_reason(game, own, best, count)
        facts = (moment.number, moment.time_ms, moment.cost, own[0], best[0], reason.decode())
        text += ", %d %d %d %x %x %s" % facts
    return text


trace = review("recordings/lost", 0)
assert review("recordings/lost", 31) == trace
print("; ".join((trace, review("recordings/modes/dig_race", 5), review("matches/three", 5))))
