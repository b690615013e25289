"""Measure every scene on 32-bit MicroPython: the heap in use while it shows, and whether it frees its share later.

It measures the files that tools.deploy puts on a board. Unprepared sources would also bring in all names of locals and
private constants, which a board never frees.
"""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

from firmware.device.wiring import DIRECT
from firmware.engine.controls import PAUSE, ROTATE_CW
from firmware.modes.catalogue import MARATHON, SPRINT, ZEN
from sim.scenes import name_scene
from tools import interpreters
from tools.deploy import image, minifying
from tools.files import write_files
from tools.measure import scripts

FIRST = "menus.legal"
RECORDER_BYTES = 2048  # as in code.py
# Heap in use on a board but not in bench.py: CircuitPython's own objects, the drivers, the spare copy of the save; less
# what bundles of modules save there. Taken from `python -m tools.measure --board`, which prints the sum beside the
# board's figure.
BOARD_BYTES = 7_500
# Scenes that need a game of their own: other tests measure them, except menus.over, which name_scenes puts last.
ELSEWHERE = {
    *("review.review", "review.moments", "tetress.play", "menus.over_pieces", "menus.over"),
    *("match.play", "match.over", "match.watch", "link.lobby", "link.play", "link.over", "link.watch"),
}

_ROUNDS = """
import micropython
import firmware.app
from firmware.save.recorder import Recorder
blob = {blob!r}
device = build(Bus(), 0)
app = firmware.app.App(device, 1, first="{first}", recorder=Recorder({recorder}))
app.session.counts_down = False  # measure a running game

class Silence:  # a link without another device
    def read_into(self, buffer):
        return 0

    def write(self, content):
        return len(content)

def frames(count):
    for frame in range(count):
        device.clock.tick()
        app.step()

def overwrite(depth):  # clear old values on the stack: a collection takes them for addresses
    a = b = c = d = e = f = g = h = i = j = 0
    if depth:
        overwrite(depth - 1)

{layout}
frames(2)
game = None
for turn in range({rounds}):
    for name, subject in (({scenes})):
        if name == "menus.over":
            subject = game
            game = None
        elif name.endswith(".watch"):
            subject = blob
        elif name == "menus.scores_initials":
            subject = (0, 0)
        elif name == "rules.line_menu":
            subject = ([1], -1, False)
        elif name == "rules.line_code" or name == "rules.line_name":
            subject = ([1], ("rules.menu", None), None)[: 3 if name == "rules.line_code" else 2]
        elif name == "help.demo":
            subject = 0
        elif name == "link.lobby":
            device.link = Silence()
            app.context.settings.initials = 1  # else the lobby would ask for initials
        app.idling.wake(device.clock.ticks_ms())  # as after a press: else the title would play sooner
        app.context.go(name, subject)
        subject = None
        app.router.change(app.context)
        frames({frames})
        if name == "play":
            game = app.router.scene.game
        overwrite(20)
        gc.collect()
        print("scene", name, gc.mem_alloc() - BASE)
        micropython.qstr_info()
"""

_GAME = """
import micropython
print("names", 0)
micropython.qstr_info()
import firmware.app
from firmware.save.recorder import Recorder
device = build(Bus(), 0)
presses = []

def poll(sink):
    if presses:
        sink.append(presses.pop(), 1, device.clock.now_ms)

device.buttons.poll = poll
app = firmware.app.App(device, 1, first="{first}", recorder=Recorder({recorder}))
app.context.settings.versus = {versus}

def frames(count):
    for frame in range(count):
        device.clock.tick()
        app.step()

def enter(name, subject=None):
    app.context.go(name, subject)
    app.router.change(app.context)

frames(2)
{way}
frames({frames})
gc.collect()
print("play", gc.mem_alloc() - BASE)
micropython.qstr_info()
presses.append({pause})
frames(27)  # START held: a puzzle pauses after 400 ms, a game begins again after 500
gc.collect()
print("pause", gc.mem_alloc() - BASE)
micropython.qstr_info()
"""
_PLAY = "app.session.variant = {}\nenter('play')"
# The commands that open a game after the notice.
GAMES = {
    "Marathon": _PLAY.format(MARATHON),
    "Sprint": _PLAY.format(SPRINT),
    "Zen": _PLAY.format(ZEN),
    "Puzzle": "enter('learn.puzzle_play', 0)",
    "Tetress": f"enter('tetress.menu')\nframes(10)\npresses.append({ROTATE_CW})\nframes(30)",
}
_GAME_FRAMES = 300


def measure_game(name: str) -> dict[str, int]:
    """Return an estimate of the bytes in use on a board's heap in a game of GAMES: in play, and in a pause."""
    return _measure_game(FIRST, GAMES[name])


def measure_match(versus: int) -> dict[str, int]:
    """Return the same for a match, which begins in an empty heap; `versus`: the setting with the opponents."""
    return _measure_game("match.play", "", versus)


def _measure_game(first: str, way: str, versus: int = 0) -> dict[str, int]:
    script = _GAME.format(
        first=first, way=way, versus=versus, recorder=RECORDER_BYTES, frames=_GAME_FRAMES, pause=PAUSE
    )
    lines = scripts.run(script, 2 * interpreters.FUEL_LIMIT, deployed(), "4M").stdout.splitlines()
    names_before = scripts.measure_names(lines[1])
    return {
        line.split()[0]: int(line.split()[1]) - scripts.measure_names(names_line) + names_before + BOARD_BYTES
        for line, names_line in zip(lines[2::2], lines[3::2], strict=True)
    }


def measure_scenes(names: list[str], blob: bytes, rounds: int = 1, frames: int = 20) -> list[dict[str, int]]:
    """Enter the scenes in this order, `rounds` times; return for each round the bytes on the heap in each.

    The unused part of the table of names is left out, see `scripts.measure_spare_names`. Of each scene the smallest
    figure of `scripts.LAYOUTS` counts.

    frames: time in each scene.  blob: a recording for the scenes that play one.

    "play" must come before "menus.over", which shows the result of its game.
    """
    rounds_of_layouts = [_measure_layout(names, blob, rounds, frames, layout) for layout in scripts.LAYOUTS]
    return [
        {name: min(sizes[name] for sizes in same) for name in names} for same in zip(*rounds_of_layouts, strict=True)
    ]


def _measure_layout(names: list[str], blob: bytes, rounds: int, frames: int, layout: str) -> list[dict[str, int]]:
    scenes = ", ".join(f"({name!r}, None)" for name in names) + ","
    fuel = rounds * interpreters.FUEL_LIMIT // 4
    fields = {"blob": blob, "first": FIRST, "rounds": rounds, "frames": frames, "scenes": scenes}
    result = scripts.run(
        _ROUNDS.format(**fields, recorder=RECORDER_BYTES, layout=layout),
        fuel,
        deployed(),
        "4M",  # counting takes longer in a larger heap; no scene leaves this much garbage
    )
    lines = result.stdout.splitlines()
    sizes = [
        (line.split()[1], int(line.split()[2]) - scripts.measure_spare_names(names_line))
        for line, names_line in zip(lines[::2], lines[1::2], strict=True)
    ]
    return [dict(sizes[at : at + len(names)]) for at in range(0, len(sizes), len(names))]


@functools.cache
def deployed() -> Path:
    """Return a folder with the firmware as tools.deploy puts it on a board."""
    folder = Path(tempfile.mkdtemp(prefix="skyline-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    write_files(folder, image.build(DIRECT, cache=minifying.Cache(minifying.cache_path())))
    return folder


def name_scenes() -> list[str]:
    """Return the names of all scenes in order: modules of firmware/scenes/ with a class Scene, and play."""
    folder = interpreters.ROOT / "firmware" / "scenes"
    paths = [path for path in folder.glob("*/*.py") if "\nclass Scene" in path.read_text(encoding="utf-8")]
    names = {name_scene(f"firmware.scenes.{path.parent.name}.{path.stem}") for path in paths}
    return [*sorted(names - ELSEWHERE - {"play"}), "play", "menus.over"]
