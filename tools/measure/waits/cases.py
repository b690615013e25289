"""Measure how long a player waits for the deployed game, on each CircuitPython that is here.

A wait ends with the last transfer of the picture, when the game polls the buttons again: then it answers.
"""

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sim import progress
from tools.board import prepared
from tools.board.bench import Bench
from tools.board.drive import deploy_files
from tools.board.handheld import Handheld
from tools.board.machine import Snapshot
from tools.board.player import Player, reads
from tools.markdown import lay_out
from tools.measure.emulated import time_edges
from tools.measure.figures import Figure

LATE_MS = 1000 / 60
STILL_S = 0.3  # without a frame and without a word
WORDS = ("LOADING", "SAVING")
MODES = (("MARATHON",), ("SPRINT",), ("MORE MODES", "ZEN"), ("MORE MODES", "DIG"), ("MORE MODES", "SURVIVE"))
MATCH = ("OPPONENTS=1", "LEVELS=HAWK", "WINS=2")
MATCH_OF_FOUR = ("OPPONENTS=3", "LEVELS=HAWK", "WINS=2")
# The most that each figure may be, by the end of its name.
BOUNDS = {
    "answers": 1.8,
    "MARATHON: press to play": 0.25,
    "press to play": 0.32,  # with the module of the mode, and of a layout
    "START to play": 2.2,
    "to pause": 0.3,
    "rewritten": 0.9,  # erases and programs 4 KB, loads two modules, and saves a match anew, so that no cut loses it
    "worst": 45,
    "three computers: frames later than 1/60 s": 0.2,
    "Marathon: frames later than 1/60 s": 0,
    "without a word": STILL_S,
}
_LOOK_S = 0.004
_READ_S = 0.5  # a player reads a menu before the next press
_LONGEST_S = 10.0
_PAUSES = 9  # the journal is rewritten in one of them at the latest
_ROUND_S = 300.0  # the computers play on when the person is out
_GAMES = 3
_GAME_S = 25.0
_MOMENTS = 20  # in a frame


@dataclass(frozen=True)
class Still:
    """A time in which no frame ran and the screen showed no word; part: of the walk."""

    part: str
    start_s: float
    seconds: float


class Waits:
    """Play on a handheld, and note every still of its screen.

    player: lets time pass by `run` alone, so nothing stays unseen. longest: the longest still of each part.
    """

    def __init__(self, handheld: Handheld) -> None:
        self.handheld = handheld
        self.player = Player(handheld, self.run)
        self.longest: dict[str, Still] = {}
        self.part = ""
        self._reset()

    def begin(self, part: str) -> None:
        self.part = part
        self._reset()

    def run(self, seconds: float) -> None:
        handheld = self.handheld
        end_s = handheld.time_s + seconds
        while handheld.time_s < end_s - _LOOK_S / 8:
            handheld.run(min(_LOOK_S, end_s - handheld.time_s))
            self._look()

    def press(self, button: str, is_there: Callable[[], bool] | None = None) -> float:
        """Press a button; return the seconds until another picture without a word is complete and `is_there` holds."""
        handheld = self.handheld
        before, start_s, polls = handheld.picture(), handheld.time_s, self._polls
        handheld.press(button)
        try:
            while handheld.time_s < start_s + _LONGEST_S:
                self.run(_LOOK_S)
                if handheld.time_s > start_s + 0.06:
                    handheld.release(button)
                if polls == self._polls:
                    continue  # in mid-frame, part of the picture may be old
                polls, picture = self._polls, handheld.picture()
                if picture != before and any(picture) and not says_word(picture) and (not is_there or is_there()):
                    return handheld.transfers[-1].end_s - start_s
        finally:
            handheld.release(button)
        return self.player.fail(f"{self.part}: the screen did not come")

    def choose(self, line: str, is_there: Callable[[], bool] | None = None) -> float:
        """Go to a line of a menu and choose it; return the seconds until its screen is there."""
        player = self.player
        for _ in range(20):
            if reads(self.handheld.picture(), line, marked=True):
                return self.press("A", is_there)
            player.tap("D", after_s=0.2)
        return player.fail(f"there is no line {line}")

    def _reset(self) -> None:
        self._polls = len(self.handheld.machine.polls)
        self._since_s = self.handheld.time_s

    def _look(self) -> None:
        """Note a still that ends or grows."""
        now_s = self.handheld.time_s
        still = Still(self.part, self._since_s, now_s - self._since_s)
        if self.part and still.seconds > self.longest.get(self.part, Still("", 0, 0)).seconds:
            self.longest[self.part] = still
        if len(self.handheld.machine.polls) != self._polls or says_word(self.handheld.picture()):
            self._reset()


@functools.lru_cache(4096)
def says_word(picture: bytes) -> bool:
    """Return whether a picture says that the game is busy."""
    return any(reads(picture, word) for word in WORDS)


class WatchedBench(Bench):
    """A bench that keeps the stills of its handhelds."""

    def __init__(self, uf2: Path, files: dict[str, bytes]) -> None:
        super().__init__(uf2, files)
        self._waits: list[Waits] = []

    def watch(self, choices: tuple[str, ...] = (), fast: bool = True) -> Waits:
        """Return a handheld with these choices just switched on for the second time."""
        self._waits.append(Waits(self.switch_on(prepared.read_choices(choices), fast=fast)))
        return self._waits[-1]

    @property
    def stills(self) -> list[Still]:
        return [still for waits in self._waits for still in waits.longest.values()]


def measure_start(bench: WatchedBench) -> Iterator[Figure]:
    """Measure the start from power-on, CircuitPython's own second included."""
    waits = bench.watch(fast=False)
    handheld, player = waits.handheld, waits.player
    yield Figure("power-on to the first picture", player.to_picture())
    waits.begin("from the first picture to the title")
    player.run(0.1)
    pressed = handheld.snapshot()
    player.expect(lambda: bool(handheld.machine.polls) and player.shows("PRESS A"), 3)
    yield Figure("power-on to a title that answers", handheld.transfers[-1].end_s)
    handheld.restore(pressed)
    waits.begin("to the main menu by a press before the first frame")
    waits.press("A", lambda: player.shows("MARATHON"))
    yield Figure("power-on to the main menu, A pressed at once", handheld.transfers[-1].end_s)


def measure_games(bench: WatchedBench) -> Iterator[Figure]:
    """Measure the press that begins a game of each mode, its pause and its end."""
    waits = bench.watch()
    player = waits.player
    player.to_title()
    player.to_menu()
    menu = waits.handheld.snapshot()
    for lines in MODES:
        waits.handheld.restore(menu)
        waits.begin(f"to {lines[-1]}")
        for line in lines:
            player.run(_READ_S)
            seconds = waits.choose(line)
        player.run(_READ_S)
        if player.shows("LEVEL"):
            seconds = waits.press("A")
        yield Figure(f"{lines[-1]}: press to play", seconds)
        player.run(4)
        waits.begin(f"pause of {lines[-1]}")
        yield Figure(f"{lines[-1]}: press to pause", waits.press("S"))
        player.run(_READ_S)
        waits.begin(f"resuming {lines[-1]}")
        waits.press("A")
        player.run(2)


def measure_match(bench: WatchedBench, choices: tuple[str, ...], name: str) -> Iterator[Figure]:
    """Measure a match: its start, pauses, OPTIONS, CONTINUE, next round and results."""
    waits = bench.watch(choices)
    player, handheld = waits.player, waits.handheld
    player.to_title()
    player.open_versus()
    waits.begin(f"{name}: START")
    yield Figure(f"{name}: START to play", waits.press("A"))
    player.run(4)
    pauses: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(_PAUSES):
        waits.begin(f"{name}: pause")
        count = len(handheld.writes)
        seconds = waits.press("S", lambda: player.shows("PAUSE"))
        pauses[any(each.erases for each in handheld.writes[count:])].append(seconds)
        player.run(_READ_S)
        if pauses[True]:
            break
        waits.begin(f"{name}: resuming")
        waits.press("A")
        player.run(4)
    yield Figure(f"{name}: press to pause", max(pauses[False]))
    if pauses[True]:
        yield Figure(f"{name}: the same while the journal is rewritten", max(pauses[True]))
    waits.begin(f"{name}: OPTIONS")
    waits.choose("OPTIONS", lambda: player.shows("DELAY", "LOCK"))
    player.run(_READ_S)
    waits.begin(f"{name}: back from OPTIONS")
    yield Figure(f"{name}: back from OPTIONS", waits.press("B", lambda: player.shows("PAUSE")))
    waits.begin("")  # the dark start has a case of its own
    handheld.restart()
    player.to_title()
    waits.begin(f"{name}: CONTINUE")
    yield Figure(f"{name}: CONTINUE to its pause", waits.press("A", lambda: player.shows("PAUSE")))
    player.run(_READ_S)
    waits.press("A")
    player.run(3)
    yield from measure_rounds(waits, name)


def measure_rounds(waits: Waits, name: str) -> Iterator[Figure]:
    player = waits.player
    seconds: list[float] = []
    while not player.is_at_results:
        waits.begin(f"{name}: end of a round")
        while not (player.has_result or player.shows("PRACTICE")):
            player.top_out()
        player.expect(lambda: player.has_result, _ROUND_S)
        player.run(1.3)  # a result takes no press before
        waits.begin(f"{name}: from a round to the next or to the results")
        seconds.append(waits.press("A", lambda: player.is_at_results or not player.has_result))
        player.run(_READ_S)
    yield Figure(f"{name}: A NEXT to the next round", max(seconds[:-1]))
    yield Figure(f"{name}: A NEXT to the results", seconds[-1])
    player.run(1)
    waits.begin(f"{name}: another match")
    yield Figure(f"{name}: A RETRY to play", waits.press("A"))


def measure_late_frames(bench: WatchedBench) -> Iterator[Figure]:
    """Measure the share of frames later than 1/60 s against three computers and in a Marathon, saves left out."""
    for name, begin in (("three computers", Player.start_versus), ("Marathon", Player.start_game)):
        player = bench.to_title(prepared.read_choices(MATCH_OF_FOUR))
        begin(player)
        times_ms = [each for seed in range(_GAMES) for each in time_frames(player, player.handheld.snapshot(), seed)]
        late = sum(each > LATE_MS for each in times_ms)
        yield Figure(f"{name}: frames later than 1/60 s", 100 * late / len(times_ms), "%")


def time_frames(player: Player, start: Snapshot, seed: int) -> list[float]:
    """Play on from `start`; return the times of frames in ms, without those that save, then go back to `start`."""
    handheld = player.handheld
    frames = player.play_frames(_GAME_S, seed)
    saves_s = [each.time_s for each in handheld.writes]
    handheld.restore(start)
    return [
        1000 * each.busy_s
        for each in frames
        if not any(0 <= save_s - each.start_s <= each.busy_s for save_s in saves_s)
    ]


def measure_edges(bench: WatchedBench) -> Iterator[Figure]:
    """Measure the time from a press in Marathon to its last pixel, at many moments of a frame."""
    player = bench.to_title(prepared.read_choices(()))
    player.start_game()
    times_s = time_edges(player, _MOMENTS)
    yield Figure("Marathon: edge to last pixel, worst", 1000 * max(times_s), "ms")


CASES: dict[str, Callable[[WatchedBench], Iterator[Figure]]] = {
    "start": measure_start,
    "games": measure_games,
    "match": functools.partial(measure_match, choices=MATCH, name="one computer"),
    "match-of-four": functools.partial(measure_match, choices=MATCH_OF_FOUR, name="three computers"),
    "frames": measure_late_frames,
    "edges": measure_edges,
}
WALKS = ("start", "games", "match", "match-of-four")  # cases that look for stills


def measure(names: list[str], versions: dict[str, Path]) -> dict[str, dict[str, Figure]]:
    """Return the figures of cases by their names and the version of CircuitPython; raise BoardError."""
    files = deploy_files()
    found: dict[str, dict[str, Figure]] = {}
    cases = [(version, name) for version in versions for name in names]
    for version, name in progress.follow(cases, "measuring", len(cases), "cases"):
        bench = WatchedBench(versions[version], files)
        figures = list(CASES[name](bench))
        if bench.stills:
            longest = max(bench.stills, key=lambda still: still.seconds)
            figures.append(Figure(f"{name}: longest still without a word", longest.seconds))
        for figure in figures:
            found.setdefault(figure.what, {})[version] = figure
    return found


def find_bound(what: str) -> float | None:
    return next((bound for end, bound in BOUNDS.items() if what.endswith(end)), None)


def tabulate(found: dict[str, dict[str, Figure]], versions: list[str]) -> str:
    """Return the table: a figure a line, its bound and its value on each version."""
    rows = []
    for what, figures in found.items():
        bound = find_bound(what)
        unit = next(iter(figures.values())).unit
        most = "" if bound is None else f"{bound:g} {unit}"
        rows.append([what, most, *(figures[version].cell if version in figures else "" for version in versions)])
    return lay_out(["what", "at most", *versions], rows)
