"""Run scenes on a Device: the main loop of the handheld and of the simulator."""

import gc
import sys

from firmware import blocks
from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.device.edges import EdgeQueue
from firmware.engine.randomizer import SEEDS
from firmware.save.journal import SETTINGS, SUSPENDED, Journal
from firmware.save.settings import Settings
from firmware.sound.voice import Voice

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Game, Mapping, Match, Recorder
    from firmware.device.handheld import Device
    from firmware.view.playfield import PlayView

_FRAMES = const(3)  # sixty frames a second are three in 50 ms
_FRAMES_MS = const(50)
_IDLE_MS = const(1000)
_DIM = const(0)  # the contrast of a dimmed screen


class App:
    """Run one frame at a time: edges in, one picture out; show one scene after the other.

    The picture of a frame shows every edge polled in it. A scene asks for the next one by `go`. Scenes are modules of
    firmware/scenes/ with a class `Scene(app, subject)`. Dropping one drops its imports too, but for those of blocks.py.

    device, canvas, voice, settings: what all scenes share.  scene: the one on the screen, `first` to begin with, or
    "go_on".  recording: a recorded game it is to show.  recorder: notes what is played.  last: None, or what returns
    the last recording's bytes, for the scene `watcher`.  level: starting level of now.  journal: what outlives
    power-off.  suspended: None, or what `play` goes on with: a Game, or what returns it.  mapping: None, or what makes
    of buttons the controls of play.  kept: None, or as KEPT in match_modules.py.  placed: None, or (place, table) that
    the last game took.  played: whether a game has just ended.  warned: whether the player was told that the memory
    failed.  seed: 0..2**30-1 for the next game, or None for any.  noise: 30 bits of all edges' moments so far; they
    choose any.  counts_down: whether games begin with READY and GO.  began_ms: when the first picture appeared.
    A scene that only waits for a press has `leaves_time`: a game is loaded then. One that steers a Tetrimino has
    `steered`: a bit for each of its states in which it does.
    """

    # Any: scenes differ; a game, a match or what returns one; there is a recorder and a last game where somebody asks.
    scene: "Any"
    suspended: "Any"
    last: "Any"
    recorder: "Any"
    pack: "Any"
    subject: object
    kept: "tuple[str, str] | None"
    mapping: "Mapping | None"
    placed: "tuple[int, int] | None"

    def __init__(
        self,
        device: "Device",
        seed: "int | None" = None,
        level: int = 0,
        recording: object = None,
        recorder: "Recorder | None" = None,
        first: str = "legal",
        began_ms: "int | None" = None,
    ) -> None:
        self.device = device
        self.canvas = device.display.canvas
        self.voice = Voice(device.buzzer)
        self.edges = EdgeQueue()
        self.running = True
        self.seed = seed
        self.noise = (seed or 0) ^ device.clock.ticks_ms()
        self.recorder = recorder
        self.last = self.placed = self.suspended = self.kept = None
        self.last_ms = 0
        self.watcher = "watch"
        self.played = False
        self.warned = False
        self.wanted = self.name = ""
        self.subject = None
        self.best_of = -1
        self.best_result = 0
        self.resident = set(sys.modules)
        self.scene = None
        self.home = "main"
        self.idle_s = 0
        self.idle_ms = device.clock.ticks_ms()
        self.began_ms = self.idle_ms if began_ms is None else began_ms
        self.asleep = False
        self.counts_down = first != "play"
        self.loading = False
        self.journal = Journal(list(device.store), device.backup)
        self.settings = Settings()
        self.settings.restore(self.journal.read(SETTINGS))
        if level:
            self.settings.level = level
        self.variant = self.settings.variant
        self.mapping = None
        self.adjust()
        self.pack = None
        from firmware import housekeeping

        housekeeping.begin(self, first, recording)

    def go(self, name: str, subject: object = None) -> None:
        """Ask for the scene `name` after this frame; `subject` is its argument."""
        self.wanted = name
        self.subject = subject

    def change(self) -> None:
        """Leave the scene and enter the next one, which finds the old one's memory free."""
        name = self.wanted
        self.wanted = ""
        if self.scene and name != "link_play":
            self.kept = None
        if name != "play" or self.name != blocks.FROM_PAUSE:  # the pause is needed there
            self.name = name
        subject = self.subject
        self.scene = self.subject = self.pack = None
        self.drop(name.startswith("tetress"))
        if name == "play":
            self.load()  # there is room beside what was, and a collection takes 20 ms
        else:
            gc.collect()
        self.scene = blocks.load(blocks.find_scene(name, self.variant)).Scene(self, subject)
        self.name = name
        self.drop(False)
        gc.collect()
        self.loading = hasattr(self.scene, "leaves_time")

    def load(self) -> None:
        """Load what play needs and other scenes do not, make room for saves, and announce long waits."""
        if self.loading or not blocks.are_there(self.settings.large_cells) or self.journal.is_short():
            from firmware import housekeeping

            housekeeping.tell_loading(self)
            housekeeping.make_room(self)
        from firmware.save.suspended import pack

        self.pack = pack

    def load_ahead(self) -> None:
        """Load one more module for play while nobody waits."""
        from firmware.preloading import find_missing

        path = find_missing(self.settings.large_cells)
        self.loading = bool(path)
        if path:
            blocks.load(path)
            gc.collect()

    def drop(self, all_blocks: bool) -> None:
        """Forget every module that is not resident; the scene keeps what it uses of them."""
        names, beginnings = blocks.find_staying(self.settings.large_cells, self.name, self.scene is not None, self.kept)
        leaving = self.kept[1].split(" ") if self.kept else []
        for path in list(sys.modules):
            if path.startswith("firmware.") and path not in self.resident:
                name = path[9:]
                stays = name in names or blocks.starts(name, beginnings) and not blocks.starts(name, leaving)
                if stays and not all_blocks:
                    continue
                del sys.modules[path]
                package, _, name = path.rpartition(".")
                if package in sys.modules and hasattr(sys.modules[package], name):
                    delattr(sys.modules[package], name)

    def next_seed(self) -> int:
        """Return the seed of the next game: the requested one, else an unpredictable one."""
        # A board's clock reads the same at every power-on; the times of the edges do not.
        seed = self.seed
        self.seed = None
        self.stir(self.device.clock.ticks_ms())
        if seed is None:
            seed = self.noise ^ self.device.machine.draw_entropy()
        self.noise ^= seed & SEEDS - 1
        return seed & SEEDS - 1

    def stir(self, t_ms: int) -> None:
        """Mix a time into the noise, turned by 5 bits because its lowest bits are new. The result stays a small int."""
        noise = self.noise
        self.noise = ((noise & 0x1FFFFFF) << 5 | noise >> 25) ^ t_ms

    def suspend(self, game: "Game", at_leisure: bool) -> bool:
        """Save the game in progress, making room `at_leisure`; return False if only room was missing."""
        journal = self.journal
        self.suspended = game
        if journal.failed:
            return True
        length = self.pack(game, self.variant, journal.payload)
        if journal.save(SUSPENDED, length) if at_leisure else journal.append(SUSPENDED, length):
            self.suspended = self.resume
            return True
        return journal.failed

    def replay(self) -> bytes:
        """Return the recorded game, up to its pause or end."""
        return self.recorder.recorded(self.last_ms)

    def resume(self) -> "Game | Match | None":
        """Return the game that power-off interrupted, or None."""
        # Imported late here and below to save heap in play.
        from firmware import housekeeping

        return housekeeping.resume(self)

    def best(self, aim: int) -> int:
        """Return the best result of this variant so far; 0 if there is none."""
        # Kept from game to game: reading it again takes a board a tenth of a second.
        if self.best_of != self.variant << 10 | aim:
            from firmware.save.scores import find_best

            self.best_of = self.variant << 10 | aim
            self.best_result = find_best(self.journal, self.variant, aim)
        return self.best_result

    def choose_view(self) -> "type[PlayView]":
        """Return the class of the view of a game, with cells as large as the settings say."""
        return blocks.load(blocks.find_view(self.settings.large_cells)).View

    def keep(self) -> None:
        """Save the settings; for menus, because it may take a moment."""
        from firmware import housekeeping

        housekeeping.keep(self)

    def adjust(self) -> None:
        """Apply the settings to screen, voice and buttons."""
        from firmware import housekeeping

        housekeeping.adjust(self)

    def step(self) -> None:
        """Poll, update, draw and show once."""
        if not self.scene:
            self.change()
        edges = self.edges
        edges.clear()
        now_ms = self.device.clock.ticks_ms()
        self.device.buttons.poll(edges)
        if edges.count:
            self.wake(now_ms)
        elif ticks_diff(now_ms, self.idle_ms) >= _IDLE_MS:
            self.rest(now_ms)
        if not self.asleep:
            self.scene.update(edges, now_ms)
            self.scene.draw()
        self.device.display.show()
        if self.wanted:
            self.change()
        elif self.loading and not edges.count:
            self.load_ahead()

    def wake(self, now_ms: int) -> None:
        """Light the screen again; the press that wakes it does nothing else, but its time counts."""
        self.idle_ms = now_ms
        for i in range(self.edges.count):
            self.stir(self.edges.t_ms[i])
        if self.asleep:
            self.asleep = False
            self.device.display.sleep(False)
            self.edges.clear()
        if self.idle_s and self.settings.dim_s:
            self.device.display.contrast(self.settings.contrast)
        self.idle_s = 0

    def rest(self, now_ms: int) -> None:
        """Count another second without a button; dim and sleep in time, but not while something plays."""
        self.idle_ms = now_ms
        scene = self.scene
        if hasattr(scene, "is_playing") and scene.is_playing():
            return
        self.idle_s += 1
        if self.idle_s == self.settings.sleep_s:
            self.asleep = True
            self.voice.silence()
            self.device.display.sleep(True)
        elif self.idle_s == self.settings.dim_s:
            self.device.display.contrast(_DIM)


def run(app: App) -> None:
    """Step at sixty frames a second by absolute deadlines; never catch up a late frame."""
    clock: "Any" = app.device.clock  # one that waits
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
        app.device.machine.leave_problem(problem)
        raise
