"""Play on an emulated handheld: read the screen, find the way through the menus, press buttons by a seed."""

import functools
import random
from collections.abc import Callable
from typing import NoReturn

from firmware.view import notice
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import Canvas, text_width
from tools.board import BoardError
from tools.board.frames import Frame
from tools.board.handheld import Handheld

# Presses before a Hard Drop.
MOVES = ("LLL", "RRR", "LL", "R", "", "RRRR", "LLLL", "RR", "L", "A", "AL", "AR", "BLL", "ARR")
# What a linked match shows beside its play.
_LINK_WORDS = ("LINK", "READY", "WAIT", "PLAYERS", "PAUSE", "WIN", "LOSE", "LOST", "LEFT")
_STEP_S = 0.02  # how often the screen is read
_ROWS = 128


@functools.cache
def loading() -> bytes:
    """Return the picture with LOADING and nothing else."""
    canvas = Canvas()
    notice.draw(canvas, True)
    return bytes(canvas.buffer[1:])


@functools.cache
def _shape(words: bytes, small: bool) -> tuple[int, list[tuple[int, bool]]]:
    """Return a bit mask of the positions where words fit, and (offset, is lit) of each of their pixels."""
    font, height = (FONT_3X5, 5) if small else (FONT_5X7, 7)
    canvas = Canvas()
    canvas.text(0, 0, words, font)
    width = text_width(words, font)
    pixels = [(y * 64 + x, bool(canvas.pixel(x, y))) for y in range(height) for x in range(width)]
    fits = sum(((1 << 64 - width + 1) - 1) << y * 64 for y in range(_ROWS - height + 1))
    return fits, pixels


def reads(picture: bytes, words: str, small: bool = False, marked: bool = False) -> bool:
    """Return whether the words are anywhere in a line of a picture.

    marked: only dark on light, as the chosen line of a menu; else also light on dark.
    """
    fits, pixels = _shape(words.encode(), small)
    lit = int.from_bytes(picture, "little")
    dark = lit ^ ((1 << 64 * _ROWS) - 1)
    for ink in (dark,) if marked else (lit, dark):
        positions = fits  # where the words may still begin, a bit for each pixel
        for offset, is_lit in pixels:
            positions &= ink >> offset if is_lit else ~(ink >> offset)
            if not positions:
                break
        else:
            return True
    return False


class Player:
    """Find the way through the game of one handheld by its pictures; raise BoardError if a screen does not come.

    run: function that lets time pass, of the handheld or of its ring.
    """

    def __init__(self, handheld: Handheld, run: Callable[[float], None] | None = None) -> None:
        self.handheld = handheld
        self.run = run or handheld.run

    # Reading the screen

    def shows(self, *words: str, small: bool = False) -> bool:
        picture = self.handheld.picture()
        return any(reads(picture, word, small) for word in words)

    @property
    def is_loading(self) -> bool:
        """Whether the screen shows LOADING and nothing else."""
        return self.handheld.picture() == loading()

    @property
    def is_dark(self) -> bool:
        """Whether no pixel is lit, as for a moment when the game restarts with an empty heap."""
        return not any(self.handheld.picture())

    @property
    def is_ready(self) -> bool:
        """Whether the screen shows something other than LOADING."""
        return not self.is_loading and not self.is_dark

    @property
    def is_refused(self) -> bool:
        """Whether a note says that a match has no room in memory (firmware/refusing.py)."""
        return self.shows("MEMORY", small=True)

    @property
    def has_result(self) -> bool:
        return self.shows("WIN", "LOSE", "WINS")

    @property
    def is_in_linked_play(self) -> bool:
        return self.is_ready and not self.shows(*_LINK_WORDS)

    @property
    def is_at_results(self) -> bool:
        return self.shows("RECEIVED", small=True)

    def wait_for(self, predicate: Callable[[], bool], seconds: float) -> bool:
        """Let time pass until `predicate` holds; return False after `seconds` or if an exception ended the game."""
        while not predicate():
            if seconds <= 0 or self.handheld.problem:
                return False
            self.run(_STEP_S)
            seconds -= _STEP_S
        return True

    def expect(self, predicate: Callable[[], bool], seconds: float) -> None:
        """Raise BoardError unless `predicate` holds within `seconds`."""
        if not self.wait_for(predicate, seconds):
            self.fail("the screen did not come")

    def fail(self, reason: str) -> NoReturn:
        """Raise BoardError with the time, the traceback and the screen."""
        each = self.handheld
        raise BoardError(f"{reason} at {each.time_s:.2f} s\n{each.problem}\n{each.draw_text()}")

    def check(self) -> None:
        """Raise BoardError if an exception ended the game."""
        if self.handheld.problem:
            self.fail("the game ended")

    # Buttons

    def tap(self, buttons: str, hold_s: float = 0.06, after_s: float = 0.25) -> None:
        self.handheld.hold(buttons, True)
        self.run(hold_s)
        self.handheld.hold(buttons, False)
        self.run(after_s)

    def taps(self, buttons: str, after_s: float = 0.14) -> None:
        for button in buttons:
            self.tap(button, 0.06, after_s)

    def time_load(self, button: str) -> float:
        """Hold a button that starts a game until the game shows; return the seconds until then."""
        handheld = self.handheld
        before, start_s = handheld.picture(), handheld.time_s
        polls = handheld.machine.polls
        poll_count = len(polls)

        def is_there() -> bool:
            nonlocal poll_count
            if len(polls) == poll_count:
                return False  # in mid-frame, part of the picture may be old
            poll_count, picture = len(polls), handheld.picture()
            return picture not in (before, loading()) and any(picture)

        handheld.press(button)
        if not handheld.run_until(is_there, 8):
            self.fail("the game did not come")
        handheld.release(button)
        return handheld.transfers[-1].end_s - start_s

    # Menus

    def to_picture(self) -> float:
        """Wait for the first picture after power-on; return the seconds until then."""
        handheld = self.handheld
        if not handheld.run_until(lambda: handheld.is_lit and any(handheld.picture()), 6):
            self.fail("no picture came")
        return handheld.time_s

    def to_title(self) -> None:
        """Wait for the title after power-on."""
        self.expect(lambda: self.shows("PRESS A", "CONTINUE"), 9)
        self.run(0.6)

    def to_menu(self) -> None:
        if self.shows("CONTINUE"):
            self.tap("D")
        self.tap("A")
        self.expect(lambda: self.shows("SKYLINE"), 3)
        self.run(0.2)
        if self.shows("CONTINUE"):
            self.tap("D")

    def choose(self, line: str, after_s: float = 0.25) -> None:
        self.go_down_to(line)
        self.tap("A", after_s=after_s)

    def go_down_to(self, line: str) -> None:
        """Press D until the cursor is at a line of the menu."""
        for _ in range(20):
            if reads(self.handheld.picture(), line, marked=True):
                return
            self.tap("D", after_s=0.14)
            before = b""
            while before != self.handheld.picture():  # a colour display draws the line over several steps
                before = self.handheld.picture()
                self.run(_STEP_S)
        self.fail(f"there is no line {line}")

    def press_when_lit(self, line: str) -> None:
        """Press once the cursor, which steps by itself with 1 KEY, is at a line; "" is any."""
        self.expect(lambda: not line or reads(self.handheld.picture(), line, marked=True), 30)
        self.tap("L", after_s=0)
        self.run(0.5)

    def open_versus(self) -> None:
        """Go from the title to VERSUS."""
        self.to_menu()
        self.choose("VERSUS")
        self.expect(lambda: self.shows("START"), 3)
        self.run(0.1)  # the lines of the menu appear after its heading

    def go_to_link(self, number: int) -> None:
        """Go from the title to the line LINK of VERSUS; `number`: of the handheld, so that each has random numbers."""
        self.run(0.037 * number)
        self.open_versus()
        self.tap("D")

    def start_versus(self) -> None:
        self.open_versus()
        self.enter_match("A")

    def enter_match(self, button: str) -> None:
        """Press a button that loads a match, and wait until the match runs."""
        self.tap(button, after_s=0)
        self.expect(lambda: self.is_loading, 2)
        self.expect(lambda: self.is_ready, 8)
        self.run(0.5)
        self.expect(lambda: not self.shows("READY", "GO"), 3)
        self.check()

    def open_levels(self) -> None:
        self.to_menu()
        self.choose("MARATHON")
        self.expect(lambda: self.shows("LEVEL"), 3)

    def start_game(self) -> None:
        """Start a Marathon at level 1 from the title."""
        self.open_levels()
        self.tap("A")
        self.run(3.5)

    def to_retry(self) -> None:
        """Go from the result of a game, past initials for a place in the table, to the line that begins another."""
        for _ in range(12):
            if self.shows("A RETRY", small=True) or self.shows("RESTART"):
                return
            self.tap("A", after_s=0.8)
        self.fail("there is no AGAIN")

    # Play

    def play(self, seconds: float, seed: int, until: Callable[[], bool] = lambda: False) -> None:
        """Drop Tetriminos at random, one or two a second, for `seconds` or until `until` holds."""
        chance = random.Random(seed)
        end_s = self.handheld.time_s + seconds
        while self.handheld.time_s < end_s and not until():
            for button in chance.choice(MOVES):
                if until():
                    return  # button A would leave the result screen
                self.tap(button, 0.04, 0.05)
            self.tap("U", 0.05, 0.5 + 0.5 * chance.random())
            self.check()

    def play_frames(self, seconds: float, seed: int) -> list[Frame]:
        """Play for some seconds or until the game ends; return the frames, without those of the end."""
        start_s = self.handheld.time_s
        self.play(seconds, seed, lambda: self.has_result or self.shows("TRAINING", "GAME"))
        end_s = self.handheld.time_s - 2.5
        return [each for each in self.handheld.frames(start_s) if each.start_s < end_s]

    def top_out(self) -> None:
        """Hard Drop up to 26 Tetriminos in the middle, until Top Out."""
        for _ in range(26):
            if self.has_result or self.shows("TRAINING"):
                break
            self.tap("U", 0.05, 0.12)
            self.check()
