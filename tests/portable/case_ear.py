"""The tones of By ear and the pictures of an invisible game are equal everywhere."""

from binascii import crc32

import firmware.compat
from firmware.device.edges import EdgeQueue
from firmware.listening import Listening
from firmware.modes.catalogue import make_mode
from firmware.save.recordings.recording import Player, Recording
from firmware.sound.by_ear import Ear
from firmware.sound.voice import Voice
from firmware.view.canvas import Canvas
from firmware.view.effects import EffectsView
from firmware.view.veil import Veil

ROOT = firmware.compat.__file__[: -len("firmware/compat.py")]
FRAMES = 1500


class Buzzer:
    hz = 0

    def tone(self, hz, duty):
        self.hz = hz

    def off(self):
        self.hz = 0


class Settings:
    by_ear = 2
    effects_volume = 4


class Context:
    def __init__(self):
        self.buzzer = Buzzer()
        self.voice = Voice(self.buzzer)
        self.settings = Settings()
        self.mapping = Listening(bytes((1, 2, 4, 8, 16, 32, 64, 128, 192)))


class Scene:
    def __init__(self, game):
        self.game = game
        self.context = Context()

    def is_playing(self):
        return True


def play(name, invisible):
    with open(ROOT + "tests/recordings/" + name + ".sky", "rb") as file:
        recording = Recording(file.read())
    recording.options.invisible = invisible
    game = recording.game(make_mode(recording.variant))
    player = Player(recording, game)
    scene = Scene(game)
    ear = Ear(scene)
    canvas = Canvas()
    view = EffectsView(canvas)
    Veil(view, game)
    view.reset()
    edges = EdgeQueue(8)
    tones = pictures = 0
    for frame in range(FRAMES):
        now_ms = frame * 16
        edges.clear()
        if frame % 90 in (40, 75):  # ask for the Surface, then for the queues
            for pressed in (True, False):
                edges.append(6, pressed, now_ms)
                edges.append(7, pressed, now_ms)
        scene.context.mapping.translate(edges, now_ms)
        happened = player.advance(now_ms)
        ear.tell(happened, now_ms)
        view.tell(happened, game)
        ear.update(now_ms)
        view.draw(game)
        tones = crc32(str(scene.context.buzzer.hz).encode(), tones)
        pictures = crc32(canvas.buffer, pictures)
    return "%s %d %08x %08x %d" % (name, invisible, tones, pictures, game.lines)


print("; ".join([play(name, invisible) for name in ("marathon", "modes/survive") for invisible in (1, 2)]))
