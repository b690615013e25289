"""Start the image of a drive as the board does, on a faked Pico, and print which file is compiled when.

`tools.measure.starting` runs this as a program of its own, for CircuitPython's names hide others and the
firmware is that of the image:

    python board_start.py IMAGE FAKES ROOT [impatient]

Printed is one JSON object: the wait, by the scene that it ends in, and the paths of its files in order.
"""

import importlib
import importlib.util
import json
import os
import runpy
import sys
import time
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from typing import Any

IMAGE, FAKES, ROOT = (Path(name) for name in sys.argv[1:4])
IMPATIENT = sys.argv[4:] == ["impatient"]
MARATHON, STANDARD = 0, 4  # firmware.modes.catalogue
NOTICE_MS = 4000  # longer than the notice stands
COMPILE_US = 40  # a byte of source
PRESS_MS = 250  # nobody reads a screen and presses in less

waits: dict[str, list[str]] = {"picture": []}
wait = ["picture"]


def count_for(name: str) -> None:
    """Let what is compiled from now on count for another wait, once the first picture was there."""
    if wait[0] != "picture" or name == "notice":
        wait[0] = name
        waits.setdefault(name, [])


class Loader(SourceFileLoader):
    """Note every file that is compiled, and take the place of the main loop."""

    def exec_module(self, module: Any) -> None:
        if os.path.getsize(self.path):
            waits[wait[0]].append(Path(self.path).relative_to(IMAGE).as_posix())
            bench.pass_time(os.path.getsize(self.path) * COMPILE_US // 1000)
        super().exec_module(module)
        if module.__name__ == "firmware.app":
            module.run = play
        elif module.__name__ == "firmware.device.boot.crash":
            sys.exit("the image fails: " + repr(sys.exc_info()))


class Finder:
    """Find the firmware in the image and nowhere else."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name.split(".")[0] != "firmware":
            return None
        folder = IMAGE / name.replace(".", "/")
        package = folder / "__init__.py"
        file = package if package.exists() else folder.with_suffix(".py")
        if not file.exists():
            return None
        return importlib.util.spec_from_file_location(
            name,
            file,
            loader=Loader(name, str(file)),
            submodule_search_locations=[str(folder)] if file is package else None,
        )


def play(app: Any) -> None:
    """Go from the notice to a game, to its end and another one, and to the page of pieces in a pause and back."""

    def stand(ms: int) -> None:
        until_ms = bench.now_ms + ms
        while bench.now_ms < until_ms:
            app.step()
            bench.pass_time(16)

    def enter(name: str, scene: str, subject: object = None) -> None:
        count_for(name)
        app.context.go(scene, subject)
        app.router.change(app.context)
        count_for("rest")

    count_for("rest")
    app.context.settings.ready = 1  # the parts were tried before
    stand(PRESS_MS if IMPATIENT else NOTICE_MS)
    for scene in ("title", "main"):
        stand(PRESS_MS)
        enter(scene, "menus." + scene)
    stand(PRESS_MS)
    enter("game", "play")
    stand(PRESS_MS)
    app.session.finish(app.router.scene.game)
    enter("over", "menus.over", app.router.scene.game)
    enter("again", "play")
    app.session.variant = STANDARD
    app.session.counts_down = False  # for nobody pauses a game that has not begun
    enter("standard", "play")
    app.router.scene.press_pause(bench.now_ms)  # whose menu leads there
    count_for("pieces")
    pause = app.router.scene.cover
    pause.pick(pause.lines.index(b"PIECES"))
    app.router.change(app.context)
    count_for("rest")
    enter("back", "play", app.router.scene.game)
    # As people go today: by the menu and the choice of a level, and by the table of scores.
    app.session.variant = MARATHON
    for scene in ("main", "choose_level"):
        enter(scene, "menus." + scene)
        stand(NOTICE_MS)
    enter("chosen", "play")
    stand(PRESS_MS)
    app.session.finish(app.router.scene.game)
    for scene in ("over", "scores"):
        enter(scene, "menus." + scene, app.router.scene.game if scene == "over" else app.session.placed)
        stand(PRESS_MS)
    enter("anew", "play")
    print(json.dumps(waits))
    raise SystemExit


sys.meta_path.insert(0, Finder)
sys.path[:0] = [str(FAKES)]
sys.path.append(str(ROOT))
os.chdir(IMAGE)

bench = importlib.import_module("workbench").bench

Ssd1306Chip = importlib.import_module("sim.chip").Ssd1306Chip


class Chip(Ssd1306Chip):  # type: ignore[valid-type, misc]
    """Notice the first picture."""

    def write(self, transfer: bytes) -> None:
        super().write(transfer)
        if wait[0] == "picture" and self.on and any(self.picture()):
            count_for("notice")


bench.chips.append(Chip())
time.sleep = bench.sleep
for name in ("boot.py", "code.py"):
    waits["picture"].append(name)
    runpy.run_path(name, run_name="__main__")
