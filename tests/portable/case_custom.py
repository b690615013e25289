"""Matches by CUSTOM rules count lines alike on every interpreter."""

from binascii import crc32

from firmware.engine.options import Options
from firmware.match.match import Match
from firmware.match.options import CUSTOM, MatchOptions

OUTCOMES = []
for number in (0, 8, 1234, 3232, 3887):
    options = MatchOptions()
    options.rules = CUSTOM + number
    match = Match(1, options, [Options(), Options()])
    game = match.seats[0].game
    seen = 0
    for case in range(480):
        game.statistics.combo = case % 16 - 1
        lines = match.modern.count(game, case % 3, 1 + case // 3 % 4, case // 48)
        seen = crc32(bytes((lines,)), seen)
    match.seats[0].queued = 20
    match.modern.receive(match.seats[0], 1)
    risen = match.seats[0].rising, match.gap_lines, game.options.spins, game.options.modern
    OUTCOMES.append("%d %08x %d %d %d %d" % ((number, seen) + risen))

print("; ".join(OUTCOMES))
