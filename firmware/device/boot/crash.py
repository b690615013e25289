"""Show what ended the game until a press restarts it; code.py runs this in an empty heap."""

import microcontroller
import supervisor

from firmware.compat import TYPE_CHECKING, const
from firmware.device.backup_bank import MARK_BYTES, BackupBank
from firmware.device.boot import crash_parts
from firmware.device.boot.no_display import ProblemSignal
from firmware.device.edges import EdgeQueue
from firmware.device.nvm import NvmStore

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Parts

_PLACES = const(3)
_FILE = "skyline-report.txt"
_SETTLE_STEPS = const(3)
_LOOK_STEPS = const(50)  # a second


def tell(problem: str, page: "Any", parts: "Parts") -> None:
    """Show `problem`, blink the LED and restart at any press; return if Ctrl+C ended the game.

    problem: a CircuitPython traceback, which is kept as a report, or one line about a wrong settings.toml. page:
    firmware/scenes/error_screen.py, which shows and keeps it. parts: what a failed start of
    firmware.device.boot.screen.build left, else empty.
    """
    text = describe(problem)
    if text.startswith("KeyboardInterrupt"):
        return  # the user wants the prompt
    supervisor.runtime.autoreload = True  # a file saved on a PC restarts the game too
    if parts:
        print(text)
    else:
        keep(text, page)
    crash_parts.complete(parts)
    page.tell(parts["display"], b"PROBLEM", text + "\nPRESS A BUTTON")
    wait(parts)


def describe(problem: str) -> str:
    """Return a traceback's last line and innermost places; return any other text as it is."""
    problem = problem.strip("!")  # left by Machine.leave_problem if there was no traceback
    lines = problem.strip().split("\n")
    places = []
    for line in lines:
        place = find_place(line.strip())
        if place:
            places.append(place)
    return "\n".join([lines[-1].strip()] + places[-_PLACES:]) if places else problem


def find_place(line: str) -> str:
    """Return "app.py:7" for a traceback's line `File "firmware/app.py", line 7, in step`, "" for any other."""
    head, _, rest = line.partition('", line ')
    if not rest or not head.startswith('File "'):
        return ""
    # Not the function: its name is shortened on a drive (tools/deploy), while lines stay the same.
    return head[6:].split("/")[-1] + ":" + rest.partition(",")[0]


def keep(text: str, page: "Any") -> None:
    """Save the report in the journal and, if the game owns the drive, in a file."""
    memory = microcontroller.nvm
    if memory is not None:
        store = NvmStore(memory)
        page.note((store,), text, BackupBank(store.size + MARK_BYTES))
    try:
        with open(_FILE, "w") as file:
            file.write(text + "\n")
    except OSError:
        pass  # the PC owns the drive, as by default


def wait(parts: "Parts") -> None:
    """Blink until any button is pressed, then run code.py again.

    parts: "display" and "buttons", None if missing, and "found", the values of all keys. Without a display signal
    aloud, and restart as soon as one answers.
    """
    buttons = parts["buttons"]
    display = parts["display"]
    distress = ProblemSignal(parts["found"], display is None)
    edges = EdgeQueue()
    steps = 0
    while True:
        if buttons is not None:
            edges.clear()
            buttons.poll(edges)
            for i in range(edges.count):
                if edges.pressed[i] and steps >= _SETTLE_STEPS:  # a button held before is no press
                    supervisor.reload()
        steps += 1
        distress.step("no display answers")
        if display is not None:
            display.show()  # it may come back
        elif steps % _LOOK_STEPS == 0 and crash_parts.find_display(parts["found"]) is not None:
            supervisor.reload()
