"""Play on emulated handhelds in the simulator's window, in real time if this computer is fast enough."""

import time
from collections.abc import Sequence
from typing import Any

from firmware.device.wiring import BUTTONS
from firmware.engine.controls import HARD_DROP
from sim.board_screens import BoardScreen
from sim.chips.st7789 import St7789Chip
from sim.contacts import Contacts
from sim.desktop.keyboard import Keyboard
from sim.desktop.legend_rows import list_on_board
from sim.desktop.oled_surface import OledSurface
from sim.desktop.screen_surface import ScreenSurface
from sim.desktop.speaker import FULL_DUTY, open_speaker
from sim.desktop.window import Window
from tools.board.console import Console
from tools.board.handheld import Handheld

_FRAME_S = 1 / 60


class Panel:
    """Show a handheld's display as OledSurface expects it: the display and its chip in one."""

    def __init__(self, handheld: Handheld) -> None:
        self._handheld = handheld
        self.chip = self

    @property
    def version(self) -> int:
        return len(self._handheld.transfers)

    @property
    def on(self) -> bool:
        return self._handheld.is_lit

    @property
    def contrast(self) -> int:
        return getattr(self._handheld.machine.bus.display, "contrast", 255)

    @property
    def picture(self) -> bytes:
        return self._handheld.picture()


class ButtonKeys(Keyboard):
    """The keys of one handheld: up is always U, because this module cannot tell whether the game shows a menu."""

    def __init__(self, contacts: Contacts) -> None:
        super().__init__(contacts)
        self.keys.tables[0]["ArrowUp"] = HARD_DROP


class Fingers:
    """Take the edges of Contacts and press or release a handheld's buttons."""

    count = 0
    capacity = 1

    def __init__(self, handheld: Handheld) -> None:
        self._handheld = handheld

    def append(self, control: int, pressed: bool, _t_ms: int) -> None:
        self._handheld.hold(BUTTONS[control], pressed)


def make_surface(handheld: Handheld, colour: str) -> OledSurface:
    panel: Any = Panel(handheld)
    if isinstance(handheld.machine.bus.display, St7789Chip):
        return ScreenSurface(panel, handheld.image().size, handheld.image)
    return OledSurface(panel, colour)


def play(
    handhelds: Sequence[Handheld],
    console: Console,
    scale: int = 0,
    colour: str = "white",
    mute: bool = False,
    board: BoardScreen | None = None,
) -> None:
    """Play until the window is closed; raise pygame.error if there is no screen.

    board: whose buttons the legend names, too.
    """
    start_s = time.monotonic()

    def ticks_ms() -> int:
        return int((time.monotonic() - start_s) * 1000)

    contacts_of_all = [Contacts() for _ in handhelds]
    keyboard = ButtonKeys(*contacts_of_all) if len(contacts_of_all) == 1 else Keyboard(*contacts_of_all)
    more = list_on_board(board.name, board.buttons) if board else ()
    window = Window([make_surface(each, colour) for each in handhelds], keyboard, ticks_ms, scale, more=more)
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
