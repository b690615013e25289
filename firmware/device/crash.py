"""Tell what ended the game, and let the player begin again."""

import gc
import sys
import time
import traceback

import supervisor

from firmware.compat import const
from firmware.device.edges import EdgeQueue

_FRAMES = const(3)
_FILE = "skyline-report.txt"
_STEP_S = 0.02
_SETTLE_STEPS = const(3)
_LOOK_STEPS = const(50)  # a second


def make_room() -> None:
    """Forget all modules of ours but those of the hardware: an error may be a lack of memory."""
    for path in list(sys.modules):
        if path.startswith("firmware.") and not path.startswith("firmware.device"):
            del sys.modules[path]
            package, _, name = path.rpartition(".")
            if package in sys.modules and hasattr(sys.modules[package], name):
                delattr(sys.modules[package], name)
    gc.collect()


def describe(problem: Exception) -> str:
    """Print the problem on the serial console, with its traceback, and return it with the last places in few lines.

    What is wrong in settings.toml is one line without places.
    """
    if type(problem).__name__ == "WiringError":
        print(problem)
        return str(problem)
    lines = "".join(traceback.format_exception(problem)).strip().split("\n")
    print("\n".join(lines))
    places = []
    for line in lines:
        place = find_place(line.strip())
        if place:
            places.append(place)
    text = type(problem).__name__ + ": " + str(problem)
    for place in places[-_FRAMES:]:
        text += "\n" + place
    return text


def find_place(line: str) -> str:
    """Return "app.py:7 in step" for a traceback's line `File "firmware/app.py", line 7, in step`, "" for any other."""
    head, _, rest = line.partition('", line ')
    if not rest or not head.startswith('File "'):
        return ""
    number, _, where = rest.partition(", ")
    place = head[6:].split("/")[-1] + ":" + number
    return place + " " + where if where else place


def write_file(text: str) -> bool:
    """Leave the text on the drive if that is ours; the PC's it is by default."""
    try:
        with open(_FILE, "w") as file:
            file.write(text + "\n")
    except OSError:
        return False
    return True


def wait(parts: dict) -> None:
    """Run code.py anew after a press of any button; a file that a PC changes does so too.

    parts: "display" and "buttons", None where there is none, and "found", the values of all keys.
    Without a display say so, and begin anew as soon as one answers.
    """
    supervisor.runtime.autoreload = True
    buttons = parts["buttons"]
    display = parts["display"]
    distress = None
    if display is None:
        from firmware.device.distress import Distress

        distress = Distress(parts["found"])
    edges = EdgeQueue()
    steps = 0
    while True:
        if buttons is not None:
            edges.clear()
            buttons.poll(edges)
            for i in range(edges.count):
                if edges.pressed[i] and steps >= _SETTLE_STEPS:  # what was held before is no press
                    supervisor.reload()
        steps += 1
        if display is not None:
            display.show()  # it may come back
            time.sleep(_STEP_S)
            continue
        distress.step("no display answers")  # type: ignore[union-attr]
        if steps % _LOOK_STEPS == 0:
            from firmware.device import salvage

            if salvage.find_display(parts["found"]) is not None:
                supervisor.reload()
