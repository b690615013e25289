"""Hold an emulated handheld as a player does: find the way by what the screen says, and press by a seed."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from firmware.save import match_choices
from firmware.save.journal import SETTINGS, Journal
from firmware.save.settings import Settings
from firmware.view import notice
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import Canvas, text_width
from tests.flash import RamStore
from tools.board import BoardError, drive, firmware_image
from tools.board.handheld import Handheld, make_handheld
from tools.board.heap_watch import HeapWatch, Moment
from tools.board.machine import Snapshot
from tools.board.wires import LINK_SETTINGS

# Presses that put a Tetrimino somewhere, but for the Hard Drop.
MOVES = ("LLL", "RRR", "LL", "R", "", "RRRR", "LLLL", "RR", "L", "A", "AL", "AR", "BLL", "ARR")
_STEP_S = 0.02  # how often the screen is read
_ROWS = 128


def make_nvm(versus: dict[int, int] | None = None, **fields: int) -> bytes:
    """Return a non-volatile memory with settings: as chosen in VERSUS, and fields of Settings; the rest by default."""
    store = RamStore()
    journal = Journal([store])
    settings = Settings()
    settings.ready = 1  # the first start has asked all it asks
    choices = match_choices.unpack(settings.versus)
    for place, value in (versus or {}).items():
        choices[place] = value
    settings.versus = match_choices.pack(choices)
    for name, value in fields.items():
        setattr(settings, name, value)
    assert journal.save(SETTINGS, settings.pack(journal.payload))
    return bytes(store.image)


@functools.cache
def find_uf2():
    """Return CircuitPython's UF2; skip the test where there is none."""
    try:
        return firmware_image.find()
    except BoardError as missing:
        pytest.skip(str(missing))


@functools.cache
def deployed(*options: str) -> dict[str, bytes]:
    """Return the files of the drive as tools.deploy makes them."""
    return drive.deploy_files(list(options))


@functools.cache
def boot(nvm: bytes, link: bool = False, seed: int = 1) -> tuple[Handheld, Snapshot]:
    """Return a handheld at the title, which was on once before, and its snapshot."""
    settings = LINK_SETTINGS if link else ()
    handheld = make_handheld(find_uf2(), deployed(), nvm=nvm, settings=settings, seed=seed)
    handheld.run(2)
    handheld.power_off()
    handheld.power_on()
    console = Console(handheld)
    console.to_title()
    return handheld, handheld.snapshot()


def make_console(versus: dict[int, int] | None = None, **fields: int) -> Console:
    """Return a console whose handheld shows the title, with settings as make_nvm() has them."""
    handheld, snapshot = boot(make_nvm(versus, **fields))
    handheld.restore(snapshot)
    return Console(handheld)


def loading() -> bytes:
    """Return the picture that says LOADING and nothing else."""
    canvas = Canvas()
    notice.draw(canvas, True)
    return bytes(canvas.buffer[1:])


@functools.cache
def _shape(words: bytes, small: bool) -> tuple[int, list[tuple[int, bool]]]:
    """Return where words fit, as bits of a picture, and for each of their pixels how far it is off, and whether lit."""
    font, height = (FONT_3X5, 5) if small else (FONT_5X7, 7)
    canvas = Canvas()
    canvas.text(0, 0, words, font)
    width = text_width(words, font)
    pixels = [(y * 64 + x, bool(canvas.pixel(x, y))) for y in range(height) for x in range(width)]
    fits = sum(((1 << 64 - width + 1) - 1) << y * 64 for y in range(_ROWS - height + 1))
    return fits, pixels


def reads(picture: bytes, words: str, small: bool = False) -> bool:
    """Return whether a picture has the words anywhere, light on dark or dark on light, in one line."""
    fits, pixels = _shape(words.encode(), small)
    lit = int.from_bytes(picture, "little")
    for there in (lit, lit ^ ((1 << 64 * _ROWS) - 1)):
        left = fits  # where the words may still begin: a bit a pixel
        for off, is_lit in pixels:
            left &= there >> off if is_lit else ~(there >> off)
            if not left:
                break
        else:
            return True
    return False


@dataclass(frozen=True)
class Still:
    """A picture that stood still: from when on, for how long, and whether it said LOADING and nothing else."""

    start_s: float
    seconds: float
    is_loading: bool
    picture: bytes


class Console:
    """Find the way through the game of one handheld by the pictures that it shows.

    run: what lets time pass: the handheld, or the ring that it is part of.
    """

    def __init__(self, handheld: Handheld, run: Callable[[float], None] | None = None) -> None:
        self.handheld = handheld
        self.run = run or handheld.run

    # What the screen says

    def shows(self, *words: str, small: bool = False) -> bool:
        """Return whether the screen has one of the words."""
        picture = self.handheld.picture()
        return any(reads(picture, word, small) for word in words)

    @property
    def is_loading(self) -> bool:
        """Whether the screen says LOADING and nothing else."""
        return self.handheld.picture() == loading()

    @property
    def is_dark(self) -> bool:
        """Whether nothing is lit, as for a moment when the game begins in an empty heap."""
        return not any(self.handheld.picture())

    @property
    def has_result(self) -> bool:
        """Whether a round has ended, and the screen says how."""
        return self.shows("WIN", "LOSE", "WINS")

    @property
    def is_at_results(self) -> bool:
        """Whether the screen shows what the match came to."""
        return self.shows("RECEIVED", small=True)

    def wait_for(self, predicate: Callable[[], bool], seconds: float) -> bool:
        """Let time pass until something holds; return False after `seconds`, or when the game has ended."""
        while not predicate():
            if seconds <= 0 or self.handheld.problem:
                return False
            self.run(_STEP_S)
            seconds -= _STEP_S
        return True

    def expect(self, predicate: Callable[[], bool], seconds: float) -> None:
        """Fail, with the screen, unless something holds in time."""
        if not self.wait_for(predicate, seconds):
            self.fail("the screen did not come")

    def fail(self, reason: str) -> None:
        """Fail with the time, the screen and the traceback."""
        __tracebackhide__ = True
        each = self.handheld
        pytest.fail(f"{reason} at {each.time_s:.2f} s\n{each.problem}\n{each.draw_text()}", pytrace=True)

    def check(self) -> None:
        """Fail where the game ended by an exception."""
        if self.handheld.problem:
            self.fail("the game ended")

    # Buttons

    def tap(self, buttons: str, hold_s: float = 0.06, after_s: float = 0.25) -> None:
        """Press buttons together, `+` between them, and let time pass."""
        self.handheld.hold(buttons, True)
        self.run(hold_s)
        self.handheld.hold(buttons, False)
        self.run(after_s)

    def taps(self, buttons: str, after_s: float = 0.14) -> None:
        """Press one button after the other."""
        for button in buttons:
            self.tap(button, 0.06, after_s)

    def stills(self, button: str, until: Callable[[], bool], seconds: float) -> list[Still]:
        """Press a button, and return the pictures that stood from then until something holds, one after the other."""
        stills: list[Still] = []
        self.handheld.press(button)
        start_s = since_s = self.handheld.time_s
        picture = self.handheld.picture()
        released = False
        while not until():
            now_s = self.handheld.time_s
            if now_s > start_s + seconds or self.handheld.problem:
                self.fail("the screen did not come")
            if now_s > start_s + 0.06 and not released:
                released = True
                self.handheld.release(button)
            self.run(0.004)
            shown = self.handheld.picture()
            if shown != picture:
                stills.append(Still(since_s, self.handheld.time_s - since_s, picture == loading(), picture))
                since_s, picture = self.handheld.time_s, shown
        self.handheld.release(button)
        return stills

    # Ways

    def to_title(self) -> None:
        """Go to the title after power-on."""
        self.expect(lambda: self.handheld.is_lit, 6)
        self.run(0.5)
        self.tap("A")
        self.expect(lambda: self.shows("PRESS A", "CONTINUE"), 3)
        self.run(0.6)

    def to_menu(self) -> None:
        """Go from the title to the first line of the main menu."""
        if self.shows("CONTINUE"):
            self.tap("D")
        self.tap("A")
        self.expect(lambda: self.shows("SKYLINE"), 3)
        self.run(0.2)
        if self.shows("CONTINUE"):
            self.tap("D")

    def start_versus(self) -> None:
        """Go from the title into a match against computers, as it was chosen."""
        self.to_menu()
        self.taps("D")
        self.tap("A")
        self.expect(lambda: self.shows("VERSUS"), 3)
        self.begin("A")

    def begin(self, button: str) -> None:
        """Press what leads to a match that is loaded, and see it begin."""
        self.tap(button, after_s=0)
        self.expect(lambda: self.is_loading, 2)
        self.expect(lambda: not self.is_loading and not self.is_dark, 8)
        self.run(0.5)
        self.check()

    def start_game(self) -> None:
        """Go from the title into a Marathon of level 1."""
        self.to_menu()
        self.tap("A")
        self.expect(lambda: self.shows("VARIANT"), 3)
        self.tap("A")
        self.expect(lambda: self.shows("LEVEL"), 3)
        self.tap("A")
        self.run(3.5)

    # Play

    def play(self, seconds: float, seed: int, until: Callable[[], bool] = lambda: False) -> None:
        """Put Tetriminos anywhere, one or two a second, until time is over or something holds."""
        chance = random.Random(seed)
        end_s = self.handheld.time_s + seconds
        while self.handheld.time_s < end_s and not until():
            for button in chance.choice(MOVES):
                self.tap(button, 0.04, 0.05)
            self.tap("U", 0.05, 0.5 + 0.5 * chance.random())
            self.check()

    def top_out(self) -> None:
        """Drop Tetriminos where they come until the stack is too high, a dozen or two of them."""
        for _ in range(26):
            if self.has_result or self.shows("PRACTICE"):
                break
            self.tap("U", 0.05, 0.12)
            self.check()


class Figures:
    """Note what of the heap is free, garbage not counted, in each part of a session."""

    def __init__(self, watch: HeapWatch) -> None:
        self.parts: dict[str, list[Moment]] = {}
        self._watch = watch
        self._seen = 0

    def note(self, part: str) -> None:
        """Count what was noted since the last call, and what is live now, to a part."""
        self._watch.look()
        self.parts.setdefault(part, []).extend(self._watch.moments[self._seen :])
        self._seen = len(self._watch.moments)

    def skip(self) -> None:
        """Forget what was noted since the last call."""
        self._seen = len(self._watch.moments)

    def __str__(self) -> str:
        return "; ".join(f"{part} {free} B, block {block}" for part, (free, block) in self.least().items())

    def least(self) -> dict[str, tuple[int, int]]:
        """Return for each part the least that was free, and the smallest of the largest blocks."""
        return {
            part: (min(each.heap.free for each in moments), min(each.heap.largest_block for each in moments))
            for part, moments in self.parts.items()
        }

    def check(self, free: int = 8192, block: int = 4096) -> None:
        """Fail where less was free, or only in smaller blocks."""
        print("HEAP", self)
        assert all(least >= free and largest >= block for least, largest in self.least().values()), str(self)


@contextmanager
def watch_heap(handheld: Handheld) -> Iterator[Figures]:
    """Note the heap of a handheld after every collection of its own, and when asked."""
    with HeapWatch(handheld) as watch:
        yield Figures(watch)
