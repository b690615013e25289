"""Play on emulated handhelds in the simulator's window, in real time if this computer is fast enough."""

import time
from collections.abc import Sequence

from firmware.engine.controls import HARD_DROP
from sim.chip import Ssd1306Chip
from sim.chips.sh1106 import Sh1106Chip
from sim.chips.st7789 import St7789Chip
from sim.contacts import Contacts
from sim.desktop.keyboard import Keyboard
from sim.desktop.oled_surface import OledSurface
from sim.desktop.speaker import FULL_DUTY, open_speaker
from sim.desktop.window import Window
from tools.board import wires
from tools.board.console import Console
from tools.board.handheld import Handheld

_FRAME_S = 1 / 60


class Panel:
    """Show a handheld's display as OledSurface expects it."""

    turned = False

    def __init__(self, handheld: Handheld) -> None:
        self._handheld = handheld

    @property
    def chip(self) -> Ssd1306Chip | Sh1106Chip | St7789Chip:
        """The model of the display's chip."""
        return self._handheld.machine.bus.display

    @property
    def picture(self) -> bytes:
        """The picture on the display."""
        return self._handheld.picture()


class ButtonKeys(Keyboard):
    """The keys of one handheld: up is always U, because this module cannot tell whether the game shows a menu."""

    def __init__(self, contacts: Contacts) -> None:
        super().__init__(contacts)
        self._controls["K_UP"] = (contacts, HARD_DROP)


class Fingers:
    """Take the edges of Contacts and press or release a handheld's buttons."""

    count = 0
    capacity = 1

    def __init__(self, handheld: Handheld) -> None:
        self._handheld = handheld

    def append(self, control: int, pressed: bool, _t_ms: int) -> None:
        """Press or release a button."""
        self._handheld.machine.set_pin(wires.CONTROL_PINS[control], pressed)


def play(
    handhelds: Sequence[Handheld], console: Console, scale: int = 0, colour: str = "white", mute: bool = False
) -> None:
    """Play until the window is closed; raise pygame.error if there is no screen."""
    start_s = time.monotonic()

    def ticks_ms() -> int:
        return int((time.monotonic() - start_s) * 1000)

    contacts_of_all = [Contacts() for _ in handhelds]
    keyboard = ButtonKeys(*contacts_of_all) if len(contacts_of_all) == 1 else Keyboard(*contacts_of_all)
    window = Window([OledSurface(Panel(each), colour) for each in handhelds], keyboard, ticks_ms, scale)  # type: ignore[arg-type]
    speaker = None if mute else open_speaker()
    fingers = [Fingers(each) for each in handhelds]
    next_frame_s = time.monotonic()
    try:
        while not window.closed:
            window.pump()
            for contacts, each in zip(contacts_of_all, fingers, strict=True):
                contacts.poll(each)  # type: ignore[arg-type]
            console.run(_FRAME_S)
            if speaker:
                tone = handhelds[0].tone
                speaker.tone(round(tone.hz), round(tone.duty * FULL_DUTY))
            window.present()
            next_frame_s = max(next_frame_s + _FRAME_S, time.monotonic() - _FRAME_S)
            time.sleep(max(0.0, next_frame_s - time.monotonic()))
    finally:
        if speaker:
            speaker.off()
        window.close()
