"""Navigate menus by the texts of their lines."""

from typing import Any

from firmware.engine import controls
from firmware.save.journal import SETTINGS
from firmware.save.settings import Settings
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld

UP, DOWN, LEFT, RIGHT = controls.HARD_DROP, controls.SOFT_DROP, controls.LEFT, controls.RIGHT
A, B, START = controls.ROTATE_CW, controls.ROTATE_CCW, controls.PAUSE

MENUS = (
    "menus.main",
    "menus.continue_or_new",
    "menus.more_modes",
    "menus.choose_level",
    "menus.choose_seed",
    "menus.choose_day",
    "options.options",
    "options.game_rules",
    "options.device",
    "options.handling",
    "options.sound",
    "options.display",
    "options.controls",
    "options.access",
    "options.extra_rules",
)

OURS = (*MENUS, "menus.legal", "menus.title")


class Console(Handheld):
    """A Handheld in its menus; other scenes are not opened, but listed in `left`."""

    def __init__(
        self,
        first: str = "menus.title",
        suspended: object = None,
        last: bytes | None = None,
        ours: tuple[str, ...] = OURS,
    ) -> None:
        super().__init__()
        self.ours = ours
        context: Any = self.context
        self.left: list[tuple[str, object]] = []
        self.kept = 0
        context.settings = Settings()
        self.session.hold_game(suspended)
        self.session.remember((lambda: last) if last else None, "replay.watch")
        context.save_settings = self.keep
        context.apply_settings = self.adjust
        context.voice.tell_menu = lambda sound: None
        self.enter = self.router.go
        self.router.go = self.see  # type: ignore[method-assign]
        self.enter(first)
        self.step()  # the last frame of the scene before
        self.step(0)

    def keep(self) -> None:
        self.kept += 1

    def adjust(self) -> None:
        self.display.contrast(self.settings.contrast)
        self.display.canvas.blocks = self.settings.blocks

    def go(self, name: str, subject: object = None) -> None:
        self.enter(name, subject)

    def see(self, name: str, subject: object = None, keeps: str = "") -> None:
        if name in self.ours:
            self.enter(name, subject)
        else:
            self.left.append((name, subject))

    def choose(self, line: bytes, *buttons: int) -> None:
        self.to_line(line)
        self.tap(*buttons, A)

    def place(self) -> tuple[object, ...]:
        """Return the place in the menus: the scene, its line, and whether it asks for confirmation."""
        scene = self.scene
        at = [getattr(scene, name, 0) for name in ("at", "page", "number")]
        asks = getattr(scene, "asked", False), getattr(scene, "taking", False)
        # Each variant has its own levels, and its own way back.
        variant = self.session.variant if self.name in ("menus.choose_level", "menus.choose_seed") else -1
        return self.name, at[0], *asks, *at[1:], variant, getattr(scene, "mode", ())


def open_at(scene: str, line: bytes, **settings: int) -> Handheld:
    handheld = Handheld(store=[RamStore(4096)], first="menus.title")
    handheld.change_settings(**settings)
    handheld.open(scene, ms=0, frames=3)
    for _ in range(handheld.scene.lines.index(line)):
        handheld.tap(DOWN)
    return handheld


def read_saved(handheld: Handheld) -> Settings:
    settings = Settings()
    settings.restore(handheld.journal.read(SETTINGS))
    return settings
