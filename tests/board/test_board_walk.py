"""A random walk on the real firmware: each press changes something, or IGNORED says why not."""

import functools
import random
import re
from collections import Counter
from dataclasses import dataclass

import pytest

from firmware.view.art import FONT_3X5
from firmware.view.canvas import WIDTH, Canvas, centre
from sim.chip import Ssd1306Chip
from tests.support.handhelds.board_console import ONE, bench, make_console
from tools.board.nvm import make_nvm
from tools.board.player import Player, loading, reads

pytestmark = pytest.mark.board

BUTTONS = "LRUDABCS"
ACROSS = frozenset("LR")
CONTROLS = frozenset(BUTTONS) - {"S"}
ANY = frozenset(BUTTONS)
DIRECTIONS = frozenset("LRUD")
# What the panel of a lesson or puzzle names for each direction; these are the ones that it may name together.
PANEL_WORDS = {"L": ("UNDO",), "R": ("SHOW ME", "SKIP IT", "MARKS", "HINT", "OTHER BAG"), "D": ("DOWN SKIP",)}
# The headings of what ends a game, a lesson or a puzzle.
RESULTS = ("OVER", "WIN", "LOSE", "DONE", "NOT YET", "NO WAY", "SOLVED", "BUILT", "GREAT")
PANELS = ("", "R", "LR", "RD", "LRD")
# A place of find_place() as a regular expression, the buttons that may change nothing there, and the reason. The first
# row that fits counts.
IGNORED = (
    *((f"panel {each}", DIRECTIONS - {*each}, "the panel names its buttons, and this is none") for each in PANELS),
    ("title", CONTROLS - {"A"}, "the title has one line, and A or START goes on"),
    ("(.* to )?end", ANY, "a press in its first second skips no result; later only what it names counts"),
    ("pause", ACROSS | {"S"}, "the line has no values, or START is the one held"),
    (".* to play", CONTROLS, "the press before it has begun the game or ended its pause; what stays down counts"),
    ("play.*", CONTROLS, "wall, floor or Stack stops it, no Tetrimino is in play, or it has no control"),
    ("only page", DIRECTIONS, "the page offers no other: no other table has an entry"),
    ("menu", ACROSS, "the line has no values"),
)
_LOGO = slice(20 * 8)  # the rows that the title alone has, with a game below them or not
_FLOOR = slice(127 * 8, 128 * 8)  # the lowest row: in play the floor of the Matrix
_DARK = bytes(1024)
_HINT_Y = 117
_HINT = slice(_HINT_Y * 8, 128 * 8)  # the rows in which a page names its buttons
_SAVING_S = 2.0
_PAUSE_S = 0.3  # until a pause appears
_STEP_S = 0.05
_LATE_S = 0.1
_CYCLE_S = 1e-6  # more than a cycle lasts


@dataclass(frozen=True)
class Press:
    """A button that goes down and up at these seconds from now on."""

    button: str
    down_s: float
    up_s: float


def choose_presses(rng: random.Random) -> list[Press]:
    first = rng.choice("AAASUD" + BUTTONS)
    second = rng.choice([button for button in BUTTONS if button != first])
    kind = rng.random()
    if kind < 0.5:
        return [Press(first, 0, rng.uniform(0.02, 0.1))]
    if kind < 0.7:
        return [Press(first, 0, rng.uniform(0.5, 2.4))]
    if kind < 0.85:
        return [Press(first, 0, 0.1), Press(second, rng.uniform(0, 0.03), 0.11)]
    return [Press(first, 0, 0.1), Press(second, 0.05, rng.uniform(0.15, 0.6))]


@functools.cache
def read_marks() -> tuple[bytes, bytes]:
    console = make_console(ONE)
    logo = console.handheld.picture()[_LOGO]
    console.start_game()
    return logo, console.handheld.picture()[_FLOOR]


@functools.cache
def draw_hint() -> bytes:
    """Return the lowest rows of a page of scenes/paging.py that has no other page."""
    canvas = Canvas()
    canvas.fill(0, _HINT_Y, WIDTH, 1, 1)
    centre(canvas, 121, b"B BACK", FONT_3X5)
    return bytes(canvas.buffer[1:])[_HINT]


def look(console: Player) -> bytes:
    """Return the picture upright: OPTIONS may have turned it."""
    display = console.handheld.machine.bus.display
    assert isinstance(display, Ssd1306Chip)
    return display.picture(display.segment_remap)


def find_place(console: Player) -> str:
    logo, floor = read_marks()
    picture = look(console)

    def shows(*words: str, small: bool = False) -> bool:
        return any(reads(picture, word, small) for word in words)

    if picture[_LOGO] == logo:
        return "title"
    if shows(*RESULTS) or shows("A RETRY", "CONGRATULATIONS", small=True):
        return "end"
    if shows("B LEAVE", small=True):
        return "panel " + "".join(each for each, words in PANEL_WORDS.items() if shows(*words, small=True))
    if shows("PAUSE"):
        return "pause"
    if picture[_HINT] == draw_hint():
        return "only page"
    return "play" if picture[_FLOOR] == floor else "menu"


def read(console: Player) -> tuple[dict[float, float], list[object]]:
    """Return when each picture and tone since forget_logs() came first, and all of them with the picture of now."""
    handheld = console.handheld
    first_s: dict[float, float] = {}
    for mark, at_s in [
        *((each.checksum, each.end_s) for each in handheld.transfers),
        *((each.hz, each.time_s) for each in handheld.tones),
    ]:
        first_s.setdefault(mark, at_s)
    shown = list(dict.fromkeys(each.checksum for each in handheld.transfers))
    return first_s, [shown, [each.hz for each in handheld.tones], handheld.picture()]


def press(console: Player, presses: list[Press], seconds: float) -> None:
    """Press buttons, and let time pass."""
    handheld = console.handheld
    start_s = handheld.time_s
    moments = sorted(
        [(each.down_s, each.button, True) for each in presses] + [(each.up_s, each.button, False) for each in presses]
    )
    for moment_s, button, down in moments:
        console.run(max(0.0, start_s + moment_s - handheld.time_s))
        handheld.hold(button, down)
    console.run(max(0.0, start_s + seconds - handheld.time_s))


def differ(console: Player, presses: list[Press], seconds: float) -> bool:
    """Press; return whether the same time without presses shows or sounds anything else, or the same too late."""
    handheld = console.handheld
    before = handheld.snapshot()
    handheld.machine.forget_logs()
    press(console, presses, seconds)
    first_s, seen = read(console)
    after = handheld.snapshot()
    handheld.restore(before)
    handheld.machine.forget_logs()
    end_s = handheld.time_s + seconds
    differs = False
    while not differs and end_s - handheld.time_s > _CYCLE_S:
        console.run(min(_STEP_S, end_s - handheld.time_s))
        idle_s, idle = read(console)
        due_s = handheld.time_s - _LATE_S
        differs = bool(idle_s.keys() - first_s.keys()) or any(
            first_s[mark] < due_s for mark in first_s.keys() - idle_s.keys()
        )
    handheld.restore(after)
    return differs or idle != seen


def may_ignore(place: str, presses: list[Press]) -> bool:
    allowed = next((buttons for name, buttons, _reason in IGNORED if re.fullmatch(name, place)), frozenset())
    return {press.button for press in presses} <= allowed


LONG = [pytest.param(400, seed, marks=pytest.mark.long) for seed in range(8)]


@pytest.mark.parametrize(("presses", "seed"), [(8, 8), *LONG])
def test_each_press_on_the_board_changes_something_or_is_ignored(presses: int, seed: int) -> None:
    read_marks()
    console = make_console(ONE)
    console.to_menu()
    rng = random.Random(seed)
    places: Counter[str] = Counter()
    ignored: Counter[str] = Counter()
    unlisted = []
    for number in range(presses):
        console.wait_for(lambda: look(console) not in (loading(), _DARK), 8)
        chosen = choose_presses(rng)
        place = find_place(console)
        places[place] += 1
        seconds = max(press.up_s for press in chosen) + rng.choice((0.1, 0.25, 0.7))
        if reads(look(console), "SAVING"):
            seconds += _SAVING_S  # the press counts in the scene that opens then
        before = console.handheld.snapshot()
        is_seen = differ(console, chosen, seconds)
        if not is_seen:
            console.handheld.restore(before)
            is_seen = differ(console, chosen, seconds + _PAUSE_S)
        if not is_seen:
            if find_place(console) != place:  # by itself: the press before has led there
                place += " to " + find_place(console)
            ignored[place] += 1
            if not may_ignore(place, chosen):
                after = console.handheld.draw_text()
                console.handheld.restore(before)
                unlisted.append((number, place, chosen, console.handheld.draw_text(), after))
                print("UNLISTED", *unlisted[-1], sep="\n", flush=True)
                differ(console, chosen, seconds + _PAUSE_S)
        console.check()
    print(f"WALK board {seed}: {presses} presses at {dict(places)}, ignored {dict(ignored)}")
    assert unlisted == []


def test_a_walk_on_the_board_notices_a_press_that_changes_nothing() -> None:
    read_marks()
    console = make_console(ONE)
    console.tap("C", after_s=0.1)  # a second later a game moves behind the title
    assert not differ(console, [Press("C", 0, 0.06)], 0.3) and find_place(console) == "title"
    assert differ(console, [Press("A", 0, 0.06)], 0.3) and find_place(console) == "menu"


def test_a_walk_reads_a_screen_that_options_have_turned() -> None:
    console = Player(bench().switch_on(make_nvm(turned=1)))
    console.run(2.5)  # a second later a game moves behind the title
    assert find_place(console) == "title" and not console.shows("PRESS A")
    console.tap("A", after_s=1)
    assert find_place(console) == "menu" and reads(look(console), "SKYLINE")
