"""Navigate menus by the texts of their lines."""

from importlib import import_module
from types import SimpleNamespace
from typing import Any

from firmware.engine import controls
from firmware.router import find_scene
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
MS = (b"MS",)  # the words of a setting with every millisecond from its first value to its last


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
        self.go_down_to(line)
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
    handheld.go_down_to(line)
    return handheld


def read_saved(handheld: Handheld) -> Settings:
    settings = Settings()
    settings.restore(handheld.journal.read(SETTINGS))
    return settings


def find_class(name: str) -> Any:
    """Return the class of a scene; its module is imported again if a console dropped it."""
    return import_module(find_scene(name, 0)).Scene


def make_scene(name: str) -> Any:
    """Return a scene as the App makes it; some scenes set their lines when they are made."""
    return find_class(name)(Console().context, None)


def list_records(name: str) -> list[Any]:
    """Return the records of a menu's settings: line, note, setting, values, words."""
    return [record for record in find_class(name).records if len(record) == 5]


def read_note(scene: Any) -> list[bytes]:
    """Return the lines that a menu draws below its chosen line."""
    texts: list[bytes] = []
    canvas = SimpleNamespace(fill=lambda *_: None, text=lambda _x, _y, text, _font: texts.append(text))
    scene.draw_note(canvas, scene.notes[scene.at])
    return texts
