"""Every interpreter reads or refuses the same recordings, with the same line, whatever one of their numbers is."""

from binascii import crc32

from firmware.engine.options import NAMES, Options
from firmware.match.fields import FIELDS
from firmware.match.options import MatchOptions
from firmware.modes.catalogue import make_mode
from firmware.save.recordings.link_recording import LinkPlayer, LinkRecording
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.save.recordings.recording import Player, Recording
from firmware.save.varint import write

ENDS = (0, 1, 2, 5, 127, 255, 256, 1023, 1024, 1 << 16, (1 << 30) - 1, 1 << 30, (1 << 35) - 1)
SLICE_MS = 500
LAST_MS = 4000

DAS_MS = NAMES.index("das_ms") << 10 | 97
options = Options()
choice = [getattr(options, name) for name in NAMES]
names = [row[0] for row in FIELDS] + list(NAMES)  # deploy renames them, in messages too
rules = MatchOptions()
rules.wins = 3
rules.who = 2
rules.target = 2
head = [7, len(FIELDS)] + [getattr(rules, row[0]) for row in FIELDS] + [len(NAMES)] + choice + choice
# Each recording has presses and releases, a change of DAS, and two rounds if it is a match.
SOLO = [0, 7, len(NAMES)] + choice + [900 << 4 | 13, 30 << 4 | 5, DAS_MS << 4 | 15, 800 << 4 | 7]
MATCH = head + [
    2,
    0,
    1,
    900 << 7 | 0x5D,
    90 << 7 | 0x0F,
    0x27,
    1 + (1 << 15 | DAS_MS),
    0,
    500 << 7 | 0x17,
    500 << 7 | 7,
]
LINKED = [0] + head + list(b"ABCXYZ") + [900 << 6 | 13, 7, 3, 1 + DAS_MS, 0, 400 << 6 | 7, 1]
LINKED += [9 << 6 | 0x14, 0x40, 0x20, 3, 0, 90 << 6 | 0x19, 0, 950, 900 << 6 | 7, 0]


def join(form, numbers):
    buffer = bytearray(4 + 5 * len(numbers))
    buffer[:4] = b"SKY" + bytes([form])
    at = 4
    for number in numbers:
        at = write(buffer, at, number)
    body = bytes(buffer[:at])
    return body + crc32(body).to_bytes(4, "little")


def tell(game):
    return "%d %d %d %d" % (game.time_ms, game.score, game.lock_downs, crc32(bytes(game.next)))


def play_solo(blob):
    recording = Recording(blob)
    game = recording.game(make_mode(recording.variant))
    player = Player(recording, game)
    for t_ms in range(0, LAST_MS, SLICE_MS):
        player.advance(t_ms)
    return tell(game)


def play_rounds(player):
    while True:
        for t_ms in range(0, LAST_MS, SLICE_MS):
            player.advance(t_ms)
        if not player.begin_next():
            break
    match = player.match
    return str([match.round, match.winner, list(match.wins)] + [tell(seat.game) for seat in match.seats])


def outcome(form, numbers, play):
    try:
        return play(join(form, numbers))
    except ValueError as problem:
        head, word, tail = str(problem).partition("option ")
        name, blank, tail = tail.partition(" ")
        return head + word + (str(names.index(name)) if name in names else name) + blank + tail


def try_all(form, numbers, play):
    """Return how many recordings are refused, and a hash of all outcomes."""
    refused = value = 0
    for at in range(len(numbers)):
        for end in ENDS:
            told = outcome(form, numbers[:at] + [end] + numbers[at + 1 :], play)
            refused += " " in told and not "0" <= told[0] <= "9" and told[0] != "["
            value = crc32(told.encode(), value)
    return "%d %08x" % (refused, value)


def play_match(blob):
    return play_rounds(MatchPlayer(MatchRecording(blob)))


def play_linked(blob):
    return play_rounds(LinkPlayer(LinkRecording(blob)))


assert outcome(2, SOLO, play_solo)[:4] == "1730"
assert outcome(6, MATCH, play_match)[:12] == "[3, -1, [0, ", outcome(6, MATCH, play_match)
assert outcome(7, LINKED, play_linked)[:3] == "[1,", outcome(7, LINKED, play_linked)
print(try_all(2, SOLO, play_solo), try_all(6, MATCH, play_match), try_all(7, LINKED, play_linked))
