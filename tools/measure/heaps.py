"""Measure the heap of the firmware's modules, and of a scene in play alone, on 32-bit MicroPython."""

import ast
from dataclasses import dataclass
from pathlib import Path

from firmware.modes.catalogue import FINESSE, ZEN
from tools import interpreters
from tools.measure import scripts

_ROOTS = ("firmware.app", "firmware.device.ssd1306", "firmware.device.handheld")

_MODULES = """
for name in "{modules}".split():
    before = gc.mem_alloc()
    __import__(name)
    gc.collect()
    print(name, gc.mem_alloc() - before)
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
    variant = {variant}
    mapping = None
    def best(aim, number):
        return 0
    class settings:
        motion_on = 1
        music_on = by_ear = one_switch = 0
        {settings}
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
{layout}
gc.collect()
first = gc.mem_alloc()
from firmware.scenes.{module} import {scene}
from firmware.view.canvas import Canvas
from firmware.sound.voice import Voice
import firmware.view.playfield
firmware.view.playfield.View = firmware.view.playfield.PlayView
app.canvas = Canvas()
app.voice = Voice(app)
{saving}scene = {scene}(app)
for step in range({steps}):
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

_SAVING = """
import firmware.save.suspended
from firmware.save.recorder import Recorder
app.recorder = Recorder(2048)
class journal:
    payload = memoryview(bytearray(448))
app.journal = journal
app.remember = lambda replay=None, watcher="": None
"""
# By variant: the module and the class of a scene other than that of Marathon.
_SCENES_OF_PLAY = {ZEN: ("play.zen", "Zen"), FINESSE: ("learn.finesse", "Finesse")}


@dataclass(frozen=True)
class Heap:
    """Bytes of the firmware alone on the heap of a 32-bit interpreter, after a collection."""

    imported: int
    of_scene: int  # in play: engine, view and one scene alone


def list_modules() -> list[str]:
    """Return the modules that _ROOTS import, each after its own imports."""
    found: list[str] = []
    seen: set[str] = set()  # imports for type checkers run in circles

    def visit(module: str) -> None:
        path = interpreters.ROOT / (module.replace(".", "/") + ".py")
        if module in seen or not path.exists():
            return
        seen.add(module)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("firmware"):
                visit(node.module or "")
                for alias in node.names:
                    visit(f"{node.module}.{alias.name}")
        found.append(module)

    for root in _ROOTS:
        visit(root)
    return found


def measure_modules() -> dict[str, int]:
    """Import the modules of the firmware one after the other; return what each adds to the heap, in bytes."""
    printed = scripts.run(_MODULES.format(modules=" ".join(list_modules()))).stdout
    return {name: int(size) for name, size in map(str.split, printed.splitlines())}


def measure_heap(root: Path) -> Heap:
    """Import the firmware, and play the scene alone; raise ScriptFailed or InterpreterMissing.

    root: a folder with the deployed firmware, without the names that only sources have.
    """
    found = dict(line.split() for line in scripts.run(_HEAP, root=root).stdout.splitlines())
    return Heap(int(found["imported"]), measure_heap_of_scene(root))


def measure_heap_of_scene(root: Path, variant: int = 0, saving: bool = False) -> int:
    """Return the bytes that the scene of play and its imports take in a game of `variant`, without names.

    A board has the names in its ROM. The smallest figure of scripts.LAYOUTS counts.
    saving: include a recorder and the modules that save the game in progress.
    """
    module, scene = _SCENES_OF_PLAY.get(variant, ("play.play", "Play"))
    fields = {
        "variant": variant,
        "module": module,
        "scene": scene,
        "saving": _SAVING if saving else "",
        "steps": 80 if variant else 200,  # with garbage a game of blind presses ends soon
        # Settings that only some variants read must not count for Marathon.
        "settings": "day, large_cells = 13686, 0" if variant else "pass",
    }
    sizes = []
    for layout in scripts.LAYOUTS:
        script = _HEAP_OF_SCENE.format(**fields, layout=layout)
        of_scene, names = interpreters.run(interpreters.WASM, script, root=root).stdout.splitlines()
        sizes.append(int(of_scene.split()[1]) - scripts.measure_names(names))
    return min(sizes)
