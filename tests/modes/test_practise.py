"""TRAIN (firmware/modes/README.md, 9), played by button edges."""

import pytest

from firmware.engine.game import LOCK_OUT, Game
from firmware.modes.catalogue import MARATHON, STANDARD, WORST, make_mode
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Player, Recording
from tests.support.drill import comparable_state
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld, lose
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, PRACTISE, RIGHT, START, UP, A, B, choose, paused, play
from tests.support.recorded import RECORDINGS
from tests.support.records import KINDS


def start_practice(seconds: int = 5, variant: int = MARATHON) -> Handheld:
    handheld = paused(seconds, variant)
    choose(handheld, PRACTISE + (variant in (STANDARD, STANDARD + 1)))
    assert handheld.name == "replay.practise"
    handheld.step(frames=2)
    return handheld


class TestPractise:
    def test_9_1_the_game_in_progress_stays_as_it_is(self) -> None:
        handheld = paused(5)
        before, recorded = comparable_state(handheld.game), handheld.session.recorder.recorded(9999)
        choose(handheld, PRACTISE)
        handheld.tap(A)
        play(handheld, 12)
        handheld.tap(START)
        assert handheld.follow(B, frames=2) == "menus.main"
        assert (handheld.follow(A, frames=2), handheld.session.recorder.recorded(9999)) == ("play.play", recorded)
        assert comparable_state(handheld.game) == before

    def test_9_1_the_watcher_leads_to_practice_of_its_moment(self) -> None:
        blob = (RECORDINGS / "marathon.sky").read_bytes()
        handheld = Handheld(first="menus.legal", recorder=Recorder(), store=[RamStore(), RamStore()])
        handheld.open("replay.watch", blob, frames=60)
        handheld.tap(*[RIGHT] * 9)
        handheld.step(frames=30)
        at_ms = handheld.scene.line.time_ms
        assert handheld.follow(HOLD, frames=3) == "replay.practise"
        recording = Recording(blob)
        twin: Game = recording.game(make_mode(recording.variant))
        Player(recording, twin).advance(at_ms)
        assert (handheld.game.lock_downs, handheld.game.score) == (twin.lock_downs, twin.score) == (9, twin.score)
        handheld.compare("practise")

    def test_9_1_a_retried_ending_is_no_new_result(self) -> None:
        handheld = paused(8)
        handheld.tap(A)
        lose(handheld)
        handheld.step(100, 60)
        before = [bytes(handheld.journal.read(kind)) for kind in KINDS]
        assert handheld.session.best(0)
        handheld.open("replay.watch", None, frames=60)
        handheld.tap(*[RIGHT] * 6)
        handheld.step(frames=30)
        assert handheld.follow(START, frames=3) == "replay.practise"
        handheld.tap(A)
        for _ in range(60):
            if handheld.scene.is_playing():
                handheld.hold(DOWN, 10)
                handheld.tap(UP)
        handheld.step(100, 60)
        assert handheld.game.over and handheld.name == "replay.practise"
        handheld.follow(B, frames=3)
        assert handheld.name == "menus.main"
        assert [bytes(handheld.journal.read(kind)) for kind in KINDS] == before

    @pytest.mark.parametrize("variant", [MARATHON, STANDARD, WORST])
    def test_9_2_time_stands_still_and_9_3_start_brings_the_moment_back(self, variant: int) -> None:
        handheld = start_practice(5, variant)
        before = comparable_state(handheld.game)
        handheld.step(500, frames=10)
        assert (handheld.game.lock_downs, handheld.scene.is_playing()) == (5, False)
        handheld.tap(A)
        assert handheld.scene.is_playing()
        play(handheld, 3)
        handheld.tap(START)
        assert comparable_state(handheld.game) == before
        handheld.tap(START)
        assert handheld.scene.is_playing()
        play(handheld, 2)
        assert handheld.game.lock_downs > 5

    def test_9_2_and_9_3_left_takes_back_and_up_brings_the_moment_back(self) -> None:
        handheld = start_practice()
        handheld.tap(A)
        play(handheld, 6)
        handheld.move(HOLD, 1)
        handheld.follow(START, LEFT, frames=2)
        assert handheld.game.lock_downs == 9
        for button in (UP, LEFT):
            handheld.tap(button)
            assert handheld.game.lock_downs == 5

    def start_hints(self, seconds: int, variant: int = MARATHON) -> Handheld:
        handheld = start_practice(seconds, variant)
        handheld.tap(DOWN, A)
        handheld.step(frames=60)
        return handheld

    def test_9_4_a_hint_marks_a_place_and_shows_its_presses(self) -> None:
        handheld = self.start_hints(4)
        adviser = handheld.scene.adviser
        assert adviser.hint.is_known
        handheld.compare("practise_hint")
        game, number = handheld.game, handheld.game.lock_downs
        for _ in range(5):  # the presses lead to the marked place every time
            for press in adviser.way.decode().split():
                if press not in ("SLIDE", "SPIN", "DROP"):
                    button = {"<": LEFT, ">": RIGHT, "A": A, "B": B, "C": HOLD}[press[0]]
                    handheld.press(button, 600 if len(press) == 2 else 0)
                    handheld.step(frames=45)
            mark = adviser.mark
            at = (mark.piece, mark.x, mark.y, mark.facing)
            if not adviser.way.startswith(b"S"):
                assert (game.piece, game.x, game.ghost_y, game.facing) == at
            handheld.tap(UP)
            handheld.step(frames=90)
        assert game.lock_downs == number + 5

    def test_9_4_asking_again_turns_hints_off(self) -> None:
        handheld = self.start_hints(4)
        handheld.tap(START, DOWN, A)
        assert handheld.scene.adviser is None

    @pytest.mark.parametrize("variant", [STANDARD, WORST])
    def test_9_4_standard_and_worst_have_no_hints(self, variant: int) -> None:
        assert self.start_hints(2, variant).scene.adviser is None

    def test_9_5_play_continues_after_game_over(self) -> None:
        handheld = start_practice(2)
        handheld.tap(A)
        while handheld.scene.is_playing():
            handheld.tap(UP)
            handheld.step(250)
        assert (handheld.game.over, handheld.scene.is_playing(), handheld.name) == (LOCK_OUT, False, "replay.practise")
        handheld.tap(A)
        assert not handheld.scene.is_playing()
        number = handheld.game.lock_downs
        handheld.tap(LEFT, LEFT, A)
        assert (handheld.game.over, handheld.game.lock_downs, handheld.scene.is_playing()) == (0, number - 2, True)
        assert handheld.session.placed is None
