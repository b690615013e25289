"""A match is the same on every interpreter and in any time slices, by hashes of its state."""

from binascii import crc32

from firmware.engine.controls import HARD_DROP, ROTATE_CW
from firmware.engine.options import Options
from firmware.engine.randomizer import Bag, Random
from firmware.match.match import Match
from firmware.match.options import MatchOptions

EDGES = 150
MATCHES = 12


class OnlyI(Bag):
    def deal(self):
        return 1


def begin(number):
    options = MatchOptions()
    options.players = 2 + number % 3
    options.teams = (0, 0, 2)[number % 3]
    options.target = number % 3
    options.starting = number % 4
    options.quicken_s = 1
    options.handicaps = number % 3
    options.aim = (0, 0, 0, 20)[number % 4]
    choices = [Options() for _ in range(options.players)]
    for player, choice in enumerate(choices):
        choice.generation_ms = 50 * player
        choice.animate_ms = (0, 300)[player & 1]
        choice.level = 1 + number % 15
    match = Match(number, options, choices)
    for seat in match.seats:
        game = seat.game
        game.dealer = OnlyI(game.random)
        for i in range(6):
            game.next[i] = 1
        for y in range(12):
            game.matrix.set_row(y, b"\x08\x08\x08\x08\x08\x00\x08\x08\x08\x08")
        game.generate()
    return match


def hash_match(match):
    text = "%d %d %d" % (match.time_ms, match.ends_ms, match.winner)
    for seat in match.seats:
        seat.arrive(match.time_ms if seat.out_ms < 0 else seat.out_ms)
        game = seat.game
        text += " %d %d %d %d %d %d" % (seat.queued, seat.sent, seat.received, seat.out_ms, seat.mark, seat.practised)
        text += " %d %d %d" % (game.score, game.lock_downs, game.time_us)
        for y in range(game.matrix.top):
            text += " %x" % game.matrix.masks[y]
    return crc32(text.encode())


def play(number, slice_ms):
    match = begin(number)
    chance = Random(number)
    time_ms = 0
    for i in range(EDGES):
        time_ms += chance.below(60)
        while match.time_ms + slice_ms < time_ms and not match.over:
            match.advance(match.time_ms + slice_ms)
        player = i % match.options.players
        if chance.below(8):
            match.input(player, ROTATE_CW, 1, time_ms)
            match.input(player, HARD_DROP, 1, time_ms)
        else:
            match.input(player, chance.below(8), chance.below(4) > 0, time_ms)
    match.advance(time_ms + 3000)
    return match


hashes = []
sent = 0
for number in range(MATCHES):
    slice_hashes = [hash_match(play(number, slice_ms)) for slice_ms in (7, 100, 5000)]
    assert slice_hashes[0] == slice_hashes[1] == slice_hashes[2], (number, slice_hashes)
    hashes.append("%08x" % slice_hashes[0])
    sent += sum(seat.sent for seat in play(number, 5000).seats)
assert sent > 5 * MATCHES, sent
print(" ".join(hashes), sent)
