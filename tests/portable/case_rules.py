"""Rules as a line, its QR code, the lines kept, and the table of a game are the same on every interpreter."""

from binascii import crc32

from firmware.modes.catalogue import find
from firmware.modes.classes import choose_options, find_class
from firmware.save import kept_rules, rules, rules_line
from firmware.save.journal import Journal
from firmware.save.scores import find_kind
from firmware.save.settings import Settings
from firmware.view import qr
from firmware.view.canvas import Canvas


class Store:
    """One bank of flash in memory."""

    def __init__(self):
        self.size = 4096
        self.image = bytearray(b"\xff" * self.size)

    def read(self, offset, buffer):
        buffer[:] = self.image[offset : offset + len(buffer)]

    def write(self, offset, data):
        self.image[offset : offset + len(data)] = data

    def erase(self):
        self.image = bytearray(b"\xff" * self.size)


SEED = 0x2F6E2B1
noise = [SEED]


def draw_number(below):
    noise[0] = noise[0] * 1103515245 + 12345 & 0x3FFFFFFF
    return noise[0] >> 8 & 0xFFFF if below > 0xFFFF else (noise[0] >> 8) % below


canvas = Canvas()
journal = Journal([Store()])
lines = 0
pictures = 0
for turn in range(24):
    settings = Settings()
    for _place, name, least, most, _default, _line, _words in rules.OPTIONS:
        if draw_number(3) == 0:
            setattr(settings, name, least + draw_number(most + 1 - least))
    settings.aim = 0
    settings.variant = (0, 1, 2, 3, 8, 9, 10, 12)[turn & 7]
    settings.versus = 1188186 + draw_number(5) * 15
    if turn & 1:
        numbers = rules.collect(settings, 1)
    else:
        numbers = rules.collect(settings, 0, -1 if turn % 3 else draw_number(1 << 20))
    line = rules_line.write(numbers)
    assert rules_line.read(line.lower()) == numbers
    record = find(settings.variant)
    options = choose_options(settings, record)
    kind = find_kind(record, options.aim, find_class(options, record))
    lines = crc32(b"%d" % kind, lines)
    other = Settings()
    rules.apply(numbers, other)
    assert rules.collect(other, turn & 1)[0] == numbers[0]
    lines = crc32(line.encode(), lines)
    if turn < 4:
        qr.draw(canvas, line)
        pictures = crc32(canvas.buffer, pictures)
    kept_rules.keep(journal, b"LINE %d" % (turn % 10), numbers)
    for wrong in (line[:-1], line + "0", line.replace(line[7], "Z" if line[7] != "Z" else "Y")):
        try:
            rules_line.read(wrong)
            raise AssertionError(wrong)
        except ValueError as problem:
            lines = crc32(str(problem).encode(), lines)
kept = kept_rules.read(Journal(journal.stores))
assert len(kept) == 8
print("%08x %08x %08x" % (lines, pictures, crc32(repr(kept).encode())))
