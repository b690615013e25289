"""Measure Skyline on 32-bit MicroPython: each function runs one script there and returns its counts."""

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from firmware.modes.catalogue import FINESSE, ZEN
from tools import interpreters

FRAMES_HZ = 60
# Statements that move what comes after them in the heap. A collection keeps garbage whose address a number in the heap
# happens to equal, so the smallest figure of all layouts counts.
LAYOUTS = ("", "moved = bytearray(48)", "moved = [0] * 300")

_BENCH = Path(__file__).with_name("bench.py").read_text(encoding="utf-8")

_MODULES = """
for name in "{modules}".split():
    before = gc.mem_alloc()
    __import__(name)
    gc.collect()
    print("module", name, gc.mem_alloc() - before)
"""

_HEAP = """
import firmware.app
import firmware.device.handheld
import firmware.device.ssd1306
gc.collect()
print("imported", gc.mem_alloc() - BASE)
"""

# Without bench.py: the few names of this script are in the firmware, too, and take no room.
_HEAP_OF_SCENE = """
import gc
import sys

class app:
    counts_down = False
    recorder = None
    variant = VARIANT
    mapping = None
    def best(aim, number):
        return 0
    class settings:
        motion_on = 1
        music_on = by_ear = one_switch = 0
        MORE
        def apply(options):
            pass
    def suspend(game, at_leisure):
        return True
    class device:
        class clock:
            now_ms = 0
            def ticks_ms():
                return 0
    def next_seed(usual):
        return 77
    def tidy():
        pass
    def off():
        pass
    def tone(hz, duty):
        pass
    count = 1
    button = bytearray(1)
    pressed = bytearray(1)
    t_ms = [0]

app.clock = app.device.clock
app.session = app.router = app
import firmware.router
firmware.router.find_view = lambda large: "firmware.view.playfield"
app.settings.large_cells = 0
LAYOUT
gc.collect()
first = gc.mem_alloc()
from firmware.scenes.play.play import Play
from firmware.view.canvas import Canvas
from firmware.sound.voice import Voice
import firmware.view.playfield
firmware.view.playfield.View = firmware.view.playfield.PlayView
app.canvas = Canvas()
app.voice = Voice(app)
scene = Play(app)
for step in range(STEPS):
    app.t_ms[0] = step * 50 // 3
    app.button[0] = b"\\x00\\x01\\x00\\x01\\x04\\x05\\x00\\x01\\x04\\x02\\x00\\x01\\x06\\x04\\x02\\x03"[step >> 1 & 15]
    app.pressed[0] = step & 1
    scene.update(app, app.t_ms[0])
    scene.draw()
for name in (
    "scenes.play.start", "scenes.play.zen_start", "modes.catalogue", "modes.classes", "modes.rules",
    "modes.lessons.finesse_ways",
):
    path = "firmware." + name
    if path in sys.modules:  # as the App does
        del sys.modules[path]
        delattr(sys.modules[path.rpartition(".")[0]], path.rpartition(".")[2])
def overwrite(depth):  # clear old values on the stack: a collection takes them for addresses
    a = b = c = d = e = f = g = h = i = j = 0
    if depth:
        overwrite(depth - 1)
overwrite(20)
gc.collect()
assert scene.state == 0  # still in play
print("of_scene", gc.mem_alloc() - first)
import micropython
micropython.qstr_info()
"""
# MicroPython's sizes: of an entry in the table of names, and of each part of this table.
_NAME_BYTES = 7
_NAMES_PART_BYTES = 32

# An App that a script drives frame by frame; play_locked() locks the heap, so that an allocation fails.
ON_BOARD = """
import micropython
from firmware.app import App

def begin(seed=0, **how):
    global app, clock, device
    device = build(Bus(), seed)
    clock = device.clock
    app = App(device, seed or 1, **how)
    app.router.change(app.context)

def go(name, subject=None, frames=5):
    app.context.go(name, subject)
    play(frames)

def play(frames):
    for frame in range(frames):
        clock.tick()
        app.step()

def play_locked(frames):
    micropython.heap_lock()
    play(frames)
    micropython.heap_unlock()
"""

_LOCKED = """
play_locked({frames})
game = app.router.scene.game
print("time_ms", game.time_ms, "lines", game.lines, "score", game.score, "version", game.matrix.version)
"""

_LOCKED_RECORDING = """
from firmware.save.recordings.recording import Recording
begin(recording=Recording({blob!r}), first="play")
"""

# A scene whose frames are marked before update, before draw, and at their end. report() prints numbers in short lines.
MARKED = """
from array import array
from time import ticks_us as mark
from firmware.app import App

class Marked:
    def __init__(self, scene):
        self.inner = scene

    def is_playing(self):
        return True

    def update(self, edges, now_ms):
        self.inner.update(edges, now_ms)

    def draw(self):
        mark()
        self.inner.draw()

def report(name, numbers, end):
    for frame in range(0, end, 64):
        print(name, " ".join([str(number) for number in numbers[frame:min(frame + 64, end)]]))
"""

_FRAMES = (
    MARKED
    + """
from firmware.router import find_view, load
from firmware.save.recordings.recording import Recording

def play(frame, end):
    while frame < end:
        device.clock.tick()
        time_ms = recording.time_ms
        bus.count = 0
        mark()
        app.step()
        mark()
        if app.router.scene.inner.state:  # the game is over
            break
        counts[frame] = bus.count
        edges[frame] = recording.time_ms != time_ms
        phases[frame] = app.router.scene.inner.game.phase
        if not frame & 255:  # counting sweeps the whole heap; the last frame reads and saves tables
            held[0] = gc.mem_alloc()
        frame += 1
    return frame

mark()
mark()
recording = Recording({blob!r})
frames = length_ms(recording) * 60 // 1000 + 1
counts = array("H", bytes(2 * frames))
edges = bytearray(frames)
phases = bytearray(frames)
bus = Bus()
for name in ("firmware.scenes.play.play", find_view(0)):
    load(name)  # now: the word LOADING would call show(), and each show() is a mark
del find_view, load, name  # one more name would make this script's dictionary grow while it counts
device = build(bus, 0, mark)
app = App(device, recording=recording, first="play")
app.router.change(app.context)
app.router.scene = Marked(app.router.scene)
held = [0]
before = gc.mem_alloc()
frames = play(0, frames)
print("allocated", held[0] - before)
report("counts", counts, frames)
report("edges", edges, frames)
report("phases", phases, frames)
"""
)

_STEPS = """
from time import ticks_us as mark
from firmware.modes.catalogue import make_mode
from firmware.save.recordings.recording import Player, Recording

def play(frames):
    for frame in range(frames):
        clock.tick()
        mark()
        player.advance(clock.now_ms)
        mark()

mark()
mark()
recording = Recording({blob!r})
frames = length_ms(recording) * 60 // 1000 + 1
game = recording.game(make_mode(recording.variant))
player = Player(recording, game)
clock = Clock()
game.start(0)
play(frames)
"""

# Each case runs twice. The second run counts, when every name has been looked up once.
_MOMENTS = """
from time import ticks_us as mark
from firmware.engine import controls, phases
from firmware.engine.game import Game
from firmware.modes.marathon import Marathon

def start_with(piece, x, y, facing):
    game = Game(1, None, Marathon())
    game.start(0)
    game.advance(0)
    for row in range(4):
        game.matrix.set_row(row, b"\\x08\\x08\\x08\\x08\\x00\\x08\\x08\\x08\\x08\\x08")
    assert game.place(piece, x, y, facing)
    game.enter_new_row()
    game.take_off()
    return game

def idle():
    game = start_with(6, 3, 10, 0)
    game.advance(10)
    mark()
    game.advance(26)
    mark()
    assert game.y == 10

def step():
    game = start_with(6, 3, 10, 0)
    mark()
    game.input(controls.LEFT, 1, 0)
    mark()
    assert game.x == 2

def soft_drop():
    game = start_with(6, 3, 10, 0)
    game.input(controls.SOFT_DROP, 1, 0)
    game.advance(10)
    row = game.y
    mark()
    game.advance(60)
    mark()
    assert game.y == row - 1

def rotation_failed():
    game = start_with(1, 2, 0, 1)
    mark()
    game.input(controls.ROTATE_CW, 1, 0)
    mark()
    assert game.facing == 1

def tetris():
    game = start_with(1, 2, 0, 1)
    mark()
    game.input(controls.HARD_DROP, 1, 0)
    game.advance(300)
    mark()
    assert game.lines == 4 and game.phase == phases.GENERATION

mark()
mark()
for moment in (idle, step, soft_drop, rotation_failed, tetris):
    moment()
    moment()
"""

# The names in test_fuel.py and the table, in the order of the script.
MOMENTS = (
    "idle advance of one frame",
    "sideways step with its Ghost",
    "one row of Soft Drop",
    "rotation with five failed points",
    "Lock Down with a Tetris, through Completion",
)


@dataclass(frozen=True)
class Heap:
    """Bytes of the firmware alone on the heap of a 32-bit interpreter, after a collection."""

    imported: int
    of_scene: int  # in play: engine, view and one scene alone


@dataclass(frozen=True)
class Frames:
    """Costs of each frame of a recording until the game is over; one number a frame."""

    engine: list[int]  # instructions: edges, rules, sound
    draw: list[int]
    show: list[int]
    bus: list[int]  # bytes
    edges: list[int]  # 1 if the frame has the edge of a button
    phases: list[int]  # of the engine, at the frame's end
    allocated: int  # bytes, all frames together

    @property
    def fuel(self) -> list[int]:
        return [sum(parts) for parts in zip(self.engine, self.draw, self.show, strict=True)]


def run(
    script: str, fuel: int = interpreters.FUEL_LIMIT, root: Path = interpreters.ROOT, heap: str = ""
) -> interpreters.Run:
    """Run a script behind bench.py, on the firmware in `root`."""
    return interpreters.run(interpreters.WASM, _BENCH + script, heap=heap, fuel=fuel, root=root)


def read_reports(result: interpreters.Run) -> dict[str, list[int]]:
    """Return the numbers that a script printed, by the name in front of each line."""
    found: dict[str, list[int]] = defaultdict(list)
    for line in result.stdout.splitlines():
        name, *numbers = line.split()
        found[name] += map(int, numbers)
    return found


def measure_modules(modules: list[str]) -> dict[str, int]:
    """Import `modules` in this order; return what each adds to the heap, in bytes."""
    lines = [line.split() for line in run(_MODULES.format(modules=" ".join(modules))).stdout.splitlines()]
    return {name: int(size) for _word, name, size in lines}


def measure_heap(root: Path) -> Heap:
    """Import the firmware, and play the scene alone; raise ScriptFailed or InterpreterMissing.

    root: a folder with the deployed firmware, without the names that only sources have.
    """
    found = dict(line.split() for line in run(_HEAP, root=root).stdout.splitlines())
    return Heap(int(found["imported"]), measure_heap_of_scene(root))


SCENES_OF_PLAY = {ZEN: ("play.zen", "Zen"), FINESSE: ("learn.finesse", "Finesse")}
_SAVING = """
import firmware.save.suspended
from firmware.save.recorder import Recorder
app.recorder = Recorder(2048)
class journal:
    payload = memoryview(bytearray(448))
app.journal = journal
app.remember = lambda replay=None, watcher="": None
"""


def measure_heap_of_scene(root: Path, variant: int = 0, saving: bool = False) -> int:
    """Return the bytes that the scene of play and its imports take in a game of `variant`, without names.

    A board has the names in its ROM. The smallest figure of LAYOUTS counts.
    saving: include a recorder and the modules that save the game in progress.
    """
    # With garbage a game of blind presses ends soon.
    script = _HEAP_OF_SCENE.replace("VARIANT", str(variant)).replace("STEPS", "80" if variant else "200")
    # Settings that only some variants read must not count for Marathon.
    script = script.replace("MORE", "day, large_cells = 13686, 0" if variant else "pass")
    module, scene = SCENES_OF_PLAY.get(variant, ("play.play", "Play"))
    script = script.replace("scenes.play.play import Play", f"scenes.{module} import {scene}")
    script = script.replace("Play(app)", f"{scene}(app)")
    if saving:
        script = script.replace("scene = ", _SAVING + "scene = ", 1)
    sizes = []
    for layout in LAYOUTS:
        result = interpreters.run(interpreters.WASM, script.replace("LAYOUT", layout), root=root)
        of_scene, names = result.stdout.splitlines()
        sizes.append(int(of_scene.split()[1]) - measure_names(names))
    return min(sizes)


def measure_spare_names(names_line: str) -> int:
    """Return the unused bytes of the table of names, from the line of `micropython.qstr_info()`.

    The table doubles when it is full: the firmware's 621st name alone would count as 4.5 KB.
    """
    counts = _read_names(names_line)
    used = counts["str_data_bytes"] + counts["qstr"] * _NAME_BYTES + counts["pool"] * _NAMES_PART_BYTES
    return counts["total_bytes"] - used


def measure_names(names_line: str) -> int:
    """Return all bytes of the table of names, from the same line; a board has these names in its ROM."""
    return _read_names(names_line)["total_bytes"]


def _read_names(names_line: str) -> dict[str, int]:
    return {name: int(count) for name, count in re.findall(r"n_(\w+)=(\d+)", names_line)}


def play_buttons_locked(seed: int, frames: int, **settings: int) -> dict[str, int]:
    """Press buttons at random with the heap locked: an allocation raises ScriptFailed; `settings` have their names."""
    begin = f"begin({seed}, first='play')"
    if settings:
        begin += "".join(f"\napp.context.settings.{name} = {value}" for name, value in settings.items())
        begin += "\napp.context.apply_settings()\ngo('play')"
    return _play_locked(begin, frames)


def play_recording_locked(blob: bytes, frames: int) -> dict[str, int]:
    return _play_locked(_LOCKED_RECORDING.format(blob=blob), frames)


def _play_locked(begin: str, frames: int) -> dict[str, int]:
    words = run(ON_BOARD + begin + _LOCKED.format(frames=frames)).last_line.split()
    return {name: int(value) for name, value in zip(words[::2], words[1::2], strict=True)}


def measure_frames(blob: bytes) -> Frames:
    """Play a whole recording through the App on a handheld; return every frame's instructions and bytes."""
    result = run(_FRAMES.format(blob=blob))
    found = read_reports(result)
    engine, draw, show = (spans_of_frames(result, first, 4, len(found["counts"])) for first in range(3))
    return Frames(engine, draw, show, found["counts"], found["edges"], found["phases"], found["allocated"][0])


def spans_of_frames(result: interpreters.Run, first: int, marks_a_frame: int, frames: int) -> list[int]:
    """Return the fuel of each frame from its mark `first` to the next one, less that of marking (the first two)."""
    marks = interpreters.marks_of(result)
    pairs = zip(marks[2 + first :: marks_a_frame], marks[3 + first :: marks_a_frame], strict=False)
    return [after - before - (marks[1] - marks[0]) for before, after in pairs][:frames]


def measure_steps(blob: bytes) -> list[int]:
    """Play a whole recording with the engine alone, sixty steps a second; return every step's instructions."""
    return interpreters.spans_of(run(_STEPS.format(blob=blob)))


def measure_moments() -> dict[str, int]:
    """Return the instructions of single moments of the engine, by their names in MOMENTS."""
    return dict(zip(MOMENTS, interpreters.spans_of(run(_MOMENTS))[1::2], strict=True))
