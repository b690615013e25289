"""Saves are the same on every interpreter: settings, scores, a game, and a journal cut every 16 bytes."""

from binascii import crc32

import firmware.compat
from firmware.engine.options import Options
from firmware.modes.catalogue import make_mode
from firmware.save import suspended, suspended_revival
from firmware.save.journal import SETTINGS, SUSPENDED, TABLES, Journal
from firmware.save.journal_compaction import compact
from firmware.save.presets import FAST, find_preset, handle
from firmware.save.recordings.recording import Recording
from firmware.save.scores import Table
from firmware.save.settings import Settings

ROOT = firmware.compat.__file__[: -len("firmware/compat.py")]


class Store:
    """One bank of flash in memory; after `left` more bytes it ignores writes and erases."""

    left = 1 << 29

    def __init__(self, image):
        self.size = len(image)
        self.image = image

    def read(self, offset, buffer):
        buffer[:] = self.image[offset : offset + len(buffer)]

    def write(self, offset, data):
        for i in range(min(len(data), Store.left)):
            assert self.image[offset + i] == 0xFF
            self.image[offset + i] = data[i]
        Store.left -= min(len(data), Store.left)

    def erase(self):
        for i in range(min(self.size, Store.left)):
            self.image[i] = 0xFF
        Store.left -= min(self.size, Store.left)

    def replace(self, offset, data):
        self.image[offset : offset + len(data)] = data


def save(journal, kind, payload):
    journal.payload[: len(payload)] = payload
    return journal.save(kind, len(payload))


banks = [Store(bytearray(b"\xff" * 512)) for _ in range(2)]
journal = Journal(banks)

settings = Settings()
handle(settings, FAST)
settings.contrast = 3
assert journal.save(SETTINGS, settings.pack(journal.payload))
table = Table(True)
for result in (61000, 59000, 70000, 59000):
    table.insert(table.rank(result), b"SKY", result, 40, 1)
assert journal.save(TABLES + 2, table.pack(journal.payload))

with open(ROOT + "tests/recordings/marathon.sky", "rb") as file:
    recording = Recording(file.read())
game = recording.game(make_mode(recording.variant))
game.start(0)
for _ in range(60):
    recording.read()
    game.input(recording.button, recording.pressed, recording.time_ms)
assert journal.save(SUSPENDED, suspended.pack(game, recording.variant, journal.payload))
for number in range(12):
    assert save(journal, TABLES, b"%040d" % number)
sizes = [len(journal.read(kind)) for kind in (SETTINGS, TABLES, TABLES + 2, SUSPENDED)]
outcome = "%d %s %08x" % (journal.bank, sizes, crc32(banks[0].image + banks[1].image))

journal = Journal(banks)
restored = Settings()
restored.restore(journal.read(SETTINGS))
assert restored.contrast == 3 and find_preset(restored) == FAST
chosen = Options()
restored.apply(chosen)
assert chosen.das_ms == settings.das_ms
table = Table(False)
table.restore(journal.read(TABLES + 2))
assert [table.entry(place)[1] for place in range(table.count)] == [59000, 59000, 61000, 70000]
twin = suspended_revival.restore(journal.read(SUSPENDED), make_mode)
assert twin
while recording.read():
    happened = game.input(recording.button, recording.pressed, recording.time_ms)
    assert twin.input(recording.button, recording.pressed, recording.time_ms) == happened
assert (twin.score, twin.lines, twin.matrix.masks) == (game.score, game.lines, game.matrix.masks)
assert twin.phase == game.phase and twin.time_ms == game.time_ms
outcome += " %d %d" % (game.score, twin.lines)

# A compaction that is cut every 16 bytes loses nothing.
before = [bytes(journal.read(kind)) for kind in range(1, 15)]
images = [bytes(bank.image) for bank in banks]
for left in range(0, 1024, 16):
    banks = [Store(bytearray(image)) for image in images]
    journal = Journal(banks)
    Store.left = left
    compact(journal)
    Store.left = 1 << 29
    journal = Journal(banks)
    assert [bytes(journal.read(kind)) for kind in range(1, 15)] == before, left
    assert save(journal, TABLES, b"on")
    outcome += " %d" % journal.bank

# The only bank is rewritten in place.
bank = Store(bytearray(b"\xff" * 1024))
journal = Journal([bank])
for turn in range(60):
    kind = 1 + turn * 7 % 12
    assert save(journal, kind, b"%040d" % turn)
    assert bytes(Journal([bank]).read(kind)) == b"%040d" % turn
outcome += " %08x" % crc32(bank.image)

print(outcome)
