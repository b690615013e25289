"""Taking Tetriminos back restores the game exactly as it was at that point, in every variant."""

import random
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.modes import catalogue
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Player, Recording
from firmware.save.recordings.rewind import NUMBER, Rewind
from firmware.save.recordings.rewind_steps import Steps
from firmware.save.suspended import pack
from sim.library import MODES
from tests.support.stacking import choose_moves

each_variant = pytest.mark.parametrize("variant", range(len(MODES)), ids=MODES)


class Session:
    """Play a game with a recorder and a Rewind as the scene does, in frames with edges within them.

    seen: the state at each Tetrimino's first moment, by its number.
    """

    def __init__(self, variant: int, seed: int, capacity: int = 4096, size: int = 2048, recorded: bool = True) -> None:
        options = Options()
        options.steady_repeat = options.early_presses = 1
        mode = catalogue.make_mode(variant)
        self.variant = variant
        self.game = (mode.rules or Game)(seed, options, mode)
        self.recorder = Recorder(capacity)
        self.recorder.begin_game(variant, seed, options)
        self.rewind = Rewind(self.recorder if recorded else None, pack, variant, bytearray(448), bytearray(size))
        self.chance = random.Random(seed)
        self.t_ms = 0
        self.seen: dict[int, object] = {}

    def read_state(self) -> object:
        game = self.game
        buffer = bytearray(448)
        length = pack(game, self.variant, buffer)
        return bytes(buffer[:length]), list(game.matrix.masks), [bytes(row) for row in game.matrix.rows]

    def pass_time(self, ms: int) -> None:
        self.t_ms += ms
        self.game.advance(self.t_ms)
        number = self.rewind.number
        if self.game.piece and self.game.lock_downs != number:
            self.rewind.step(self.game)
            self.seen[self.rewind.number] = self.read_state()
        self.game.mode.think(self.game)

    def tap(self, control: int) -> None:
        for pressed in (1, 0):
            self.pass_time(self.chance.choice((0, 1, 16, 30)))
            self.rewind.record_edge(control, pressed, self.t_ms)
            self.game.input(control, pressed, self.t_ms)

    def play(self, count: int) -> None:
        last = self.game.lock_downs + count
        while self.game.lock_downs < last and not self.game.over:
            if not self.game.piece:
                self.pass_time(16)
                continue
            if self.chance.random() < 0.2:
                self.tap(self.chance.choice((controls.HOLD, controls.LEFT, controls.SOFT_DROP, controls.ROTATE_CCW)))
            for control in choose_moves(self.game):
                self.tap(control)
            self.tap(controls.HARD_DROP)
        for _ in range(100):
            if self.game.piece or self.game.over:
                break
            self.pass_time(16)

    @property
    def steps(self) -> Steps:
        return Steps(self.rewind, self.game)

    def take_back(self, steps: Steps) -> list[int]:
        numbers = []
        while steps.back():
            numbers.append(steps.number)
            assert self.read_state() == self.seen[steps.number]
        return numbers

    def resume(self, steps: Steps) -> None:
        """Continue from the present step with all controls released."""
        steps.cut()
        self.t_ms = self.game.time_ms
        for button in range(controls.PAUSE):
            if self.game.pressed >> button & 1:
                self.rewind.record_edge(button, 0, self.t_ms)
                self.game.input(button, 0, self.t_ms)

    def replay_state(self) -> object:
        recording = Recording(self.recorder.recorded(self.game.time_ms))
        twin = Session(self.variant, 0)
        twin.game = recording.game(catalogue.make_mode(recording.variant))
        Player(recording, twin.game).advance(self.game.time_ms)
        twin.game.start(self.game.now_ms)
        return twin.read_state()


def play_and_take_back(session: Session, moves: list[int]) -> int:
    """Play and take back by turns, and compare each state with the first one; return the number compared."""
    count = 0
    for move in moves:
        session.play(1 + move % 7)
        steps = session.steps
        session.chance.seed(move)
        for _ in range(1 + move % 11):
            before = session.game.lock_downs
            if session.chance.random() < 0.75:
                assert steps.back() == (steps.number < before and steps.number >= 0)
            else:
                steps.forward()
            if steps.number >= 0:
                assert session.game.lock_downs == steps.number
                assert session.read_state() == session.seen[steps.number]
                count += 1
        session.resume(steps)
    assert session.replay_state() == session.read_state()
    return count


@pytest.mark.no_cover
@each_variant
@hypothesis.settings(max_examples=5)
@hypothesis.given(strategies.integers(0, (1 << 30) - 1), strategies.lists(strategies.integers(0, 9999), min_size=4))
def test_taking_back_restores_the_game_at_that_point(variant: int, seed: int, moves: list[int]) -> None:
    play_and_take_back(Session(variant, seed), moves[: 3 if variant == catalogue.WORST else 12])  # WORST searches long


@each_variant
@pytest.mark.long
def test_a_thousand_steps_at_random_in_each_variant(variant: int) -> None:
    chance = random.Random(variant)
    count = 0
    while count < 1000:
        session = Session(variant, chance.getrandbits(30))
        count += play_and_take_back(session, [chance.randrange(9999) for _ in range(30)])


def marathon(seed: int, count: int = 0, **settings: Any) -> Session:
    session = Session(catalogue.MARATHON, seed, **settings)
    if count:
        session.play(count)
    return session


class TestTakenBack:
    def test_all_recorded_tetriminos_are_taken_back_and_played_again(self) -> None:
        session = marathon(5, 60)
        steps = session.steps
        assert not steps.forward()  # nothing is taken back yet
        numbers = session.take_back(steps)
        assert numbers == list(range(59, numbers[-1] - 1, -1))
        assert len(numbers) >= 12  # two kilobytes hold them
        while steps.forward():
            assert session.read_state() == session.seen[steps.number]
        assert steps.number == 60

    def test_the_last_tetrimino_of_a_lost_game_is_taken_back(self) -> None:
        session = marathon(3)
        while not session.game.over:
            session.tap(controls.HARD_DROP)
            session.pass_time(600)
        last = session.game.lock_downs
        steps = session.steps
        assert steps.back() and (steps.number, session.game.over) == (last - 1, 0)
        assert session.read_state() == session.seen[last - 1]
        session.resume(steps)
        assert session.replay_state() == session.read_state()

    def test_resuming_without_a_step_changes_nothing(self) -> None:
        session = marathon(4, 5)
        session.tap(controls.LEFT)
        before = session.read_state()
        session.resume(session.steps)
        assert session.read_state() == before == session.replay_state()

    def test_a_change_of_an_option_is_taken_back_too(self) -> None:
        session = marathon(4, 5)
        session.rewind.record_edge(controls.HOLD, 0, session.t_ms)
        session.game.options.das_ms = 200
        session.rewind.note_change("das_ms", 200)
        session.play(3)
        steps = session.steps
        for wanted, das_ms in ((7, 200), (6, 200), (5, 300)):
            assert steps.back() and (steps.number, session.game.options.das_ms) == (wanted, das_ms)
        session.resume(steps)
        session.play(2)
        assert session.replay_state() == session.read_state()

    @pytest.mark.parametrize(("capacity", "more", "back", "full"), [(320, 1, 4, False), (200, 12, 1, True)])
    def test_a_full_recording_gets_room_if_it_is_cut(self, capacity: int, more: int, back: int, full: bool) -> None:
        """If only Tetriminos after the full recording are taken back, it stays full."""
        session = marathon(6, capacity=capacity)
        while not session.recorder.full:
            session.play(1)
        session.play(more)
        used = session.recorder.used
        steps = session.steps
        for _ in range(back):
            assert steps.back()
        session.resume(steps)
        assert (session.recorder.full, session.recorder.used == used) == (full, full)
        assert full or session.replay_state() == session.read_state()

    def test_a_game_without_a_recorder_can_be_taken_back(self) -> None:
        session = marathon(7, recorded=False)
        session.rewind.note_change("das_ms", 200)
        session.play(9)
        steps = session.steps
        session.take_back(steps)
        session.resume(steps)

    def test_a_cleared_history_cannot_be_taken_back(self) -> None:
        session = marathon(7, 4)
        session.rewind.clear()
        assert not session.steps.back()

    def test_nine_hours_without_a_press_are_too_long_to_record(self) -> None:
        session = marathon(7, 4)
        rewind = session.rewind
        rewind.last_ms -= 1 << 25
        rewind.weight = 0
        rewind.number -= 1
        rewind.step(session.game)
        assert (rewind.groups, rewind.group_heads[NUMBER]) == (1, 4)

    def test_endless_presses_on_one_tetrimino_cost_only_earlier_history(self) -> None:
        session = marathon(8, 4, size=512)
        session.game.options.lock_rule = 1
        for _ in range(200):
            session.tap(controls.LEFT)
        assert not session.steps.back()
        session.play(2)
        steps = session.steps
        assert steps.back() and session.read_state() == session.seen[steps.number]

    def test_solid_lines_stay_solid_when_taken_back(self) -> None:
        session = marathon(9)
        session.game.matrix.raise_row(10)
        session.game.matrix.raise_row(3)
        session.play(4)
        session.take_back(session.steps)
        assert session.game.matrix.masks[1] == 0x1FFFF
