"""The rounds of a match: how they begin and end, what is saved between them, and the result."""

from typing import Any

import pytest

from firmware.engine.game import BLOCK_OUT, LOCK_OUT, TOP_OUT
from firmware.match.seat import NOT_YET
from firmware.save import goals, journal_compaction, suspended
from firmware.save.journal import REPORT, VERSUS, Journal
from firmware.save.match_revival import restore
from firmware.save.match_scores import WON, Versus
from firmware.scenes.match.result import explain
from firmware.scenes.play_state import OVER
from firmware.view.art import FONT_3X5
from firmware.view.canvas import WIDTH, text_width
from sim.contacts import Contacts
from tests.support.flash import RamStore
from tests.support.handhelds.arcade import DOWN, HOLD, LEFT, RIGHT, START, TOWER, UP, A, Arcade, B, begin, set_matrix
from tests.support.handhelds.handheld import Buttons
from tools.board.player import loading


def find_no_memory(*_: object) -> None:
    raise MemoryError


class TestRounds:
    def test_a_second_persons_presses_before_the_match_are_ignored(self) -> None:
        other: Any = Contacts()
        arcade = Arcade("menus.title")
        arcade.device.others = [other]
        for button in [UP, START] * 20:
            other.tap(button, arcade.clock.now_ms)
            arcade.step()
        arcade.open("match.play", frames=30)
        assert arcade.scene.is_playing() and arcade.match.seats[1].game.lock_downs == 0
        other.tap(UP, arcade.clock.now_ms)
        arcade.step()
        assert arcade.match.seats[1].game.lock_downs == 1

    def test_loading_stands_while_the_next_round_is_made(self) -> None:
        arcade = Arcade(WINS=1)
        arcade.lose_round(80)
        shown: list[bytes] = []
        begin_round = arcade.match.begin_round

        def look(number: int) -> None:
            shown.append(bytes(arcade.canvas.buffer[1:]))
            begin_round(number)

        arcade.match.begin_round = look  # type: ignore[method-assign]
        arcade.follow(A)
        assert shown == [loading()] and arcade.match.round == 1

    def test_any_person_can_start_the_next_round(self) -> None:
        other = Buttons()
        arcade = Arcade("menus.title", WINS=1)
        arcade.device.others = [other]
        arcade.open("match.play", ms=0)
        arcade.lose_round()
        arcade.step(16, 80)
        for button in (LEFT, A):
            assert arcade.match.over
            other.edges.append((button, 1, arcade.clock.now_ms))
            arcade.step()
        assert arcade.match.round == 1 and arcade.scene.is_playing()

    @pytest.mark.parametrize("start", [(LEFT, RIGHT), (HOLD,)])
    @pytest.mark.parametrize("held_frames", [3, 40])
    @pytest.mark.parametrize("late_frames", [0, 5, 80])
    def test_any_button_of_start_held_begins_another_match(self, start, held_frames: int, late_frames: int) -> None:
        arcade = Arcade("menus.title", WINS=0)
        if len(start) > 1:
            arcade.device.wired = 63
        else:
            masks = arcade.settings.buttons
            masks[START], masks[HOLD] = masks[HOLD], masks[START]
        arcade.context.apply_settings()
        arcade.open("match.play", ms=0)
        match = arcade.match
        arcade.play_until_out()
        arcade.wait_until(lambda: match.time_ms >= match.ends_ms - 16)
        if late_frames:
            arcade.wait_until(lambda: arcade.scene.state == OVER)
            arcade.step(16, late_frames)
        for pressed in (1, 0):
            arcade.buttons.edges += [(button, pressed, arcade.clock.now_ms + 15) for button in start]
            arcade.step(16, held_frames)
        if held_frames > 3:
            assert arcade.match is not match and arcade.scene.is_playing()
        else:
            assert arcade.name == ("match.over" if late_frames > 60 else "match.play") and arcade.scene.match is match

    def test_a_round_ends_with_its_result_and_the_next_begins(self) -> None:
        arcade = Arcade(WINS=1, LEVELS=1)
        arcade.lose_round()
        assert bytes(arcade.match.wins) == b"\x00\x01"
        arcade.compare("round_lost")
        arcade.tap(A)
        assert arcade.match.over, "a press right after the round is ignored"
        arcade.step(16, 80)
        arcade.follow(A)
        assert arcade.match.round == 1 and arcade.scene.is_playing()
        arcade.step(16, 600)
        assert arcade.match.seats[1].game.lock_downs, "the computer plays in this round"

    def test_a_full_journal_is_rewritten_between_two_rounds(self, monkeypatch) -> None:
        roomy, short = (Arcade(store=[RamStore(), RamStore()], WINS=1, LEVELS=1) for _ in range(2))
        for arcade in (roomy, short):
            arcade.lose_round(80)
        journal = short.session.journal
        while not journal.is_short():
            assert journal.append(REPORT, 40)
        erased = []
        for bank in journal.stores:

            def erase(erase=bank.erase) -> None:
                erased.append(short.match.seats)
                erase()

            monkeypatch.setattr(bank, "erase", erase)
        for arcade in (roomy, short):
            arcade.follow(A, frames=30)
            assert arcade.match.round == 1
        assert erased == [[]], "the last round is freed before"
        assert short.picture() == roomy.picture(), "the word SAVING is gone"

    @pytest.mark.parametrize("has_memory", [True, False])
    def test_a_full_journal_is_rewritten_before_a_match_goes_on(self, monkeypatch, has_memory: bool) -> None:
        """So the next pause does not wait for it. Without memory the match goes on all the same."""
        bank = RamStore()
        arcade = begin(store=[bank])
        journal = arcade.journal
        start = journal.end
        arcade.follow(START, A, frames=120)
        size = journal.end - start
        while bank.size - journal.end > 2 * size:
            assert journal.append(REPORT, 40)
        if not has_memory:
            monkeypatch.setattr(journal_compaction, "bytearray", find_no_memory, raising=False)

        erases = []
        for button in (START, A) * 2 if has_memory else (START, A):
            arcade.follow(button, frames=120)
            erases.append(bank.erases)

        assert erases == ([0, 1, 1, 1] if has_memory else [0, 0])
        assert arcade.scene.is_playing() and restore(Journal([bank])) is not None

    @pytest.mark.parametrize("failing", ["pack", "bytearray"])
    def test_a_pause_without_memory_to_save_goes_on_and_says_so(self, monkeypatch, failing: str) -> None:
        """pack: before anything is written. bytearray: while a full journal is rewritten."""
        arcade = begin(store=[RamStore()])
        while arcade.journal.append(REPORT, 40):
            pass

        module = suspended if failing == "pack" else journal_compaction
        monkeypatch.setattr(module, failing, find_no_memory, raising=False)
        arcade.follow(START, DOWN, DOWN, DOWN)
        assert arcade.scene.cover.notes[-1] == b"IT IS NOT SAVED:|POWER OFF LOSES|IT"
        arcade.compare("pause_unsaved")
        arcade.follow(A)
        assert arcade.name == "menus.main"
        assert arcade.session.suspended, "the match waits in memory"
        monkeypatch.undo()
        arcade.follow(A)
        assert arcade.name == "match.play"

    def test_after_the_last_round_a_leads_to_statistics_and_a_rematch(self) -> None:
        arcade = Arcade()
        arcade.lose_round(80)
        arcade.follow(A)
        assert arcade.name == "match.over"
        arcade.compare("over")
        arcade.tap(A)
        assert arcade.name == "match.over", "a press right after the match skips no result"
        arcade.step(1000)
        arcade.tap(RIGHT)
        arcade.compare("over_rival")
        arcade.follow(A)
        assert arcade.name == "match.play" and arcade.scene.is_playing()

    @pytest.mark.parametrize("button", [START, B])
    @pytest.mark.parametrize("frame_ms", [16, 120, 300, 600])
    def test_22_3_the_goals_come_before_a_press_on_the_result(self, frame_ms: int, button: int) -> None:
        """A board's frames may be long; START is held from the first one on."""
        arcade = begin(store=[RamStore()])
        arcade.lose_round(80)
        versus = Versus(arcade.journal.read(VERSUS))
        versus.counts[WON] = 1
        arcade.journal.save(VERSUS, versus.pack(arcade.journal.payload))
        arcade.follow(A)
        result = arcade.scene
        arcade.move(START, int(button == START), frame_ms)
        while arcade.scene is result:
            arcade.move(B, int(button == B), frame_ms)
        assert any(goals.load(arcade.journal)[1:])

    def test_a_result_that_cannot_be_saved_says_so(self) -> None:
        arcade = begin(store=[RamStore()])
        arcade.lose_round(80)
        arcade.journal.failed = True
        arcade.follow(A, frames=4)
        assert arcade.scene.told == b"NOT SAVED"
        arcade.compare("over_unsaved")

    def test_the_winner_of_a_round_sees_it(self) -> None:
        arcade = begin()
        set_matrix(arcade.match, 1, TOWER)
        arcade.finish_round()
        assert arcade.match.winner == 0
        arcade.compare("round_won")


class TestCoOp:
    """A match in which all clear lines together, without attacks."""

    def test_its_pause_counts_lines_of_each_player(self) -> None:
        arcade = begin(OPPONENTS=1, TOGETHER=1)
        for seat, lines in zip(arcade.match.seats, (7, 12, 0), strict=True):
            seat.game.lines = lines
        arcade.follow(START)
        arcade.step()
        arcade.compare("pause_co_op")

    def test_its_result_tells_the_lines_of_all_and_no_attacks(self) -> None:
        arcade = begin(OPPONENTS=1, TOGETHER=1)
        match = arcade.match
        match.gathered[0], match.winner, match.over = 40, 0, True
        match.seats[0].game.lines = 23
        arcade.open("match.over", match, ms=0)
        arcade.step()
        arcade.compare("over_co_op")

    def test_its_result_tells_who_was_out(self) -> None:
        arcade = begin(OPPONENTS=1, TOGETHER=1)
        match = arcade.match
        match.gathered[0], match.over = 7, True
        match.seats[0].out_ms, match.seats[0].game.over = 83_900, LOCK_OUT
        arcade.open("match.over", match, ms=0)
        arcade.step()
        arcade.compare("over_co_op_lost")


@pytest.mark.parametrize(
    ("out_ms", "over", "words"),
    [
        (NOT_YET, 0, b"LAST STANDING"),
        (83_900, LOCK_OUT, b"LOCK OUT 83 S"),
        (999_000, BLOCK_OUT, b"BLOCK OUT 999 S"),
        (1000, TOP_OUT, b"TOP OUT 1 S"),
        (1000, 0, b"OUT 1 S"),
    ],
)
def test_a_result_tells_how_the_round_ended_for_each_player(out_ms: int, over: int, words: bytes) -> None:
    seat = begin(ms=16).match.seats[1]
    seat.out_ms, seat.game.over = out_ms, over
    assert explain(seat) == words and text_width(words, FONT_3X5) <= WIDTH
