"""Measure how long a player waits for the deployed game, on each CircuitPython that is here."""

import functools
from collections.abc import Callable, Iterator
from pathlib import Path

from sim import progress
from tools.board import prepared
from tools.board.drive import deploy_files
from tools.board.machine import Snapshot
from tools.board.player import Player
from tools.markdown import lay_out
from tools.measure.emulated import time_edges
from tools.measure.figures import Figure
from tools.measure.waits.watching import Waits, WatchedBench

LATE_MS = 1000 / 60
STILL_S = 0.3  # without a frame and without a word
MODES = (("MARATHON",), ("SPRINT",), ("MORE MODES", "ZEN"), ("MORE MODES", "DIG"), ("MORE MODES", "SURVIVE"))
MATCH = ("OPPONENTS=1", "LEVELS=HAWK", "WINS=2")
MATCH_OF_FOUR = ("OPPONENTS=3", "LEVELS=HAWK", "WINS=2")
# The most that each figure may be, by the end of its name.
BOUNDS = {
    "answers": 1.8,
    "pressed at once": 1.9,
    "press to play": 0.25,
    "MARATHON: A RETRY to play": 0.25,
    "held to play": 0.5,  # half of it is holding
    "START to play": 2.2,
    "to pause": 0.3,
    # SAVING shows: erases and programs 4 KB, and draws the game anew.
    "rewritten": 0.5,
    "worst": 45,
    "three computers: frames later than 1/60 s": 0.2,
    "Marathon: frames later than 1/60 s": 0,
    "without a word": STILL_S,
}
_READ_S = 0.5  # a player reads a menu before the next press
_PAUSES = 9  # the journal is rewritten after one of them at the latest
_ROUND_S = 300.0  # the computers play on when the person is out
_END_S = 4.0  # from the last Lock Down of a game to its result
_GAMES = 3
_GAME_S = 25.0
_MOMENTS = 20  # in a frame


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
        yield Figure(f"{lines[-1]}: press to pause", waits.press("S", lambda: player.shows("PAUSE")))
        player.run(_READ_S)
        waits.begin(f"resuming {lines[-1]}")
        waits.press("A")
        player.run(2)


def measure_game(bench: WatchedBench) -> Iterator[Figure]:
    """Measure a Marathon from its pause on: OPTIONS, CONTINUE, the end, the initials, the table and another game."""
    waits = bench.watch()
    player = waits.player
    player.to_title()
    player.start_game()
    waits.press("S", lambda: player.shows("PAUSE"))
    player.run(_READ_S)
    yield from measure_options(waits, "MARATHON")
    yield from measure_continue(waits, "MARATHON")
    waits.begin("MARATHON: resuming")
    waits.press("A")
    player.run(3)
    top_out(waits)
    player.run(_END_S)
    seconds: list[float] = []
    while not player.shows("A RETRY", small=True) and len(seconds) < 12:
        waits.begin("MARATHON: on from its result")
        seconds.append(waits.press("A"))
        player.run(_READ_S)
    yield Figure("MARATHON: a press on the result or the initials", max(seconds, default=0))
    waits.begin("MARATHON: another game")
    yield Figure("MARATHON: A RETRY to play", waits.press("A"))
    player.run(2)
    top_out(waits)
    player.run(1)
    yield Figure("MARATHON: START held to play", waits.press("S", hold_s=0.5))
    player.run(2)


def top_out(waits: Waits) -> None:
    """Lose a Marathon by Hard Drops; return when GAME OVER shows."""
    waits.begin("MARATHON: its end")
    player = waits.player
    while not player.shows("OVER"):
        player.tap("U", 0.05, 0.12)
        player.check()


def measure_options(waits: Waits, name: str) -> Iterator[Figure]:
    """Open OPTIONS in a pause, where a game alone asks for the page, and go back."""
    player = waits.player
    waits.begin(f"{name}: OPTIONS")
    waits.choose("OPTIONS", lambda: not player.shows("PAUSE"))
    player.run(_READ_S)
    if player.shows("HANDLING"):
        waits.choose("HANDLING")
        player.run(_READ_S)
    waits.begin(f"{name}: back from OPTIONS")
    yield Figure(f"{name}: back from OPTIONS", waits.press("B", lambda: player.shows("PAUSE", "OPTIONS")))
    player.run(_READ_S)
    if not player.shows("PAUSE"):
        waits.press("B", lambda: player.shows("PAUSE"))
        player.run(_READ_S)


def measure_continue(waits: Waits, name: str) -> Iterator[Figure]:
    """Switch off in a pause and on, and continue."""
    player = waits.player
    waits.begin("")  # the dark start has a case of its own
    waits.handheld.restart()
    player.to_title()
    waits.begin(f"{name}: CONTINUE")
    yield Figure(f"{name}: CONTINUE to its pause", waits.press("A", lambda: player.shows("PAUSE")))
    player.run(_READ_S)


def measure_match(bench: WatchedBench, choices: tuple[str, ...], name: str) -> Iterator[Figure]:
    """Measure a match: its start, pauses, OPTIONS, CONTINUE, next round and results."""
    waits = bench.watch(choices)
    player, handheld = waits.player, waits.handheld
    player.to_title()
    player.open_versus()
    waits.begin(f"{name}: START")
    yield Figure(f"{name}: START to play", waits.press("A"))
    player.run(4)
    pauses: list[float] = []
    while len(pauses) < _PAUSES:
        waits.begin(f"{name}: pause")
        pauses.append(waits.press("S", lambda: player.shows("PAUSE")))
        player.run(_READ_S)
        waits.begin(f"{name}: resuming")
        count, start_s = len(handheld.writes), handheld.time_s
        waits.press("A")
        player.run(4)
        if any(each.erases for each in handheld.writes[count:]):
            end_s = next(each for each in handheld.machine.polls if each > handheld.writes[-1].time_s)
            yield Figure(f"{name}: A in a pause to 3-2-1, the journal rewritten", end_s - start_s)
            break
    waits.begin(f"{name}: pause")
    pauses.append(waits.press("S", lambda: player.shows("PAUSE")))
    player.run(_READ_S)
    yield Figure(f"{name}: press to pause", max(pauses))
    yield from measure_options(waits, name)
    yield from measure_continue(waits, name)
    waits.press("A")
    player.run(3)
    yield from measure_rounds(waits, name)


def measure_rounds(waits: Waits, name: str) -> Iterator[Figure]:
    player = waits.player
    seconds: list[float] = []
    while not player.is_at_results:
        waits.begin(f"{name}: end of a round")
        while not (player.has_result or player.shows("TRAINING")):
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


def measure_link(bench: WatchedBench) -> Iterator[Figure]:
    """Measure a match of two linked handhelds, of which the first one pauses and loses each round."""
    waits = bench.watch_ring(2, ("WINS=2",))
    players = [waits.player, *(Player(other.handheld, waits.run) for other in waits.others)]
    for number, player in enumerate(players):
        alone = Player(player.handheld)
        alone.to_title()
        alone.go_to_link(number)

    def press(part: str, button: str, predicate: Callable[[Player], bool], after_s: float = 0.1) -> float:
        """Press on all, one after the other; return the seconds from the last press until `predicate` holds for all."""
        waits.begin(f"linked: {part}")
        for player in players:
            player.tap(button, after_s=after_s)
        start_s = waits.handheld.time_s - after_s
        waits.player.expect(lambda: all(map(predicate, players)), 20)
        seconds = waits.handheld.time_s - start_s
        waits.player.run(_READ_S)
        return seconds

    press("LINK", "A", lambda player: player.shows("INITIALS"))
    press("the lobby", "S", lambda player: player.shows("TO BEGIN", small=True))
    yield Figure("linked: the last READY to play", press("READY", "A", lambda each: each.is_in_linked_play, 0.3))
    player = players[0]
    player.run(4)
    waits.begin("linked: pause")
    yield Figure("linked: press to pause", waits.press("S", lambda: player.shows("PAUSE")))
    player.run(_READ_S)
    yield from measure_options(waits, "linked")
    waits.begin("linked: resuming")
    player.tap("A")
    player.expect(lambda: all(each.is_in_linked_play for each in players), 8)
    while True:
        waits.begin("linked: end of a round")
        player.top_out()
        player.expect(lambda: all(each.has_result for each in players), 10)
        player.run(1.5)  # a result takes no press before
        seconds = press("on from a round", "A", lambda each: each.is_at_results or each.is_in_linked_play, 0.3)
        if player.is_at_results:
            break
        yield Figure("linked: A NEXT to the next round", seconds)
    yield Figure("linked: A NEXT to the results", seconds)


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
    "game": measure_game,
    "match": functools.partial(measure_match, choices=MATCH, name="one computer"),
    "match-of-four": functools.partial(measure_match, choices=MATCH_OF_FOUR, name="three computers"),
    "linked": measure_link,
    "frames": measure_late_frames,
    "edges": measure_edges,
}
WALKS = ("start", "games", "game", "match", "match-of-four", "linked")  # cases that look for stills


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
