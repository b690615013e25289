"""Play the whole game on a simulated handheld, by button edges alone."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from firmware.app import App
from firmware.compat import TICKS_PERIOD
from firmware.context import Context
from firmware.device.edges import EdgeQueue
from firmware.device.handheld import Device
from firmware.engine import controls
from firmware.router import Router
from sim.display import ChipDisplay
from sim.scenes import name_scene
from tests.support import golden
from tests.support.drill import choose

# The VERSUS settings of the golden pictures: against DUCK, with SNAIL as second and third opponent.
VERSUS = 1_188_003


class Clock:
    """A clock that a test sets, and that records the app's waits; each reading takes `step_ms`, as if for work."""

    def __init__(self, now_ms: int = 0, step_ms: int = 0) -> None:
        self.now_ms = now_ms
        self.step_ms = step_ms
        self.waits: list[int] = []

    def ticks_ms(self) -> int:
        self.now_ms += self.step_ms
        return self.now_ms % TICKS_PERIOD

    def wait_until(self, t_ms: int) -> None:
        self.waits.append(t_ms)
        self.now_ms += (t_ms - self.now_ms) % TICKS_PERIOD


class Buttons:
    def __init__(self) -> None:
        self.edges: list[tuple[int, int, int]] = []
        self.drops = 0  # as those of a board

    def connect(self, has_meaning: Callable[[], bool]) -> None:
        """Do nothing: a test presses the ninth button only where it has a meaning."""

    def poll(self, sink: EdgeQueue) -> None:
        room = sink.capacity - sink.count
        for button, pressed, t_ms in self.edges[:room]:
            sink.append(button, bool(pressed), t_ms % TICKS_PERIOD)
        del self.edges[:room]


class Buzzer:
    def __init__(self) -> None:
        self.hz = 0

    def tone(self, hz: int, duty: int) -> None:
        self.hz = hz

    def off(self) -> None:
        self.hz = 0


class Bus:
    """The bus of the display, reduced to its speed."""

    hz = 400_000

    def hurry(self, on: int) -> None:
        self.hz = 1_000_000 if on else 400_000


class Handheld:
    """An App on a Device whose clock and buttons the test controls."""

    pictures = ""  # how the names of its golden pictures begin
    session = property(attrgetter("app.session"))
    scene = property(attrgetter("app.router.scene"))
    game = property(attrgetter("scene.game"))
    settings = property(attrgetter("context.settings"))
    journal = property(attrgetter("context.journal"))
    voice = property(attrgetter("context.voice"))
    canvas = property(attrgetter("context.canvas"))

    def __init__(
        self,
        now_ms: int = 0,
        store: Sequence[Any] = (),
        backup: Any = None,
        canvas: Any = None,
        wired: int = 255,
        bus: Any = None,
        **arguments: object,
    ) -> None:
        self.clock = Clock(now_ms)
        self.buttons = Buttons()
        self.display = ChipDisplay(canvas=canvas)
        self.buzzer = Buzzer()
        self.banks = store
        self.device = Device(
            *(self.display, self.buttons, self.buzzer, self.clock, store), wired=wired, bus=bus, backup=backup
        )
        arguments.setdefault("seed", 11)
        arguments.setdefault("first", "play")
        self.app = App(self.device, **arguments)  # type: ignore[arg-type]
        self.step(0)

    def change_settings(self, **settings: Any) -> None:
        choose(self.settings, **settings)

    @property
    def context(self) -> Context:
        return self.app.context

    @property
    def router(self) -> Router:
        return self.app.router

    @property
    def name(self) -> str:
        return name_scene(type(self.scene).__module__)

    def go(self, name: str, subject: object = None) -> None:
        """Request a scene, which opens at the end of the next frame."""
        self.context.go(name, subject)

    def press(self, button: int, held_ms: int = 0) -> None:
        """Add the edges of one press before the next frame."""
        self.buttons.edges.append((button, 1, self.clock.now_ms))
        self.buttons.edges.append((button, 0, self.clock.now_ms + held_ms))

    def move(self, button: int, pressed: int, ms: int = 16, frames: int = 1) -> None:
        self.buttons.edges.append((button, pressed, self.clock.now_ms))
        self.step(ms, frames)

    def hold(self, button: int, frames: int, ms: int = 16) -> None:
        self.move(button, 1, ms, frames)
        self.move(button, 0)

    def step(self, ms: int = 16, frames: int = 1) -> bytes:
        for _ in range(frames):
            self.clock.now_ms += ms
            self.app.step()
        return self.picture()

    def wait_until(self, until: Callable[[], Any], ms: int = 16) -> None:
        for _ in range(20_000):
            if until():
                return
            self.step(ms)
        raise AssertionError(f"it does not come in {self.name}")

    def tap(self, *buttons: int) -> None:
        """Press and release one button after another, each in its own frame."""
        for button in buttons:
            self.press(button)
            self.step()

    def resume(self) -> None:
        """Press START in a pause, and wait until the game goes on."""
        self.tap(controls.PAUSE)
        self.wait_until(lambda: self.scene.is_playing())

    def go_down_to(self, line: bytes) -> None:
        """Press DOWN until this line of the menu, or of the panel that covers the game, is chosen."""
        menu = getattr(self.scene, "cover", None) or self.scene
        for _ in menu.lines:
            if menu.lines[menu.at] == line:
                return
            self.tap(controls.SOFT_DROP)
        raise AssertionError(f"{self.name} has no line {line!r}")

    def leads(self, *buttons: int) -> str:
        self.tap(*buttons)
        return self.name

    def follow(self, *buttons: int, frames: int = 1) -> str:
        """Tap buttons and run frames, so that the next scene opens; return its name."""
        self.tap(*buttons)
        self.step(frames=frames)
        return self.name

    def tap_together(self, *buttons: int, hand: Any = None) -> None:
        """Press buttons in one frame and release them in the next; `hand` holds another person's buttons."""
        for pressed in (1, 0):
            for button in buttons:
                (hand or self.buttons).edges.append((button, pressed, self.clock.now_ms))
            self.step()

    def open(self, name: str, subject: object = None, ms: int = 16, frames: int = 1) -> None:
        self.go(name, subject)
        self.step(ms, frames)

    def compare(self, name: str) -> None:
        golden.compare(self.display.canvas, self.pictures + name)

    def picture(self) -> bytes:
        """Return the picture as the player sees it, 1024 bytes in the canvas's layout."""
        return self.display.picture

    def compare_at_rest(self, name: str) -> None:
        self.step(0, 4)
        self.compare(name)


def lose(handheld: Handheld) -> None:
    while not handheld.game.over:
        handheld.press(controls.HARD_DROP)
        handheld.step(50)
