"""Hold the parts that all scenes share."""

import gc

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.contracts import Device, Idling, Journal, Mapping, Router, Session, Settings, Voice


class Context:
    """Give scenes the parts of the handheld, and open the next scene.

    journal: the saves that survive power-off.  mapping: from buttons to the controls of a game; None if they are equal.
    """

    mapping: "Mapping | None"

    def __init__(
        self,
        device: "Device",
        voice: "Voice",
        settings: "Settings",
        journal: "Journal",
        session: "Session",
        router: "Router",
        idling: "Idling",
    ) -> None:
        self.device = device
        self.canvas = device.display.canvas
        self.clock = device.clock
        self.voice = voice
        self.settings = settings
        self.journal = journal
        self.session = session
        self.router = router
        self.idling = idling
        self.apply_settings()

    def go(self, name: str, subject: object = None) -> None:
        """Ask for the scene `name` after this frame; `subject` is its argument."""
        self.router.go(name, subject)

    def tidy(self) -> None:
        """Drop modules that are no longer needed; on a board collect garbage, which keeps the heap compact."""
        self.router.tidy()
        if self.device.machine.renews:
            gc.collect()

    def begin_game(self) -> None:
        """Ask for a new game; its countdown saves the settings, after the first picture."""
        if not self.session.counts_down:
            self.save_settings()
        self.go("play")

    def forget_presses(self) -> None:
        """Let no press from before this moment, such as half a chord that waits, have a meaning later."""
        if self.mapping:
            self.mapping.forget()

    def apply_settings(self) -> None:
        """Apply the settings to screen, voice and buttons."""
        from firmware.applying import apply

        self.mapping = apply(self.settings, self.device, self.voice, self.session)

    def save_settings(self) -> None:
        """Save the settings if they changed. Call this in menus only, because it may take a moment."""
        from firmware.applying import save

        save(self.settings, self.journal)
