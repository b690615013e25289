"""Hold an emulated handheld as a player does: find the way by what the screen says, and press by a seed."""

import functools
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from firmware.save import match_choices
from firmware.save.journal import SETTINGS, Journal
from firmware.save.settings import Settings
from firmware.view import notice
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import Canvas, text_width
from sim.store import CopiedStore, FileStore
from tools.board import BoardError
from tools.board.handheld import Handheld, make_handheld

# Presses that put a Tetrimino somewhere, but for the Hard Drop.
MOVES = ("LLL", "RRR", "LL", "R", "", "RRRR", "LLLL", "RR", "L", "A", "AL", "AR", "BLL", "ARR")
_STEP_S = 0.02  # how often the screen is read
_ROWS = 128


def make_nvm(versus: dict[int, int] | None = None, **fields: int) -> bytes:
    """Return a non-volatile memory with settings: as chosen in VERSUS, and fields of Settings; the rest by default."""
    store = CopiedStore(FileStore(Path(os.devnull)))  # a bank that is erased, and on no disk
    journal = Journal([store])
    settings = Settings()
    settings.ready = 1  # the first start has asked all it asks
    choices = match_choices.unpack(settings.versus)
    for place, value in (versus or {}).items():
        choices[place] = value
    settings.versus = match_choices.pack(choices)
    for name, value in fields.items():
        setattr(settings, name, value)
    journal.save(SETTINGS, settings.pack(journal.payload))
    image = bytearray(store.size)
    store.read(0, image)
    return bytes(image)


@functools.cache
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


def reads(picture: bytes, words: str, small: bool = False, marked: bool = False) -> bool:
    """Return whether a picture has the words anywhere in one line: dark on light or, unless `marked`, light on dark."""
    fits, pixels = _shape(words.encode(), small)
    lit = int.from_bytes(picture, "little")
    dark = lit ^ ((1 << 64 * _ROWS) - 1)
    for there in (dark,) if marked else (lit, dark):
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


class Player:
    """Find the way through the game of one handheld by its pictures; raise BoardError where there is none.

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

    def fail(self, reason: str) -> NoReturn:
        """Raise BoardError with the time, the traceback and the screen."""
        each = self.handheld
        raise BoardError(f"{reason} at {each.time_s:.2f} s\n{each.problem}\n{each.draw_text()}")

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

    def time_load(self, button: str) -> tuple[float, float]:
        """Press what leads to a game; return after how many seconds LOADING stood there, and the game.

        Where nothing said LOADING both are the game's.
        """
        handheld = self.handheld
        before, start_s = handheld.picture(), handheld.time_s
        polls = handheld.machine.polls
        polled = len(polls)
        word_s = -1.0

        def is_there() -> bool:
            nonlocal polled, word_s
            picture = handheld.picture()
            if word_s < 0 and picture == loading():
                word_s = handheld.time_s - start_s
            if len(polls) == polled:
                return False  # the frame is not over: half of its picture may be that of the last one
            polled = len(polls)
            return picture not in (before, loading()) and any(picture)

        handheld.press(button)
        if not handheld.run_until(is_there, 8):
            self.fail("the game did not come")
        handheld.release(button)
        passed_s = handheld.transfers[-1].end_s - start_s
        return (passed_s if word_s < 0 else word_s), passed_s

    # Ways

    def to_title(self) -> None:
        """Wait for the title after power-on."""
        self.expect(lambda: self.shows("PRESS A", "CONTINUE"), 9)
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

    def choose(self, line: str, after_s: float = 0.25) -> None:
        """Go down to a line of the menu, and pick it."""
        for _ in range(20):
            if reads(self.handheld.picture(), line, marked=True):
                self.tap("A", after_s=after_s)
                return
            self.tap("D", after_s=0.14)
        self.fail(f"there is no line {line}")

    def open_versus(self) -> None:
        """Go from the title to VERSUS."""
        self.to_menu()
        self.choose("VERSUS")
        self.expect(lambda: self.shows("START"), 3)
        self.run(0.1)  # the rest of the menu follows its heading

    def start_versus(self) -> None:
        """Go from the title into a match against computers, as it was chosen."""
        self.open_versus()
        self.enter_match("A")

    def enter_match(self, button: str) -> None:
        """Press what leads to a match that is loaded, and wait until it runs."""
        self.tap(button, after_s=0)
        self.expect(lambda: self.is_loading, 2)
        self.expect(lambda: not self.is_loading and not self.is_dark, 8)
        self.run(0.5)
        self.check()

    def open_levels(self) -> None:
        """Go from the title to the level of a Marathon."""
        self.to_menu()
        self.choose("MARATHON")
        self.expect(lambda: self.shows("LEVEL"), 3)

    def start_game(self) -> None:
        """Go from the title into a Marathon of level 1."""
        self.open_levels()
        self.tap("A")
        self.run(3.5)

    # Play

    def play(self, seconds: float, seed: int, until: Callable[[], bool] = lambda: False) -> None:
        """Put Tetriminos anywhere, one or two a second, until time is over or something holds."""
        chance = random.Random(seed)
        end_s = self.handheld.time_s + seconds
        while self.handheld.time_s < end_s and not until():
            for button in chance.choice(MOVES):
                if until():
                    return  # A leads on from a result
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


def make_player(
    uf2: Path | None = None,
    files: dict[str, bytes] | None = None,
    *,
    nvm: bytes = b"",
    settings: Sequence[str] = (),
    seed: int = 1,
) -> Player:
    """Return a player at the title of a handheld that was on once before; arguments as of make_handheld()."""
    handheld = make_handheld(uf2, files, nvm=nvm, settings=settings, seed=seed)
    handheld.run(2)
    handheld.power_off()
    handheld.power_on()
    player = Player(handheld)
    player.to_title()
    return player
