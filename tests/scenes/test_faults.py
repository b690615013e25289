"""No game is lost if the display, a button, the memory or the clock fails in play."""

import pytest

from firmware.compat import TICKS_PERIOD
from firmware.device.nvm import NvmStore
from firmware.save.journal import SETTINGS, SUSPENDED
from tests.support.flash import BrokenStore, RamStore
from tests.support.handhelds.handheld import Handheld, lose
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, RIGHT, START, UP, A

MOVES = (LEFT, A, RIGHT, HOLD, RIGHT, UP)


def play(handheld: Handheld, presses: int = 12) -> None:
    """Press one button after another, a few frames apart."""
    for i in range(presses):
        handheld.press(MOVES[i % len(MOVES)], 20)
        handheld.step(16, 4)


def state(handheld: Handheld) -> tuple:
    game = handheld.game
    return game.matrix.rows, game.score, game.time_ms, game.x, game.y, game.facing, bytes(game.next)


def play_both(first: Handheld, second: Handheld, presses: int) -> None:
    """Play the same on two handhelds and compare their games."""
    play(first, presses)
    play(second, presses)
    assert state(first) == state(second)


def replug(handheld: Handheld) -> None:
    """Connect a display that was switched off."""
    handheld.display.chip.power_on()
    handheld.display.bus.plug(handheld.display.chip)


class TestDisplay:
    def test_game_continues_while_its_display_is_unplugged(self) -> None:
        faulty, sound = pair = Handheld(), Handheld()
        play_both(*pair, 12)
        faulty.display.bus.unplug(faulty.display.chip)
        play_both(*pair, 12)
        replug(faulty)
        for handheld in pair:
            handheld.step(16, 60)
        assert state(faulty) == state(sound)
        assert faulty.picture() == sound.picture() == bytes(faulty.display.canvas.buffer[1:])

    def test_display_with_a_loose_contact_does_not_stop_the_game(self) -> None:
        faulty, sound = Handheld(), Handheld()
        for round_ in range(20):
            (faulty.display.bus.plug if round_ % 2 else faulty.display.bus.unplug)(faulty.display.chip)
            play_both(faulty, sound, 1)

    def test_display_missing_at_power_on_shows_the_game_once_connected(self) -> None:
        handheld = Handheld()
        handheld.display.bus.unplug(handheld.display.chip)
        handheld.display.turn(True)  # sets up the chip, which is unplugged
        handheld.display.turn(False)
        play(handheld)
        replug(handheld)
        assert handheld.step(16, 60) == bytes(handheld.display.canvas.buffer[1:])

    def test_display_replugged_in_a_still_pause_shows_it_again(self) -> None:
        handheld = Handheld()
        handheld.press(START)
        paused = handheld.step(16, 60)
        handheld.display.bus.unplug(handheld.display.chip)
        handheld.step(16, 60)
        replug(handheld)
        assert handheld.step(16, 60) == paused and handheld.display.chip.on


class TestStuck:
    def hold(self, button: int, frames: int) -> Handheld:
        handheld = Handheld()
        handheld.move(button, 1, 16, frames)
        return handheld

    @pytest.mark.parametrize("stuck", [LEFT, RIGHT, DOWN, A])
    def test_other_buttons_work_beside_a_stuck_one(self, stuck: int) -> None:
        handheld = self.hold(stuck, 60)
        for dropped in range(4):
            assert handheld.game.lock_downs >= dropped
            handheld.press(UP)
            handheld.step(16, 60)
        handheld.tap(START)
        assert not handheld.scene.is_playing()

    def test_stuck_hard_drop_drops_one_tetrimino(self) -> None:
        assert self.hold(UP, 120).game.lock_downs == 1

    def test_stuck_start_restarts_the_game_once_like_a_held_one(self) -> None:
        handheld = self.hold(START, 0)
        games = [handheld.game]
        for _ in range(2):
            handheld.step(16, 60)
            games.append(handheld.game)
            assert handheld.scene.is_playing()
        assert games[0] is not games[1] is games[2]


def read_note(handheld: Handheld) -> bytes:
    """Return the note below the lines of the main menu."""
    handheld.open("menus.main", frames=2)
    scene = handheld.scene
    return scene.notes[scene.at]


class TestMemory:
    @pytest.fixture
    def bank(self) -> BrokenStore:
        return BrokenStore()

    def test_failing_store_keeps_its_records_and_costs_no_game(self, bank: BrokenStore) -> None:
        handheld = Handheld(store=[bank])
        lose(handheld)
        best = handheld.session.best(0)
        assert best > 0
        image = bytes(bank.image)
        bank.broken = "write erase"
        handheld.open("play")
        play(handheld, 60)
        handheld.tap(START)
        assert handheld.journal.failed and bytes(bank.image) == image
        game = handheld.game
        handheld.press(A)
        handheld.step(16, 4)
        assert handheld.scene.is_playing() and handheld.game is game
        lose(handheld)
        bank.broken = ""
        assert Handheld(store=[bank]).session.best(0) == best

    def test_failing_store_is_reported_once(self, bank: BrokenStore) -> None:
        handheld = Handheld(store=[bank])
        assert b"STORAGE FAILED" not in read_note(handheld)
        bank.broken = "write erase"
        handheld.open("play")
        handheld.tap(START)
        notes = []
        for _ in range(3):
            notes.append(b"STORAGE FAILED" in read_note(handheld))
            handheld.open("menus.title", frames=2)
        assert notes == [True, False, False]

    def test_game_left_when_the_store_failed_can_be_continued_until_power_off(self, bank: BrokenStore) -> None:
        handheld = Handheld(store=[bank])
        play(handheld)
        bank.broken = "write erase"
        handheld.tap(START)
        game = handheld.game
        handheld.open("menus.main", frames=2)
        assert handheld.session.suspended is game

    def test_game_too_long_for_a_small_memory_can_be_continued_until_power_off(self) -> None:
        handheld = Handheld(store=[NvmStore(bytearray(b"\xff" * 128))])
        play(handheld)
        handheld.tap(START)
        assert not handheld.journal.failed and handheld.session.suspended is handheld.game

    @pytest.mark.parametrize("banks", [0, 2])
    def test_no_report_without_a_store_or_with_a_good_one(self, banks: int) -> None:
        handheld = Handheld(store=[RamStore() for _ in range(banks)])
        lose(handheld)
        assert b"STORAGE FAILED" not in read_note(handheld)

    def test_memory_of_256_bytes_keeps_settings_and_best_score_only(self) -> None:
        memory = bytearray(b"\xff" * 256)
        handheld = Handheld(store=[NvmStore(memory)])
        handheld.settings.contrast = 77
        handheld.context.save_settings()
        play(handheld, 30)
        handheld.tap(START, START)
        lose(handheld)
        restarted = Handheld(store=[NvmStore(memory)])
        assert restarted.settings.contrast == 77 and not restarted.journal.failed
        assert restarted.session.best(0) == handheld.session.best(0) == handheld.game.score > 0
        assert len(restarted.journal.read(SETTINGS)) and not len(restarted.journal.read(SUSPENDED))

    def test_memory_of_256_bytes_never_loses_its_settings_to_scores(self) -> None:
        memory = bytearray(b"\xff" * 256)
        for variant in range(4):
            handheld = Handheld(store=[NvmStore(memory)])
            handheld.settings.contrast = 50 + variant
            handheld.context.save_settings()
            handheld.session.variant = variant
            handheld.open("play")
            lose(handheld)
            assert Handheld(store=[NvmStore(memory)]).settings.contrast == 50 + variant


class TestClock:
    @pytest.mark.parametrize("before_ms", [1, 16, 777, 2500])
    def test_ticks_that_wrap_in_the_middle_of_a_game_change_nothing(self, before_ms: int) -> None:
        wrapped, sound = Handheld(now_ms=TICKS_PERIOD - before_ms), Handheld(now_ms=0)
        play_both(wrapped, sound, 60)
        assert wrapped.clock.now_ms > TICKS_PERIOD and wrapped.picture() == sound.picture()

    def test_ticks_that_wrap_in_a_pause_or_under_a_held_button_change_nothing(self) -> None:
        pair = Handheld(now_ms=TICKS_PERIOD - 900), Handheld(now_ms=0)
        for handheld in pair:
            handheld.move(RIGHT, 1, 16, 50)
            for _ in range(2):
                handheld.press(START)
                handheld.step(16, 50)
        assert state(pair[0]) == state(pair[1])
