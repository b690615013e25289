"""Run handhelds without a window: carry out the steps of a script and print the results."""

from collections.abc import Callable, Sequence
from pathlib import Path

from sim.terminal import writing
from tools.board.handheld import Handheld
from tools.board.ring import Ring
from tools.board.script import Step

_AFTER_TAP_S = 0.25
_SLICE_S = 0.05  # how often the serial consoles are read


class Console:
    """Carry out steps on one handheld or a ring.

    say: called with each line of output.  serial: whether to print the output of the serial consoles.
    """

    def __init__(self, handhelds: Sequence[Handheld], say: Callable[[str], None] = print, serial: bool = False) -> None:
        self.handhelds = list(handhelds)
        self._ring = Ring(self.handhelds) if len(self.handhelds) > 1 else None
        self._say = say
        self._serial = serial
        self._printed = [0] * len(self.handhelds)

    def run(self, seconds: float) -> None:
        """Let time pass."""
        while seconds > 0:
            slice_s = min(seconds, _SLICE_S)
            if self._ring:
                self._ring.run(slice_s)
            elif self.handhelds[0].is_on:
                self.handhelds[0].run(slice_s)
            seconds -= slice_s
            if self._serial:
                self._print_serial()

    def carry_out(self, steps: Sequence[Step]) -> None:
        """Carry out the steps of a script; raise Refusal."""
        for step in steps:
            chosen = self.handhelds if step.which is None else [self.handhelds[step.which]]
            if step.name == "wait":
                self.run(step.seconds)
            elif step.name == "tap":
                self._hold(chosen, step.words, True)
                self.run(step.seconds)
                self._hold(chosen, step.words, False)
                self.run(_AFTER_TAP_S)
            elif step.name in ("press", "release"):
                self._hold(chosen, step.words, step.name == "press")
            else:
                for handheld in chosen:
                    self._carry_out_at_once(step, handheld, len(chosen) > 1)

    def save_picture(self, path: Path, handheld: Handheld, numbered: bool) -> None:
        """Save a handheld's picture, if `numbered` with its number in the file name; raise Refusal."""
        if numbered:
            path = path.with_name(f"{path.stem}-{self.handhelds.index(handheld) + 1}{path.suffix}")
        with writing(path):
            handheld.save_picture(path)

    def print_heap(self, handheld: Handheld) -> None:
        """Print the free heap, with garbage and without."""
        now, swept = handheld.heap(), handheld.heap(collect=True)
        words = f"heap {now.free} free, largest block {now.largest_block}"
        self._print(handheld, f"{words}; without garbage {swept.free}, {swept.largest_block}")

    @staticmethod
    def _hold(handhelds: Sequence[Handheld], buttons: str, down: bool) -> None:
        for handheld in handhelds:
            handheld.hold(buttons, down)

    def _carry_out_at_once(self, step: Step, handheld: Handheld, several: bool) -> None:
        """Carry out a step that takes no time."""
        if step.name == "picture":
            self.save_picture(Path(step.words), handheld, several)
        elif step.name == "send":
            handheld.send(step.words + "\r\n")
        elif step.name == "heap":
            self.print_heap(handheld)
        elif step.name == "off" and handheld.is_on:
            self._print(handheld, "power off")
            handheld.power_off()
        elif step.name == "on" and not handheld.is_on:
            handheld.power_on()
            self._printed[self.handhelds.index(handheld)] = 0
            self._print(handheld, "power on")

    def _print(self, handheld: Handheld, text: str) -> None:
        self._say(f"{self._name(handheld)}{handheld.time_s:9.3f} s  {text}")

    def _name(self, handheld: Handheld) -> str:
        return f"{self.handhelds.index(handheld) + 1}: " if len(self.handhelds) > 1 else ""

    def _print_serial(self) -> None:
        """Print the new complete lines of the serial consoles."""
        for number, handheld in enumerate(self.handhelds):
            for line in handheld.serial[self._printed[number] :].splitlines(keepends=True):
                if line.endswith("\n"):
                    self._printed[number] += len(line)
                    self._print(handheld, f"| {line.rstrip()}")
