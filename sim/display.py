"""The display of a simulated handheld: the board's own driver on the model of its chip."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from firmware.device.ssd1306 import SSD1306
from firmware.view.canvas import Canvas
from sim.bus import I2C
from sim.chip import Ssd1306Chip

if TYPE_CHECKING:
    from firmware.contracts import Display

    class SeenDisplay(Display, Protocol):
        """A display whose picture can be seen; it calls `shown` after every show()."""

        shown: Callable[[], None] | None

        @property
        def picture(self) -> bytes:
            """The player's view: 1024 bytes, row-major, the lowest bit leftmost."""


class ChipDisplay(SSD1306):
    """Send a Canvas over a bus to a chip model; call `shown` after every show().

    A viewer draws `picture`, never the canvas, so that a fault of the driver shows.
    """

    def __init__(self, canvas: Canvas | None = None) -> None:
        self.chip = Ssd1306Chip()
        self.bus = I2C(self.chip)
        self.shown: Callable[[], None] | None = None
        super().__init__(self.bus, canvas or Canvas(), self.chip.address)

    @property
    def picture(self) -> bytes:
        return self.chip.picture()

    def show(self) -> None:
        """Send what changed, then tell the viewer."""
        super().show()
        if self.shown:
            self.shown()
