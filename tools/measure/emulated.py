"""Measure the deployed game on CircuitPython itself, in the emulator of tools.board, and estimate the same figures.

CASES has for each case a function that measures and one that estimates; both yield figures of the same names.
"""

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from firmware.device.wiring import DIRECT
from firmware.save import match_revival
from firmware.save.match_choices import LEVELS, OPPONENTS
from tools.board import firmware_image
from tools.board.bench import Bench
from tools.board.handheld import Handheld, make_handheld
from tools.board.heap_watch import Figures, HeapWatch
from tools.board.machine import Snapshot
from tools.board.nvm import make_nvm, open_journal
from tools.board.player import Player
from tools.deploy import compiling, image
from tools.measure import board, scenes, scripts, versus
from tools.measure.figures import Figure
from tools.versus import Solo, play_alone

RECORDING = "marathon"  # of tests/recordings
RECORDED_FRAMES = 3500  # after the first one, which paints the whole picture
NAME_RECORDED = f"recorded {RECORDING}"
NAME_EDGE = "Marathon: edge to pixels"
_RECORDED_S = 60.0
_MATCH_FRAMES = 1500  # at least; from several games if the person tops out sooner
_PLAY_S = 8.0
_PACES = 6
_PACE_S = 25.0  # a computer places about 28 Tetriminos, and a person without presses does not top out
_PACED_PIECES = 200  # of the estimate: so many that no single Tetrimino matters
_MOMENTS = 40  # in a frame; at each of them each of five buttons is pressed
_EDGE_S = 0.06  # every press shows sooner
_LOOK_S = 0.000_5
# Milliseconds until the board's button scanner reports a contact: at the fifth of five scans, 1 ms apart.
_SETTLED_MS = (4, 5)
_SEED = 7
# The last line of code.py, and its replacement that plays a recording in the same frames as scripts.measure_frames().
_RUN = "run(App(device, recorder=Recorder(2048), first=first, began_ms=t_ms))"
_RUN_RECORDING = """from firmware.save.recordings.recording import Recording

        with open("game.sky", "rb") as file:
            blob = file.read()
        run(App(device, recording=Recording(blob), first="play"))"""


def to_title(bench: Bench, computers: int = 1) -> Player:
    """Return a player at the title; VERSUS is set to `computers` opponents."""
    levels = {LEVELS + number: versus.LEVEL - 1 for number in range(3)}
    return bench.to_title(make_nvm({OPPONENTS: computers - 1} | levels))


def read_recording() -> bytes:
    return (image.ROOT / "tests" / "recordings" / f"{RECORDING}.sky").read_bytes()


def begin_recording(bench: Bench, blob: bytes) -> Handheld:
    sources = image.read_sources()
    before, run, after = sources["code.py"].partition(_RUN)
    if not run:
        raise AssertionError("code.py runs the App in another way than _RUN has it")
    sources["code.py"] = before + _RUN_RECORDING + after
    head = compiling.find_format(firmware_image.VERSION)
    return make_handheld(bench.uf2, {**image.build(DIRECT, head, sources=sources), "game.sky": blob})


def measure_recording(bench: Bench) -> Iterator[Figure]:
    """Measure the frames of a recorded Marathon; the estimate is for the same frames."""
    handheld = begin_recording(bench, read_recording())
    start_s = Player(handheld).to_picture()
    handheld.run(_RECORDED_S)
    times_ms = [1000 * frame.busy_s for frame in handheld.frames(start_s)]
    yield from summarise_frames(times_ms[1 : RECORDED_FRAMES + 1], NAME_RECORDED)


def estimate_recording() -> Iterator[Figure]:
    yield from summarise_frames([frame.board_us / 1000 for frame in _frames()[:RECORDED_FRAMES]], NAME_RECORDED)


@functools.cache
def _frames() -> list[board.Frame]:
    """Return the frames of the recording but the first."""
    return board.frames_of(RECORDING, scripts.measure_frames(read_recording()))


def summarise_frames(times_ms: list[float], name: str) -> Iterator[Figure]:
    """Yield the mean, the 99th percentile and the worst of the times of frames."""
    ordered = sorted(times_ms)
    yield Figure(f"{name}: frame, mean", sum(ordered) / len(ordered), "ms")
    yield Figure(f"{name}: frame, 99th percentile", ordered[len(ordered) * 99 // 100], "ms")
    yield Figure(f"{name}: frame, worst", ordered[-1], "ms")


def measure_edges(bench: Bench) -> Iterator[Figure]:
    """Measure the time from a press in Marathon to its last pixel, at any moment of a frame."""
    player = to_title(bench)
    player.start_game()
    times_s = time_edges(player, _MOMENTS)
    yield Figure(f"{NAME_EDGE}, mean", 1000 * sum(times_s) / len(times_s), "ms")
    yield Figure(f"{NAME_EDGE}, worst", 1000 * max(times_s), "ms")


def time_edges(player: Player, moments: int) -> list[float]:
    """Return the seconds from a press of each of five buttons to its last pixel, at so many moments of a frame.

    Each moment runs twice, with and without the press: the first picture that differs shows the press.
    """
    handheld = player.handheld
    start = handheld.snapshot()
    times_s: list[float] = []
    for moment in range(moments):
        handheld.restore(start)
        player.play(1 + moment % 4, moment)
        handheld.run((moment / moments - 60 * handheld.time_s) % 1 / 60)
        here = handheld.snapshot()
        idle = list(_watch(handheld))
        for button in "LRABU":
            handheld.restore(here)
            handheld.press(button)
            seconds = _time_edge(handheld, idle)
            if seconds is not None:
                times_s.append(seconds)
    return times_s


def _watch(handheld: Handheld) -> Iterator[bytes]:
    """Yield the screen's picture, again and again until every press would show."""
    for _ in range(round(_EDGE_S / _LOOK_S)):
        handheld.run(_LOOK_S)
        yield handheld.picture()


def _time_edge(handheld: Handheld, idle: list[bytes]) -> float | None:
    """Return the seconds until a press made now is on the screen, None if it changes nothing.

    idle: the pictures of _watch() from the same moment without the press.
    """
    start_s = handheld.time_s
    for before, picture in zip(idle, _watch(handheld), strict=True):
        if picture != before:
            seen_s = handheld.time_s
            handheld.run(2 / 60)
            frame = [each for each in handheld.frames(start_s - 1 / 60) if each.start_s <= seen_s][-1]
            end_s = frame.start_s + frame.busy_s
            return max(each.end_s for each in handheld.transfers if each.start_s < end_s) - start_s
    return None


def estimate_edges() -> Iterator[Figure]:
    edges = [frame for frame in _frames() if frame.edge and frame.sent]
    settled_ms = sum(_SETTLED_MS) / len(_SETTLED_MS)
    mean_us = sum(frame.waited_us / 2 + frame.board_us for frame in edges) / len(edges)
    yield Figure(f"{NAME_EDGE}, mean", settled_ms + mean_us / 1000, "ms")
    worst_us = max(frame.edge_to_pixels_us for frame in edges)
    yield Figure(f"{NAME_EDGE}, worst", _SETTLED_MS[-1] + worst_us / 1000, "ms")


def measure_game(
    bench: Bench,
    name: str,
    lines: tuple[str, ...],
    play: Callable[[Player], None] = lambda player: player.play(_PLAY_S, _SEED),
    ends: bool = False,
) -> Iterator[Figure]:
    """Measure the heap of a game for one player: in play, in a pause and, if `ends`, at its end.

    lines: of the menus on the way to the game; an empty one stands for a page that A leaves.
    """
    player = to_title(bench)
    player.to_menu()
    with HeapWatch(player.handheld) as watch:
        figures = Figures(watch)
        for line in lines:
            if line:
                player.choose(line, after_s=1.5)
            else:
                player.tap("A", after_s=0)
        player.run(4)
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


def estimate_game(name: str) -> Iterator[Figure]:
    for part, used in scenes.measure_game(name).items():
        yield Figure(name_heap(name, part), used, "B")


def name_match(computers: int) -> str:
    return "match against one computer" if computers == 1 else f"match against {computers} computers"


def name_heap(name: str, part: str) -> str:
    return f"{name}, {part}: heap in use"


def _summarise_heap(figures: Figures, name: str) -> Iterator[Figure]:
    """Yield for each part the free heap at the tightest moment, and the heap in use at the part's end."""
    for part, moments in figures.parts.items():
        free, block = figures.least()[part]
        yield Figure(f"{name}, {part}: free at the tightest moment", free, "B")
        yield Figure(f"{name}, {part}: largest block then", block, "B")
        yield Figure(name_heap(name, part), moments[-1].heap.used, "B")


def measure_match(bench: Bench, computers: int) -> Iterator[Figure]:
    """Measure a match: frames and heap in play, then the heap in a pause, in Practice and at the end."""
    name = name_match(computers)
    player = to_title(bench, computers)
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


def _play_matches(player: Player, start: Snapshot) -> list[float]:
    """Play on from `start` with other presses each time until there are enough frames; return their times in ms."""
    times_ms: list[float] = []
    seed = _SEED
    while len(times_ms) < _MATCH_FRAMES:
        player.handheld.restore(start)
        times_ms += [1000 * each.busy_s for each in player.play_frames(20, seed)]
        seed += 1
    return times_ms


def _measure_pace(bench: Bench, name: str) -> Figure:
    """Return the mean speed of a computer in several matches; it differs by a tenth from match to match."""
    pieces = time_ms = 0
    for number in range(_PACES):
        player = to_title(bench)
        player.run(0.05 * number)  # another moment starts another match
        player.start_versus()
        player.run(_PACE_S)
        player.tap("S", after_s=1.5)
        match = match_revival.restore(open_journal(player.handheld.nvm))
        if match is None:
            raise AssertionError("the pause has saved no match")
        pieces += match.seats[1].game.lock_downs
        time_ms += match.seats[1].game.time_ms
    return _make_pace(name, pieces, time_ms)


def _make_pace(name: str, pieces: int, time_ms: int) -> Figure:
    return Figure(f"{name}: the computer plays", 1000 * pieces / time_ms, "pieces/s")


def estimate_match(computers: int) -> Iterator[Figure]:
    name = name_match(computers)
    yield from summarise_frames([us / 1000 for us in versus.measure_frames(computers + 1).board_us], name)
    for part, used in scenes.measure_match(versus.choose(computers + 1)).items():
        yield Figure(name_heap(name, part), used, "B")
    if computers == 1:
        alone = play_alone(Solo(versus.LEVEL, 1, _PACED_PIECES))[0]
        yield _make_pace(name, alone.pieces, alone.time_ms)


@dataclass(frozen=True)
class Case:
    """A case of the table: how to measure it on the emulated firmware, and how to estimate it on this PC."""

    measure: Callable[[Bench], Iterator[Figure]]
    estimate: Callable[[], Iterator[Figure]]


def _case_of_game(name: str, *lines: str, ends: bool = False, presses: str = "", after_s: float = 0.14) -> Case:
    """Return the case of a game behind `lines` of the menus; presses: in play, else they are random ones."""
    measure = partial(measure_game, name=name, lines=lines, ends=ends)
    if presses:
        measure = partial(measure, play=lambda player: player.taps(presses, after_s))
    return Case(measure, partial(estimate_game, name))


CASES = {
    "recording": Case(measure_recording, estimate_recording),
    "edges": Case(measure_edges, estimate_edges),
    "marathon": _case_of_game("Marathon", "MARATHON", "", ends=True),
    "sprint": _case_of_game("Sprint", "SPRINT", ends=True),
    "zen": _case_of_game("Zen", "MORE MODES", "ZEN"),
    "puzzle": _case_of_game("Puzzle", "LEARN", "PUZZLES", "", presses="LRLR"),
    "tetress": _case_of_game("Tetress", "MORE MODES", "TETRESS", "", presses="RDA", after_s=2.5),
    "match-1": Case(partial(measure_match, computers=1), partial(estimate_match, 1)),
    "match-3": Case(partial(measure_match, computers=3), partial(estimate_match, 3)),
}
