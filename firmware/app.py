"""Run scenes on a Device: the main loop of the handheld and of the simulator."""

import gc
import sys

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.device.edges import EdgeQueue
from firmware.engine.randomizer import SEEDS
from firmware.modes.catalogue import MARATHON, make_mode
from firmware.save import suspended
from firmware.save.journal import SUSPENDED, TABLES, Journal
from firmware.scenes.play import Play
from firmware.sound.voice import Voice

if TYPE_CHECKING:
    from typing import Any

_FRAMES = const(3)  # sixty frames a second are three in 50 ms
_FRAMES_MS = const(50)


class App:
    """One frame at a time: edges in, one picture out; and one scene after the other.

    Every edge that was polled is in the picture of the same frame.  A scene asks for the next
    one by `go`.  Scenes live in modules of firmware/scenes/ named like them, each with a class
    `Scene(app, subject)`; what a scene imported is dropped with it, but for the scene of play.

    device, canvas, voice: what all scenes share.  scene: the one on the screen, `first` to begin
    with.  recording: a recorded game it is to show.  recorder: notes what is played.
    effects: whether notices, trails and flashes show and music plays, which take another ten
    kilobytes.  home: the scene that leaving another leads to.
    journal: what outlives power-off; a game found there goes on.
    seed: 0..2**30-1 for the first game; None takes it from the clock.
    """

    scene: "Any"

    def __init__(
        self,
        device,
        seed=None,
        level: int = 1,
        recording=None,
        recorder=None,
        first: str = "play",
        effects: bool = False,
    ) -> None:
        self.device = device
        self.canvas = device.display.canvas
        self.voice = Voice(device.buzzer)
        self.edges = EdgeQueue()
        self.running = True
        self.seed = device.clock.ticks_ms() if seed is None else seed
        self.level = level
        self.variant = MARATHON
        self.recorder = recorder
        self.effects = effects
        self.wanted = ""
        self.subject = None
        self.resident = set(sys.modules)
        self.scene = None
        self.home = "play"
        self.journal = Journal(list(device.store))
        self.go(first, recording or self.resume())
        self.change()

    def go(self, name: str, subject=None) -> None:
        """Ask for the scene `name` after this frame; `subject` is what it is about."""
        self.wanted = name
        self.subject = subject

    def change(self) -> None:
        """Leave the scene and enter the one asked for, which finds the memory of the last one free."""
        name = self.wanted
        self.wanted = ""
        self.scene = None
        for path in list(sys.modules):
            if path.startswith("firmware.") and path not in self.resident:
                self.drop(path)
        gc.collect()
        if name == "play":
            self.scene = Play(self, self.subject)
            return
        path = "firmware.scenes." + name
        __import__(path)
        self.scene = sys.modules[path].Scene(self, self.subject)

    def drop(self, path: str) -> None:
        """Forget a module, here and in the package that holds it."""
        del sys.modules[path]
        package, _, name = path.rpartition(".")
        if package in sys.modules and hasattr(sys.modules[package], name):
            delattr(sys.modules[package], name)

    def next_seed(self) -> int:
        """Return the seed of the next game; the moment it is asked for goes into those that follow."""
        seed = self.seed & SEEDS - 1
        self.seed = (seed * 5 + self.device.clock.ticks_ms() + 1) & SEEDS - 1
        return seed

    def choose(self, options) -> None:
        """Set what the player chose for the next game."""
        options.level = self.level

    def suspend(self, game, at_leisure: bool) -> None:
        """Save the game in progress; only `at_leisure` is there time to make room for it."""
        journal = self.journal
        if journal.failed:
            return
        length = suspended.pack(game, self.variant, journal.payload)
        if at_leisure:
            journal.save(SUSPENDED, length)
        else:
            journal.append(SUSPENDED, length)

    def resume(self):
        """Return the game that power-off interrupted, or None."""
        record = self.journal.read(SUSPENDED)
        if not len(record):
            return None
        game = suspended.restore(record, make_mode)
        if game:
            self.variant = record[suspended.VARIANT]
        return game

    def finish(self, game) -> None:
        """Forget the game in progress, which is over, and rank its result (Guideline 11.2)."""
        journal = self.journal
        if journal.failed:
            return
        journal.save(SUSPENDED, 0)
        table, number = self.table(game.options.aim)
        place = table.rank(game.mode.result(game)) if table else -1
        if place >= 0:
            table.insert(place, b"---", game.mode.result(game), game.lines, game.level)
            journal.save(TABLES + number, table.pack(journal.payload))

    def table(self, aim: int) -> tuple:
        """Return the table of scores of this variant with its number, or None where it has none."""
        # Imported late: a game begins and ends at leisure.
        from firmware.save.scores import Table, find_table

        number = find_table(self.variant, aim)
        if number < 0:
            return None, number
        table = Table(number)
        table.restore(self.journal.read(TABLES + number))
        return table, number

    def best(self, aim: int) -> int:
        """Return the best result of this variant yet; 0 where there is none."""
        if self.journal.failed:
            return 0
        table, _ = self.table(aim)
        return table.entry(0)[1] if table and table.count else 0

    def step(self) -> None:
        """Poll, update, draw and show once."""
        edges = self.edges
        edges.clear()
        now_ms = self.device.clock.ticks_ms()
        self.device.buttons.poll(edges)
        self.scene.update(edges, now_ms)
        self.scene.draw()
        self.device.display.show()
        if self.wanted:
            self.change()


def run(app: App) -> None:
    """Step at sixty frames a second by absolute deadlines; a late frame is not made up for."""
    clock = app.device.clock
    start_ms = clock.ticks_ms()
    frame = 0
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
