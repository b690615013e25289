"""Handhelds on a ring, on the real firmware: they begin, play rounds, and survive cuts, noise and who leaves."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable

import pytest

from firmware.save.match_choices import WINS
from tests.support.handhelds.board_console import MOVES, Console, boot, make_nvm
from tools.board.handheld import Handheld
from tools.board.heap_watch import HeapWatch
from tools.board.machine import Snapshot
from tools.board.ring import Ring

pytestmark = pytest.mark.board

TWO_WINS = {WINS: 1}
THREE_WINS = {WINS: 2}
WORDS = ("LINK", "READY", "WAIT", "LOST", "PAUSE", "WIN", "LOSE", "WINS", "LEFT")
_STEP_S = 0.02
_NUMBERS = slice(24 * 8, 113 * 8)  # the lines of a page of the results, which have no names


@functools.cache
def boot_at_link(nvm: bytes, seed: int) -> tuple[Handheld, Snapshot]:
    """Return a handheld whose next press of A enters the lobby, and its snapshot."""
    handheld, snapshot = boot(nvm, True, seed)
    handheld.restore(snapshot)
    console = Console(handheld)
    console.run(0.037 * seed)
    console.to_menu()
    console.tap("D")
    console.tap("A")
    console.expect(lambda: console.shows("VERSUS"), 3)
    console.tap("U")
    return handheld, handheld.snapshot()


class Party:
    """Handhelds on one ring, held by as many players."""

    def __init__(self, count: int, versus: dict[int, int] | None = None) -> None:
        handhelds = []
        for seed in range(1, count + 1):
            handheld, snapshot = boot_at_link(make_nvm(versus), seed)
            handheld.restore(snapshot)
            handhelds.append(handheld)
        self.ring = Ring(handhelds)
        self.consoles = [Console(each, self.ring.run) for each in handhelds]

    def expect(self, predicate: Callable[[Console], bool], seconds: float, who: list[int] | None = None) -> float:
        """Let time pass until something holds for all, or for those named; return how long it took, or fail."""
        asked = [self.consoles[i] for i in who] if who else self.consoles
        start_s = self.ring.time_s
        while not all(predicate(each) for each in asked):
            self.check()
            if self.ring.time_s > start_s + seconds:
                shown = "\n".join(each.handheld.draw_text() for each in self.consoles)
                pytest.fail(f"the screens did not come within {seconds} s\n{shown}")
            self.ring.run(_STEP_S)
        return self.ring.time_s - start_s

    def check(self) -> None:
        """Fail where a game ended by an exception."""
        for number, each in enumerate(self.consoles):
            if each.handheld.problem:
                each.fail(f"handheld {number} ended")

    def enter(self) -> None:
        """Let all enter the lobby, one after the other, and meet."""
        for number in range(len(self.consoles)):
            self.ring.tap(number, "A", after_s=0.1)
        self.expect(lambda each: each.shows("TO BEGIN", small=True), 12)

    def agree(self) -> float:
        """Let all press READY; return how long after the last A all play."""
        for number in range(len(self.consoles) - 1):
            self.ring.tap(number, "A", after_s=0.5)
        self.ring.tap(len(self.consoles) - 1, "A", after_s=0)
        return self.expect(is_in_play, 20) + 0.06

    def start(self) -> float:
        """Begin a match; return how long after the last A all play."""
        self.enter()
        return self.agree()

    def play(self, seconds: float, seed: int, who: list[int] | None = None) -> None:
        """Let players put Tetriminos anywhere, in turn."""
        chance = random.Random(seed)
        end_s = self.ring.time_s + seconds
        while self.ring.time_s < end_s:
            for number in who or range(len(self.consoles)):
                for button in chance.choice(MOVES):
                    self.ring.tap(number, button, 0.03, 0.03)
                self.ring.tap(number, "U", 0.04, 0.25)
            self.check()

    def top_out(self, number: int) -> None:
        """Let one player drop Tetriminos until the round is over, or Practice begins."""
        each = self.consoles[number]
        for _ in range(40):
            if each.has_result or each.shows("PRACTICE"):
                break
            self.ring.tap(number, "U", 0.05, 0.15)
            self.check()

    def lose_round(self, number: int) -> None:
        """Let one player lose the round, and all see how it ended."""
        self.top_out(number)
        self.expect(lambda each: each.has_result, 10)
        self.ring.run(1.5)
        self.check()


def is_in_play(console: Console) -> bool:
    """Return whether the screen shows a match that runs."""
    return not console.is_loading and not console.is_dark and not console.shows(*WORDS)


@functools.cache
def two_in_play() -> tuple[Party, list[Snapshot]]:
    """Return two who just began a match of one round."""
    party = Party(2)
    party.start()
    return party, [each.handheld.snapshot() for each in party.consoles]


@pytest.fixture
def pair() -> Party:
    """Return two who just began a match of one round, each time from the same moment."""
    party, snapshots = two_in_play()
    for each, snapshot in zip(party.consoles, snapshots, strict=True):
        each.handheld.restore(snapshot)
    party.ring.cut = [False, False]
    party.ring.noise = 0.0
    return party


@pytest.mark.long
def test_two_linked_handhelds_go_within_6_seconds_of_the_second_a() -> None:
    party = Party(2)

    passed_s = party.start()

    print(f"LINK two: GO after {passed_s:.2f} s")
    assert passed_s <= 6


def test_a_linked_round_ends_alike_on_both(pair: Party) -> None:
    with HeapWatch(pair.consoles[0].handheld) as watch:
        pair.play(4, 1)
        pair.lose_round(1)
        watch.look()

    print("HEAP link:", watch.least_free.heap.free, "B, block", watch.least_block.heap.largest_block)
    first, second = pair.consoles
    assert first.shows("WIN")
    assert second.shows("LOSE")


@pytest.mark.long
def test_a_linked_match_leaves_room(pair: Party) -> None:
    with HeapWatch(pair.consoles[0].handheld) as watch, HeapWatch(pair.consoles[1].handheld) as other:
        pair.play(20, 1)
        pair.lose_round(1)
        pair.ring.tap_all("A", after_s=2)
        for each in (watch, other):
            each.look()

    pair.check()
    for each in (watch, other):
        print("HEAP link:", each.least_free, each.least_block)
    assert min(each.least_free.heap.free for each in (watch, other)) >= 8192
    assert min(each.least_block.heap.largest_block for each in (watch, other)) >= 4096


@pytest.mark.long
def test_three_linked_rounds_come_to_the_same_on_both() -> None:
    party = Party(2, THREE_WINS)
    party.start()
    first, second = party.consoles

    for number in range(3):
        party.play(5, number)
        party.lose_round(1)
        assert first.shows(f"{number + 1}:0")
        assert second.shows(f"{number + 1}:0")
        party.ring.tap_all("A", after_s=0.5)
        if number < 2:
            party.expect(is_in_play, 10)

    party.expect(lambda each: each.is_at_results, 5)
    pages = [[], []]  # type: list[list[bytes]]
    for _ in range(2):
        for each, seen in zip(party.consoles, pages, strict=True):
            seen.append(each.handheld.picture()[_NUMBERS])
        party.ring.tap_all("R", after_s=0.5)
    assert pages[0][0] == pages[1][1]
    assert pages[0][1] == pages[1][0]


@pytest.mark.long
def test_a_linked_match_can_be_watched_on_both() -> None:
    party = Party(2)
    party.start()
    party.play(5, 1)
    party.lose_round(1)
    party.ring.tap_all("A", after_s=1)
    party.expect(lambda each: each.is_at_results, 5)

    party.ring.tap_all("B", after_s=1)
    for _ in range(6):
        party.ring.tap_all("D", after_s=0.2)
    party.expect(lambda each: each.shows("LAST GAME"), 1)
    before = [each.handheld.picture() for each in party.consoles]
    party.ring.tap_all("A", after_s=6)

    party.check()
    assert all(each.handheld.picture() != old for each, old in zip(party.consoles, before, strict=True))


@pytest.mark.long
def test_a_cut_of_a_second_is_survived(pair: Party) -> None:
    pair.play(2, 1)

    pair.ring.cut = [True, True]
    pair.ring.run(1)
    pair.ring.cut = [False, False]

    passed_s = pair.expect(is_in_play, 8)
    print(f"LINK on again {passed_s:.2f} s after a cut of 1 s")
    pair.play(3, 2)
    pair.lose_round(0)
    assert pair.consoles[1].shows("WIN")


@pytest.mark.long
def test_a_cut_of_40_seconds_ends_the_match_and_is_said(pair: Party) -> None:
    pair.play(2, 1)

    pair.ring.cut = [True, True]
    pair.expect(lambda each: each.shows("LINK"), 5)
    pair.ring.run(40)
    pair.check()
    pair.ring.cut = [False, False]
    pair.ring.run(5)

    pair.check()
    assert all(each.shows("LINK", "LEFT") or each.has_result for each in pair.consoles)
    pair.ring.tap_all("A", after_s=3)
    pair.check()
    assert not any(is_in_play(each) for each in pair.consoles)


@pytest.mark.long
def test_noise_of_3_percent_is_survived(pair: Party) -> None:
    pair.ring.noise = 0.03
    pair.play(15, 1)
    pair.ring.noise = 0.0
    if not any(each.has_result for each in pair.consoles):
        pair.expect(is_in_play, 8)
        pair.lose_round(1)

    first, second = pair.consoles
    pair.expect(lambda each: each.has_result, 8)
    assert first.shows("WIN") != second.shows("WIN")


@pytest.mark.long
def test_one_handheld_that_is_switched_off_leaves_the_other_alive(pair: Party) -> None:
    pair.play(3, 1)

    pair.consoles[1].handheld.power_off()
    pair.expect(lambda each: each.shows("LINK"), 5, [0])
    pair.ring.run(40)

    pair.check()
    assert pair.consoles[0].shows("LOST", "LEFT") or pair.consoles[0].has_result
    pair.ring.tap(0, "A", after_s=3)
    pair.check()
    pair.ring.tap(0, "A", after_s=3)
    pair.check()


@pytest.mark.long
@pytest.mark.parametrize("count", [3, 4])
def test_more_than_two_linked_play_20_seconds(count: int) -> None:
    party = Party(count)

    passed_s = party.start()
    print(f"LINK {count}: GO after {passed_s:.2f} s")
    party.play(20, count)

    party.check()


@pytest.mark.long
def test_who_tops_out_of_three_practises() -> None:
    party = Party(3)
    party.start()

    with HeapWatch(party.consoles[2].handheld) as watch:
        party.top_out(2)
        party.expect(lambda each: each.shows("PRACTICE"), 3, [2])
        party.play(4, 1, [2])
        party.ring.tap(2, "S", after_s=2)
        watch.look()
        party.ring.tap(2, "A", after_s=2)
        watch.look()
        party.lose_round(1)
        watch.look()

    print("HEAP link of three:", watch.least_free, watch.least_block)
    assert party.consoles[0].shows("WIN")


@pytest.mark.long
def test_a_handheld_that_leaves_lets_the_other_win(pair: Party) -> None:
    pair.play(2, 1)

    pair.ring.tap(1, "S", after_s=1)
    pair.expect(lambda each: each.shows("PAUSE"), 3)
    pair.ring.tap(1, "U", after_s=0.3)
    pair.ring.tap(1, "A", after_s=0.5)
    pair.ring.tap(1, "A", after_s=3)

    pair.expect(lambda each: each.shows("LEFT") or each.has_result, 10, [0])
    pair.check()
