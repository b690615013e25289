"""Watching a recording: to play it, to step through it both ways, and to play on from it."""

from typing import Any

import pytest

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.modes.catalogue import make_mode
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Player, Recording
from firmware.save.recordings.recording_timeline import Timeline
from tests.support import golden
from tests.support.drill import state
from tests.support.handhelds.handheld import Clock, Handheld
from tests.support.needs import needs_wasm
from tests.support.recorded import NAMES, RECORDINGS, edges_of, play, read, record_more
from tools.measure import scripts

A, B, START = controls.ROTATE_CW, controls.ROTATE_CCW, controls.PAUSE
LEFT, RIGHT, DOWN, UP = controls.LEFT, controls.RIGHT, controls.SOFT_DROP, controls.HARD_DROP

STATUS = slice(9 * 8, 24 * 8)  # rows of pixels with the status line; time and Hold Queue are there too
REST = slice(25 * 8, 128 * 8)


class SlowClock(Clock):
    """Pass 5 ms whenever somebody looks, as if the work before had taken them."""

    def ticks_ms(self) -> int:
        self.now_ms += 5
        return Clock.ticks_ms(self)


class Watcher(Handheld):
    """A handheld in the scene `watch`."""

    def __init__(self, name: str, recorder: Recorder | None = None, slow: bool = False) -> None:
        super().__init__(recorder=recorder)
        self.asked: list[tuple[str, Any]] = []
        self.go("play.watch", (RECORDINGS / f"{name}.sky").read_bytes())
        if slow:
            self.clock = SlowClock(self.clock.now_ms)
            self.context.clock = self.device.clock = self.clock
        self.step()
        self.router.go = self.ask  # type: ignore[method-assign]
        if not slow:
            self.step()

    def ask(self, name: str, subject: object = None, keeps: str = "") -> None:
        """Note where the scene wants to go, and stay."""
        self.asked.append((name, subject))

    @property
    def line(self) -> Timeline:
        return self.scene.line

    @property
    def game(self):
        return self.line.game

    def tap(self, *buttons: int) -> None:
        """Press one button after another, and let a frame more pass."""
        super().tap(*buttons)
        self.step()

    def seen_after(self, button: int) -> bytes:
        """Press a button; return what the chip shows then."""
        self.tap(button)
        return self.picture()

    def after(self, ms: int, frames: int) -> "Watcher":
        self.step(ms, frames)
        return self

    def settle(self) -> None:
        """Let frames pass until what is asked for is simulated."""
        while self.line.reading or self.line.seeking:
            self.step(0)

    def stop(self) -> "Watcher":
        """Stand still at the beginning."""
        self.tap(LEFT)
        while self.game.time_ms:
            self.tap(LEFT)
        return self


def at(name: str, time_ms: int):
    """Return the recorded game at a moment, played by nothing but the engine."""
    recording = read(name)
    game = recording.game(make_mode(recording.variant))
    Player(recording, game).advance(time_ms)
    return game


class TestPlaying:
    def test_it_plays_the_recorded_game_at_its_own_speed(self) -> None:
        watcher = Watcher("fast").after(16, 500)
        assert watcher.game.time_ms == 8000 and state(watcher.game) == state(at("fast", 8000))

    def test_it_shows_what_play_shows_but_for_the_status_line(self) -> None:
        watcher = Watcher("marathon")
        player = Handheld(recording=read("marathon"))
        watcher.step(16, 700)
        player.step(0)
        while player.game.time_ms < 700 * 16:
            player.step()
        assert watcher.picture()[REST] == player.picture()[REST]

    @pytest.mark.parametrize(
        ("presses", "speed"),
        [((), 1), ((UP,), 2), ((UP,) * 2, 4), ((UP,) * 3, 8), ((UP,) * 5, 8), ((UP, DOWN, DOWN), 1)],
    )
    def test_up_makes_it_up_to_eight_times_faster_and_down_slower(self, presses: tuple[int, ...], speed: int) -> None:
        watcher = Watcher("fast")
        for button in presses:
            watcher.press(button)
        watcher.step(16, 100)
        assert watcher.game.time_ms == 1600 * speed

    def test_a_stops_it_and_lets_it_go_on(self) -> None:
        watcher = Watcher("fast").after(16, 200)
        watcher.press(A)
        stopped = watcher.step()
        assert watcher.step(16, 100) == stopped
        watcher.press(A)
        watcher.step(16, 50)
        assert watcher.game.time_ms == 250 * 16

    def test_it_stands_still_at_the_end_and_a_begins_again(self) -> None:
        watcher = Watcher("lost").after(1000, 40)
        assert watcher.game.over
        end = watcher.picture()
        assert watcher.step(16, 50) == end
        watcher.tap(A)
        watcher.step(16, 10)
        assert 0 < watcher.game.time_ms < 500

    def test_sounds_follow_the_game(self) -> None:
        watcher = Watcher("fast")
        assert any(watcher.step() and watcher.buzzer.hz for _ in range(200))


class TestStepping:
    @pytest.mark.parametrize("name", NAMES)
    def test_right_goes_from_lock_down_to_lock_down_and_then_to_the_end(self, name: str) -> None:
        watcher = Watcher(name).stop()
        total = watcher.line.total
        for number in range(1, total + 1):
            watcher.tap(RIGHT)
            assert watcher.game.lock_downs == number
        watcher.tap(RIGHT)
        assert state(watcher.game) == state(at(name, 10_000_000))
        last = watcher.picture()
        assert watcher.seen_after(RIGHT) == last

    def test_a_step_ends_at_the_first_millisecond_of_the_lock_down(self) -> None:
        watcher = Watcher("lost").stop()
        for number in range(1, 12):
            watcher.tap(RIGHT)
            assert at("lost", watcher.game.time_ms - 1).lock_downs == number - 1
            assert state(watcher.game) == state(at("lost", watcher.game.time_ms))

    @pytest.mark.parametrize(("name", "count"), [("lost", 31), ("fast", 40), ("marathon", 30), ("sprint", 25)])
    def test_as_many_back_as_forth_gives_the_same_pictures(self, name: str, count: int) -> None:
        watcher = Watcher(name).stop()
        forth = [watcher.seen_after(RIGHT) for _ in range(count)]
        back = [watcher.seen_after(LEFT) for _ in range(count - 1)]
        assert back == forth[-2::-1] and len(set(forth)) == count

    def test_left_leads_to_the_lock_down_before_and_at_last_to_the_beginning(self) -> None:
        watcher = Watcher("fast")
        beginning = watcher.stop().picture()
        watcher.tap(A)
        while watcher.game.lock_downs < 2:
            watcher.step()
        watcher.step(16, 10)
        for number in (2, 1):
            watcher.tap(LEFT)
            assert watcher.game.time_ms == watcher.line.times[number]
        for _ in range(2):
            assert watcher.seen_after(LEFT) == beginning

    def test_a_step_stops_the_game(self) -> None:
        watcher = Watcher("fast").after(16, 100)
        stopped = watcher.seen_after(RIGHT)
        assert watcher.step(16, 100) == stopped

    def test_held_it_repeats(self) -> None:
        watcher = Watcher("fast").stop()
        now_ms = watcher.clock.now_ms
        watcher.buttons.edges.append((RIGHT, 1, now_ms))
        watcher.step(16, 62)  # 350 ms, then every 110: six more
        watcher.buttons.edges.append((RIGHT, 0, now_ms + 992))
        watcher.step(16, 50)
        assert watcher.game.lock_downs == 7

    def test_presses_in_one_frame_add_up(self) -> None:
        watcher = Watcher("fast").stop()
        for button in (RIGHT,) * 9 + (LEFT,) * 4:
            watcher.press(button)
        watcher.step()
        assert watcher.game.lock_downs == 5

    def test_every_step_of_the_way_is_what_play_would_draw_anew(self) -> None:
        watcher = Watcher("marathon").stop()
        for _ in range(60):
            stepped = watcher.seen_after(RIGHT)
            watcher.scene.view.reset()
            watcher.scene.fresh = True
            assert watcher.step() == stepped


class TestSlices:
    """Where simulating takes time, frames go on and show how far it is."""

    def test_reading_takes_many_frames_and_its_bar_grows(self) -> None:
        watcher = Watcher("fast", slow=True)
        lit = []
        while watcher.line.reading:
            began_ms = watcher.clock.now_ms
            watcher.step(0)
            assert watcher.clock.now_ms - began_ms <= 45
            if watcher.line.reading:
                lit.append(sum(byte.bit_count() for byte in watcher.picture()))
        assert len(lit) > 10 and lit == sorted(lit) and lit[-1] > lit[0] + 100

    def test_reading_can_be_left(self) -> None:
        watcher = Watcher("fast", slow=True)
        for button in (A, RIGHT, START, B):
            watcher.press(button)
            watcher.step(0)
        assert watcher.line.reading and watcher.asked == [(watcher.router.home, None)]

    def seek(self) -> Watcher:
        """Return a watcher on its way back from far to the Lock Down before."""
        watcher = Watcher("fast", slow=True)
        watcher.settle()
        for _ in range(90):
            watcher.press(RIGHT)
            watcher.step(0)
        watcher.settle()
        assert watcher.game.lock_downs == 90
        watcher.press(LEFT)
        return watcher

    def test_seeking_leaves_the_picture_and_moves_the_bar(self) -> None:
        watcher = self.seek()
        before = watcher.picture()
        status = [watcher.step(0)[STATUS]]
        while watcher.line.seeking:
            assert watcher.picture()[REST] == before[REST]
            began_ms = watcher.clock.now_ms
            status.append(watcher.step(0)[STATUS])
            assert watcher.clock.now_ms - began_ms <= 45
        assert watcher.game.lock_downs == 89 and len(status) > 10
        assert len(set(status)) > 10 and watcher.picture()[REST] != before[REST]
        assert state(watcher.game) == state(at("fast", watcher.line.times[89]))

    def test_steps_meanwhile_count_from_where_the_last_one_leads(self) -> None:
        watcher = self.seek()
        watcher.step(0)
        for button in (LEFT,) * 4 + (RIGHT,):
            watcher.press(button)
            watcher.step(0)
        watcher.settle()
        assert watcher.game.lock_downs == 86


def play_on(name: str, time_ms: int, recorder: Recorder | None) -> Watcher:
    """Watch until a moment of the game and press Start."""
    watcher = Watcher(name, recorder)
    watcher.step(time_ms, 1)
    watcher.press(START)
    watcher.step(0)
    return watcher


class TestPlayingOn:
    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize("time_ms", [0, 1, 4321, 11_987, 29_500])
    def test_the_recorder_holds_what_led_there_and_what_follows(self, name: str, time_ms: int) -> None:
        recorder = Recorder()
        watcher = play_on(name, time_ms, recorder)
        scene, game = watcher.asked[-1]
        assert (scene, game) == ("play", watcher.game) and game.time_ms == time_ms
        assert game.matrix.rows == at(name, time_ms).matrix.rows
        record_more(game, recorder, 40, 150)

    def test_nothing_stays_held(self) -> None:
        held_ms = next(t_ms for button, pressed, t_ms in edges_of(read("marathon")) if button == LEFT and pressed)
        recorder = Recorder()
        watcher = play_on("marathon", held_ms, recorder)
        assert watcher.game.pressed == 0 and watcher.game.shift_step == 0
        again, _ = play(Recording(recorder.recorded(held_ms)))
        assert again.pressed == 0 and again.x == watcher.game.x

    def test_the_variant_is_that_of_the_recording(self) -> None:
        watcher = play_on("sprint", 1000, Recorder())
        assert watcher.session.variant == read("sprint").variant != 0

    def test_without_a_recorder_it_is_played_on_all_the_same(self) -> None:
        watcher = play_on("fast", 5000, None)
        assert watcher.asked == [("play", watcher.game)]

    def test_a_game_in_progress_is_not_dropped_unasked(self) -> None:
        """The first press asks; the recorder and the game that waits are as they were."""
        recorder = Recorder()
        watcher = Watcher("fast", recorder)
        watcher.session.suspended = game = Game(1)
        watcher.step(5000)
        kept = recorder.used
        watcher.tap(START)
        golden.compare(watcher.display.canvas, "watch_asks")
        assert (watcher.asked, recorder.used, watcher.session.suspended) == ([], kept, game)
        watcher.tap(START)
        assert watcher.asked == [("play", watcher.game)]
        # CONTINUE leads to no game but the one that the recorder holds.
        assert watcher.session.suspended is watcher.game

    @pytest.mark.parametrize("button", [B, LEFT, A, UP])
    def test_any_other_button_takes_the_question_back(self, button: int) -> None:
        watcher = Watcher("fast", Recorder())
        watcher.session.suspended = Game(1)
        watcher.step(5000)
        watcher.tap(A)
        before = watcher.picture()
        watcher.tap(START, button)
        assert watcher.asked == []
        if button == B:
            assert watcher.picture() == before
        watcher.tap(START)
        assert watcher.asked == []

    def test_too_long_for_the_recorder_leaves_a_recording_of_nothing(self) -> None:
        recorder = Recorder(400)
        play_on("fast", 60_000, recorder)
        recorder.record_edge(0, 1, 61_000)
        recording = Recording(recorder.recorded(61_000))
        assert not recording.read() and recording.seed == read("fast").seed

    def test_a_game_that_is_over_cannot_be_played_on(self) -> None:
        watcher = Watcher("lost").after(1000, 40)
        watcher.press(START)
        watcher.step()
        assert watcher.asked == []

    def test_the_scene_of_play_goes_on_with_the_game_and_its_recording(self) -> None:
        recorder = Recorder()
        watcher = play_on("fast", 20_000, recorder)
        _, game = watcher.asked[-1]
        watcher.router.wanted, watcher.router.subject = "play", game
        watcher.router.change(watcher.context)
        scene = watcher.scene
        assert scene.game is game
        if not scene.is_playing():
            watcher.press(START)
            watcher.step(0)
        for button in (controls.LEFT, controls.ROTATE_CW, controls.HARD_DROP) * 6:
            watcher.press(button, 30)
            watcher.step(200)
        again, _ = play(Recording(recorder.recorded(scene.played_ms)))
        assert again.matrix.rows == game.matrix.rows
        assert (again.score, again.time_ms) == (game.score, game.time_ms) and game.time_ms > 23_000


class TestScene:
    def test_b_leaves(self) -> None:
        watcher = Watcher("fast")
        watcher.press(B)
        watcher.step()
        assert watcher.asked == [(watcher.router.home, None)]

    def test_a_recording_made_elsewhere_is_as_good_as_its_bytes(self) -> None:
        handheld = Handheld()
        handheld.go("play.watch", read("fast"))
        handheld.step(16, 2)
        assert handheld.scene.line.total == 105

    def test_a_damaged_recording_is_refused(self) -> None:
        handheld = Handheld()
        handheld.go("play.watch", b"SKY\x01" + bytes(40))
        with pytest.raises(ValueError, match="check sum"):
            handheld.step()

    @pytest.mark.parametrize("total", [108, 999, 1234])
    def test_position_and_speed_are_a_glyph_apart(self, total: int) -> None:
        watcher = Watcher("sprint").after(1000, 100)
        watcher.line.total = total
        watcher.scene.digits = len(str(total))
        watcher.scene.fresh = True
        watcher.scene.draw_status()
        canvas = watcher.display.canvas
        assert any(canvas.pixel(57, y) for y in range(8, 13))
        assert not any(canvas.pixel(x, y) for x in range(53, 57) for y in range(8, 13))


class TestPictures:
    def test_reading(self) -> None:
        watcher = Watcher("fast", slow=True).after(0, 12)
        golden.compare(watcher.display.canvas, "watch_reading")

    def test_playing(self) -> None:
        watcher = Watcher("marathon")
        watcher.tap(UP)
        watcher.step(1000, 15)
        golden.compare(watcher.display.canvas, "watch_playing")

    def test_stepping_to_a_line_clear(self) -> None:
        watcher = Watcher("marathon").stop()
        while not watcher.game.hit_count:
            watcher.tap(RIGHT)
        golden.compare(watcher.display.canvas, "watch_line_clear")

    def test_the_end(self) -> None:
        watcher = Watcher("sprint").after(1000, 100)
        golden.compare(watcher.display.canvas, "watch_end")


LOCKED = """
begin()
go("play.watch", {blob!r}, 2)
line = app.router.scene.line
assert not line.reading
play(200)
app.router.scene.press(3)
app.router.scene.press(3)
play_locked(800)
print(line.game.lock_downs, line.game.lines)
"""


@needs_wasm
def test_a_frame_allocates_nothing_while_it_plays() -> None:
    script = scripts.ON_BOARD + LOCKED.format(blob=(RECORDINGS / "fast.sky").read_bytes())
    lock_downs, lines = scripts.run(script).last_line.split()
    assert int(lock_downs) > 40 and int(lines) > 0
