"""Slow games, and games with one switch: the same traces on every interpreter."""

from binascii import crc32

from firmware.device.edges import EdgeQueue
from firmware.engine.options import Options
from firmware.modes.catalogue import MARATHON, ZEN, make_mode
from firmware.modes.puzzle import Puzzle, PuzzleGame
from firmware.modes.rules import find_rules
from firmware.modes.slow import STILL, apply
from firmware.scenes.play.places_cursor import PlacesCursor
from firmware.view.canvas import Canvas

FRAME_MS = 16


def trace(game, value):
    """Return a check sum of a game's state."""
    value = crc32(repr((game.piece, game.x, game.y, game.facing, game.score, game.lock_downs)).encode(), value)
    value = crc32(repr((game.phase, game.fall_us, game.lock_us)).encode(), value)
    for row in game.matrix.rows:
        value = crc32(row, value)
    return value


def begin(variant, slow, seed):
    options = Options()
    options.slow = slow
    mode = make_mode(variant)
    apply(options, mode, 0)
    game = find_rules(mode, options)(seed, options, mode)
    game.start(0)
    return game


class Shown:
    """Stand for a view."""

    left = 0
    pitch = 5
    show_ghost = True

    def __init__(self):
        self.matrix = self
        self.draw = None


class Scene:
    """Stand for a scene of play."""

    def __init__(self, game):
        self.game = game
        self.view = Shown()
        self.context = self
        self.canvas = Canvas()
        self.last_ms = 0
        self.state = 0


value = 0
for variant in (MARATHON, ZEN):
    for slow in range(STILL + 1):
        game = begin(variant, slow, 3 + slow)
        t_ms = 0
        for step in range(300):
            t_ms += 61
            for pressed in (1, 0):
                game.input(step * 5 % 7, pressed, t_ms)
        value = trace(game, value)
print("slow %08x" % value)

placed = 0
for game in (begin(MARATHON, STILL, 5), begin(ZEN, STILL, 6), PuzzleGame(20, Options(), Puzzle())):
    game.start(0)
    scene = Scene(game)
    cursor = PlacesCursor(scene, 100, isinstance(game, PuzzleGame))
    sink = EdgeQueue()
    t_ms = 0
    for frame in range(1000):
        t_ms += FRAME_MS
        sink.clear()
        cursor.update(sink, t_ms, frame * frame % 23 == 4, False)
        for i in range(sink.count):
            game.input(sink.button[i], sink.pressed[i], sink.t_ms[i])
        game.advance(t_ms)
        scene.last_ms = t_ms
        value = crc32(repr((cursor.level, cursor.entry, cursor.place, cursor.reach.count)).encode(), value)
    value = trace(game, value)
    placed += game.lock_downs
print("switch %08x, %d places" % (value, placed))
