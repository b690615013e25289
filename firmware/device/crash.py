"""Tell what ended the game, and let the player begin again."""

import gc
import sys
import traceback

import supervisor

from firmware.compat import const
from firmware.device.edges import EdgeQueue

_FRAMES = const(3)
_FILE = "skyline-report.txt"
_WAIT_MS = const(20)


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
        if line.strip().startswith('File "'):
            # File "/firmware/app.py", line 7, in step
            parts = line.strip().split(", ")
            place = parts[0].split("/")[-1].strip('"') + ":" + parts[1][5:]
            places.append(place + " " + parts[2].split("\n")[0] if len(parts) > 2 else place)
    text = type(problem).__name__ + ": " + str(problem)
    for place in places[-_FRAMES:]:
        text += "\n" + place
    return text


def write_file(text: str) -> bool:
    """Leave the text on the drive if that is ours; the PC's it is by default."""
    try:
        with open(_FILE, "w") as file:
            file.write(text + "\n")
    except OSError:
        return False
    return True


def wait(device) -> None:
    """Run code.py anew after a press of any button; a file that a PC changes does so too."""
    supervisor.runtime.autoreload = True
    edges = EdgeQueue()
    clock = device.clock
    device.buzzer.off()
    device.buttons.poll(edges)  # what was pressed before
    while True:
        edges.clear()
        device.buttons.poll(edges)
        for i in range(edges.count):
            if edges.pressed[i]:
                supervisor.reload()
        device.display.show()  # a display may come back
        clock.wait_until(clock.ticks_ms() + _WAIT_MS & 0x1FFFFFFF)
