"""Walk through the whole game by random presses: taps, long presses, chords and overlapping ones."""

import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.engine.options import HALF_TURNS
from firmware.save.recorder import Recorder
from firmware.save.settings import Settings
from firmware.scenes.play_state import OVER, PAUSED, PLAYING, READY
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.linked import Linked
from tests.support.handhelds.ring_harness import Line, Pipe
from tests.support.records import packed
from tests.support.stacking import choose_moves

FRAME_MS = 16
LEFT, RIGHT, DOWN, UP = controls.LEFT, controls.RIGHT, controls.SOFT_DROP, controls.HARD_DROP
A, B, HOLD, START = controls.ROTATE_CW, controls.ROTATE_CCW, controls.HOLD, controls.PAUSE
NINTH = 8
EIGHT = 255
SIX = 0b0011_1111
NINE = 511
STATES = {PLAYING: "PLAYING", PAUSED: "PAUSED", OVER: "OVER", READY: "READY"}


@dataclass(frozen=True)
class Kit:
    """A handheld and its options: how a player may have set it up.  wired: a mask of its buttons."""

    fields: dict[str, int]
    buttons: dict[int, int]
    wired: int = EIGHT

    def set_up(self, settings: Settings) -> None:
        for name, value in self.fields.items():
            setattr(settings, name, value)
        for control, mask in self.buttons.items():
            settings.buttons[control] = mask


KITS = {
    "default": Kit({}, {}),
    "swapped": Kit({}, {A: 1 << B, B: 1 << A}),
    "six buttons": Kit({}, {}, SIX),
    "chords": Kit({}, {HOLD: 1 << A | 1 << B, START: 1 << LEFT | 1 << RIGHT, LEFT: 1 << HOLD, RIGHT: 1 << START}),
    "by ear": Kit({"by_ear": 2}, {}),
    "half turns": Kit({"modern": HALF_TURNS}, {}),
    "one switch": Kit({"one_switch": 600}, {}),
    "nine buttons": Kit({"modern": HALF_TURNS}, {}, NINE),
}


@dataclass(frozen=True)
class Press:
    """A button that goes down and up at these frames from now on.  late: frames by which its time is earlier."""

    button: int
    down: int
    up: int
    late: int = 0


def find_game(scene: Any) -> Any:
    if not getattr(scene, "is_playing", bool)() or getattr(scene, "state", PLAYING) == OVER:
        return None
    match = getattr(scene, "match", None)
    if match and hasattr(match, "seats"):
        seat = match.seats[getattr(match, "me", 0)]
        return seat.practice or seat.game
    game = getattr(scene, "game", None)
    return game if isinstance(game, Game) else None


def steers(scene: Any) -> bool:
    """Return whether the buttons steer a Tetrimino now: then a frame takes all presses."""
    return scene.kind == "play" and scene.state == PLAYING


class Wanderer(Handheld):
    """A handheld, and a person who presses its buttons at random."""

    rng: random.Random
    kit: Kit
    down = 0  # a mask of the buttons

    def advance(self) -> None:
        self.clock.now_ms += FRAME_MS
        self.app.step()

    @property
    def names(self) -> list[int]:
        return [button for button in range(NINTH + 1) if self.kit.wired >> button & 1]

    def choose_presses(self) -> list[Press]:
        """Return what the person presses now: mostly good moves in play, elsewhere anything."""
        rng = self.rng
        game = find_game(self.scene)
        if game and game.piece and rng.random() < 0.5 and not self.kit.buttons and not self.settings.one_switch:
            moves = [*choose_moves(game), UP]
            return [Press(button, 3 * i, 3 * i + 2) for i, button in enumerate(moves)]
        usual = [button for button in (A, A, A, START, UP, DOWN) if button in self.names]
        at_play = getattr(self.scene, "steered", 0)
        names = [button for button in self.names if button != NINTH or at_play]
        first = rng.choice(usual + names)
        kind = rng.random()
        if kind < 0.5:
            return [Press(first, 0, rng.randint(1, 6))]
        if kind < 0.7:
            return [Press(first, 0, rng.randint(30, 150))]
        second = rng.choice([button for button in names if button != first])
        if kind < 0.85:  # a chord
            up = rng.randint(4, 8)
            return [Press(first, 0, up), Press(second, rng.randint(0, 2), up + rng.randint(0, 2))]
        return [Press(first, 0, 6), Press(second, 3, rng.randint(8, 40))]  # the second goes down before the first is up

    def run(self, presses: Sequence[Press], frames: int) -> list[bytes]:
        """Run frames with these presses; return what could be seen, heard and lost at each."""
        seen = []
        for frame in range(frames):
            now_ms = self.clock.now_ms
            for press in presses:
                if press.down == frame:
                    self.buttons.edges.append((press.button, 1, now_ms - press.late * FRAME_MS))
                    self.down |= 1 << press.button
            for press in presses:
                if press.up == frame:
                    self.buttons.edges.append((press.button, 0, now_ms))
                    self.down &= ~(1 << press.button)
            self.advance()
            seen.append(self.sense())
        return seen

    def sense(self) -> bytes:
        """Return picture, sound, light, the scene, the settings and the counted presses of a game."""
        chip = self.display.chip
        game = find_game(self.scene)
        counted = game.statistics.presses if game else 0
        cursor = getattr(self.device.buttons, "cursor", None)
        picked = (cursor.level, cursor.entry, cursor.place, cursor.running) if cursor else ()
        told = f"{picked} {self.buzzer.hz} {chip.on} {chip.contrast} {self.name} {counted} {self.session.has_game()}"
        return bytes(self.canvas.buffer) + told.encode() + packed(self.settings)

    def place(self) -> str:
        """Return where the person is: the scene, and in a game its state and its cover."""
        cover = getattr(self.scene, "cover", None)
        state = getattr(self.scene, "state", "")
        words = [self.name]
        if isinstance(state, int):
            words.append(STATES.get(state, str(state)))
        if cover:
            words.append(type(cover).__name__)
        if getattr(self.scene, "said", ""):
            words.append(self.scene.said.split()[0])
        if self.settings.one_switch:
            words.append("by switch")
        return " ".join(words)

    def list_held(self) -> list[str]:
        """Return the parts that believe a button or control to be down."""
        scene: Any = self.scene
        parts = {"mapping": self.context.mapping, "scene.mapping": getattr(scene, "mapping", None)}
        held = [
            f"{name}.{field}"
            for name, part in parts.items()
            for field in ("down", "waiting", "used", "pressed")
            if getattr(part, field, 0)
        ]
        game = find_game(scene)
        if game and game.pressed:
            held.append("game.pressed")
        for name, part in (("scene", scene), ("cover", getattr(scene, "cover", None))):
            if getattr(part, "button", -1) >= 0 and not hasattr(scene, "line"):
                held.append(f"{name}.button")
        if getattr(scene, "start_ms", -1) >= 0 and hasattr(scene, "press_pause") and find_game(scene):
            held.append("scene.start_ms")
        if getattr(scene, "waiting", False):
            held.append("scene.waiting")
        if getattr(self.device.buttons, "down", 0):
            held.append("switch.down")
        return held


class Walker(Wanderer):
    """A handheld of a Kit that walks alone."""

    def __init__(self, kit: Kit, seed: int, first: str = "menus.title") -> None:
        super().__init__(store=[RamStore(8192), RamStore(8192)], first="menus.legal", recorder=Recorder())
        self.rng = random.Random(seed)
        self.kit = kit
        self.device.wired = kit.wired
        self.device.link = Pipe(Line(random.Random(1)), Line(random.Random(2)))
        self.settings.ready = 1
        kit.set_up(self.settings)
        self.context.apply_settings()
        if kit.fields.get("one_switch"):
            from firmware import one_switch

            one_switch.connect(self.context)
        self.open(first, frames=2)


class LinkedWalker(Wanderer, Linked):
    """A handheld that walks beside the others of its Table."""

    def __init__(self, pipe: Any, place: int, first: str) -> None:
        super().__init__(pipe, place, first)
        self.rng = random.Random(place)
        self.kit = KITS["default"]

    def advance(self) -> None:
        self.table.step()


def differ(walker: Wanderer, presses: list[Press], frames: int, others: Sequence[Press] = ()) -> bool:
    """Run frames with presses here and with others in a copy of this process; return whether that differs."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writer, sha256(b"".join(walker.run(others, frames))).digest())
        finally:
            os._exit(0)
    os.close(writer)
    mine = sha256(b"".join(walker.run(presses, frames))).digest()
    other = os.read(reader, len(mine))
    os.close(reader)
    os.waitpid(child, 0)
    assert len(other) == len(mine), "the copy failed"
    return other != mine
