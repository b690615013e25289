"""Handhelds on a ring, on the real firmware: they start, play rounds, and survive cuts, noise and leaving players."""

import functools
import random
import zlib
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from firmware.save.match_choices import WINS
from firmware.save.recordings.link_recording import LinkRecording
from firmware.save.recordings.link_trace import LinkTrace
from tests.support.handhelds.board_console import bench, watch_heap
from tools.board.handheld import Handheld
from tools.board.machine import Snapshot
from tools.board.nvm import make_nvm
from tools.board.player import MOVES, Player
from tools.board.ring import Ring

pytestmark = pytest.mark.board
THREE_WINS = {WINS: 2}
_STEP_S = 0.02
_NUMBERS = slice(24 * 8, 113 * 8)  # the bytes of a results page that show figures, not names


@functools.cache
def boot_at_link(nvm: bytes, seed: int) -> tuple[Handheld, Snapshot]:
    """Return a handheld that opens LINK at the next press of A, and its snapshot."""
    console = bench().to_title(nvm, link=True, seed=seed)
    console.go_to_link(seed)
    return console.handheld, console.handheld.snapshot()


class Party:
    """Handhelds on one ring, with one player each."""

    def __init__(self, count: int, versus: dict[int, int] | None = None) -> None:
        handhelds = []
        for seed in range(1, count + 1):
            handheld, snapshot = boot_at_link(make_nvm(versus), seed)
            handheld.restore(snapshot)
            handhelds.append(handheld)
        self.ring = Ring(handhelds)
        self.consoles = [Player(each, self.ring.run) for each in handhelds]

    def snapshots(self) -> list[Snapshot]:
        return [each.handheld.snapshot() for each in self.consoles]

    def restore(self, snapshots: list[Snapshot]) -> None:
        """Restore snapshots; connect all wires and stop the noise."""
        for each, snapshot in zip(self.consoles, snapshots, strict=True):
            each.handheld.restore(snapshot)
        self.ring.cut = [False] * len(snapshots)
        self.ring.noise = 0.0

    def expect(self, predicate: Callable[[Player], bool], seconds: float, numbers: list[int] | None = None) -> float:
        """Run until `predicate` holds for all or for `numbers`; return the seconds that passed, or fail."""
        consoles = [self.consoles[i] for i in numbers] if numbers else self.consoles
        start_s = self.ring.time_s
        while not all(predicate(each) for each in consoles):
            self.check()
            if self.ring.time_s > start_s + seconds:
                shown = "\n".join(each.handheld.draw_text() for each in self.consoles)
                pytest.fail(f"the screens did not come within {seconds} s\n{shown}")
            self.ring.run(_STEP_S)
        return self.ring.time_s - start_s

    def check(self) -> None:
        for number, each in enumerate(self.consoles):
            if each.handheld.problem:
                each.fail(f"handheld {number} ended")

    def enter_lobby(self, words: str = "TO BEGIN") -> None:
        """Confirm the initials on all handhelds; wait until each lobby shows `words`."""
        for console in self.consoles:
            console.tap("A", after_s=0.1)
        self.expect(lambda each: each.shows("INITIALS"), 12)
        for console in self.consoles:
            console.tap("S", after_s=0.1)
        self.expect(lambda each: each.shows(words, small=True), 12)

    def press_ready(self) -> float:
        """Press READY on all; return the seconds from the last A until all play."""
        for console in self.consoles[:-1]:
            console.tap("A", after_s=0.5)
        self.consoles[-1].tap("A", after_s=0)
        return self.expect(shows_play, 20) + 0.06

    def start(self) -> float:
        self.enter_lobby()
        return self.press_ready()

    def tap_all(self, button: str, after_s: float) -> None:
        """Press a button of all handhelds at once."""
        for down, seconds in ((True, 0.06), (False, after_s)):
            for console in self.consoles:
                console.handheld.hold(button, down)
            self.ring.run(seconds)

    def play(self, seconds: float, seed: int) -> None:
        """Drop Tetriminos anywhere, one player after the other, for some seconds or until a round ends."""
        chance = random.Random(seed)
        end_s = self.ring.time_s + seconds
        while self.ring.time_s < end_s and not self.consoles[0].has_result:
            for console in self.consoles:
                for button in chance.choice(MOVES):
                    console.tap(button, 0.03, 0.03)
                console.tap("U", 0.04, 0.25)
            self.check()

    def lose_round(self, winner: int = 0) -> None:
        """Top out all players but `winner`; wait until all see the result."""
        for number, console in enumerate(self.consoles):
            if number != winner:
                console.top_out()
        self.expect(lambda each: each.has_result, 10)
        self.ring.run(1.5)
        self.check()


def shows_play(console: Player) -> bool:
    return console.is_in_linked_play


@functools.cache
def start_two() -> tuple[Party, float, list[Snapshot]]:
    """Return two players at the start of a one-round match, the seconds from the last A, and snapshots."""
    party = Party(2)
    passed_s = party.start()
    return party, passed_s, party.snapshots()


@functools.cache
def after_three_rounds() -> tuple[Party, list[Snapshot]]:
    """Return two players at the results of a match, after the first won three rounds, and snapshots."""
    party = Party(2, THREE_WINS)
    party.start()
    for number in range(3):
        party.play(5, number)
        party.lose_round()
        assert all(each.shows(f"{number + 1}:0") for each in party.consoles)
        party.tap_all("A", after_s=0.5)
        if number < 2:
            party.expect(shows_play, 10)
    party.expect(lambda each: each.is_at_results, 5)
    party.ring.run(1)  # a result takes no press before
    return party, party.snapshots()


@pytest.fixture
def party() -> Party:
    """Return two players at the start of a match, always the same moment."""
    party, _passed_s, snapshots = start_two()
    party.restore(snapshots)
    return party


@pytest.mark.long
def test_a_linked_match_starts_within_6_seconds_of_the_last_a() -> None:
    _party, passed_s, _snapshots = start_two()
    print(f"LINK: GO after {passed_s:.2f} s")
    assert passed_s <= 6


@pytest.mark.long
@pytest.mark.parametrize("count", [3, 4])
def test_a_match_of_more_than_two_does_not_fit_a_pico(count: int) -> None:
    party = Party(count)
    party.enter_lobby("PICO 2 EACH")
    for console in party.consoles:
        console.tap("A", after_s=0.5)
    party.ring.run(8)
    party.check()
    assert all(each.shows("PICO 2 EACH", small=True) for each in party.consoles)


def test_both_handhelds_agree_on_the_winner_of_a_round(party: Party) -> None:
    party.play(4, 1)
    party.lose_round()
    first, second = party.consoles
    assert first.shows("WIN")
    assert second.shows("LOSE")


@pytest.mark.long
def test_a_linked_match_leaves_8_kilobytes_and_a_block_of_4(party: Party) -> None:
    with ExitStack() as stack:
        watched = [stack.enter_context(watch_heap(each.handheld)) for each in party.consoles]
        party.play(20, 1)
        party.lose_round()
        party.tap_all("A", after_s=2)
        for each in watched:
            each.note("link")

    party.check()
    for each in watched:
        each.check()


@pytest.mark.long
def test_options_in_the_pause_leave_the_block_of_4_kilobytes(party: Party) -> None:
    party.play(5, 1)
    for button in "SDA":
        party.consoles[1].tap(button, after_s=0.2)
    party.expect(lambda each: each.shows("DAS"), 1, [1])
    party.consoles[1].tap("R", after_s=0.1)
    with watch_heap(party.consoles[1].handheld) as figures:
        party.consoles[1].tap("B", after_s=0.1)
        assert party.consoles[1].is_loading
        party.expect(lambda each: each.shows("LEAVE"), 1, [1])
        party.consoles[1].tap("S", after_s=0.1)
        party.expect(shows_play, 8)
        figures.skip()
        party.play(5, 2)
        figures.note("after OPTIONS")

    figures.check()
    party.lose_round()


@pytest.mark.long
def test_both_handhelds_show_the_same_results_of_three_rounds() -> None:
    party, snapshots = after_three_rounds()
    party.restore(snapshots)
    pages: list[list[bytes]] = [[], []]
    for _ in range(2):
        for each, seen in zip(party.consoles, pages, strict=True):
            seen.append(each.handheld.picture()[_NUMBERS])
        party.tap_all("R", after_s=0.5)
    assert len(set(pages[0])) == 2
    assert all(sorted(each) == sorted(pages[0]) for each in pages)


@pytest.mark.long
def test_both_handhelds_record_the_same_three_rounds() -> None:
    party, snapshots = after_three_rounds()
    party.restore(snapshots)
    party.tap_all("B", after_s=1)
    for button in "DDDDDADDDD":  # the fifth line of LEARN
        party.tap_all(button, after_s=0.3)
    party.expect(lambda each: each.shows("LAST GAME"), 1)
    before = [each.handheld.picture() for each in party.consoles]

    party.tap_all("A", after_s=6)

    party.check()
    assert all(each.handheld.picture() != old for each, old in zip(party.consoles, before, strict=True))
    traces = [trace_last_game(each.handheld) for each in party.consoles]
    assert [line.split("won by")[0].split()[:2] for line in traces[0] if "won by" in line] == [
        ["round", str(number)] for number in (1, 2, 3)
    ]
    assert all(trace == traces[0] for trace in traces)


def trace_last_game(handheld: Handheld) -> list[str]:
    """Return the trace of the recording that a handheld shows: its events, and each round's winner and hash."""
    ram = handheld.machine.chip["ram"].tobytes()
    start = ram.find(b"SKY\x05")
    while start >= 0:
        for end in range(start + 8, min(start + 8192, len(ram) - 4)):
            checksum = int.from_bytes(ram[end : end + 4], "little")
            if checksum and zlib.crc32(ram[start:end]) == checksum:
                trace = LinkTrace(LinkRecording(ram[start : end + 4]))
                trace.play()
                return trace.lines
        start = ram.find(b"SKY\x05", start + 1)
    pytest.fail("no whole recording is in memory")


@pytest.mark.long
def test_a_match_survives_a_cut_of_one_second(party: Party) -> None:
    party.play(2, 1)
    party.ring.cut = [True] * len(party.consoles)
    party.ring.run(1)
    party.ring.cut = [False] * len(party.consoles)
    passed_s = party.expect(shows_play, 8)
    print(f"LINK on again {passed_s:.2f} s after a cut of 1 s")
    party.play(3, 2)
    party.lose_round(1)
    assert [each.shows("WIN") for each in party.consoles].index(True) == 1


@pytest.mark.long
def test_a_cut_of_40_seconds_ends_the_match_with_a_message(party: Party) -> None:
    party.play(2, 1)

    party.ring.cut = [True] * len(party.consoles)
    party.expect(lambda each: each.shows("LINK"), 5)
    party.ring.run(40)
    party.check()
    party.ring.cut = [False] * len(party.consoles)
    party.ring.run(5)

    party.check()
    assert all(each.shows("LINK", "LEFT") or each.has_result for each in party.consoles)
    party.tap_all("A", after_s=3)
    party.check()
    assert not any(shows_play(each) for each in party.consoles)


@pytest.mark.long
def test_a_match_survives_noise_of_3_percent(party: Party) -> None:
    party.ring.noise = 0.03
    party.play(15, 1)
    party.ring.noise = 0.0
    if not party.consoles[0].has_result:
        party.expect(shows_play, 8)
        party.lose_round()
    party.expect(lambda each: each.has_result, 8)
    assert sum(each.shows("WIN") for each in party.consoles) == 1


@pytest.mark.long
def test_other_handhelds_survive_the_power_off_of_one(party: Party) -> None:
    party.play(3, 1)
    others = list(range(len(party.consoles) - 1))

    party.consoles[-1].handheld.power_off()
    party.expect(lambda each: each.shows("LINK"), 5, others)
    party.ring.run(40)

    party.check()
    assert all(party.consoles[i].shows("LOST", "LEFT") or party.consoles[i].has_result for i in others)
    for _ in range(2):
        for number in others:
            party.consoles[number].tap("A", after_s=3)
        party.check()


@pytest.mark.long
def test_the_round_ends_for_the_other_if_one_player_leaves(party: Party) -> None:
    party.play(2, 1)
    party.consoles[1].tap("S", after_s=1)
    party.expect(lambda each: each.shows("PAUSE"), 3)
    party.consoles[1].tap("U", after_s=0.3)
    party.consoles[1].tap("A", after_s=0.5)
    party.consoles[1].tap("A", after_s=3)
    party.expect(lambda each: each.shows("LEFT") or each.has_result, 10, [0])
    party.check()
