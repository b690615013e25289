"""Play on a faked Raspberry Pi through the real Blinka, in a process of its own: Blinka has modules like `board`.

    python tests/processes/wired_handheld.py ROOT frames FILE.sky SETTINGS ROTATION    compare with the simulator
    python tests/processes/wired_handheld.py ROOT CASE ARGUMENTS...    run `sim --blinka ARGUMENTS`

Both print a report. CASE is JSON, the state of the machine: `absent` and `closed` devices, `gpiochips`, `busy` pins by
their user, `chip` and `has_pwm`. It also says what happens when, in ms: `presses` are [ms, pin, grounded], the display
is loose from `unplug` to `plug`, and SIGTERM comes at `end`.
"""

import json
import os
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.append(sys.argv[1])

from firmware.app import App
from sim import cli, terminal
from sim.chip import Ssd1306Chip
from sim.clock import RealClock, VirtualClock
from sim.contacts import NoButtons
from sim.desktop.session import Session
from sim.desktop.speaker import NoSpeaker
from sim.game_record import load
from tests.fakes.raspberry_pi import RaspberryPi


def compare_frames(file: Path, settings: Path, turned: bool) -> None:
    """Play a recording on the wired handheld and in the simulator; print how their pictures and tones differ."""
    chip = Ssd1306Chip()
    machine = RaspberryPi(chip)
    machine.install()
    from sim.blinka.handheld import Handheld

    speaker = NotingSpeaker()
    simulated: list[bytes] = []
    wired: list[bytes] = []
    session = Session(VirtualClock(), NoButtons(), speaker, recording=load(file.read_bytes()))
    session.until_end = True
    session.present = lambda: simulated.append(session.display.picture)
    session.run()

    handheld = Handheld(settings, False, RealClock())
    real = Session(
        handheld.clock, handheld.buttons, handheld.buzzer, recording=load(file.read_bytes()), **handheld.parts
    )
    real.until_end = True
    real.present = lambda: wired.append(chip.picture(turned))
    handheld.play(real)
    handheld.close()
    different = [number for number, pair in enumerate(zip(simulated, wired, strict=False)) if pair[0] != pair[1]]
    report: dict[str, Any] = {"frames": [len(simulated), len(wired)], "different": different[:9]}
    report |= {"kinds": len(set(wired)), "tones": [speaker.tones, changes(machine.tones)], "dark": not chip.on}
    print(json.dumps(report))


class NotingSpeaker(NoSpeaker):
    """Note each change of the tone: (Hz, duty), or (0, 0) for silence."""

    def __init__(self) -> None:
        super().__init__()
        self._noted: list[tuple[int, int]] = []

    @property
    def tones(self) -> list[tuple[int, int]]:
        return changes(self._noted)

    def tone(self, hz: int, duty: int) -> None:
        self._noted.append((hz, duty))

    def off(self) -> None:
        self._noted.append((0, 0))


def changes(tones: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the tones without repetitions; without duty there is no pitch."""
    heard = [(hz, duty) if duty else (0, 0) for hz, duty in tones]
    return [tone for before, tone in zip([(0, 0), *heard], heard, strict=False) if tone != before]


def arrange(case: dict[str, Any], chip: Ssd1306Chip) -> RaspberryPi:
    """Return a machine in the state of a case, with everything that will happen to it."""
    machine = RaspberryPi(chip)
    machine.absent |= set(case.get("absent", ()))
    machine.closed |= set(case.get("closed", ()))
    machine.gpiochips = case.get("gpiochips", machine.gpiochips)
    machine.has_pwm = case.get("has_pwm", True)
    for number, user in case.get("busy", {}).items():
        machine.lines[int(number)].user = user
    if not case.get("chip", True):
        machine.chip = None
    for ms, number, grounded in case.get("presses", ()):
        machine.at(ms, partial(machine.ground, number, grounded))
    if "unplug" in case:
        machine.at(case["unplug"], lambda: setattr(machine, "chip", None))
    if "plug" in case:
        machine.at(case["plug"], chip.power_on)
        machine.at(case["plug"], lambda: setattr(machine, "chip", chip))
    machine.at(case.get("end", 60_000), lambda: os.kill(os.getpid(), signal.SIGTERM))
    return machine


def play(case: dict[str, Any], arguments: list[str]) -> int:
    """Run the command line on a machine in some state; return its exit code."""
    chip = Ssd1306Chip()
    machine = arrange(case, chip)
    start_ns = machine.now_ns
    machine.install()

    report: dict[str, Any] = {"edges": [], "scenes": [], "differed": []}
    app_class: Any = App
    step = App.step

    def watch(app: Any) -> None:
        step(app)
        edges = app.edges
        for i in range(edges.count):
            report["edges"].append([edges.button[i], edges.pressed[i], edges.t_ms[i]])
        if report["scenes"][-1:] != [app.router.name]:
            report["scenes"].append(app.router.name)
        report["began_ms"] = report.get("began_ms", app.device.clock.ticks_ms())
        if chip.picture() != app.device.display.picture:
            report["differed"].append((machine.now_ns - start_ns) // 1_000_000)

    app_class.step = watch
    code = terminal.run(partial(cli.main, ["--blinka", *arguments]))
    report |= {"tones": machine.tones, "dark": not chip.on, "code": code}
    report["free"] = all(line.request is None for line in machine.lines)
    print(json.dumps(report))
    return code


def main() -> int:
    if sys.argv[2] == "frames":
        compare_frames(Path(sys.argv[3]), Path(sys.argv[4]), sys.argv[5] == "270")
        return 0
    return play(json.loads(sys.argv[2]), sys.argv[3:])


if __name__ == "__main__":
    sys.exit(main())
