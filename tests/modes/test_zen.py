"""ZEN (firmware/modes/README.md, 6): its rules, and taking Tetriminos back by button edges."""

from typing import Any

import pytest

from firmware.engine import events, phases
from firmware.engine.game import AIM_REACHED, Game
from firmware.engine.options import CLASSIC
from firmware.modes.catalogue import ZEN, make_mode
from firmware.resuming import restore, resume_game
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Player, Recording
from firmware.scenes.play.zen_start import share
from tests.support.drill import Drill, comparable_state
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, PLAY_ON, RIGHT, START, UP, A, B, choose, paused, play

TAKE_BACK, OPTIONS, END = range(1, 4)


class TestRules:
    def test_6_1_tetriminos_fall_as_at_level_1(self) -> None:
        drill = Drill("", mode=make_mode(ZEN), level=9)
        assert drill.game.level == 1 and drill.until(events.LANDED) == 19_000

    def test_6_1_a_lock_down_takes_five_seconds_after_the_last_movement(self) -> None:
        drill = Drill("O", mode=make_mode(ZEN), lock_rule=CLASSIC)
        drill.press("soft")
        drill.until(events.LANDED)
        for _ in range(40):
            drill.wait(4999)
            assert not drill.tap("left", "right") & events.LOCKED
        assert not drill.wait(4999) & events.LOCKED and drill.wait(1) & events.LOCKED

    def test_6_1_lines_raise_no_level_and_6_6_are_the_result(self) -> None:
        drill = Drill("I", "#########.\n" * 4, make_mode(ZEN))
        assert not drill.place("cw", *["right"] * 4) & events.LEVEL_UP
        assert (drill.game.lines, drill.game.level) == (4, 1)
        drill.game.end(AIM_REACHED)
        assert (drill.game.over, make_mode(ZEN).result(drill.game)) == (AIM_REACHED, 4)

    def test_6_2_blocks_at_the_entrance_empty_the_matrix(self) -> None:
        drill = Drill("O", "...##.....\n" * 19, make_mode(ZEN))
        drill.game.score = 1000
        assert not drill.place() & events.GAME_OVER
        assert (drill.game.matrix.top, drill.game.over, drill.piece) == (0, 0, "O") and drill.game.score >= 1000

    def test_6_2_blocks_beside_the_entrance_stay(self) -> None:
        drill = Drill("O", "........##\n" * 22, make_mode(ZEN))
        drill.place()
        assert drill.game.matrix.top == 22

    def test_6_2_a_lock_out_empties_the_matrix(self) -> None:
        drill = Drill("O", "#.........\n" * 20, make_mode(ZEN))
        game = drill.game
        game.matrix.set_row(20, b"\1" * 3 + bytes(7))
        drill.tap("left", "left", "left", "left")
        game.place(4, -1, 20, 0)
        happened = drill.tap("hard")
        assert happened & events.LOCKED and not happened & events.GAME_OVER
        assert (game.phase, game.over, game.matrix.top) == (phases.GENERATION, 0, 0)
        drill.wait(200)
        assert drill.piece == "O"


def replay_state(handheld: Handheld) -> dict[str, Any]:
    game = handheld.game
    recording = Recording(handheld.session.recorder.recorded(handheld.scene.played_ms))
    twin: Game = recording.game(make_mode(ZEN))
    Player(recording, twin).advance(handheld.scene.played_ms)
    twin.now_ms = game.now_ms
    return comparable_state(twin)


class TestTakingBack:
    @pytest.fixture
    def handheld(self) -> Handheld:
        return paused(6, ZEN)

    @pytest.fixture
    def rewinding(self, handheld: Handheld) -> Handheld:
        """Return a handheld that can take back six Tetriminos."""
        choose(handheld, TAKE_BACK)
        return handheld

    def test_6_3_the_pause_offers_take_back_and_left_takes_one_back(self, rewinding: Handheld) -> None:
        assert rewinding.game.lock_downs == 6
        rewinding.tap(LEFT)
        rewinding.follow(LEFT, frames=2)
        assert rewinding.game.lock_downs == 4
        rewinding.step(frames=3)
        rewinding.compare("play_rewind")
        rewinding.step(500, frames=10)
        assert rewinding.game.lock_downs == 4  # time stands still

    def test_6_3_right_leads_forward_until_the_player_plays_on(self, rewinding: Handheld) -> None:
        rewinding.tap(LEFT, LEFT, LEFT, RIGHT)
        assert rewinding.game.lock_downs == 4
        rewinding.tap(A)
        assert rewinding.scene.is_playing()
        rewinding.tap(START)
        choose(rewinding, TAKE_BACK)
        rewinding.tap(RIGHT)
        assert rewinding.game.lock_downs == 4

    def test_6_3_left_repeats_to_the_first_tetrimino_while_held(self, rewinding: Handheld) -> None:
        rewinding.hold(LEFT, 90)
        assert rewinding.game.lock_downs == 0

    @pytest.mark.parametrize(("wait_ms", "lock_downs"), [(349, 5), (350, 4)])
    def test_6_3_left_repeats_350_ms_after_the_press(self, rewinding: Handheld, wait_ms: int, lock_downs: int) -> None:
        rewinding.move(LEFT, 1)
        rewinding.step(wait_ms)
        rewinding.step(0, frames=3)
        assert rewinding.game.lock_downs == lock_downs

    @pytest.mark.parametrize("back", [1, 3])
    def test_6_3_recording_leaves_out_the_tetriminos_taken_back(self, rewinding: Handheld, back: int) -> None:
        rewinding.tap(*[LEFT] * back, START)
        play(rewinding, 3)
        assert rewinding.game.lock_downs == 9 - back and comparable_state(rewinding.game) == replay_state(rewinding)

    def test_6_4_b_leads_back_to_the_pause_and_saves_the_game(self, rewinding: Handheld) -> None:
        rewinding.follow(LEFT, B, frames=2)
        assert rewinding.scene.cover.heading == b"PAUSE"
        saved: Any = restore(rewinding.context)
        assert saved.lock_downs == 5

    def test_6_4_start_while_hold_is_down_takes_back_at_once(self, handheld: Handheld) -> None:
        handheld.tap(START)
        handheld.move(HOLD, 1)
        handheld.follow(START, frames=2)
        assert handheld.game.lock_downs == 5
        handheld.tap(START, LEFT, RIGHT, LEFT)
        assert (handheld.game.lock_downs, handheld.scene.is_playing()) == (3, False)
        handheld.tap(B, UP, DOWN)
        assert not handheld.scene.is_playing()
        handheld.move(HOLD, 0)
        assert (handheld.scene.is_playing(), handheld.game.hold) == (True, 0)
        play(handheld, 2)
        assert comparable_state(handheld.game) == replay_state(handheld)

    def test_6_4_hold_and_start_within_one_frame_take_one_back(self, handheld: Handheld) -> None:
        handheld.tap(START)
        for button, pressed in ((HOLD, 1), (START, 1), (START, 0), (HOLD, 0)):
            handheld.buttons.edges.append((button, pressed, handheld.clock.now_ms))
        handheld.step()
        assert (handheld.game.lock_downs, handheld.scene.is_playing()) == (5, True)

    def test_6_4_start_alone_pauses(self) -> None:
        handheld = paused(1, ZEN)
        assert handheld.scene.cover.heading == b"PAUSE"
        handheld.compare("play_pause_zen")

    def test_6_5_the_recording_keeps_a_quarter_of_its_buffer(self) -> None:
        handheld = paused(3, ZEN)
        handheld.tap(START)
        recorder = handheld.session.recorder
        size = len(recorder.buffer)
        assert recorder.capacity == size // 4
        while not recorder.full:
            play(handheld, 5)
        play(handheld, 5)
        recording = Recording(recorder.recorded(handheld.scene.played_ms))
        game = recording.game(make_mode(ZEN))
        Player(recording, game).advance(handheld.scene.played_ms)
        assert 0 < game.lock_downs < handheld.game.lock_downs
        number = handheld.game.lock_downs
        handheld.tap(START)
        choose(handheld, TAKE_BACK)
        handheld.tap(*[LEFT] * 7)
        assert handheld.game.lock_downs == number - 7
        recorder.begin_game(ZEN, 1, handheld.game.options)
        assert recorder.capacity == size

    def test_6_5_a_longer_recording_keeps_its_whole_buffer(self) -> None:
        recorder = Recorder(400)
        recorder.used = 101
        assert (len(share(recorder)), recorder.capacity) == (300, 400)
        assert len(share(None)) == 2048, "two kilobytes without a recorder"

    def test_6_6_end_asks_and_ranks_the_lines(self) -> None:
        handheld = paused(1, ZEN)
        handheld.game.lines = 3
        assert choose(handheld, END) == "play.zen"
        handheld.follow(A, frames=2)
        assert handheld.game.over == AIM_REACHED
        handheld.step(1100)
        assert handheld.follow(A, frames=2) == "menus.over" and handheld.session.placed == (0, 19)
        handheld.step(1000)
        handheld.follow(A, frames=2)
        handheld.compare("over_zen")

    def test_saved_zen_game_continues(self) -> None:
        handheld = paused(3, ZEN)
        choose(handheld, PLAY_ON)
        handheld.tap(START)
        handheld.open("menus.main", frames=2)
        resume_game(handheld.context)
        handheld.step(frames=2)
        assert (handheld.name, handheld.game.lock_downs) == ("play.zen", 3)
        handheld.tap(START)
        play(handheld, 2)
        handheld.tap(START)
        choose(handheld, TAKE_BACK)
        handheld.follow(LEFT, frames=2)
        assert handheld.game.lock_downs == 4
