"""Show the error that ended the game until a press restarts it; code.py runs this in an empty heap."""

import microcontroller
import supervisor

from firmware.compat import TYPE_CHECKING, const
from firmware.device.backup_bank import MARK_BYTES, BackupBank
from firmware.device.boot import crash_parts
from firmware.device.boot.no_display import ProblemSignal
from firmware.device.edges import EdgeQueue
from firmware.device.nvm import NvmStore

if TYPE_CHECKING:
    from firmware.contracts import Any, Parts

_PLACES = const(3)
_FILE = "skyline-report.txt"
_SETTLE_STEPS = const(3)
_LOOK_STEPS = const(50)  # a second


def tell(problem: str, page: "Any", parts: "Parts") -> None:
    """Show `problem`, blink the LED and restart at any press; return if Ctrl+C ended the game.

    problem: a CircuitPython traceback, or one line about a wrong settings.toml. Only a traceback is saved as a report.
    page: firmware/scenes/error_screen.py, which shows and saves the problem. parts: the parts that a failed
    firmware.device.boot.screen.build found, else empty.
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
    problem = problem.strip("!")  # Machine.leave_problem adds it to a problem without a traceback
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
    # Without the function: tools/deploy shortens its name on the drive. Line numbers stay the same.
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

    parts: "display" and "buttons", None if missing, and "found", the values of all keys. Without a display also sound
    and print, and restart as soon as a display answers.
    """
    buttons = parts["buttons"]
    display = parts["display"]
    signal = ProblemSignal(parts["found"], display is None)
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
        signal.step("no display answers")
        if display is not None:
            display.show()  # the display may have been unplugged and be back
        elif steps % _LOOK_STEPS == 0 and crash_parts.find_display(parts["found"]) is not None:
            supervisor.reload()
