"""Run scenes on a Device: the main loop of the handheld and of the simulator."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.context import Context
from firmware.device.edges import EdgeQueue
from firmware.idling import Idling
from firmware.router import Router
from firmware.save.journal import SETTINGS, Journal
from firmware.save.settings import Settings
from firmware.scenes.play_state import PLAYING
from firmware.session import Session
from firmware.sound.voice import Voice

if TYPE_CHECKING:
    from firmware.contracts import Any, Device, Recorder

_FRAMES = const(3)  # in _FRAMES_MS: 60 frames a second
_FRAMES_MS = const(50)


class App:
    """Run one frame at a time: poll edges, then draw a picture that shows their effect.

    first: the first scene, or "resume_game"; by default the title, at a handheld's very first start the legal notice.
    recording: a recorded game that the first scene shows.  level: the new starting level of all games, 0 for no change.
    began_ms: when the first picture appeared.
    """

    def __init__(
        self,
        device: "Device",
        seed: "int | None" = None,
        level: int = 0,
        recording: object = None,
        recorder: "Recorder | None" = None,
        first: str = "",
        began_ms: "int | None" = None,
    ) -> None:
        self.device = device
        self.edges = EdgeQueue()
        self.running = True
        self.router = Router()  # made first: only the modules loaded by now are resident
        journal = Journal(list(device.store), device.backup)
        settings = Settings()
        settings.restore(journal.read(SETTINGS))
        if level:
            settings.level = settings.start_level = level
        voice = Voice(device.buzzer)
        self.session = Session(device, journal, settings.variant, seed, recorder, first != "play")
        self.idling = Idling(device, settings, voice, began_ms)
        self.context = Context(device, voice, settings, journal, self.session, self.router, self.idling)
        # Imported late: play does not need it.
        from firmware.resuming import open_first

        open_first(self.context, self.edges, first, recording)

    def stop(self) -> None:
        """Let `run` end after this frame."""
        self.running = False

    def step(self) -> None:
        """Poll, update, draw and show once.

        Outside play a frame takes one press, because it may open another scene: the next press belongs to that one.
        Edges from before a scene opened count from its opening on.
        Keep local variables few: 32-bit MicroPython stores more of them where the garbage collector does not look.
        """
        router = self.router
        if not router.scene:
            router.change(self.context)
        edges = self.edges
        edges.advance()
        now_ms = self.device.clock.ticks_ms()
        self.device.buttons.poll(edges)
        if edges.count:
            self.session.stir(edges)
            if self.idling.wake(now_ms):
                for i in range(edges.count):
                    edges.pressed[i] = 0  # keep releases: a missing one would hold a button down for ever
            if edges.count > 1 and not (router.scene.kind == "play" and router.scene.state == PLAYING):
                edges.hold_back()
        else:
            self.idling.rest(now_ms, router.scene)
        router.admit(edges)
        if not self.idling.asleep:
            router.scene.update(edges, now_ms)
            router.scene.draw()
        self.device.display.show()
        if router.wanted:
            router.change(self.context)
        elif router.loading and not edges.count:
            router.load_ahead(self.context)


def run(app: App) -> None:
    """Step at sixty frames a second by absolute deadlines; after a long delay count from now on."""
    clock: "Any" = app.device.clock  # Any: the protocol Clock lacks wait_until
    start_ms = clock.ticks_ms()
    frame = 0
    try:
        while app.running:
            app.step()
            frame += 1
            if frame == _FRAMES:
                frame = 0
                start_ms = ticks_add(start_ms, _FRAMES_MS)
            if ticks_diff(clock.ticks_ms(), start_ms) > _FRAMES_MS:
                start_ms = clock.ticks_ms()
                frame = 0
            clock.wait_until(ticks_add(start_ms, frame * _FRAMES_MS // _FRAMES))
    except Exception as problem:
        app.router.free()
        app.device.machine.leave_problem(problem)
        raise
