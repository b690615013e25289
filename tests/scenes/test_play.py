"""From a button's edge to a lit pixel: the app, the scene of play, pause and the end."""

import itertools
from collections.abc import Callable

import pytest

from firmware.app import run
from firmware.compat import TICKS_PERIOD
from firmware.save.recorder import Recorder
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld, lose
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, RIGHT, START, UP, A, B
from tests.support.recorded import read

Requests = list[tuple[str, object]]


@pytest.fixture
def handheld() -> Handheld:
    return Handheld()


class TestFrames:
    @pytest.mark.parametrize("button", [LEFT, RIGHT, A, B, UP, HOLD])
    def test_an_edge_is_visible_in_the_next_frame(self, handheld: Handheld, button: int) -> None:
        before = handheld.picture()
        handheld.press(button)
        assert handheld.step(1) != before

    def test_a_press_and_its_release_within_one_frame_count_and_sound(self, handheld: Handheld) -> None:
        handheld.press(LEFT)
        handheld.tap(LEFT)
        assert handheld.game.x == 1 and handheld.buzzer.hz > 0

    def test_the_frame_rate_does_not_matter(self) -> None:
        games = []
        for ms, frames in ((1, 3000), (100, 30)):
            handheld = Handheld()
            handheld.press(RIGHT, 700)
            handheld.step(ms, frames)
            games.append((handheld.game.x, handheld.game.y, handheld.game.time_ms))
        assert games[0] == games[1]

    def test_the_picture_on_the_chip_is_the_canvas_after_every_frame(self, handheld: Handheld) -> None:
        for frame in range(600):
            handheld.press((frame * 7) % 7)
            handheld.step()
            assert handheld.picture() == bytes(handheld.display.canvas.buffer[1:])

    @pytest.mark.parametrize("ms", [700, 1000, 3000])
    def test_a_frame_that_is_seconds_late_still_shows_the_game(self, ms: int) -> None:
        """After the sleep of a PC, many Tetriminos lock down within one frame."""
        watch_to_the_end(Handheld(recording=read("lost")), ms)

    def test_a_pause_releases_held_buttons(self, handheld: Handheld) -> None:
        now_ms = handheld.clock.now_ms
        handheld.buttons.edges += [(LEFT, 1, now_ms), (DOWN, 1, now_ms)]
        handheld.step()
        handheld.tap(START)
        assert handheld.game.shift_step == 0 and not handheld.game.soft

    def test_a_pause_silences_the_buzzer(self, handheld: Handheld) -> None:
        handheld.tap(UP)
        assert handheld.buzzer.hz
        handheld.tap(START)
        assert handheld.buzzer.hz == 0

    def test_a_game_handed_over_waits_paused_and_continues(self, handheld: Handheld) -> None:
        handheld.step(16, 200)
        game = handheld.game
        handheld.open("play", game)
        time_ms, row = game.time_ms, game.y
        paused = handheld.picture()
        assert handheld.step(16, 50) == handheld.step(16, 50) != paused  # the last frame of play, then the pause
        assert (handheld.game, handheld.game.time_ms) == (game, time_ms)
        handheld.press(START)
        handheld.step(0)
        handheld.step(16)
        assert (game.time_ms, game.y) == (time_ms + 16, row)


@pytest.fixture
def requests(handheld: Handheld, monkeypatch: pytest.MonkeyPatch) -> Requests:
    """Lose a game; return the scenes that are asked for after it, which are not entered."""
    requests: Requests = []
    monkeypatch.setattr(handheld.context, "go", lambda name, subject=None: requests.append((name, subject)))
    lose(handheld)
    return requests


def watch_to_the_end(handheld: Handheld, ms: int = 1000) -> None:
    while not handheld.game.over:
        handheld.step(ms)


class TestEnd:
    def test_a_press_right_after_the_end_is_ignored(self, handheld: Handheld, requests: Requests) -> None:
        handheld.tap(A)
        assert requests == []

    @pytest.mark.parametrize(("button", "leads"), [(A, True), (START, True), (HOLD, False)])
    def test_after_a_second_a_press_leads_to_the_result(
        self, handheld: Handheld, requests: Requests, button: int, leads: bool
    ) -> None:
        handheld.step(1100)
        lost_game = handheld.game
        handheld.tap(button)
        assert requests == [("menus.over", lost_game)] * leads and handheld.game is lost_game

    def test_after_four_seconds_the_result_appears_by_itself(self, handheld: Handheld, requests: Requests) -> None:
        handheld.step(0, 3)  # the end takes so many frames
        handheld.step(3900)
        assert requests == []
        handheld.step(200)
        assert requests == [("menus.over", handheld.game)]

    def test_a_completed_game_ends_with_another_picture(self) -> None:
        pictures = set()
        for name in ("sprint", "lost"):
            handheld = Handheld(recording=read(name))
            watch_to_the_end(handheld)
            pictures.add(handheld.step())
        assert len(pictures) == 2

    def test_buttons_do_not_disturb_a_recorded_game_but_pause_does(self) -> None:
        handheld, untouched = Handheld(recording=read("fast")), Handheld(recording=read("fast"))
        for frame in range(300):
            handheld.tap(frame % 7)
            untouched.step()
        assert handheld.picture() == untouched.picture()
        handheld.press(START)
        assert handheld.step() == handheld.step(16, 50)

    def test_a_recorded_game_can_be_watched_again_after_its_end(self) -> None:
        handheld = Handheld(recording=read("lost"))
        watch_to_the_end(handheld)
        score = handheld.game.score
        handheld.step(1100)
        handheld.tap(START)
        assert handheld.game.score == 0
        watch_to_the_end(handheld)
        assert handheld.game.score == score


class TestPace:
    def run(self, handheld: Handheld, frames: int, costs_ms: Callable[[int], int]) -> None:
        """Run the app for `frames` frames; frame N takes costs_ms(N)."""
        count = itertools.count(1)

        def end_frame() -> None:
            frame = next(count)
            handheld.clock.now_ms += costs_ms(frame)
            handheld.app.running = frame < frames

        handheld.display.shown = end_frame
        handheld.app.running = True
        run(handheld.app)

    def test_sixty_frames_a_second_by_absolute_deadlines(self, handheld: Handheld) -> None:
        start_ms = handheld.clock.now_ms
        self.run(handheld, 600, lambda frame: 3)
        assert handheld.clock.now_ms - start_ms == 10_000

    def test_frames_after_a_late_one_are_not_shorter(self, handheld: Handheld) -> None:
        self.run(handheld, 20, lambda frame: 500 if frame == 5 else 0)
        waits = handheld.clock.waits[6:]
        assert all(10 <= later - earlier <= 20 for earlier, later in itertools.pairwise(waits))


class TestSeed:
    """A board's clock reads the same at every power-on, so presses and entropy choose the first game."""

    def switch_on(self, *moments_ms: int, seed: int | None = None) -> list[int]:
        """Press a button at these times after power-on and begin two games; return their seeds."""
        handheld = Handheld(first="menus.legal", seed=seed, now_ms=77)
        for moment_ms in moments_ms:
            handheld.buttons.edges.append((LEFT, 1, moment_ms))
            handheld.step()
        seeds = []
        for _ in range(2):
            handheld.clock.now_ms = 9000
            handheld.open("play")
            seeds.append(handheld.game.seed)
        return seeds

    def test_every_press_before_the_first_game_changes_its_seed(self) -> None:
        moments = ((1500, 2100), (1501, 2100), (1500, 2101), (2100, 1500), (1500,), (1500, 2100, 2100))
        assert len({self.switch_on(*moments_ms)[0] for moments_ms in moments}) == len(moments)

    def test_the_press_that_begins_a_game_changes_its_seed(self) -> None:
        seeds = set()
        for moment_ms in range(50):
            handheld = Handheld(first="menus.choose_level", seed=None, now_ms=77)
            handheld.buttons.edges.append((A, 1, 77 + moment_ms))
            handheld.step(50, 2)
            seeds.add(handheld.game.seed)
        assert len(seeds) == 50

    def test_entropy_of_the_board_changes_the_seed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        seeds = set()
        for chance in (0, 1, 2, (1 << 30) - 1):
            handheld = Handheld(first="menus.legal", seed=None)
            monkeypatch.setattr(handheld.device.machine, "draw_entropy", lambda chance=chance: chance)
            seeds.add(handheld.session.next_seed())
        assert len(seeds) == 4

    def test_requested_seed_is_the_first_game_and_later_games_differ(self) -> None:
        first, second = self.switch_on(1500, seed=4711)
        assert first == 4711 != second and self.switch_on(1500, seed=4711) == [first, second]
        assert self.switch_on(1501, seed=4711)[0] == 4711

    def test_seeds_have_thirty_bits_after_any_number_of_edges(self) -> None:
        handheld = Handheld(seed=None)
        for i in range(300):
            handheld.session.mix(TICKS_PERIOD - 1 - i)
            assert 0 <= handheld.session.noise < 1 << 30
        assert 0 <= handheld.session.next_seed() < 1 << 30


class TestNeverLost:
    """The game in progress and the best results outlive power-off."""

    @pytest.fixture
    def banks(self) -> list[RamStore]:
        return [RamStore(), RamStore()]

    def test_a_paused_game_waits_after_power_off(self, banks: list[RamStore]) -> None:
        before = Handheld(store=banks)
        for button in (LEFT, UP, A):
            before.press(button)
            before.step(300)
        before.tap(START)
        after = Handheld(store=banks, seed=99)
        assert not after.scene.is_playing() and after.game.matrix.rows == before.game.matrix.rows
        for handheld in (before, after):
            handheld.press(START)
            handheld.step(0)
            handheld.press(UP)
            handheld.step(2000)
        assert after.game.matrix.rows == before.game.matrix.rows
        assert (after.game.score, after.game.time_ms) == (before.game.score, before.game.time_ms)

    def test_a_finished_game_is_not_restored_but_its_score_is(self, banks: list[RamStore]) -> None:
        handheld = Handheld(store=banks)
        lose(handheld)
        restarted = Handheld(store=banks)
        assert restarted.game.score == 0 and restarted.scene.is_playing()
        assert restarted.session.best(0) == handheld.game.score

    def test_a_watched_game_leaves_no_trace(self, banks: list[RamStore]) -> None:
        watch_to_the_end(Handheld(store=banks, recording=read("lost")))
        assert Handheld(store=banks).session.best(0) == 0

    def test_a_continued_game_is_not_recorded_without_its_beginning(self, banks: list[RamStore]) -> None:
        Handheld(store=banks).tap(START)
        recorder = Recorder()
        after = Handheld(store=banks, recorder=recorder)
        after.tap(START, UP)
        assert (after.game.lock_downs, recorder.used) == (1, 0)
