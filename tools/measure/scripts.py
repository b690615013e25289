"""Run scripts on 32-bit MicroPython, and count what the frames of a recording cost there."""

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from tools import interpreters

FRAMES_HZ = 60
# Statements that move what comes after them in the heap. A collection keeps garbage whose address a number in the heap
# happens to equal, so the smallest figure of all layouts counts.
LAYOUTS = ("", "moved = bytearray(48)", "moved = [0] * 300")

_BENCH = Path(__file__).with_name("bench.py").read_text(encoding="utf-8")

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
