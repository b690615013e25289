"""What breaks costs no game: a display, a button, the memory and the clock fail while somebody plays."""

import pytest

from firmware.compat import TICKS_PERIOD
from firmware.device.nvm import NvmStore
from firmware.engine import controls
from firmware.save.journal import SETTINGS, SUSPENDED
from tests.support.flash import BrokenStore, RamStore
from tests.support.handhelds.handheld import Handheld, lose

MOVES = (controls.LEFT, controls.ROTATE_CW, controls.RIGHT, controls.HOLD, controls.RIGHT, controls.HARD_DROP)


def play(handheld: Handheld, presses: int = 12) -> None:
    """Press one button after another, a few frames apart."""
    for i in range(presses):
        handheld.press(MOVES[i % len(MOVES)], 20)
        handheld.step(16, 4)


def state(handheld: Handheld) -> tuple:
    """Return what a game has come to."""
    game = handheld.game
    return game.matrix.rows, game.score, game.time_ms, game.x, game.y, game.facing, bytes(game.next)


class TestDisplay:
    def test_game_goes_on_without_its_display_and_is_whole_when_that_is_back(self) -> None:
        faulty, sound = Handheld(), Handheld()
        for handheld in (faulty, sound):
            play(handheld)
        faulty.display.bus.unplug(faulty.display.chip)
        for handheld in (faulty, sound):
            play(handheld)
        assert state(faulty) == state(sound)
        faulty.display.chip.power_on()
        faulty.display.bus.plug(faulty.display.chip)
        for handheld in (faulty, sound):
            handheld.step(16, 60)
        assert state(faulty) == state(sound)
        assert faulty.picture() == sound.picture() == bytes(faulty.display.canvas.buffer[1:])

    def test_display_that_comes_and_goes_every_few_frames_stops_nothing(self) -> None:
        faulty, sound = Handheld(), Handheld()
        for round_ in range(20):
            if round_ % 2:
                faulty.display.bus.plug(faulty.display.chip)
            else:
                faulty.display.bus.unplug(faulty.display.chip)
            for handheld in (faulty, sound):
                play(handheld, 1)
        assert state(faulty) == state(sound)

    def test_display_missing_at_power_on_shows_the_game_once_connected(self) -> None:
        handheld = Handheld()
        handheld.display.bus.unplug(handheld.display.chip)
        handheld.context.device.display.turn(True)  # sets the chip up again, which is not there
        handheld.context.device.display.turn(False)
        play(handheld)
        handheld.display.chip.power_on()
        handheld.display.bus.plug(handheld.display.chip)
        handheld.step(16, 60)
        assert handheld.picture() == bytes(handheld.display.canvas.buffer[1:])

    def test_display_replugged_in_a_still_pause_shows_it_again(self) -> None:
        handheld = Handheld()
        handheld.press(controls.PAUSE)
        paused = handheld.step(16, 60)
        handheld.display.bus.unplug(handheld.display.chip)
        handheld.step(16, 60)
        handheld.display.chip.power_on()
        handheld.display.bus.plug(handheld.display.chip)
        assert handheld.step(16, 60) == paused
        assert handheld.display.chip.on


class TestStuck:
    @pytest.mark.parametrize("stuck", [controls.LEFT, controls.RIGHT, controls.SOFT_DROP, controls.ROTATE_CW])
    def test_stuck_button_leaves_the_others_their_work(self, stuck: int) -> None:
        handheld = Handheld()
        handheld.buttons.edges.append((stuck, 1, handheld.clock.now_ms))
        handheld.step(16, 60)
        for dropped in range(4):
            assert handheld.game.lock_downs >= dropped
            handheld.press(controls.HARD_DROP)
            handheld.step(16, 60)
        handheld.tap(controls.PAUSE)
        assert not handheld.scene.is_playing()

    def test_stuck_hard_drop_drops_one_tetrimino(self) -> None:
        handheld = Handheld()
        handheld.buttons.edges.append((controls.HARD_DROP, 1, handheld.clock.now_ms))
        handheld.step(16, 120)
        assert handheld.game.lock_downs == 1

    def test_stuck_start_begins_again_once_as_one_that_is_held(self) -> None:
        handheld = Handheld()
        game = handheld.game
        handheld.buttons.edges.append((controls.PAUSE, 1, handheld.clock.now_ms))
        handheld.step(16, 60)
        again = handheld.game
        assert handheld.scene.is_playing() and again is not game
        handheld.step(16, 60)
        assert handheld.scene.is_playing() and handheld.game is again


# -- the memory --------------------------------------------------------------------------------


def note_of(handheld: Handheld) -> bytes:
    """Return what the main menu says below its lines."""
    handheld.open("menus.main", frames=2)
    scene = handheld.scene
    return scene.notes[scene.at]


class TestMemory:
    def test_store_that_begins_to_fail_keeps_what_it_had_and_costs_no_game(self) -> None:
        bank = BrokenStore()
        handheld = Handheld(store=[bank])
        lose(handheld)
        best = handheld.session.best(0)
        assert best > 0
        kept = bytes(bank.image)
        bank.broken = "write erase"
        handheld.open("play")
        play(handheld, 60)
        handheld.tap(controls.PAUSE)
        assert handheld.journal.failed
        assert bytes(bank.image) == kept
        game = handheld.game
        handheld.press(controls.ROTATE_CW)
        handheld.step(16, 4)
        assert handheld.scene.is_playing() and handheld.game is game
        lose(handheld)
        bank.broken = ""
        assert Handheld(store=[bank]).app.session.best(0) == best

    def test_store_that_fails_is_told_of_once(self) -> None:
        bank = BrokenStore()
        handheld = Handheld(store=[bank])
        assert b"STORAGE FAILED" not in note_of(handheld)
        bank.broken = "write erase"
        handheld.open("play")
        handheld.tap(controls.PAUSE)
        notes = []
        for _ in range(3):
            notes.append(b"STORAGE FAILED" in note_of(handheld))
            handheld.open("menus.title", frames=2)
        assert notes == [True, False, False]

    def test_game_left_when_the_store_failed_can_be_continued_until_power_off(self) -> None:
        bank = BrokenStore()
        handheld = Handheld(store=[bank])
        play(handheld)
        bank.broken = "write erase"
        handheld.tap(controls.PAUSE)
        game = handheld.game
        handheld.open("menus.main", frames=2)
        assert handheld.session.suspended is game

    def test_game_too_long_for_a_small_memory_can_be_continued_until_power_off(self) -> None:
        handheld = Handheld(store=[NvmStore(bytearray(b"\xff" * 128))])
        play(handheld)
        handheld.tap(controls.PAUSE)
        assert not handheld.journal.failed
        assert handheld.session.suspended is handheld.game

    @pytest.mark.parametrize("banks", [0, 2])
    def test_handheld_without_a_memory_or_with_a_good_one_complains_of_nothing(self, banks: int) -> None:
        handheld = Handheld(store=[RamStore() for _ in range(banks)])
        lose(handheld)
        assert b"STORAGE FAILED" not in note_of(handheld)

    def test_memory_of_256_bytes_keeps_settings_and_best_score_only(self) -> None:
        memory = bytearray(b"\xff" * 256)
        handheld = Handheld(store=[NvmStore(memory)])
        handheld.settings.contrast = 77
        handheld.context.save_settings()
        play(handheld, 30)
        handheld.tap(controls.PAUSE)
        handheld.tap(controls.PAUSE)
        lose(handheld)
        best = handheld.session.best(0)
        assert best == handheld.game.score > 0
        again = Handheld(store=[NvmStore(memory)])
        assert again.settings.contrast == 77
        assert again.session.best(0) == best
        assert not again.journal.failed
        assert len(again.journal.read(SETTINGS))
        assert not len(again.journal.read(SUSPENDED))

    def test_memory_of_256_bytes_never_loses_its_settings_to_scores(self) -> None:
        memory = bytearray(b"\xff" * 256)
        for variant in range(4):
            handheld = Handheld(store=[NvmStore(memory)])
            handheld.settings.contrast = 50 + variant
            handheld.context.save_settings()
            handheld.session.variant = variant
            handheld.open("play")
            lose(handheld)
            assert Handheld(store=[NvmStore(memory)]).app.context.settings.contrast == 50 + variant

    def test_memory_that_forgets_what_is_written_is_noticed(self) -> None:
        bank = BrokenStore()
        bank.forgets = True
        handheld = Handheld(store=[bank])
        handheld.tap(controls.PAUSE)
        assert handheld.journal.failed


class TestClock:
    @pytest.mark.parametrize("before_ms", [1, 16, 777, 2500])
    def test_ticks_that_wrap_in_the_middle_of_a_game_change_nothing(self, before_ms: int) -> None:
        wrapped, sound = Handheld(now_ms=TICKS_PERIOD - before_ms), Handheld(now_ms=0)
        for handheld in (wrapped, sound):
            play(handheld, 60)
        assert wrapped.clock.now_ms > TICKS_PERIOD
        assert state(wrapped) == state(sound)
        assert wrapped.picture() == sound.picture()

    def test_ticks_that_wrap_in_a_pause_or_under_a_held_button_change_nothing(self) -> None:
        pair = Handheld(now_ms=TICKS_PERIOD - 900), Handheld(now_ms=0)
        for handheld in pair:
            handheld.buttons.edges.append((controls.RIGHT, 1, handheld.clock.now_ms))
            handheld.step(16, 50)
            handheld.press(controls.PAUSE)
            handheld.step(16, 50)
            handheld.press(controls.PAUSE)
            handheld.step(16, 50)
        assert state(pair[0]) == state(pair[1])
