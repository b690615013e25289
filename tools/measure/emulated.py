"""Measure the deployed game on CircuitPython itself, in the emulator of tools.board: seconds, frames, heap.

A case is a function of a Bench that yields figures; CASES names them.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from firmware.device.wiring import DIRECT
from firmware.engine.game import Game
from firmware.save import match_revival
from firmware.save.journal import Journal
from firmware.save.match_choices import LEVELS, OPPONENTS
from sim.store import CopiedStore, FileStore
from tools.board import firmware_image
from tools.board.drive import deploy_files
from tools.board.handheld import Handheld, make_handheld
from tools.board.heap_watch import Figures, HeapWatch
from tools.board.machine import Snapshot
from tools.board.player import Player, make_nvm, make_player
from tools.deploy import compiling, image
from tools.measure.versus import LEVEL

RECORDING = "marathon"  # of tests/recordings
RECORDED_FRAMES = 3500  # after the first one, which paints the whole picture
NAME_RECORDED = f"recorded {RECORDING}"
NAME_PICTURE = "first picture after power-on"
NAME_GAME = "Marathon: press to the game"
NAME_AGAIN = "Marathon again: press to the game"
NAME_EDGE = "Marathon: edge to pixels"
_RECORDED_S = 60.0
_MATCH_FRAMES = 1500  # at least; from several games if the person tops out sooner
_PLAY_S = 8.0
_PACES = 6
_PACE_S = 25.0  # a computer places about 28 Tetriminos, and a person without presses does not top out
_MOMENTS = 40  # in a frame; at each of them each of five buttons is pressed
_EDGE_S = 0.06  # every press shows sooner
_LOOK_S = 0.000_5
_SEED = 7
# The last line of code.py, and its replacement that plays a recording in the same frames as scripts.measure_frames().
_RUN = "run(App(device, recorder=Recorder(2048), first=first, began_ms=t_ms))"
_RUN_RECORDING = """from firmware.save.recordings.recording import Recording

        with open("game.sky", "rb") as file:
            blob = file.read()
        run(App(device, recording=Recording(blob), first="play"))"""


@dataclass(frozen=True)
class Figure:
    """One measured figure; unit: s, ms, B or pieces/s."""

    what: str
    value: float
    unit: str


class Bench:
    """Boot the deployed game once for each choice of settings, and return it at the title."""

    def __init__(self) -> None:
        """Find the UF2 and the files; raise BoardError if there is no UF2."""
        self._uf2 = firmware_image.find()
        self._files = deploy_files()
        self._booted: dict[bytes, tuple[Handheld, Snapshot]] = {}

    def to_title(self, computers: int = 1) -> Player:
        """Return a player at the title; VERSUS is set to `computers` opponents."""
        nvm = make_nvm({OPPONENTS: computers - 1} | {LEVELS + number: LEVEL - 1 for number in range(3)})
        if nvm not in self._booted:
            handheld = make_player(self._uf2, self._files, nvm=nvm).handheld
            self._booted[nvm] = handheld, handheld.snapshot()
        handheld, snapshot = self._booted[nvm]
        handheld.restore(snapshot)
        return Player(handheld)

    def switch_on(self) -> Handheld:
        """Return a handheld just switched on for the second time, before CircuitPython's own wait."""
        handheld = make_handheld(self._uf2, self._files, nvm=make_nvm(), fast=False)
        handheld.run(4)
        handheld.power_off()
        handheld.power_on()
        return handheld

    def begin_recording(self, blob: bytes) -> Handheld:
        sources = image.read_sources()
        before, run, after = sources["code.py"].partition(_RUN)
        if not run:
            raise AssertionError("code.py runs the App in another way than _RUN has it")
        sources["code.py"] = before + _RUN_RECORDING + after
        head = compiling.FORMATS[int(firmware_image.VERSION.split(".")[0])]
        return make_handheld(self._uf2, {**image.build(DIRECT, head, sources=sources), "game.sky": blob})


def measure_boot(bench: Bench) -> Iterator[Figure]:
    handheld = bench.switch_on()
    if not handheld.run_until(lambda: handheld.is_lit and any(handheld.picture()), 6):
        Player(handheld).fail("no picture came")
    yield Figure(NAME_PICTURE, handheld.time_s, "s")


def measure_loading(bench: Bench) -> Iterator[Figure]:
    """Measure the times from the press that begins a game to the word LOADING and to the game."""
    player = bench.to_title()
    player.open_levels()
    yield from _time_load(player, "Marathon")
    for computers in (1, 3):
        player = bench.to_title(computers)
        player.open_versus()
        yield from _time_load(player, name_match(computers))


def measure_recording(bench: Bench) -> Iterator[Figure]:
    """Measure the frames of a recorded Marathon; the estimate is for the same frames."""
    handheld = bench.begin_recording(read_recording())
    if not handheld.run_until(lambda: handheld.is_lit and any(handheld.picture()), 6):
        Player(handheld).fail("no picture came")
    start_s = handheld.time_s
    handheld.run(_RECORDED_S)
    times_ms = [1000 * frame.busy_s for frame in handheld.frames(start_s)]
    yield from summarise_frames(times_ms[1 : RECORDED_FRAMES + 1], NAME_RECORDED)


def measure_edges(bench: Bench) -> Iterator[Figure]:
    """Measure the time from a press in Marathon to its last pixel, at any moment of a frame.

    Each moment runs twice, with and without the press: the first picture that differs shows the press.
    """
    player = bench.to_title()
    player.start_game()
    times_s = time_edges(player, _MOMENTS, "LRABU")
    yield Figure(f"{NAME_EDGE}, mean", 1000 * sum(times_s) / len(times_s), "ms")
    yield Figure(f"{NAME_EDGE}, worst", 1000 * max(times_s), "ms")


def time_edges(player: Player, moments: int, buttons: str) -> list[float]:
    """Return the seconds from a press of each button to its last pixel, at so many moments of a frame."""
    handheld = player.handheld
    start = handheld.snapshot()
    times_s: list[float] = []
    for moment in range(moments):
        handheld.restore(start)
        player.play(1 + moment % 4, moment)
        handheld.run((moment / moments - 60 * handheld.time_s) % 1 / 60)
        here = handheld.snapshot()
        idle = list(_watch(handheld))
        for button in buttons:
            handheld.restore(here)
            handheld.press(button)
            times_s += _time_edge(handheld, idle)
    return times_s


def measure_puzzle(bench: Bench) -> Iterator[Figure]:
    def start_game(player: Player) -> None:
        player.choose("LEARN", after_s=1.5)
        player.choose("PUZZLES", after_s=1.5)
        player.tap("A", after_s=2)

    yield from _measure_game(bench, "Puzzle", start_game, lambda player: player.taps("LRLR"))


def measure_tetress(bench: Bench) -> Iterator[Figure]:
    def start_game(player: Player) -> None:
        player.choose("MORE MODES", after_s=1.5)
        player.choose("TETRESS", after_s=1.5)
        player.tap("A", after_s=3)

    yield from _measure_game(bench, "Tetress", start_game, lambda player: player.taps("RDA", 2.5))


def name_match(computers: int) -> str:
    return "match against one computer" if computers == 1 else f"match against {computers} computers"


def name_heap(name: str, part: str) -> str:
    """Return the table's name of the heap in use in a part of a game."""
    return f"{name}, {part}: heap in use"


def name_pace(name: str) -> str:
    """Return the table's name of a computer's speed."""
    return f"{name}: the computer plays"


def read_recording() -> bytes:
    return (image.ROOT / "tests" / "recordings" / f"{RECORDING}.sky").read_bytes()


def _time_load(player: Player, name: str) -> Iterator[Figure]:
    """Press A to begin a game; yield the times until LOADING, if it appears, and until the game."""
    word_s, play_s = player.time_load("A")
    if word_s < play_s:
        yield Figure(f"{name}: press to LOADING", word_s, "s")
    yield Figure(f"{name}: press to the game", play_s, "s")


def summarise_frames(times_ms: list[float], name: str) -> Iterator[Figure]:
    """Yield the mean, the 99th percentile and the worst of the times of frames."""
    ordered = sorted(times_ms)
    yield Figure(f"{name}: frame, mean", sum(ordered) / len(ordered), "ms")
    yield Figure(f"{name}: frame, 99th percentile", ordered[len(ordered) * 99 // 100], "ms")
    yield Figure(f"{name}: frame, worst", ordered[-1], "ms")


def _watch(handheld: Handheld) -> Iterator[bytes]:
    """Yield the screen's picture, again and again until every press would show."""
    for _ in range(round(_EDGE_S / _LOOK_S)):
        handheld.run(_LOOK_S)
        yield handheld.picture()


def _time_edge(handheld: Handheld, idle: list[bytes]) -> list[float]:
    """Return the time in s until a press made now is on the screen, in a list; empty if it changes nothing.

    idle: the pictures of _watch() from the same moment without the press.
    """
    start_s = handheld.time_s
    for before, picture in zip(idle, _watch(handheld), strict=True):
        if picture != before:
            seen_s = handheld.time_s
            handheld.run(2 / 60)
            frame = [each for each in handheld.frames(start_s - 1 / 60) if each.start_s <= seen_s][-1]
            end_s = frame.start_s + frame.busy_s
            return [max(each.end_s for each in handheld.transfers if each.start_s < end_s) - start_s]
    return []


def _to_game(*lines: str) -> Callable[[Player], None]:
    """Return a function that goes from the main menu over `lines` to a game, at the first level if asked."""

    def start_game(player: Player) -> None:
        for line in lines:
            player.choose(line, after_s=0.6)
        if player.shows("LEVEL"):
            player.tap("A", after_s=0)
        player.run(4)

    return start_game


def _measure_game(
    bench: Bench,
    name: str,
    start_game: Callable[[Player], None],
    play: Callable[[Player], None] = lambda player: player.play(_PLAY_S, _SEED),
    ends: bool = False,
) -> Iterator[Figure]:
    """Measure the heap of a game for one player: in play, in a pause and, if `ends`, at its end."""
    player = bench.to_title()
    player.to_menu()
    with HeapWatch(player.handheld) as watch:
        figures = Figures(watch)
        start_game(player)
        figures.skip()
        play(player)
        figures.note("play")
        player.tap("S", after_s=1.5)
        player.check()
        figures.note("pause")
        if ends:
            player.tap("S", after_s=1)
            figures.skip()
            player.top_out()
            player.top_out()
            player.run(5)
            player.check()
            figures.note("top-out")
    yield from _summarise_heap(figures, name)
    if ends:
        player.tap("A", after_s=2)
        for _ in range(12):  # enter initials if the score has a place in the table
            if player.shows("A RETRY", small=True) or player.shows("RESTART"):
                yield from _time_load(player, f"{name} again")
                return
            player.tap("A", after_s=0.8)
        player.fail("there is no AGAIN")


def _measure_match(bench: Bench, computers: int) -> Iterator[Figure]:
    """Measure a match: frames and heap in play, then the heap in a pause, in Practice and at the end."""
    name = name_match(computers)
    player = bench.to_title(computers)
    with HeapWatch(player.handheld) as watch:
        figures = Figures(watch)
        player.start_versus()
        player.run(0.6)  # a second after START
        figures.note("loading")
        start = player.handheld.snapshot()
        yield from summarise_frames(_play_matches(player, start), name)
        player.handheld.restore(start)
        figures.skip()
        player.play(_PLAY_S / 2, _SEED)
        figures.note("play")
        player.tap("S", after_s=1.2)
        player.check()
        figures.note("pause")
        player.tap("A", after_s=0.5)
        figures.skip()
        player.top_out()
        figures.note("top-out, Practice")
        player.expect(lambda: player.has_result, 300)
        player.run(1.5)
        player.check()
        figures.note("round end")
        player.tap("A", after_s=1.5)
        figures.note("results")
    if computers == 1:
        yield _measure_pace(bench, name)
    yield from _summarise_heap(figures, name)


def _measure_pace(bench: Bench, name: str) -> Figure:
    """Return the mean speed of a computer in several matches; it differs by a tenth from match to match."""
    pieces = time_ms = 0
    for number in range(_PACES):
        player = bench.to_title()
        player.run(0.05 * number)  # another moment starts another match
        player.start_versus()
        player.run(_PACE_S)
        player.tap("S", after_s=1.5)
        game = _read_opponent(player.handheld)
        pieces += game.lock_downs
        time_ms += game.time_ms
    return Figure(name_pace(name), 1000 * pieces / time_ms, "pieces/s")


def _read_opponent(handheld: Handheld) -> Game:
    """Return the game of the first computer, from the match that a pause has saved."""
    bank = CopiedStore(FileStore(Path(os.devnull)))
    bank.write(0, handheld.nvm[: bank.size])
    match = match_revival.restore(Journal([bank]))
    if match is None:
        raise AssertionError("the pause has saved no match")
    return match.seats[1].game


def _play_matches(player: Player, start: Snapshot) -> list[float]:
    """Play on from `start` with other presses each time until there are enough frames; return their times in ms."""
    times_ms: list[float] = []
    seed = _SEED
    while len(times_ms) < _MATCH_FRAMES:
        player.handheld.restore(start)
        start_s = player.handheld.time_s
        player.play(20, seed, lambda: player.has_result or player.shows("PRACTICE"))
        end_s = player.handheld.time_s - 2.5  # leave out the frames after the end of play
        times_ms += [1000 * each.busy_s for each in player.handheld.frames(start_s) if each.start_s < end_s]
        seed += 1
    return times_ms


def _summarise_heap(figures: Figures, name: str) -> Iterator[Figure]:
    """Yield for each part the free heap at the tightest moment, and the heap in use at the part's end."""
    for part, moments in figures.parts.items():
        free, block = figures.least()[part]
        yield Figure(f"{name}, {part}: free at the tightest moment", free, "B")
        yield Figure(f"{name}, {part}: largest block then", block, "B")
        yield Figure(name_heap(name, part), moments[-1].heap.used, "B")


CASES: dict[str, Callable[[Bench], Iterator[Figure]]] = {
    "boot": measure_boot,
    "loading": measure_loading,
    "recording": measure_recording,
    "edges": measure_edges,
    "marathon": partial(_measure_game, name="Marathon", start_game=_to_game("MARATHON"), ends=True),
    "sprint": partial(_measure_game, name="Sprint", start_game=_to_game("SPRINT"), ends=True),
    "zen": partial(_measure_game, name="Zen", start_game=_to_game("MORE MODES", "ZEN")),
    "puzzle": measure_puzzle,
    "tetress": measure_tetress,
    "match-1": partial(_measure_match, computers=1),
    "match-3": partial(_measure_match, computers=3),
}
