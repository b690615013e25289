"""Read a script of presses, one step a line; `python -m tools.board --help` lists the steps."""

import re
from dataclasses import dataclass
from pathlib import Path

from firmware.save.recordings.recording import Recording
from sim import terminal
from sim.terminal import tell_unknown
from tools.board import BoardError, wires

HELP = """\
A script has one step a line; # begins a comment. Buttons are LEFT RIGHT SOFT_DROP HARD_DROP ROTATE_CW ROTATE_CCW
HOLD PAUSE, or L R D U A B C S as on the handheld; + presses several at once.

  wait SECONDS               let time pass
  tap BUTTONS [SECONDS]      press, for 0.06 s, and let 0.25 s pass
  press BUTTONS              hold down
  release BUTTONS            let go
  picture FILE.png           save what the display shows
  send TEXT                  type a line into the serial console
  choose WORDS               go down to the line of a menu that has these words, and press A
  expect WORDS               wait until the screen shows these words, up to 10 s
  heap                       print free heap and largest block, garbage counted and not counted
  off                        cut the power
  cut N [erase|program] WHEN cut the power in the N-th operation of the flash that follows, or the N-th erase of 4 KB or
                             program of 256 bytes. WHEN: before, half or after it. Steps go on; an `on` ends the dark
  on                         switch on again

On a ring a number and a colon in front say which handheld is meant (2: tap A); without them all are.
"""

# By step: the least and most words after its name.
_STEPS = {
    "wait": (1, 1),
    "tap": (1, 2),
    "press": (1, 1),
    "release": (1, 1),
    "picture": (1, 1),
    "send": (1, 1 << 10),
    "choose": (1, 16),
    "expect": (1, 16),
    "heap": (0, 0),
    "cut": (2, 3),
    "off": (0, 0),
    "on": (0, 0),
}
_SENDS = re.compile(r"\s*(\d+\s*:\s*)?send ")  # its text may have a #

CUTS = {"before": 0.0, "half": 0.5, "after": 1.0}
KINDS = {"erase": True, "program": False}


@dataclass(frozen=True)
class Step:
    """One step of a script.  which: index of a handheld in the ring, None for all.  seconds: of wait and tap."""

    name: str
    words: str = ""
    seconds: float = 0.0
    which: int | None = None


def read(text: str, handhelds: int = 1) -> list[Step]:
    """Return the steps of a script; raise BoardError with the number of the wrong line."""
    steps = []
    for number, line in enumerate(text.splitlines(), 1):
        plain = line.strip() if _SENDS.match(line) else line.split("#")[0].strip()
        if plain:
            try:
                steps.append(_read_step(plain, handhelds))
            except ValueError as problem:
                raise BoardError(f"line {number} of the script: {problem}") from None
    return steps


def _read_step(line: str, handhelds: int) -> Step:
    which = None
    head, colon, rest = line.partition(":")
    if colon and head.strip().isdecimal():
        which, line = _number(head.strip()) - 1, rest.strip()
        if not 0 <= which < handhelds:
            raise ValueError(f"there is no handheld {head}, there are {handhelds}")
    name, _, words = line.partition(" ")
    least, most = _STEPS.get(name, (0, 0))
    if name not in _STEPS:
        raise ValueError(tell_unknown(name, _STEPS, "step"))
    count = len(words.split())
    if not least <= count <= most:
        raise ValueError(f"{name} takes {least if least == most else f'{least} to {most}'} words, not {count}")
    if name == "wait":
        return Step(name, "", _seconds(words), which)
    if name == "cut":
        _check_cut(words.split())
    if name in ("tap", "press", "release"):
        buttons, _, hold = words.strip().partition(" ")
        for button in buttons.split("+"):
            wires.find_pin(button)
        return Step(name, buttons, _seconds(hold) if hold else 0.06, which)
    return Step(name, words, 0.0, which)


def _number(text: str) -> int:
    """Return the whole number of a text, 0 for any other text."""
    try:
        return terminal.read_whole(text)
    except ValueError:
        return 0


def _check_cut(words: list[str]) -> None:
    """Raise ValueError unless the words describe a cut."""
    if _number(words[0]) < 1:
        raise ValueError(f"{words[0]} is not the number of an operation, from 1 on")
    if words[-1] not in CUTS or not set(words[1:-1]) <= KINDS.keys():
        raise ValueError(f"cut takes a number, {' or '.join(KINDS)} or neither, and {', '.join(CUTS)}")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        raise ValueError(f"{text} is not a number of seconds") from None
    if not 0 <= seconds < 1e6:
        raise ValueError(f"{text} is not a number of seconds from 0 on")
    return seconds


def read_recording(path: Path) -> list[Step]:
    """Return the steps that press the buttons of a recorded game; raise Refusal."""
    try:
        recording = Recording(terminal.read_or_refuse(path))
        steps, passed_ms = [], 0
        names = list(wires.BUTTON_PINS)
        while recording.read():
            steps.append(Step("wait", "", (recording.time_ms - passed_ms) / 1000))
            steps.append(Step("press" if recording.pressed else "release", names[recording.button]))
            passed_ms = recording.time_ms
    except ValueError as problem:
        raise BoardError(f"{path}: {problem}") from None
    return steps
