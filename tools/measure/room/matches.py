"""Measure the free heap of matches on the emulated firmware, at each moment and inside each transition.

A moment's figures are the fewest free bytes and the smallest largest block of all looks in it, one every 20 ms. Each
look counts garbage as free, as after a collection.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sim import progress
from tools.board import BoardError, prepared
from tools.board.bench import Bench
from tools.board.drive import deploy_files
from tools.board.handheld import Handheld
from tools.board.heap_watch import REWRITING, Figures, HeapWatch
from tools.board.player import Player
from tools.board.ring import Ring
from tools.markdown import lay_out
from tools.measure.room.sets import FATTEST, LINKED_SETS, PAUSE_EVERY_S, SETS, TITLE

MOMENTS = (
    *("start", "play", "pause", "OPTIONS", "back from OPTIONS", "CONTINUE", REWRITING),
    *("end of round", "next round", "results"),
)
HEADS = ("CircuitPython", "options", *MOMENTS)
_PLAY_S = 6.0
_TITLE_S = 20.0
_BELOW = slice(100 * 8, None)  # the rows below the lines of the title
_TRIES = 3
_PAUSES = 12  # within as many the journal is rewritten
_ROUND_S = 400.0  # the computers play on when the person is out
_TWO_WINS = "WINS=2"  # so that a round follows
_FIVE_WINS = "WINS=5"  # so that forty pauses fit into a match
_GLANCE_S = 0.25  # reading the screen takes as long as several frames
_LOST = "the journal was not rewritten"
_OPTIONS = ("SCREEN", "DAS")  # lines of the pages that the pause of a match and of a linked one open


@dataclass(frozen=True)
class Room:
    """The least free bytes and the smallest largest block of a set of options, by moment."""

    version: str
    options: str
    least: dict[str, tuple[int, int]]
    problem: str = ""  # after the moments of `least`: the exception that ended the match, or that it was refused

    @property
    def cells(self) -> list[str]:
        cells = ["{:,} / {:,}".format(*self.least[moment]) if moment in self.least else "" for moment in MOMENTS]
        if self.problem:
            cells[cells.index("")] = self.problem
        return [self.version, self.options, *cells]


class Walk:
    """Walk through a match of one handheld, and note the heap of each moment.

    choices: of the handheld.  ring: lets time pass for linked handhelds, else None.
    """

    def __init__(self, handheld: Handheld, figures: Figures, choices: Sequence[str], ring: Ring | None = None) -> None:
        self.figures = figures
        self.pause = "L+R" if "BUTTONS=6" in choices else "S"
        self._ring = ring
        self.player = Player(handheld, self._run)

    def _run(self, seconds: float) -> None:
        if not self._ring:
            self.figures.watch.run(seconds)
            return
        while seconds > 0:
            self._ring.run(min(seconds, 0.02))
            seconds -= 0.02
            self.figures.watch.look()

    def press_pause(self) -> bool:
        """Pause; return False if the round ended instead. A chord may come too late to be one: press again."""
        player = self.player
        for _ in range(_TRIES):
            player.tap(self.pause, after_s=0.3)
            if player.wait_for(lambda: player.shows("PAUSE") or player.has_result, 3):
                break
        player.expect(lambda: player.shows("PAUSE") or player.has_result, 0.1)
        player.run(0.3)
        return not player.has_result

    def resume(self) -> None:
        self.player.tap("A", after_s=0.5)
        self.player.check()

    def look_at_options(self) -> None:
        """Open OPTIONS in the pause, and go back."""
        player = self.player
        player.choose("OPTIONS", after_s=0)
        player.expect(lambda: player.shows(*_OPTIONS), 8)
        player.run(0.5)
        self.figures.note("OPTIONS")
        player.tap("B", after_s=0)
        player.expect(lambda: player.shows("PAUSE"), 8)
        player.run(0.5)
        self.figures.note("back from OPTIONS")

    def play_on(self) -> None:
        """Cut the power in the pause, and continue."""
        player = self.player
        player.handheld.restart()
        player.to_title()
        self.figures.skip()
        player.tap("A", after_s=0)
        player.expect(lambda: player.shows("PAUSE"), 9)
        player.run(0.3)
        self.figures.note("CONTINUE")

    def rewrite(self) -> int:
        """Resume and pause until the journal's page is erased; return how often it was, raise BoardError if never."""
        player = self.player
        for _ in range(_PAUSES):
            self.figures.skip()
            count = len(player.handheld.writes)
            self.resume()
            player.run(1)
            erases = sum(each.erases for each in player.handheld.writes[count:])
            if erases:
                self.figures.note(REWRITING)
                return erases
            self.press_pause()
            player.check()
        return player.fail(_LOST)

    def pause_often(self, pauses: int, every_s: float) -> Iterator[tuple[int, int]]:
        """Pause and resume a match in which the person presses nothing; yield what each pause leaves.

        The least free bytes and the smallest block are those from the press of Start until play goes on. When a round
        is over the next one begins, when a match is over another one. Raise BoardError if an exception ends the game.
        """
        player = self.player
        for _ in range(pauses):
            while self._is_over_within(every_s):
                player.run(1.2)  # a result takes no press before
                player.tap("A", after_s=2)
                if player.is_at_results:
                    player.tap("A", after_s=_PLAY_S)  # RETRY
            player.check()
            self.figures.parts.clear()
            self.figures.skip()
            if self.press_pause():
                self.resume()
            player.check()
            self.figures.note("pause")
            free, blocks = zip(*self.figures.least().values(), strict=True)  # some pauses rewrite the journal
            yield min(free), min(blocks)

    def _is_over_within(self, seconds: float) -> bool:
        """Let time pass; return whether the round is over, as soon as it is."""
        for _ in range(round(seconds / _GLANCE_S)):
            if self.player.has_result:
                return True
            self.player.run(_GLANCE_S)
            self.player.check()
        return self.player.has_result

    def end_round(self) -> None:
        """Top out, and wait for the result of the round."""
        player = self.player
        self.figures.skip()
        for _ in range(_PAUSES):
            if player.has_result or player.shows("TRAINING"):
                break
            player.top_out()
        if not self._is_over_within(_ROUND_S):
            player.fail("the round does not end")
        player.run(1.2)  # a result takes no press before
        self.figures.note("end of round")

    def finish(self) -> None:
        """Lose a round, begin the next one, and lose rounds until the results of the match."""
        player = self.player
        self.end_round()
        while True:
            player.tap("A", after_s=0.3)
            if player.wait_for(lambda: player.is_at_results, 0.5):
                player.run(1)
                self.figures.note("results")
                return
            player.expect(lambda: player.is_ready and not player.has_result, 8)
            player.run(1)
            player.check()
            self.figures.note("next round")
            self.end_round()


def measure_match(walk: Walk) -> int:
    """Walk through the moments of a match from power-on to a rewriting of the journal, in whose countdown it stays.

    Return how often that erased the flash.
    """
    player = walk.player
    player.to_title()
    player.open_versus()
    walk.figures.skip()
    player.enter_match("A")
    if player.is_refused:
        player.fail("the match is refused")
    walk.figures.note("start")
    player.run(_PLAY_S)
    walk.figures.note("play")
    walk.press_pause()
    walk.figures.note("pause")
    walk.look_at_options()
    walk.play_on()
    return walk.rewrite()


def measure_title(walk: Walk) -> None:
    """Wait at the title until a game has moved behind its name for a while, and leave it for the menu."""
    player = walk.player
    player.to_title()
    walk.figures.note("start")
    still = player.handheld.picture()[_BELOW]
    player.run(_TITLE_S)
    if player.handheld.picture()[_BELOW] == still:
        player.fail("no game moves behind the title")
    player.tap("A", after_s=0)
    player.expect(lambda: player.shows("SKYLINE"), 3)
    walk.figures.note("play")


def measure(names: Sequence[str], versions: dict[str, Path]) -> Iterator[Room]:
    """Measure sets of options on versions of CircuitPython; raise BoardError."""
    files = deploy_files()
    cases = [(version, name) for version in versions for name in names]
    for version, name in progress.follow(cases, "measuring", len(cases), "matches"):
        is_linked = name in LINKED_SETS
        choices = (*(LINKED_SETS | SETS).get(name, ()), _TWO_WINS)
        bench, nvm = Bench(versions[version], files), prepared.read_choices(choices)
        handhelds = [bench.switch_on(nvm, link=is_linked) for _ in range(1 + is_linked)]
        ring = Ring(handhelds) if is_linked else None
        problem = ""
        with HeapWatch(handhelds[0]) as watch:
            walk = Walk(handhelds[0], Figures(watch), choices, ring)
            try:
                if name == TITLE:
                    measure_title(walk)
                elif ring:
                    measure_link(walk, ring)
                else:
                    measure_match(walk)
                    walk.finish()
            except BoardError:
                problem = "refused" if walk.player.is_refused else find_error(handhelds[0].problem)
                if not problem:
                    raise
        yield Room(version, name, walk.figures.least(), problem)


def find_error(traceback: str) -> str:
    """Return the name of the exception at the end of a traceback, "" for none."""
    return "".join(re.findall(r"^(\w+(?:Error|Exception|Interrupt))\b", traceback, re.MULTILINE)[-1:])


def tabulate(rows: Iterable[Sequence[str]]) -> str:
    """Return the table of the cells of rooms."""
    return lay_out(HEADS, rows)


def measure_link(walk: Walk, ring: Ring) -> None:
    """Walk through a match of two linked handhelds, of which the first one pauses and loses each round."""
    players = [Player(handheld, ring.run) for handheld in ring.handhelds]
    for number, handheld in enumerate(ring.handhelds):
        alone = Player(handheld)
        alone.to_title()
        alone.go_to_link(number)

    def press(button: str, after_s: float) -> None:
        for player in players:
            player.tap(button, after_s=after_s)

    def wait(predicate: Callable[[Player], bool], seconds: float) -> None:
        walk.player.expect(lambda: all(predicate(player) for player in players), seconds)

    press("A", 0.1)
    wait(lambda player: player.shows("INITIALS"), 12)
    press("S", 0.1)
    wait(lambda player: player.shows("TO BEGIN", small=True), 12)
    walk.figures.skip()
    press("A", 0.3)
    wait(lambda player: player.is_in_linked_play, 20)
    walk.figures.note("start")
    walk.player.run(_PLAY_S)
    walk.figures.note("play")
    walk.press_pause()
    walk.figures.note("pause")
    walk.look_at_options()
    walk.resume()
    wait(lambda player: player.is_in_linked_play, 8)
    ends: list[tuple[str, Callable[[Player], bool]]] = [
        ("next round", lambda player: player.is_in_linked_play),
        ("results", lambda player: player.is_at_results),
    ]
    for moment, has_come in ends:
        walk.figures.skip()
        walk.player.top_out()
        wait(lambda player: player.has_result, 10)
        walk.player.run(1.5)  # a result takes no press before
        walk.figures.note("end of round")
        press("A", 0.5)
        wait(has_come, 10)
        walk.player.run(1)
        walk.figures.note(moment)


def watch_pauses(uf2: Path, pauses: int, every_s: float = PAUSE_EVERY_S) -> Iterator[tuple[float, int, int]]:
    """Pause a match with the fattest choices again and again; yield time, least free bytes and block of each pause."""
    handheld = Bench(uf2).switch_on(prepared.read_choices((*FATTEST, _FIVE_WINS)))
    with HeapWatch(handheld) as watch:
        walk = Walk(handheld, Figures(watch), FATTEST)
        walk.player.to_title()
        walk.player.start_versus()
        for free, block in walk.pause_often(pauses, every_s):
            yield handheld.time_s, free, block
