"""Run handhelds without a window: carry out the steps of a script and print the results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sim.terminal import writing
from tools.board import BoardError
from tools.board.handheld import Handheld
from tools.board.heap import Heap
from tools.board.player import Player
from tools.board.ring import Ring
from tools.board.script import CUTS, KINDS, Step

_AFTER_TAP_S = 0.25
_SLICE_S = 0.05  # how often the serial consoles are read
_EXPECT_S = 10.0
_FIRST_START_S = 2.0
_NO_CUT = "a cut of the script did not come: the flash did too few operations after it"


@dataclass(frozen=True)
class Low:
    """A tight moment of the heap, garbage counted as free, and the step of the script in which it came."""

    heap: Heap
    time_s: float
    step: str


class Console:
    """Carry out steps on one handheld or a ring.

    say: called with each line of output.  serial: whether to print the output of the serial consoles.
    heap_s: how often to look at the heap, or 0.
    """

    def __init__(
        self,
        handhelds: Sequence[Handheld],
        say: Callable[[str], None] = print,
        serial: bool = False,
        heap_s: float = 0.0,
    ) -> None:
        self.handhelds = list(handhelds)
        self._ring = Ring(self.handhelds) if len(self.handhelds) > 1 else None
        self._say = say
        self._serial = serial
        self._printed = [0] * len(self.handhelds)
        self._slice_s = min(heap_s, _SLICE_S) if heap_s else _SLICE_S
        self._heap_s = heap_s
        self._lows: list[dict[str, Low]] = [{} for _ in self.handhelds]
        self._step = "the start"
        self._cuts: list[Handheld] = []  # whose power is to be cut

    def run(self, seconds: float) -> None:
        while seconds > 0:
            slice_s = min(seconds, self._slice_s)
            if self._ring:
                self._ring.run(slice_s)
            elif self.handhelds[0].is_on:
                self.handhelds[0].run(slice_s)
            seconds -= slice_s
            if self._serial:
                self._print_serial()
            if self._heap_s:
                self._look_at_heaps()
            self._print_cuts()

    def start_again(self) -> None:
        """Switch all off and on again after their first start, and wait for their titles."""
        self.run(_FIRST_START_S)
        for handheld in self.handhelds:
            handheld.restart()
        for handheld in self.handhelds:
            Player(handheld, self.run).to_title()

    def carry_out(self, steps: Sequence[Step]) -> None:
        for step in steps:
            self._step = f"{step.name} {step.words}".strip()
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
            elif step.name in ("choose", "expect"):
                for handheld in chosen:
                    self._read_screen(step, handheld)
            else:
                for handheld in chosen:
                    self._carry_out_at_once(step, handheld, len(chosen) > 1)

    def check_cuts(self) -> None:
        """Raise BoardError if a power cut of the script has not come."""
        if self._cuts:
            raise BoardError(_NO_CUT)

    def save_picture(self, path: Path, handheld: Handheld, numbered: bool) -> None:
        """Save a handheld's picture, if `numbered` with its number in the file name; raise Refusal."""
        if numbered:
            path = path.with_name(f"{path.stem}-{self.handhelds.index(handheld) + 1}{path.suffix}")
        with writing(path):
            handheld.save_picture(path)

    def print_heap(self, handheld: Handheld) -> None:
        if not handheld.is_on:
            self._print(handheld, "heap: the power is off")
            return
        now, swept = handheld.heap(), handheld.heap(collect=True)
        words = f"heap {now.free} free, largest block {now.largest_block}"
        self._print(handheld, f"{words}; without garbage {swept.free}, {swept.largest_block}")

    def print_least(self, handheld: Handheld) -> None:
        """Print the tightest moments of the heap that were looked at."""
        for what, low in self._lows[self.handhelds.index(handheld)].items():
            words = f"least {what}: {low.heap.free} free, largest block {low.heap.largest_block}"
            self._say(f"{self._name(handheld)}{words}, at {low.time_s:.3f} s, in {low.step}")

    def _print_cuts(self) -> None:
        for handheld in [each for each in self._cuts if not each.is_on]:
            self._cuts.remove(handheld)
            last = handheld.writes[-1]
            self._print(handheld, f"power cut in the {'erase' if last.erases else 'program'} of 0x{last.address:06x}")

    def _look_at_heaps(self) -> None:
        for handheld, lows in zip(self.handhelds, self._lows, strict=True):
            try:
                heap = handheld.heap(collect=True)
            except BoardError:
                continue  # MicroPython starts
            low = Low(heap, handheld.time_s, self._step)
            if not lows or heap.free < lows["heap"].heap.free:
                lows["heap"] = low
            if "block" not in lows or heap.largest_block < lows["block"].heap.largest_block:
                lows["block"] = low

    def _read_screen(self, step: Step, handheld: Handheld) -> None:
        """Choose a line of a menu, or wait for words; raise BoardError."""
        player = Player(handheld, self.run)
        if step.name == "choose":
            player.choose(step.words)
        elif not player.wait_for(lambda: player.shows(step.words) or player.shows(step.words, small=True), _EXPECT_S):
            player.fail(f"the screen does not show {step.words}")

    @staticmethod
    def _hold(handhelds: Sequence[Handheld], buttons: str, down: bool) -> None:
        for handheld in handhelds:
            handheld.hold(buttons, down)

    def _carry_out_at_once(self, step: Step, handheld: Handheld, several: bool) -> None:
        if step.name == "picture":
            self.save_picture(Path(step.words), handheld, several)
        elif step.name == "send":
            handheld.send(step.words + "\r\n")
        elif step.name == "heap":
            self.print_heap(handheld)
        elif step.name == "cut":
            number, *kind, moment = step.words.split()
            handheld.cut_at(int(number), KINDS[kind[0]] if kind else None, CUTS[moment])
            self._cuts.append(handheld)
        elif step.name == "off" and handheld.is_on:
            if handheld in self._cuts:
                raise BoardError(_NO_CUT)
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
        for number, handheld in enumerate(self.handhelds):
            for line in handheld.serial[self._printed[number] :].splitlines(keepends=True):
                if line.endswith("\n"):
                    self._printed[number] += len(line)
                    self._print(handheld, f"| {line.rstrip()}")
