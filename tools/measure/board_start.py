"""Start the image of a drive as the board does, on a faked Pico, and print the files compiled in each wait.

`tools.measure.starting` runs this as a separate program, because CircuitPython's names hide others and the
firmware comes from the image:

    python board_start.py IMAGE FAKES ROOT [impatient]

It prints one JSON object: each wait, named by the scene that ends it, with the paths of its files in order.
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
NOTICE_MS = 4000  # longer than the notice stays
COMPILE_US = 40  # for each byte of source
PRESS_MS = 250  # nobody reads a screen and presses a button faster

waits: dict[str, list[str]] = {"picture": []}
wait = ["picture"]


def count_for(name: str) -> None:
    """Count the files compiled from now on for another wait; before the first picture only "notice" can begin."""
    if wait[0] != "picture" or name == "notice":
        wait[0] = name
        waits.setdefault(name, [])


class Loader(SourceFileLoader):
    """Note every file that is compiled, and replace the main loop by play()."""

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
        inner, loader = [str(folder)] if file is package else None, Loader(name, str(file))
        return importlib.util.spec_from_file_location(name, file, loader=loader, submodule_search_locations=inner)


def play(app: Any) -> None:
    """Go from the notice to a game, its end, another game, and to the page of pieces in a pause and back."""

    def run_frames(ms: int) -> None:
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
    app.context.settings.ready = 1  # the parts were tested before
    run_frames(PRESS_MS if IMPATIENT else NOTICE_MS)
    for scene in ("title", "main"):
        run_frames(PRESS_MS)
        enter(scene, "menus." + scene)
    run_frames(PRESS_MS)
    enter("game", "play")
    run_frames(PRESS_MS)
    app.session.finish(app.router.scene.game, 0)
    enter("over", "menus.over", app.router.scene.game)
    enter("again", "play")
    app.session.variant = STANDARD
    app.session.counts_down = False  # a game cannot pause in its countdown
    enter("standard", "play")
    app.router.scene.press_pause(bench.now_ms)  # its menu leads to PIECES
    count_for("pieces")
    pause = app.router.scene.cover
    pause.pick(pause.lines.index(b"PIECES"))
    app.router.change(app.context)
    count_for("rest")
    enter("back", "play", app.router.scene.game)
    # The usual way: through the menu and the choice of a level, then through the score table.
    app.session.variant = MARATHON
    for scene in ("main", "choose_level"):
        enter(scene, "menus." + scene)
        run_frames(NOTICE_MS)
    enter("chosen", "play")
    run_frames(PRESS_MS)
    app.session.finish(app.router.scene.game, 0)
    for scene in ("over", "scores"):
        enter(scene, "menus." + scene, app.router.scene.game if scene == "over" else app.session.placed)
        run_frames(PRESS_MS)
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
    """End the first wait at the first picture."""

    def write(self, transfer: bytes) -> None:
        super().write(transfer)
        if wait[0] == "picture" and self.on and any(self.picture()):
            count_for("notice")


bench.chips.append(Chip())
time.sleep = bench.sleep
for name in ("boot.py", "code.py"):
    waits["picture"].append(name)
    runpy.run_path(name, run_name="__main__")
