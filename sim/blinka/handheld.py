"""Build a handheld from a Raspberry Pi and its wired parts, and play on it until the process is told to end."""

import signal
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.device.wiring import BUTTONS, WiringError
from sim.blinka.buttons import Buttons
from sim.blinka.display import open_display
from sim.blinka.pins import find_pins
from sim.blinka.sound import open_sound
from sim.blinka.wiring import find_wires, name_pins, read_settings
from sim.clock import RealClock
from sim.desktop.computer import Computer
from sim.desktop.session import Session
from sim.desktop.speaker import NoSpeaker
from sim.scenes import runs
from sim.terminal import Refusal

if TYPE_CHECKING:
    from firmware.contracts import Buzzer

# The end of a service, Ctrl+C, the end of a connection.
_ENDINGS = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)]


class RaspberryPi(Computer):
    """Name the board and the pins of its buttons."""

    def __init__(self, board_id: str, pins: list[str], folder: Path | None) -> None:
        super().__init__(folder)
        self.name = board_id.encode()
        self.version = version("Adafruit-Blinka").encode()
        self._pins = pins

    def list_pins(self) -> list[bytes]:
        return [name.encode() for name in self._pins]


class Handheld:
    """Hold the parts of a Raspberry Pi that a Session plays on. parts: arguments of the Session."""

    buzzer: "Buzzer"

    def __init__(self, settings_path: Path, mute: bool, clock: RealClock) -> None:
        """Take the pins and find the display; raise Refusal if a part is missing."""
        settings = read_settings(settings_path)
        self.clock = clock
        board_id, pins = find_pins()
        try:
            found = find_wires(settings, pins)
            self.display = open_display(found)
        except WiringError as problem:
            raise Refusal(f"{settings_path}: {problem}") from None
        self.buttons = Buttons([found[key] for key in BUTTONS], clock)
        self.buzzer = NoSpeaker() if mute else open_sound(found["BUZZER"])
        self.parts: dict[str, Any] = {
            "display": self.display,
            "make_machine": partial(RaspberryPi, board_id, name_pins(settings)),
            "wired": self.buttons.wired,
            "handmade": True,
        }

    def close(self) -> None:
        """Darken the display, fall silent, and give the pins back."""
        self.display.sleep(True)  # or the last picture would stay, and age the OLED
        self.buzzer.off()
        self.buttons.close()

    def play(self, session: Session) -> None:
        """Play until a signal comes or the display is lost; a game in progress is then paused and saved."""
        endings = _Endings()

        def look_for_end() -> None:
            if endings.came or self.display.lost:
                self.clock.idle = lambda: None
                _end(session)

        self.clock.idle = look_for_end
        try:
            session.run()
        finally:
            endings.close()


def _end(session: Session) -> None:
    """Pause a game in progress, which saves it, and stop; between two frames."""
    scene = session.app.router.scene
    if runs(scene) and session.app.device.link is None:  # a link's pause would stop all players
        scene.press_pause(session.app.device.clock.ticks_ms())
        session.display.show()  # the Session keeps the recording after every picture
    session.app.stop()


class _Endings:
    """Note the first signal that asks for the end; a second one ends at once, by the handler from before."""

    def __init__(self) -> None:
        self.came = False
        self._before: dict[int, Any] = {number: signal.signal(number, self._note) for number in _ENDINGS}

    def close(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, _number: int, _frame: Any) -> None:
        self.came = True
        self.close()
